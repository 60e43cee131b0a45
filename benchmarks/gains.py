"""Measure what search gains per decision, in fixed positions.

    python -m benchmarks.gains GAME CONFIG [CONFIG ...] [--seats N] [--positions N] [--worlds N]

Positions come from self-play of greedy.  Greedy plays each candidate to the end, in the same
sampled worlds for all candidates.  The gain of a configuration (written as for
`benchmarks.strength`) is the win share of its choice minus that of greedy's choice: the mean over
all positions, with its standard error.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any

from archipel.bots.search.config import NO_WEIGHTS, SearchConfig, get_field, set_field
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import SearchState
from archipel.bots.search.seq_halving import NO_LIMIT, ROOT
from archipel.rules.kit import Stream, stream_key
from benchmarks.arguments import parser_of
from benchmarks.search_match import BLANK, PLAYED, SEEN, Arena
from benchmarks.strength import entrant

#: One in this many decisions is sampled.
ONE_IN = 70


@dataclass(frozen=True)
class Position:
    """The view of the seat to move, and the win share of each candidate."""

    seen: Any
    candidates: tuple[int, ...]
    won: tuple[float, ...]
    advice: int
    """Index of greedy's choice among the candidates."""

    def gain(self, action: int) -> float:
        return self.won[self.candidates.index(action)] - self.won[self.advice]


@dataclass(frozen=True)
class Gain:
    """The gain of a configuration over all positions."""

    mean: float
    error: float
    others: float
    """How often its choice differed from greedy's."""
    milliseconds: float


def positions(arena: Arena, worlds: int, seed: int) -> Iterator[Position]:
    """Sample positions from one game after the other, without end."""
    backend, roster = arena.backend, arena.roster
    greedy = roster.named("greedy")
    player = arena.player(greedy)
    threads, room = backend.records(SearchState, 1), Buffers(backend, roster.definition.most_legal)
    SearchConfig(1, policy=greedy.name).write(threads, roster.number_of, NO_WEIGHTS)
    set_field(threads[0], "seats", arena.seats)
    states, actions = backend.states(3), backend.numbers(roster.definition.most_legal)
    definition = roster.definition
    backend.write(states, BLANK, definition.blank(definition.make_options(arena.seats)))
    game = 0
    while True:
        game += 1
        chance, looking = backend.stream(stream_key(seed, game)), Stream(stream_key(game, seed))
        states[PLAYED] = states[BLANK]
        s, seen = states[PLAYED], states[SEEN]
        backend.set_up(s, chance)
        decisions = 0
        while (seat := backend.to_move(s)) >= 0:
            count = backend.legal(s, actions)
            action = int(actions[0])
            if count > 1:
                backend.view(s, seat, seen)
                key = stream_key(stream_key(seed, game), decisions)
                action = player.choose(seen, actions[:count].tolist(), key)
                if looking.draw(ONE_IN) == 0:
                    room.states[ROOT] = seen
                    yield evaluate(backend, room, threads, count, worlds, key)
            backend.apply(s, action, chance)
            decisions += 1


def evaluate(
    backend: Any, room: Buffers, threads: Any, count: int, worlds: int, seed: int
) -> Position:
    """Evaluate the candidates of the position at ROOT by the first round of a search."""
    t = threads[0]
    rounds = max(1, (count - 1).bit_length())
    set_field(t, "simulations", worlds * rounds * count)
    set_field(t, "seed", seed)
    backend.begin(room.states, room.actions, threads, 1, room.choices)
    given = (room.states, room.actions, room.features, threads, 0, 1)
    backend.explore(*given, room.chance, room.choices, NO_LIMIT)
    return Position(
        room.states[ROOT : ROOT + 1].copy(),
        tuple(int(action) for action in get_field(t, "candidate")[:count]),
        tuple(float(won) / worlds for won in get_field(t, "won")[:count]),
        int(get_field(t, "advice")),
    )


def gain_of(choices: Sequence[tuple[Position, int]], seconds: float) -> Gain:
    """The gain of the chosen actions in two or more positions."""
    gains = [position.gain(action) for position, action in choices]
    others = [action != position.candidates[position.advice] for position, action in choices]
    error = stdev(gains) / len(gains) ** 0.5
    return Gain(fmean(gains), error, fmean(others), 1000 * seconds / len(gains))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("gains", __doc__)
    parser.add_argument("game")
    parser.add_argument("configs", nargs="+", metavar="config")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--worlds", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.positions < 2 or given.worlds < 1:
        parser.error("at least two positions and one world are needed")
    configs = {text: entrant(given.game, text) for text in given.configs}
    arena = Arena(given.game, given.seats)
    numbers = range(given.positions)
    found = [p for _, p in zip(numbers, positions(arena, given.worlds, given.seed), strict=False)]
    for text, config in configs.items():
        player, begun = arena.player(config), time.process_time()
        chosen = [
            (position, player.choose(position.seen[0], position.candidates, stream_key(number, 7)))
            for number, position in enumerate(found)
        ]
        gain = gain_of(chosen, time.process_time() - begun)
        print(
            f"{gain.mean:+.4f} ± {gain.error:.4f}  {gain.others:4.0%} other than greedy's "
            f"{gain.milliseconds:7.1f} ms  {text}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
