"""Runs of the benchmark: frozen, reproducible, resumable, with every kind of entrant."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from archipel.bots import levels_of
from archipel.bots.external.bot_program import query_games, read_program
from archipel.record import parse_record
from archipel.rules.all_games import game_named
from archipel.rules.options import choice_text
from archipel.study import match
from archipel.study.benchmark.play import Entry, run_benchmark
from archipel.study.benchmark.report import report
from archipel.study.benchmark.specification import archipel_bench_1
from archipel.study.benchmark.submission import (
    Curve,
    CurvePoint,
    SubmissionError,
    keeps_budget,
    read_submission,
)
from archipel.study.benchmark.verify import verify
from tests.study.benchmark.specs import TINY

HERE = Path(__file__).parent
PYTHON = shlex.quote(sys.executable)


def test_the_benchmark_is_frozen() -> None:
    found = archipel_bench_1()
    assert found.digest == "9b50f9b9b3b9f22df194d7c2e8100ffd7e7759825d1379364375784fc81dd8ad"
    for game, settings in found.games.items():
        definition = game_named(game)
        assert (settings.rules_version, settings.board) == (
            definition.rules_version,
            definition.board,
        )
        assert set(settings.options) == {option.name for option in definition.options}
        for setting in found.settings(game, "mine"):
            options = setting.begin(0).options
            texts = {name: choice_text(value) for name, value in options}
            assert texts == settings.options
    assert {setting.seats for g in found.games for setting in found.settings(g, "x")} == {2, 4, 6}


def test_every_level_is_an_opponent() -> None:
    for game, settings in archipel_bench_1().games.items():
        alone = [lineup[0] for lineup in settings.lineups if len(lineup) == 1]
        assert alone == [level.name for level in levels_of(game)]


def test_games_are_those_of_a_match(tmp_path: Path) -> None:
    run_benchmark(tmp_path / "greedy", Entry("greedy"), TINY, workers=1)
    submission = read_submission(tmp_path / "greedy")
    (setting,) = TINY.settings("deep-sea", "greedy-1")
    options = {"drop_order": "taken"}
    bots = ["greedy-1", "random"]
    played = match("deep-sea", bots, 4, seed=setting.seed, options=options, compiled=False)
    by_entrant = [
        tuple(line.ranks[(player + line.seat) % 2] for player in range(2))
        for line in submission.games("deep-sea")
    ]
    assert by_entrant == [ranks for rotation in played.played for ranks in rotation.ranks]


def test_runs_continue_and_do_not_depend_on_workers(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run_benchmark(one, Entry("greedy"), TINY, rotations=1, workers=1)
    assert {problem.key for problem in verify(one, TINY, workers=1)} == set()
    run_benchmark(one, Entry("greedy"), TINY, workers=1)
    run_benchmark(two, Entry("greedy"), TINY, workers=2)

    def played(folder: Path) -> list[str]:
        return sorted(line.record for line in read_submission(folder).games("deep-sea"))

    assert played(one) == played(two)
    assert len(played(one)) == 4
    with pytest.raises(SubmissionError, match="other"):
        run_benchmark(one, Entry("random"), TINY, workers=1)


def test_interrupted_rotation_is_completed(tmp_path: Path) -> None:
    run_benchmark(tmp_path, Entry("greedy"), TINY, workers=1)
    file = tmp_path / "deep-sea.jsonl"
    whole = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(whole[:2]))
    run_benchmark(tmp_path, Entry("greedy"), TINY, workers=1)
    assert len(file.read_bytes().splitlines()) == len(whole)
    assert verify(tmp_path, TINY, workers=1) == []


def test_program_as_entrant(tmp_path: Path) -> None:
    homeward = HERE.parents[2] / "examples" / "bots" / "homeward.py"
    program = query_games(read_program(f"mine={PYTHON} {homeward}", 60.0))
    entry = Entry("mine", program, "search", "1h")
    manifest = run_benchmark(tmp_path, entry, TINY, workers=1)
    assert manifest.games["deep-sea"].games == 2 * (2 + 3)
    assert verify(tmp_path, TINY, workers=1) == []
    for line in read_submission(tmp_path).games("deep-sea"):
        assert parse_record(line.record).players[line.seat] == "mine"


@pytest.mark.parametrize("stubborn", [False, True])
def test_language_program_reads_text_and_retries_are_counted(
    tmp_path: Path, stubborn: bool
) -> None:
    command = f"words={PYTHON} {HERE / 'text_player.py'}" + " stubborn" * stubborn
    entry = Entry("words", read_program(command, 60.0), "language", "first")
    manifest = run_benchmark(tmp_path, entry, TINY, rotations=1, workers=1)
    effort = manifest.effort
    assert effort.decisions > 0
    assert effort.retries == effort.decisions
    assert effort.forfeits == (effort.decisions if stubborn else 0)
    keys = {problem.key for problem in verify(tmp_path, TINY, workers=1)}
    assert keys == {"budget"}, "two tries for every decision"


def test_learners_keep_to_their_decisions(tmp_path: Path) -> None:
    def kept(decisions: int) -> bool:
        curve = Curve("deep-sea", "random", (CurvePoint(0, 0.5), CurvePoint(decisions, 0.9)))
        entry = Entry("greedy", None, "learner", "1m", (curve,))
        folder = tmp_path / str(decisions)
        return keeps_budget(run_benchmark(folder, entry, TINY, rotations=1, workers=1), TINY)

    assert kept(900_000)
    assert not kept(1_100_000)


def test_report_rates_submissions_together(tmp_path: Path) -> None:
    for name in ("greedy", "random"):
        run_benchmark(tmp_path / name, Entry(name), TINY, workers=1)
    submissions = [read_submission(tmp_path / name) for name in ("greedy", "random")]
    found = report(submissions, TINY)["games"]["deep-sea"]
    assert [rating["player"] for rating in found["ratings"]] == ["greedy-1", "random"]
    assert found["ratings"][1]["rating"] == 1000, "the anchor"
    greedy, random = found["entrants"]
    assert [lineup["opponents"] for lineup in greedy["lineups"]] == [["random"]]
    assert random["lineups"] == [], "no line-up has itself among the opponents"
    low, high = greedy["lineups"][0]["win_share_95"]
    assert low <= greedy["lineups"][0]["win_share"] <= high
    assert greedy["puzzles"]["of"] == 3
    assert greedy["cost"]["decisions"] > 0
