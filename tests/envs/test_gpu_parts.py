"""GPU code tested on the CPU: compiled as C++, it must write the same arrays as `Batch`."""

from __future__ import annotations

import ctypes
import dataclasses
from pathlib import Path
from typing import Any

import numpy
import pytest

from archipel.bots import player_named, roster_of
from archipel.envs import batch_kernel as kernel
from archipel.envs.batch import Batch
from archipel.envs.gpu import KINDS, as_kind
from archipel.envs.gpu_source import Tuning, batch_source, row_size
from archipel.envs.observation_spec import observation_of
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Stream, draw, stream_key
from archipel.rules.kit.core.layout import layout
from archipel.rules.kit.core.observations import observing_entries
from tests.support.cplusplus import WATCHED, compiled_here, needs_compiler

GAMES = [definition.name for definition in games()]
ENVS = 64


def some_positions(game: str, envs: int, steps: int) -> Batch:
    batch = Batch(game, envs, players=["outside"] * 3)
    batch.reset(2)
    generator = numpy.random.default_rng(2)
    for _ in range(steps):
        weights = generator.random(batch.buffers.action_mask.shape) * batch.buffers.action_mask
        batch.step(weights.argmax(axis=1))
    return batch


@pytest.mark.parametrize("game", GAMES)
def test_entries_make_up_the_observation(game: str) -> None:
    definition = game_named(game)
    batch = some_positions(game, 6, 30)
    entries = observing_entries(game, definition.state, definition.seats[-1], observation_of(game))
    for env in range(batch.num_envs):
        seat = int(batch.buffers.seats[env])
        view = definition.recalled(batch.state(env), seat)
        found = [0.0] * batch.spec.size
        for each in entries:
            for entry in range(each.count):
                each.rule(view, seat, entry, found)
        numpy.testing.assert_array_equal(numpy.array(found, numpy.float32), batch.buffers.obs[env])


