"""How fast bots that search think, and how soon they stop.

    python -m benchmarks.search_speed [GAME ...]

One JSON line per game: simulations a second of one core, at the opening and in the middle of games
between greedy bots; two threads against one, by the clock; and the longest it took to stop when
asked to, in milliseconds.
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

GAMES_LOOKED_AT = 3
REPETITIONS = 5
STOPS = 12
STOP_AFTER = 0.05


def views(game: str, seats: int) -> dict[str, list[Any]]:
    """What the seat to move sees, at the first decision of some games and half way through."""
    roster = roster_of(game)
    definition, greedy = roster.definition, roster.named("greedy").index
    found: dict[str, list[Any]] = {"opening": [], "middle": []}
    for number in range(GAMES_LOOKED_AT):
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


def rates(thinking: Searcher, seen: Sequence[Any], threads: Sequence[int]) -> list[float]:
    """Simulations a second by the clock, for each number of threads: the best of some times, taken
    in turn, so that whatever else the machine does is the same for all."""
    best = [0.0] * len(threads)
    for _ in range(REPETITIONS):
        for place, count in enumerate(threads):
            begun, made = time.perf_counter(), 0
            for number, view in enumerate(seen):
                made += thinking.search(view, seed=number, cores=count).simulations
            best[place] = max(best[place], made / (time.perf_counter() - begun))
    return best


def longest_stop(thinking: Searcher, view: Any) -> float:
    """Seconds between asking a long search to stop and its answer, at worst."""
    longest = 0.0
    for number in range(STOPS):
        stop = threading.Event()
        timer = threading.Timer(STOP_AFTER, stop.set)
        timer.start()
        due = time.perf_counter() + STOP_AFTER
        thought = thinking.search(view, seed=number, stop=stop.is_set)
        if not thought.complete:
            longest = max(longest, time.perf_counter() - due)
        timer.join()
    return longest


def measure(game: str) -> dict[str, Any]:
    roster, backend = roster_of(game), search_backend(game)
    master = levels_of(game)[-1].config

    def searcher(**changed: Any) -> Searcher:
        return Searcher(roster, dataclasses.replace(master, **changed), backend)

    row: dict[str, Any] = {"game": game, "plan": _words(master)}
    seen = views(game, 2)
    single = searcher(threads=1, simulations=2000)
    for when in ("opening", "middle"):
        (row[when],) = map(round, rates(single, seen[when], [1]))
    # Long enough that what is done once for a decision does not count.
    double = searcher(threads=2, simulations=max(8000, 3 * master.simulations))
    one, two = rates(double, seen["middle"], [1, 2])
    row["two_threads"] = round(two / one, 2)
    endless = searcher(threads=1, simulations=10**9)
    row["stop_ms"] = round(1000 * longest_stop(endless, seen["middle"][0]), 1)
    return row


def _words(plan: SearchConfig) -> str:
    usual = SearchConfig(simulations=1)
    given = dataclasses.asdict(plan)
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
