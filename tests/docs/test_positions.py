"""Every word of a position is on the page about them, with its default and an example that is
accepted; and the page names no other."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from typing import Any

import pytest

from archipel.rules.all_games import games
from archipel.rules.contract import Definition, NotationError
from archipel.rules.position_words import PositionWords
from tests.positions.texts import words_of

PAGE = (Path(__file__).parents[2] / "docs" / "positions.md").read_text("utf-8")
GAMES = list(games())
CODE = re.compile(r"`([^`]+)`")
SHORTEST = re.compile(r"^The shortest position is `([^`]+)`", re.MULTILINE)


class Section:
    """What the page says of a game."""

    def __init__(self, definition: Definition[Any]) -> None:
        title = definition.booklet("en").title
        parts = dict(part.partition("\n")[::2] for part in PAGE.split("\n## ")[1:])
        text = parts[title]
        found = SHORTEST.search(text)
        assert found
        self.shortest = dict(words_of(found[1]))
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line[:3] == "| `"]
        self.rows = [[cell.strip(" |") for cell in (*row, "")] for row in rows]

    def words(self) -> list[str]:
        return [word for row in self.rows for word in named(row[0])]

    def position(self, more: str = "") -> str:
        given = self.shortest | dict(words_of(more))
        return " ".join(f"{name}={value}" for name, value in given.items())


def named(cell: str) -> list[str]:
    """One word, or several that are numbered: ``diver1`` to ``diver6``."""
    first, *others = CODE.findall(cell)
    if not others:
        return [first]
    stem = first.rstrip("0123456789")
    return [f"{stem}{number}" for number in range(1, int(others[0].removeprefix(stem)) + 1)]


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The words that the readers have asked for."""
    found: set[str] = set()
    finish = PositionWords.finish

    def note(words: PositionWords) -> None:
        found.update(words.known)
        finish(words)

    monkeypatch.setattr(PositionWords, "finish", note)
    return found


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_every_word_is_on_the_page_and_no_other(
    definition: Definition[Any], asked_for: set[str]
) -> None:
    section = Section(definition)
    for seats in definition.seats:
        with contextlib.suppress(NotationError):  # nobody is in it, but its words were read
            definition.parse_position(f"seats={seats}")
    for row in section.rows:
        definition.parse_position(section.position(" ".join(CODE.findall(row[3]))))
    words = section.words()
    assert len(words) == len(set(words))
    assert set(words) == asked_for


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_examples_are_accepted_and_show_the_word(definition: Definition[Any]) -> None:
    section = Section(definition)
    without = []
    for row in section.rows:
        example = " ".join(CODE.findall(row[3]))
        if not example:
            without.append(row[0])
            continue
        assert set(named(row[0])) & {name for name, _ in words_of(example)}, row
        definition.parse_position(section.position(example))
    assert without in ([], ["`board`"], ["`box`"])


@pytest.mark.parametrize("definition", GAMES, ids=lambda definition: definition.name)
def test_a_default_is_what_holds_where_the_word_is_not_written(definition: Definition[Any]) -> None:
    section = Section(definition)
    shortest = definition.parse_position(section.position())
    checked = 0
    for row in section.rows:
        default = re.match(r"`([^`]+)`", row[2])
        for word in named(row[0]) if default else ():
            if word[-1] in "3456":  # of a seat that does not play here
                continue
            assert default
            given = definition.parse_position(section.position(f"{word}={default[1]}"))
            assert given == shortest, (word, default[1])
            checked += 1
    assert checked > 10
