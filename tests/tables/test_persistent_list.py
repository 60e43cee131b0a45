"""The persistent list of logs and moves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archipel.tables.log.table_state import PersistentList


@given(st.lists(st.one_of(st.none(), st.integers(1, 200)), max_size=400))
def test_every_version_equals_a_plain_list(steps: list[int | None]) -> None:
    """None appends an item, a number removes that many; earlier versions stay unchanged."""
    lists: list[tuple[PersistentList[int], list[int]]] = [(PersistentList(), [])]
    for step in steps:
        grown, plain = lists[-1]
        if step is None:
            lists.append((grown.plus(len(lists)), [*plain, len(lists)]))
        else:
            count = min(step, len(plain))
            lists.append((grown.without_last(count), plain[: len(plain) - count]))
    for grown, plain in lists:
        assert list(grown) == plain
        assert len(grown) == len(plain)
        assert grown == PersistentList(plain)
        assert list(grown.after(3)) == plain[3:]
        if plain:
            assert (grown[0], grown[-1], grown[len(plain) // 2]) == (
                plain[0],
                plain[-1],
                plain[len(plain) // 2],
            )


def test_missing_items_raise_index_errors() -> None:
    grown = PersistentList([0, 1, 2])
    for index in (3, -4):
        with pytest.raises(IndexError):
            grown[index]
    for count in (4, -1):
        with pytest.raises(IndexError):
            grown.without_last(count)
    assert grown != [0, 1, 2]


def test_appending_shares_all_items() -> None:
    grown = PersistentList(list(range(645)))
    more = grown.plus(-1)
    assert len(more) == len(grown) + 1
    assert more._items is grown._items


def test_versions_that_extend_the_same_list_are_independent() -> None:
    for length in (0, 5, 62, 63, 191):
        begun = PersistentList(list(range(length)))
        one, other = begun.plus(-1), begun.plus(-2)
        third = one.plus(-3).without_last(1).plus(-4)
        assert list(begun) == list(range(length))
        assert list(one) == [*begun, -1]
        assert list(other) == [*begun, -2]
        assert list(third) == [*begun, -1, -4]
        assert one != other
        assert list(reversed(one)) == list(one)[::-1]
        assert list(begun.after(length)) == []
