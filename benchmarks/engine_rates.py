"""How fast rules and search are in Chromium, against the same compiled for this processor.

Both do the same work in turns; of each the quickest round counts, so that whatever else the machine
does counts little. Rounds of random games are short, to fit between two turns of something else;
compiled code has its processor time taken, the browser the time on the clock, which is never less.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from archipel.bots.all_bots import roster_of
from archipel.bots.engine.programs import engine_plan
from archipel.bots.search.programs import search_backend
from archipel.bots.search.searcher import Searcher
from archipel.rules.all_games import game_named
from archipel.rules.kit.compiling import RELEASE, compile_program
from archipel.rules.kit.keeping import default_cache
from archipel.rules.kit.machine_record import to_bytes
from archipel.rules.kit.webassembly import web_module
from benchmarks.kernel import BLANK, STATES, program_named
from benchmarks.subjects import SEED, Player
from benchmarks.thinking import views
from tests.browser.test_engine import page_with
from tests.engine.node import bundle_loader

SEATS = 3
ROUNDS = 8

#: Searches.
SIMULATIONS = 400
WARM_UP = 3_000

#: Random games: how many show how long one takes, how long a round of them should take, in seconds
#: (the browser's clock is a coarse one), and how many rounds there are.
FEW_GAMES = 20
ROUND = 0.008
GAME_ROUNDS = 150
#: Rounds at once that count for nothing: browsers translate quickly at first, and better what runs
#: often.
WARMING = 40

#: One search in the browser; how long it took, in seconds.
SEARCH = """async ({ view, seats, simulations, seed }) => {
  if (!window.engine) {
    const { Engine, RulesModule } = await import("/engine.mjs");
    const module = await (await fetch("/rules.wasm")).arrayBuffer();
    window.engine = new Engine(await RulesModule.load(module));
  }
  const bytes = Uint8Array.from(view.match(/../g), (pair) => parseInt(pair, 16));
  const began = performance.now();
  window.engine.begin(bytes, seats, simulations, BigInt(seed));
  while (window.engine.explore(100) === 100);
  return (performance.now() - began) / 1000;
}"""

#: Random games by the rules alone: decisions, seconds, and a hash of how they ended.
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
  const began = performance.now();
  const digest = rules.call("play_randomly", ...given, seats, BigInt(seed), 0, games, totals);
  const seconds = (performance.now() - began) / 1000;
  return [Number(rules.view.getBigInt64(totals.at, true)), seconds, digest.toString()];
}"""


@dataclass(frozen=True)
class Rates:
    """So much a second, compiled and in the browser."""

    native: float
    web: float

    @property
    def ratio(self) -> float:
        return self.web / self.native

    def __str__(self) -> str:
        return f"{self.web:,.0f}/s, compiled {self.native:,.0f}/s: ratio {self.ratio:.2f}"


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


def decision_rates(browser: Browser, folder: Path, game: str) -> Rates:
    """Decisions a second of random games by the rules alone."""
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
    page.evaluate(PLAY, {**task, "games": WARMING * games})
    best_native = best_web = 0.0
    for _ in range(GAME_ROUNDS):
        here = native.play(games, time.thread_time)
        decisions, seconds, digest = page.evaluate(PLAY, task)
        if (decisions, int(digest) % 2**64) != (here.work, here.digest % 2**64):
            raise RuntimeError(f"{game}: other games in the browser than here")
        best_native = max(best_native, here.rate)
        best_web = max(best_web, decisions / seconds)
    page.close()
    return Rates(best_native, best_web)


def simulation_rates(browser: Browser, folder: Path, game: str, module: bytes) -> Rates:
    """Simulations a second, compiled and in the browser: of each search the quickest of its rounds,
    so that whatever else the machine does counts little."""
    page = _page(browser, folder, module)
    plan = replace(engine_plan(roster_of(game)), simulations=SIMULATIONS)
    thinking = Searcher(roster_of(game), plan, search_backend(game))
    native = web = made = 0.0
    for number, view in enumerate(v for some in views(game, SEATS).values() for v in some):
        task = {"view": to_bytes(view).hex(), "seats": SEATS, "simulations": SIMULATIONS}
        task["seed"] = str(number)
        # Browsers translate quickly at first, and better what runs often.
        page.evaluate(SEARCH, {**task, "simulations": WARM_UP})
        times: list[tuple[float, float]] = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            thought = thinking.think(view, seed=number)
            took = time.perf_counter() - began
            times.append((took, float(page.evaluate(SEARCH, task))))
        made += thought.simulations
        native += min(took for took, _ in times)
        web += min(took for _, took in times)
    page.close()
    return Rates(made / native, made / web)
