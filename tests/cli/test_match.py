"""`archipel match` and `archipel ladder`: entrants, output and user errors."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from archipel.study import match
from archipel.study.matches import play_rotations as module
from tests.cli.conftest import Archipel

HOMEWARD = Path(__file__).parents[2] / "examples" / "bots" / "homeward.py"
MINE = f"mine={shlex.quote(sys.executable)} {shlex.quote(str(HOMEWARD))}"


@pytest.fixture(autouse=True)
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not compile in these tests."""
    monkeypatch.setattr(module, "can_compile", lambda: False)


def test_a_match_with_a_bot_program(archipel: Archipel) -> None:
    arguments = ("match", "deep-sea", "--bots", "mine,random", "--bot", MINE, "--bot-time", "60")
    result = archipel(*arguments, "--games", "7", "--seed", "3", "--workers", "1", "--json")
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert (found["games"], found["rotations"]) == (8, 4), "whole rotations"
    assert [entry["bot"] for entry in found["results"]] == ["mine", "random"]
    assert sum(entry["wins"] for entry in found["results"]) == 8
    again = archipel(*arguments, "--games", "8", "--seed", "3", "--workers", "3", "--json")
    assert again.out == result.out
    table = archipel(*arguments, "--games", "2", "--seed", "3", "--lang", "fr")
    assert "Dans une rotation" in table.out


def test_the_command_and_the_function_are_the_same_experiment(archipel: Archipel) -> None:
    named = ("match", "deep-sea", "--bots", "greedy,random,random")
    result = archipel(*named, "--games", "6", "--seed", "9", "--workers", "1", "--json")
    bots = ["greedy", "random", "random"]
    found = match("deep-sea", bots, 6, seed=9, compiled=False, workers=1)
    assert json.loads(result.out) == json.loads(json.dumps(found.to_dict()))


def test_user_errors_in_a_match(archipel: Archipel) -> None:
    archipel("match").refused("which game?")
    archipel("match", "deep-sea").refused("--bots", "greedy-1")
    archipel("match", "deep-sea", "--bots", "greedy,nobody").refused("nobody")
    archipel("match", "deep-sea", "--bots", "greedy").refused("2 to 6")
    two = ("match", "deep-sea", "--bots", "greedy,random")
    archipel(*two, "--games", "0").refused("--games")
    archipel(*two, "--workers", "none").refused("--workers")
    archipel(*two, "--on", "moon").refused("--on: moon is not one of processes, ray")
    failing = f"mine={shlex.quote(sys.executable)} {shlex.quote(str(HOMEWARD))}"
    archipel("match", "atlantis", "--bots", "mine,greedy", "--bot", failing).refused(
        "mine does not play atlantis"
    )


def test_a_ladder(archipel: Archipel, tmp_path: Path) -> None:
    file, picture = tmp_path / "ladder.jsonl", tmp_path / "ladder.svg"
    climb = ("ladder", "deep-sea", "--file", file, "--bots", "greedy,random", "--workers", "1")
    first = archipel(*climb, "--games", "2", "--json")
    assert first.code == 0, first.err
    assert json.loads(first.out)["games"] == 2
    more = archipel(*climb, "--games", "4", "--draw", picture)
    assert "greedy-1    1000" in more.out
    assert picture.read_text().startswith("<svg")
    assert len(file.read_text().splitlines()) == 3
    shown = archipel("ladder", "deep-sea", "--file", file, "--show")
    assert shown.out == more.out
    archipel("ladder", "atlantis", "--file", file, "--show").refused("another game")
    archipel(*climb, "--seed", "9").refused("another")


def test_user_errors_in_a_ladder(archipel: Archipel, tmp_path: Path) -> None:
    missing = tmp_path / "none" / "ladder.jsonl"
    archipel("ladder", "deep-sea", "--file", missing, "--show").refused("there is no such file")
    archipel("ladder", "deep-sea", "--file", missing, "--bots", "greedy,random").refused(
        "no folder"
    )
    archipel("ladder", "deep-sea", "--bots", "greedy").refused("1 bots are too few for 2 seats")
    file = tmp_path / "diary.txt"
    file.write_text("dear diary\n")
    archipel("ladder", "deep-sea", "--file", file).refused("not a ladder file")
    assert file.read_text() == "dear diary\n"
