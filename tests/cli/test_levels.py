"""Levels at the terminal: offered by name; a lighter bot plays until they are ready."""

from __future__ import annotations

import pytest

from archipel.bots import levels_of
from archipel.bots.search.programs import search_program
from archipel.cli import patient_bots
from archipel.rules.kit.program import Backend
from tests.cli.conftest import Archipel

LEVEL = levels_of("deep-sea")[0].name


class Slow:
    """A search that is never ready, or at once where it is told so."""

    compiled = False
    failure: str | None = None

    @property
    def backend(self) -> Backend:
        return search_program("deep-sea").interpreted()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    warming = Slow()
    monkeypatch.setattr(patient_bots, "_warming", lambda game: warming)
    return warming


def test_a_lighter_one_plays_meanwhile_and_people_are_told_once(
    archipel: Archipel, slow: Slow
) -> None:
    players = f"{LEVEL},{LEVEL}"
    result = archipel("play", "deep-sea", "--players", players, "--seed", "1")
    assert result.code == 0
    assert result.out.count(f"{LEVEL} is being made ready") == 1
    assert "greedy-1 plays for it meanwhile" in result.out
    assert "The game is over" in result.out


def test_levels_are_named_in_words(archipel: Archipel) -> None:
    result = archipel("play", typed="deep-sea\n2\n\n\nquit\nn\n")
    assert f"{LEVEL} (First game)" in result.out
    french = archipel("play", "--lang", "fr", typed="deep-sea\n2\n\n\nquitter\nn\n")
    assert f"{LEVEL} (Première partie)" in french.out
    seated = archipel(
        "play", "deep-sea", "--players", f"Ana,{LEVEL}", "--set", "first=1", typed="quit\n\n"
    )
    assert f"2 {LEVEL} (First game)" in seated.out
