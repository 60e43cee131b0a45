"""Ratings find who is stronger, say how sure they are, and keep bots where they are."""

from __future__ import annotations

import random
import re
from itertools import pairwise
from pathlib import Path

import pytest

from archipel.clubs.ladder import bot_points
from archipel.clubs.ratings import CENTRE, Result, ratings
from benchmarks.club_ratings import LEVELS, club, in_order


@pytest.mark.parametrize("game", LEVELS)
def test_200_games_of_a_club_recover_the_order_of_the_levels(game: str) -> None:
    """Games that the levels really played; neighbours whose intervals overlap may be exchanged."""
    levels = LEVELS[game]
    found = club(game, seed=1)
    assert set(found) == set(levels)
    for one, other in pairwise(levels):
        sure = found[one].interval[0] > found[other].interval[1]
        assert not sure, f"{one} is surely not stronger than {other}"
    assert in_order(found, (levels[0], levels[2], levels[4])), "every other level"


def test_intervals_contain_the_true_strength() -> None:
    """Simulated players whose strengths are known; a new one against bots at their places."""
    rng, inside = random.Random(3), 0
    for _ in range(60):
        strength = rng.uniform(700, 1400)
        results = []
        for _ in range(60):
            bot = rng.choice((800.0, 1000.0, 1200.0))
            wins = rng.random() < 1 / (1 + 10 ** ((bot - strength) / 400))
            results.append(Result(["me", str(bot)], [0, 1] if wins else [1, 0]))
        fixed = {name: float(name) for name in ("800.0", "1000.0", "1200.0")}
        found = ratings(results, fixed)
        assert set(found) == {"me"}, "bots are fixed points"
        low, high = found["me"].interval
        inside += low <= strength <= high
    assert inside >= 0.9 * 60


def test_more_games_make_surer() -> None:
    games = [Result(["a", "b"], [n % 2, 1 - n % 2]) for n in range(60)]
    few, many = ratings(games[:4]), ratings(games)
    assert many["a"].deviation < few["a"].deviation / 2
    assert abs(many["a"].points - CENTRE) < 60
    assert many["a"].games == 60


def test_games_of_more_than_two_and_ties() -> None:
    found = ratings([Result(["a", "b", "c", "d"], [0, 1, 1, 3])] * 10)
    assert found["a"].points > found["b"].points > found["d"].points
    assert found["b"].points == pytest.approx(found["c"].points, abs=1)


def test_a_game_against_oneself_says_nothing() -> None:
    assert ratings([Result(["a"], [0]), Result(["a", "a"], [0, 1])]) == {}


def test_the_points_of_bots_are_those_of_the_ladder() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ladder.md").read_text("utf-8")
    titles = {"atlantis": "Atlantis", "deep-sea": "Deep Sea Adventure"}
    titles |= {"the-island": "The Island", "mauna-kea": "Mauna Kea"}
    for game, title in titles.items():
        part = page.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ([\w-]+) \| (-?\d+) \| -?\d+ to", part, re.MULTILINE)
        assert bot_points()[game] == {bot: int(points) for bot, points in rows}
