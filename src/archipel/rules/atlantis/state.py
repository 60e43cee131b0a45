"""The state: the places of all pieces, and the decision to make."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.board import CORAL_ISLANDS, PIECES, SPACES
from archipel.rules.atlantis.box_files import TERRAINS
from archipel.rules.hex_sea.places import FIRST_CREATURE_BIT, IN_STOCK, WAITING
from archipel.rules.kit import array, namespace, rule, scalar, state


@namespace
class Phase:
    """The decision that the seat to move has to make."""

    PLACE: Final = 0  # a piece for a person
    MOVE: Final = 1  # step 1: a person or boat to move
    MOVE_TO: Final = 2  # its destination
    SINK: Final = 3  # step 2: a piece
    RELOCATE: Final = 4  # a person on the sinking piece (AT-K2)
    RELOCATE_TO: Final = 5  # its destination
    ANIMAL: Final = 6  # step 3: an animal to move
    ANIMAL_STEP: Final = 7  # its destination
    OVER: Final = 8

    # Automatic phases, without a decision.
    TURN_BEGINS: Final = 9
    KEEP_MOVING: Final = 10
    BEGIN_SINKING: Final = 11
    RELOCATING: Final = 12
    SHOW_SYMBOL: Final = 13
    SPIN: Final = 14
    ARRIVED: Final = 15
    TURN_ENDS: Final = 16
    FIRST_AUTOMATIC: Final = TURN_BEGINS


@namespace
class Action:
    """The first action of each kind; actions of a kind follow in the order of what they name."""

    SPACE: Final = 0
    ISLAND: Final = SPACES
    RIDE: Final = ISLAND + CORAL_ISLANDS
    PERSON: Final = RIDE + CORAL_ISLANDS
    BOAT: Final = PERSON + box.PEOPLE
    ANIMAL: Final = BOAT + box.BOATS
    STOP: Final = ANIMAL + box.ANIMALS  # also: pass


@namespace
class Purpose:
    """What an outcome is drawn for, at the tables of a duplicate event; 0: the deal."""

    SPINNER: Final = 1  # add the seat whose turn it is


ACTIONS: Final = Action.STOP + 1

MOST_LEGAL: Final = max(SPACES, box.PER_TRIBE + box.BOATS + 1)

NOBODY: Final = -1
NOTHING: Final = -1  # in place of an action or a space, if there is none
UNKNOWN: Final = -1  # a hidden symbol in a view; or nothing spun

# Animals in a space, as bits beside those of boats and land.
MONSTER_BIT: Final = FIRST_CREATURE_BIT << box.MONSTER
SHARK_BIT: Final = FIRST_CREATURE_BIT << box.SHARK
OCTOPUS_BIT: Final = FIRST_CREATURE_BIT << box.OCTOPUS
DOLPHIN_BIT: Final = FIRST_CREATURE_BIT << box.DOLPHIN
EATERS: Final = MONSTER_BIT | SHARK_BIT  # of swimmers
BLOCKERS: Final = MONSTER_BIT | OCTOPUS_BIT  # of boats


@namespace
class Ending:
    """Why the game ended."""

    NOT_OVER: Final = 0
    TRIBE_GONE: Final = 1  # AT-E1
    STALEMATE: Final = 2  # AT-E3


@state
@dataclass(slots=True)
class State:
    """People are numbered by tribe, then in the order of placement; pieces by their spaces; boats
    and animals in the order they come into play."""

    # Options.
    seats: int = scalar("i1")
    swimmers_land: int = scalar("i1")
    wiped_out_ends: int = scalar("i1", 1)
    # The decision to make.
    phase: int = scalar("i1")
    turn: int = scalar("i1", NOBODY)  # the seat whose turn it is; before set-up, the first player
    points: int = scalar("i1")  # AT-T1
    chosen: int = scalar("i2", NOTHING)  # the piece, as the action that chose it
    sinking: int = scalar("i2", NOTHING)  # the space whose people are being relocated (AT-K2)
    spun: int = scalar("i1", UNKNOWN)  # the kind of animal the spinner shows
    part: int = scalar("i1")  # the number of spaces that the spinner shows, or T
    steps: int = scalar("i1")  # spaces that the chosen animal may still go
    origin: int = scalar("i2", NOTHING)  # the space that the moving animal came from (AT-W2)
    sea_stepped: int = scalar("i8")  # the set of people who have made their sea step (AT-M5)
    # The end of the game.
    idle_turns: int = scalar("i1")  # turns begun with no piece left since anyone was saved or lost
    ending: int = scalar("i1")
    # The board.
    space: list[int] = array("u2", SPACES)
    crowd: list[int] = array("u1", SPACES)  # people who stand or swim in each space
    symbol: list[int] = array("i1", PIECES, fill=UNKNOWN)
    land_left: list[int] = array("i1", len(TERRAINS))  # on the board
    # The pieces.
    place: list[int] = array("u1", box.PEOPLE, fill=WAITING)
    left: list[int] = array("i1", box.MOST_SEATS)  # of each seat, people neither saved nor lost
    boat: list[int] = array("u1", box.BOATS, fill=IN_STOCK)
    aboard: list[list[int]] = array("i1", box.BOATS, box.MOST_SEATS)
    creature: list[int] = array("u1", box.ANIMALS, fill=IN_STOCK)


@rule
def seat_to_move(s: State) -> int:
    return NOBODY if s.phase == Phase.OVER else s.turn
