"""From what somebody was shown last to what there is now: no more than what is different.

Scenes share what is alike from one position to the next, so most of it is the same object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, UnsetType, structs

from archipel.rules.scene import Scene
from archipel.tables import shown
from archipel.tables.sights import Sight, show_cell, show_choices, show_piece


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Identified)

_TABLE_FIELDS = shown.TableChange.__struct_fields__


def table_change(known: shown.Table, now: shown.Table) -> shown.TableChange | UnsetType:
    if known is now:
        return UNSET
    different = {
        name: value
        for name in _TABLE_FIELDS
        if (value := getattr(now, name)) != getattr(known, name)
    }
    return shown.TableChange(**different) if different else UNSET


_NOTHING = shown.PositionChange()


class Differences:
    """Between positions; of two scenes, or two lists of pieces, found once however many look at
    both."""

    def __init__(self) -> None:
        self._scenes: dict[tuple[int, int], shown.SceneChange] = {}
        self._pieces: dict[tuple[int, int], shown.PieceChange | UnsetType] = {}
        #: These live on, so that nothing else comes to have their identity.
        self._kept: list[tuple[Scene, Scene]] = []

    def position(self, known: Sight, now: Sight) -> shown.PositionChange | UnsetType:
        asked_by = now.take_back_asked_by
        change = shown.PositionChange(
            UNSET if known.to_move == now.to_move else now.to_move,
            UNSET if known.question == now.question else now.question,
            self._scene(known, now),
            UNSET if known.result == now.result else now.result,
            UNSET if known.may_take_back == now.may_take_back else now.may_take_back,
            UNSET if known.take_back_asked_by == asked_by else asked_by,
        )
        return UNSET if change == _NOTHING else change

    def _scene(self, known: Sight, now: Sight) -> shown.SceneChange | UnsetType:
        both = (id(known.scene), id(now.scene))
        change = self._scenes.get(both)
        if change is None:
            self._kept.append((known.scene, now.scene))
            change = self._scenes[both] = self._scene_change(known.scene, now.scene)
        if known.choices != now.choices:
            change = structs.replace(change, choices=show_choices(now.choices))
        return UNSET if change == _SAME_SCENE else change

    def _scene_change(self, before: Scene, after: Scene) -> shown.SceneChange:
        """But for the choices."""
        if before is after:
            return _SAME_SCENE
        old, new = before.gauges, after.gauges
        return shown.SceneChange(
            UNSET if before.cells is after.cells else _cells_change(before, after),
            UNSET if before.pieces is after.pieces else self._pieces_change(before, after),
            UNSET if old is new else _new_values(old, new) or UNSET,
            UNSET if old.keys() <= new.keys() else [name for name in old if name not in new],
        )

    def _pieces_change(self, before: Scene, after: Scene) -> shown.PieceChange | UnsetType:
        both = (id(before.pieces), id(after.pieces))
        change = self._pieces.get(both)
        if change is None:
            gone, put = _list_change(before.pieces, after.pieces)
            change = UNSET
            if gone or put:
                change = shown.PieceChange(gone, [(at, show_piece(piece)) for at, piece in put])
            self._pieces[both] = change
        return change


_SAME_SCENE = shown.SceneChange()


def _cells_change(before: Scene, after: Scene) -> shown.CellChange | UnsetType:
    gone, put = _list_change(before.cells, after.cells)
    if not gone and not put:
        return UNSET
    return shown.CellChange(gone, [(at, show_cell(cell)) for at, cell in put])


def _list_change(
    before: Sequence[Item], after: Sequence[Item]
) -> tuple[list[str], list[tuple[int, Item]]]:
    """Which ids are gone, and what is to be put where once they and what is put are left out."""
    if before is after:
        return [], []
    if len(before) == len(after):
        both = enumerate(zip(before, after, strict=True))
        other = [(at, old, new) for at, (old, new) in both if old is not new and old != new]
        if all(old.id == new.id for _, old, new in other):
            return [], [(at, new) for at, _, new in other]
    known = {item.id: item for item in before}
    put: list[tuple[int, Item]] = []
    kept: list[str] = []
    for at, item in enumerate(after):
        old = known.pop(item.id, None)
        if old is item or old == item:
            kept.append(item.id)
        else:
            put.append((at, item))
    staying = set(kept)
    if [item.id for item in before if item.id in staying] != kept:
        put = list(enumerate(after))  # another order: all of them anew
    return list(known), put


def _new_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in after.items() if name not in before or before[name] != value
    }
