"""The parts that Atlantis supplies to the rules it shares with The Island (`hex_sea.sea`).

Ids at the names of shared rules are the rules of this game that they implement.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.board import BOARD, FIRST_NEAR, NEAR, SHORE_OF, SPACES
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, TERRAINS
from archipel.rules.atlantis.state import Action, Ending, Phase, State
from archipel.rules.hex_sea.boats import leave_boat
from archipel.rules.hex_sea.sea import Sea
from archipel.rules.kit import rule


@rule
def tribes_in_play(s: State) -> int:
    """AT-C1: one tribe per player."""
    return s.seats


@rule
def seat_of(s: State, person: int) -> int:
    return box.TRIBE_OF[person]


@rule
def take_up(s: State, person: int) -> None:
    """Take a person off their space or boat; the caller sets the new place."""
    place = s.place[person]
    if place < SPACES:
        s.crowd[place] -= 1
    else:
        leave_boat(s, person, box.TRIBE_OF[person])


SEA: Final = Sea(
    spaces=SPACES,
    islands=len(BOARD.shores),
    first_near=FIRST_NEAR,
    near=NEAR,
    shore_of=SHORE_OF,
    terrains=TERRAINS,
    most_seats=box.MOST_SEATS,
    people=box.PEOPLE,
    per_colour=box.PER_TRIBE,
    boats=box.BOATS,
    movement_points=box.MOVEMENT_POINTS,
    creatures=box.ANIMALS,
    creature_kinds=ANIMAL_KINDS,
    first_of_kind=box.FIRST_OF_KIND,
    kind_of=box.KIND_OF,
    last_of_set_up=Phase.PLACE,
    move=Phase.MOVE,
    move_to=Phase.MOVE_TO,
    over=Phase.OVER,
    not_over=Ending.NOT_OVER,
    first_automatic=Phase.FIRST_AUTOMATIC,
    begin_sinking=Phase.BEGIN_SINKING,
    arrived=Phase.ARRIVED,
    turn_ends=Phase.TURN_ENDS,
    island=Action.ISLAND,
    person=Action.PERSON,
    boat=Action.BOAT,
    creature_piece=Action.ANIMAL,
    stop=Action.STOP,
    colours_in_play=tribes_in_play,
    seat_of=seat_of,
    take_up=take_up,
)

touches_sea = SEA.touches_sea
next_seat = SEA.next_seat  # AT-S5
any_piece_left = SEA.any_land_left
