"""Puzzle files: valid, or refused with a one-line error."""

from __future__ import annotations

import msgspec
import pytest

from archipel.puzzles import PuzzleError, puzzle_lesson, puzzles_of
from archipel.puzzles.puzzle_library import as_lesson, parse_collection, read_collection


def changed(**values: object) -> bytes:
    collection = read_collection("deep-sea")
    assert collection is not None
    return msgspec.json.encode(msgspec.to_builtins(collection) | values)


def test_a_collection_reads_back() -> None:
    assert parse_collection("deep-sea", changed()) == read_collection("deep-sea")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"schema": "archipel.ladder"}, "not archipel.puzzles 2"),
        ({"version": 1}, "not archipel.puzzles 2"),
        ({"game": "atlantis"}, "they are for atlantis"),
        ({"rules_version": 99}, "they are for rules version 99"),
        ({"board": "another"}, "another board"),
        ({"puzzles": 3}, "not a collection"),
    ],
)
def test_an_unsuitable_collection_is_refused(values: dict[str, object], why: str) -> None:
    with pytest.raises(PuzzleError, match=why):
        parse_collection("deep-sea", changed(**values))


def test_a_collection_of_an_earlier_rules_version_is_valid() -> None:
    assert parse_collection("deep-sea", changed(rules_version=1)).puzzles
    with pytest.raises(PuzzleError, match="they are for rules version 0"):
        parse_collection("deep-sea", changed(rules_version=0))


def test_a_puzzle_states_the_options_that_are_not_the_defaults() -> None:
    puzzle = puzzles_of("deep-sea")[0]
    assert " drop_order=taken " in puzzle.position
    position = puzzle.position.replace(" drop_order=taken ", " drop_order=piled ")
    usual = msgspec.structs.replace(puzzle, position=position)
    asked = as_lesson("deep-sea", 1, puzzle).steps[0].said["en"]
    assert asked.removeprefix(as_lesson("deep-sea", 1, usual).steps[0].said["en"]) == (
        " (Option of this game: order of lost chips, in the order they were taken.)"
    )


def test_unknown_names_have_no_puzzle() -> None:
    assert puzzle_lesson("deep-sea", "puzzle-0") is None
    assert puzzle_lesson("deep-sea", "puzzle-31") is None
    assert puzzle_lesson("deep-sea", "first-dive") is None


def test_an_invalid_collection_is_skipped_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = msgspec.json.decode(changed())
    broken["puzzles"][1]["seat"] = 5
    text = msgspec.json.encode(broken)
    monkeypatch.setattr(
        "archipel.puzzles.puzzle_library.read_collection", lambda game: parse_collection(game, text)
    )
    assert puzzles_of.__wrapped__("deep-sea") == ()
    assert "skipping the puzzles of deep-sea: puzzle-2: seat 6" in caplog.text
