"""Takes the screenshots of the documents: home, table and end, in both sizes and both themes; and
for each other game a table on a desktop (light), a table on a phone (dark) and the end.

    python -m tests.browser.screenshots [FOLDER]

Chance is repeatable, so the same client gives the same pictures.
"""

from __future__ import annotations

import base64
import struct
import sys
import tempfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

from tests.browser.server import ROOT, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.showcases import SHOWCASES, begin, finish
from tests.browser.user_page import (
    FIXED_CLIENT_RANDOMNESS,
    Device,
    Message,
    UserPage,
    open_user_page,
    play_until,
    play_until_over,
)
from tools.chromium import find_chromium

FOLDER = ROOT / "docs" / "images"
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
REPEATABLE = ServerOptions(seed="a fine day at sea")

_SETTLED = "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))"


#: Decodes a picture and reduces it to 256 colours: the most frequent, and then those that differ
#: most from them, so that a small green dot stays green.
_WITH_FEWER_COLOURS = """async (source) => {
  const image = await createImageBitmap(await (await fetch(source)).blob());
  const { width, height } = image;
  const surface = new OffscreenCanvas(width, height).getContext("2d");
  surface.drawImage(image, 0, 0);
  const pixels = new Uint32Array(surface.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const parts = (pixel) => [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([pixel]) => pixel);
  const palette = frequent.splice(0, 224);
  const search = (pixel) => {
    const [red, green, blue] = parts(pixel);
    let [best, least] = [0, Infinity];
    palette.forEach((other, number) => {
      const [r, g, b] = parts(other);
      const far = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (far < least) [best, least] = [number, far];
    });
    return [best, least];
  };
  for (const pixel of frequent)
    if (palette.length < 256 && search(pixel)[1] > 1200) palette.push(pixel);
  const index = new Map(palette.map((pixel, number) => [pixel, number]));
  const nearest = (pixel) => {
    const [best] = search(pixel);
    index.set(pixel, best);
    return best;
  };
  const chosen = Uint8Array.from(pixels, (pixel) => index.get(pixel) ?? nearest(pixel));
  let text = "";
  for (let at = 0; at < chosen.length; at += 8192)
    text += String.fromCharCode(...chosen.subarray(at, at + 8192));
  return { width, height, palette: palette.flatMap(parts), pixels: btoa(text) };
}"""


def main(folder: Path) -> int:
    path = find_chromium()
    if path is None:
        print("no Chromium was found", file=sys.stderr)
        return 1
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        for name, size in SIZES.items():
            for theme in THEMES:
                phone = name == "phone"
                device = Device(
                    size=size,
                    scheme=theme,
                    touch=phone,
                    reduced_motion=True,
                    scale_factor=2 if phone else 1,
                )
                _take_all(browser, device, folder, f"{name}-{theme}")
                if phone == (theme == "dark"):
                    for game in SHOWCASES:
                        _take_game(browser, device, folder, game)
        browser.close()
    return 0


def _take_all(browser: Browser, device: Device, folder: Path, suffix: str) -> None:
    with (
        tempfile.TemporaryDirectory() as temporary,
        run_server(Path(temporary), REPEATABLE) as server,
    ):
        ana = open_user_page(browser, server.address, "Ana", device)
        ana.policy = _boldly
        ana.page.add_init_script(FIXED_CLIENT_RANDOMNESS)
        ana.open_home()
        _take(ana, folder / f"home-{suffix}.png")
        ana.set_up_table(seats=4, bots=[2, 3, 4], first=1)
        ana.start_game()
        play_until(lambda: _is_worth_a_picture(ana), ana)
        _take(ana, folder / f"table-{suffix}.png")
        play_until_over(ana)
        ana.result_lines()
        _take(ana, folder / f"end-{suffix}.png")
        ana.context.close()


def _take_game(browser: Browser, device: Device, folder: Path, game: str) -> None:
    with (
        tempfile.TemporaryDirectory() as temporary,
        run_server(Path(temporary), REPEATABLE) as server,
    ):
        ana = open_user_page(browser, server.address, "Ana", device)
        ana.page.add_init_script(FIXED_CLIENT_RANDOMNESS)
        player = begin(ana, game)
        if not device.touch and ana.by_test_id("zoom-whole").is_enabled():
            ana.by_test_id("zoom-whole").click()  # the desktop has room for the whole board
        _take(ana, folder / f"{game}-{'phone' if device.touch else 'desktop'}.png")
        if device.touch:
            finish(player, game)
            _take(ana, folder / f"{game}-end.png")
        ana.context.close()


def _boldly(actions: Sequence[str]) -> str:
    return next(action for action in ("take", "turn back", *actions) if action in actions)


def _is_worth_a_picture(user: UserPage) -> bool:
    """Whether it is the second round with a choice on the board and most divers carry something."""
    if "take" not in user.table_state().actions:
        return False
    scene = user.last_position()["scene"]
    divers = [piece for piece in scene["pieces"] if piece["kind"] == "diver"]
    loads = [piece["properties"]["load"] for piece in divers]
    return scene["gauges"]["round"] >= 2 and loads[0] > 0 and sum(map(bool, loads)) >= 3


def _take(user: UserPage, path: Path) -> None:
    page = user.page
    user.wait_until(lambda: _is_idle(user), seconds=120)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.evaluate(_SETTLED)
    taken = base64.b64encode(page.screenshot(animations="disabled")).decode()
    blank = user.context.new_page()
    picture = blank.evaluate(_WITH_FEWER_COLOURS, f"data:image/png;base64,{taken}")
    blank.close()
    path.write_bytes(_png(picture))
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def _is_idle(user: UserPage) -> bool:
    """Whether all sentences about moves of bots have disappeared."""
    strip = user.by_test_id("told")
    if strip.count() > 0:
        return False
    user.page.wait_for_timeout(800)
    return strip.count() == 0


def _png(picture: Message) -> bytes:
    """Encode a PNG with a palette at the highest compression."""
    width, height = picture["width"], picture["height"]
    pixels = base64.b64decode(picture["pixels"])
    rows = (b"\0" + pixels[row * width : (row + 1) * width] for row in range(height))
    chunks = {
        b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0),
        b"PLTE": bytes(picture["palette"]),
        b"IDAT": zlib.compress(b"".join(rows), 9),
        b"IEND": b"",
    }
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks.items()
    )


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
