"""The observation, field by field (see `archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea import observation as shared
from archipel.rules.hex_sea.places import BOAT_ROOM
from archipel.rules.kit.core.encodings import Bits, Number, OneOf, Seat, SeatBits
from archipel.rules.kit.core.observations import Observation, Seen
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import SAFE_ISLANDS, SPACES
from archipel.rules.the_island.state import ON_BOARD, OUT, UNKNOWN, Action

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
)
