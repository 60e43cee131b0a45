"""The state: the places of all pieces (IS-C6), and the decision to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, IN_STOCK, WAITING
from archipel.rules.kit import array, namespace, rule, scalar, state
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import SAFE_ISLANDS, SPACES, TILES


@namespace
class Phase:
    """The decision that the seat to move has to make."""

    PLACE_EXPLORER: Final = 0  # a tile for an explorer
    NAME_VALUE: Final = 1  # the explorer placed there, by its value
    PLACE_BOAT: Final = 2
    PLAY_TILE: Final = 3  # step 1: a tile of the hand
    TILE_PIECE: Final = 4  # the piece that the tile moves
    TILE_STEP: Final = 5  # its destination
    MOVE: Final = 6  # step 2: a piece to move
    MOVE_TO: Final = 7  # its destination
    REMOVE: Final = 8  # step 3: a tile
    FILL_BOAT: Final = 9  # a swimmer for the new boat (IS-K8)
    CREATURE: Final = 10  # step 4: a creature to move
    CREATURE_STEP: Final = 11  # its destination
    DEFEND: Final = 12  # on another seat's turn: yes or no
    OVER: Final = 13

    # Automatic phases, without a decision.
    TURN_BEGINS: Final = 14
    BEGIN_MOVING: Final = 15
    KEEP_MOVING: Final = 16
    BEGIN_REMOVING: Final = 17
    TILE_RESOLVED: Final = 18
    ROLL: Final = 19
    ARRIVED: Final = 20
    TURN_ENDS: Final = 21
    FIRST_AUTOMATIC: Final = TURN_BEGINS


@namespace
class Action:
    """The first action of each kind; actions of a kind follow in the order of what they name."""

    SPACE: Final = 0
    ISLAND: Final = SPACES
    EXPLORER: Final = ISLAND + SAFE_ISLANDS
    BOAT: Final = EXPLORER + box.EXPLORERS
    CREATURE: Final = BOAT + box.BOATS
    VALUE: Final = CREATURE + box.CREATURES
    STOP: Final = VALUE + 2 * box.HIGHEST_VALUE  # also: pass, no
    YES: Final = STOP + 1


@namespace
class Purpose:
    """What an outcome is drawn for, at the tables of a duplicate event; 0: the deal."""

    DIE: Final = 1  # add the seat whose turn it is


ACTIONS: Final = Action.YES + 1

MOST_LEGAL: Final = max(SPACES, 2 * box.PER_COLOUR + box.BOATS + 1)

NOBODY: Final = -1
NOTHING: Final = 255  # in place of an action, if none is chosen
UNKNOWN: Final = -1  # a value or a back in a view
NO_VALUE: Final = 0  # of an explorer that is not placed yet

# The place of a tile: on the board, in the hand of a seat, or out of the game.
ON_BOARD: Final = -1
OUT: Final = box.MOST_SEATS

# Creatures in a space, as bits beside those of boats and land.
SERPENT_BIT: Final = FIRST_CREATURE_BIT
SHARK_BIT: Final = FIRST_CREATURE_BIT * 2
WHALE_BIT: Final = FIRST_CREATURE_BIT * 4
EATERS: Final = SERPENT_BIT | SHARK_BIT  # of swimmers
SINKERS: Final = SERPENT_BIT | WHALE_BIT  # of occupied boats


@namespace
class Ending:
    """Why the game ended."""

    NOT_OVER: Final = 0
    ERUPTION: Final = 1  # IS-E1
    NOBODY_LEFT: Final = 2  # IS-E3
    LAST_TILE: Final = 3  # IS-V4
    STALEMATE: Final = 4  # IS-V2


@state
@dataclass(slots=True)
class State:
    """Explorers are numbered by colour, then in the order of placement, which hides their values
    (IS-I4); tiles by their spaces; boats and creatures in the order they come into play."""

    # Options.
    seats: int = scalar("i1")
    two_colours: int = scalar("i1")
    crowded: int = scalar("i1")
    last_one: int = scalar("i1")
    all_equal: int = scalar("i1")
    sunken: int = scalar("i1")
    strict_swimming: int = scalar("i1")
    memory: int = scalar("i1")  # the set of seats that always see their own values (IS-S7)
    auto_setup: int = scalar("i1")  # reset when it is done
    # The decision to make.
    phase: int = scalar("i1")
    turn: int = scalar("i1", NOBODY)  # the seat whose turn it is; before set-up, the first player
    to_move: int = scalar("i1")  # the seat that decides: another than `turn` only in defence
    points: int = scalar("i1")  # IS-T2
    chosen: int = scalar("u1", NOTHING)  # the piece, as the action that chose it; or a space
    steps: int = scalar("i1")  # spaces that the chosen piece may still go
    playing: int = scalar("i1", UNKNOWN)  # the symbol of the tile that is being played
    die: int = scalar("i1", UNKNOWN)  # the kind of creature that the die shows
    sea_stepped: int = scalar("i8")  # a set of explorers (IS-M12)
    wet_moved: int = scalar("i8")  # explorers who moved in or out of the water (strict_swimming)
    # The end of the game.
    idle_turns: int = scalar("i1")  # turns begun with no tile left since anyone was saved or lost
    ending: int = scalar("i1")
    # The board.
    space: list[int] = array("u1", SPACES)
    terrain: list[int] = array("i1", TILES)
    back: list[int] = array("i1", TILES, fill=UNKNOWN)
    holder: list[int] = array("i1", TILES, fill=ON_BOARD)
    land_left: list[int] = array("i1", len(box.TERRAINS))  # on the board
    # The pieces.
    place: list[int] = array("u1", box.EXPLORERS, fill=WAITING)
    value: list[int] = array("i1", box.EXPLORERS)
    left: list[int] = array("i1", box.MOST_SEATS)  # of each seat, people neither saved nor lost
    boat: list[int] = array("u1", box.BOATS, fill=IN_STOCK)
    aboard: list[list[int]] = array("i1", box.BOATS, box.MOST_SEATS)
    creature: list[int] = array("u1", box.CREATURES, fill=IN_STOCK)


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == Phase.OVER else s.to_move


@rule
def colours_in_play(s: State) -> int:
    return box.COLOURS if s.two_colours != 0 else s.seats


@rule
def owner(s: State, explorer: int) -> int:
    """The seat of an explorer: colours follow seats, twice round with two colours each (IS-P1)."""
    colour = box.COLOUR_OF[explorer]
    return colour if colour < s.seats else colour - s.seats


@rule
def hand_size(s: State, seat: int) -> int:
    count = 0
    for tile in range(TILES):
        if s.holder[tile] == seat:
            count += 1
    return count
