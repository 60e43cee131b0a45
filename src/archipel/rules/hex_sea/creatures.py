"""Creatures of the sea: where they are, and the one that chance lets a player move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic

from archipel.rules.hex_sea.people import People
from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, GONE, IN_STOCK
from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

NO_CREATURE: Final = -1


class Creatures(People[S]):
    """Where the creatures are."""

    # ---- where they are --------------------------------------------------------------------------

    @rule
    def put_creature(self, s: S, creature: int, space: int) -> None:
        s.creature[creature] = space
        s.space[space] |= FIRST_CREATURE_BIT << self.kind_of[creature]

    @rule_apart
    def take_up_creature(self, s: S, creature: int) -> None:
        """Take a creature off its space; another of its kind may remain there."""
        space = s.creature[creature]
        kind = self.kind_of[creature]
        s.creature[creature] = GONE
        if self.creature_in(s, kind, space) == NO_CREATURE:
            s.space[space] = s.space[space] & ~(FIRST_CREATURE_BIT << kind)

    @rule
    def move_creature(self, s: S, creature: int, space: int) -> None:
        self.take_up_creature(s, creature)
        self.put_creature(s, creature, space)

    @rule
    def creature_in(self, s: S, kind: int, space: int) -> int:
        """The first creature of a kind in a space, or none."""
        for creature in range(self.first_of_kind[kind], self.first_of_kind[kind + 1]):
            if s.creature[creature] == space:
                return creature
        return NO_CREATURE

    @rule
    def next_in_stock(self, s: S, kind: int) -> int:
        """The next creature of a kind to come into play, or none."""
        return self.creature_in(s, kind, IN_STOCK)

    @rule
    def is_on_board(self, s: S, creature: int) -> bool:
        return s.creature[creature] < self.spaces

    @rule
    def remove_creatures(self, s: S, space: int) -> None:
        """Remove all creatures in a space from the game."""
        for creature in range(self.creatures):
            if s.creature[creature] == space:
                self.take_up_creature(s, creature)

    @rule
    def step_creature(self, s: S, action: int) -> None:
        """Move the chosen creature by one space, or stop."""
        if action == self.stop:
            s.phase = self.turn_ends
            return
        self.move_creature(s, s.chosen - self.creature_piece, action)
        s.steps -= 1
        s.phase = self.arrived


@dataclass(frozen=True)
class CreatureMoves(Generic[S]):
    """The creature that chance lets a player move."""

    sea: Creatures[S]
    can_be_moved: Callable[[S, int], bool]
    """Whether a creature that chance has named has somewhere to go."""

    # ---- moving one ------------------------------------------------------------------------------

    @rule
    def any_can_be_moved(self, s: S, kind: int) -> bool:
        for creature in range(self.sea.first_of_kind[kind], self.sea.first_of_kind[kind + 1]):
            if self.can_be_moved(s, creature):
                return True
        return False

    @rule
    def legal_creatures_of(self, s: S, kind: int, actions: list[int]) -> int:
        """Fill in the creatures of a kind that can move, and the action to move none."""
        count = 0
        for creature in range(self.sea.first_of_kind[kind], self.sea.first_of_kind[kind + 1]):
            if self.can_be_moved(s, creature):
                actions[count] = self.sea.creature_piece + creature
                count += 1
        actions[count] = self.sea.stop
        return count + 1
