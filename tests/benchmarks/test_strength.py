"""``python -m benchmarks.strength`` without playing: entrants, resumed matches, summaries."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from archipel.bots import UnknownBotError, bot_named, levels_of
from archipel.bots.search.config import SearchConfig
from benchmarks import strength
from benchmarks.plain_halving import PlainHalving
from benchmarks.strength import (
    entrant,
    key_of,
    read_results,
    read_specs,
    summary,
    tasks_of,
    with_version,
)

SHORT = {"game": "deep-sea", "seats": 2, "a": "master", "b": "greedy", "games": 5}
LONG = {"game": "deep-sea", "seats": 3, "a": "expert", "b": "greedy", "games": 12, "seed": 4}


def test_entrants() -> None:
    assert entrant("deep-sea", "greedy") == bot_named("deep-sea", "greedy")
    assert entrant("deep-sea", "master") == levels_of("deep-sea")[-1]
    wanted = SearchConfig(
        9, policy="greedy-2", horizon=4, exploration=0.5, opponent_nodes=True, evaluation="x"
    )
    text = "simulations=9,horizon=4,explore=0.5,rivals=1,appraisal=x"  # former names
    assert entrant("mauna-kea", text) == wanted
    changed = entrant("deep-sea", "master:simulations=7")
    assert isinstance(changed, SearchConfig)
    assert changed.simulations == 7
    assert changed.depth == levels_of("deep-sea")[-1].config.depth
    plain = entrant("the-island", "plain:simulations=600,cut=50")
    assert plain == PlainHalving(600, cut=50, prior_weight=0.7, margin=0.0)


def test_results_name_the_version_that_played() -> None:
    newest = levels_of("deep-sea")[-1].name
    for text, full in (
        ("master:simulations=7", f"{newest}:simulations=7"),
        ("master-1", "master-1"),
        ("greedy", "greedy"),
        ("plain:simulations=7", "plain:simulations=7"),
        ("simulations=7,appraisal=x:y", "simulations=7,appraisal=x:y"),
    ):
        assert with_version("deep-sea", text) == full


def test_unknown_entrants() -> None:
    with pytest.raises(UnknownBotError):
        entrant("deep-sea", "grandmaster")
    with pytest.raises(ValueError, match="greedy is not a level"):
        entrant("deep-sea", "greedy:simulations=7")
    with pytest.raises(ValueError, match="horizon is not among simulations, cut"):
        entrant("deep-sea", "plain:simulations=7,horizon=3")


def test_matches_are_resumed_in_parallel() -> None:
    every = [(key_of(spec), rotation) for spec, rotation in tasks_of([SHORT, LONG], set())]
    assert sorted(every) == sorted(
        [(key_of(SHORT), n) for n in range(3)] + [(key_of(LONG), n) for n in range(4)]
    )
    assert every[-1][0] != every[-2][0], "both end at about the same time"
    done = {(key_of(SHORT), 1), (key_of(LONG), 3)}
    left = [(key_of(spec), rotation) for spec, rotation in tasks_of([SHORT, LONG], done)]
    assert left == [task for task in every if task not in done]


def test_results_are_read_and_summarized(tmp_path: Path) -> None:
    specs = tmp_path / "specs.jsonl"
    specs.write_text(f"# matches\n\n{json.dumps(SHORT)}\n", encoding="utf-8")
    newest = levels_of("deep-sea")[-1].name
    assert read_specs(specs) == [SHORT | {"a": newest}]
    assert read_results(tmp_path / "none.jsonl") == []
    results = tmp_path / "results.jsonl"
    row = {"match": key_of(SHORT), "rotation": 0, "asked": 10, "seconds": 0.5, "scores": []}
    rows = [row | {"shares": [1.0, 0.5], "asked_b": 4, "seconds_b": 0.004}] * 2
    results.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with results.open("a", encoding="utf-8") as file:
        file.write('{"match": "deep-sea | 2')  # cut off
    (line,) = summary(read_results(results))
    assert line.startswith("0.750 (0.30")
    assert "4 games    50.00 ms    1.00 ms  deep-sea | 2 | master | greedy | 1" in line


def test_started_rotations_are_finished_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def play(task: tuple[dict[str, object], int]) -> dict[str, object]:
        now[0] += 1.0
        return {"rotation": task[1]}

    monkeypatch.setattr(strength, "try_rotation", play)
    tasks = strength.until_deadline([(SHORT, number) for number in range(9)], 2.5)
    with ThreadPoolExecutor(1) as pool:
        played = [row["rotation"] for row in strength.run_tasks(pool, tasks, 2)]
    assert 3 <= len(played) <= 5
    assert sorted(played) == list(range(len(played)))
