"""Playing an action up to the next decision, and the ranking at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from archipel.rules.hex_sea.sea import S, Sea
from archipel.rules.kit import Chance, rule


@dataclass(frozen=True, slots=True)
class Turn(ABC, Generic[S]):
    """Playing an action and going on to the next decision; each game has its own steps."""

    sea: Sea[S]

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


@dataclass(frozen=True, slots=True)
class Ranking(Generic[S]):
    """The order of players by their score."""

    score: Callable[[S, int], int]

    @rule
    def rank(self, s: S, seat: int) -> int:
        """Return the number of players with a higher score: equal scores share a rank."""
        mine = self.score(s, seat)
        ahead = 0
        for other in range(s.seats):
            if self.score(s, other) > mine:
                ahead += 1
        return ahead
