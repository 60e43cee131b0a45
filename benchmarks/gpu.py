"""Measure random play on a GPU, including observations and masks.

    python -m benchmarks.gpu [--games deep-sea] [--observations float32,float16,int8] [--json]

Four seats, all played at random. First the same games run on the processor and all output is
compared. Then large batches are timed on the GPU, in wall time, once the games have spread over all
stages, and one core of the processor for comparison. Exits with 1 if something differs or a target
is missed, with 3 without a GPU.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy

from archipel.envs.batch import Batch
from archipel.envs.gpu import KINDS, GpuBatch, as_kind
from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.rules.kit.cuda.nvrtc import why_no_gpu
from benchmarks.arguments import parser_of

SEATS = 4
GAMES = "deep-sea,the-island,atlantis,mauna-kea"
ENVS = {"deep-sea": 1 << 22}
DEFAULT_ENVS = 1 << 20

#: Targets for one H200, in decisions per second.
TARGETS = {"deep-sea": 1e9}
USUAL_TARGET = 2e8

#: Games and steps that are compared with the processor.
COMPARED_ENVS = 1024
COMPARED_STEPS = 300

#: Warm-up until games are at all stages, then rounds and steps per round.
STEPS_BEFORE = 400
ROUNDS = 7
STEPS = 40

NO_GPU = 3


def differences(game: str, observations: str) -> int:
    """The number of values that differ between GPU and processor in the same games."""
    players = ["outside"] * SEATS
    card = GpuBatch(game, COMPARED_ENVS, players=players, obs_dtype=observations, seed=1)
    processor = Batch(game, COMPARED_ENVS, players=players)
    processor.reset(1)
    found = 0
    for _ in range(COMPARED_STEPS):
        card.step_at_random()
        processor.step(card.actions.read())
        into = processor.buffers
        seen = as_kind(into.obs, observations)
        for there, here in (
            (card.obs, seen),
            (card.action_mask, into.action_mask != 0),
            (card.returns, into.rewards),
            (card.seat, into.seats),
            (card.terminated, (into.ends == 1) | (into.ends == 2)),
        ):
            found += int((there.read() != here).sum())
    return found


def card_rates(game: str, observations: str, envs: int) -> list[float]:
    """Decisions per second of each round."""
    players = ["outside"] * SEATS
    batch = GpuBatch(game, envs, players=players, obs_dtype=observations, seed=1)
    batch.step_at_random(STEPS_BEFORE)
    batch.synchronise()
    found = []
    for _ in range(ROUNDS):
        before = batch.decisions()
        begun = time.perf_counter()
        for _ in range(STEPS):
            batch.step_at_random()
        batch.synchronise()
        taken = time.perf_counter() - begun
        found.append((batch.decisions() - before) / taken)
    return found


def core_rate(game: str, seconds: float = 1.0) -> float:
    """Decisions per second of processor time on one core."""
    batch = Batch(game, 1024, players=["outside"] * SEATS)
    batch.reset(1)
    chance = batch.backend.stream(1)
    for _ in range(STEPS_BEFORE):
        batch.step_at_random(chance)
    decisions = 0
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        decisions += int((batch.buffers.ends == 0).sum())  # the other games are being reset
        batch.step_at_random(chance)
    return decisions / (time.process_time() - begun)


def measured(game: str, observations: str) -> dict[str, Any]:
    rates = card_rates(game, observations, ENVS.get(game, DEFAULT_ENVS))
    middle = statistics.median(rates)
    return {
        "game": game,
        "observations": observations,
        "bytes": game_size(game) * numpy.dtype(KINDS[observations]).itemsize,
        "envs": ENVS.get(game, DEFAULT_ENVS),
        "decisions_per_second": middle,
        "slowest": min(rates),
        "quickest": max(rates),
        "different_numbers": differences(game, observations),
        "target": TARGETS.get(game, USUAL_TARGET),
    }


def game_size(game: str) -> int:
    from archipel.envs.observation_spec import spec_of

    return spec_of(game).size


def main(arguments: Sequence[str] | None = None) -> int:
    parser = parser_of("gpu", __doc__)
    parser.add_argument("--games", default=GAMES, help="default: all")
    parser.add_argument("--observations", default=",".join(KINDS), help="types, default: all")
    parser.add_argument("--json", action="store_true", help="as JSON")
    asked = parser.parse_args(arguments)
    games, kinds = asked.games.split(","), asked.observations.split(",")
    try:
        for game in games:
            game_named(game)
    except UnknownGameError as error:
        parser.error(str(error))
    for kind in kinds:
        if kind not in KINDS:
            parser.error(f"{kind!r} is not one of {', '.join(KINDS)}")
    reason = why_no_gpu()
    if reason is not None:
        print(reason, file=sys.stderr)
        return NO_GPU
    found = []
    reached: dict[str, bool] = {}
    for game in games:
        core = core_rate(game)
        for kind in kinds:
            one = measured(game, kind) | {"one_core": core}
            found.append(one)
            fast = one["decisions_per_second"] >= one["target"]
            reached[game] = reached.get(game, False) or fast
            if not asked.json:
                print(_line(one), flush=True)
    equal = all(one["different_numbers"] == 0 for one in found)
    if asked.json:
        print(json.dumps({"measured": found, "equal": equal, "reached": reached}, indent=2))
    else:
        print("equal to the processor" if equal else "NOT equal to the processor")
        missed = [game for game, fast in reached.items() if not fast]
        print(f"below target: {', '.join(missed)}" if missed else "all targets reached")
    return 0 if equal and all(reached.values()) else 1


def _line(one: dict[str, Any]) -> str:
    millions = one["decisions_per_second"] / 1e6
    spread = f"{one['slowest'] / 1e6:,.0f} to {one['quickest'] / 1e6:,.0f}"
    return (
        f"{one['game']:12} {one['observations']:8} {one['bytes']:6,} bytes "
        f"{millions:7,.0f} million decisions/s ({spread}); one core {one['one_core'] / 1e6:.2f}; "
        f"{one['different_numbers']} numbers differ"
    )


if __name__ == "__main__":
    sys.exit(main())
