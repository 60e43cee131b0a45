"""The engine in the browser: how large, how fast against compiled rules, how soon there is a hint.

    python -m benchmarks.engine [GAME ...]

Simulations a second of the same searches, on one core in Chromium and compiled for this processor,
taking turns.  A simulation is the same decisions in both, so their
ratio is that of decisions a second.  The first hint is measured on the page, from pressing the
button; since Chromium slows down pages but not their workers, a slow phone is taken to need four
times as long for all of it.
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from archipel.bots.all_bots import roster_of
from archipel.bots.engine.modules import build_engine, engine_games
from archipel.bots.engine.programs import engine_plan
from archipel.bots.search.programs import search_backend
from archipel.bots.search.searcher import Searcher
from archipel.rules.kit.machine_record import to_bytes
from benchmarks.browser.measuring import THROTTLE
from benchmarks.thinking import views
from tests.browser.people import PHONE, Device, sit_down
from tests.browser.server_process import Difference
from tests.browser.serving import Server, engines, serving
from tests.browser.test_engine import page_with
from tests.engine.node import bundle_loader
from tools.chromium import find_chromium

LARGEST = 60_000  # bytes, packed
LEAST_RATIO = 0.6
HINT_WITHIN = 1_500  # milliseconds, on a slow phone
SEATS = 3
SIMULATIONS = 400
WARM_UP = 3_000
ROUNDS = 8
HINTS = 5

#: One search in the browser; how long it took, in seconds.
SEARCH = """async ([game, { view, seats, simulations, seed }]) => {
  if (!window.engine) {
    const { Engine, RulesModule } = await import("/engine.mjs");
    const module = await (await fetch(`/${game}.wasm`)).arrayBuffer();
    window.engine = new Engine(await RulesModule.load(module));
  }
  const bytes = Uint8Array.from(view.match(/../g), (pair) => parseInt(pair, 16));
  const began = performance.now();
  window.engine.begin(bytes, seats, simulations, BigInt(seed));
  while (window.engine.explore(100) === 100);
  return (performance.now() - began) / 1000;
}"""

#: Presses the button, and answers when there is something to read, in milliseconds.
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
    chosen = list(sys.argv[1:] if arguments is None else arguments) or list(engine_games())
    path = find_chromium()
    unknown = [game for game in chosen if game not in engine_games()]
    if path is None or unknown:
        why = f"there is no engine of {unknown[0]}" if unknown else "no Chromium was found"
        print(why, file=sys.stderr)
        return 2
    met = True
    with (
        tempfile.TemporaryDirectory(prefix="archipel-engine-") as name,
        sync_playwright() as playwright,
    ):
        folder = Path(name)
        browser = playwright.chromium.launch(executable_path=path)
        print(f"Chromium {browser.version}, one core\n")
        with serving(folder, Difference(engines=engines(folder, *chosen))) as server:
            for game in chosen:
                met = _report(browser, server, folder, game) and met
        browser.close()
    print(f"\ntargets: {'met' if met else 'MISSED'}")
    return 0 if met else 1


def _report(browser: Browser, server: Server, folder: Path, game: str) -> bool:
    module = build_engine(game)
    packed = len(gzip.compress(module, 9))
    native, web = _rates(browser, folder, game, module)
    soonest = min(_first_hint(browser, server, game) for _ in range(HINTS))
    slow = THROTTLE * soonest
    print(game)
    print(f"  module       {len(module) / 1000:.0f} kB, packed {packed / 1000:.1f} kB")
    print(f"  simulations  {web:,.0f}/s, compiled {native:,.0f}/s: ratio {web / native:.2f}")
    print(f"  first hint   {soonest:.0f} ms, on a slow phone {slow:.0f} ms")
    return packed <= LARGEST and web / native >= LEAST_RATIO and slow <= HINT_WITHIN


def _rates(browser: Browser, folder: Path, game: str, module: bytes) -> tuple[float, float]:
    """Simulations a second, compiled and in the browser: of each search the quickest of its rounds,
    so that whatever else the machine does counts little."""
    page = page_with(
        browser,
        {
            "": ("text/html", b"<!doctype html><title>engine</title>"),
            "favicon.ico": ("image/png", b""),
            "engine.mjs": ("text/javascript", bundle_loader(folder).read_bytes()),
            f"{game}.wasm": ("application/wasm", module),
        },
    )
    plan = replace(engine_plan(roster_of(game)), simulations=SIMULATIONS)
    thinking = Searcher(roster_of(game), plan, search_backend(game))
    native = web = made = 0.0
    for number, view in enumerate(v for some in views(game, SEATS).values() for v in some):
        task = {"view": to_bytes(view).hex(), "seats": SEATS, "simulations": SIMULATIONS}
        task["seed"] = str(number)
        # Browsers translate quickly at first, and better what runs often.
        page.evaluate(SEARCH, [game, {**task, "simulations": WARM_UP}])
        times: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            thought = thinking.think(view, seed=number)
            took = time.perf_counter() - began
            times.append((took, float(page.evaluate(SEARCH, [game, task]))))
        made += thought.simulations
        native += min(took for took, _ in times)
        web += min(took for _, took in times)
    page.close()
    return made / native, made / web


def _first_hint(browser: Browser, server: Server, game: str) -> float:
    """On a page that has never asked for one."""
    ana = sit_down(browser, server.address, "Ana", Device(size=PHONE))
    ana.goes_home()
    ana.part(f"game-{game}").get_by_test_id("play-now").click()
    ana.sees_board()
    _until_hint(ana.page)
    found = float(ana.page.evaluate(FIRST_HINT))
    ana.context.close()
    return found


def _until_hint(page: Page) -> None:
    """Play what comes first until there is a choice to ask about."""
    while page.get_by_test_id("hint").count() == 0:
        page.wait_for_timeout(200)
        button = page.locator('[data-testid="choices"] .choice:not([disabled])')
        if page.get_by_test_id("hint").count() == 0 and button.count() == 1:
            button.first.click()


if __name__ == "__main__":
    sys.exit(main())