def test_random_action_is_the_choice_of_the_random_bot() -> None:
    setting = kernel.Setting(words=3)
    for decisions in range(200):
        env = kernel.EnvState(key=77, decisions=decisions, ended=kernel.GOING_ON)
        legal = sorted({draw(Stream(decisions), 90) for _ in range(1)} | {3, 31, 32, 64, 89})
        allowed = [0, 0, 0, 0]
        for action in legal:
            allowed[1 + action // 32] |= 1 << action % 32
        expected = legal[draw(Stream(stream_key(77, decisions)), len(legal))]
        assert kernel.pick_at_random(env, setting, allowed, 1, Stream(0)) == expected
    assert kernel.pick_at_random(kernel.EnvState(), setting, [0] * 4, 1, Stream(0)) == kernel.BEGIN


def test_bits_set() -> None:
    for word in (0, 1, 0xFFFF_FFFF, 0x8000_0001, 0x1234_5678):
        assert kernel.bits_set(word) == word.bit_count()


# ---- environments in C++ ------------------------------------------------------------------------


class CpuEnvs:
    """A batch of the GPU's C++ code, compiled for the CPU."""

    def __init__(
        self,
        folder: Path,
        game: str,
        players: list[str],
        kind: str,
        tuning: Tuning,
        autoreset: int = kernel.NEXT_STEP,
    ) -> None:
        definition = game_named(game)
        bots = any(name not in ("outside", "random") for name in players)
        source = batch_source(game, bots, kind, tuning)
        self._library = compiled_here(source, folder, *WATCHED)
        self.definition, seats = definition, len(players)
        self._record = layout(definition.state)
        size = Batch(game, 1, players=players).spec.size * numpy.dtype(KINDS[kind]).itemsize
        self.states = numpy.zeros((1 + ENVS, row_size(game)), numpy.uint8)
        blank = definition.blank(definition.make_options(seats))
        first = self.states[0, : self._record.itemsize].view(self._record)
        for field in dataclasses.fields(definition.state):
            first[0][field.name] = getattr(blank, field.name)
        self.envs = numpy.zeros(ENVS, layout(kernel.EnvState))
        self.envs["seed"] = 11 + numpy.arange(ENVS)
        self.envs["game"], self.envs["ended"] = -1, kernel.OVER
        words = -(-definition.actions // kernel.WORD)
        self.setting = numpy.zeros(2, layout(kernel.Setting))
        self.setting["seats"], self.setting["rotate"] = seats, bots
        self.setting["actions"], self.setting["words"] = definition.actions, words
        self.setting["most_decisions"] = 10**6
        self.setting["autoreset"] = [kernel.NEXT_STEP, autoreset]
        self.bots = numpy.array(
            [
                kernel.OUTSIDE if name == "outside" else player_named(game, name).index
                for name in players
            ],
            numpy.int64,
        )
        self.chances = numpy.zeros(ENVS, layout(Stream))
        self.allowed = numpy.zeros((ENVS, words), numpy.uint32)
        self.given = numpy.full(ENVS, kernel.BEGIN, numpy.int32)
        self.order = numpy.random.default_rng(3).permutation(ENVS).astype(numpy.int32)
        self.decisions = numpy.zeros(ENVS, numpy.int32)
        self.returns = numpy.zeros((ENVS, seats))
        self.rewards = numpy.zeros(ENVS, numpy.float32)
        self.over, self.cut = numpy.zeros((2, ENVS), bool)
        self.asked = numpy.zeros(ENVS, numpy.int32)
        self._seen = numpy.full((ENVS, -(-size // 32) * 32), 9, numpy.uint8)
        self._masks = numpy.full((ENVS, -(-definition.actions // 4) * 4), 9, numpy.uint8)
        self.observation = self._seen[:, :size].view(KINDS[kind])
        self.mask = self._masks[:, : definition.actions]

    def _call(self, name: str, *arrays: Any) -> None:
        given = (array.ctypes.data_as(ctypes.c_void_p) for array in arrays)
        self._library[name](*given, ENVS)

    def pick(self) -> None:
        self._call("pick", self.envs, self.setting, self.allowed, self.given)

    def step(self) -> None:
        self._call(
            "play",
            self.states,
            self.envs,
            self.chances,
            self.setting,
            self.bots,
            self.allowed,
            self.given,
            self.order,
            self.decisions,
            self.returns,
            self.rewards,
            self.over,
            self.cut,
            self.asked,
        )
        self._call("look", self.states, self.allowed, self.asked, self._seen, self._masks)

    def state(self, env: int) -> Any:
        record = self.states[env + 1, : self._record.itemsize].view(self._record)[0]
        names = (field.name for field in dataclasses.fields(self.definition.state))
        return self.definition.state(*(record[name].tolist() for name in names))


def play_both(
    folder: Path, game: str, players: list[str], kind: str, tuning: Tuning, steps: int
) -> int:
    """Play the same actions in C++ and in `Batch`; return the number of games that ended."""
    same_step = any(name != "outside" for name in players)
    reset = kernel.SAME_STEP if same_step else kernel.NEXT_STEP
    there = CpuEnvs(folder, game, players, kind, tuning, reset)
    here = Batch(
        game,
        ENVS,
        players=players,
        rotate=same_step,
        autoreset="same-step" if same_step else "next-step",
    )
    here.reset(11)
    ended = 0
    for step in range(steps + 1):
        if step:
            there.pick()
            there.given[step % ENVS] = -7 if step % 50 == 49 else there.given[step % ENVS]
            here.step(there.given.astype(numpy.int64))
        there.step()
        into = here.buffers
        seen = as_kind(into.obs, kind)
        numpy.testing.assert_array_equal(there.observation, seen)
        numpy.testing.assert_array_equal(there.mask, into.action_mask)
        numpy.testing.assert_array_equal(there.returns, into.rewards)
        numpy.testing.assert_array_equal(there.asked, into.seats)
        numpy.testing.assert_array_equal(there.over, (into.ends == 1) | (into.ends == 2))
        ended += int(there.over.sum())
    for env in range(0, ENVS, 7):
        assert there.state(env) == here.state(env)
    return ended


@needs_compiler
@pytest.mark.parametrize("game", GAMES)
def test_envs_in_cplusplus_play_the_same_games(game: str, tmp_path: Path) -> None:
    kind = {"deep-sea": "float32", "the-island": "int8", "atlantis": "float16"}.get(game, "int8")
    ended = play_both(tmp_path, game, ["outside"] * 4, kind, Tuning(), 120)
    assert ended > 0


@needs_compiler
@pytest.mark.parametrize(
    "game", ["deep-sea", *(pytest.param(game, marks=pytest.mark.soak) for game in GAMES[1:])]
)
def test_bots_in_cplusplus_choose_the_same(game: str, tmp_path: Path) -> None:
    greedy = roster_of(game).named("greedy").name
    linear = "quick-1" if game == "mauna-kea" else greedy
    players = ["outside", greedy, linear, "random"]
    assert play_both(tmp_path, game, players, "int8", Tuning(team=4, observers=64), 100) > 0
