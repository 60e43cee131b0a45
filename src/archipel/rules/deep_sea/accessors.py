"""Named access to a position of Deep Sea Adventure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from archipel.rules import positions
from archipel.rules.deep_sea.components import CHIPS, CHIPS_PER_LEVEL
from archipel.rules.deep_sea.notation import PHASES, chip_name, chips_in
from archipel.rules.deep_sea.position import DROP_ORDERS
from archipel.rules.deep_sea.state import SUBMARINE, UNKNOWN, State
from archipel.rules.position_fields import name_of


@dataclass(frozen=True)
class Chip:
    """A ruin chip: its name in notation, its level from 1, and its value, or None if hidden."""

    name: str
    level: int
    value: int | None


Unit = tuple[Chip, ...]
"""What a diver picks up as one and a space holds: a chip, or the chips of a pile."""


@dataclass(frozen=True)
class Diver:
    """A diver. ``place`` counts spaces from the submarine, which is 0."""

    seat: int
    place: int
    is_home: bool
    has_turned: bool
    hand: tuple[Unit, ...]
    treasure: tuple[Chip, ...]
    points: int

    @property
    def name(self) -> str:
        return f"diver{self.seat + 1}"


class Position(positions.Position):
    """The submarine, the line, the divers and their belongings.

    ``position["diver1"]`` is a diver (seats from 1, as in notation), ``position["a5"]`` a chip.
    """

    state: State
    examples: ClassVar[str] = "diver1 to diver6, or a chip, a1 to d8"

    @property
    def air(self) -> int:
        return self.state.air

    @property
    def round(self) -> int:
        """The round, from 1."""
        return self.state.round_number + 1

    @property
    def phase(self) -> str:
        """The decision to make: throw, search or lay; or over."""
        return name_of(PHASES, self.state.phase)

    @property
    def drop_order(self) -> str:
        return name_of(DROP_ORDERS, self.state.drop_order)

    @property
    def line(self) -> tuple[Unit, ...]:
        """The units on the spaces from the submarine outwards; an empty one is a white disc."""
        return tuple(self._unit(unit) for unit in self.state.line[: self.state.line_length])

    @property
    def divers(self) -> tuple[Diver, ...]:
        return tuple(self._diver(seat) for seat in range(self.state.seats))

    @property
    def chips(self) -> tuple[Chip, ...]:
        return tuple(self._chip(chip) for chip in range(CHIPS))

    def _named(self, name: str) -> Diver | Chip | None:
        things: tuple[Diver | Chip, ...] = (*self.divers, *self.chips)
        return next((thing for thing in things if thing.name == name), None)

    def _diver(self, seat: int) -> Diver:
        s = self.state
        return Diver(
            seat,
            place=0 if s.place[seat] == SUBMARINE else s.place[seat] + 1,
            is_home=bool(s.home[seat]),
            has_turned=bool(s.turned[seat]),
            hand=tuple(self._unit(unit) for unit in s.hand[seat][: s.load[seat]]),
            treasure=self._unit(s.treasure[seat]),
            points=s.points[seat],
        )

    def _unit(self, unit: int) -> Unit:
        return tuple(self._chip(chip) for chip in chips_in(unit))

    def _chip(self, chip: int) -> Chip:
        known = None if self.state.value[chip] == UNKNOWN else self.state.value[chip]
        return Chip(chip_name(chip), chip // CHIPS_PER_LEVEL + 1, known)
