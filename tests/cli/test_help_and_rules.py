"""``games``, ``rules``, help, versions and languages."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import archipel as package
from tests.cli.conftest import Archipel

COMMANDS = ("games", "play", "simulate", "replay", "rules", "chaos")


def test_games(archipel: Archipel) -> None:
    result = archipel("games")
    assert result.code == 0
    for part in ("deep-sea: Deep Sea Adventure, 2 to 6 players", "drop_order", "piled", "DS-E8"):
        assert part in result.out
    assert max(map(len, result.out.split("\n"))) <= 80
    assert "de 2 à 6 joueurs" in archipel("games", "--lang", "fr").out


def test_games_as_json(archipel: Archipel) -> None:
    games = {game["name"]: game for game in json.loads(archipel("games", "--json").out)}
    game = games["deep-sea"]
    assert game["seats"] == [2, 3, 4, 5, 6]
    assert "greedy-1" in game["bots"]
    options = {option["name"]: option for option in game["options"]}
    assert options["drop_order"]["default"] == "piled"
    assert [choice["value"] for choice in options["drop_order"]["choices"]] == ["piled", "taken"]


def test_the_whole_booklet(archipel: Archipel) -> None:
    result = archipel("rules", "deep-sea")
    assert result.out.startswith("Deep Sea Adventure\n====")
    assert "DS-G1" in result.out


def test_rules_by_id_and_chapter(archipel: Archipel) -> None:
    assert archipel("rules", "deep-sea", "ds-t1").out.startswith("DS-T1 (R, D) A turn starts")
    chapter = archipel("rules", "deep-sea", "DS-S").out
    assert chapter == archipel("rules", "deep-sea", "set-up").out
    assert "DS-S1" in chapter
    assert "DS-S2" in chapter
    assert "DS-T1 " not in chapter
    twice = archipel("rules", "deep-sea", "DS-S1", "DS-S1")
    assert twice.out.count("DS-S1 (") == 1
    assert "Le tour commence" in archipel("rules", "deep-sea", "DS-T1", "--lang", "fr").out


def test_rules_as_json(archipel: Archipel) -> None:
    (rule,) = json.loads(archipel("rules", "deep-sea", "DS-T1", "--json").out)
    assert rule["id"] == "DS-T1"
    assert rule["sources"] == ["R", "D"]
    booklet = json.loads(archipel("rules", "deep-sea", "--json", "--lang", "fr").out)
    assert booklet["language"] == "fr"
    assert next(chapter["rules"][0]["id"] for chapter in booklet["chapters"]) == "DS-C1"


def test_version(archipel: Archipel) -> None:
    assert archipel("--version").out == f"archipel {package.__version__}\n"


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples(archipel: Archipel, command: str, language: str) -> None:
    result = archipel(*command.split(), "--help", "--lang", language)
    assert result.code == 0
    assert {"en": "examples:", "fr": "exemples\u00a0:"}[language] in result.out
    assert f"archipel {command}" in result.out


def test_no_command_shows_the_help(archipel: Archipel) -> None:
    result = archipel()
    assert result.code == 0
    for command in COMMANDS:
        assert f"\n    {command} " in result.out


@pytest.mark.parametrize(
    ("environment", "french"),
    [
        ({"LANG": "fr_FR.UTF-8"}, True),
        ({"LANG": "fr_CA"}, True),
        ({"LANG": "de_DE.UTF-8"}, False),
        ({"LANG": "C"}, False),
        ({"LC_ALL": "en_GB", "LANG": "fr_FR"}, False),
        ({"LC_ALL": "", "LC_MESSAGES": "fr", "LANG": "en"}, True),
    ],
)
def test_language_of_the_environment(
    archipel: Archipel,
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    french: bool,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("de 2 à 6 joueurs" in archipel("games").out) == french
    assert "2 to 6 players" in archipel("games", "--lang", "en").out


def run_process(*arguments: str, **keywords: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "archipel", *arguments]
    environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        command, text=True, capture_output=True, env=environment, timeout=60, **keywords
    )


def test_as_a_process() -> None:
    done = run_process("play", "deep-sea", "--seats", "9")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "archipel: deep-sea is for 2 to 6 players, not 9\n"


def test_a_closed_pipe() -> None:
    command = f"{sys.executable} -m archipel rules deep-sea | head -n 1"
    done = subprocess.run(command, shell=True, text=True, capture_output=True, timeout=60)
    assert done.stdout == "Deep Sea Adventure\n"
    assert done.stderr == ""


def test_no_colours_in_a_pipe() -> None:
    done = run_process("play", "deep-sea", "--players", "Ana,Bob", input="quit\n")
    assert "\x1b" not in done.stdout
