"""Invariants of every position of both games."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK
from archipel.rules.hex_sea.creatures import NO_CREATURE
from archipel.rules.hex_sea.moving import Reach
from archipel.rules.hex_sea.places import (
    ABOARD,
    BOAT_ROOM,
    FIRST_CREATURE_BIT,
    GONE,
    IN_STOCK,
    LOST,
    NO_BOAT,
    WAITING,
)
from archipel.rules.hex_sea.sea_parts import S
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

# Faults by number; the games have the words for them, and use the numbers between for their own.
SOMEBODY_IS_NOWHERE: Final = 1
CREW_IS_WRONG: Final = 2
LEFT_IS_WRONG: Final = 3
BOAT_IS_WRONG: Final = 4
CREATURE_IS_WRONG: Final = 5
SPACE_SHOWS_WRONG_CREATURE: Final = 6
LAND_IS_WRONG: Final = 7
UNDERSIDES_ARE_WRONG: Final = 8
SWIMMER_SHOULD_BE_EATEN: Final = 10
COURSE_IS_WRONG: Final = 12


class Invariants(Reach[S]):
    """The invariants of both games."""

    @rule
    def fault_at_sea(self, s: S, placing: bool) -> int:
        """The first fault of people, boats and creatures."""
        number = self.fault_of_places(s)
        if number == 0:
            number = self.fault_of_placing(s, placing)
        if number == 0:
            number = self.fault_of_boats(s)
        if number == 0:
            number = self.fault_of_creatures(s)
        return number

    @rule
    def fault_of_course(self, s: S) -> int:
        """Somebody at the table is asked something, with points in bounds; and nobody once it is
        over."""
        if s.phase >= self.first_automatic or s.turn < 0 or s.turn >= s.seats:
            return COURSE_IS_WRONG
        if s.points < 0 or s.points > self.movement_points:
            return COURSE_IS_WRONG
        if (s.ending != self.not_over) != (s.phase == self.over):
            return COURSE_IS_WRONG
        return 0

    @rule_apart
    def fault_of_places(self, s: S) -> int:
        """People are on the board, ashore, lost, aboard a boat that is there, or wait; and those of
        colours that do not play all wait."""
        for person in range(self.people):
            place = s.place[person]
            if person >= self.colours_in_play(s) * self.per_colour and place != WAITING:
                return SOMEBODY_IS_NOWHERE
            if place >= ABOARD + self.boats and place != LOST and place != WAITING:
                return SOMEBODY_IS_NOWHERE
            if self.spaces + self.shores <= place < ABOARD:
                return SOMEBODY_IS_NOWHERE
            if ABOARD <= place < ABOARD + self.boats and s.boat[place - ABOARD] >= self.spaces:
                return CREW_IS_WRONG
        for seat in range(self.most_seats):
            if s.left[seat] != self.people_left(s, seat):
                return LEFT_IS_WRONG
        return 0

    @rule_apart
    def fault_of_placing(self, s: S, placing: bool) -> int:
        """While people are placed they stand on land or wait; afterwards nobody waits."""
        for person in range(self.colours_in_play(s) * self.per_colour):
            place = s.place[person]
            if place == WAITING and not placing:
                return SOMEBODY_IS_NOWHERE
            if place != WAITING and placing and (place >= self.spaces or is_sea(s, place)):
                return SOMEBODY_IS_NOWHERE
        return 0

    @rule
    def people_left(self, s: S, seat: int) -> int:
        """Count a seat's people who are neither saved nor lost."""
        count = 0
        if seat < s.seats:
            for colour in range(seat, self.colours_in_play(s), s.seats):
                for person in range(colour * self.per_colour, (colour + 1) * self.per_colour):
                    if s.place[person] != LOST and not self.is_saved(s, person):
                        count += 1
        return count

    @rule_apart
    def fault_of_boats(self, s: S) -> int:
        found = 0
        for boat in range(self.boats):
            space = s.boat[boat]
            if space < self.spaces:
                found += 1
                if not is_sea(s, space) or boat_in(s, space) != boat:
                    return BOAT_IS_WRONG
            elif space != IN_STOCK and space != GONE:
                return BOAT_IS_WRONG
            if load(s, boat) > BOAT_ROOM:
                return CREW_IS_WRONG
            crew = self.passengers(s, boat)
            for seat in range(self.most_seats):
                if s.aboard[boat][seat] != crew >> COUNT_BITS * seat & COUNT_MASK:
                    return CREW_IS_WRONG
        for space in range(self.spaces):
            if boat_in(s, space) != NO_BOAT:
                found -= 1
        return BOAT_IS_WRONG if found != 0 else 0

    @rule
    def passengers(self, s: S, boat: int) -> int:
        """Count the people of each seat aboard a boat, packed into one int."""
        counts = 0
        for person in range(self.people):
            if s.place[person] == ABOARD + boat:
                counts += 1 << COUNT_BITS * self.seat_of(s, person)
        return counts

    @rule_apart
    def fault_of_creatures(self, s: S) -> int:
        for creature in range(self.creatures):
            space = s.creature[creature]
            if space < self.spaces:
                if not is_sea(s, space):
                    return CREATURE_IS_WRONG
                if s.space[space] & FIRST_CREATURE_BIT << self.kind_of[creature] == 0:
                    return SPACE_SHOWS_WRONG_CREATURE
            elif space != IN_STOCK and space != GONE:
                return CREATURE_IS_WRONG
        for space in range(self.spaces):
            for kind in range(len(self.creature_kinds)):
                if s.space[space] & FIRST_CREATURE_BIT << kind != 0:
                    if self.creature_in(s, kind, space) == NO_CREATURE:
                        return SPACE_SHOWS_WRONG_CREATURE
        return 0
