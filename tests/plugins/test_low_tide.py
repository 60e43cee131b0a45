"""The example package, built and played."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.plugins.site import build_example, run, write_minimal_game


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_example(tmp_path_factory.mktemp("low-tide"))


def test_the_conformance_suite_passes(site: Path) -> None:
    files = ("examples/low_tide", "tests/bots/test_hidden_information.py")
    chosen = (*files, "-k", "low_tide or low-tide")
    done = run([site], "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen)
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) >= 25


def test_a_game_may_leave_out_parts_with_defaults_and_a_language(
    site: Path, tmp_path: Path
) -> None:
    write_minimal_game(tmp_path)
    suite = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/conformance")
    done = run([site, tmp_path], *suite, "-k", "bare-tide")
    assert done.returncode == 0, done.stdout
    players = ("--players", "Ana,random", "--seed", "1", "--set", "first=1")
    typed = "".join(f"take {shell}\n" for shell in range(8, 0, -1)) * 2
    played = run([site, tmp_path], "-m", "archipel", "play", "bare-tide", *players, typed=typed)
    assert played.returncode == 0, played.stderr
    assert "Ana plays take 8." in played.stdout
    rules = run([site, tmp_path], "-m", "archipel", "rules", "bare-tide", "--lang", "fr")
    assert "Low Tide" in rules.stdout


def test_the_command_line_lists_the_game(site: Path) -> None:
    done = run([site], "-m", "archipel", "games", "--json")
    games = {game["name"]: game for game in json.loads(done.stdout)}
    assert list(games)[-1] == "low-tide"
    assert games["low-tide"]["bots"] == ["random", "digger-1"]
    assert done.stderr == ""
    rules = run([site], "-m", "archipel", "rules", "low-tide", "--lang", "fr")
    assert "Marée basse" in rules.stdout


def test_the_game_is_played_at_the_terminal(site: Path) -> None:
    """Ana takes any shell that is left, against the bot of the package."""
    typed = "".join(f"take {shell}\n" for shell in range(8, 0, -1)) * 2
    players = ("--players", "Ana,digger", "--seed", "1", "--set", "first=1")
    done = run([site], "-m", "archipel", "play", "low-tide", *players, typed=typed)
    assert done.returncode == 0, done.stderr
    assert "Ana takes shell 8." in done.stdout
    assert "digger-1" in done.stdout
    assert "the beach is empty" in done.stdout


def test_bots_of_the_package_are_simulated_in_compiled_code(site: Path) -> None:
    simulated = ("simulate", "low-tide", "--bots", "digger,random", "--games", "2000", "--json")
    done = run([site], "-m", "archipel", *simulated)
    assert done.returncode == 0, done.stderr
    assert '"digger-1"' in done.stdout
    assert json.loads(done.stdout)["games"] == 2000


def test_the_game_is_played_at_a_table_of_the_server(site: Path) -> None:
    done = run([site], "-m", "tests.plugins.at_a_table")
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["titles"] == {"en": "Low Tide", "fr": "Marée basse"}
    assert seen["rules"] == "Marée basse"
    assert seen["sentence"] == "The sea stays calm."
    assert seen["stage"] == "over"
    assert seen["over"] is True
    assert {"take", "score"} <= set(seen["told"])
