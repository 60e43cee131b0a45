"""The observation, field by field (see `archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea import observation as shared
from archipel.rules.hex_sea.places import BOAT_ROOM
from archipel.rules.kit.core.encodings import Bits, Number, OneOf, Seat, SeatBits
from archipel.rules.kit.core.observations import (
    ActionRange,
    Graph,
    Mark,
    Nodes,
    Observation,
    Seen,
)
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SAFE_ISLANDS, SPACES, TILE_SPACES, TILES
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.state import ON_BOARD, OUT, UNKNOWN, Action, Phase

_YES: Final = Number(1)
_PHASES: Final = (
    "place an explorer", "name its value", "place a boat", "play a tile", "its piece",
    "where to", "move", "move to", "remove a tile", "fill a boat", "creature",
    "creature's step", "defend", "over",
)  # fmt: skip
_EXPLORERS: Final = tuple(
    f"explorer {number + 1} of colour {colour + 1}"
    for colour in range(box.COLOURS)
    for number in range(box.PER_COLOUR)
)
_CHOSEN: Final = shared.chosen_seen(
    SPACES,
    (
        ("an explorer", Action.EXPLORER, box.EXPLORERS),
        ("a boat", Action.BOAT, box.BOATS),
        ("a creature", Action.CREATURE, box.CREATURES),
    ),
)

_ACTIONS: Final = (
    ActionRange(
        Action.SPACE,
        tuple(NAMES.spaces),
        "a space: where a piece is placed or goes, the tile to remove, or where the tile of the "
        "hand came from",
        (
            Phase.PLACE_EXPLORER,
            Phase.PLACE_BOAT,
            Phase.PLAY_TILE,
            Phase.TILE_STEP,
            Phase.MOVE_TO,
            Phase.REMOVE,
            Phase.CREATURE_STEP,
        ),
    ),
    ActionRange(
        Action.ISLAND,
        tuple(NAMES.islands),
        "go ashore on a safe island",
        (Phase.MOVE_TO, Phase.TILE_STEP),
    ),
    ActionRange(
        Action.EXPLORER,
        tuple(NAMES.people),
        "an explorer: colour and number in the order of placement",
        (Phase.MOVE, Phase.TILE_PIECE, Phase.FILL_BOAT),
    ),
    ActionRange(
        Action.BOAT,
        tuple(f"boat {name}" for name in NAMES.boats),
        "a boat to move, or to board",
        (Phase.MOVE, Phase.MOVE_TO, Phase.TILE_PIECE, Phase.TILE_STEP),
    ),
    ActionRange(
        Action.CREATURE,
        tuple(NAMES.creatures),
        "a creature to move",
        (Phase.TILE_PIECE, Phase.CREATURE),
    ),
    ActionRange(
        Action.VALUE,
        tuple(
            f"{colour} colour, value {value}"
            for colour in ("first", "second")
            for value in range(1, box.HIGHEST_VALUE + 1)
        ),
        "the explorer just placed, by its value",
        (Phase.NAME_VALUE,),
    ),
    ActionRange(
        Action.STOP,
        ("stop or pass or no",),
        "end a part of the turn, play no tile, move no creature, or do not defend",
        (
            Phase.PLAY_TILE,
            Phase.TILE_PIECE,
            Phase.TILE_STEP,
            Phase.MOVE,
            Phase.MOVE_TO,
            Phase.FILL_BOAT,
            Phase.CREATURE,
            Phase.CREATURE_STEP,
            Phase.DEFEND,
        ),
    ),
    ActionRange(Action.YES, ("yes",), "defend with a tile", (Phase.DEFEND,)),
)

_GRAPH: Final = Graph(
    Nodes("places", SPACES, ("space",), Action.SPACE),
    BOARD.neighbours,
    (
        Nodes(
            "explorers",
            box.EXPLORERS,
            ("place", "value", "sea_stepped", "wet_moved"),
            Action.EXPLORER,
            at="place",
            sides=tuple(box.COLOUR_OF),
        ),
        Nodes("boats", box.BOATS, ("boat", "aboard"), Action.BOAT, at="boat"),
        Nodes(
            "creatures",
            box.CREATURES,
            ("creature",),
            Action.CREATURE,
            at="creature",
            kinds=tuple(box.KIND_OF),
        ),
        Nodes("tiles", TILES, ("terrain", "back", "holder"), at=tuple(TILE_SPACES)),
    ),
    (
        Mark("chosen", 0, "places"),
        Mark("chosen", 2, "explorers"),
        Mark("chosen", 4, "boats"),
        Mark("chosen", 6, "creatures"),
    ),
)

OBSERVATION: Final = Observation(
    (
        Seen("seats", Number(box.MOST_SEATS), "how many players there are"),
        Seen("two_colours", _YES, "option: two colours each"),
        Seen("crowded", _YES, "option: challenge crowded"),
        Seen("last_one", _YES, "option: challenge last one"),
        Seen("all_equal", _YES, "option: challenge all equal"),
        Seen("sunken", _YES, "option: challenge sunken"),
        Seen("strict_swimming", _YES, "option: strict swimming"),
        Seen("memory", SeatBits(box.MOST_SEATS), "who sees their own values throughout (IS-S7)"),
        Seen("phase", OneOf(_PHASES), "what is asked"),
        Seen("turn", Seat(box.MOST_SEATS), "whose turn it is"),
        Seen("to_move", Seat(box.MOST_SEATS, ()), "who is asked: in defence on another's turn"),
        Seen("points", Number(box.MOVEMENT_POINTS), "movement points left"),
        Seen("chosen", _CHOSEN, "what was chosen for the move that is being made"),
        Seen("steps", Number(3), "spaces that the chosen piece may still go"),
        Seen("playing", OneOf(("none", *box.SYMBOLS), UNKNOWN), "the tile that is being played"),
        Seen(
            "die", OneOf(("none", *box.CREATURE_KINDS), UNKNOWN), "the creature that the die shows"
        ),
        Seen("sea_stepped", Bits(_EXPLORERS), "who has had their step in the sea (IS-M12)"),
        Seen("wet_moved", Bits(_EXPLORERS), "who moved in or out of the water"),
        shared.idle_turns_seen(box.MOST_SEATS),
        shared.spaces_seen(box.CREATURE_KINDS),
        Seen("terrain", OneOf(box.TERRAINS), "the terrain of each tile"),
        Seen("back", OneOf(("unknown", *box.SYMBOLS), UNKNOWN), "the back of each tile (IS-I1)"),
        Seen(
            "holder",
            Seat(box.MOST_SEATS, ((ON_BOARD, "on the board"), (OUT, "out of the game"))),
            "in whose hand each tile is, or where else",
        ),
        Seen(
            "land_left",
            Number(max(box.TERRAIN_TILES)),
            "tiles on the board: " + ", ".join(box.TERRAINS),
        ),
        shared.people_seen(SPACES, SAFE_ISLANDS, box.BOATS, "explorers"),
        Seen(
            "value",
            Number(box.HIGHEST_VALUE, unknown=True),
            "the value of each explorer; 0 before it is placed (IS-S7)",
        ),
        Seen(
            "left", Number(2 * box.PER_COLOUR), "explorers neither saved nor lost", per_seat="rows"
        ),
        shared.pieces_seen("boat", SPACES, "where each boat is"),
        shared.crews_seen(BOAT_ROOM),
        shared.pieces_seen(
            "creature", SPACES, "where each creature is: " + ", ".join(box.CREATURE_KINDS)
        ),
    ),
    {
        "auto_setup": "it is done before anybody is asked",
        "ending": "it is told only when the game is over",
    },
    _PHASES,
    _ACTIONS,
    _GRAPH,
)
