"""The Island, as the rest of the package knows it."""

from __future__ import annotations

from archipel.rules.contract import Definition
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.hex_sea.position import name_of
from archipel.rules.options import Option, OptionError, Options, Value
from archipel.rules.sentence import Sentence
from archipel.rules.the_island.board import TILES
from archipel.rules.the_island.components import EXPLORERS, FEWEST_SEATS, MOST_SEATS
from archipel.rules.the_island.drawing import drawing
from archipel.rules.the_island.end import rank, score
from archipel.rules.the_island.invariants import FAULTS, fault
from archipel.rules.the_island.knowledge import deal_unseen, knows_back, knows_value, view
from archipel.rules.the_island.memory import MemoryOption, memory_of, memory_value
from archipel.rules.the_island.narration import narrate
from archipel.rules.the_island.notation import (
    action_text,
    outcomes_text,
    parse_action,
    parse_outcomes,
)
from archipel.rules.the_island.picture import picture
from archipel.rules.the_island.position import ENDINGS, SWITCHES, position_text
from archipel.rules.the_island.position_reading import parse_position
from archipel.rules.the_island.question import question
from archipel.rules.the_island.refusals import refusal
from archipel.rules.the_island.scene import scene
from archipel.rules.the_island.state import (
    ACTIONS,
    MOST_LEGAL,
    NO_VALUE,
    State,
    seat_to_move,
)
from archipel.rules.the_island.turn import apply, legal, set_up

RULES_VERSION = 1

SWITCH = (False, True)
FIRST = first_option(MOST_SEATS, "IS-S4")

OPTIONS = (
    FIRST,
    Option("auto_setup", SWITCH, "IS-S9"),
    MemoryOption("open_memory", SWITCH, "IS-S7"),
    Option("two_colours", SWITCH, "IS-P1"),
    Option("crowded", SWITCH, "IS-V1"),
    Option("last_one", SWITCH, "IS-V2"),
    Option("all_equal", SWITCH, "IS-V3"),
    Option("sunken", SWITCH, "IS-V4"),
    Option("strict_swimming", SWITCH, "IS-M7"),
)


def check_options(options: Options) -> None:
    check_first(FIRST, options)
    memory_of(options["open_memory"], options.seats)
    if options["two_colours"] and options.seats != 2:
        raise OptionError(
            Sentence("two_colours is for two players, not {seats} (IS-P1)", seats=options.seats)
        )
    if options["last_one"] and options["sunken"]:  # IS-V0
        raise OptionError(Sentence("last_one and sunken exclude each other (IS-V0)"))


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    auto_setup = bool(options["auto_setup"])
    # IS-S9: nobody could remember what they did not place.
    memory = memory_of(True if auto_setup else options["open_memory"], options.seats)
    s = State(seats=options.seats, memory=memory, auto_setup=int(auto_setup))
    for name in SWITCHES:
        setattr(s, name, int(bool(options[name])))
    s.turn = first_seat(options)
    return s


def read_options(s: State) -> Options:
    """The options a position is played with. Who began, and how it was set up, it does not tell."""
    values: dict[str, Value] = {option.name: option.default for option in OPTIONS}
    values["open_memory"] = memory_value(s.memory, s.seats)
    for name in SWITCHES:
        values[name] = bool(getattr(s, name))
    return Options(s.seats, values)


def ending(s: State) -> str:
    """Why the game ended: the key of a sentence."""
    return f"end.{name_of(ENDINGS, s.ending)}"


def reveals(before: State, after: State) -> bool:
    """Whether anybody knows a back or a value after that they did not know before."""
    for seat in range(after.seats):
        for tile in range(TILES):
            if knows_back(after, seat, tile) and not knows_back(before, seat, tile):
                return True
        for explorer in range(EXPLORERS):
            placed = before.value[explorer] != NO_VALUE
            if placed and not knows_value(before, seat, explorer):
                if knows_value(after, seat, explorer):
                    return True
    return False


THE_ISLAND: Definition[State] = Definition(
    name="the-island",
    package="archipel.rules.the_island",
    rules_version=RULES_VERSION,
    seats=range(FEWEST_SEATS, MOST_SEATS + 1),
    options=OPTIONS,
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
