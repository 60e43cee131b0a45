"""`archipel puzzles`: find, show, choose, check, and user errors."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from archipel.puzzles import read_collection
from archipel.puzzles.puzzle import Collection
from archipel.study.puzzle_search.find_puzzles import Line, head_of
from tests.cli.conftest import Archipel

SHIPPED = 30


def shipped() -> Collection:
    collection = read_collection("deep-sea")
    assert collection is not None
    return collection


@pytest.fixture
def found(tmp_path: Path) -> Path:
    """A file of found puzzles with the shipped ones."""
    file = tmp_path / "found.jsonl"
    lines = [head_of("deep-sea", {}, 1)] + [
        Line(number, 40, (puzzle,)) for number, puzzle in enumerate(shipped().puzzles)
    ]
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return file


def test_found_puzzles_are_shown(archipel: Archipel, found: Path) -> None:
    shown = archipel("puzzles", "deep-sea", "--show", "--file", found)
    assert shown.code == 0, shown.err
    assert f"deep-sea: {SHIPPED} games, {40 * SHIPPED} decisions, {SHIPPED} puzzles" in shown.out
    data = json.loads(archipel("puzzles", "deep-sea", "--show", "--file", found, "--json").out)
    assert (data["schema"], data["version"]) == ("archipel.found_puzzles", 1)
    assert len(data["puzzles"]) == SHIPPED


def test_choosing_and_checking(archipel: Archipel, found: Path, tmp_path: Path) -> None:
    """The master solves the puzzles with its full budget."""
    target = tmp_path / "mine.json"
    other = tmp_path / "other.jsonl"
    other.write_bytes(found.read_bytes().splitlines(keepends=True)[0])
    files = ("--file", found, "--file", other)
    choose = ("puzzles", "deep-sea", *files, "--choose", 4, "--to", target)
    chosen = archipel(*choose, "--lang", "fr")
    assert chosen.code == 0, chosen.err
    assert "Sur 4 problèmes" in chosen.out
    archipel(*choose).refused("mine.json")
    checked = archipel("puzzles", "deep-sea", "--check", "--file", target, "--json")
    assert checked.code == 0, checked.err
    data = json.loads(checked.out)
    assert data == json.loads(target.read_bytes())
    assert data["measured"]["master_solved"] == len(data["puzzles"]) == 4
    assert data["measured"]["greedy_solved"] <= 2


def test_the_exit_code_tells_that_a_collection_is_too_easy(
    archipel: Archipel, tmp_path: Path
) -> None:
    """A collection of puzzles that greedy solves."""
    data = msgspec.to_builtins(shipped())
    easy = [number for number, puzzle in enumerate(shipped().puzzles) if puzzle.solved_by_greedy]
    data["puzzles"] = [data["puzzles"][number] for number in easy[:2]]
    file, target = tmp_path / "easy.json", tmp_path / "measured.json"
    file.write_bytes(msgspec.json.encode(data))
    checked = archipel("puzzles", "deep-sea", "--check", "--file", file, "--to", target)
    assert checked.code == 1
    assert "Of 2 puzzles" in checked.out
    measured = json.loads(target.read_bytes())["measured"]
    assert (measured["master_solved"], measured["greedy_solved"]) == (2, 2)


def test_user_errors(archipel: Archipel, found: Path, tmp_path: Path) -> None:
    archipel("puzzles").refused("which game?")
    archipel("puzzles", "deep-see").refused("deep-sea")
    archipel("puzzles", "deep-sea", "--games", "none", "--file", found).refused("--games")
    archipel("puzzles", "atlantis", "--show", "--file", found).refused("another game")
    archipel("puzzles", "deep-sea", "--seed", "2", "--file", found).refused("another game")
    archipel("puzzles", "deep-sea", "--show", "--file", tmp_path / "no").refused("no")
    archipel("puzzles", "deep-sea", "--file", found, "--file", found).refused("one file")
    too_many = ("--choose", "99", "--file", found, "--to", tmp_path / "x.json")
    archipel("puzzles", "deep-sea", *too_many).refused("to choose from, not 99")
    archipel("puzzles", "deep-sea", "--check", "--file", found).refused("not a collection")
    broken = msgspec.to_builtins(shipped())
    broken["puzzles"][2]["seat"] = 7
    file = tmp_path / "broken.json"
    file.write_bytes(msgspec.json.encode(broken))
    archipel("puzzles", "deep-sea", "--check", "--file", file).refused("puzzle 3", "seat 8")
