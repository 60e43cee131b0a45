"""Fields of states: declaration, copies and range checks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest

from archipel.rules.kit import array, clone, copy_into, differences, scalar, state
from archipel.rules.kit.core.fields import check_ranges


@state
@dataclass(slots=True)
class Pond:
    depth: int = scalar("i1", 3)
    fish: list[int] = array("u2", 4)
    reeds: list[list[int]] = array("i1", 2, 3, fill=-1)


def test_fields_have_defaults() -> None:
    pond = Pond()
    assert (pond.depth, pond.fish, pond.reeds) == (3, [0] * 4, [[-1] * 3] * 2)
    assert pond.reeds[0] is not pond.reeds[1]


def test_clones_are_independent() -> None:
    pond = Pond()
    twin = clone(pond)
    twin.depth, twin.fish[0], twin.reeds[1][2] = 9, 9, 9
    assert pond == Pond()
    copy_into(twin, pond)
    twin.reeds[1][2] = 5
    assert pond.reeds[1][2] == 9


def test_differences_are_listed_by_field() -> None:
    pond = Pond()
    twin = clone(pond)
    twin.fish[2] = 7
    assert differences(pond, twin) == ["fish: [0, 0, 0, 0] != [0, 0, 7, 0]"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"depth": 128}, "depth: 128 is not within -128..127"),
        ({"fish": [0, -1, 0, 0]}, "fish: -1 is not within 0..65535"),
        ({"fish": [0]}, "fish: expected shape (4,)"),
        ({"reeds": [[0] * 3]}, "reeds: expected shape (2, 3)"),
    ],
)
def test_numbers_out_of_range_are_refused(change: dict[str, object], words: str) -> None:
    pond = Pond()
    for name, value in change.items():
        setattr(pond, name, value)
    with pytest.raises(ValueError, match=re.escape(words)):
        check_ranges(pond)


def test_fields_without_a_type_are_refused() -> None:
    @dataclass(slots=True)
    class Plain:
        depth: int = field(default=0)

    with pytest.raises(TypeError, match=r"Plain\.depth: declare it with scalar\(\) or array\(\)"):
        state(Plain)


def test_reserved_names_are_refused() -> None:
    @dataclass(slots=True)
    class Reserved:
        round: int = scalar("i1")

    with pytest.raises(TypeError, match=r"Reserved\.round: NumPy records reserve that name"):
        state(Reserved)


def test_unknown_machine_types_and_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match=r"unknown field type 'f4': one of i1, .*, f8"):
        scalar("f4")
    with pytest.raises(ValueError, match="one or two positive dimensions"):
        array("i1", 2, 2, 2)
    with pytest.raises(ValueError, match="one or two positive dimensions"):
        array("i1", 0)


@state
@dataclass(slots=True)
class Soundings:
    deepest: float = scalar("f8", 2)
    depths: list[float] = array("f8", 3)
    grid: list[list[float]] = array("f8", 2, 2, fill=1)


def test_float_fields() -> None:
    soundings = Soundings()
    assert (soundings.deepest, soundings.depths, soundings.grid) == (2, [0] * 3, [[1] * 2] * 2)
    values = [soundings.deepest, *soundings.depths, *soundings.grid[0]]
    assert all(isinstance(value, float) for value in values)
    twin = clone(soundings)
    twin.grid[0][0] = 0.5
    assert soundings == Soundings()
    check_ranges(twin)
    twin.depths = [0.0]
    with pytest.raises(ValueError, match=re.escape("depths: expected shape (3,)")):
        check_ranges(twin)
