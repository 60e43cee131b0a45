"""Matches in rotations: the same on any number of processes, compiled or not; equal chance."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from archipel.bots.external.bot_program import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.kit import Chance
from archipel.study.matches import play_rotations as module
from archipel.study.matches.match import result_of
from archipel.study.matches.play_rotations import play_rotations
from archipel.study.matches.rotation import EntrantFailed, Match, Rotation, RotationPlayer
from archipel.study.simulation.game_programs import games_program


def match_of(game: str = "deep-sea", *bots: str, seed: int = 5, **given: Any) -> Match:
    entrants = bots or ("greedy-1", "random")
    return Match(game, game_named(game).make_options(len(entrants)), entrants, seed, **given)


@pytest.fixture
def _no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "can_compile", lambda: False)


@pytest.mark.usefixtures("_no_compiler")
def test_the_number_of_processes_changes_nothing() -> None:
    match = match_of("deep-sea", "greedy-1", "random", "greedy-1")
    here = {number: RotationPlayer(match).play(number) for number in range(4)}
    for processes in (1, 3):
        assert dict(play_rotations(match, range(4), processes=processes)) == here


def test_a_compiled_rotation_is_the_same_rotation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel, here interpreted, draws chance and choices as the arena does."""
    match = match_of("deep-sea", "random", "greedy-1", "random")
    here = {number: RotationPlayer(match).play(number) for number in (0, 1, 4)}
    backend = games_program("deep-sea").interpreted()
    monkeypatch.setattr(module, "can_compile", lambda: True)
    monkeypatch.setattr(module, "load_program", lambda *given: backend)
    assert dict(play_rotations(match, (0, 1, 4), processes=2)) == here


class Recorder:
    """Plays the first legal action, and remembers what it was dealt and which numbers it drew."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.drawn: list[int] = []

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        self.seen.append(view)
        self.drawn.append(chance.draw(10**6))
        return legal[0]


def test_chance_is_equal_for_all_seats_of_a_rotation() -> None:
    """Bots that play alike get the same games whichever seats they have; their own choices are
    left to chance of their own."""
    match = match_of("the-island", "one", "other")
    bots = {"one": Recorder(), "other": Recorder()}
    player = RotationPlayer(match, bots)
    rotation = player.play(3)
    assert rotation.decisions[0] == rotation.decisions[1]
    assert rotation.ranks[0] == rotation.ranks[1][::-1]
    assert rotation.scores[0] == rotation.scores[1][::-1]
    half = len(bots["one"].seen) - len(bots["other"].seen)
    assert half == 0
    first_half = rotation.decisions[0]
    drawn = bots["one"].drawn + bots["other"].drawn
    assert len(set(drawn)) > first_half, "choices of different games are drawn apart"
    assert rotation != player.play(4)


@pytest.mark.usefixtures("_no_compiler")
def test_a_program_that_fails_stops_the_match_with_a_reason() -> None:
    code = 'input(); print(\'{"type": "ready"}\', flush=True); input(); print(\'{"action": 99}\')'
    mine = BotProgram("mine", (sys.executable, "-c", code), 60)
    match = match_of("deep-sea", "mine", "random", programs={"mine": mine})
    with pytest.raises(EntrantFailed, match=r"mine failed in game 1, decision \d+: its answer"):
        list(play_rotations(match, range(3), processes=1))


def test_results_are_summed_up_by_rotation() -> None:
    match = match_of("deep-sea", "greedy-1", "random")
    won_both = Rotation(((0, 1), (0, 1)), ((9, 2), (7, 1)), (10, 20))
    shared = Rotation(((0, 0), (1, 0)), ((5, 5), (1, 3)), (30, 40))
    result = result_of(match, [won_both, shared])
    greedy = result["greedy-1"]
    assert (greedy.won.games, greedy.won.wins) == (4, Fraction(5, 2))
    # In game 2 of a rotation everybody sits one seat further.
    assert [won.wins / won.games for won in greedy.by_seat] == [Fraction(3, 4), Fraction(1, 2)]
    assert (greedy.mean_score, result.mean_rank("greedy-1")) == (5.5, 1.25)
    assert result.mean_decisions == 25
    assert result.to_dict()["results"][1]["wins_exact"] == "3/2"
    # Two observations, not four.
    lone = result_of(match, [won_both] * 2)["greedy-1"].won.interval
    assert lone.low == pytest.approx(0.342, abs=0.001)
