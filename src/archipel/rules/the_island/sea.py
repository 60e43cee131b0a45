"""The parts that The Island supplies to the rules it shares with Atlantis (`hex_sea.sea`).

Ids at the names of shared rules are the rules of this game that they implement.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.boats import leave_boat
from archipel.rules.hex_sea.sea import Sea
from archipel.rules.kit import rule
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.the_island.state import Action, Ending, Phase, State, colours_in_play, owner


@rule
def take_up(s: State, explorer: int) -> None:
    """Take an explorer out of their boat, if any; the caller sets the new place."""
    leave_boat(s, explorer, owner(s, explorer))


SEA: Final = Sea(
    spaces=SPACES,
    islands=len(BOARD.shores),
    first_near=FIRST_NEAR,
    near=NEAR,
    shore_of=SHORE_OF,
    terrains=box.TERRAINS,
    most_seats=box.MOST_SEATS,
    people=box.EXPLORERS,
    per_colour=box.PER_COLOUR,
    boats=box.BOATS,
    movement_points=box.MOVEMENT_POINTS,
    creatures=box.CREATURES,
    creature_kinds=box.CREATURE_KINDS,
    first_of_kind=box.FIRST_OF_KIND,
    kind_of=box.KIND_OF,
    last_of_set_up=Phase.PLACE_BOAT,
    move=Phase.MOVE,
    move_to=Phase.MOVE_TO,
    over=Phase.OVER,
    not_over=Ending.NOT_OVER,
    first_automatic=Phase.FIRST_AUTOMATIC,
    begin_sinking=Phase.BEGIN_REMOVING,
    arrived=Phase.ARRIVED,
    turn_ends=Phase.TURN_ENDS,
    island=Action.ISLAND,
    person=Action.EXPLORER,
    boat=Action.BOAT,
    creature_piece=Action.CREATURE,
    stop=Action.STOP,
    colours_in_play=colours_in_play,
    seat_of=owner,
    take_up=take_up,
)

touches_sea = SEA.touches_sea
is_on_board = SEA.is_on_board
put_creature = SEA.put_creature
next_in_stock = SEA.next_in_stock  # IS-K11
next_seat = SEA.next_seat  # IS-S4
any_tile_left = SEA.any_land_left
