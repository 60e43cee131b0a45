"""The parts of a definition are found by name, so their types are compared with the contract's."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.contract import S as AnyState

PARTS = {
    name: note
    for name, note in get_type_hints(Definition).items()
    if len(get_args(note)) == 2 and isinstance(get_args(note)[0], list)
}


def fits(note: Any, wanted: Any, definition: Definition[Any]) -> bool:
    """Rules that games share have a Protocol of fields where the contract has the state."""
    if wanted is AnyState:
        return note is definition.state or getattr(note, "_is_protocol", False)
    return bool(note == (type(None) if wanted is None else wanted))


@pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))
def test_parts_have_the_types_of_the_contract(definition: Definition[Any]) -> None:
    assert len(PARTS) > 20
    for name, note in PARTS.items():
        parameters, result = get_args(note)
        notes = get_type_hints(getattr(definition, name))
        returned = notes.pop("return")
        assert fits(returned, result, definition), name
        assert len(notes) == len(parameters), name
        for found, wanted in zip(notes.values(), parameters, strict=True):
            assert fits(found, wanted, definition), name
