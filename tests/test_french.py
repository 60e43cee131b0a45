"""French typography and wording of all sentences and booklets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import archipel
from archipel.rules.all_games import game_named, games
from archipel.rules.options import choice_text

PACKAGE = Path(archipel.__file__).parent
FILES = sorted(
    path for name in ("sentences.fr.json", "rules.fr.md") for path in PACKAGE.rglob(f"text/{name}")
)
NO_BREAK = "\u00a0\u202f"


def texts(path: Path) -> Iterator[str]:
    """Yield the sentences of a file, except examples of input."""
    if path.suffix == ".md":
        yield from path.read_text("utf-8").splitlines()
        return
    for key, sentence in json.loads(path.read_text("utf-8")).items():
        if not key.endswith(".examples"):
            # A separate question mark is input; addresses have colons.
            yield re.sub(r"(^| )\?$|\b(https?|stun|turn):[^ )]+", "", sentence)


def test_games_and_tables_have_french_texts() -> None:
    folders = {path.parents[1].relative_to(PACKAGE).as_posix() for path in FILES}
    assert {".", "tables", "rules/deep_sea"} <= folders


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_french_typography(path: Path) -> None:
    for text in texts(path):
        assert not re.search(rf"(?<![{NO_BREAK}])[;:!?»]", text), text
        assert not re.search(rf"«(?![{NO_BREAK}])", text), text
        assert not re.search(r"'|\"\w", text), text


def test_no_word_that_could_need_elision_precedes_a_name() -> None:
    """A name may begin with a vowel: "de Alba" would have to be "d’Alba"."""
    somebody = r"\{(seat|seats|name|names|other|control|player|players)\}"
    before = re.compile(rf"(?i)\b(de|que|le|la|se|ne|me|te|je|jusque|lorsque|puisque) {somebody}")
    for path in FILES:
        assert [text for text in texts(path) if before.search(text)] == [], path


def test_rejected_and_english_terms_are_not_used() -> None:
    others = re.compile(
        r"(?i)tremblement de terre|\bsièges?\b|jusqu’en \{|si vous voulez|poursuit-il"
        r"|(?<!-)\bbots?\b(?!\})|(?<!,)\bgreedy\b"
    )
    for path in FILES:
        assert [text for text in texts(path) if others.search(text)] == [], path


@pytest.mark.parametrize("language", ["en", "fr"])
def test_counts_that_can_be_one_have_a_singular(language: str) -> None:
    """A sentence with a plural has a variant for one, or its count is never one."""
    counted = re.compile(r"\{(points|pool|cost|steps|bag|lava|empty|unused|total|air)\} [a-zé]+s\b")
    # Two dice show two steps at least; a shark begins with two and the others with three.
    several = re.compile(r"throw\.free|ask\..*\.first|.*many")
    for path in PACKAGE.rglob(f"text/sentences.{language}.json"):
        sentences: dict[str, str] = json.loads(path.read_text("utf-8"))
        found = [
            key
            for key, text in sentences.items()
            if counted.search(text) and not several.fullmatch(key)
        ]
        assert found == [], path


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game", [game.name for game in games()])
def test_names_in_booklets_are_options_choices_or_input(game: str, language: str) -> None:
    """Pages translate the names between backquotes."""
    definition = game_named(game)
    sentences = definition.catalogue(language).sentences
    named = {name for key, name in sentences.items() if key.startswith("typed.")}
    named |= {option.name for option in definition.options} | {"centre_symbol"}
    named |= {choice_text(choice) for option in definition.options for choice in option.choices}
    for chapter in definition.booklet(language).chapters:
        for rule in chapter.rules:
            for name in re.findall("`([^`]+)`", rule.text):
                assert name in named, (rule.id, name)


def test_sentences_show_no_internal_names() -> None:
    for path in PACKAGE.rglob("text/sentences.*.json"):
        for key, text in json.loads(path.read_text("utf-8")).items():
            shown = re.sub(r"\{\w+\}", "", text)
            if key.startswith("typed.") and path.name.endswith("en.json"):
                continue  # the notation itself
            if path.parent.parent != PACKAGE:  # the command line has options to type
                assert not re.search(r"[a-z]_[a-z]", shown), (key, text)
