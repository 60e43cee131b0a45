"""1,000 seeds in the test command, 100,000 in the long tests; `python -m tests.simulation SEED`
replays one. A server also crashes between every two callbacks of a short game."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest

from archipel.tables.registry import TableRegistry
from tests.simulation.plan import Fault, Kind, Plan, plan_of
from tests.simulation.world import World, run, shrink

ROOT = Path(__file__).parents[2]
SEEDS = 1_000
LONG = 100_000
BLOCK = 50
#: Long tests: seeds of the games in which a server crashes at every `await`.
CRASHING = 30
#: Seeds that are also played by pages of the browser client.
PAGES = 50


def failures(seeds: Iterable[int], *, pages: bool = False) -> list[str]:
    found = []
    for seed in seeds:
        outcome = run(replace(plan_of(seed), pages=pages))
        found += [f"seed {seed}: {problem}" for problem in outcome.problems]
    return found


def crashes(kind: Kind, seed: int, *, commands: int = 1) -> tuple[int, list[str]]:
    """Play a short game once for each callback of a server, from its start to the end of the game,
    and crash it before that callback; returns how often it crashed, and what was found."""
    found = []
    for callbacks in count(1):
        plan = Plan(seed, kind, 1 if kind == "sqlite" else 2, 2, commands, (), callbacks)
        world = World(plan)
        found += [f"{plan}: {problem}" for problem in world.run().problems]
        if world.hosts[0].starts == 1:
            return callbacks - 1, found
    raise AssertionError


@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
@pytest.mark.promise("durable", "once", "order")
def test_every_promise_is_kept(first: int) -> None:
    assert not failures(range(first, first + BLOCK))


@pytest.mark.parametrize("kind", ["sqlite", "cluster"])
@pytest.mark.promise("durable", "once", "order")
def test_a_crash_at_every_await_breaks_no_promise(kind: Kind) -> None:
    number, found = crashes(kind, 0)
    assert not found
    assert number > 150


@pytest.mark.parametrize("first", range(0, PAGES, BLOCK))
def test_pages_of_the_client_show_what_happened(first: int) -> None:
    assert not failures(range(first, first + BLOCK), pages=True)


@pytest.mark.soak
@pytest.mark.promise("durable", "once", "order")
def test_every_promise_is_kept_for_long() -> None:
    blocks = [range(first, first + 500) for first in range(SEEDS, SEEDS + LONG, 500)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        assert not [problem for found in pool.map(failures, blocks) for problem in found]
        for kind in ("sqlite", "cluster"):
            short = partial(crashes, kind, commands=3)
            assert not [each for _, found in pool.map(short, range(1, CRASHING)) for each in found]
    assert not failures(range(SEEDS, SEEDS + LONG // 20), pages=True)


def test_the_seeds_meet_every_fault_and_do_real_work() -> None:
    plans = [plan_of(seed) for seed in range(SEEDS)]
    for kind, least in (("sqlite", 300), ("cluster", 500)):
        struck = [fault.kind for plan in plans if plan.kind == kind for fault in plan.faults]
        assert len(struck) > least
        assert all(struck.count(each) > 20 for each in set(struck))
    outcomes = [run(plan) for plan in plans[:10]]
    assert sum(outcome.acknowledged for outcome in outcomes) > 100
    assert sum(outcome.events for outcome in outcomes) > 250


def test_a_seed_replays_exactly() -> None:
    seeds = (2, 3, 5)  # both kinds of storage
    here = [run(plan_of(seed)).trace for seed in seeds]
    assert here == [run(plan_of(seed)).trace for seed in seeds]
    command = [sys.executable, "-m", "tests.simulation", *map(str, seeds)]
    other = {**os.environ, "PYTHONHASHSEED": "4711"}
    done = subprocess.run(command, cwd=ROOT, env=other, capture_output=True, text=True, check=True)
    assert [line.split()[2] for line in done.stdout.splitlines() if line[:5] == "seed "] == here


def test_a_failure_shrinks() -> None:
    """Publishing what is not stored yet is found, and needs no fault at all."""
    commit = TableRegistry.commit

    async def too_early(registry, live, decision, **given):  # type: ignore[no-untyped-def]
        known = live.table
        live.advance(decision.after)
        registry._publish(live, [entry.event for entry in decision.entries], known.n)
        live.loaded = known
        return await commit(registry, live, decision, **given)

    faults = tuple(Fault("cut sockets", 0.5 * at, 0.1, 0, at) for at in range(1, 5))
    plan = Plan(1, "sqlite", 1, 2, 6, faults)
    with patch.object(TableRegistry, "commit", too_early):
        assert any("early" in problem for problem in run(plan).problems)
        small = shrink(plan)
    assert small.faults == ()
    assert small.commands == 1
    assert not run(small).problems


def test_bots_go_on_after_the_clock_was_set_back() -> None:
    """Found by the simulation: after a restart the bots waited for the time of the log."""
    an_hour_back = 2  # the seed of the detail
    for seed in range(5000, 5004):
        faults = (Fault("set clock", 0.3, 0.1, 0, an_hour_back), Fault("crash", 1.5, 0.3, 0, seed))
        assert not run(Plan(seed, "sqlite", 1, 2, 8, faults)).problems
