"""States as bytes: equal in plain Python and in compiled rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from archipel.bots.search.search_state import SearchState
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, array, clone, scalar, state
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.core.machine_record import from_bytes, record_layout, to_bytes

GAMES = list(games())


@state
@dataclass
class Chest:
    """A record with padding between its fields and at its end."""

    lock: int = scalar("u1")
    weight: float = scalar("f8")
    coins: list[int] = array("i2", 3)
    open: int = scalar("i1", -1)
    rows: list[list[int]] = array("u4", 2, 2)
    seal: int = scalar("u8")
    dust: int = scalar("i1")


FULL = Chest(255, -0.5, [-1, 2, 32767], -128, [[1, 2], [3, 2**32 - 1]], 2**64 - 1, 7)


def played(definition: Definition[Any], seed: int) -> Any:
    """Return a position in the middle of a game."""
    options = definition.make_options(definition.seats[-1])
    s = definition.new(options, Stream(seed))
    stream = Stream(seed + 1)
    for _ in range(40):
        actions = definition.legal_actions(s)
        if not actions:
            break
        definition.apply(s, actions[stream.draw(len(actions))], stream)
    return s


def test_round_trip() -> None:
    assert from_bytes(Chest, to_bytes(FULL)) == FULL
    assert from_bytes(Chest, to_bytes(Chest())) == Chest()


def test_numbers_are_little_endian_and_aligned() -> None:
    places = {field.name: field.offset for field in record_layout(Chest).fields}
    assert places == {
        "lock": 0,
        "weight": 8,
        "coins": 16,
        "open": 22,
        "rows": 24,
        "seal": 40,
        "dust": 48,
    }
    assert record_layout(Chest).size == 56
    assert to_bytes(FULL)[24:32] == bytes([1, 0, 0, 0, 2, 0, 0, 0])


@pytest.mark.skipif(not can_compile(), reason="NumPy is not installed")
@pytest.mark.parametrize("kind", [Chest, Stream, SearchState, *(game.state for game in GAMES)])
def test_the_layout_is_that_of_numpy(kind: type[Any]) -> None:
    from archipel.rules.kit.core.layout import layout

    theirs = layout(kind)
    ours = record_layout(kind)
    assert theirs.itemsize == ours.size
    assert theirs.fields is not None
    assert {name: place[1] for name, place in theirs.fields.items()} == {
        field.name: field.offset for field in ours.fields
    }


@pytest.mark.skipif(not can_compile(), reason="NumPy is not installed")
@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_compiled_rules_hold_the_same_bytes(definition: Definition[Any]) -> None:
    import numpy

    from archipel.rules.kit.numba.compiler import Compiled

    backend = Compiled(definition.program(), {})
    s = played(definition, 5)
    records = backend.states(1)
    backend.write(records, 0, s)
    assert records.tobytes() == to_bytes(s)
    read = numpy.frombuffer(to_bytes(s), records.dtype)
    assert backend.read(read, 0) == s == from_bytes(definition.state, to_bytes(s))


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_wrong_sizes_and_numbers_are_refused(definition: Definition[Any]) -> None:
    s = played(definition, 6)
    data = to_bytes(s)
    for wrong in (b"", data[:-1], data + b"\0"):
        with pytest.raises(ValueError, match=f"{len(data)} bytes, not {len(wrong)}"):
            from_bytes(definition.state, wrong)
    broken = clone(s)
    first = record_layout(definition.state).fields[0]
    setattr(broken, first.name, 2**70 if not first.shape else [2**70] * first.shape[0])
    with pytest.raises(ValueError, match=first.name):
        to_bytes(broken)
