"""Renumber equal pieces: positions that differ only in the numbers of equal pieces become equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from archipel.rules.hex_sea.places import ABOARD, BOAT_BITS
from archipel.rules.hex_sea.sea import HasSea, Sea
from archipel.rules.kit import rule

S = TypeVar("S", bound=HasSea)


@dataclass(frozen=True)
class EqualPieces(Generic[S]):
    """Sorts boats by their spaces, creatures by kind and space, and people by colour and key."""

    sea: Sea[S]
    key_of: Callable[[S, int], int]
    """Everything about a person but their number; equal for people who are interchangeable."""
    swap_people: Callable[[S, int, int], None]

    @rule
    def renumber(self, s: S) -> None:
        for first in range(self.sea.boats):
            least = first
            for other in range(first + 1, self.sea.boats):
                if s.boat[other] < s.boat[least]:
                    least = other
            if least != first:
                self.swap_boats(s, first, least)
        for kind in range(len(self.sea.creature_kinds)):
            for first in range(self.sea.first_of_kind[kind], self.sea.first_of_kind[kind + 1]):
                self.put_creature_first(s, first, self.sea.first_of_kind[kind + 1])
        for first in range(self.sea.people):
            colour = first // self.sea.per_colour
            self.put_person_first(s, first, (colour + 1) * self.sea.per_colour)

    @rule
    def put_creature_first(self, s: S, first: int, end: int) -> None:
        """Swap the creature with the least space among those from ``first`` on with ``first``."""
        least = first
        for other in range(first + 1, end):
            chosen = 1 if s.chosen == self.sea.creature_piece + other else 0
            chosen_least = 1 if s.chosen == self.sea.creature_piece + least else 0
            if 2 * s.creature[other] + chosen < 2 * s.creature[least] + chosen_least:
                least = other
        if least != first:
            space = s.creature[first]
            s.creature[first] = s.creature[least]
            s.creature[least] = space
            self.swap_chosen(s, self.sea.creature_piece + first, self.sea.creature_piece + least)

    @rule
    def put_person_first(self, s: S, first: int, end: int) -> None:
        """Swap the person with the least key among those from ``first`` on with ``first``."""
        least = first
        for other in range(first + 1, end):
            chosen = 1 if s.chosen == self.sea.person + other else 0
            chosen_least = 1 if s.chosen == self.sea.person + least else 0
            if 2 * self.key_of(s, other) + chosen < 2 * self.key_of(s, least) + chosen_least:
                least = other
        if least != first:
            self.swap_people(s, first, least)
            self.swap_chosen(s, self.sea.person + first, self.sea.person + least)

    @rule
    def swap_boats(self, s: S, one: int, other: int) -> None:
        for seat in range(self.sea.most_seats):
            aboard = s.aboard[one][seat]
            s.aboard[one][seat] = s.aboard[other][seat]
            s.aboard[other][seat] = aboard
        for person in range(self.sea.people):
            if s.place[person] == ABOARD + one:
                s.place[person] = ABOARD + other
            elif s.place[person] == ABOARD + other:
                s.place[person] = ABOARD + one
        space = s.boat[one]
        s.boat[one] = s.boat[other]
        s.boat[other] = space
        if s.boat[one] < len(s.space):
            s.space[s.boat[one]] = (s.space[s.boat[one]] & ~BOAT_BITS) | (one + 1)
        if s.boat[other] < len(s.space):
            s.space[s.boat[other]] = (s.space[s.boat[other]] & ~BOAT_BITS) | (other + 1)
        self.swap_chosen(s, self.sea.boat + one, self.sea.boat + other)

    @rule
    def swap_chosen(self, s: S, one: int, other: int) -> None:
        if s.chosen == one:
            s.chosen = other
        elif s.chosen == other:
            s.chosen = one
