"""Games played elsewhere are added to the ladder, and its page is generated again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from archipel.rules.all_games import game_named
from archipel.study.matches.ladder import Ladder, Line, head_of, read_ladder
from benchmarks import ladder_page

HEAD = head_of("deep-sea", game_named("deep-sea").make_options(2), 1)


def line(bots: tuple[str, ...], rotation: int) -> Line:
    return Line(bots, rotation, ((0, 1), (1, 0)), ((3, 2), (2, 3)), (9, 9))


def ladder(*lines: Line) -> Ladder:
    made = Ladder(HEAD)
    for one in lines:
        made.add(one)
    return made


def test_new_rotations_are_added(tmp_path: Path) -> None:
    here = ladder(line(("a", "b"), 0), line(("b", "c"), 0))
    ladder_page.add(here, ladder(line(("a", "b"), 1), line(("a", "b"), 0), line(("a", "c"), 0)))
    file = tmp_path / "deep-sea.jsonl"
    file.write_bytes(ladder_page.whole_file(here))
    assert read_ladder(file) == here
    assert here.rotations == 4
    other = Ladder(head_of("deep-sea", game_named("deep-sea").make_options(2), 2))
    with pytest.raises(ValueError, match="another ladder"):
        ladder_page.add(here, other)


def test_table_of_levels_against_the_level_below() -> None:
    lost = Line(("casual-2", "first-game-1"), 1, ((1, 0), (0, 0)), ((2, 3), (2, 2)), (9, 9))
    here = ladder(
        line(("casual-2", "first-game-1"), 0),
        lost,
        line(("casual-2", "greedy-1"), 0),
        line(("first-game-1", "greedy-1"), 0),
    )
    assert ladder_page.shares_of(here, "casual-2", "first-game-1") == [1, 0, 0, 0.5]
    assert ladder_page.shares_of(here, "first-game-1", "casual-2") == [0, 1, 1, 0.5]
    rows = ladder_page.levels_table(here)[2:-1]
    assert [row.split(" | ")[:3] for row in rows] == [
        ["| first-game-1", "greedy-1", "2"],
        ["| casual-2", "first-game-1", "4"],
    ]
    assert "| 0.38 | 0.09–0.78 |" in rows[1]


def test_the_page_is_generated_from_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, files = tmp_path / "ladder.md", tmp_path / "ladder"
    shutil.copy(ladder_page.PAGE, page)
    files.mkdir()
    file = files / "deep-sea.jsonl"
    shutil.copy(ladder_page.FILES / file.name, file)
    monkeypatch.setattr(ladder_page, "PAGE", page)
    monkeypatch.setattr(ladder_page, "FILES", files)
    before = page.read_text("utf-8")
    assert ladder_page.main([]) == 0
    assert page.read_text("utf-8") == before
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    played = Ladder(read_ladder(file).head)
    played.add(line(("greedy-1", "newcomer-1"), 0))
    (elsewhere / file.name).write_bytes(ladder_page.whole_file(played))
    games = read_ladder(file).games
    assert ladder_page.main([str(elsewhere)]) == 0
    assert read_ladder(file).games == games + 2
    after = page.read_text("utf-8")
    assert f"{games + 2} games. ![Ratings](ladder/deep-sea.svg)" in after
    assert "| newcomer-1 | " in after
    assert "newcomer-1" in file.with_suffix(".svg").read_text("utf-8")
