"""The chart of strength by budget: which matches it groups, and what it shows."""

from __future__ import annotations

from xml.etree import ElementTree

from archipel.bots import levels_of
from archipel.study.statistics import wilson
from benchmarks.budget_scaling import budget_scalings, draw_scaling, is_budget
from benchmarks.strength_results import MatchResult


def result(
    a: str, games: int, won: float, game: str = "deep-sea", b: str = "expert", seed: int = 1
) -> MatchResult:
    return MatchResult(game, 2, a, b, seed, games, won, 1.0, 0.1)


RESULTS = [
    result("master:simulations=400", 2, 1.5),
    result("master:simulations=25", 2, 0.5),
    result("master:simulations=400", 2, 2.0, seed=2),
    result("master", 4, 4.0),
    result("master:simulations=25,depth=2", 2, 2.0),
    result("plain:simulations=25", 2, 2.0),
    result("master:simulations=25", 2, 2.0, b="greedy"),
    result("master:simulations=100", 2, 2.0, b="greedy"),
    result("master:simulations=25", 2, 2.0, game="atlantis"),
]


def test_budgets_of_one_bot_against_one_opponent_are_grouped() -> None:
    (scaling,) = budget_scalings(RESULTS)
    assert (scaling.game, scaling.seats, scaling.bot) == ("deep-sea", 2, "master")
    assert scaling.against == "expert", "measured with more budgets than against greedy"
    full = levels_of("deep-sea")[-1].config.simulations
    assert [(p.simulations, p.games, p.share) for p in scaling.points] == [
        (25, 2, 0.25),
        (400, 4, 0.875),
        (full, 4, 1.0),
    ]
    assert scaling.points[1].interval == wilson(3.5, 4)


def test_is_budget() -> None:
    assert [is_budget(result) for result in RESULTS[3:7]] == [False, False, False, True]


def test_the_chart_shows_every_budget_with_its_interval() -> None:
    picture = ElementTree.fromstring(draw_scaling(budget_scalings(RESULTS)[0]))
    svg = "{http://www.w3.org/2000/svg}"
    dots = picture.findall(f"{svg}circle")
    heights = [float(dot.attrib["cy"]) for dot in dots]
    assert heights == sorted(heights, reverse=True), "higher shares are drawn higher"
    places = [float(dot.attrib["cx"]) for dot in dots]
    assert places == sorted(places)
    assert places[0] > 0
    assert places[-1] < float(picture.attrib["width"])
    bars = [line for line in picture.findall(f"{svg}line") if line.attrib["class"] == "bar"]
    for dot, bar in zip(dots, bars, strict=True):
        assert float(bar.attrib["y1"]) > float(dot.attrib["cy"]) >= float(bar.attrib["y2"])
    texts = {text.text for text in picture.findall(f"{svg}text")}
    assert {"25", "400", "2 games", "4 games"} <= texts
