"""``--board``: a custom board, read before the rules are loaded."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from archipel.cli.early_options import GAMES, choose_boards
from archipel.cli.errors import UserError
from archipel.rules.atlantis.box_files import BOX
from archipel.rules.atlantis.box_files import VARIABLE as ATLANTIS_BOARD
from archipel.rules.mauna_kea.box_files import VARIABLE as MAUNA_KEA_BOX
from archipel.study import simulate
from tests.cli.conftest import Archipel

FLAT = {
    "spinner": {
        "sectors": {"monster": 1, "shark": 1, "octopus": 1, "dolphin": 1},
        "parts": {"1": 1, "2": 1, "3": 1, "T": 1},
    }
}


@pytest.fixture
def board(tmp_path: Path) -> Path:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(FLAT))
    return file


def run(*arguments: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "archipel", *map(str, arguments)]
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        command, input=typed, text=True, capture_output=True, env=environment, timeout=120
    )


def test_the_variables_are_those_that_the_games_read() -> None:
    variables = {game: variable for game, (variable, _) in GAMES.items()}
    assert variables == {"atlantis": ATLANTIS_BOARD, "mauna-kea": MAUNA_KEA_BOX}


@pytest.mark.rule("AT-C7")
def test_a_game_on_a_custom_board_continues_only_on_that_board(board: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.txt"
    played = run(
        *("play", "atlantis", "--players", "Ana,Ben", "--seed", "1", "--board", board),
        *("--save", saved),
        typed="1\nquit\n",
    )
    assert (played.returncode, played.stderr) == (0, "")
    name = re.search("board=([0-9a-f]+)", saved.read_text())
    assert name is not None
    assert name[1] != BOX.name
    refused = run("replay", saved)
    assert refused.returncode == 2
    assert f"board={name[1]}: this position is of another board" in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert run("replay", saved, "--board", f"atlantis={board}").returncode == 0


@pytest.mark.rule("AT-C7")
@pytest.mark.parametrize("command", [("play",), ("simulate",)])
def test_an_invalid_board_is_reported_in_one_line(command: tuple[str, ...], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"boats": 99}')
    done = run(*command, "atlantis", "--board", wrong)
    assert done.returncode == 2
    assert done.stderr == (
        f"archipel: the board cannot be used: {wrong}: boats: 99 is not a number from 4 to 14\n"
    )
    assert run("serve", "--board", f"atlantis={wrong}").returncode == 2


@pytest.mark.rule("AT-C7")
def test_a_study_names_its_board() -> None:
    result = simulate("atlantis", ["random", "random"], games=1, seed=1, compiled=False)
    assert result.to_dict()["board"] == BOX.name


def test_a_missing_board_file(tmp_path: Path) -> None:
    done = run("play", "atlantis", f"--board={tmp_path / 'none.json'}", "--lang", "fr")
    assert done.returncode == 2
    assert done.stderr.startswith("archipel: ce plateau ne peut pas servir\u00a0: ")
    assert done.stderr.count("\n") == 1


def test_an_invalid_board_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ATLANTIS_BOARD, str(tmp_path / "none.json"))
    done = run("games")
    assert done.returncode == 2
    assert done.stderr.startswith("archipel: the board cannot be used: ")


def test_an_invalid_board_affects_no_other_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(ATLANTIS_BOARD, str(tmp_path / "none.json"))
    saved = tmp_path / "game.txt"
    arguments = ("play", "deep-sea", "--players", "Ana,greedy", "--save", saved)
    played = run(*arguments, typed="1\nquit\n")
    assert (played.returncode, played.stderr) == (0, "")
    assert run("replay", saved).returncode == 0
    saved.write_text(saved.read_text().replace("game: deep-sea", "game: atlantis"))
    refused = run("replay", saved, "--lang", "fr")
    assert refused.returncode == 2
    assert "none.json\u00a0: lecture impossible" in refused.stderr
    assert refused.stderr.count("\n") == 1
    script = (
        "import archipel\n"
        "archipel.Game.new('deep-sea')\n"
        "try: archipel.Game.new('atlantis')\n"
        "except ValueError as error: print(type(error).__name__, error)"
    )
    command = [sys.executable, "-c", script]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, text=True, capture_output=True, env=environment, timeout=120)
    assert done.stdout.startswith("DataFileError ")
    assert "none.json: it cannot be read" in done.stdout


def test_the_game_of_a_board_must_be_named(archipel: Archipel, board: Path) -> None:
    for arguments in (("play",), ("serve",), ("play", "deep-sea"), ("replay", "game.txt")):
        result = archipel(*arguments, "--board", board)
        assert result.code == 2
        assert "for which game?" in result.err
        assert "atlantis, mauna-kea" in result.err


def test_a_board_for_a_loaded_game_is_refused(board: Path) -> None:
    environment: dict[str, str] = {}
    with pytest.raises(UserError) as refused:
        choose_boards(["play", "atlantis", "--board", str(board)], environment)
    assert refused.value.key == "board.too_late"
    assert environment == {}


def test_a_missing_value_is_reported_by_the_parser(archipel: Archipel) -> None:
    result = archipel("play", "atlantis", "--board")
    assert result.code == 2
    assert "--board" in result.err
