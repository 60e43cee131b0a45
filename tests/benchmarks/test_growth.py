"""``python -m benchmarks.growth``: which matches belong together, and their picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

from archipel.study.statistics import wilson
from benchmarks.growth import draw_growth, growths, main


def row(
    a: str, shares: list[float], game: str = "deep-sea", b: str = "expert"
) -> dict[str, object]:
    return {"match": f"{game} | 2 | {a} | {b} | 1", "shares": shares}


ROWS = [
    row("master:simulations=400", [1.0, 0.5]),
    row("master:simulations=25", [0.0, 0.5]),
    row("master:simulations=400", [1.0, 1.0]),
    row("master", [1.0, 1.0]),
    row("master:simulations=25,depth=2", [1.0, 1.0]),
    row("master:simulations=25", [1.0, 1.0], b="greedy"),
    row("master:simulations=25", [1.0, 1.0], game="atlantis"),
]


def test_budgets_of_one_bot_against_one_opponent_belong_together() -> None:
    (growth,) = growths(ROWS)
    assert (growth.game, growth.seats, growth.bot, growth.against) == (
        "deep-sea",
        2,
        "master",
        "expert",
    )
    assert [(p.simulations, p.games, p.share) for p in growth.points] == [
        (25, 2, 0.25),
        (400, 4, 0.875),
    ]
    assert growth.points[1].interval == wilson(3.5, 4)


def test_the_picture_shows_every_budget_and_its_interval(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    assert main([str(results), str(tmp_path)]) == 0
    drawn = (tmp_path / "deep-sea.svg").read_text("utf-8")
    assert drawn == draw_growth(growths(ROWS)[0])
    picture = ElementTree.fromstring(drawn)
    svg = "{http://www.w3.org/2000/svg}"
    dots = picture.findall(f"{svg}circle")
    assert float(dots[0].attrib["cy"]) > float(dots[1].attrib["cy"])  # more is higher
    bars = [line for line in picture.findall(f"{svg}line") if line.attrib["class"] == "bar"]
    for dot, bar in zip(dots, bars, strict=True):
        assert float(bar.attrib["y1"]) > float(dot.attrib["cy"]) > float(bar.attrib["y2"])
    texts = {text.text for text in picture.findall(f"{svg}text")}
    assert {"25", "400", "2 games", "4 games"} <= texts
