"""The page about position notation: up to date, with valid examples and correct defaults."""

from __future__ import annotations

from typing import Any

import pytest

from archipel import Game
from archipel.rules.all_games import HOUSE_GAMES
from archipel.rules.contract import Definition, NotationError
from archipel.rules.position_fields import Field, PositionTable
from tests.positions.position_mutations import words_of
from tools import position_page

every_game = pytest.mark.parametrize("definition", HOUSE_GAMES, ids=lambda game: game.name)


def table_of(definition: Definition[Any]) -> PositionTable[Any]:
    table = definition.position_table
    assert isinstance(table, PositionTable)
    return table


def position(definition: Definition[Any], more: str = "") -> Any:
    """The shortest position with some fields added."""
    given = dict(words_of(table_of(definition).shortest)) | dict(words_of(more))
    return definition.parse_position(" ".join(f"{name}={text}" for name, text in given.items()))


def test_the_page_is_up_to_date() -> None:
    assert position_page.main(["--check"]) == 0, "run python -m tools.position_page"


@every_game
def test_every_word_is_documented_once(definition: Definition[Any]) -> None:
    table = table_of(definition)
    words = [word for field in table.fields for word in field.words]
    assert len(words) == len(set(words))
    assert all(meaning and usual != "``" for _, meaning, usual, _ in table.rows())
    written = {name for name, _ in words_of(definition.position_text(position(definition)))}
    assert written <= set(words)


@every_game
def test_undocumented_words_are_refused(definition: Definition[Any]) -> None:
    for word in ("turns", "phases", "hand9", "boat"):
        with pytest.raises(NotationError, match=f"{word}: a position has no such word"):
            position(definition, f"{word}=1")


@every_game
def test_examples_are_accepted_and_show_the_word(definition: Definition[Any]) -> None:
    without: list[str] = []
    for field in table_of(definition).fields:
        if not field.example:
            without += field.words
            continue
        assert set(field.words) & {name for name, _ in words_of(field.example)}, field.words
        position(definition, field.example)
    assert without in ([], ["board"], ["box"])


@every_game
def test_defaults_apply_to_omitted_words(definition: Definition[Any]) -> None:
    shortest = position(definition)
    checked = 0
    for field in table_of(definition).fields:
        for word, default in defaults(field, shortest):
            assert position(definition, f"{word}={default}") == shortest, (word, default)
            checked += 1
    assert checked > 10


def defaults(field: Field, s: Any) -> list[tuple[str, str]]:
    """The words of a field that the shortest position omits, with their documented defaults."""
    _, _, usual = field.usual.partition("`") if field.usual else ("", "", f"{field.default}`")
    default = usual.partition("`")[0]
    return [(word, default) for word in field.in_use(s) if default]


def test_words_and_values_are_completed() -> None:
    assert Game.complete_position("atlantis", "red=d4 phase=rel") == [
        "red=d4 phase=relocate",
        "red=d4 phase=relocate_to",
    ]
    assert Game.complete_position("deep-sea", "air=9 a") == []
    assert Game.complete_position("deep-sea", "treasure")[-1] == "treasure6="
    assert "expert=on" in Game.complete_position("mauna-kea", "expert=")
