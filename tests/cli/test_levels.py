"""Levels at the terminal: a stand-in plays until the search is compiled."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from archipel.bots import Bot, BotInfo, Level, levels_of
from archipel.bots.search.search import search_program
from archipel.cli import players
from archipel.rules.kit.core.program import Backend
from tests.cli.conftest import Archipel

LEVEL = levels_of("deep-sea")[0].name


class Slow:
    """A search whose compilation never ends, unless ``failure`` is set."""

    compiled = False
    failure: str | None = None

    @property
    def backend(self) -> Backend:
        return search_program("deep-sea").interpreted()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    warming = Slow()
    monkeypatch.setattr(players, "_warming", lambda game: warming)
    return warming


def test_a_stand_in_plays_meanwhile_and_is_announced_once(archipel: Archipel, slow: Slow) -> None:
    players = f"{LEVEL},{LEVEL}"
    result = archipel("play", "deep-sea", "--players", players, "--seed", "1")
    assert result.code == 0
    assert result.out.count(f"{LEVEL} is being compiled") == 1
    assert "greedy-1 plays for it meanwhile" in result.out
    assert "The game is over" in result.out


def test_levels_have_descriptions(archipel: Archipel) -> None:
    result = archipel("play", typed="deep-sea\n2\n\n\nquit\nn\n")
    assert f"{LEVEL} (First game)" in result.out
    french = archipel("play", "--lang", "fr", typed="deep-sea\n2\n\n\nquitter\nn\n")
    assert f"{LEVEL} (Première partie)" in french.out
    seated = archipel(
        "play", "deep-sea", "--players", f"Ana,{LEVEL}", "--set", "first=1", typed="quit\n\n"
    )
    assert f"2 {LEVEL} (First game)" in seated.out


def brief_bot(info: BotInfo, backend: Backend | None = None) -> Bot:
    """A bot that searches very little."""
    if isinstance(info, Level):
        info = replace(info, config=replace(info.config, simulations=4))
    return Bot(info, backend)


def test_after_the_game_the_candidates_of_bots_are_shown(
    archipel: Archipel, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.failure = "there is no compiler"  # then the search runs interpreted
    monkeypatch.setattr(players, "Bot", brief_bot)
    given = ("play", "deep-sea", "--players", f"Ana,{LEVEL}", "--set", "first=1", "--seed", "4")
    played = archipel(*given, typed="1\n" * 400)
    assert played.code == 0, "the input may end where nothing has to be answered"
    whole, _, asked = played.out.partition("Why did a bot play a move?")
    assert "The game is over" in whole
    assert "“1” is not a move of a bot that searches" in asked, "it was Ana's"
    moves = "1\n" * whole.count("Ana > ")
    listed = archipel(*given, typed=f"{moves}list\n\n")
    number, chosen = re.findall(rf"^ *(\d+)\. {LEVEL}: (.+)$", listed.out, re.M)[-1]
    result = archipel(*given, typed=f"{moves}{number}\n\n")
    lead = f"Move {number}: the candidates of {LEVEL}, with its estimated chance of winning:"
    considered = result.out.split(lead)[1]
    assert re.search(rf"^  {chosen} +\d+%  tried \d+ times  chosen$", considered, re.M)
    assert considered.count("tried") > considered.count("chosen") == 1
    french = archipel(*given, "--lang", "fr", typed=f"{moves}liste\n{number}\n\n")
    assert f"les coups envisagés par {LEVEL}" in french.out


def test_games_between_bots_ask_nothing(
    archipel: Archipel, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.failure = "there is no compiler"
    monkeypatch.setattr(players, "Bot", brief_bot)
    result = archipel("play", "deep-sea", "--players", f"greedy,{LEVEL}", "--seed", "1")
    assert result.code == 0
    assert "Why did a bot" not in result.out
