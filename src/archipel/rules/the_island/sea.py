"""What The Island gives to the rules that it shares with Atlantis (`archipel.rules.hex_sea`).

Where a shared rule is adopted, the ids say which rules of this game it states.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea import own, sinking, turn
from archipel.rules.hex_sea.boats import leave_boat
from archipel.rules.hex_sea.moving import touches_sea as shared_touches_sea
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SAFE_ISLANDS, SHORE_OF, SPACES
from archipel.rules.the_island.components import (
    BOATS,
    CREATURE_KINDS,
    CREATURES,
    EXPLORERS,
    FIRST_OF_KIND,
    KIND_OF,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PER_COLOUR,
    TERRAINS,
)
from archipel.rules.the_island.state import (
    ARRIVED,
    BEGIN_REMOVING,
    BOAT,
    CREATURE_PIECE,
    CREATURE_STEP,
    EXPLORER,
    FIRST_AUTOMATIC,
    ISLAND,
    KEEP_MOVING,
    MOVE,
    MOVE_TO,
    NOT_OVER,
    OVER,
    PLACE_BOAT,
    STOP,
    TURN_ENDS,
    State,
    colours_in_play,
    owner,
)


@rule
def take_up(s: State, explorer: int) -> None:
    """Out of the boat where they may be; where to is for the caller to say."""
    leave_boat(s, explorer, owner(s, explorer))


SEA: Final = Adoption(
    own,
    {
        "SPACES": SPACES,
        "SHORES": SAFE_ISLANDS,
        "FIRST_NEAR": FIRST_NEAR,
        "NEAR": NEAR,
        "SHORE_OF": SHORE_OF,
        "TERRAINS": TERRAINS,
        "MOST_SEATS": MOST_SEATS,
        "PEOPLE": EXPLORERS,
        "PER_COLOUR": PER_COLOUR,
        "BOATS": BOATS,
        "MOVEMENT_POINTS": MOVEMENT_POINTS,
        "CREATURES": CREATURES,
        "CREATURE_KINDS": CREATURE_KINDS,
        "FIRST_OF_KIND": FIRST_OF_KIND,
        "KIND_OF": KIND_OF,
        "LAST_OF_SET_UP": PLACE_BOAT,
        "MOVE": MOVE,
        "MOVE_TO": MOVE_TO,
        "CREATURE_STEP": CREATURE_STEP,
        "OVER": OVER,
        "NOT_OVER": NOT_OVER,
        "FIRST_AUTOMATIC": FIRST_AUTOMATIC,
        "KEEP_MOVING": KEEP_MOVING,
        "BEGIN_SINKING": BEGIN_REMOVING,
        "ARRIVED": ARRIVED,
        "TURN_ENDS": TURN_ENDS,
        "ISLAND": ISLAND,
        "PERSON": EXPLORER,
        "BOAT": BOAT,
        "CREATURE_PIECE": CREATURE_PIECE,
        "STOP": STOP,
        "colours_in_play": colours_in_play,
        "seat_of": owner,
        "take_up": take_up,
    },
)

touches_sea = SEA(shared_touches_sea)
next_seat = SEA(turn.next_seat)  # IS-S4
any_tile_left = SEA(sinking.any_land_left)
