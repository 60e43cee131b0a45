"""From what somebody was shown last to what there is now: no more than what is different.

Scenes share what is alike from one position to the next, so most of it is the same object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, Protocol, TypeVar

from msgspec import UNSET, UnsetType

from archipel.rules.scene import Scene
from archipel.tables import shown
from archipel.tables.sights import Sight, show_cells, show_choices, show_pieces


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


class Differences:
    """Between positions; of two scenes, or two lists of pieces, found once however many look at
    both."""

    def __init__(self) -> None:
        self._scenes: dict[tuple[int, int], _Parts] = {}
        self._pieces: dict[tuple[int, int], shown.PieceChange | UnsetType] = {}
        self._gauges: dict[tuple[int, int], _Gauges] = {}
        #: These live on, so that nothing else comes to have their identity.
        self._kept: list[tuple[Scene, Scene]] = []

    def position(self, known: Sight, now: Sight) -> shown.PositionChange | UnsetType:
        asked_by = now.take_back_asked_by
        different = (
            UNSET if known.to_move == now.to_move else now.to_move,
            UNSET if known.question == now.question else now.question,
            self._scene(known, now),
            UNSET if known.result == now.result else now.result,
            UNSET if known.may_take_back is now.may_take_back else now.may_take_back,
            UNSET if known.take_back_asked_by == asked_by else asked_by,
        )
        return UNSET if different == _NOTHING else shown.PositionChange(*different)

    def _scene(self, known: Sight, now: Sight) -> shown.SceneChange | UnsetType:
        before, after = known.scene, now.scene
        both = (id(before), id(after))
        parts = self._scenes.get(both)
        if parts is None:
            self._kept.append((before, after))
            parts = self._scenes[both] = self._scene_parts(before, after)
        if known.choices == now.choices:
            return UNSET if parts == _SAME_SCENE else shown.SceneChange(*parts)
        return shown.SceneChange(*parts, show_choices(now.choices))

    def _scene_parts(self, before: Scene, after: Scene) -> _Parts:
        """All but the choices."""
        if before is after:
            return _SAME_SCENE
        new, gone = self._common_gauges(before, after)
        own, own_before = after.own_gauges, before.own_gauges
        if own_before is not own:
            new = {**new, **(_new_values(own_before, own) if own_before else own)}
            if own_before:
                gone = gone + [name for name in own_before if name not in own]
        if gone:
            gone = [name for name in gone if name not in own and name not in after.common_gauges]
        return (
            UNSET if before.cells is after.cells else _cells_change(before, after),
            UNSET if before.pieces is after.pieces else self._pieces_change(before, after),
            new or UNSET,
            gone or UNSET,
        )

    def _common_gauges(self, before: Scene, after: Scene) -> _Gauges:
        """Those that are common: the new values, and the names of those that are gone."""
        old, new = before.common_gauges, after.common_gauges
        both = (id(old), id(new))
        change = self._gauges.get(both)
        if change is None:
            gone = [name for name in old if name not in new]
            change = self._gauges[both] = (_new_values(old, new), gone)
        return change

    def _pieces_change(self, before: Scene, after: Scene) -> shown.PieceChange | UnsetType:
        both = (id(before.pieces), id(after.pieces))
        change = self._pieces.get(both)
        if change is None:
            gone, put = _list_change(before.pieces, after.pieces)
            change = UNSET
            if gone or put:
                change = shown.PieceChange(gone, show_pieces(put))
            self._pieces[both] = change
        return change


#: Of gauges: the new values, and the names of those that are gone.
_Gauges = tuple[dict[str, Any], list[str]]
#: What is different of a scene: cells, pieces, gauges, and gauges that there are no more.
_Parts = tuple[
    shown.CellChange | UnsetType,
    shown.PieceChange | UnsetType,
    dict[str, Any] | UnsetType,
    list[str] | UnsetType,
]
_SAME_SCENE: _Parts = (UNSET, UNSET, UNSET, UNSET)
_NOTHING = (UNSET,) * len(shown.PositionChange.__struct_fields__)

#: So many differences between two lists are looked for one by one.
_FEW = 8


def _cells_change(before: Scene, after: Scene) -> shown.CellChange | UnsetType:
    gone, put = _list_change(before.cells, after.cells)
    if not gone and not put:
        return UNSET
    return shown.CellChange(gone, show_cells(put))


def _list_change(
    before: Sequence[Item], after: Sequence[Item]
) -> tuple[list[str], list[tuple[int, Item]]]:
    """Which ids are gone, and what is to be put where once they and what is put are left out."""
    if before is after:
        return [], []
    if len(before) == len(after):
        # Almost all are the very same: to find the others must not take a step for each.
        others = list(compress(count(), map(is_not, before, after)))
        for at in others:
            if before[at].id != after[at].id:
                break
        else:
            return [], [(at, after[at]) for at in others if before[at] != after[at]]
    first = next(compress(count(), map(is_not, before, after)), min(len(before), len(after)))
    most = min(len(before), len(after)) - first
    ends = map(is_not, reversed(before), reversed(after))
    last = min(most, next(compress(count(), ends), most))
    return _few_changes(before, after, first, last) or _rest_change(before, after, first, last)


def _few_changes(
    before: Sequence[Item], after: Sequence[Item], first: int, last: int
) -> tuple[list[str], list[tuple[int, Item]]] | None:
    """As `_rest_change`, from one difference to the next: here and there one came, went, or took
    another's place, as when something is picked up. None if it is not as simple as that."""
    gone: dict[str, Item] = {}
    put: list[tuple[int, Item]] = []
    old_end, new_end = len(before) - last, len(after) - last
    at, to = first, first
    for _ in range(_FEW):
        most = min(old_end - at, new_end - to)
        same = next(compress(range(most), map(is_not, before[at:], after[to:])), most)
        at, to = at + same, to + same
        if at == old_end or to == new_end:
            break
        old, new = before[at], after[to]
        if to + 1 < new_end and after[to + 1] is old:
            put.append((to, new))
            to += 1
        elif at + 1 < old_end and before[at + 1] is new:
            gone[old.id] = old
            at += 1
        elif old == new:
            at, to = at + 1, to + 1
        else:
            gone[old.id] = old
            put.append((to, new))
            at, to = at + 1, to + 1
    else:
        return None
    for item in before[at:old_end]:
        gone[item.id] = item
    put += enumerate(after[to:new_end], to)
    for _, item in put:
        if gone.pop(item.id, None) == item:
            return None  # it only stands elsewhere now
    return list(gone), put


