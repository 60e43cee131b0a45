"""The definition of The Island: its options and its parts."""

from __future__ import annotations

from archipel.rules.contract import PlannedDecision
from archipel.rules.defining import define
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.options import Option, OptionError, Options, Value
from archipel.rules.position_fields import name_of
from archipel.rules.sentence import Sentence
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import TILES
from archipel.rules.the_island.components import EXPLORERS, MOST_SEATS
from archipel.rules.the_island.knowledge import knows_back, knows_value
from archipel.rules.the_island.position import ENDINGS, SWITCHES
from archipel.rules.the_island.state import NO_VALUE, Action, Phase, State


class MemoryOption(Option):
    """``open_memory`` (IS-S7): the seats that always see their own values.

    A table chooses off or on. A bot's seat always sees them, so the value may also be a text with
    the numbers of such seats: ``24`` if seats 2 and 4 are bots.
    """

    def choose(self, value: object) -> Value:
        if isinstance(value, str) and value.isdecimal():
            return value
        return super().choose(value)


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


def _asks_to_repel(s: State, kind: int) -> bool:
    return s.phase == Phase.DEFEND and box.KIND_OF[s.chosen - Action.CREATURE] == kind


#: Defence, which others wait for on their own turn (IS-D3).
PLANS = {
    "shark": PlannedDecision(
        "phase.defend",
        lambda s: _asks_to_repel(s, box.SHARK),
        {"action.yes.shark": Action.YES, "action.no.shark": Action.STOP},
    ),
    "whale": PlannedDecision(
        "phase.defend",
        lambda s: _asks_to_repel(s, box.WHALE),
        {"action.yes.whale": Action.YES, "action.no.whale": Action.STOP},
    ),
}


def memory_of(value: Value, seats: int) -> int:
    """The value of the option as a set of seats; raises `OptionError`."""
    if isinstance(value, bool):
        return (1 << seats) - 1 if value else 0
    numbers = str(value)
    if any(n not in "1234"[:seats] for n in numbers) or list(numbers) != sorted(set(numbers)):
        raise OptionError(
            Sentence(
                "open_memory: {numbers} is not off, on, or numbers of seats in a row, such as 13 "
                "(IS-S7)",
                numbers=numbers,
            )
        )
    return sum(1 << int(number) - 1 for number in numbers)


def memory_value(memory: int, seats: int) -> Value:
    """The value of the option for a set of seats."""
    if memory in (0, (1 << seats) - 1):
        return memory != 0
    return "".join(str(seat + 1) for seat in range(seats) if memory >> seat & 1)


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
    # IS-S9: players cannot remember values that they did not place.
    memory = memory_of(True if auto_setup else options["open_memory"], options.seats)
    s = State(seats=options.seats, memory=memory, auto_setup=int(auto_setup))
    for name in SWITCHES:
        setattr(s, name, int(bool(options[name])))
    s.turn = first_seat(options)
    return s


def read_options(s: State) -> Options:
    """The options of a position; it does not contain the first player and the kind of set-up."""
    values: dict[str, Value] = {option.name: option.default for option in OPTIONS}
    values["open_memory"] = memory_value(s.memory, s.seats)
    for name in SWITCHES:
        values[name] = bool(getattr(s, name))
    return Options(s.seats, values)


def ending(s: State) -> str:
    """The key of the sentence that says why the game ended."""
    return f"end.{name_of(ENDINGS, s.ending)}"


def reveals(before: State, after: State) -> bool:
    """Whether a seat learned a back or a value between two positions."""
    if before.holder == after.holder and before.value == after.value:
        if (before.phase == Phase.OVER, before.phase < Phase.PLAY_TILE) == (
            after.phase == Phase.OVER,
            after.phase < Phase.PLAY_TILE,
        ):
            return False  # nothing changed that knowledge depends on
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


THE_ISLAND = define(
    "the-island",
    __name__,
    State,
    setup="turn",
)
