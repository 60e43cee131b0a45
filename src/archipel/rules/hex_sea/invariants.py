"""What holds in every position of both games, whatever is played."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.counts import COUNT_BITS, COUNT_MASK
from archipel.rules.hex_sea.creatures import NO_CREATURE, creature_in
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import (
    BOATS,
    CREATURE_KINDS,
    CREATURES,
    FIRST_AUTOMATIC,
    KIND_OF,
    MOST_SEATS,
    MOVEMENT_POINTS,
    NOT_OVER,
    OVER,
    PEOPLE,
    PER_COLOUR,
    SHORES,
    SPACES,
    colours_in_play,
    seat_of,
)
from archipel.rules.hex_sea.people import is_saved
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
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

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


@rule
def fault_at_sea(s: HasSea, placing: bool) -> int:
    """The first fault of people, boats and creatures."""
    number = fault_of_places(s)
    if number == 0:
        number = fault_of_placing(s, placing)
    if number == 0:
        number = fault_of_boats(s)
    if number == 0:
        number = fault_of_creatures(s)
    return number


@rule
def fault_of_course(s: HasSea) -> int:
    """Somebody at the table is asked something, with points in bounds; and nobody once it is
    over."""
    if s.phase >= FIRST_AUTOMATIC or s.turn < 0 or s.turn >= s.seats:
        return COURSE_IS_WRONG
    if s.points < 0 or s.points > MOVEMENT_POINTS:
        return COURSE_IS_WRONG
    if (s.ending != NOT_OVER) != (s.phase == OVER):
        return COURSE_IS_WRONG
    return 0


@rule_apart
def fault_of_places(s: HasSea) -> int:
    """People are on the board, ashore, lost, aboard a boat that is there, or wait; and those of
    colours that do not play all wait."""
    for person in range(PEOPLE):
        place = s.place[person]
        if person >= colours_in_play(s) * PER_COLOUR and place != WAITING:
            return SOMEBODY_IS_NOWHERE
        if place >= ABOARD + BOATS and place != LOST and place != WAITING:
            return SOMEBODY_IS_NOWHERE
        if SPACES + SHORES <= place < ABOARD:
            return SOMEBODY_IS_NOWHERE
        if ABOARD <= place < ABOARD + BOATS and s.boat[place - ABOARD] >= SPACES:
            return CREW_IS_WRONG
    for seat in range(MOST_SEATS):
        if s.left[seat] != people_left(s, seat):
            return LEFT_IS_WRONG
    return 0


@rule_apart
def fault_of_placing(s: HasSea, placing: bool) -> int:
    """While people are placed they stand on land or wait; afterwards nobody waits."""
    for person in range(colours_in_play(s) * PER_COLOUR):
        place = s.place[person]
        if place == WAITING and not placing:
            return SOMEBODY_IS_NOWHERE
        if place != WAITING and placing and (place >= SPACES or is_sea(s, place)):
            return SOMEBODY_IS_NOWHERE
    return 0


@rule
def people_left(s: HasSea, seat: int) -> int:
    """Counted afresh: those neither saved nor lost."""
    count = 0
    if seat < s.seats:
        for colour in range(seat, colours_in_play(s), s.seats):
            for person in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
                if s.place[person] != LOST and not is_saved(s, person):
                    count += 1
    return count


@rule_apart
def fault_of_boats(s: HasSea) -> int:
    found = 0
    for boat in range(BOATS):
        space = s.boat[boat]
        if space < SPACES:
            found += 1
            if not is_sea(s, space) or boat_in(s, space) != boat:
                return BOAT_IS_WRONG
        elif space != IN_STOCK and space != GONE:
            return BOAT_IS_WRONG
        if load(s, boat) > BOAT_ROOM:
            return CREW_IS_WRONG
        crew = passengers(s, boat)
        for seat in range(MOST_SEATS):
            if s.aboard[boat][seat] != crew >> COUNT_BITS * seat & COUNT_MASK:
                return CREW_IS_WRONG
    for space in range(SPACES):
        if boat_in(s, space) != NO_BOAT:
            found -= 1
    return BOAT_IS_WRONG if found != 0 else 0


@rule
def passengers(s: HasSea, boat: int) -> int:
    """Counted afresh: the people of each seat aboard a boat, as counts in one number."""
    counts = 0
    for person in range(PEOPLE):
        if s.place[person] == ABOARD + boat:
            counts += 1 << COUNT_BITS * seat_of(s, person)
    return counts


@rule_apart
def fault_of_creatures(s: HasSea) -> int:
    for creature in range(CREATURES):
        space = s.creature[creature]
        if space < SPACES:
            if not is_sea(s, space):
                return CREATURE_IS_WRONG
            if s.space[space] & FIRST_CREATURE_BIT << KIND_OF[creature] == 0:
                return SPACE_SHOWS_WRONG_CREATURE
        elif space != IN_STOCK and space != GONE:
            return CREATURE_IS_WRONG
    for space in range(SPACES):
        for kind in range(len(CREATURE_KINDS)):
            if s.space[space] & FIRST_CREATURE_BIT << kind != 0:
                if creature_in(s, kind, space) == NO_CREATURE:
                    return SPACE_SHOWS_WRONG_CREATURE
    return 0
