"""Scenes: a position as things to draw, and the legal actions as things to tap.

The browser knows no rules. It gets a scene: pieces in cells, gauges, and choices that name the
cells or pieces to tap; the browser's geometry of each game says where a cell lies.  A scene is made
from a seat's view alone and sent as it is, as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

Property = str | int | bool | None | tuple[str, ...] | tuple[int, ...] | tuple[int | None, ...]

#: The most paths of a scene.
MOST_PATHS = 200

#: The gauges that only the seat to move gets: pieces it cannot choose now, and why not.
NOT_NOW = ("not_now", "not_now_why", "not_now_rules")


class Piece(Struct, frozen=True):
    """Something in a cell. ``id`` stays the same while it moves, so that it can be animated."""

    id: str
    kind: str
    cell: str
    seat: int | None = None
    properties: Mapping[str, Any] = {}


class Cell(Struct, frozen=True):
    """A place; ``kind`` and ``properties`` say how to draw it, the geometry says where."""

    id: str
    kind: str
    properties: Mapping[str, Any] = {}


class Choice(Struct, frozen=True):
    """A legal action: the targets to tap, its notation, and its label as a sentence key.

    ``targets`` are ids of cells or pieces; without any, the choice is a button.  ``final`` actions
    cannot be taken back: the browser asks for confirmation where that is not obvious.
    """

    action: int
    text: str
    key: str
    details: Mapping[str, Any] = {}
    targets: tuple[str, ...] = ()
    final: bool = False


class Path(Choice, frozen=True):
    """Several actions in a row that a tap on a far target performs: ``action``, and ``then`` the
    others.

    All of them belong to the seat to move and are legal in turn.  No action but the last involves
    chance, reveals anything or loses a piece, and no other way of this length leads elsewhere.
    """

    then: tuple[int, ...] = ()


class Scene(Struct, frozen=True):
    """Everything to draw for one seat; ``choices`` and ``paths`` are empty unless the seat is to
    move."""

    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    gauges: Mapping[str, Any]
    choices: tuple[Choice, ...]
    paths: tuple[Path, ...] = ()


def gauges_for_others(gauges: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the gauges of a scene without those that only the seat to move gets."""
    if NOT_NOW[0] not in gauges:
        return gauges
    return {name: value for name, value in gauges.items() if name not in NOT_NOW}
