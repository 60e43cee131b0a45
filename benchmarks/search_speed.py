"""Measure the speed of search, and how soon it stops.

    python -m benchmarks.search_speed [GAME ...]

Prints one JSON line per game: simulations per second on one core, in the opening and in the middle
of games between greedy bots; the speed-up by a second thread, in wall time; and the longest time in
milliseconds until a search stopped on request.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

from archipel.bots import levels_of, roster_of
from archipel.bots.search.config import SearchConfig
from archipel.bots.search.search import Searcher, search_backend
from archipel.rules.all_games import games
from archipel.rules.kit import Stream, clone
from benchmarks.arguments import one_of, parser_of

SAMPLED_GAMES = 3
REPETITIONS = 5
STOPS = 12
STOP_AFTER = 0.05


def views(game: str, seats: int) -> dict[str, list[Any]]:
    """Views of the seat to move, at the first decision of some games and in their middle."""
    roster = roster_of(game)
    definition, greedy = roster.definition, roster.named("greedy").index
    found: dict[str, list[Any]] = {"opening": [], "middle": []}
    for number in range(SAMPLED_GAMES):
        chance, seen = Stream(1000 + number), []
        s = definition.new(definition.make_options(seats), chance)
        while (seat := definition.to_move(s)) >= 0:
            legal, view = definition.legal_actions(s), definition.seen(s, seat)
            if len(legal) > 1:
                seen.append(clone(view))
            choices = Stream(len(seen))
            definition.apply(s, roster.choose(view, greedy, legal, len(legal), choices), chance)
        found["opening"].append(seen[0])
        found["middle"].append(seen[len(seen) // 2])
    return found


def rates(searcher: Searcher, seen: Sequence[Any], threads: Sequence[int]) -> list[float]:
    """Simulations per second of wall time, for each number of threads: the best of several
    repetitions, interleaved, so that the load of the machine affects all alike."""
    best = [0.0] * len(threads)
    for _ in range(REPETITIONS):
        for place, count in enumerate(threads):
            begun, made = time.perf_counter(), 0
            for number, view in enumerate(seen):
                made += searcher.search(view, seed=number, cores=count).simulations
            best[place] = max(best[place], made / (time.perf_counter() - begun))
    return best


def longest_stop(searcher: Searcher, view: Any) -> float:
    """The longest time in seconds between a request to stop a search and its result."""
    longest = 0.0
    for number in range(STOPS):
        stop = threading.Event()
        timer = threading.Timer(STOP_AFTER, stop.set)
        timer.start()
        due = time.perf_counter() + STOP_AFTER
        result = searcher.search(view, seed=number, stop=stop.is_set)
        if not result.complete:
            longest = max(longest, time.perf_counter() - due)
        timer.join()
    return longest


def measure(game: str) -> dict[str, Any]:
    roster, backend = roster_of(game), search_backend(game)
    master = levels_of(game)[-1].config

    def searcher(**changed: Any) -> Searcher:
        return Searcher(roster, dataclasses.replace(master, **changed), backend)

    row: dict[str, Any] = {"game": game, "plan": _config_text(master)}
    seen = views(game, 2)
    single = searcher(threads=1, simulations=2000)
    for when in ("opening", "middle"):
        (row[when],) = map(round, rates(single, seen[when], [1]))
    # Long enough that the work per decision does not matter.
    double = searcher(threads=2, simulations=max(8000, 3 * master.simulations))
    one, two = rates(double, seen["middle"], [1, 2])
    row["two_threads"] = round(two / one, 2)
    endless = searcher(threads=1, simulations=10**9)
    row["stop_ms"] = round(1000 * longest_stop(endless, seen["middle"][0]), 1)
    return row


def _config_text(config: SearchConfig) -> str:
    usual = SearchConfig(simulations=1)
    given = dataclasses.asdict(config)
    return ",".join(f"{k}={v}" for k, v in given.items() if v != getattr(usual, k))


def main(arguments: Sequence[str] | None = None) -> int:
    every = [definition.name for definition in games()]
    parser = parser_of("search_speed", __doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", type=one_of(every))
    for game in parser.parse_args(arguments).games or every:
        print(json.dumps(measure(game)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
