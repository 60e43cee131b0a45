"""Puzzle files: valid, or refused with a one-line error."""

from __future__ import annotations

import msgspec
import pytest

from archipel.puzzles import PuzzleError, puzzle_lesson, puzzles_of
from archipel.puzzles.puzzle_library import parse_collection, read_collection


def changed(**values: object) -> bytes:
    collection = read_collection("deep-sea")
    assert collection is not None
    return msgspec.json.encode(msgspec.to_builtins(collection) | values)


def test_a_collection_reads_back() -> None:
    assert parse_collection("deep-sea", changed()) == read_collection("deep-sea")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"schema": "archipel.ladder"}, "not archipel.puzzles 1"),
        ({"version": 2}, "not archipel.puzzles 1"),
        ({"game": "atlantis"}, "they are for atlantis"),
        ({"rules_version": 99}, "they are for rules version 99"),
        ({"board": "another"}, "another board"),
        ({"puzzles": 3}, "not a collection"),
    ],
)
def test_an_unsuitable_collection_is_refused(values: dict[str, object], why: str) -> None:
    with pytest.raises(PuzzleError, match=why):
        parse_collection("deep-sea", changed(**values))


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
