"""The definition of Mauna Kea, and its options."""

from __future__ import annotations

from archipel.rules.defining import define
from archipel.rules.first_player import check_first, first_option, first_seat
from archipel.rules.mauna_kea.box_files import BOX_NAME
from archipel.rules.mauna_kea.box_format import LAYOUTS
from archipel.rules.mauna_kea.components import MOST_SEATS
from archipel.rules.mauna_kea.narration import ENDINGS
from archipel.rules.mauna_kea.state import NO_CARD, Phase, State, explorers_on_island
from archipel.rules.options import Option, Options

RULES_VERSION = 1

FIRST = first_option(MOST_SEATS, "MK-S2")

OPTIONS = (
    FIRST,
    Option("expert", (False, True), "MK-X1"),
    Option("layout", LAYOUTS, "MK-C3"),
    Option("quiet_first_round", (False, True), "MK-L7"),
    Option("last_refill", (False, True), "MK-E4"),
)


def check_options(options: Options) -> None:
    check_first(FIRST, options)


def blank(options: Options) -> State:
    """A state with its options set, before `set_up`."""
    return State(
        seats=options.seats,
        expert=int(bool(options["expert"])),
        layout=LAYOUTS.index(str(options["layout"])),
        quiet_first_round=int(bool(options["quiet_first_round"])),
        last_refill=int(bool(options["last_refill"])),
        first=first_seat(options),
    )


def read_options(s: State) -> Options:
    """The options of a position. It does not say whether the first player was drawn."""
    return Options(
        s.seats,
        {
            "first": None,
            "expert": bool(s.expert),
            "layout": LAYOUTS[s.layout],
            "quiet_first_round": bool(s.quiet_first_round),
            "last_refill": bool(s.last_refill),
        },
    )


def ending(s: State) -> str:
    """The key of the sentence that says why the game ended."""
    return f"end.{ENDINGS[s.ending]}"


def ran_out(s: State, seat: int) -> bool:
    """MK-E1: whether a player has no explorer left on the island."""
    return explorers_on_island(s, seat) == 0


def reveals(before: State, after: State) -> bool:
    """Whether an action shows a card: one is played, or the hands are shown at the end."""
    if before.played != after.played:
        return True
    held = any(card != NO_CARD for hand in before.hand for card in hand)
    return before.phase != Phase.OVER and after.phase == Phase.OVER and held


MAUNA_KEA = define("mauna-kea", __name__, State, board=BOX_NAME, question="narration")
