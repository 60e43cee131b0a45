"""Mauna Kea, as the rest of the package knows it."""

from __future__ import annotations

from archipel.rules.contract import Definition
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.mauna_kea.box import BOX_NAME
from archipel.rules.mauna_kea.box_parts import LAYOUTS
from archipel.rules.mauna_kea.components import FEWEST_SEATS, MOST_SEATS
from archipel.rules.mauna_kea.drawing import drawing
from archipel.rules.mauna_kea.end import rank, score
from archipel.rules.mauna_kea.invariants import FAULTS, fault
from archipel.rules.mauna_kea.knowledge import deal_unseen, view
from archipel.rules.mauna_kea.narration import ENDINGS, narrate
from archipel.rules.mauna_kea.notation import (
    action_text,
    outcomes_text,
    parse_action,
    parse_outcomes,
)
from archipel.rules.mauna_kea.picture import picture
from archipel.rules.mauna_kea.position_reading import parse_position
from archipel.rules.mauna_kea.position_writing import position_text
from archipel.rules.mauna_kea.question import question
from archipel.rules.mauna_kea.refusals import refusal
from archipel.rules.mauna_kea.scene import scene
from archipel.rules.mauna_kea.setup import set_up
from archipel.rules.mauna_kea.state import ACTIONS, NO_CARD, OVER, State, seat_to_move
from archipel.rules.mauna_kea.turn import apply, legal
from archipel.rules.options import Option, Options

RULES_VERSION = 1

FIRST = first_option(MOST_SEATS, "MK-S2")
EXPERT = Option("expert", (False, True), "MK-X1")
LAYOUT = Option("layout", LAYOUTS, "MK-C3")
QUIET_FIRST_ROUND = Option("quiet_first_round", (False, True), "MK-L7")


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(
        seats=options.seats,
        expert=int(bool(options["expert"])),
        layout=LAYOUTS.index(str(options["layout"])),
        quiet_first_round=int(bool(options["quiet_first_round"])),
        first=first_seat(options),
    )


def read_options(s: State) -> Options:
    """The options a position is played with. It does not tell whether first was drawn."""
    return Options(
        s.seats,
        {
            "first": None,
            "expert": bool(s.expert),
            "layout": LAYOUTS[s.layout],
            "quiet_first_round": bool(s.quiet_first_round),
        },
    )


def ending(s: State) -> str:
    """Why the game ended: the key of a sentence."""
    return f"end.{ENDINGS[s.ending]}"


def reveals(before: State, after: State) -> bool:
    """Whether anybody sees a card after that they did not see before: one is played, or the hands
    are shown at the end."""
    if before.played != after.played:
        return True
    held = any(card != NO_CARD for hand in before.hand for card in hand)
    return before.phase != OVER and after.phase == OVER and held


MAUNA_KEA: Definition[State] = Definition(
    name="mauna-kea",
    package="archipel.rules.mauna_kea",
    rules_version=RULES_VERSION,
    board=BOX_NAME,
    seats=range(FEWEST_SEATS, MOST_SEATS + 1),
    options=(FIRST, EXPERT, LAYOUT, QUIET_FIRST_ROUND),
    state=State,
    actions=ACTIONS,
    most_legal=ACTIONS,
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
)
