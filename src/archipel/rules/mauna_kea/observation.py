"""The observation of a player (see `archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit.core.encodings import Bits, Number, OneOf, Range, Ranges, Seat
from archipel.rules.kit.core.observations import (
    ActionRange,
    Graph,
    Mark,
    Nodes,
    Observation,
    Seen,
)
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.grid import CELLS, NEXT_CELL, NOWHERE, QUARTERS, SPACES
from archipel.rules.mauna_kea.notation import PLAY_WORDS, WORDS
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    OWNED,
    ArtefactPlace,
    ExplorerPlace,
    Phase,
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
        Range("terrain", 0, box.TERRAIN_KINDS),
        Range("lava", Tile.FIRST_LAVA, box.LAVA_KINDS),
        Range("start tile", Tile.FIRST_START, box.START_TILES),
        Range("printed", Tile.PRINTED),
        Range("volcano", Tile.VOLCANO),
        Range("empty", Tile.EMPTY),
    )
)
_TILE_IN_HAND: Final = OneOf(("none", *box.TILE_NAMES[: box.BAG_KINDS]), Tile.NONE)
_CARD: Final = OneOf(("none", "unknown", *box.CARD_NAMES), NO_CARD)
_HANDLED: Final = tuple(
    f"{deed} {colour}" for deed in ("took", "put") for colour in box.COLOUR_NAMES
)  # fmt: skip
_SPACE: Final = Ranges((Range("none", NOWHERE), Range("a space", 0, SPACES)))

_RESUMED: Final = OneOf(_PHASES[Phase.PLAY : -1], Phase.PLAY)
_ACTIVE: Final = OneOf(("none", *map(str, range(1, box.MOST_EXPLORERS + 1))), NOBODY)
_PREDECESSOR: Final = OneOf(("none", *map(str, range(box.MOST_LAVA))), NOWHERE)
_QUIET: Final = Number(box.CLOCK_ROUNDS * box.MOST_SEATS)
_ENDING: Final = OneOf(("not yet", "no explorer", "no way out", "clock", "empty bag"))
_TILES: Final = Number(max(box.COUNT))
_CELL: Final = Range("on a cell", 0, CELLS)
_CARRIERS: Final = box.MOST_SEATS * box.MOST_EXPLORERS
_EXPLORER: Final = Ranges(
    (
        _CELL,
        Range("not placed", ExplorerPlace.UNPLACED),
        Range("lost", ExplorerPlace.LOST),
        Range("saved", ExplorerPlace.SAVED),
        Range("lifted", ExplorerPlace.LIFTED),
    )
)
_ARTEFACT: Final = Ranges(
    (
        _CELL,
        Range("gone", ArtefactPlace.GONE),
        Range("carried", ArtefactPlace.CARRIED, _CARRIERS, box.MOST_EXPLORERS),
        Range("aboard", ArtefactPlace.ABOARD, box.BOATS),
        Range("lifted", ArtefactPlace.ON_CARD, box.MOST_SEATS, 1),
    )
)
_BOAT: Final = Ranges((Range("in a cove", 0, box.COVES), Range("owned", OWNED, box.MOST_SEATS, 1)))
_COLOURS: Final = ", ".join(box.COLOUR_NAMES)
_GROUND: Final = OneOf(("jungle", "lake", "mountain"))
_PLAYED: Final = Number(max(box.CARD_COUNT[: box.ACTION_KINDS]))


def _words(first: int, meaning: str, *phases: int) -> ActionRange:
    """The actions of one phase, which all have names of their own."""
    words = WORDS[phases[0]]
    return ActionRange(first, tuple(words), meaning, phases)


_FREE: Final = (Phase.PLAY, Phase.EXPLORER, Phase.REFILL)
_ACTIONS: Final = (
    ActionRange(0, tuple(PLAY_WORDS), "what to do next; each name is its notation", _FREE),
    ActionRange(
        0,
        tuple(f"card {place + 1}" for place in range(box.DEALT)),
        "the card of the hand to reject, by its place",
        (Phase.CHOOSE,),
    ),
    _words(0, "the start cell of an explorer", Phase.PLACE),
    _words(0, "the space of the tile", Phase.SPACE),
    _words(0, "quarter turns of the tile", Phase.TURN),
    _words(0, "the artefact that does not go on board", Phase.LEAVE),
    _words(0, "the explorer that a card moves", Phase.CARD_EXPLORER),
    _words(0, "the cell that a card leads to", Phase.CARD_CELL),
    _words(0, "the tile that an earthquake turns, or draw without turning", Phase.QUAKE_SPACE),
    _words(0, "quarter turns of the earthquake", Phase.QUAKE_TURN),
    _words(0, "whether to draw a tile", Phase.QUAKE_DRAW),
)

_GRAPH: Final = Graph(
    Nodes("places", CELLS, ("ground",), 0),
    tuple(
        tuple(near[cell] for near in NEXT_CELL if near[cell] != NOWHERE) for cell in range(CELLS)
    ),
    (
        Nodes(
            "tiles",
            SPACES,
            ("tile", "turn"),
            0,
            at=tuple(QUARTERS * space for space in range(SPACES)),
        ),
        Nodes(
            "explorers",
            box.MOST_SEATS * box.MOST_EXPLORERS,
            ("explorer",),
            at="explorer",
            kinds=tuple(
                e // box.MOST_EXPLORERS for e in range(box.MOST_SEATS * box.MOST_EXPLORERS)
            ),
        ),
        Nodes("artefacts", box.ARTEFACTS, ("artefact",), at="artefact"),
    ),
    (Mark("chosen", 1, "tiles"),),
)

OBSERVATION: Final = Observation(
    (
        Seen("seats", Number(box.MOST_SEATS), "how many players there are"),
        Seen("expert", _YES, "option: the expert game"),
        Seen("layout", _YES, "option: which of the two boards"),
        Seen("quiet_first_round", _YES, "option: a quiet first round"),
        Seen("phase", OneOf(_PHASES), "what is asked"),
        Seen("to_move", Seat(box.MOST_SEATS, ()), "who is asked"),
        Seen("first", Seat(box.MOST_SEATS), "the first player of the set-up (MK-S2)"),
        Seen("resume", _RESUMED, "the phase that a stage goes back to"),
        Seen("active", _ACTIVE, "the explorer named last in this turn"),
        Seen("held", _TILE_IN_HAND, "the tile being laid"),
        Seen("chosen", _SPACE, "the space chosen for it, or to be turned"),
        Seen("card", _CARD, "the card being played"),
        Seen("turn_number", Number(100, capped=True), "turns finished since the set-up"),
        Seen("pool", Number(25, capped=True), "movement points of the tiles spent (MK-T3)"),
        Seen("stirred", Number(2), "whether this turn put the clock back (MK-E3)"),
        Seen("quiet_turns", _QUIET, "turns since it was put back"),
        Seen("ending", _ENDING, "why the game is ending"),
        Seen("closer", Seat(box.MOST_SEATS), "whose turn it was then (MK-E2)"),
        Seen("tile", _TILE, "what lies on each space"),
        Seen("turn", Number(3), "quarter turns of each tile; of lava its heading"),
        Seen("ground", _GROUND, "the ground of each cell", told_by=terrain_at, places=CELLS),
        Seen("flow_length", Number(box.MOST_LAVA), "tiles of each lava flow"),
        Seen("flow_space", _SPACE, "their spaces"),
        Seen("flow_from", _PREDECESSOR, "which of the flow came before"),
        Seen("bag", _TILES, "tiles of each kind in the bag"),
        Seen("aside", _TILES, "lava tiles of each kind set aside"),
        Seen("out", _TILES, "tiles of each kind out of the game"),
        Seen("front", _TILE_IN_HAND, "tiles in front of each player", per_seat="rows"),
        Seen("explorer", _EXPLORER, "where the explorers of each player are", per_seat="rows"),
        Seen("handled", Bits(_HANDLED), "what the explorers of the turn took and put (MK-A2)"),
        Seen("artefact", _ARTEFACT, f"where each artefact is, colour by colour: {_COLOURS}"),
        Seen("boat", _BOAT, "where each boat is"),
        Seen("hand", _CARD, "the cards of each player (MK-V1)", per_seat="rows"),
        Seen("rejected", _CARD, "the cards that each player rejected", per_seat="rows"),
        Seen("played", _PLAYED, "action cards played, by kind"),
    ),
    {
        "last_refill": "an option that was added later; the layout stays as it was",
        "reach": "it follows from the card being played; the mask tells where it leads",
    },
    _PHASES,
    _ACTIONS,
    _GRAPH,
)
