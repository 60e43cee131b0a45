"""What the shared rules leave open: tables, numbers and rules that each game has of its own.

The values here are placeholders: a game adopts a shared rule with its own in their place (see
`archipel.rules.kit.adoption`).  Its tables and numbers stand in its ``board``, ``components`` and
``state``, and are given all together in its ``sea``; of a rule, its docstring tells where each game
has its own.
"""

from __future__ import annotations

from archipel.rules.hex_sea.boats import HasBoats
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.kit import Chance, rule

# ---- the board and the box ----------------------------------------------------------------------

SPACES: int = 0
SHORES: int = 0  # safe islands
FIRST_NEAR: list[int] = []  # neighbours of a space: NEAR[FIRST_NEAR[space]] up to the next space's
NEAR: list[int] = []
SHORE_OF: list[int] = []  # the safe island that a space is an exit of, or -1
TERRAINS: tuple[str, ...] = ()
MOST_SEATS: int = 0
PEOPLE: int = 0  # numbered colour by colour
PER_COLOUR: int = 0
BOATS: int = 0
MOVEMENT_POINTS: int = 0
CREATURES: int = 0  # numbered kind by kind
CREATURE_KINDS: tuple[str, ...] = ()
FIRST_OF_KIND: list[int] = []  # and one more for the end
KIND_OF: list[int] = []

# ---- phases and actions -------------------------------------------------------------------------

LAST_OF_SET_UP: int = 0  # phases after it are turns
MOVE: int = 0
MOVE_TO: int = 0
CREATURE_STEP: int = 0
OVER: int = 0
NOT_OVER: int = 0  # how a game ended that goes on
FIRST_AUTOMATIC: int = 0
KEEP_MOVING: int = 0
BEGIN_SINKING: int = 0
ARRIVED: int = 0
TURN_ENDS: int = 0

ISLAND: int = 0
PERSON: int = 0
BOAT: int = 0
CREATURE_PIECE: int = 0
STOP: int = 0

# ---- rules --------------------------------------------------------------------------------------


@rule
def colours_in_play(s: HasSea) -> int:
    """Colours follow seats, round and round; a game of one colour each has as many as seats.

    Own: `the_island.state.colours_in_play`, `atlantis.sea.tribes_in_play`.
    """
    raise NotImplementedError


@rule
def seat_of(s: HasSea, person: int) -> int:
    """Whose person it is.

    Own: `the_island.state.owner`, `atlantis.sea.seat_of`.
    """
    raise NotImplementedError


@rule
def take_up(s: HasSea, person: int) -> None:
    """Off the space or the boat where they are; where to is for the caller to say.

    Own: `the_island.sea.take_up`, `atlantis.sea.take_up`.
    """
    raise NotImplementedError


@rule
def is_open_to_boats(s: HasBoats, space: int) -> bool:
    """Whether a boat may be sailed into a space.

    Own: `the_island.moving.is_open_to_boats`, `atlantis.moving.is_open_to_boats`.
    """
    raise NotImplementedError


@rule
def is_open_to_walkers(s: HasSea, space: int) -> bool:
    """Whether somebody on land may walk or dive into a space beside them.

    Own: `the_island.moving.is_open_to_walkers`, `atlantis.moving.is_open_to_walkers`.
    """
    raise NotImplementedError


@rule
def walker_can_move(s: HasSea, space: int) -> bool:
    """Whether somebody on the land of a space has somewhere to go.

    Own: `the_island.moving.walker_can_move`, `atlantis.moving.walker_can_move`.
    """
    raise NotImplementedError


@rule
def may_go_overboard(s: HasSea, person: int, space: int) -> bool:
    """Whether somebody in a boat may jump into the water of its space.

    Own: `the_island.moving.may_go_overboard`, `atlantis.moving.may_go_overboard`.
    """
    raise NotImplementedError


@rule
def swimmer_can_move(s: HasSea, person: int) -> bool:
    """Own: `the_island.moving.swimmer_can_move`, `atlantis.moving.swimmer_can_move`."""
    raise NotImplementedError


@rule
def legal_from_water(s: HasSea, person: int, actions: list[int]) -> int:
    """Where a swimmer may go.

    Own: `the_island.moving.legal_from_water`, `atlantis.moving.legal_from_water`.
    """
    raise NotImplementedError


@rule
def can_be_moved(s: HasSea, creature: int) -> bool:
    """Whether a creature that chance has named has somewhere to go.

    Own: `the_island.creature_move.can_swim_on`, `atlantis.spinner.can_be_moved`.
    """
    raise NotImplementedError


@rule
def act(s: HasSea, action: int) -> None:
    """What an action itself does.

    Own: `the_island.turn.act`, `atlantis.turn.act`.
    """
    raise NotImplementedError


@rule
def go_on_once(s: HasSea, chance: Chance) -> None:
    """What comes next where nobody decides.

    Own: `the_island.turn.go_on_once`, `atlantis.turn.go_on_once`.
    """
    raise NotImplementedError


@rule
def score(s: HasSea, seat: int) -> int:
    """Own: `the_island.end.score`, `atlantis.end.score`."""
    raise NotImplementedError
