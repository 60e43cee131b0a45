"""Exact win chances in the last round of Deep Sea Adventure, two divers, by enumeration.

Both divers play optimally with public information: the level of every chip, and the values of chips
at home. Positions are therefore compared without values, and a finished game counts as the mean
over all possible values of the chips brought home.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

from archipel.rules.deep_sea.components import CHIPS, CHIPS_PER_LEVEL, LEVELS, VALUES_PER_LEVEL
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import UNKNOWN, State
from archipel.rules.kit import clone
from archipel.testing.every_outcome import every_outcome


class Exact:
    """Exact win probabilities by action for the seat to move in a view."""

    def __init__(self, view: State) -> None:
        self._view = view
        self._me = view.to_move
        self._world = clone(view)
        pool = self._unseen()
        for chip in range(CHIPS):  # play in an arbitrary world
            if self._world.value[chip] == UNKNOWN:
                self._world.value[chip] = pool[chip // CHIPS_PER_LEVEL].pop()
        self._chances: dict[tuple[object, ...], float] = {}
        self._ends: dict[tuple[int, ...], float] = {}

    def by_action(self) -> dict[int, float]:
        return {
            action: self._after(self._world, action)
            for action in DEEP_SEA.legal_actions(self._world)
        }

    def _unseen(self) -> list[list[int]]:
        """By level, the values of the unknown chips."""
        pool = [
            [level * VALUES_PER_LEVEL + value for value in range(VALUES_PER_LEVEL)] * 2
            for level in range(LEVELS)
        ]
        for chip, value in enumerate(self._view.value):
            if value != UNKNOWN:
                pool[chip // CHIPS_PER_LEVEL].remove(value)
        return pool

    def _after(self, s: State, action: int) -> float:
        def play(chance: object) -> State:
            played = clone(s)
            DEEP_SEA.apply(played, action, chance)  # type: ignore[arg-type]
            return played

        return sum(float(part) * self._chance(after) for _, part, after in every_outcome(play))

    def _chance(self, s: State) -> float:
        seat = DEEP_SEA.to_move(s)
        if seat < 0:
            return self._end(s)
        key = (
            *(s.phase, seat, s.air, s.idle_turns, s.stirred, s.pile_room, *s.line[: s.line_length]),
            *(*s.place[:2], *s.turned[:2], *s.home[:2], *s.hand[0], *s.hand[1], *s.treasure[:2]),
        )
        if key not in self._chances:
            found = [self._after(s, action) for action in DEEP_SEA.legal_actions(s)]
            self._chances[key] = max(found) if seat == self._me else min(found)
        return self._chances[key]

    def _end(self, s: State) -> float:
        key = (s.treasure[0], s.treasure[1])
        if key not in self._ends:
            shares = [self._share(s, values) for values in self._values(s)]
            self._ends[key] = float(sum(shares, Fraction()) / len(shares))
        return self._ends[key]

    def _share(self, s: State, values: dict[int, int]) -> Fraction:
        ended = clone(s)
        for seat in range(2):
            ended.points[seat] = sum(
                values.get(chip, self._view.value[chip])
                for chip in range(CHIPS)
                if s.treasure[seat] >> chip & 1
            )
        ranks = [DEEP_SEA.rank(ended, seat) for seat in range(2)]
        return Fraction(1, ranks.count(0)) if ranks[self._me] == 0 else Fraction(0)

    def _values(self, s: State) -> Iterator[dict[int, int]]:
        """The possible values of the chips brought home, equally likely."""
        home = s.treasure[0] | s.treasure[1]
        new = [c for c in range(CHIPS) if home >> c & 1 and self._view.value[c] == UNKNOWN]
        by_level = [[c for c in new if c // CHIPS_PER_LEVEL == level] for level in range(LEVELS)]
        pool = self._unseen()
        draws = [permutations(pool[level], len(chips)) for level, chips in enumerate(by_level)]
        for drawn in product(*draws):
            yield {
                chip: value
                for chips, values in zip(by_level, drawn, strict=True)
                for chip, value in zip(chips, values, strict=True)
            }
