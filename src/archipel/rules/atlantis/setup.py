"""Set-up (chapter Set-up): the island, the boats, and the placing of people."""

from __future__ import annotations

from archipel.rules.atlantis import board
from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.box_files import TERRAINS
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.sea import SEA, next_seat
from archipel.rules.atlantis.state import NOBODY, NOTHING, UNKNOWN, Ending, Phase, State
from archipel.rules.hex_sea.boats import put_boat
from archipel.rules.hex_sea.places import LAND
from archipel.rules.kit import Chance, draw, rule

clear_board = SEA.clear_board
next_person = SEA.next_to_place


@rule
def set_up(s: State, chance: Chance) -> None:
    """AT-S1, AT-S2, AT-S5: the pieces, the boats and the first player (AT-S4)."""
    clear(s)
    for piece in range(board.PIECES):
        s.symbol[piece] = UNKNOWN
        s.space[board.PIECE_SPACES[piece]] |= LAND
    for terrain in range(len(TERRAINS)):
        s.land_left[terrain] = box.TERRAIN_PIECES[terrain]
    deal_unseen(s, chance)
    if s.seats == 2:
        for boat in range(len(board.STARTS_FOR_TWO)):
            put_boat(s, boat, board.STARTS_FOR_TWO[boat])
    else:
        for boat in range(len(board.STARTS_FOR_MORE)):
            put_boat(s, boat, board.STARTS_FOR_MORE[boat])
    if s.turn == NOBODY:
        s.turn = draw(chance, s.seats)
    s.phase = Phase.PLACE


@rule
def clear(s: State) -> None:
    """Clear everything but the options and the first player."""
    s.points = 0
    s.chosen = NOTHING
    s.sinking = NOTHING
    s.spun = UNKNOWN
    s.part = 0
    s.steps = 0
    s.origin = NOTHING
    s.sea_stepped = 0
    s.idle_turns = 0
    s.ending = Ending.NOT_OVER
    clear_board(s)
    for space in range(board.SPACES):
        s.crowd[space] = 0


@rule
def has_room_at_set_up(s: State, piece: int) -> bool:
    """AT-S3: whether a piece has room: three people, but one on a plain."""
    room = box.ROOM_ON_A_PLAIN_AT_SET_UP if board.TERRAIN_OF[piece] == box.PLAIN else box.PIECE_ROOM
    return s.crowd[board.PIECE_SPACES[piece]] < room


@rule
def legal_places(s: State, actions: list[int]) -> int:
    """AT-S3: fill in the pieces with room, by their spaces."""
    count = 0
    for piece in range(board.PIECES):
        if has_room_at_set_up(s, piece):
            actions[count] = board.PIECE_SPACES[piece]
            count += 1
    return count


@rule
def place_person(s: State, space: int) -> None:
    """AT-S3, AT-S5: place a person; the next player follows, and after the last the first turn."""
    s.place[next_person(s, s.turn)] = space
    s.crowd[space] += 1
    s.turn = next_seat(s, s.turn)
    if next_person(s, s.turn) == NOBODY:
        s.phase = Phase.TURN_BEGINS
