"""The ladder in the documents agrees with its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from archipel.cli.ladder import anchor_of
from archipel.study.matches.ladder import read_ladder
from archipel.study.matches.ratings import draw_ratings
from benchmarks.ladder_page import level_pairs, levels_table, shares_of, title_of

DOCS = Path(__file__).parents[2] / "docs"
FILES = sorted((DOCS / "ladder").glob("*.jsonl"))


def test_every_game_has_a_ladder() -> None:
    games = {"atlantis", "deep-sea", "mauna-kea", "the-island"}
    assert {file.stem for file in FILES} == games | {"atlantis-2", "deep-sea-2"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_figures_agree_with_the_file(file: Path) -> None:
    ladder = read_ladder(file)
    ratings = ladder.ratings(anchor_of(ladder))
    text = (DOCS / "ladder.md").read_text("utf-8")
    title = title_of(ladder)
    chapter = text.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line for line in chapter.splitlines() if line.startswith("| ")]
    heads = ("| bot ", "| level ", "| --- ")
    named = [row for row in rows if not row.startswith(heads)]
    assert len(named) == len(ratings) + max(0, len(levels_table(ladder)) - 3)
    for rating in ratings:
        low, high = rating.interval.low, rating.interval.high
        row = f"| {rating.name} | {rating.rating:.0f} | {low:.0f} to {high:.0f} | {rating.games} |"
        assert row in chapter
    for row in levels_table(ladder):
        assert row in chapter
    drawn = draw_ratings(f"{title}, {ladder.head.seats} seats", ratings)
    assert file.with_suffix(".svg").read_text("utf-8") == drawn


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.stem))
def test_each_level_beats_the_one_below(file: Path) -> None:
    """Under the defaults of the file, more often than not."""
    ladder = read_ladder(file)
    steps = level_pairs(ladder)[2:]
    shares = [shares_of(ladder, above, below) for above, below in steps]
    assert len(steps) == 4
    assert all(sum(won) > len(won) / 2 for won in shares), steps