def _rest_change(
    before: Sequence[Item], after: Sequence[Item], first: int, last: int
) -> tuple[list[str], list[tuple[int, Item]]]:
    """As `_list_change`, of lists that are the same at so many places at their beginning and at
    their end."""
    old_ones, new_ones = before[first : len(before) - last], after[first : len(after) - last]
    was, will_be = list(map(id, old_ones)), list(map(id, new_ones))
    came, went = set(will_be).difference(was), set(was).difference(will_be)
    if [each for each in was if each not in went] == [each for each in will_be if each not in came]:
        # Those that stay are the very same, in the same order.
        gone = {item.id: item for item in old_ones if id(item) in went}
        put = [(at, item) for at, item in enumerate(new_ones, first) if id(item) in came]
        if all(gone.pop(item.id, None) != item for _, item in put):
            return list(gone), put
    return _any_change(before, after, first, last)


def _any_change(
    before: Sequence[Item], after: Sequence[Item], first: int, last: int
) -> tuple[list[str], list[tuple[int, Item]]]:
    """The same, item by item."""
    old_ones = before[first : len(before) - last]
    known = {item.id: item for item in old_ones}
    put: list[tuple[int, Item]] = []
    kept: list[str] = []
    for at, item in enumerate(after[first : len(after) - last], first):
        old = known.pop(item.id, None)
        if old is item or old == item:
            kept.append(item.id)
        else:
            put.append((at, item))
    staying = set(kept)
    if [item.id for item in old_ones if item.id in staying] != kept:
        put = list(enumerate(after))  # another order: all of them anew
    return list(known), put


def _new_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in after.items() if name not in before or before[name] != value
    }
