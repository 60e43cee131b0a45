"""Atlantis, as the rest of the package knows it."""

from __future__ import annotations

from archipel.rules.atlantis.board import PIECES
from archipel.rules.atlantis.box import BOX
from archipel.rules.atlantis.components import FEWEST_SEATS, MOST_SEATS
from archipel.rules.atlantis.drawing import drawing
from archipel.rules.atlantis.end import rank, score
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen, is_shown, view
from archipel.rules.atlantis.narration import narrate
from archipel.rules.atlantis.notation import (
    action_text,
    outcomes_text,
    parse_action,
    parse_outcomes,
)
from archipel.rules.atlantis.picture import picture
from archipel.rules.atlantis.position import ENDINGS, parse_position, position_text
from archipel.rules.atlantis.question import question
from archipel.rules.atlantis.refusals import refusal
from archipel.rules.atlantis.scene import scene
from archipel.rules.atlantis.setup import set_up
from archipel.rules.atlantis.state import ACTIONS, MOST_LEGAL, State, seat_to_move
from archipel.rules.atlantis.turn import apply, legal
from archipel.rules.contract import Definition
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.hex_sea.position import name_of
from archipel.rules.options import Option, Options

RULES_VERSION = 1

FIRST = first_option(MOST_SEATS, "AT-S5")
SWIMMERS_LAND = Option("swimmers_land", (True, False), "AT-M7")


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(
        seats=options.seats,
        swimmers_land=int(bool(options["swimmers_land"])),
        turn=first_seat(options),
    )


def read_options(s: State) -> Options:
    """The options a position is played with. Who began the game it does not tell."""
    return Options(s.seats, {"first": None, "swimmers_land": bool(s.swimmers_land)})


def ending(s: State) -> str:
    """Why the game ended: the key of a sentence."""
    return f"end.{name_of(ENDINGS, s.ending)}"


def reveals(before: State, after: State) -> bool:
    """Whether an underside is shown after that was not before."""
    return any(is_shown(after, piece) and not is_shown(before, piece) for piece in range(PIECES))


ATLANTIS: Definition[State] = Definition(
    name="atlantis",
    package="archipel.rules.atlantis",
    rules_version=RULES_VERSION,
    board=BOX.name,
    seats=range(FEWEST_SEATS, MOST_SEATS + 1),
    options=(FIRST, SWIMMERS_LAND),
    state=State,
    actions=ACTIONS,
    most_legal=MOST_LEGAL,
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
