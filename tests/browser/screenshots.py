"""The pictures of the documents, made anew: home, table and end, on both sizes, in both themes; and
of each further game a table at a desk by day, one on a phone by night, and an end.

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

from tests.browser.people import (
    NO_CHANCE_OF_ITS_OWN,
    Device,
    Message,
    Person,
    play_until,
    play_until_over,
    sit_down,
)
from tests.browser.server_process import Difference
from tests.browser.serving import ROOT, serving
from tests.browser.showcases import SHOWCASES, begin, finish
from tools.chromium import find_chromium

FOLDER = ROOT / "docs" / "images"
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
REPEATABLE = Difference(seed="a fine day at sea")

_SETTLED = "Promise.all(document.getAnimations().map((each) => each.finished.catch(() => {})))"


#: Decodes a picture and gives each pixel one of 256 colours, or the nearest one: the most frequent,
#: and of the others those that are unlike all of these, so that a small green dot stays green.
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
                    size=size, scheme=theme, touch=phone, still=True, sharpness=2 if phone else 1
                )
                _take_all(browser, device, folder, f"{name}-{theme}")
                if phone == (theme == "dark"):
                    for game in SHOWCASES:
                        _take_game(browser, device, folder, game)
        browser.close()
    return 0


def _take_all(browser: Browser, device: Device, folder: Path, suffix: str) -> None:
    with tempfile.TemporaryDirectory() as temporary, serving(Path(temporary), REPEATABLE) as server:
        ana = sit_down(browser, server.address, "Ana", device)
        ana.policy = _boldly
        ana.page.add_init_script(NO_CHANCE_OF_ITS_OWN)
        ana.goes_home()
        _take(ana, folder / f"home-{suffix}.png")
        ana.sets_up(seats=4, bots=[2, 3, 4], first=1)
        ana.begins()
        play_until(lambda: _is_worth_a_picture(ana), ana)
        _take(ana, folder / f"table-{suffix}.png")
        play_until_over(ana)
        ana.result()
        _take(ana, folder / f"end-{suffix}.png")
        ana.context.close()


def _take_game(browser: Browser, device: Device, folder: Path, game: str) -> None:
    with tempfile.TemporaryDirectory() as temporary, serving(Path(temporary), REPEATABLE) as server:
        ana = sit_down(browser, server.address, "Ana", device)
        ana.page.add_init_script(NO_CHANCE_OF_ITS_OWN)
        player = begin(ana, game)
        if not device.touch and ana.part("zoom-whole").is_enabled():
            ana.part("zoom-whole").click()  # there is room for all of the board
        _take(ana, folder / f"{game}-{'phone' if device.touch else 'desktop'}.png")
        if device.touch:
            finish(player, game)
            _take(ana, folder / f"{game}-end.png")
        ana.context.close()


def _boldly(actions: Sequence[str]) -> str:
    return next(action for action in ("take", "turn back", *actions) if action in actions)


def _is_worth_a_picture(person: Person) -> bool:
    """In the second round, with something to choose on the board and something in most hands."""
    if "take" not in person.look().actions:
        return False
    scene = person.last_position()["scene"]
    divers = [piece for piece in scene["pieces"] if piece["kind"] == "diver"]
    loads = [piece["properties"]["load"] for piece in divers]
    return scene["gauges"]["round"] >= 2 and loads[0] > 0 and sum(map(bool, loads)) >= 3


def _take(person: Person, path: Path) -> None:
    page = person.page
    person.wait_until(lambda: _all_is_read(person), seconds=120)
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.evaluate(_SETTLED)
    taken = base64.b64encode(page.screenshot(animations="disabled")).decode()
    blank = person.context.new_page()
    picture = blank.evaluate(_WITH_FEWER_COLOURS, f"data:image/png;base64,{taken}")
    blank.close()
    path.write_bytes(_png(picture))
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def _all_is_read(person: Person) -> bool:
    """Whether nothing that bots did is left to read, nor comes a moment later."""
    strip = person.part("told")
    if strip.count() > 0:
        return False
    person.page.wait_for_timeout(800)
    return strip.count() == 0


def _png(picture: Message) -> bytes:
    """A PNG with a palette, packed as tightly as can be."""
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
