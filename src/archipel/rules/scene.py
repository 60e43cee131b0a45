"""Scenes: a position as things to draw, and the legal actions as things to tap.

The browser knows no rules. It gets a scene: pieces in cells, gauges, and choices that say which
cells or pieces they belong to; a geometry per game tells it where each cell lies.  A scene is made
from a seat's view alone.

Cells, pieces and choices are sent as they are: `archipel.tables.shown` says how they look then.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

Property = str | int | bool | None | tuple[str, ...] | tuple[int, ...] | tuple[int | None, ...]


class Piece(Struct, frozen=True):
    """Something in a cell. ``id`` stays the same while it moves, so it can be animated."""

    id: str
    kind: str
    cell: str
    seat: int | None = None
    properties: Mapping[str, Property] = {}


class Cell(Struct, frozen=True):
    """A place; ``kind`` and ``properties`` say how it is drawn, the geometry says where."""

    id: str
    kind: str
    properties: Mapping[str, Property] = {}


class Choice(Struct, frozen=True):
    """A legal action: what to tap for it, and the key and parameters of its label.

    ``targets`` are ids of cells or pieces; an empty tuple means a plain button.  ``final`` actions
    cannot be taken back: the browser asks once more where that is not plain.
    """

    action: int
    text: str
    key: str
    details: Mapping[str, object] = {}
    targets: tuple[str, ...] = ()
    final: bool = False


class Scene(Struct, frozen=True):
    """All there is to draw for one seat. Of the gauges, those of the seat to move alone may stand
    apart (``own_gauges``, under names of their own), so that all others are shared."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    common_gauges: Mapping[str, Property]
    choices: tuple[Choice, ...]
    own_gauges: Mapping[str, Property] = {}

    @property
    def gauges(self) -> Mapping[str, Property]:
        """All of them."""
        if not self.own_gauges:
            return self.common_gauges
        return {**self.common_gauges, **self.own_gauges}
