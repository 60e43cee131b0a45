"""Scenes: a position as things to draw, and the legal actions as things to tap.

The browser knows no rules. It gets a scene: pieces in cells, gauges, and choices that say which
cells or pieces they belong to; a geometry per game tells it where each cell lies.  A scene is made
from a seat's view alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Property = str | int | bool | None | tuple[str, ...] | tuple[int, ...] | tuple[int | None, ...]


@dataclass(frozen=True)
class Piece:
    """Something in a cell. ``id`` stays the same while it moves, so it can be animated."""

    id: str
    kind: str
    cell: str
    seat: int | None = None
    properties: Mapping[str, Property] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """A place; ``kind`` and ``properties`` say how it is drawn, the geometry says where."""

    id: str
    kind: str
    properties: Mapping[str, Property] = field(default_factory=dict)


@dataclass(frozen=True)
class Choice:
    """A legal action: what to tap for it, and the key and parameters of its label.

    ``targets`` are ids of cells or pieces; an empty tuple means a plain button.  ``final`` actions
    cannot be taken back: the browser asks once more where that is not plain.
    """

    action: int
    text: str
    key: str
    details: Mapping[str, object] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    final: bool = False


@dataclass(frozen=True)
class Scene:
    """All there is to draw for one seat."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    gauges: Mapping[str, Property]
    choices: tuple[Choice, ...]
