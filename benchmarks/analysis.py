"""A finished game analysed in the browser: how soon there is a first graph, and the account.

    python -m benchmarks.analysis [GAME]

A whole game of four (The Island unless another is named) is played at a table by bots, through the
same socket that people use; then a page opens it in Chromium, and the time runs from pressing the
button: until the chances of everybody stand there as a graph over the whole game, until luck and
skill do, and until everything is weighed as finely as it will be.
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
from tests.browser.people import DESKTOP, Device, sit_down
from tests.browser.server_process import Difference
from tests.browser.serving import Server, engines, serving
from tests.serve.people import Person, make_table
from tools.chromium import find_chromium

SEATS = 4
FIRST_GRAPH = 10.0  # seconds
PATIENCE = 600_000  # milliseconds

#: Presses the button; seconds until the graph, the account and the end.
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
        serving(Path(name), Difference(engines=engines(Path(name), game))) as server,
    ):
        table, moves = asyncio.run(_played(server, game))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path)
            print(f"Chromium {browser.version}; {game}, {SEATS} seats, {moves} moves")
            ana = sit_down(browser, server.address, "Ana", Device(size=DESKTOP))
            ana.page.set_default_timeout(PATIENCE)
            ana.goes_to(f"{server.address}/t/{table}")
            ana.part("analyse").wait_for()
            times: dict[str, float] = ana.page.evaluate(ANALYSE)
            browser.close()
    print(f"  first graph  after {times['graph']:.1f} s")
    print(f"  account      after {times['account']:.1f} s")
    print(f"  done         after {times['done']:.1f} s")
    met = times["graph"] <= FIRST_GRAPH
    print(f"\ntarget: {'met' if met else 'MISSED'}")
    return 0 if met else 1


async def _played(server: Server, game: str) -> tuple[str, int]:
    """A table where the greedy bot played every seat, as people at one device would; its moves."""
    definition, bot = game_named(game), Bot.named(game, "greedy")
    made = make_table(server.address, game=game, seats=[{}] * SEATS, hot_seat=True, begin=True)
    address = f"{server.address.replace('http', 'ws', 1)}/api/tables/{made['table']}/socket"
    moves = 0
    async with Person(address, made["token"]) as all_of_them:
        await all_of_them.until(lambda person: person.position is not None)
        while not all_of_them.is_over:
            position: dict[str, Any] = all_of_them.position or {}
            n, seat = position["n"], position["to_move"]
            answer = await all_of_them.ask("ask_view", n=n, purpose="odds", seat=seat)
            view = from_bytes(definition.state, base64.b64decode(answer["seen"]["view"]))
            action = bot.choose(view, definition.legal_actions(view), seed=moves)
            answer = await all_of_them.ask("play", n=n, action=int(action), seat=seat)
            assert answer["type"] == "done", answer
            moves += 1
            while all_of_them.after < answer["n"]:
                await all_of_them.next()
    return made["table"], moves


if __name__ == "__main__":
    sys.exit(main())
