"""The hand-written C program plays exactly the games that the rules play."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit.core.loading import can_compile, load_backend
from benchmarks import subjects
from benchmarks.c_reference import PlayRandomly, build, find_compiler, has_source
from benchmarks.kernel import program_of
from benchmarks.subjects import SEED, Player


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> PlayRandomly:
    compiler = find_compiler()
    if compiler is None:
        pytest.skip("NO C COMPILER FOUND: the C program was not compared with the rules")
    return build("deep-sea", compiler, tmp_path_factory.mktemp("c"))


@pytest.mark.parametrize("seats", DEEP_SEA.seats)
def test_c_and_python_play_the_same_games(in_c: PlayRandomly, seats: int) -> None:
    games = 4000 if can_compile() else 100
    player = Player(DEEP_SEA, load_backend(program_of(DEEP_SEA)), seats)
    played = player.play(games, time.perf_counter)
    assert in_c(seats, SEED, 0, games) == (played.digest, played.work)


def test_c_and_interpreted_rules_play_the_same_games(in_c: PlayRandomly) -> None:
    played = Player(DEEP_SEA, program_of(DEEP_SEA).interpreted(), 4).play(50, time.perf_counter)
    assert in_c(4, SEED, 0, 50) == (played.digest, played.work)


def test_the_digest_depends_on_every_game(in_c: PlayRandomly) -> None:
    digests = {in_c(4, SEED, 0, games)[0] for games in range(1, 50)}
    assert len(digests) == 49


def test_sources(tmp_path: Path) -> None:
    assert has_source("deep-sea")
    assert not has_source("chess")


def test_the_best_repetition_counts() -> None:
    seconds = iter([3.0, 1.0, 2.0])
    best = subjects.best_of({"work": lambda: subjects.Timing(6, next(seconds))}, 3)
    assert best["work"].rate == 6
