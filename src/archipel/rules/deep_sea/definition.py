"""Deep Sea Adventure, as the rest of the package knows it."""

from __future__ import annotations

from archipel.rules.contract import Definition
from archipel.rules.deep_sea.components import FEWEST_SEATS, MOST_SEATS, MOST_UNITS_HELD
from archipel.rules.deep_sea.drawing import drawing
from archipel.rules.deep_sea.hopes import HOPES, hoped
from archipel.rules.deep_sea.invariants import FAULTS, fault
from archipel.rules.deep_sea.knowledge import deal_unseen, known_chips, view
from archipel.rules.deep_sea.narration import narrate, question
from archipel.rules.deep_sea.notation import (
    action_text,
    outcomes_text,
    parse_action,
    parse_outcomes,
)
from archipel.rules.deep_sea.picture import picture
from archipel.rules.deep_sea.position import DROP_ORDERS, parse_position, position_text
from archipel.rules.deep_sea.refusals import refusal
from archipel.rules.deep_sea.round_end import rank, score
from archipel.rules.deep_sea.scene import scene
from archipel.rules.deep_sea.setup import set_up
from archipel.rules.deep_sea.state import ACTIONS, State, seat_to_move
from archipel.rules.deep_sea.turn import apply, legal
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.options import Option, Options

RULES_VERSION = 1

FIRST = first_option(MOST_SEATS, "DS-S2")
DROP_ORDER = Option("drop_order", tuple(DROP_ORDERS), "DS-E8")


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
    """The options a position is played with. Who began the game is no longer told by it."""
    names = {number: name for name, number in DROP_ORDERS.items()}
    return Options(s.seats, {"first": None, "drop_order": names[s.drop_order]})


def ending(s: State) -> str:
    """Why the game ended: the key of a sentence."""
    return "end.rounds" if s.line_length > 0 else "end.empty_line"


def reveals(before: State, after: State) -> bool:
    """Whether anybody knows a value after that they did not know before."""
    return any(known_chips(after, seat) & ~known_chips(before, seat) for seat in range(after.seats))


DEEP_SEA: Definition[State] = Definition(
    name="deep-sea",
    package="archipel.rules.deep_sea",
    rules_version=RULES_VERSION,
    seats=range(FEWEST_SEATS, MOST_SEATS + 1),
    options=(FIRST, DROP_ORDER),
    state=State,
    actions=ACTIONS,
    most_legal=1 + MOST_UNITS_HELD,
    set_up=set_up,
    to_move=seat_to_move,
    legal=legal,
    apply=apply,
    view=view,
    deal_unseen=deal_unseen,
    score=score,
    rank=rank,
    fault=fault,
    faults=FAULTS,
    check_options=check_options,
    blank=blank,
    read_options=read_options,
    action_text=action_text,
    parse_action=parse_action,
    refusal=refusal,
    position_text=position_text,
    parse_position=parse_position,
    outcomes_text=outcomes_text,
    parse_outcomes=parse_outcomes,
    ending=ending,
    narrate=narrate,
    question=question,
    picture=picture,
    drawing=drawing,
    scene=scene,
    reveals=reveals,
    hopes=HOPES,
    hoped=hoped,
)
