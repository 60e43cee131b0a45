"""The scales on which positions and candidates are weighed: the kernel, and the room it needs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from archipel.analysis.evaluation import Evaluation
from archipel.bots.contract import Roster
from archipel.bots.search.kernel import ROOT
from archipel.bots.search.plan import get_field, set_field
from archipel.bots.search.searcher import Room
from archipel.bots.search.thinking import MOST_CANDIDATES, MOST_SEATS, Thinking
from archipel.bots.weighing import GAPS, PARTS, SHARES, SQUARES
from archipel.rules.kit.program import Backend


@dataclass(frozen=True)
class Tally:
    """What a candidate, or a position, came to in some worlds: sums, a number for each seat."""

    worlds: int
    shares: tuple[float, ...]
    squares: tuple[float, ...]
    gaps: tuple[float, ...]
    """Squares of the differences from the first of those weighed together."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.worlds + other.worlds,
            _added(self.shares, other.shares),
            _added(self.squares, other.squares),
            _added(self.gaps, other.gaps),
        )

    def mean(self, seat: int) -> float:
        return self.shares[seat] / self.worlds

    @property
    def means(self) -> list[float]:
        return [share / self.worlds for share in self.shares]

    def error(self, seat: int) -> float:
        """The standard error of a mean."""
        mean = self.mean(seat)
        return _error(self.squares[seat] / self.worlds - mean * mean, self.worlds)

    def gap_error(self, first: Tally, seat: int) -> float:
        """The standard error of the difference from the mean of the first."""
        gap = self.mean(seat) - first.mean(seat)
        return _error(self.gaps[seat] / self.worlds - gap * gap, self.worlds)


def _added(left: Sequence[float], right: Sequence[float]) -> tuple[float, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _error(variance: float, worlds: int) -> float:
    return math.sqrt(max(0.0, variance) / max(1, worlds - 1))


class Scales:
    """Weighs by one evaluation in one thread. Equal seeds give equal tallies everywhere."""

    def __init__(
        self, roster: Roster, evaluation: Evaluation, seats: int, backend: Backend
    ) -> None:
        definition = roster.definition
        if definition.most_legal > MOST_CANDIDATES or seats > MOST_SEATS:
            raise ValueError(f"{definition.name} is too large to be weighed")
        self._definition = definition
        self._seats = seats
        self._backend = backend
        self._strands = backend.records(Thinking, 1)
        self._room = Room(backend, definition.most_legal)
        weights = roster.weights(evaluation.appraisal, seats)
        evaluation.plan().write(self._strands, roster.number_of, weights)
        set_field(self._strands[0], "seats", seats)

    def begin(self, view: Any, seed: int) -> tuple[list[int], int]:
        """The candidates in a view of the seat to move, and the number of the policy's choice."""
        lead = self._strands[0]
        set_field(lead, "seed", seed)
        self._put(view)
        room = self._room
        self._backend.begin(room.states, room.actions, self._strands, 1, room.choices)
        count = int(get_field(lead, "count"))
        return [int(a) for a in get_field(lead, "candidate")[:count]], int(
            get_field(lead, "advice")
        )

    def weigh(
        self, root: Any, seed: int, numbers: Sequence[int], first: int, worlds: int
    ) -> list[Tally]:
        """Some candidates of the view that it began with, in a view or a whole position."""
        set_field(self._strands[0], "seed", seed)
        self._put(root)
        count, seats, room = len(numbers), self._seats, self._room
        wanted = self._backend.numbers(count)
        for place, number in enumerate(numbers):
            wanted[place] = number
        sums = self._backend.fractions(count + 1, PARTS * seats)
        self._backend.weigh(
            room.states,
            room.actions,
            room.features,
            self._strands,
            wanted,
            count,
            room.chance,
            room.choices,
            first,
            worlds,
            sums,
        )
        return [_tally(worlds, [float(value) for value in row], seats) for row in sums[:count]]

    def _put(self, state: Any) -> None:
        self._backend.write(self._room.states, ROOT, state)


def _tally(worlds: int, row: list[float], seats: int) -> Tally:
    parts = [tuple(row[part * seats : (part + 1) * seats]) for part in (SHARES, SQUARES, GAPS)]
    return Tally(worlds, *parts)
