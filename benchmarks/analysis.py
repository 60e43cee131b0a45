"""Measure the analysis of a finished game in the browser.

    python -m benchmarks.analysis [GAME]

Bots play a four-player game (by default The Island) at a table, through the same socket as people.
Then a page in Chromium analyses it. Times run from pressing the button: to the graph of the win
probabilities over the whole game, to luck and skill, and to the final estimates.
"""

from __future__ import annotations

import asyncio
import base64
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from archipel.bots import Bot
from archipel.bots.engine.modules import engine_games
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.machine_record import from_bytes
from benchmarks.arguments import one_of, parser_of
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import DESKTOP, Device, open_user_page
from tests.serve.people import Person, make_table
from tools.chromium import find_chromium

SEATS = 4
FIRST_GRAPH = 10.0  # seconds
TIMEOUT_MS = 600_000

#: Presses the button; returns the seconds to the graph, to luck and skill, and to the end.
ANALYSE = """() => new Promise((resolve) => {
  const began = performance.now();
  const times = {};
  const note = (name, selector) => {
    if (!(name in times) && document.querySelector(`[data-testid="analysis"] ${selector}`))
      times[name] = (performance.now() - began) / 1000;
  };
  new MutationObserver((_, observer) => {
    note("graph", '[data-testid="chances"] polyline');
    note("account", "tbody tr");
    note("done", '[data-stage="done"]');
    if (!("done" in times)) return;
    observer.disconnect();
    resolve(times);
  }).observe(document, { childList: true, subtree: true, attributes: true });
  document.querySelector('[data-testid="analyse"]').click();
})"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("analysis", __doc__)
    parser.add_argument(
        "game", nargs="?", metavar="GAME", default="the-island", type=one_of(engine_games())
    )
    game = parser.parse_args(arguments).game
    path = find_chromium()
    if path is None:
        parser.error("no Chromium was found")
    with (
        tempfile.TemporaryDirectory(prefix="archipel-analysis-") as name,
        run_server(Path(name), ServerOptions(engines=engines(Path(name), game))) as server,
    ):
        table, moves = asyncio.run(_play_game(server, game))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path)
            print(f"Chromium {browser.version}; {game}, {SEATS} seats, {moves} moves")
            ana = open_user_page(browser, server.address, "Ana", Device(size=DESKTOP))
            ana.page.set_default_timeout(TIMEOUT_MS)
            ana.open(f"{server.address}/t/{table}")
            ana.by_test_id("analyse").wait_for()
            times: dict[str, float] = ana.page.evaluate(ANALYSE)
            browser.close()
    print(f"  first graph  after {times['graph']:.1f} s")
    print(f"  account      after {times['account']:.1f} s")
    print(f"  done         after {times['done']:.1f} s")
    met = times["graph"] <= FIRST_GRAPH
    print(f"\ntarget: {'met' if met else 'MISSED'}")
    return 0 if met else 1


async def _play_game(server: Server, game: str) -> tuple[str, int]:
    """Let the greedy bot play every seat of a shared device; returns the table and its moves."""
    definition, bot = game_named(game), Bot.named(game, "greedy")
    made = make_table(server.address, game=game, seats=[{}] * SEATS, hot_seat=True, begin=True)
    address = f"{server.address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
    moves = 0
    async with Person(address, made["token"]) as player:
        await player.until(lambda person: person.position is not None)
        while not player.is_over:
            position: dict[str, Any] = player.position or {}
            n, seat = position["n"], position["to_move"]
            answer = await player.ask("ask_view", n=n, purpose="odds", seat=seat)
            view = from_bytes(definition.state, base64.b64decode(answer["seen"]["view"]))
            action = bot.choose(view, definition.legal_actions(view), seed=moves)
            answer = await player.ask("play", n=n, action=int(action), seat=seat)
            assert answer["type"] == "done", answer
            moves += 1
            while player.after < answer["n"]:
                await player.next()
    return made["table"], moves


if __name__ == "__main__":
    sys.exit(main())
