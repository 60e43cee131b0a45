"""What a player sees, as numbers (see `archipel.rules.kit.observing`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit.encoding import Bits, Number, OneOf, Range, Ranges, Seat
from archipel.rules.kit.observing import Observation, Seen
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    BAG_KINDS,
    BOATS,
    CARD_COUNT,
    CARD_NAMES,
    CLOCK_ROUNDS,
    COLOUR_NAMES,
    COUNT,
    COVES,
    EMPTY,
    FIRST_LAVA,
    FIRST_START,
    FLOWS,
    KINDS,
    LAVA_KINDS,
    MOST_EXPLORERS,
    MOST_LAVA,
    MOST_SEATS,
    NO_TILE,
    PRINTED,
    START_TILES,
    TERRAIN_KINDS,
    TILE_NAMES,
    VOLCANO,
)
from archipel.rules.mauna_kea.geometry import CELLS, NOWHERE, SPACES
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CARRIED,
    GONE,
    LIFTED,
    LOST,
    NO_CARD,
    NOBODY,
    ON_CARD,
    OWNED,
    PLAY,
    SAVED,
    UNPLACED,
    terrain_at,
)

_YES: Final = Number(1)
_PHASES: Final = (
    "choose a card", "place", "play", "an explorer", "leave artefacts", "space of a tile",
    "turn of a tile", "refill", "explorer of a card", "cell of a card", "space of a quake",
    "turn of a quake", "draw of a quake", "over",
)  # fmt: skip
_TILE: Final = Ranges(
    (
        Range("terrain", 0, TERRAIN_KINDS),
        Range("lava", FIRST_LAVA, LAVA_KINDS),
        Range("start tile", FIRST_START, START_TILES),
        Range("printed", PRINTED),
        Range("volcano", VOLCANO),
        Range("empty", EMPTY),
    )
)
_TILE_IN_HAND: Final = OneOf(("none", *TILE_NAMES[:BAG_KINDS]), NO_TILE)
_CARD: Final = OneOf(("none", "unknown", *CARD_NAMES), NO_CARD)
_HANDLED: Final = tuple(
    f"{deed} {colour}" for deed in ("took", "put") for colour in COLOUR_NAMES
)  # fmt: skip
_SPACE: Final = Ranges((Range("none", NOWHERE), Range("a space", 0, SPACES)))

OBSERVATION: Final = Observation(
    (
        Seen("seats", Number(MOST_SEATS), "how many players there are"),
        Seen("expert", _YES, "option: the expert game"),
        Seen("layout", _YES, "option: which of the two boards"),
        Seen("quiet_first_round", _YES, "option: a quiet first round"),
        Seen("phase", OneOf(_PHASES), "what is asked"),
        Seen("to_move", Seat(MOST_SEATS, ()), "who is asked"),
        Seen("first", Seat(MOST_SEATS), "the first player of the set-up (MK-S2)"),
        Seen("resume", OneOf(_PHASES[PLAY:-1], PLAY), "the phase that a stage goes back to"),
        Seen(
            "active",
            OneOf(("none", *(str(n + 1) for n in range(MOST_EXPLORERS))), NOBODY),
            "the explorer named last in this turn",
        ),
        Seen("held", _TILE_IN_HAND, "the tile being laid"),
        Seen("chosen", _SPACE, "the space chosen for it, or to be turned"),
        Seen("card", _CARD, "the card being played"),
        Seen("turn_number", Number(100, capped=True), "turns finished since the set-up"),
        Seen("pool", Number(25, capped=True), "movement points of the tiles spent (MK-T3)"),
        Seen("stirred", Number(2), "whether this turn put the clock back (MK-E3)"),
        Seen("quiet_turns", Number(CLOCK_ROUNDS * MOST_SEATS), "turns since it was put back"),
        Seen(
            "ending",
            OneOf(("not yet", "no explorer", "no way out", "clock", "empty bag")),
            "why the game is ending",
        ),
        Seen("closer", Seat(MOST_SEATS), "whose turn it was then (MK-E2)"),
        Seen("tile", _TILE, "what lies on each space"),
        Seen("turn", Number(3), "quarter turns of each tile; of lava its heading"),
        Seen(
            "ground",
            OneOf(("jungle", "lake", "mountain")),
            "the ground of each cell",
            told_by=terrain_at,
            places=CELLS,
        ),
        Seen("flow_length", Number(MOST_LAVA), "tiles of each lava flow"),
        Seen("flow_space", _SPACE, "their spaces"),
        Seen(
            "flow_from",
            OneOf(("none", *(str(n) for n in range(MOST_LAVA))), NOWHERE),
            "which of the flow came before",
        ),
        Seen("bag", Number(max(COUNT)), "tiles of each kind in the bag"),
        Seen("aside", Number(max(COUNT)), "lava tiles of each kind set aside"),
        Seen("out", Number(max(COUNT)), "tiles of each kind out of the game"),
        Seen("front", _TILE_IN_HAND, "tiles in front of each player", per_seat="rows"),
        Seen(
            "explorer",
            Ranges(
                (
                    Range("on a cell", 0, CELLS),
                    Range("not placed", UNPLACED),
                    Range("lost", LOST),
                    Range("saved", SAVED),
                    Range("lifted", LIFTED),
                )
            ),
            "where the explorers of each player are",
            per_seat="rows",
        ),
        Seen("handled", Bits(_HANDLED), "what the explorers of the turn took and put (MK-A2)"),
        Seen(
            "artefact",
            Ranges(
                (
                    Range("on a cell", 0, CELLS),
                    Range("gone", GONE),
                    Range("carried", CARRIED, MOST_SEATS * MOST_EXPLORERS, MOST_EXPLORERS),
                    Range("aboard", ABOARD, BOATS),
                    Range("lifted", ON_CARD, MOST_SEATS, 1),
                )
            ),
            "where each artefact is, colour by colour: " + ", ".join(COLOUR_NAMES),
        ),
        Seen(
            "boat",
            Ranges((Range("in a cove", 0, COVES), Range("owned", OWNED, MOST_SEATS, 1))),
            "where each boat is",
        ),
        Seen("hand", _CARD, "the cards of each player (MK-V1)", per_seat="rows"),
        Seen("rejected", _CARD, "the cards that each player rejected", per_seat="rows"),
        Seen("played", Number(max(CARD_COUNT[:ACTION_KINDS])), "action cards played, by kind"),
    ),
    {"reach": "it follows from the card being played; the mask tells where it leads"},
)

assert len(TILE_NAMES) == KINDS
assert FLOWS > 0
