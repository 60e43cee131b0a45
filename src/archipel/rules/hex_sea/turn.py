"""Turns: going on to the next decision, the order of play, and stalemate."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final, Generic

from archipel.rules.hex_sea.knowledge import Knowledge
from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.kit import Chance, rule

TURNS_WITHOUT_EVENT: Final = 12  # per player, with no land left


class TurnOrder(Knowledge[S]):
    """Whose turn is next, and when nothing happens any more."""

    @rule
    def next_seat(self, s: S, seat: int) -> int:
        """The next seat clockwise, without a division."""
        return seat + 1 if seat + 1 < s.seats else 0

    @rule
    def count_idle_turn(self, s: S) -> None:
        """Count a turn with no land left; the count restarts when somebody is saved or lost."""
        if not self.any_land_left(s):
            s.idle_turns += 1

    @rule
    def is_stalemate(self, s: S) -> bool:
        """Whether nobody was saved or lost for `TURNS_WITHOUT_EVENT` turns per player."""
        return s.idle_turns >= TURNS_WITHOUT_EVENT * s.seats


@dataclass(frozen=True)
class Turn(ABC, Generic[S]):
    """Playing an action and going on to the next decision; each game has its own steps."""

    sea: TurnOrder[S]

    @abstractmethod
    def act(self, s: S, action: int) -> None:
        """Do what an action itself does."""

    @abstractmethod
    def go_on_once(self, s: S, chance: Chance) -> None:
        """Take the next step of the game where nobody decides."""

    @rule
    def apply(self, s: S, action: int, chance: Chance) -> None:
        """Play a legal action and go on to the next decision."""
        self.act(s, action)
        while s.phase >= self.sea.first_automatic:
            self.go_on_once(s, chance)

    @rule
    def go_on(self, s: S, chance: Chance) -> None:
        """Take all automatic steps, up to the next decision or the end."""
        while s.phase >= self.sea.first_automatic:
            self.go_on_once(s, chance)
