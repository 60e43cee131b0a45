"""Moving people, boats and creatures: the choice of a piece and of its destination.

Each game has its own rules for entering the water; everything else is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from archipel.rules.hex_sea.boats import is_sea, may_sail
from archipel.rules.hex_sea.places import ABOARD, LAND, LOST
from archipel.rules.hex_sea.sea import S, Sea
from archipel.rules.kit import rule, rule_apart


@dataclass(frozen=True, slots=True)
class Moving(Generic[S]):
    """The choice of a piece to move, and of its destination."""

    sea: Sea[S]
    is_open_to_boats: Callable[[S, int], bool]
    """Whether a boat may be sailed into a space."""
    is_open_to_walkers: Callable[[S, int], bool]
    """Whether a person on land may walk or dive into an adjacent space."""
    walker_can_move: Callable[[S, int], bool]
    """Whether a person on the land of a space can move."""
    may_go_overboard: Callable[[S, int, int], bool]
    """Whether a person in a boat may jump into the water of its space."""
    swimmer_can_move: Callable[[S, int], bool]
    """Whether a swimmer can move."""
    legal_from_water: Callable[[S, int, list[int]], int]
    """Fill in the destinations of a swimmer and return their number."""

    # ---- pieces ----------------------------------------------------------------------------------

    @rule_apart
    def legal_pieces(self, s: S, actions: list[int]) -> int:
        """Fill in the people and boats of the seat that can move, and the action to stop."""
        count = 0
        for colour in range(s.turn, self.sea.colours_in_play(s), s.seats):
            for person in range(colour * self.sea.per_colour, (colour + 1) * self.sea.per_colour):
                if self.person_can_move(s, person):
                    actions[count] = self.sea.person + person
                    count += 1
        for boat in range(self.sea.boats):
            if self.boat_can_move(s, boat, s.turn):
                actions[count] = self.sea.boat + boat
                count += 1
        actions[count] = self.sea.stop
        return count + 1

    @rule
    def anything_can_move(self, s: S) -> bool:
        for colour in range(s.turn, self.sea.colours_in_play(s), s.seats):
            for person in range(colour * self.sea.per_colour, (colour + 1) * self.sea.per_colour):
                if self.person_can_move(s, person):
                    return True
        for boat in range(self.sea.boats):
            if self.boat_can_move(s, boat, s.turn):
                return True
        return False

    @rule_apart
    def person_can_move(self, s: S, person: int) -> bool:
        place = s.place[person]
        if place >= ABOARD:
            return place < LOST and self.passenger_can_move(s, person)
        if place >= self.sea.spaces:
            return False  # nobody leaves a safe island
        if s.space[place] & LAND == 0:
            return self.swimmer_can_move(s, person)
        return self.walker_can_move(s, place)

    @rule
    def passenger_can_move(self, s: S, person: int) -> bool:
        space = s.boat[s.place[person] - ABOARD]
        return (
            self.may_go_overboard(s, person, space)
            or self.sea.shore_of[space] >= 0
            or self.sea.boats_in_reach(s, space) != 0
        )

    @rule_apart
    def boat_can_move(self, s: S, boat: int, seat: int) -> bool:
        """Whether a seat may sail a boat and the boat has a space to go to."""
        space = s.boat[boat]
        if space >= self.sea.spaces or not may_sail(s, boat, seat):
            return False
        for near in range(self.sea.first_near[space], self.sea.first_near[space + 1]):
            if self.is_open_to_boats(s, self.sea.near[near]):
                return True
        return False

    @rule
    def choose_piece(self, s: S, action: int) -> None:
        """Choose a piece to move next; or stop and lose the remaining points."""
        if action == self.sea.stop:
            s.phase = self.sea.begin_sinking
            return
        s.chosen = action
        s.phase = self.sea.move_to

    @rule
    def keep_moving(self, s: S) -> None:
        """Go on moving while there are points and anything can move."""
        goes_on = s.points > 0 and self.anything_can_move(s)
        s.phase = self.sea.move if goes_on else self.sea.begin_sinking

    # ---- destinations ----------------------------------------------------------------------------

    @rule
    def legal_destinations(self, s: S, actions: list[int]) -> int:
        if s.chosen >= self.sea.boat:
            return self.legal_courses(s, s.boat[s.chosen - self.sea.boat], actions)
        person = s.chosen - self.sea.person
        place = s.place[person]
        if place >= ABOARD:
            return self.legal_from_boat(s, person, actions)
        if is_sea(s, place):
            return self.legal_from_water(s, person, actions)
        return self.legal_from_land(s, place, actions)

    @rule
    def legal_courses(self, s: S, space: int, actions: list[int]) -> int:
        """Fill in the destinations of a boat in a space."""
        count = 0
        for near in range(self.sea.first_near[space], self.sea.first_near[space + 1]):
            if self.is_open_to_boats(s, self.sea.near[near]):
                actions[count] = self.sea.near[near]
                count += 1
        return count

    @rule
    def legal_from_land(self, s: S, space: int, actions: list[int]) -> int:
        """Fill in adjacent land and sea, and boats there with room."""
        count = 0
        for near in range(self.sea.first_near[space], self.sea.first_near[space + 1]):
            if self.is_open_to_walkers(s, self.sea.near[near]):
                actions[count] = self.sea.near[near]
                count += 1
        return self.add_boats(self.sea.boats_in_reach(s, space), actions, count)

    @rule
    def legal_from_boat(self, s: S, person: int, actions: list[int]) -> int:
        """Fill in the water, the safe island and the other boats in reach."""
        space = s.boat[s.place[person] - ABOARD]
        count = 0
        if self.may_go_overboard(s, person, space):
            actions[count] = space
            count += 1
        if self.sea.shore_of[space] >= 0:
            actions[count] = self.sea.island + self.sea.shore_of[space]
            count += 1
        return self.add_boats(self.sea.boats_in_reach(s, space), actions, count)

    @rule
    def add_boats(self, boats: int, actions: list[int], count: int) -> int:
        """Append the boats of a set, in ascending order."""
        boat = 0
        while boats >> boat != 0:
            if boats >> boat & 1 != 0:
                actions[count] = self.sea.boat + boat
                count += 1
            boat += 1
        return count


@dataclass(frozen=True, slots=True)
class CreatureMoves(Generic[S]):
    """The creature that chance lets a player move."""

    sea: Sea[S]
    can_be_moved: Callable[[S, int], bool]
    """Whether a creature of the kind that chance chose can move."""

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
