"""A tiny load test: its counts agree with the moves in the store."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.load import __main__ as command
from benchmarks.load.costs import Cost, games_in
from benchmarks.load.measuring import ClientPool, Measured, percentile
from benchmarks.load.processes import ROOT, served
from benchmarks.load.recorded_games import OtherGame, record_game

TABLES, SEATS, MOVES = 2, 3, 25


def moves_in(database: Path) -> int:
    return sum(map(len, games_in(database)))


async def play_all_games(database: Path) -> tuple[dict[str, Measured], list[list[int]]]:
    """The measurements, and the recorded games."""
    measured, all_games = {}, []
    with served("benchmarks.load.server", str(database), checkout=ROOT) as server:
        for game in command.GAMES:
            recorded = [record_game(game, SEATS, number, MOVES) for number in range(TABLES)]
            all_games += [list(one.actions) for one in recorded]
            pool = await ClientPool.open(server, game, TABLES, SEATS, recorded)
            before = moves_in(database)
            measured[game] = await pool.play_out(300, warming_up=1)
            assert pool.kept == moves_in(database) - before
            pool.close()
    return measured, all_games


def test_every_durable_move_of_every_game_is_counted(tmp_path: Path) -> None:
    database = tmp_path / "load.db"
    measured, recorded = asyncio.run(play_all_games(database))
    for game, figures in measured.items():
        assert not figures.timings.refused, game
        assert figures.moves == (TABLES - 1) * MOVES, game
        assert len(figures.timings.receipts) == figures.moves
        assert len(figures.timings.echoes) > 0
        assert 0 < percentile(figures.timings.frames, 0.5) <= command.MEDIAN_FRAME
    kept = [[action for _, action, _ in game] for game in games_in(database)]
    assert sorted(kept) == sorted(recorded)


def test_a_server_that_deviates_from_the_recorded_game_is_detected() -> None:
    recorded = record_game("deep-sea", SEATS, 0, 2)
    with pytest.raises(OtherGame, match="move 0"):
        recorded.next_move([-1])
    assert recorded.next_move([recorded.actions[0], -1]) == recorded.actions[0]


def test_missed_targets_are_listed(
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
