"""The definition of Deep Sea Adventure, and its options."""

from __future__ import annotations

from archipel.rules.contract import PlannedDecision
from archipel.rules.deep_sea.components import MOST_SEATS
from archipel.rules.deep_sea.knowledge import known_chips
from archipel.rules.deep_sea.position import DROP_ORDERS
from archipel.rules.deep_sea.state import Action, Phase, State
from archipel.rules.defining import define
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.options import Option, Options

RULES_VERSION = 2

FIRST = first_option(MOST_SEATS, "DS-S2")
OPTIONS = (
    FIRST,
    Option(
        "drop_order",
        ("piled", "taken"),
        "DS-E8",
        former=("chosen",),
        former_defaults=((1, "taken"),),
    ),
)

#: What a diver will do on the next turn does not depend on what others do until then.
PLANS = {
    "throw": PlannedDecision(
        "phase.throw",
        lambda s: s.phase == Phase.THROW,
        {
            "action.dive": Action.DIVE,
            "action.turn_back": Action.TURN_BACK,
            "action.swim_on": Action.SWIM_ON,
        },
    ),
    "search": PlannedDecision(
        "phase.search",
        lambda s: s.phase == Phase.SEARCH,
        {"action.nothing": Action.NOTHING, "action.take": Action.TAKE},
    ),
}


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(
        seats=options.seats,
        drop_order=DROP_ORDERS[str(options["drop_order"])],
        starter=first_seat(options),
    )


def read_options(s: State) -> Options:
    """The options of a position. It does not contain the first player."""
    names = {number: name for name, number in DROP_ORDERS.items()}
    return Options(s.seats, {"first": None, "drop_order": names[s.drop_order]})


def ending(s: State) -> str:
    """The key of the sentence that says why the game ended."""
    return "end.rounds" if s.line_length > 0 else "end.empty_line"


def reveals(before: State, after: State) -> bool:
    """Whether any seat knows a value afterwards that it did not know before."""
    return any(known_chips(after, seat) & ~known_chips(before, seat) for seat in range(after.seats))


DEEP_SEA = define("deep-sea", __name__, State, end="round_end", question="narration")
