"""Invariants of every position of both games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic

from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK
from archipel.rules.hex_sea.places import (
    ABOARD,
    BOAT_ROOM,
    FIRST_CREATURE_BIT,
    GONE,
    IN_STOCK,
    LOST,
    NO_BOAT,
    NO_CREATURE,
    WAITING,
)
from archipel.rules.hex_sea.sea import S, Sea
from archipel.rules.kit import namespace, rule, rule_apart


@namespace
class Fault:
    """Faults by number; each game has the messages, and its own faults between these numbers."""

    SOMEBODY_IS_NOWHERE: Final = 1
    CREW_IS_WRONG: Final = 2
    LEFT_IS_WRONG: Final = 3
    BOAT_IS_WRONG: Final = 4
    CREATURE_IS_WRONG: Final = 5
    SPACE_SHOWS_WRONG_CREATURE: Final = 6
    LAND_IS_WRONG: Final = 7
    UNDERSIDES_ARE_WRONG: Final = 8
    SWIMMER_SHOULD_BE_EATEN: Final = 10
    PHASE_IS_WRONG: Final = 12


@dataclass(frozen=True)
class Invariants(Generic[S]):
    """The invariants of both games."""

    sea: Sea[S]

    @rule
    def fault_at_sea(self, s: S, placing: bool) -> int:
        """The first fault of people, boats and creatures, or 0."""
        number = self.fault_of_places(s)
        if number == 0:
            number = self.fault_of_placing(s, placing)
        if number == 0:
            number = self.fault_of_boats(s)
        if number == 0:
            number = self.fault_of_creatures(s)
        return number

    @rule
    def fault_of_phase(self, s: S) -> int:
        """A seat at the table decides, with points in bounds; no seat after the end."""
        if s.phase >= self.sea.first_automatic or s.turn < 0 or s.turn >= s.seats:
            return Fault.PHASE_IS_WRONG
        if s.points < 0 or s.points > self.sea.movement_points:
            return Fault.PHASE_IS_WRONG
        if (s.ending != self.sea.not_over) != (s.phase == self.sea.over):
            return Fault.PHASE_IS_WRONG
        return 0

    @rule_apart
    def fault_of_places(self, s: S) -> int:
        """People are on the board, ashore, aboard, lost or waiting; all of absent colours wait."""
        for person in range(self.sea.people):
            place = s.place[person]
            if person >= self.sea.colours_in_play(s) * self.sea.per_colour and place != WAITING:
                return Fault.SOMEBODY_IS_NOWHERE
            if place >= ABOARD + self.sea.boats and place != LOST and place != WAITING:
                return Fault.SOMEBODY_IS_NOWHERE
            if self.sea.spaces + self.sea.islands <= place < ABOARD:
                return Fault.SOMEBODY_IS_NOWHERE
            if (
                ABOARD <= place < ABOARD + self.sea.boats
                and s.boat[place - ABOARD] >= self.sea.spaces
            ):
                return Fault.CREW_IS_WRONG
        for seat in range(self.sea.most_seats):
            if s.left[seat] != self.people_left(s, seat):
                return Fault.LEFT_IS_WRONG
        return 0

    @rule_apart
    def fault_of_placing(self, s: S, placing: bool) -> int:
        """While people are placed they stand on land or wait; afterwards nobody waits."""
        for person in range(self.sea.colours_in_play(s) * self.sea.per_colour):
            place = s.place[person]
            if place == WAITING and not placing:
                return Fault.SOMEBODY_IS_NOWHERE
            if place != WAITING and placing and (place >= self.sea.spaces or is_sea(s, place)):
                return Fault.SOMEBODY_IS_NOWHERE
        return 0

    @rule
    def people_left(self, s: S, seat: int) -> int:
        """Count a seat's people who are neither saved nor lost."""
        count = 0
        if seat < s.seats:
            for colour in range(seat, self.sea.colours_in_play(s), s.seats):
                for person in range(
                    colour * self.sea.per_colour, (colour + 1) * self.sea.per_colour
                ):
                    if s.place[person] != LOST and not self.sea.is_saved(s, person):
                        count += 1
        return count

    @rule_apart
    def fault_of_boats(self, s: S) -> int:
        found = 0
        for boat in range(self.sea.boats):
            space = s.boat[boat]
            if space < self.sea.spaces:
                found += 1
                if not is_sea(s, space) or boat_in(s, space) != boat:
                    return Fault.BOAT_IS_WRONG
            elif space != IN_STOCK and space != GONE:
                return Fault.BOAT_IS_WRONG
            if load(s, boat) > BOAT_ROOM:
                return Fault.CREW_IS_WRONG
            crew = self.passengers(s, boat)
            for seat in range(self.sea.most_seats):
                if s.aboard[boat][seat] != crew >> COUNT_BITS * seat & COUNT_MASK:
                    return Fault.CREW_IS_WRONG
        for space in range(self.sea.spaces):
            if boat_in(s, space) != NO_BOAT:
                found -= 1
        return Fault.BOAT_IS_WRONG if found != 0 else 0

    @rule
    def passengers(self, s: S, boat: int) -> int:
        """Count the people of each seat aboard a boat, packed into one int."""
        counts = 0
        for person in range(self.sea.people):
            if s.place[person] == ABOARD + boat:
                counts += 1 << COUNT_BITS * self.sea.seat_of(s, person)
        return counts

    @rule_apart
    def fault_of_creatures(self, s: S) -> int:
        for creature in range(self.sea.creatures):
            space = s.creature[creature]
            if space < self.sea.spaces:
                if not is_sea(s, space):
                    return Fault.CREATURE_IS_WRONG
                if s.space[space] & FIRST_CREATURE_BIT << self.sea.kind_of[creature] == 0:
                    return Fault.SPACE_SHOWS_WRONG_CREATURE
            elif space != IN_STOCK and space != GONE:
                return Fault.CREATURE_IS_WRONG
        for space in range(self.sea.spaces):
            for kind in range(len(self.sea.creature_kinds)):
                if s.space[space] & FIRST_CREATURE_BIT << kind != 0:
                    if self.sea.creature_in(s, kind, space) == NO_CREATURE:
                        return Fault.SPACE_SHOWS_WRONG_CREATURE
        return 0
