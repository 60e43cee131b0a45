"""Parallel games are the same as single ones, compiled or interpreted."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy
import pytest

from archipel.bots import levels_of
from archipel.envs import batch_kernel as kernel
from archipel.envs import compiling
from archipel.envs.batch import Batch, Buffers
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Stream, stream_key
from archipel.rules.kit.core.loading import can_compile
from tests.support.slow_games import slow_games

GAMES = [definition.name for definition in games()]
needs_numba = pytest.mark.skipif(not can_compile(), reason="numba is not installed (extra fast)")


def random_actions(batch: Batch, generator: numpy.random.Generator) -> Any:
    weights = generator.random(batch.buffers.action_mask.shape) * batch.buffers.action_mask
    return weights.argmax(axis=1)


def arrays(batch: Batch) -> list[Any]:
    return [getattr(batch.buffers, name).copy() for name in vars(batch.buffers)]


@pytest.mark.parametrize("game", GAMES)
def test_every_kernel_is_in_the_subset(game: str) -> None:
    """Checks the subset of Python without compiling."""
    kernel.batch_program(game, bots=True).check()


@needs_numba
@pytest.mark.parametrize("game", slow_games(GAMES))
def test_compiled_and_interpreted_arrays_are_equal(game: str) -> None:
    players = ["outside", "random", "outside"]
    batches = [
        Batch(game, 2, players=players, rotate=True, compiled=compiled, reward="score_margin")
        for compiled in (True, False)
    ]
    for batch in batches:
        batch.reset(3)
    generator = numpy.random.default_rng(1)
    for _ in range(60):
        for left, right in zip(*map(arrays, batches), strict=True):
            numpy.testing.assert_array_equal(left, right)
        assert batches[0].state(1) == batches[1].state(1)
        actions = random_actions(batches[1], generator)
        for batch in batches:
            batch.step(actions)


def test_env_k_plays_the_games_of_seed_k() -> None:
    """The random stream of a game depends on its seed and number, as in studies."""
    definition = game_named("deep-sea")
    batch = Batch("deep-sea", 3, players=["outside"] * 3)
    batch.reset(100)
    states = []
    for env in range(3):
        chance = Stream(stream_key(100 + env, 0))
        states.append((definition.new(batch.options, chance), chance))
    generator = numpy.random.default_rng(4)
    while not batch.buffers.ends.any():
        for env, (s, _) in enumerate(states):
            assert batch.state(env) == s
            assert numpy.flatnonzero(
                batch.buffers.action_mask[env]
            ).tolist() == definition.legal_actions(s)
            assert batch.buffers.seats[env] == definition.to_move(s)
        actions = random_actions(batch, generator)
        for (s, chance), action in zip(states, actions, strict=True):
            definition.apply(s, int(action), chance)
        batch.step(actions)
    env = int(batch.buffers.ends.argmax())
    outcome = definition.outcome(states[env][0])
    assert outcome is not None
    shares = [(rank == 0) / outcome.ranks.count(0) for rank in outcome.ranks]
    assert batch.buffers.rewards[env].tolist() == shares


def test_result_does_not_depend_on_workers() -> None:
    batches = [
        Batch("deep-sea", 256, players=["outside", "random"], workers=workers, rotate=True)
        for workers in (1, 3)
    ]
    for batch in batches:
        batch.reset(7)
    generator = numpy.random.default_rng(2)
    for _ in range(30):
        actions = random_actions(batches[0], generator)
        for batch in batches:
            batch.step(actions)
        for left, right in zip(*map(arrays, batches), strict=True):
            numpy.testing.assert_array_equal(left, right)
    for batch in batches:
        batch.close()


def play_to_the_end(batch: Batch) -> None:
    generator = numpy.random.default_rng(5)
    while not batch.buffers.ends[0]:
        batch.step(random_actions(batch, generator))


def test_autoreset_modes() -> None:
    """The next game begins in the next step, in the same step, or on reset."""
    players = ["outside", "outside"]
    batches = {mode: Batch("deep-sea", 1, players=players, autoreset=mode) for mode in
               ("next-step", "same-step", "disabled")}  # fmt: skip
    for batch in batches.values():
        batch.reset(1)
        play_to_the_end(batch)
        assert batch.buffers.rewards[0].sum() == 1
    following, same, disabled = batches.values()
    numpy.testing.assert_array_equal(same.finals[0], following.buffers.obs[0])
    assert not following.buffers.action_mask.any()
    assert same.buffers.action_mask.any(), "another game has begun"
    before = disabled.state()
    disabled.step([0])
    assert disabled.state() == before
    following.step([0])
    assert following.buffers.rewards.sum() == 0
    for other in (following, disabled):
        other.reset() if other is disabled else None
        assert other.state() == same.state(), "the second game of the seed"
        assert not other.buffers.ends[0]


@pytest.mark.parametrize("action", [-1, -2, -3, 3, 17, 10**9])
def test_illegal_action_loses(action: int) -> None:
    batch = Batch("deep-sea", 2, players=["outside", "outside"], autoreset="disabled")
    batch.reset(1)
    batch.buffers.action_mask[:] = 1  # changing the masks makes no action legal
    before = batch.state(0)
    batch.step([action, 0])
    assert batch.buffers.ends.tolist() == [kernel.ILLEGAL, 0]
    assert batch.buffers.rewards.tolist() == [[-1, 0], [0, 0]]
    assert batch.state(0) == before


def test_long_game_is_truncated() -> None:
    batch = Batch("deep-sea", 1, players=["outside", "random"], most_decisions=5)
    batch.reset(1)
    generator = numpy.random.default_rng(5)
    while not batch.buffers.ends[0]:
        batch.step(random_actions(batch, generator))
    assert batch.buffers.ends[0] == kernel.TOO_LONG
    assert batch.buffers.rewards.sum() == 0


def test_buffers_of_the_caller() -> None:
    first = Batch("deep-sea", 4, players=["outside", "outside"])
    own = first.make_buffers()
    second = Batch("deep-sea", 4, players=["outside", "outside"], buffers=own)
    first.reset(1)
    second.reset(1)
    numpy.testing.assert_array_equal(own.obs, first.buffers.obs)
    wrong = Buffers(**{**vars(own), "action_mask": own.action_mask.astype(bool)})
    with pytest.raises(ValueError, match="action_mask: not a contiguous int8"):
        second.use(wrong)
    with pytest.raises(ValueError, match="obs: not a contiguous"):
        second.use(Buffers(**{**vars(own), "obs": own.obs[:, ::-1]}))


def test_searching_bots() -> None:
    level = levels_of("deep-sea")[0].name
    batches = [Batch("deep-sea", 2, players=["outside", level]) for _ in range(2)]
    for batch in batches:
        batch.reset(2)
    generator = numpy.random.default_rng(1)
    ended = 0
    while ended < 2:
        actions = random_actions(batches[0], generator)
        for batch in batches:
            batch.step(actions)
        assert (batches[0].buffers.seats == 0).all(), "only the learner decides"
        for left, right in zip(*map(arrays, batches), strict=True):
            numpy.testing.assert_array_equal(left, right)
        ended += int((batches[0].buffers.ends == 1).sum())
    assert batches[0].buffers.rewards.sum() >= 1


def last_legal(obs: Any, action_mask: Any) -> Any:
    return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("compiled", [pytest.param(True, marks=needs_numba), False])
def test_functions_as_opponents(compiled: bool) -> None:
    """As if the user had played their seats; one seat is that of a bot."""
    players: list[Any] = ["outside", last_legal, "random"]
    asked = Batch("deep-sea", 4, players=players, rotate=True, compiled=compiled)
    given: dict[str, Any] = {"autoreset": "disabled", "rotate": True, "compiled": compiled}
    by_hand = Batch("deep-sea", 4, players=["outside", "outside", "random"], **given)
    for batch in (asked, by_hand):
        batch.reset(5)
    generator = numpy.random.default_rng(1)
    finished = numpy.zeros(4, bool)
    while not finished.all():
        while (other := by_hand_turn(by_hand, finished)).any():
            actions = last_legal(by_hand.buffers.obs, by_hand.buffers.action_mask)
            by_hand._given[:] = numpy.where(other, actions, kernel.WAIT)
            by_hand._play()
            finished |= by_hand.buffers.ends != 0
        for env in map(int, numpy.flatnonzero(~finished)):
            assert asked.state(env) == by_hand.state(env)
            assert asked.entrant(env) == 0
        actions = random_actions(asked, generator)
        asked.step(actions)
        by_hand._given[:] = numpy.where(finished, kernel.WAIT, actions)
        by_hand._play()
        finished |= by_hand.buffers.ends != 0
    assert by_hand.buffers.rewards.sum() == 4


def by_hand_turn(batch: Batch, finished: Any) -> Any:
    """Where the second player decides."""
    return numpy.array([batch.entrant(env) == 1 for env in range(batch.num_envs)]) & ~finished


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda obs, mask: mask.argmin(axis=1), "chose an illegal action"),
        (lambda obs, mask: mask.argmax(axis=1) - 99, "chose an illegal action"),
        (lambda obs, mask: 0, "returned no array of 2 integers"),
        (lambda obs, mask: mask.argmax(axis=1) / 2, "returned no array of 2 integers"),
    ],
)
def test_bad_functions_are_refused(function: Any, complaint: str) -> None:
    given: dict[str, Any] = {"options": {"first": "1"}, "compiled": False}
    batch = Batch("deep-sea", 2, players=[function, "outside"], **given)
    with pytest.raises(ValueError, match=complaint):
        batch.reset(1)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"num_envs": 0}, "num_envs=0"),
        ({"workers": 0}, "workers=0"),
        ({"players": ["random", "random"]}, "from outside"),
        ({"reward": "luck"}, "'luck' is not one of win_share, score_margin"),
        ({"autoreset": "maybe"}, "'maybe' is not one of"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    given = {"num_envs": 1, "players": ["outside", "random"], **arguments}
    with pytest.raises(ValueError, match=complaint):
        Batch("deep-sea", compiled=False, **given)


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_snapshots_continue_the_games(autoreset: str, tmp_path: Path) -> None:
    """Also from a file, and whether compiled or not."""
    batch = Batch("deep-sea", 5, players=["outside", "greedy-1"], rotate=True, autoreset=autoreset)
    other = Batch(
        "deep-sea",
        5,
        players=["outside", "greedy-1"],
        rotate=True,
        autoreset=autoreset,
        compiled=False,
    )
    batch.reset(7)
    for _ in range(20):
        batch.step(batch.buffers.action_mask.argmax(axis=1))
    arrays: dict[str, Any] = dict(batch.snapshot())
    numpy.savez(tmp_path / "batch.npz", **arrays)
    with numpy.load(tmp_path / "batch.npz", allow_pickle=False) as kept:
        other.restore(kept)
    for _ in range(60):
        for name, array in vars(batch.buffers).items():
            numpy.testing.assert_array_equal(array, getattr(other.buffers, name))
        for each in (batch, other):
            each.step(each.buffers.action_mask.argmax(axis=1))
    small = Batch("deep-sea", 4, players=["outside", "greedy-1"], compiled=False)
    with pytest.raises(ValueError, match="states: not a snapshot of a batch with these"):
        small.restore(batch.snapshot())


def test_compiling_and_a_missing_compiler_are_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = kernel.batch_program("deep-sea", False)
    interpreted = program.interpreted()
    monkeypatch.setattr(compiling, "INTERVAL", 0.01)
    monkeypatch.setattr(compiling, "can_compile", lambda: True)
    monkeypatch.setattr(compiling, "is_compiled_already", lambda program: False)

    def load() -> Any:
        time.sleep(0.1)
        return interpreted

    assert compiling.announced(load, program, None) is interpreted
    first, *between, last = capsys.readouterr().err.splitlines()
    assert first.startswith("archipel: compiling deep-sea, which is done once")
    assert between
    assert all(line.startswith("archipel: compiling deep-sea, ") for line in between)
    assert last.startswith("archipel: compiled deep-sea in ")
    monkeypatch.setattr(compiling, "can_compile", lambda: False)
    monkeypatch.setattr(compiling, "_said", threading.Event())
    for _ in range(2):
        compiling.announced(load, program, None)
    assert capsys.readouterr().err == (
        "archipel: Numba is not installed: the games run about a hundred times slower\n"
    )
