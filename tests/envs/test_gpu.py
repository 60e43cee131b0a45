"""Games on a GPU are the same as on the CPU, bit by bit.

Tests that need a GPU are skipped without one.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from archipel.bots import roster_of
from archipel.envs.batch import Batch
from archipel.envs.gpu import GpuBatch, as_kind
from archipel.envs.gpu_source import Tuning
from archipel.rules.all_games import games
from archipel.rules.kit.cuda.nvrtc import NoGpuError, why_no_gpu
from tests.envs.needed import needs_torch

GAMES = [definition.name for definition in games()]
REASON = why_no_gpu()
needs_gpu = pytest.mark.skipif(REASON is not None, reason=str(REASON))

ENVS = 200  # not a whole number of warps or blocks


def assert_same(gpu: GpuBatch, cpu: Batch) -> None:
    into = cpu.buffers
    seen = as_kind(into.obs, gpu.obs.dtype.name)
    numpy.testing.assert_array_equal(gpu.obs.read(), seen)
    numpy.testing.assert_array_equal(gpu.action_mask.read(), into.action_mask != 0)
    numpy.testing.assert_array_equal(gpu.returns.read(), into.rewards)
    numpy.testing.assert_array_equal(gpu.seat.read(), into.seats)
    numpy.testing.assert_array_equal(gpu.terminated.read(), (into.ends == 1) | (into.ends == 2))
    numpy.testing.assert_array_equal(gpu.truncated.read(), into.ends == 3)


def play_both(
    game: str,
    steps: int,
    observations: str = "float32",
    gpu_only: dict[str, Any] | None = None,
    **chosen: Any,
) -> int:
    """Play the same actions on GPU and CPU; return the number of games that ended."""
    gpu = GpuBatch(game, ENVS, obs_dtype=observations, seed=11, **chosen, **(gpu_only or {}))
    cpu = Batch(game, ENVS, **chosen)
    cpu.reset(11)
    assert_same(gpu, cpu)
    ended = 0
    for step in range(steps):
        seats = cpu.buffers.seats.copy()
        gpu.step_at_random()
        cpu.step(gpu.actions.read())
        ended += int(gpu.terminated.read().sum())
        if step % 7 == 0 or step == steps - 1:
            assert_same(gpu, cpu)
            mine = cpu.buffers.rewards[numpy.arange(ENVS), seats].astype(numpy.float32)
            numpy.testing.assert_array_equal(gpu.reward.read(), mine)
    for env in (0, 1, ENVS - 1):
        assert gpu.state(env) == cpu.state(env)
    return ended


@needs_gpu
@pytest.mark.parametrize("game", GAMES)
def test_random_actions_in_every_seat(game: str) -> None:
    # Random games of The Island and Atlantis are long.
    ended = play_both(game, 400, players=["outside"] * 3)
    assert ended > 0 or game in ("the-island", "atlantis")


@needs_gpu
@pytest.mark.parametrize("game", GAMES)
def test_against_rule_based_bots(game: str) -> None:
    greedy = roster_of(game).named("greedy").name
    linear = "quick-1" if game == "mauna-kea" else greedy
    players = ["outside", greedy, linear, "random"]
    ended = play_both(
        game, 150, players=players, rotate=True, reward="score_margin", autoreset="same-step"
    )
    assert ended > 0


@needs_gpu
@pytest.mark.parametrize("kind", ["float16", "int8"])
def test_narrower_observations(kind: str) -> None:
    play_both("deep-sea", 60, kind, players=["outside"] * 6)


@needs_gpu
@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_sorting_and_tuning_change_nothing(game: str, sort: bool) -> None:
    tuning = Tuning(threads=64, blocks=4, team=8, observers=64, teams=1, sort=sort)
    play_both(game, 60, "int8", players=["outside"] * 4, gpu_only={"tuning": tuning})


@needs_gpu
def test_truncated_games() -> None:
    play_both("deep-sea", 60, players=["outside", "random"], most_decisions=20)


@needs_gpu
def test_illegal_action_loses() -> None:
    gpu = GpuBatch("deep-sea", 4, players=["outside"] * 2, seed=1)
    legal = gpu.action_mask.read().argmax(axis=1)
    actions = numpy.array([legal[0], -1, 16, 10**9], numpy.int64)
    actions[2] = int(numpy.flatnonzero(~gpu.action_mask.read()[2])[0])
    gpu.step(actions)
    assert gpu.terminated.read().tolist() == [False, True, True, True]
    assert gpu.reward.read().tolist() == [0, -1, -1, -1]
    assert not gpu.action_mask.read()[1:].any()


@needs_gpu
@needs_torch
@pytest.mark.parametrize("own_stream", [False, True])
def test_pytorch_shares_memory(own_stream: bool) -> None:
    import torch

    gpu = GpuBatch("deep-sea", ENVS, opponents="random", seed=3)
    cpu = Batch("deep-sea", ENVS, players=["outside", "random"])
    cpu.reset(3)
    torch.cuda.synchronize()
    stream = torch.cuda.Stream() if own_stream else torch.cuda.default_stream()
    with torch.cuda.stream(stream):
        mask, seen = gpu.action_mask.tensor(), gpu.obs.tensor()
        assert seen.data_ptr() == gpu.obs.__cuda_array_interface__["data"][0]
        for _ in range(40):
            # No synchronisation: operations on a stream run in order.
            actions = mask.to(torch.uint8).argmax(dim=1)
            kept = seen.clone()
            gpu.step(actions)
            numpy.testing.assert_array_equal(kept.cpu().numpy(), cpu.buffers.obs)
            cpu.step(actions.cpu().numpy())
        torch.cuda.synchronize()
    assert_same(gpu, cpu)


def test_searching_bots_are_refused() -> None:
    with pytest.raises(ValueError, match="master-1 searches or is a function"):
        GpuBatch("deep-sea", 8, opponents="master-1")


def test_players_without_outside_are_refused() -> None:
    with pytest.raises(ValueError, match="outside"):
        GpuBatch("deep-sea", 8, players=["random", "random"])


@pytest.mark.skipif(REASON is None, reason="there is a GPU")
def test_missing_gpu_is_a_one_line_error() -> None:
    with pytest.raises(NoGpuError) as refusal:
        GpuBatch("deep-sea", 8)
    assert str(refusal.value) == REASON
    assert "\n" not in str(refusal.value)
