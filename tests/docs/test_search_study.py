"""The tables and pictures of how strong bots are follow from the matches that are kept."""

from __future__ import annotations

from benchmarks.strength_page import (
    BLOCK,
    GAMES,
    KEPT,
    PAGE,
    everything,
    pictures,
    read_policies,
    written,
)


def test_the_tables_are_those_of_the_files() -> None:
    page = PAGE.read_text("utf-8")
    assert [name for _, name, _ in BLOCK.findall(page)] == [*GAMES, "costs"]
    assert written(page, everything(), read_policies()) == page


def test_the_pictures_are_those_of_the_files() -> None:
    drawn = dict(pictures(everything()))
    assert {file.name for file in KEPT.parent.glob("*.svg")} == set(drawn)
    for name, content in drawn.items():
        assert (KEPT.parent / name).read_text("utf-8") == content
