"""Rules that a browser calls, with arguments of all types."""

from __future__ import annotations

from dataclasses import dataclass

from archipel.rules.kit import U64, Program, Stream, array, draw, rule, scalar, state, stream_key
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.numbers import decay, logarithm, root

TIDES = [3, 1, 4, 1, 5, 9, 2, 6]


@state
@dataclass(slots=True)
class Shore:
    """A state with numbers of several sizes."""

    shells: list[int] = array("i2", 8)
    foam: list[list[int]] = array("u1", 2, 4)
    turns: int = scalar("i4")
    depth: float = scalar("f8")


@state
@dataclass(slots=True)
class Notes:
    """A record besides the state."""

    sums: list[float] = array("f8", 4)
    seen: int = scalar("i8")


@rule_apart
def wash(s: Shore, place: int, chance: Stream) -> int:
    s.shells[place] += TIDES[draw(chance, len(TIDES))]
    s.foam[place % 2][place // 2] = (s.foam[place % 2][place // 2] + 1) % 256
    return s.shells[place]


@rule
def play(shores: list[Shore], notes: list[Notes], chance: Stream, turns: int) -> int:
    """Plays some turns on the first shore and returns the sum of shells."""
    s = shores[0]
    total = 0
    for _ in range(turns):
        total += wash(s, draw(chance, 8), chance)
        s.turns += 1
    s.depth = root(total) - logarithm(total) + decay(total / 1000.0)
    notes[0].sums[0] += s.depth
    notes[0].seen += 1
    return total


@rule
def add_up(table: list[list[int]], rows: int, columns: int, row: list[float]) -> float:
    total = 0.0
    for i in range(rows):
        for j in range(columns):
            total += table[i][j] * row[j]
    return total


@rule
def is_low(s: Shore) -> bool:
    return s.depth < 20.0


@rule
def key_of(seed: U64, index: U64) -> U64:
    return stream_key(seed, index)


@rule
def clear(s: Shore) -> None:
    for place in range(8):
        s.shells[place] = 0


PROGRAM = Program("shore", Shore, (play, add_up, is_low, key_of, clear))
