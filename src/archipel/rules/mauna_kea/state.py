"""The state of Mauna Kea: fields, phases, actions and places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, namespace, rule, scalar, state
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.components import MOST_EXPLORERS, TERRAIN, Tile
from archipel.rules.mauna_kea.grid import CELLS, DIRECTIONS, NOWHERE, ROWS_OF_CELLS, SPACES


@namespace
class Phase:
    """The decision that the seat to move has to make."""

    CHOOSE: Final = 0  # a card to reject (MK-X1)
    PLACE: Final = 1  # a start cell for an explorer (MK-S2)
    PLAY: Final = 2  # anything: tiles, explorers, cards, or to end the play (MK-T1)
    EXPLORER: Final = 3  # an action of the explorer just named
    LEAVE: Final = 4  # an artefact that does not go on board (MK-B1)
    SPACE: Final = 5  # a space for a tile (MK-T2)
    TURN: Final = 6  # the orientation of that tile
    REFILL: Final = 7  # expert game: the next draw, or a card before it (MK-X4)
    CARD_EXPLORER: Final = 8  # the explorer that a card moves or lifts
    CARD_CELL: Final = 9  # the cell that a card leads to
    QUAKE_SPACE: Final = 10  # the tile that an earthquake turns (MK-X7)
    QUAKE_TURN: Final = 11  # its quarter turns
    QUAKE_DRAW: Final = 12  # whether to draw a tile
    OVER: Final = 13
    DONE: Final = 14  # the turn is over; only while an action is applied


@namespace
class Action:
    """Actions of the phases PLAY, EXPLORER and REFILL.

    TILE, SPEND, NAME, STEP, TAKE, PUT and CARD are the first of a range: add the index of the tile,
    explorer, direction, colour or kind of card.  In the other phases an action is the number of the
    card in the hand, cell, space, colour, quarter turns or explorer that is chosen.
    """

    END_PLAY: Final = 0
    TILE: Final = 1  # lay a tile
    SPEND: Final = TILE + box.MOST_TILES
    NAME: Final = SPEND + box.MOST_TILES  # name an explorer to move
    STEP: Final = NAME + MOST_EXPLORERS
    TAKE: Final = STEP + DIRECTIONS
    PUT: Final = TAKE + 3
    BOARD: Final = PUT + 3
    CARD: Final = BOARD + 1
    DRAW: Final = CARD + box.ACTION_KINDS
    END_TURN: Final = DRAW + 1
    COUNT: Final = END_TURN + 1


@namespace
class QuakeAction:
    """Actions of an earthquake."""

    SKIP_TO_DRAW: Final = SPACES  # in QUAKE_SPACE, after the numbers of the spaces
    STOP: Final = 0  # in QUAKE_DRAW
    DRAW: Final = 1


@namespace
class ExplorerPlace:
    """Where an explorer is if not on a cell."""

    UNPLACED: Final = -1
    LOST: Final = -2
    SAVED: Final = -3
    LIFTED: Final = -4


@namespace
class ArtefactPlace:
    """Where an artefact is if not on a cell; all but GONE are the first of a range."""

    GONE: Final = -1
    CARRIED: Final = CELLS  # add 5 * seat + explorer
    ABOARD: Final = CARRIED + box.MOST_SEATS * MOST_EXPLORERS  # add the boat
    ON_CARD: Final = ABOARD + box.BOATS  # a helicopter card: add the seat


@namespace
class Purpose:
    """What an outcome is drawn for, at the tables of a duplicate event; 0: the deal."""

    BAG: Final = 1  # the order of the tiles in the bag


@namespace
class Activity:
    """Whether this turn reset the clock (MK-E3)."""

    NONE: Final = 0
    SEEN: Final = 1
    NEW: Final = 2  # the end is still to be checked (MK-E1); only while an action is applied


@namespace
class Ending:
    """Why the game is ending."""

    NOT_YET: Final = 0
    NO_EXPLORER: Final = 1
    NO_WAY_OUT: Final = 2
    CLOCK: Final = 3
    EMPTY_BAG: Final = 4


ACTIONS: Final = CELLS
MOST_LEGAL: Final = ACTIONS

NOBODY: Final = -1
NO_CARD: Final = -2
UNKNOWN: Final = -1  # a card in a view
OWNED: Final = box.COVES  # a boat in front of a seat: add the seat; smaller numbers are coves


@state
@dataclass(slots=True)
class State:
    """A tile on a space is a kind of tile and its quarter turns (for lava: its heading).

    Tiles in front of a seat and cards in a hand are sorted by kind, so equal ones are adjacent.
    About 650 bytes in machine form.
    """

    # Options.
    seats: int = scalar("i1")
    expert: int = scalar("i1")
    layout: int = scalar("i1")
    quiet_first_round: int = scalar("i1")
    last_refill: int = scalar("i1")
    # The decision to make, and its context.
    phase: int = scalar("i1")
    to_move: int = scalar("i1")
    first: int = scalar("i1", NOBODY)  # the first player of the set-up (MK-S2)
    resume: int = scalar("i1", Phase.PLAY)  # the phase to go back to: PLAY or REFILL
    active: int = scalar("i1", NOBODY)  # the explorer named last in this turn
    held: int = scalar("i1", Tile.NONE)  # the tile being laid
    chosen: int = scalar("i1", NOWHERE)  # the space chosen for it, or to be turned
    card: int = scalar("i1", NO_CARD)  # the card being played
    # The progress of the game.
    turn_number: int = scalar("i2")  # turns finished since the set-up
    pool: int = scalar("i1")  # movement points of the tiles spent (MK-T3)
    stirred: int = scalar("i1")  # `Activity` of this turn (MK-E3)
    quiet_turns: int = scalar("i1")
    ending: int = scalar("i1")  # `Ending`
    closer: int = scalar("i1", NOBODY)  # the seat that began the end (MK-E2)
    # The island.
    tile: list[int] = array("u1", SPACES, fill=Tile.EMPTY)
    turn: list[int] = array("i1", SPACES)
    flow_length: list[int] = array("i1", box.FLOWS)
    flow_space: list[list[int]] = array("i1", box.FLOWS, box.MOST_LAVA, fill=NOWHERE)
    flow_from: list[list[int]] = array(
        "i1", box.FLOWS, box.MOST_LAVA, fill=NOWHERE
    )  # index of the tile before
    # Tiles elsewhere.
    bag: list[int] = array("i1", box.BAG_KINDS)
    aside: list[int] = array("i1", box.LAVA_KINDS)
    out: list[int] = array("i1", box.KINDS)
    front: list[list[int]] = array("i1", box.MOST_SEATS, box.MOST_TILES, fill=Tile.NONE)
    # Explorers, artefacts and boats.
    explorer: list[list[int]] = array(
        "i2", box.MOST_SEATS, MOST_EXPLORERS, fill=ExplorerPlace.UNPLACED
    )
    handled: list[int] = array("i1", MOST_EXPLORERS)  # colours taken and put here (MK-A2)
    artefact: list[int] = array("i2", box.ARTEFACTS, fill=ArtefactPlace.GONE)
    boat: list[int] = array("i1", box.BOATS)
    # Cards.
    hand: list[list[int]] = array("i1", box.MOST_SEATS, box.DEALT, fill=NO_CARD)
    rejected: list[list[int]] = array("i1", box.MOST_SEATS, box.REJECTED, fill=NO_CARD)
    played: list[int] = array("i1", box.ACTION_KINDS)
    # Rows of cells as bits: where the card being played leads. Scratch space otherwise, all 0.
    reach: list[int] = array("i8", ROWS_OF_CELLS)


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == Phase.OVER else s.to_move


@rule
def explorers_each(s: State) -> int:
    return box.EXPLORERS_EACH[s.seats]


@rule
def terrain_at(s: State, cell: int) -> int:
    """The terrain of a cell."""
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
