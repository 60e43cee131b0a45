"""Parallel games on a GPU.

States stay on the device.  PyTorch reads observations in place by the CUDA array interface.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from archipel.envs import batch_kernel as kernel
from archipel.envs import gpu_source as source
from archipel.envs.batch import (
    MAX_EPISODE_DECISIONS,
    Player,
    bot_numbers,
    chosen,
    has_bots,
    make_setting,
    players_of,
)
from archipel.envs.gpu_source import MEASURED, USUAL, Tuning
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments, former_attribute
from archipel.rules.kit import Stream
from archipel.rules.kit.core.layout import layout
from archipel.rules.kit.cuda.memory import DeviceArray, device_stream, synchronise
from archipel.rules.kit.cuda.nvrtc import WARP, require_gpu
from archipel.rules.options import Options

AUTORESET = {"next-step": kernel.NEXT_STEP, "same-step": kernel.SAME_STEP}

#: Types of observations: `float32`, rounded to `float16`, or in units of 1/127 as `int8`.
KINDS = {"float32": numpy.float32, "float16": numpy.float16, "int8": numpy.int8}

#: The value 1 as `int8`.
ONE_IN_A_BYTE = 127


def as_kind(observations: Any, kind: str) -> Any:
    """Convert observations of `Batch` to the type that a GPU batch writes."""
    if kind == "int8":
        return numpy.rint(observations * numpy.float32(ONE_IN_A_BYTE)).astype(numpy.int8)
    return observations.astype(KINDS[kind])


class GpuBatch:
    """Parallel games on a GPU; each runs until a decision has to come from outside.

    Name the players as for `LearnerVectorEnv` (``opponents``, ``seat``) or seat by seat as for
    `Batch` (``players``, ``rotate``).  Environment k of a seed plays the same games as in `Batch`,
    bit by bit.  Bots that search cannot run here.

    Arrays on the device, with one row per environment, which every step overwrites:

    * ``obs`` of the seat to decide, and ``action_mask``: True for legal actions, all False when
      the game is over;
    * ``reward`` of the seat that decided, 0 before the end, and ``returns``: rewards of all seats;
    * ``terminated``: whether the step ended the game, also by an illegal action; ``truncated``:
      whether it reached the limit of decisions;
    * ``seat``: the seat to decide, at the end the one that decided last;
    * ``actions`` of the last step, negative where another game began.

    Kernels run asynchronously on PyTorch's current stream if PyTorch is loaded, else on the default
    stream, so later PyTorch operations on the arrays see their results.
    """

    @former_arguments(lanes="num_envs", envs="num_envs", worth="reward", observations="obs_dtype")
    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        seats: int | None = None,
        opponents: str | Sequence[str] = "random",
        seat: int | str = 0,
        players: Sequence[Player] | None = None,
        rotate: bool = False,
        options: Mapping[str, object] | None = None,
        reward: str = "win_share",
        autoreset: str = "next-step",
        obs_dtype: str = "float32",
        seed: int | None = None,
        most_decisions: int = MAX_EPISODE_DECISIONS,
        tuning: Tuning | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: play at least one game")
        if obs_dtype not in KINDS:
            raise ValueError(f"{obs_dtype!r} is not one of {', '.join(KINDS)}")
        if players is None:
            players, rotate = players_of(game, seats, opponents, seat)
        self.definition = game_named(game)
        game = self.definition.name
        self.spec = spec_of(game)
        self.players = tuple(players)
        self.options: Options = self.definition.make_options(len(players), **(options or {}))
        self.seats, self.num_envs = self.options.seats, num_envs
        bots = bot_numbers(game, players)
        if kernel.ASKED in bots:
            raise ValueError(
                f"{players[bots.index(kernel.ASKED)]} searches or is a function, which a GPU batch "
                "cannot ask: name bots that are rules, such as random or greedy-1"
            )
        require_gpu()
        if tuning is None:
            tuning = MEASURED.get(game, USUAL)
        self._tuning = tuning
        self._programs = source.loaded(game, has_bots(players, bots), obs_dtype, tuning)
        setting = numpy.zeros(2, layout(kernel.Setting))
        fields = make_setting(self.options, self.definition, rotate, reward, most_decisions)
        for name, value in fields.items():
            setting[name] = value
        setting["autoreset"] = [kernel.NEXT_STEP, chosen(AUTORESET, autoreset)]
        self._setting = DeviceArray.of(setting)
        self._words = fields["words"]
        self._sort = self._words > 1 if tuning.sort is None else tuning.sort
        self._bots_there = DeviceArray.of(numpy.array(bots, numpy.int64))
        self._make_room(KINDS[obs_dtype])
        team = source.team_size(game, obs_dtype, tuning)
        self._observers = self._padded_envs // team * tuning.observers
        if seed is not None:
            self.reset(seed)

    observation = former_attribute("GpuBatch.observation", "obs")
    mask = former_attribute("GpuBatch.mask", "action_mask")
    rewards = former_attribute("GpuBatch.rewards", "reward")
    over = former_attribute("GpuBatch.over", "terminated")
    cut = former_attribute("GpuBatch.cut", "truncated")
    envs = former_attribute("GpuBatch.envs", "num_envs")

    def _make_room(self, kind: Any) -> None:
        envs, definition = self.num_envs, self.definition
        record = layout(definition.state)
        first = numpy.zeros(1, record)
        blank = definition.blank(self.options)
        for field in dataclasses.fields(definition.state):
            first[0][field.name] = getattr(blank, field.name)
        # Kernels run whole warps; the padding environments are never shown.
        played = -(-envs // WARP) * WARP
        self._padded_envs = played
        self._states = DeviceArray((1 + played,), record, source.row_size(definition.name))
        self._states.write(first)
        self._env_states = DeviceArray((played,), layout(kernel.EnvState))
        self._chances = DeviceArray.of(numpy.zeros(played, layout(Stream)))
        self._seed(0)
        self._allowed = DeviceArray.of(numpy.zeros(played * self._words, numpy.uint32))
        self._given = DeviceArray((played,), numpy.int32)
        self._order = DeviceArray.of(numpy.arange(played, dtype=numpy.int32))
        self._groups = DeviceArray((source.group_count(definition.name),), numpy.int32)
        self._joined = DeviceArray((played,), numpy.int32)
        self._decisions = DeviceArray.of(numpy.zeros(played, numpy.int32))
        # Rows of observations are aligned to memory sectors, rows of masks to words.
        size = self.spec.size * numpy.dtype(kind).itemsize
        self._written = [
            DeviceArray((played, self.seats), numpy.float64),
            DeviceArray((played,), numpy.float32),
            DeviceArray((played,), numpy.bool_),
            DeviceArray((played,), numpy.bool_),
            DeviceArray((played,), numpy.int32),
            DeviceArray((played, self.spec.size), kind, source.sectors(size)),
            DeviceArray((played, definition.actions), numpy.bool_, -(-definition.actions // 4) * 4),
        ]
        self.actions = self._given.rows(envs)
        shown = [each.rows(envs) for each in self._written]
        self.returns, self.reward, self.terminated, self.truncated, self.seat = shown[:5]
        self.obs, self.action_mask = shown[5:]

    def _seed(self, seed: int) -> None:
        seeds = DeviceArray.of(numpy.array([seed % 2**64], numpy.uint64))
        self._launch("seed", self._env_states, seeds)
        synchronise()  # the kernel reads the seeds until then

    def _launch(self, name: str, *given: Any, threads: int = 256) -> None:
        """Launch a kernel with one thread per environment."""
        played = self._padded_envs
        self._programs.launch(name, device_stream(), played, threads, *given, played)

    def reset(self, seed: int | None = None) -> None:
        """Begin the next game of every environment; with a seed, its first game."""
        if seed is not None:
            self._seed(seed)
        self._given.write(numpy.full(self._padded_envs, kernel.BEGIN, numpy.int32))
        self._play()

    def step(self, actions: Any) -> None:
        """Play an action in every environment; an illegal action loses the game at once.

        ``actions`` are 32- or 64-bit integers on the host or, with a CUDA array interface, on the
        device.
        """
        given = DeviceArray.borrowed(actions, (self.num_envs,))
        name = f"take_{given.dtype}"
        self._programs.launch(
            name, device_stream(), self.num_envs, 256, given, self._given, self.num_envs
        )
        self._play()

    def step_at_random(self, steps: int = 1) -> None:
        """Play uniformly random legal actions, the same as the bot ``random`` would choose.

        Begins another game where one is over.
        """
        for _ in range(steps):
            self._launch("pick", self._env_states, self._setting, self._allowed, self._given)
            self._play()

    def _play(self) -> None:
        if self._sort:
            stream, groups = device_stream(), self._groups
            self._programs.launch("clear_groups", stream, 1, 1024, groups)
            self._launch(
                "count_groups", self._given, self._allowed, groups, self._joined, threads=1024
            )
            self._programs.launch("begin_groups", stream, 1, source.SUMMERS, groups)
            self._launch("sort_envs", self._joined, groups, self._order, threads=1024)
        *results, asked, observations, masks = self._written
        games = self._states, self._env_states, self._chances, self._setting, self._bots_there
        decided = self._allowed, self._given, self._order, self._decisions
        self._launch("play", *games, *decided, *results, asked, threads=self._tuning.threads)
        given = self._states, self._allowed, asked, observations, masks
        size = self._observers, self._tuning.observers
        self._programs.launch("look", device_stream(), *size, *given)

    def state(self, env: int = 0) -> Any:
        """A copy of an environment's full state, hidden information included."""
        record = self._states.read(env + 1)
        names = [field.name for field in dataclasses.fields(self.definition.state)]
        return self.definition.state(*(record[name].tolist() for name in names))

    def decisions(self) -> int:
        """Number of outside decisions so far, in all environments."""
        return int(self._decisions.read()[: self.num_envs].sum(dtype=numpy.int64))

    def synchronise(self) -> None:
        """Wait until all kernels have finished."""
        synchronise()
