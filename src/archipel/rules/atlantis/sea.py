"""What Atlantis gives to the rules that it shares with The Island (`archipel.rules.hex_sea`).

Where a shared rule is adopted, the ids say which rules of this game it states.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis.board import CORAL_ISLANDS, FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.atlantis.box import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.components import (
    ANIMALS,
    BOATS,
    FIRST_OF_KIND,
    KIND_OF,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PEOPLE,
    PER_TRIBE,
    TRIBE_OF,
)
from archipel.rules.atlantis.state import (
    ANIMAL_PIECE,
    ANIMAL_STEP,
    ARRIVED,
    BEGIN_SINKING,
    BOAT,
    FIRST_AUTOMATIC,
    ISLAND,
    KEEP_MOVING,
    MOVE,
    MOVE_TO,
    NOT_OVER,
    OVER,
    PERSON,
    PLACE,
    STOP,
    TURN_ENDS,
    State,
)
from archipel.rules.hex_sea import moving, own, sinking, turn
from archipel.rules.hex_sea.boats import leave_boat
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption


@rule
def tribes_in_play(s: State) -> int:
    """AT-C1: one each."""
    return s.seats


@rule
def seat_of(s: State, person: int) -> int:
    return TRIBE_OF[person]


@rule
def take_up(s: State, person: int) -> None:
    """Off the space or the boat where they are; where to is for the caller to say."""
    place = s.place[person]
    if place < SPACES:
        s.crowd[place] -= 1
    else:
        leave_boat(s, person, TRIBE_OF[person])


SEA: Final = Adoption(
    own,
    {
        "SPACES": SPACES,
        "SHORES": CORAL_ISLANDS,
        "FIRST_NEAR": FIRST_NEAR,
        "NEAR": NEAR,
        "SHORE_OF": SHORE_OF,
        "TERRAINS": TERRAINS,
        "MOST_SEATS": MOST_SEATS,
        "PEOPLE": PEOPLE,
        "PER_COLOUR": PER_TRIBE,
        "BOATS": BOATS,
        "MOVEMENT_POINTS": MOVEMENT_POINTS,
        "CREATURES": ANIMALS,
        "CREATURE_KINDS": ANIMAL_KINDS,
        "FIRST_OF_KIND": FIRST_OF_KIND,
        "KIND_OF": KIND_OF,
        "LAST_OF_SET_UP": PLACE,
        "MOVE": MOVE,
        "MOVE_TO": MOVE_TO,
        "CREATURE_STEP": ANIMAL_STEP,
        "OVER": OVER,
        "NOT_OVER": NOT_OVER,
        "FIRST_AUTOMATIC": FIRST_AUTOMATIC,
        "KEEP_MOVING": KEEP_MOVING,
        "BEGIN_SINKING": BEGIN_SINKING,
        "ARRIVED": ARRIVED,
        "TURN_ENDS": TURN_ENDS,
        "ISLAND": ISLAND,
        "PERSON": PERSON,
        "BOAT": BOAT,
        "CREATURE_PIECE": ANIMAL_PIECE,
        "STOP": STOP,
        "colours_in_play": tribes_in_play,
        "seat_of": seat_of,
        "take_up": take_up,
    },
)

touches_sea = SEA(moving.touches_sea)
next_seat = SEA(turn.next_seat)  # AT-S5
any_piece_left = SEA(sinking.any_land_left)
