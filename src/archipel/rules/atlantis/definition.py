"""The definition of Atlantis: its options and its parts."""

from __future__ import annotations

from archipel.rules.atlantis.board import PIECES
from archipel.rules.atlantis.box_files import BOX
from archipel.rules.atlantis.components import MOST_SEATS
from archipel.rules.atlantis.end import is_done
from archipel.rules.atlantis.knowledge import is_shown
from archipel.rules.atlantis.position import ENDINGS
from archipel.rules.atlantis.state import Phase, State
from archipel.rules.defining import define
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.options import Option, Options
from archipel.rules.position_fields import name_of

RULES_VERSION = 2

FIRST = first_option(MOST_SEATS, "AT-S5")
OPTIONS = (
    FIRST,
    Option("swimmers_land", (False, True), "AT-M7", former_defaults=((1, True),)),
    Option("wiped_out_ends", (True, False), "AT-E4"),
)


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(
        seats=options.seats,
        swimmers_land=int(bool(options["swimmers_land"])),
        wiped_out_ends=int(bool(options["wiped_out_ends"])),
        turn=first_seat(options),
    )


def read_options(s: State) -> Options:
    """The options of a position; it does not contain the first player."""
    options = {"swimmers_land": bool(s.swimmers_land), "wiped_out_ends": bool(s.wiped_out_ends)}
    return Options(s.seats, {"first": None, **options})


def ending(s: State) -> str:
    """The key of the sentence that says why the game ended."""
    return f"end.{name_of(ENDINGS, s.ending)}"


def ran_out(s: State, seat: int) -> bool:
    """AT-E1: whether a player has nobody left on the island or at sea, which ends the game."""
    return is_done(s, seat)


def reveals(before: State, after: State) -> bool:
    """Whether an underside was shown between two positions."""
    if before.land_left == after.land_left and (before.phase == Phase.OVER) == (
        after.phase == Phase.OVER
    ):
        return False  # nothing has sunk
    return any(is_shown(after, piece) and not is_shown(before, piece) for piece in range(PIECES))


ATLANTIS = define("atlantis", __name__, State, board=BOX.name)
