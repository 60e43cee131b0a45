"""The ladder file: it grows, resumes after an interruption, and belongs to one ladder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from archipel.rules.all_games import game_named
from archipel.study.matches import ladder
from archipel.study.matches.ladder import Ladder, LadderError, climb, head_of, lineups, read_ladder
from archipel.study.matches.ratings import draw_ratings
from archipel.study.matches.rotation import Match, Rotation
from archipel.study.progress import Progress

HEAD = head_of("deep-sea", game_named("deep-sea").make_options(2), 1)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple[str, ...], int]]:
    """Replace play by fixed results and record the rotations asked for.

    The first of the line-up wins, but loses one game of an odd rotation.
    """
    found: list[tuple[tuple[str, ...], int]] = []

    def play(match: Match, numbers: Any, **given: Any) -> Any:
        for number in reversed(numbers):  # in no fixed order
            found.append((match.bots, number))
            second = (1, 0) if number % 2 else (0, 1)
            yield number, Rotation(((0, 1), second), ((3, 2), (match.seed % 7, 1)), (9, 9))

    monkeypatch.setattr(ladder, "play_rotations", play)
    return found


def test_lineups_are_all_combinations() -> None:
    assert lineups(["c", "a", "b", "a"], 2) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(lineups("abcdef", 4)) == 15


def test_climb_plays_only_missing_rotations(asked: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    climb(file, HEAD, ["a", "b"], 3)
    assert sorted(asked) == [(("a", "b"), 0), (("a", "b"), 1), (("a", "b"), 2)]
    asked.clear()
    grown = climb(file, HEAD, ["a", "b", "c"], 4)
    assert sorted(asked) == [
        (("a", "b"), 3),
        *((lineup, number) for lineup in (("a", "c"), ("b", "c")) for number in range(4)),
    ]
    assert read_ladder(file) == grown
    asked.clear()
    climb(file, HEAD, ["a", "b", "c"], 4)
    assert asked == []
    assert grown.games == 24


def test_incomplete_last_line_is_played_again(asked: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    whole = climb(file, HEAD, ["a", "b"], 3)
    data = file.read_bytes()
    file.write_bytes(data[:-20])
    asked.clear()
    assert climb(file, HEAD, ["a", "b"], 3) == whole
    assert len(asked) == 1
    assert sorted(file.read_bytes().splitlines()) == sorted(data.splitlines())


def test_ratings_do_not_depend_on_the_order_of_play(asked: list[Any], tmp_path: Path) -> None:
    at_once = climb(tmp_path / "one.jsonl", HEAD, ["a", "b", "c"], 6)
    for rotations in (1, 4, 6):
        in_steps = climb(tmp_path / "two.jsonl", HEAD, ["c", "b", "a"], rotations)
    assert in_steps.ratings() == at_once.ratings()


def test_foreign_file_is_refused_and_unchanged(asked: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    climb(file, HEAD, ["a", "b"], 1)
    before = file.read_bytes()
    other = head_of("deep-sea", game_named("deep-sea").make_options(2), 2)
    for head, why in ((other, "other"), (HEAD, "foreign"), (HEAD, "bad_line")):
        if why == "foreign":
            file.write_bytes(before := b"my diary\n")
        elif why == "bad_line":
            line = b'{"bots":["a","b"],"rotation":0,"ranks":[[0,1]],"scores":[],"decisions":[]}\n'
            file.write_bytes(before := msgspec.json.encode(HEAD) + b"\n" + line)
        with pytest.raises(LadderError) as refused:
            climb(file, head, ["a", "b"], 2)
        assert refused.value.why == why
        assert file.read_bytes() == before


def test_file_in_use_is_refused(asked: list[Any], tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"

    def climb_again(progress: Progress) -> None:
        with pytest.raises(LadderError, match="in_use"):
            climb(file, HEAD, ["a", "b"], 9)

    climb(file, HEAD, ["a", "b"], 1, on_progress=climb_again)
    assert read_ladder(file).rotations == 1


def test_rotations_before_a_failure_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def play(match: Match, numbers: Any, **given: Any) -> Any:
        yield 0, Rotation(((0, 1), (0, 1)), ((3, 2), (2, 1)), (9, 9))
        raise KeyboardInterrupt

    monkeypatch.setattr(ladder, "play_rotations", play)
    with pytest.raises(KeyboardInterrupt):
        climb(tmp_path / "l.jsonl", HEAD, ["a", "b"], 5)
    assert read_ladder(tmp_path / "l.jsonl").rotations == 1


def test_chart_names_every_bot() -> None:
    found = Ladder(HEAD)
    for number in range(4):
        ranks = ((0, 1), (0, 1) if number else (1, 0))
        found.add(ladder.Line(("<a>", "b"), number, ranks, ranks, (9, 9)))
    drawn = draw_ratings("Deep & deeper", found.ratings())
    assert "&lt;a&gt;" in drawn
    assert "Deep &amp; deeper" in drawn
    assert drawn.count("<circle") == 2
