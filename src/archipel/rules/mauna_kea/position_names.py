"""What things are called in positions, and which thing a name means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.mauna_kea.box_parts import LAYOUTS
from archipel.rules.mauna_kea.components import (
    BOATS,
    CARD_NAMES,
    COVE_NAMES,
    COVES,
    KINDS,
    MOST_EXPLORERS,
    MOST_SEATS,
    NO_TILE,
    TILE_NAMES,
    TILE_NUMBERS,
)
from archipel.rules.mauna_kea.geometry import CELL_NUMBERS, SPACE_NUMBERS, cell_name
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CARD_CELL,
    CARD_EXPLORER,
    CARRIED,
    CHOOSE,
    CLOCK,
    EMPTY_BAG,
    EXPLORER,
    GONE,
    LEAVE,
    LIFTED,
    LOST,
    NO_CARD,
    NO_EXPLORER,
    NO_WAY_OUT,
    NOBODY,
    NOT_YET,
    ON_CARD,
    OVER,
    OWNED,
    PLACE,
    PLAY,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SAVED,
    SPACE,
    TURN,
    UNKNOWN,
    UNPLACED,
    State,
)
from archipel.rules.sentence import Sentence

PHASES: Final = {
    "play": PLAY,
    "choose": CHOOSE,
    "place": PLACE,
    "explorer": EXPLORER,
    "leave": LEAVE,
    "space": SPACE,
    "turn": TURN,
    "refill": REFILL,
    "card-explorer": CARD_EXPLORER,
    "card-cell": CARD_CELL,
    "quake-space": QUAKE_SPACE,
    "quake-turn": QUAKE_TURN,
    "quake-draw": QUAKE_DRAW,
    "over": OVER,
}
ENDINGS: Final = {
    "-": NOT_YET,
    "no-explorer": NO_EXPLORER,
    "no-way-out": NO_WAY_OUT,
    "clock": CLOCK,
    "empty-bag": EMPTY_BAG,
}
SWITCH: Final = {"off": 0, "on": 1}
LAYOUT_NUMBERS: Final = {name: number for number, name in enumerate(LAYOUTS)}
RESUMED: Final = {"play": PLAY, "refill": REFILL}
OFF_BOARD: Final = {"-": UNPLACED, "lost": LOST, "saved": SAVED, "lifted": LIFTED}

_COUNTED: Final = re.compile(r"([a-z0-9-]+?)(?:\*(\d{1,2}))?")
_CARRIER: Final = re.compile(rf"([1-{MOST_SEATS}])\.([1-{MOST_EXPLORERS}])")
_BOAT: Final = re.compile(rf"boat([1-{BOATS}])")
_HELICOPTER: Final = re.compile(rf"helicopter([1-{MOST_SEATS}])")


# ---- writing ------------------------------------------------------------------------------------


def name_of(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def seat_text(seat: int) -> str:
    return "-" if seat == NOBODY else str(seat + 1)


def tile_text(tile: int) -> str:
    return "-" if tile == NO_TILE else TILE_NAMES[tile]


def counts_text(counts: list[int]) -> str:
    """Tiles by kind, and how many of each."""
    return listed(
        [
            TILE_NAMES[kind] + (f"*{count}" if count > 1 else "")
            for kind, count in enumerate(counts)
            if count
        ]
    )


def explorer_text(place: int) -> str:
    return cell_name(place) if place >= 0 else name_of(OFF_BOARD, place)


def artefact_text(place: int) -> str:
    if place == GONE:
        return "out"
    if place < CARRIED:
        return cell_name(place)
    if place < ABOARD:
        seat, explorer = divmod(place - CARRIED, MOST_EXPLORERS)
        return f"{seat + 1}.{explorer + 1}"
    return f"boat{place - ABOARD + 1}" if place < ON_CARD else f"helicopter{place - ON_CARD + 1}"


def boat_text(s: State, place: int) -> str:
    return COVE_NAMES[s.layout][place] if place < OWNED else str(place - OWNED + 1)


def cards_text(cards: list[int]) -> str:
    return listed(
        ["?" if card == UNKNOWN else CARD_NAMES[card] for card in cards if card != NO_CARD]
    )


def listed(parts: list[str]) -> str:
    return ",".join(parts) or "-"


# ---- reading ------------------------------------------------------------------------------------


def require(holds: bool, complaint: str, /, **parts: object) -> None:
    """`NotationError` with a sentence, unless something holds."""
    if not holds:
        raise NotationError(Sentence(complaint, **parts))


def parts_of(value: str) -> list[str]:
    """The parts of a list; ``-`` is an empty one."""
    return [] if value == "-" else value.split(",")


def read_tile(where: str, name: str, kinds: int) -> int:
    """A tile of the first so many kinds."""
    kind = TILE_NUMBERS.get(name, KINDS)
    require(
        kind < kinds,
        "{where}: {name!r} is not a tile for this; one is jjjl3 (MK-C1)",
        where=where,
        name=name,
    )
    return kind


def read_counts(where: str, value: str, first: int, end: int) -> Counter[int]:
    """How many there are of some tiles, of the kinds from ``first`` to before ``end``."""
    counts: Counter[int] = Counter()
    for part in parts_of(value):
        match = _COUNTED.fullmatch(part)
        kind = TILE_NUMBERS.get(match[1], KINDS) if match else KINDS
        if not match or not first <= kind < end:
            raise NotationError(
                Sentence(
                    "{where}: {part!r}: write tiles as jjjl3 or jjjl3*2 (MK-C1)",
                    where=where,
                    part=part,
                )
            )
        counts[kind] += int(match[2] or 1)
    return counts


def read_space(where: str, name: str) -> int:
    require(
        name in SPACE_NUMBERS,
        "{where}: {name!r} is not a space; they are a1 to i9 (MK-C2)",
        where=where,
        name=name,
    )
    return SPACE_NUMBERS[name]


def read_explorer(where: str, place: str) -> int:
    if place in OFF_BOARD:
        return OFF_BOARD[place]
    require(
        place in CELL_NUMBERS,
        "{where}: {place!r}: expected a cell like e4nw, saved, lifted or lost",
        where=where,
        place=place,
    )
    return CELL_NUMBERS[place]


def read_artefact(where: str, place: str) -> int:
    if place == "out":
        return GONE
    if place in CELL_NUMBERS:
        return CELL_NUMBERS[place]
    if match := _CARRIER.fullmatch(place):
        return CARRIED + (int(match[1]) - 1) * MOST_EXPLORERS + int(match[2]) - 1
    if match := _BOAT.fullmatch(place):
        return ABOARD + int(match[1]) - 1
    if match := _HELICOPTER.fullmatch(place):
        return ON_CARD + int(match[1]) - 1
    raise NotationError(
        Sentence(
            "{where}: {place!r}: expected a cell like e4nw, an explorer like 1.2, boat1, "
            "helicopter1 or out",
            where=where,
            place=place,
        )
    )


def read_boat(s: State, place: str) -> int:
    names = COVE_NAMES[s.layout]
    if place in names:
        return names.index(place)
    if place in map(str, range(1, s.seats + 1)):
        return COVES + int(place) - 1
    raise NotationError(
        Sentence(
            "boats: {place!r}: expected a cove ({coves}) or a seat",
            place=place,
            coves=", ".join(names),
        )
    )


def read_card(where: str, name: str, kinds: int) -> int:
    """A card of the first so many kinds."""
    require(
        name in CARD_NAMES[:kinds],
        "{where}: {name!r} is not a card for this: {known} (MK-X1)",
        where=where,
        name=name,
        known=", ".join(CARD_NAMES[:kinds]),
    )
    return CARD_NAMES.index(name)
