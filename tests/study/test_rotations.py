"""Rotations: equal on any number of processes, compiled or not; common random numbers."""

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
def test_result_does_not_depend_on_processes() -> None:
    match = match_of("deep-sea", "greedy-1", "random", "greedy-1")
    here = {number: RotationPlayer(match).play(number) for number in range(4)}
    for processes in (1, 3):
        assert dict(play_rotations(match, range(4), workers=processes)) == here


def test_compiled_rotations_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled path, here with an interpreted kernel, plays the games of `RotationPlayer`."""
    match = match_of("deep-sea", "random", "greedy-1", "random")
    here = {number: RotationPlayer(match).play(number) for number in (0, 1, 4)}
    backend = games_program("deep-sea").interpreted()
    monkeypatch.setattr(module, "can_compile", lambda: True)
    monkeypatch.setattr(module, "load_program", lambda *given: backend)
    assert dict(play_rotations(match, (0, 1, 4), workers=2)) == here


class Recorder:
    """Plays the first legal action and records its views and random numbers."""

    def __init__(self) -> None:
        self.seen: list[Any] = []
        self.drawn: list[int] = []

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int:
        self.seen.append(view)
        self.drawn.append(chance.draw(10**6))
        return legal[0]


def test_games_of_a_rotation_share_random_numbers() -> None:
    """Equal bots get equal games in all seats; their own choices have separate streams."""
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
    assert len(set(drawn)) > first_half, "choices of different games have different streams"
    assert rotation != player.play(4)


@pytest.mark.usefixtures("_no_compiler")
def test_failing_program_stops_the_match_with_a_reason() -> None:
    code = 'input(); print(\'{"type": "ready"}\', flush=True); input(); print(\'{"action": 99}\')'
    mine = BotProgram("mine", (sys.executable, "-c", code), 60)
    match = match_of("deep-sea", "mine", "random", programs={"mine": mine})
    with pytest.raises(EntrantFailed, match=r"mine failed in game 1, decision \d+: its answer"):
        list(play_rotations(match, range(3), workers=1))


def test_results_treat_a_rotation_as_one_sample() -> None:
    match = match_of("deep-sea", "greedy-1", "random")
    won_both = Rotation(((0, 1), (0, 1)), ((9, 2), (7, 1)), (10, 20))
    shared = Rotation(((0, 0), (1, 0)), ((5, 5), (1, 3)), (30, 40))
    result = result_of(match, [won_both, shared])
    greedy = result["greedy-1"]
    assert (greedy.won.games, greedy.won.wins) == (4, Fraction(5, 2))
    # In game 2 of a rotation every entrant moves on by one seat.
    assert [won.wins / won.games for won in greedy.by_seat] == [Fraction(3, 4), Fraction(1, 2)]
    assert (greedy.mean_score, result.mean_rank("greedy-1")) == (5.5, 1.25)
    assert result.mean_decisions == 25
    assert result.to_dict()["results"][1]["wins_exact"] == "3/2"
    # Two samples, not four.
    lone = result_of(match, [won_both] * 2)["greedy-1"].won.interval
    assert lone.low == pytest.approx(0.342, abs=0.001)
