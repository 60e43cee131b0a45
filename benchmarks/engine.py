"""Measure the engine in the browser: module size, speed compared with native code, time to a hint.

    python -m benchmarks.engine [GAME ...]

Decisions per second of random games and simulations per second of searches, on one core, in
Chromium and in native code, interleaved.  The first hint is measured on the page, from pressing the
button; Chromium can throttle pages but not their workers, so the time is multiplied by four to
represent a slow phone.  For a hint the server sends a view; its processor time is averaged over
many requests.
"""

from __future__ import annotations

import asyncio
import gzip
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from archipel.bots.engine.modules import build_engine, engine_games
from benchmarks.arguments import one_of, parser_of
from benchmarks.browser.measuring import THROTTLE
from benchmarks.engine_rates import decision_rates, simulation_rates
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import PHONE, Device, open_user_page
from tests.serve.people import Person, make_table
from tools.chromium import find_chromium

LARGEST = 60_000  # bytes, compressed
LEAST_RATIO = 0.6
HINT_WITHIN = 1_500  # milliseconds, on a slow phone
HINTS = 5
VIEWS = 1_000

#: Presses the button; returns the milliseconds until a hint is shown.
FIRST_HINT = """() => new Promise((resolve) => {
  const began = performance.now();
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[data-testid="hint-found"]:not([data-simulations="0"])')) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - began));
  }).observe(document, { childList: true, subtree: true, attributes: true });
  document.querySelector('[data-testid="hint"]').click();
})"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("engine", __doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", type=one_of(engine_games()))
    chosen = parser.parse_args(arguments).games or list(engine_games())
    path = find_chromium()
    if path is None:
        parser.error("no Chromium was found")
    met = True
    with (
        tempfile.TemporaryDirectory(prefix="archipel-engine-") as name,
        sync_playwright() as playwright,
    ):
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=path)
        print(f"Chromium {browser.version}, one core\n")
        with run_server(folder, ServerOptions(engines=engines(folder, *chosen))) as server:
            for game in chosen:
                met = _report(browser, server, folder, game) and met
        browser.close()
    print(f"\ntargets: {'met' if met else 'MISSED'}")
    return 0 if met else 1


def _report(browser: Browser, server: Server, folder: Path, game: str) -> bool:
    module = build_engine(game)
    packed = len(gzip.compress(module, 9))
    decisions = decision_rates(browser, folder, game)
    simulations = simulation_rates(browser, folder, game, module)
    soonest = min(_first_hint(browser, server, game) for _ in range(HINTS))
    slow = THROTTLE * soonest
    print(game)
    print(f"  module       {len(module) / 1000:.0f} kB, compressed {packed / 1000:.1f} kB")
    print(f"  decisions    {decisions}")
    print(f"  simulations  {simulations}")
    print(f"  first hint   {soonest:.0f} ms, on a slow phone {slow:.0f} ms")
    print(f"  server       {1000 * _view_seconds(server, game):.2f} ms of processor time per view")
    return packed <= LARGEST and decisions.ratio >= LEAST_RATIO and slow <= HINT_WITHIN


def _first_hint(browser: Browser, server: Server, game: str) -> float:
    """Milliseconds to the first hint on a new page."""
    ana = open_user_page(browser, server.address, "Ana", Device(size=PHONE))
    ana.open_home()
    ana.by_test_id(f"game-{game}").get_by_test_id("play-now").click()
    ana.expect_board()
    _until_hint(ana.page)
    found = float(ana.page.evaluate(FIRST_HINT))
    ana.context.close()
    return found


def _view_seconds(server: Server, game: str) -> float:
    """Processor seconds of the server per view."""

    async def ask() -> float:
        seats: list[dict[str, str]] = [{}, {"bot": "random"}]
        made = make_table(server.address, game=game, seats=seats, begin=True)
        address = f"{server.address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
        async with Person(address, made["token"]) as ana:
            await ana.until(lambda person: bool(person.choices))
            assert ana.position is not None
            n = ana.position["n"]
            before = server.processor_seconds()
            for _ in range(VIEWS):
                answer = await ana.ask("ask_view", n=n, purpose="hint")
                assert answer["type"] == "view_seen", answer
            return (server.processor_seconds() - before) / VIEWS

    with ThreadPoolExecutor(1) as pool:  # this thread runs the event loop of Playwright
        return pool.submit(asyncio.run, ask()).result()


def _until_hint(page: Page) -> None:
    """Play forced actions until a hint is offered."""
    while page.get_by_test_id("hint").count() == 0:
        page.wait_for_timeout(200)
        button = page.locator('[data-testid="choices"] .choice:not([disabled])')
        if page.get_by_test_id("hint").count() == 0 and button.count() == 1:
            button.first.click()


if __name__ == "__main__":
    sys.exit(main())
