"""``simulate``: the table, the JSON, and user errors."""

from __future__ import annotations

import json
from functools import partial

import pytest

from archipel.study import simulate
from tests.cli.conftest import Archipel

GAMES = ("simulate", "deep-sea", "--games", "30", "--seed", "1")


@pytest.fixture(autouse=True)
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreting a few games is faster than compiling."""
    monkeypatch.setattr("archipel.cli.match.simulate", partial(simulate, compiled=False))


def test_the_table(archipel: Archipel) -> None:
    result = archipel(*GAMES, "--bots", "random,greedy", "--seats", "4")
    assert result.code == 0
    assert result.err == ""
    lines = result.out.split("\n")
    assert lines[0] == "deep-sea, seats=4 first=drawn drop_order=piled: 30 games, seed 1"
    assert lines[4].startswith("random ×2")
    assert lines[5].startswith("greedy-1 ×2")
    assert "seat 4" in result.out
    assert archipel(*GAMES, "--bots", "random,greedy", "--seats", "4").out == result.out


def test_the_table_in_french(archipel: Archipel) -> None:
    result = archipel(*GAMES, "--bots", "random,greedy", "--lang", "fr")
    assert "30 parties, graine 1" in result.out
    assert "intervalle à 95\u202f%" in result.out
    assert "Une partie compte en moyenne" in result.out
    assert "." not in result.out.split("moyenne ")[1].split(" ")[0]


def test_json_output(archipel: Archipel) -> None:
    data = json.loads(archipel(*GAMES, "--json", "--set", "drop_order=chosen").out)
    assert data["games"] == 30
    assert data["bots"] == ["random", "greedy-1"]
    assert data["options"]["drop_order"] == "chosen"
    assert data["seats_rotate"] is True


def test_fixed_seats(archipel: Archipel) -> None:
    result = archipel(*GAMES, "--bots", "greedy,random", "--fixed-seats")
    assert "Seats are fixed: greedy-1, random." in result.out
    assert json.loads(archipel(*GAMES, "--json", "--fixed-seats").out)["seats_rotate"] is False


def test_a_random_seed_is_shown(archipel: Archipel) -> None:
    seeds = {
        json.loads(archipel("simulate", "deep-sea", "--games", "1", "--json").out)["seed"]
        for _ in range(3)
    }
    assert len(seeds) == 3


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("--bots clever,greedy", ["no bot is called clever", "random, greedy-1"]),
        ("--bots ,", ["a name is missing"]),
        ("--bots random", ["2 to 6 players, not 1"]),
        ("--seats 7", ["2 to 6 players, not 7"]),
        ("--bots random,random,random --seats 2", ["3 players for 2 seats"]),
        ("--games 0", ["--games 0"]),
        ("--games lots", ["--games lots"]),
        ("--workers 0", ["--workers 0"]),
        ("--seed x", ["--seed x"]),
        ("--set first=9", ["DS-S2"]),
    ],
)
def test_user_errors(archipel: Archipel, arguments: str, parts: list[str]) -> None:
    archipel("simulate", "deep-sea", *arguments.split()).refused(*parts)


def test_the_game_is_required(archipel: Archipel) -> None:
    archipel("simulate").refused("which game?")
    archipel("simulate", "deep-see").refused("did you mean deep-sea?")
