"""The load tool, with next to nothing to do: what it counts is what the store has kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.load import __main__ as command
from benchmarks.load.costs import Cost, games_in
from benchmarks.load.courses import OtherGame, played_by_bots
from benchmarks.load.figures import percentile
from benchmarks.load.measuring import Measured, Room
from benchmarks.load.processes import ROOT, served

TABLES, SEATS, MOVES = 2, 3, 25


def moves_in(database: Path) -> int:
    return sum(map(len, games_in(database)))


async def play_all_games(database: Path) -> tuple[dict[str, Measured], list[list[int]]]:
    """What was measured, and what was to be played."""
    measured, all_courses = {}, []
    with served("benchmarks.load.server", str(database), checkout=ROOT) as server:
        for game in command.GAMES:
            courses = [played_by_bots(game, SEATS, number, MOVES) for number in range(TABLES)]
            all_courses += [list(course.actions) for course in courses]
            room = await Room.fill(server, game, TABLES, SEATS, courses)
            before = moves_in(database)
            measured[game] = await room.play_out(300, warming_up=1)
            assert room.kept == moves_in(database) - before
            room.close()
    return measured, all_courses


def test_every_kept_move_of_every_game_is_counted(tmp_path: Path) -> None:
    database = tmp_path / "load.db"
    measured, courses = asyncio.run(play_all_games(database))
    for game, figures in measured.items():
        assert not figures.timings.refused, game
        assert figures.moves == (TABLES - 1) * MOVES, game
        assert len(figures.timings.receipts) == figures.moves
        assert len(figures.timings.echoes) > 0
        assert 0 < percentile(figures.timings.frames, 0.5) <= command.MEDIAN_FRAME
    kept = [[action for _, action, _ in game] for game in games_in(database)]
    assert sorted(kept) == sorted(courses)  # by any server, since chance is given, too


def test_a_server_that_plays_another_game_is_noticed() -> None:
    course = played_by_bots("deep-sea", SEATS, 0, 2)
    with pytest.raises(OtherGame, match="move 0"):
        course.next_of([-1])
    assert course.next_of([course.actions[0], -1]) == course.actions[0]


def test_targets_that_are_missed_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def cost_of(folder: Path, game: str, options: object) -> tuple[Cost, Cost]:
        return Cost(1.0, 100, 500.0 if game == "deep-sea" else 3_000.0), Cost(3.9, 100, 9_000.0)

    async def echo_cost(sockets: int, rounds: int) -> float:
        return 0.1

    monkeypatch.setattr(command, "cost_of", cost_of)
    monkeypatch.setattr(command, "echo_cost", echo_cost)
    assert command.main(["--part", "costs", "--game", "deep-sea", "--game", "atlantis"]) == 1
    printed = capsys.readouterr().out
    assert "1.000 ms (10.0 echoes)" in printed
    assert "deep-sea: 3.9 times less than beside" in printed
    assert "atlantis: median frame of 3000 bytes" in printed
    assert "deep-sea: median" not in printed
