"""Speed of rules and search in Chromium, compared with native code.

Both do the same work, interleaved; the fastest round of each counts. Times are processor times of
the thread that runs native code and of the thread of the page.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from archipel.bots.all_bots import roster_of
from archipel.bots.engine.engine_program import engine_config
from archipel.bots.search.search import Searcher, search_backend
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.rules.kit.numba.compile_cache import default_cache
from archipel.rules.kit.numba.compiler import RELEASE, compile_program
from archipel.rules.kit.wasm.build import web_module
from benchmarks.kernel import BLANK, STATES, program_named
from benchmarks.search_speed import views
from benchmarks.subjects import SEED, Player
from tests.browser.test_engine import page_with
from tests.engine.node import bundle_loader

SEATS = 3
ROUNDS = 8

#: Searches.
SIMULATIONS = 400
WARM_UP = 3_000

#: Random games: the number to estimate the duration of a game, and the seconds per round.
FEW_GAMES = 20
ROUND = 0.1

#: Runs one search in the browser.
SEARCH = """async ({ view, seats, simulations, seed }) => {
  if (!window.engine) {
    const { Engine, RulesModule } = await import("/engine.mjs");
    const module = await (await fetch("/rules.wasm")).arrayBuffer();
    window.engine = new Engine(await RulesModule.load(module));
  }
  const bytes = Uint8Array.from(view.match(/../g), (pair) => parseInt(pair, 16));
  window.engine.begin(bytes, seats, simulations, BigInt(seed));
  while (window.engine.explore(100) === 100);
}"""

#: Plays random games; returns the number of decisions and a hash of the final states.
PLAY = """async ({ blank, states, most, seats, seed, games }) => {
  if (!window.room) {
    const { RulesModule } = await import("/engine.mjs");
    const rules = await RulesModule.load(await (await fetch("/rules.wasm")).arrayBuffer());
    const stream = rules.sizeOf("play_randomly", 2);
    const room = [rules.list(rules.sizeOf("play_randomly", 0), states), rules.list(8, most)];
    const given = [...room, rules.room(stream), rules.room(stream)];
    window.room = { rules, given, totals: rules.list(8, 1) };
  }
  const { rules, given, totals } = window.room;
  rules.bytes.set(Uint8Array.from(blank.match(/../g), (pair) => parseInt(pair, 16)), given[0].at);
  rules.view.setBigInt64(totals.at, 0n, true);
  const digest = rules.call("play_randomly", ...given, seats, BigInt(seed), 0, games, totals);
  return [Number(rules.view.getBigInt64(totals.at, true)), digest.toString()];
}"""


@dataclass(frozen=True)
class Rates:
    """Rates per second of native code and in the browser."""

    native: float
    web: float

    @property
    def ratio(self) -> float:
        return self.web / self.native

    def __str__(self) -> str:
        return f"{self.web:,.0f}/s, native {self.native:,.0f}/s: ratio {self.ratio:.2f}"


def _page(browser: Browser, folder: Path, module: bytes) -> Page:
    return page_with(
        browser,
        {
            "": ("text/html", b"<!doctype html><title>engine</title>"),
            "favicon.ico": ("image/png", b""),
            "engine.mjs": ("text/javascript", bundle_loader(folder).read_bytes()),
            "rules.wasm": ("application/wasm", module),
        },
    )


class PageClock:
    """Processor seconds of the thread of a page."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def __call__(self) -> float:
        metrics = self._session.send("Performance.getMetrics")["metrics"]
        return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


def decision_rates(browser: Browser, folder: Path, game: str) -> Rates:
    """Decisions per second of random games."""
    definition, program = game_named(game), program_named(game)
    target = f"{program_named.__module__}:{program_named.__name__}"
    page = _page(browser, folder, web_module(program, target, game))
    native = Player(definition, compile_program(program, RELEASE, default_cache()), SEATS)
    blank = definition.blank(definition.make_options(SEATS))
    task = {"blank": to_bytes(blank).hex(), "states": STATES, "most": definition.most_legal}
    native.play(FEW_GAMES, time.thread_time)
    games = max(1, round(FEW_GAMES * ROUND / native.play(FEW_GAMES, time.thread_time).seconds))
    task |= {"seats": SEATS, "seed": SEED, "games": games}
    assert BLANK == 0, "the page writes the blank state into the first place"
    page.evaluate(PLAY, task)  # warm up the optimizing compiler of the browser
    clock = PageClock(page)
    best_native = best_web = 0.0
    for _ in range(ROUNDS):
        here = native.play(games, time.thread_time)
        began = clock()
        decisions, digest = page.evaluate(PLAY, task)
        seconds = clock() - began
        if (decisions, int(digest) % 2**64) != (here.work, here.digest % 2**64):
            raise RuntimeError(f"{game}: the browser played different games")
        best_native = max(best_native, here.rate)
        best_web = max(best_web, decisions / seconds)
    page.close()
    return Rates(best_native, best_web)


def simulation_rates(browser: Browser, folder: Path, game: str, module: bytes) -> Rates:
    """Simulations per second of native code and in the browser; the fastest round of each search
    counts."""
    page = _page(browser, folder, module)
    clock = PageClock(page)
    config = replace(engine_config(roster_of(game)), simulations=SIMULATIONS)
    searcher = Searcher(roster_of(game), config, search_backend(game))
    native = web = made = 0.0
    for number, view in enumerate(v for some in views(game, SEATS).values() for v in some):
        task = {"view": to_bytes(view).hex(), "seats": SEATS, "simulations": SIMULATIONS}
        task["seed"] = str(number)
        # Warm up the optimizing compiler of the browser.
        page.evaluate(SEARCH, {**task, "simulations": WARM_UP})
        times: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            began = time.thread_time()
            result = searcher.search(view, seed=number)
            took = time.thread_time() - began
            began = clock()
            page.evaluate(SEARCH, task)
            times.append((took, clock() - began))
        made += result.simulations
        native += min(took for took, _ in times)
        web += min(took for _, took in times)
    page.close()
    return Rates(made / native, made / web)
