"""Aggregated match results, and the tables generated from them."""

from __future__ import annotations

from pathlib import Path

from benchmarks.strength_page import chapter, costs, fill_tables
from benchmarks.strength_results import MatchResult, add_up, merge, read_kept, write_kept

ROW = {
    "match": "deep-sea | 4 | master | greedy | 7",
    "shares": [1.0, 0.5, 0.0, 1.0],
    "asked": 10,
    "seconds": 0.5,
    "asked_b": 40,
    "seconds_b": 0.004,
}
RESULT = MatchResult("deep-sea", 4, "master", "greedy", 7, 8, 5.0, 50.0, 0.1)


def test_rotations_are_aggregated(tmp_path: Path) -> None:
    assert add_up([ROW, ROW | {"rotation": 1}]) == [RESULT]
    file = tmp_path / "kept.jsonl"
    assert read_kept(file) == []
    write_kept(file, [RESULT])
    assert read_kept(file) == [RESULT]


def test_a_continued_match_replaces_the_shorter_one() -> None:
    (before,) = add_up([ROW])
    other = MatchResult("deep-sea", 4, "master", "greedy", 8, 4, 1.0, 50.0, 0.1)
    assert merge([before, other], [RESULT]) == [RESULT, other]
    assert merge([RESULT], [before]) == [RESULT]


def test_tables_and_chart_of_a_game() -> None:
    other = MatchResult("atlantis", 2, "master", "greedy", 7, 8, 5.0, 50.0, 0.1)
    row = "| 4 | `master` | three greedy | 8 | 0.62 | 0.31–0.86 | 50.0, 0.1 |"
    text = chapter("deep-sea", [RESULT, other])
    assert text.splitlines()[-1] == row
    assert "svg" not in text
    budgets = [
        MatchResult("deep-sea", 2, f"master:simulations={n}", "greedy", 7, 2, 1, 1, 1)
        for n in (90, 8)
    ]
    text = chapter("deep-sea", [RESULT, *budgets])
    assert "](search/deep-sea.svg)" in text
    assert text.index(row) < text.index("simulations=8`") < text.index("simulations=90`")


def test_matches_of_nets_are_on_their_own_page() -> None:
    settings = "simulations=40,horizon=1,evaluation=net_1"
    net = MatchResult("deep-sea", 2, settings, "expert-1", 7, 8, 5.0, 50.0, 0.1)
    assert net.has_net
    assert not RESULT.has_net
    assert chapter("deep-sea", [RESULT, net]) == chapter("deep-sea", [RESULT])


def test_only_the_tables_of_a_page_change() -> None:
    page = "Before\n<!-- strength deep-sea -->\nold\n<!-- end -->\nafter\n"
    new = fill_tables(page, [RESULT], [])
    assert new.startswith("Before\n<!-- strength deep-sea -->\n| seats |")
    assert new.endswith("|\n<!-- end -->\nafter\n")
    assert "old" not in new
    assert fill_tables(new, [RESULT], []) == new


def test_costs_of_decisions() -> None:
    row = {
        "game": "mauna-kea",
        "step_us": 0.25,
        "greedy-1": {"choice_us": 9.0, "of_a_step": 36.0},
        "greedy-2": {"choice_us": 1.0, "of_a_step": 4.0},
        "quick-1": {"choice_us": 0.4, "of_a_step": 1.6},
        "quick-2": {"choice_us": 0.2, "of_a_step": 0.8},
    }
    wanted = "| Mauna Kea | 0.250 | 1.000 (4.0) | 0.400 (1.6) | 0.200 (0.8) | 5.0 |"
    assert costs([row]).splitlines()[-1] == wanted
    del row["quick-2"]
    assert costs([row]).splitlines()[-1].endswith("| 0.400 (1.6) |  | 2.5 |")
    page = "<!-- strength costs -->\n<!-- end -->"
    assert wanted[:20] in fill_tables(page, [], [row])
