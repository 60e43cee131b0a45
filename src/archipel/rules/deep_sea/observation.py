"""The observation of a diver (see `archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.notation import HAND_PLACES
from archipel.rules.deep_sea.state import Action, Phase
from archipel.rules.kit.core.encodings import Counts, Number, OneOf, Seat
from archipel.rules.kit.core.observations import ActionRange, Graph, Nodes, Observation, Seen

_LEVELS: Final = tuple(f"level {level + 1}" for level in range(box.LEVELS))
_HIGHEST: Final = box.LEVELS * box.VALUES_PER_LEVEL - 1
_ALL_POINTS: Final = box.CHIPS_PER_VALUE * sum(range(_HIGHEST + 1))
_UNIT: Final = Counts(_LEVELS)
_YES: Final = Number(1)
_SET: Final = Number(1, capped=True)

_PHASES: Final = ("throw", "search", "lay", "over")
_ACTIONS: Final = (
    ActionRange(Action.DIVE, ("dive",), "roll and move on, away", (Phase.THROW,)),
    ActionRange(Action.TURN_BACK, ("turn back",), "roll and move towards home", (Phase.THROW,)),
    ActionRange(Action.SWIM_ON, ("swim on",), "roll and move on, towards home", (Phase.THROW,)),
    ActionRange(Action.NOTHING, ("nothing",), "neither take nor put down", (Phase.SEARCH,)),
    ActionRange(Action.TAKE, ("take",), "take the chip or pile here", (Phase.SEARCH,)),
    ActionRange(
        Action.PUT,
        tuple(f"put {place}" for place in HAND_PLACES),
        "put down a chip of the hand, by its place in the hand",
        (Phase.SEARCH,),
    ),
    ActionRange(
        Action.LAY_DOWN,
        tuple(f"lay {place}" for place in HAND_PLACES),
        "lose the next chip, by its place in the hand (DS-E8)",
        (Phase.LAY,),
    ),
)

_GRAPH: Final = Graph(
    Nodes("places", box.LONGEST_LINE, ("line",)),
    tuple(
        tuple(near for near in (space - 1, space + 1) if 0 <= near < box.LONGEST_LINE)
        for space in range(box.LONGEST_LINE)
    ),
    (
        Nodes(
            "divers",
            box.MOST_SEATS,
            ("place", "turned", "home", "load", "hand", "treasure", "points"),
            at="place",
            kinds=tuple(range(box.MOST_SEATS)),
        ),
        Nodes("chips", box.CHIPS, ("value",)),
    ),
)

OBSERVATION: Final = Observation(
    (
        Seen("seats", Number(box.MOST_SEATS), "how many divers there are"),
        Seen("drop_order", _SET, "whether the drowned choose the order of their chips (DS-E8)"),
        Seen("phase", OneOf(_PHASES), "what is asked"),
        Seen("to_move", Seat(box.MOST_SEATS, ()), "who is asked"),
        Seen("round_number", Number(box.ROUNDS), "rounds finished"),
        Seen("starter", Seat(box.MOST_SEATS), "who starts the next round, as far as is known"),
        Seen("air", Number(box.FULL_AIR), "air left"),
        Seen("line_length", Number(box.LONGEST_LINE), "spaces of the line"),
        Seen(
            "line",
            _UNIT,
            "the chips on each space, by level; 0 on a disc and beyond the line",
            length="line_length",
        ),
        Seen(
            "value",
            Number(_HIGHEST, unknown=True),
            "the value of each chip, eight of each level in turn (DS-T9)",
        ),
        Seen("place", Number(box.LONGEST_LINE, signed=True), "space; -1 ÷ 43 in the submarine",
             per_seat="rows"),
        Seen("turned", _YES, "whether on the way back", per_seat="rows"),
        Seen("home", _YES, "whether back in the submarine", per_seat="rows"),
        Seen("load", Number(box.MOST_UNITS_HELD), "chips held", per_seat="rows"),
        Seen("hand", _UNIT, "the chips held, by level", per_seat="rows", columns="load"),
        Seen("treasure", _UNIT, "chips brought home", per_seat="rows"),
        Seen("points", Number(_ALL_POINTS), "points", per_seat="rows"),
        Seen("stirred", _YES, "whether this turn changed anything (DS-E7)"),
        Seen("idle_turns", Number(box.MOST_SEATS), "turns in a row that did not"),
        Seen("pile_room", Number(box.PILE), "chips that the outermost pile takes (DS-E3)"),
    ),
    {},
    _PHASES,
    _ACTIONS,
    _GRAPH,
)  # fmt: skip
