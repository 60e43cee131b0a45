"""`archipel puzzles`: finding, showing, choosing and checking, and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from archipel.bots import Bot
from archipel.puzzles import read_collection
from archipel.puzzles.data import Collection
from archipel.study.puzzles import Line, head_of
from tests.cli.conftest import Archipel

SHIPPED = 30


def shipped() -> Collection:
    collection = read_collection("deep-sea")
    assert collection is not None
    return collection


@pytest.fixture
def found(tmp_path: Path) -> Path:
    """A file as if the shipped puzzles had just been found."""
    file = tmp_path / "found.jsonl"
    lines = [head_of("deep-sea", {}, 1)] + [
        Line(number, 40, (puzzle,)) for number, puzzle in enumerate(shipped().puzzles)
    ]
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return file


@pytest.fixture
def quick_master(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who needs no search sits in for the master: what is tested is the command."""
    named = Bot.named
    monkeypatch.setattr(Bot, "named", staticmethod(lambda game, name: named(game, "greedy")))


def test_what_was_found_is_shown(archipel: Archipel, found: Path) -> None:
    shown = archipel("puzzles", "deep-sea", "--show", "--file", found)
    assert shown.code == 0, shown.err
    assert f"deep-sea: {SHIPPED} games, {40 * SHIPPED} decisions, {SHIPPED} puzzles" in shown.out
    told = json.loads(archipel("puzzles", "deep-sea", "--show", "--file", found, "--json").out)
    assert (told["schema"], told["version"]) == ("archipel.found_puzzles", 1)
    assert len(told["puzzles"]) == SHIPPED


@pytest.mark.usefixtures("quick_master")
def test_choosing_and_checking(archipel: Archipel, found: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.json"
    other = tmp_path / "other.jsonl"
    other.write_bytes(found.read_bytes().splitlines(keepends=True)[0])
    files = ("--file", found, "--file", other)
    choose = ("puzzles", "deep-sea", *files, "--choose", 6, "--to", target)
    chosen = archipel(*choose)
    assert chosen.code == 0, chosen.err
    assert "Of 6 puzzles" in chosen.out
    archipel(*choose).refused("mine.json")
    assert archipel(*choose, "--force", "--lang", "fr").out.count("problèmes") == 1
    checked = archipel("puzzles", "deep-sea", "--check", "--file", target, "--json")
    assert checked.code == 1, "greedy sits in for the master, and does not solve them all"
    told = json.loads(checked.out)
    assert told["measured"]["master_solved"] == told["measured"]["greedy_solved"] <= 3
    assert len(told["puzzles"]) == 6


def test_mistakes(archipel: Archipel, found: Path, tmp_path: Path) -> None:
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
