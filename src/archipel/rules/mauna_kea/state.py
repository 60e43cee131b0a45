"""The position: what lies where, and who is to decide what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, rule, scalar, state
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    ARTEFACTS,
    BAG_KINDS,
    BOATS,
    COVES,
    DEALT,
    EMPTY,
    EXPLORERS_EACH,
    FLOWS,
    KINDS,
    LAVA_KINDS,
    MOST_EXPLORERS,
    MOST_LAVA,
    MOST_SEATS,
    MOST_TILES,
    NO_TILE,
    REJECTED,
    TERRAIN,
)
from archipel.rules.mauna_kea.geometry import CELLS, DIRECTIONS, NOWHERE, ROWS_OF_CELLS, SPACES

# Phases: what is asked of the seat to move.
CHOOSE: Final = 0  # a card to reject (MK-X1)
PLACE: Final = 1  # a start cell for an explorer (MK-S2)
PLAY: Final = 2  # anything: tiles, explorers, cards, or to end the play (MK-T1)
EXPLORER: Final = 3  # something with the explorer just named
LEAVE: Final = 4  # which artefacts do not go on board (MK-B1)
SPACE: Final = 5  # where a tile is laid (MK-T2)
TURN: Final = 6  # which way round
REFILL: Final = 7  # expert game: the next draw, or a card before it (MK-X4)
CARD_EXPLORER: Final = 8  # whom a card moves or lifts
CARD_CELL: Final = 9  # where a card leads
QUAKE_SPACE: Final = 10  # which tile is turned (MK-X7)
QUAKE_TURN: Final = 11  # how far
QUAKE_DRAW: Final = 12  # whether a tile is drawn
OVER: Final = 13
DONE: Final = 14  # the turn is over; never seen between actions

# Actions of PLAY, EXPLORER and REFILL. In the other phases an action is the number of what is
# chosen: a card of the hand, a cell, a space, a colour, quarter turns, an explorer.
END_PLAY: Final = 0
TILE: Final = 1  # to lay, counted on by the place in front of its owner
SPEND: Final = TILE + MOST_TILES
NAME: Final = SPEND + MOST_TILES  # name an explorer, counted on by its number
STEP: Final = NAME + MOST_EXPLORERS  # counted on by direction
TAKE: Final = STEP + DIRECTIONS  # counted on by colour
PUT: Final = TAKE + 3
BOARD: Final = PUT + 3
CARD: Final = BOARD + 1  # counted on by kind
DRAW: Final = CARD + ACTION_KINDS
END_TURN: Final = DRAW + 1
PLAY_ACTIONS: Final = END_TURN + 1
# Of the earthquake, after the numbers of the spaces.
QUAKE_SKIP_TO_DRAW: Final = SPACES
# Of QUAKE_DRAW.
STOP: Final = 0
DRAW_NOW: Final = 1
ACTIONS: Final = CELLS

MOST_LEGAL: Final = ACTIONS

NOBODY: Final = -1
NO_CARD: Final = -2
UNKNOWN: Final = -1  # a card in a view

# Where an explorer is, if not on a cell.
UNPLACED: Final = -1
LOST: Final = -2
SAVED: Final = -3
LIFTED: Final = -4

# Where an artefact is, if not on a cell.
GONE: Final = -1
CARRIED: Final = CELLS  # counted on by 5 * seat + explorer
ABOARD: Final = CARRIED + MOST_SEATS * MOST_EXPLORERS  # counted on by boat
ON_CARD: Final = ABOARD + BOATS  # a helicopter's, counted on by seat

# Where a boat is: a cove, or from here on in front of a seat.
OWNED: Final = COVES

# Whether a turn put the clock back (MK-E3), and with it the end may have come (MK-E1).
STILL: Final = 0
STIRRED: Final = 1
JUST_STIRRED: Final = 2  # not yet looked at; never seen between actions

# Why the game is ending.
NOT_YET: Final = 0
NO_EXPLORER: Final = 1
NO_WAY_OUT: Final = 2
CLOCK: Final = 3
EMPTY_BAG: Final = 4


@state
@dataclass(slots=True)
class State:
    """A tile on a space is a kind of tile and its quarter turns (for lava: its heading).

    Tiles in front of a seat and cards in a hand are kept in the order of their kinds, so alike
    ones lie side by side.  About 650 bytes in machine form.
    """

    # Options.
    seats: int = scalar("i1")
    expert: int = scalar("i1")
    layout: int = scalar("i1")
    quiet_first_round: int = scalar("i1")
    # Whose decision it is, and what it is about.
    phase: int = scalar("i1")
    to_move: int = scalar("i1")
    first: int = scalar("i1", NOBODY)  # the first player of the set-up (MK-S2)
    resume: int = scalar("i1", PLAY)  # the phase that a stage goes back to: PLAY or REFILL
    active: int = scalar("i1", NOBODY)  # the explorer named last in this turn
    held: int = scalar("i1", NO_TILE)  # the tile being laid
    chosen: int = scalar("i1", NOWHERE)  # the space chosen for it, or to be turned
    card: int = scalar("i1", NO_CARD)  # the card being played
    # The course of the game.
    turn_number: int = scalar("i2")  # turns finished since the set-up
    pool: int = scalar("i1")  # movement points of the tiles spent (MK-T3)
    stirred: int = scalar("i1")  # whether this turn put the clock back (MK-E3)
    quiet_turns: int = scalar("i1")
    ending: int = scalar("i1")  # why the game is ending
    closer: int = scalar("i1", NOBODY)  # whose turn it was then (MK-E2)
    # The island.
    tile: list[int] = array("u1", SPACES, fill=EMPTY)
    turn: list[int] = array("i1", SPACES)
    flow_length: list[int] = array("i1", FLOWS)
    flow_space: list[list[int]] = array("i1", FLOWS, MOST_LAVA, fill=NOWHERE)
    flow_from: list[list[int]] = array("i1", FLOWS, MOST_LAVA, fill=NOWHERE)  # which came before
    # Tiles elsewhere.
    bag: list[int] = array("i1", BAG_KINDS)
    aside: list[int] = array("i1", LAVA_KINDS)
    out: list[int] = array("i1", KINDS)
    front: list[list[int]] = array("i1", MOST_SEATS, MOST_TILES, fill=NO_TILE)
    # Explorers, artefacts and boats.
    explorer: list[list[int]] = array("i2", MOST_SEATS, MOST_EXPLORERS, fill=UNPLACED)
    handled: list[int] = array("i1", MOST_EXPLORERS)  # colours taken and put in this stay (MK-A2)
    artefact: list[int] = array("i2", ARTEFACTS, fill=GONE)
    boat: list[int] = array("i1", BOATS)
    # Cards.
    hand: list[list[int]] = array("i1", MOST_SEATS, DEALT, fill=NO_CARD)
    rejected: list[list[int]] = array("i1", MOST_SEATS, REJECTED, fill=NO_CARD)
    played: list[int] = array("i1", ACTION_KINDS)
    # Rows of cells as bits: where the card being played leads; otherwise room to work, all 0.
    reach: list[int] = array("i8", ROWS_OF_CELLS)


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == OVER else s.to_move


@rule
def explorers_each(s: State) -> int:
    return EXPLORERS_EACH[s.seats]


@rule
def terrain_at(s: State, cell: int) -> int:
    """What the ground is like on a cell."""
    space = cell >> 2
    return TERRAIN[s.tile[space]][s.turn[space] * 4 + (cell & 3)]


@rule
def is_occupied(s: State, cell: int) -> bool:
    for seat in range(s.seats):
        for explorer in range(MOST_EXPLORERS):
            if s.explorer[seat][explorer] == cell:
                return True
    return False


@rule
def explorers_on_island(s: State, seat: int) -> int:
    count = 0
    for explorer in range(MOST_EXPLORERS):
        if s.explorer[seat][explorer] >= 0:
            count += 1
    return count


@rule
def clockwise(s: State, seat: int) -> int:
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def counter_clockwise(s: State, seat: int) -> int:
    return seat - 1 if seat > 0 else s.seats - 1
