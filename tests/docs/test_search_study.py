"""The tables and charts of the search study agree with the result files."""

from __future__ import annotations

from benchmarks.strength_page import (
    BLOCK,
    GAMES,
    KEPT,
    PAGE,
    all_results,
    charts,
    fill_tables,
    read_policies,
)


def test_tables_agree_with_the_result_files() -> None:
    page = PAGE.read_text("utf-8")
    assert [name for _, name, _ in BLOCK.findall(page)] == [*GAMES, "costs"]
    assert fill_tables(page, all_results(), read_policies()) == page


def test_charts_agree_with_the_result_files() -> None:
    drawn = dict(charts(all_results()))
    assert {file.name for file in KEPT.parent.glob("*.svg")} == set(drawn)
    for name, content in drawn.items():
        assert (KEPT.parent / name).read_text("utf-8") == content
