"""The observation, field by field (see `archipel.rules.kit.core.observations`)."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.board import (
    BOARD,
    CORAL_ISLANDS,
    PIECE_SPACES,
    PIECES,
    SPACES,
    TERRAIN_OF,
)
from archipel.rules.atlantis.box_files import ANIMAL_KINDS, PARTS, TERRAINS, TRIBES
from archipel.rules.atlantis.names import NAMES
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Action, Phase
from archipel.rules.hex_sea import observation as shared
from archipel.rules.hex_sea.places import BOAT_ROOM
from archipel.rules.kit.core.encodings import Bits, Number, OneOf, Range, Ranges, Seat
from archipel.rules.kit.core.observations import (
    ActionRange,
    Graph,
    Mark,
    Nodes,
    Observation,
    Seen,
)

_PHASES: Final = (
    "place", "move", "move to", "sink", "relocate", "relocate to", "animal", "animal's step",
    "over",
)  # fmt: skip
_PEOPLE: Final = tuple(
    f"person {number + 1} of tribe {tribe + 1}"
    for tribe in range(TRIBES)
    for number in range(box.PER_TRIBE)
)
_SYMBOLS: Final = (*ANIMAL_KINDS, "boat", "whirlpool")
_CHOSEN: Final = shared.chosen_seen(
    SPACES,
    (
        ("a person", Action.PERSON, box.PEOPLE),
        ("a boat", Action.BOAT, box.BOATS),
        ("an animal", Action.ANIMAL, box.ANIMALS),
    ),
)
_SPACE: Final = Ranges((Range("none", NOTHING), Range("a space", 0, SPACES)))

_ACTIONS: Final = (
    ActionRange(
        Action.SPACE,
        tuple(NAMES.spaces),
        "a space: where a piece is placed or goes, or the piece of Atlantis to sink",
        (Phase.PLACE, Phase.MOVE_TO, Phase.SINK, Phase.RELOCATE_TO, Phase.ANIMAL_STEP),
    ),
    ActionRange(
        Action.ISLAND,
        tuple(NAMES.islands),
        "go ashore on a Coral Island",
        (Phase.MOVE_TO, Phase.RELOCATE_TO),
    ),
    ActionRange(
        Action.RIDE,
        tuple(f"ride {name}" for name in NAMES.islands),
        "ride a dolphin to a Coral Island",
        (Phase.MOVE_TO,),
    ),
    ActionRange(
        Action.PERSON,
        tuple(NAMES.people),
        "a person: tribe and number in the order of placement",
        (Phase.MOVE, Phase.RELOCATE),
    ),
    ActionRange(
        Action.BOAT,
        tuple(f"boat {name}" for name in NAMES.boats),
        "a boat to move, or to board",
        (Phase.MOVE, Phase.MOVE_TO, Phase.RELOCATE_TO),
    ),
    ActionRange(Action.ANIMAL, tuple(NAMES.creatures), "an animal to move", (Phase.ANIMAL,)),
    ActionRange(
        Action.STOP,
        ("stop or pass",),
        "end a part of the turn, or move no animal",
        (Phase.MOVE, Phase.MOVE_TO, Phase.ANIMAL, Phase.ANIMAL_STEP),
    ),
)

_GRAPH: Final = Graph(
    Nodes("places", SPACES, ("space", "crowd"), Action.SPACE),
    BOARD.neighbours,
    (
        Nodes(
            "people",
            box.PEOPLE,
            ("place", "sea_stepped"),
            Action.PERSON,
            at="place",
            sides=tuple(box.TRIBE_OF),
        ),
        Nodes("boats", box.BOATS, ("boat", "aboard"), Action.BOAT, at="boat"),
        Nodes(
            "animals",
            box.ANIMALS,
            ("creature",),
            Action.ANIMAL,
            at="creature",
            kinds=tuple(box.KIND_OF),
        ),
        Nodes("land", PIECES, ("symbol",), at=tuple(PIECE_SPACES), kinds=tuple(TERRAIN_OF)),
    ),
    (
        Mark("chosen", 0, "places"),
        Mark("chosen", 2, "people"),
        Mark("chosen", 4, "boats"),
        Mark("chosen", 6, "animals"),
        Mark("sinking", 1, "places"),
        Mark("origin", 1, "places"),
    ),
)

OBSERVATION: Final = Observation(
    (
        Seen("seats", Number(box.MOST_SEATS), "how many players there are"),
        Seen("swimmers_land", Number(1), "option: swimmers may go ashore"),
        Seen("phase", OneOf(_PHASES), "what is asked"),
        Seen("turn", Seat(box.MOST_SEATS), "whose turn it is"),
        Seen("points", Number(max(box.MOVEMENT_POINTS, box.RESCUE_POINTS)), "movement points left"),
        Seen("chosen", _CHOSEN, "the piece chosen for the move that is being made"),
        Seen("sinking", _SPACE, "the space whose people are placed elsewhere (AT-K2)"),
        Seen("spun", OneOf(("none", *ANIMAL_KINDS), UNKNOWN), "the animal the spinner shows"),
        Seen("part", Number(len(PARTS)), "how many spaces the spinner says, or T"),
        Seen("steps", Number(3), "spaces that the chosen animal may still go"),
        Seen("origin", _SPACE, "where the animal on its way came from (AT-W2)"),
        Seen("sea_stepped", Bits(_PEOPLE), "who has had their step in the sea (AT-M5)"),
        shared.idle_turns_seen(box.MOST_SEATS),
        shared.spaces_seen(ANIMAL_KINDS),
        Seen("crowd", Number(box.PER_TRIBE), "how many stand or swim in each space"),
        Seen("symbol", OneOf(("unknown", *_SYMBOLS), UNKNOWN), "under each piece (AT-S6)"),
        Seen(
            "land_left",
            Number(max(box.TERRAIN_PIECES)),
            "pieces on the board: " + ", ".join(TERRAINS),
        ),
        shared.people_seen(SPACES, CORAL_ISLANDS, box.BOATS, "people"),
        Seen("left", Number(box.PER_TRIBE), "people neither saved nor lost", per_seat="rows"),
        shared.pieces_seen("boat", SPACES, "where each boat is"),
        shared.crews_seen(BOAT_ROOM),
        shared.pieces_seen("creature", SPACES, "where each animal is: " + ", ".join(ANIMAL_KINDS)),
    ),
    {
        "wiped_out_ends": "an option of rules version 2, which keeps the layout of version 1",
        "ending": "it is told only when the game is over",
    },
    _PHASES,
    _ACTIONS,
    _GRAPH,
)
