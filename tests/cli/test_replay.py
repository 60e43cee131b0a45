"""`archipel replay`: complete output, and damaged records are refused with line and rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from archipel import Game
from archipel.record import Record
from tests.cli.conftest import Archipel


def test_a_record_is_printed_move_by_move(archipel: Archipel, record_file: Path) -> None:
    result = archipel("replay", record_file)
    assert result.code == 0
    assert result.err == ""
    assert "Deep Sea Adventure: Ana, Bob" in result.out
    assert "   1. 1 dive [1 2]\n      Ana rolls 1 + 2: 3 steps.\n" in result.out
    assert "      Ana turns back.\n" in result.out
    assert result.out.rstrip().endswith("After move 5, Bob is to move.")


def test_in_french(archipel: Archipel, record_file: Path) -> None:
    result = archipel("replay", record_file, "--lang", "fr")
    assert "Ana fait demi-tour." in result.out
    assert "Après le coup 5, c’est à Bob de jouer." in result.out


def test_part_of_a_record(archipel: Archipel, record_file: Path) -> None:
    result = archipel("replay", record_file, "--to", "2")
    assert "3. " not in result.out.replace("3  ", "")
    assert "After move 2, Bob is to move." in result.out
    assert "holds 1·I?" in result.out
    assert "After move 5" in archipel("replay", record_file, "--to", "99").out
    archipel("replay", record_file, "--to", "-1").refused("whole number")


def test_json_output(archipel: Archipel, record_file: Path) -> None:
    data = json.loads(archipel("replay", record_file, "--json").out)
    assert data["players"] == ["Ana", "Bob"]
    assert data["outcome"] is None
    assert [move["action"] for move in data["moves"]] == [
        "dive",
        "take",
        "dive",
        "take",
        "turn back",
    ]
    assert data["moves"][0]["chance"] == "1 2"
    assert data["moves"][0]["events"][0]["key"] == "throw.free"
    # Home: a public event, and the value of the chip for one seat.
    look = data["moves"][4]["events"][-1]
    assert look["seen_by"] == [0]
    assert look["key"] == "look.one"
    part = json.loads(archipel("replay", record_file, "--json", "--to", "1").out)
    assert len(part["moves"]) == 1
    assert "phase=search" in part["position"]


def test_secrets_are_not_printed(archipel: Archipel, record_file: Path) -> None:
    assert "your eyes only" not in archipel("replay", record_file).out


def test_a_whole_game_ends_with_its_result(archipel: Archipel, tmp_path: Path) -> None:
    game = Game.from_position("deep-sea", seats=2, round=3, air=1, diver1="3>[a8]", seed=1)
    game.play("dive", dice="1 1")
    game.play("nothing")
    file = tmp_path / "whole.txt"
    Record(game).save(file)  # without names, seats are numbers
    result = archipel("replay", file)
    assert "1 did not make it home: 1 chip sinks for good." in result.out
    assert "The game is over: three rounds have been played." in result.out
    assert json.loads(archipel("replay", file, "--json").out)["outcome"] == {
        "ranks": [0, 0],
        "scores": [0, 0],
        "reason": "rounds",
    }


@pytest.mark.parametrize(
    ("old", "new", "later", "parts"),
    [
        ("archipel record 1", "something else", 0, ["not a record"]),
        ("game: deep-sea", "game: deep-see", 0, ["did you mean deep-sea?"]),
        ("rules: 2", "rules: 99", 0, ["version 99"]),
        ("seats: 2", "seats: 9", 0, ["2 to 6"]),
        ("drop_order: piled", "drop_order: random", 0, ["DS-E8"]),
        ("  air=25", "  air=26", 12, ["start position", "air=26"]),
        ("1 take", "1 put 1", 0, ["white disc", "DS-T6"]),
        ("1 take", "1 grab", 0, ["'grab' is not an action"]),
        ("1 take", "2 take", 0, ["turn of seat 1"]),
        ("dive [1 2]", "dive [1 4]", 0, ["DS-C2"]),
        ("dive [1 2]", "dive [1]", 0, ["outcome 2"]),
        ("dive [1 2]", "dive", 0, []),
        ("dive [1 2]", "swim on [1 2]", 0, ["not turned back", "DS-T10"]),
        ("end: unfinished", "end: 3 4", 0, ["unfinished"]),
        ("end: unfinished", "", -1, ["breaks off", "end:"]),
        ("end: unfinished", "end: unfinished\nmore", 1, ["nothing may follow"]),
    ],
)
def test_damaged_records_are_refused_by_line(
    archipel: Archipel, record_file: Path, old: str, new: str, later: int, parts: list[str]
) -> None:
    text = record_file.read_text("utf-8")
    damaged = text.replace(old, new, 1)
    assert damaged != text
    record_file.write_text(damaged, "utf-8")
    line = text[: text.index(old)].count("\n") + 1
    archipel("replay", record_file).refused(f"short.txt: line {line + later}: ", *parts)


def test_truncated_records_are_refused(archipel: Archipel, record_file: Path) -> None:
    text = record_file.read_text("utf-8")
    for length in range(0, len(text) - 2, 7):
        record_file.write_text(text[:length], "utf-8")
        archipel("replay", record_file).refused("short.txt")
