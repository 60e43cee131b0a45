"""What holds in every position, whatever is played."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.animals import animal_in
from archipel.rules.atlantis.board import (
    CENTRE,
    CORAL_ISLANDS,
    PIECE_OF,
    PIECE_SPACES,
    PIECES,
    SPACES,
    TERRAIN_OF,
)
from archipel.rules.atlantis.box import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.components import (
    ANIMALS,
    BOATS,
    CENTRE_SYMBOL,
    COUNT_BITS,
    KIND_OF,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PEOPLE,
    PER_TRIBE,
    PIECE_ROOM,
    SYMBOL_COUNTS,
    TRIBE_OF,
)
from archipel.rules.atlantis.state import (
    EATERS,
    FIRST_AUTOMATIC,
    MONSTER_BIT,
    MOVE,
    NOBODY,
    NOT_OVER,
    OVER,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    State,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
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

FAULTS: Final = (
    "",
    "a person is nowhere, or of a tribe that does not play (AT-C1)",
    "a boat takes three at most, all of whom are aboard it (AT-M2)",
    "the number of people left on the board is wrong (AT-E1)",
    "a boat is on land, or two share a space (AT-B2)",
    "an animal is on land or in two places (AT-X4)",
    "a space shows an animal that is not there, or does not show one that is",
    "land and pieces differ, or a space counts its people wrong",
    "the symbols are not those of the box (AT-C4)",
    "more than three people stand on a piece (AT-M1)",
    "a swimmer shares a space with a shark or a monster (AT-M10)",
    "a boat shares a space with a monster (AT-X1)",
    "who is to decide what is out of range",
    "a player has nobody left, but the game goes on (AT-E1)",
)


@rule
def fault(s: State) -> int:
    """0, or the number of the first fault in `FAULTS`."""
    number = fault_of_people(s)
    if number == 0:
        number = fault_of_boats(s)
    if number == 0:
        number = fault_of_animals(s)
    if number == 0:
        number = fault_of_spaces(s)
    if number == 0:
        number = fault_of_symbols(s)
    if number == 0:
        number = fault_of_turn(s)
    return number


@rule_apart
def fault_of_people(s: State) -> int:
    for person in range(PEOPLE):
        place = s.place[person]
        plays = TRIBE_OF[person] < s.seats
        if not plays and place != WAITING:
            return 1
        if plays and place == WAITING and s.phase != PLACE:
            return 1
        if place >= ABOARD + BOATS and place != LOST and place != WAITING:
            return 1
        if SPACES + CORAL_ISLANDS <= place < ABOARD:
            return 1
        if ABOARD <= place < ABOARD + BOATS and s.boat[place - ABOARD] >= SPACES:
            return 2
        if s.phase == PLACE and place != WAITING and (place >= SPACES or is_sea(s, place)):
            return 1
    for seat in range(MOST_SEATS):
        if s.left[seat] != people_left(s, seat):
            return 3
        if seat < s.seats and s.left[seat] == 0 and s.phase != OVER:
            return 13
    return 0


@rule
def people_left(s: State, seat: int) -> int:
    """Counted afresh: those neither saved nor lost."""
    count = 0
    if seat < s.seats:
        for person in range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE):
            place = s.place[person]
            if place != LOST and not SPACES <= place < SPACES + CORAL_ISLANDS:
                count += 1
    return count


@rule_apart
def fault_of_boats(s: State) -> int:
    found = 0
    for boat in range(BOATS):
        space = s.boat[boat]
        if space < SPACES:
            found += 1
            if not is_sea(s, space) or boat_in(s, space) != boat:
                return 4
            if s.space[space] & MONSTER_BIT != 0:
                return 11
        elif space != IN_STOCK and space != GONE:
            return 4
        if load(s, boat) > BOAT_ROOM:
            return 2
        for seat in range(MOST_SEATS):
            if s.aboard[boat][seat] != passengers(s, boat, seat):
                return 2
    for space in range(SPACES):
        if boat_in(s, space) != NO_BOAT:
            found -= 1
    return 4 if found != 0 else 0


@rule
def passengers(s: State, boat: int, seat: int) -> int:
    """Counted afresh: a seat's people aboard a boat."""
    count = 0
    for person in range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE):
        if s.place[person] == ABOARD + boat:
            count += 1
    return count


@rule_apart
def fault_of_animals(s: State) -> int:
    for animal in range(ANIMALS):
        space = s.animal[animal]
        if space < SPACES:
            if not is_sea(s, space):
                return 5
            if s.space[space] & FIRST_CREATURE_BIT << KIND_OF[animal] == 0:
                return 6
        elif space != IN_STOCK and space != GONE:
            return 5
    for space in range(SPACES):
        for kind in range(len(ANIMAL_KINDS)):
            if s.space[space] & FIRST_CREATURE_BIT << kind != 0:
                if animal_in(s, kind, space) == NOBODY:
                    return 6
    return 0


@rule_apart
def fault_of_spaces(s: State) -> int:
    everyone = 0
    for space in range(SPACES):
        everyone += s.crowd[space]
        if is_sea(s, space):
            if s.crowd[space] > 0 and s.space[space] & EATERS != 0:
                return 10
        elif PIECE_OF[space] < 0:
            return 7
        elif s.crowd[space] > PIECE_ROOM:
            return 9
    for person in range(PEOPLE):
        if s.place[person] < SPACES:
            everyone -= 1
            if s.crowd[s.place[person]] != crowd_in(s, s.place[person]):
                return 7
    return 7 if everyone != 0 else 0


@rule
def crowd_in(s: State, space: int) -> int:
    """Counted afresh: those who stand or swim in a space."""
    count = 0
    for person in range(PEOPLE):
        if s.place[person] == space:
            count += 1
    return count


@rule_apart
def fault_of_symbols(s: State) -> int:
    for terrain in range(len(TERRAINS)):
        counts = 0
        left = 0
        for piece in range(PIECES):
            if TERRAIN_OF[piece] == terrain:
                counts += 1 << COUNT_BITS * s.symbol[piece]
                left += 0 if is_sea(s, PIECE_SPACES[piece]) else 1
        if counts != SYMBOL_COUNTS[terrain]:
            return 8
        if left != s.pieces_left[terrain]:
            return 7
    if CENTRE_SYMBOL >= 0 and s.symbol[CENTRE] != CENTRE_SYMBOL:
        return 8
    return 0


@rule
def fault_of_turn(s: State) -> int:
    if s.phase >= FIRST_AUTOMATIC or s.turn < 0 or s.turn >= s.seats:
        return 12
    if s.points < 0 or s.points > MOVEMENT_POINTS or (s.phase == MOVE and s.points == 0):
        return 12
    if (s.ending != NOT_OVER) != (s.phase == OVER):
        return 12
    if (s.sinking >= 0) != (s.phase == RELOCATE or s.phase == RELOCATE_TO):
        return 12
    return 0
