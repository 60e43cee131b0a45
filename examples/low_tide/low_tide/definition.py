"""Low Tide, as Archipel knows it: its options, and where its parts stand."""

from __future__ import annotations

from archipel.rules.defining import define
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.options import Options
from low_tide.rules import MOST_SEATS, SHELLS, State, knows

RULES_VERSION = 1

FIRST = first_option(MOST_SEATS, "LT-S2")
OPTIONS = (FIRST,)


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(seats=options.seats, to_move=first_seat(options))


def read_options(s: State) -> Options:
    """The options a position is played with. Who began the game it does not tell."""
    return Options(s.seats, {"first": None})


def ending(s: State) -> str:
    """Why the game ended: the key of a sentence."""
    return "end.empty_beach"


def reveals(before: State, after: State) -> bool:
    """Whether anybody knows a shell after that they did not know before."""
    return any(
        knows(after, seat, shell) and not knows(before, seat, shell)
        for seat in range(after.seats)
        for shell in range(SHELLS)
    )


LOW_TIDE = define(
    "low-tide",
    __name__,
    State,
    components="rules",
    state="rules",
    setup="rules",
    turn="rules",
    end="rules",
    knowledge="rules",
    invariants="rules",
    notation="words",
    position="words",
    refusals="words",
    narration="words",
    question="words",
    picture="looks",
    scene="looks",
)
