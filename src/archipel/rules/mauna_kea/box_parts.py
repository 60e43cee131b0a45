"""What the data files describe: boards, tiles, boats and cards, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LAYOUTS: Final = ("orthogonal", "diagonal")
COLOURS: Final = ("white", "grey", "black")
ACTION_CARDS: Final = ("jungle", "lake", "mountain", "earthquake", "helicopter")
COVES: Final = 8
CELLS_OF_A_COVE: Final = 4


@dataclass(frozen=True)
class Flow:
    name: str
    arrow: str
    first: int
    heading: int


@dataclass(frozen=True)
class Board:
    """``spaces`` is one letter a space: S start tile, E printed start space, V volcano, . free."""

    layout: str
    spaces: str
    printed: str
    coves: tuple[tuple[str, tuple[int, ...]], ...]
    flows: tuple[Flow, ...]


@dataclass(frozen=True)
class TerrainTile:
    pattern: str
    points: int
    count: int


@dataclass(frozen=True)
class StartTile:
    name: str
    pattern: str
    spots: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LavaTile:
    """``exits`` lists the arm with the dot first."""

    flow: str
    shape: str
    exits: str
    count: int


@dataclass(frozen=True)
class Boat:
    name: str
    colour: str
    places: int


@dataclass(frozen=True)
class Card:
    """An action card, or an objective: what it needs and its points."""

    name: str
    count: int
    points: int = 0
    needs: tuple[tuple[str, int], ...] = ()
    boat: str = ""
    cancels: bool = False


@dataclass(frozen=True)
class Box:
    """Everything in the box."""

    boards: tuple[Board, ...]
    terrain: tuple[TerrainTile, ...]
    start: tuple[StartTile, ...]
    lava: tuple[LavaTile, ...]
    boats: tuple[Boat, ...]
    cards: tuple[Card, ...]
