"""Many games side by side on a graphics card: `Batch` for machines that learn there.

States never leave the device, and neither need what is seen: PyTorch reads the very arrays that the
next step writes into, through the CUDA array interface.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy

from archipel.bots import Level, player_named
from archipel.envs import kernel
from archipel.envs.batch import MOST_DECISIONS, OUTSIDE, WORTH, chosen
from archipel.envs.gpu_programs import USUAL, Kernels, Tuning, kernels_for
from archipel.envs.players import players_of
from archipel.envs.spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream
from archipel.rules.kit.gpu import require_gpu
from archipel.rules.kit.gpu_memory import DeviceArray, device_stream, synchronise
from archipel.rules.kit.layout import layout
from archipel.rules.options import Options

AUTORESET = {"next-step": kernel.NEXT_STEP, "same-step": kernel.SAME_STEP}

#: What observations can be written as. Every number is that of `float32`, rounded.
KINDS = {"float32": numpy.float32, "float16": numpy.float16}


class GpuBatch:
    """So many games of one kind, each of which goes on until somebody from outside is asked.

    Who plays is said as for `LearnerVectorEnv` (``opponents``, ``seat``), or seat by seat as for
    `Batch` (``players``, ``rotate``).  Lane k of a seed plays the games of lane k of `Batch`, bit
    by bit.  Bots that search do not run here.

    Work is put on PyTorch's current stream where PyTorch is loaded, else on the default stream, and
    is not waited for: what PyTorch does next with the arrays comes after it.
    """

    def __init__(
        self,
        game: str,
        lanes: int,
        *,
        seats: int | None = None,
        opponents: str | Sequence[str] = "random",
        seat: int | str = 0,
        players: Sequence[str] | None = None,
        rotate: bool = False,
        options: Mapping[str, object] | None = None,
        worth: str = "share",
        autoreset: str = "next-step",
        observations: str = "float32",
        seed: int | None = None,
        most_decisions: int = MOST_DECISIONS,
        tuning: Tuning = USUAL,
    ) -> None:
        if lanes < 1:
            raise ValueError(f"{lanes} lanes: at least one game has to be played")
        if observations not in KINDS:
            raise ValueError(f"{observations!r} is not one of {', '.join(KINDS)}")
        if players is None:
            players, rotate = players_of(game, seats, opponents, seat)
        self.definition = game_named(game)
        self.spec = spec_of(game)
        self.players = tuple(players)
        self.options: Options = self.definition.make_options(len(players), **(options or {}))
        self.seats, self.lanes = self.options.seats, lanes
        bots = self._bots()
        require_gpu()
        plain = all(name in (OUTSIDE, "random") for name in players)
        self._kernels: Kernels = kernels_for(game, not plain, KINDS[observations], tuning)
        setting = numpy.zeros(2, layout(kernel.Setting))
        setting["seats"] = self.seats
        setting["rotate"] = rotate
        setting["worth"] = chosen(WORTH, worth)
        setting["actions"] = self.definition.actions
        setting["words"] = self._kernels.words
        setting["most_decisions"] = most_decisions
        setting["autoreset"] = [kernel.NEXT_STEP, chosen(AUTORESET, autoreset)]
        self._setting = DeviceArray.of(setting)
        self._bots_there = DeviceArray.of(bots)
        self._make_room(KINDS[observations])
        if seed is not None:
            self.reset(seed)

    def _bots(self) -> Any:
        numbers = numpy.zeros(len(self.players), numpy.int64)
        for entrant, name in enumerate(self.players):
            if name == OUTSIDE:
                numbers[entrant] = kernel.OUTSIDE
                continue
            info = player_named(self.definition.name, name)
            if isinstance(info, Level):
                raise ValueError(
                    f"{name} searches, which a GPU batch cannot: name bots that are rules, "
                    "such as random or greedy-1"
                )
            numbers[entrant] = info.index
        if (numbers != kernel.OUTSIDE).all():
            raise ValueError("somebody has to decide from outside: name a seat 'outside'")
        return numbers

    def _make_room(self, kind: Any) -> None:
        lanes, definition = self.lanes, self.definition
        record = layout(definition.state)
        first = numpy.zeros(1, record)
        blank = definition.blank(self.options)
        for field in dataclasses.fields(definition.state):
            first[0][field.name] = getattr(blank, field.name)
        words = record.itemsize // 4
        self._states = DeviceArray((1 + lanes, words), numpy.uint32)
        self._states.write(first.view(numpy.uint32).reshape(1, words))
        self._lanes = DeviceArray.of(self._new_lanes(0))
        self._chances = DeviceArray.of(numpy.zeros(lanes, layout(Stream)))
        self._choices = DeviceArray.of(numpy.zeros(lanes, layout(Stream)))
        self._allowed = DeviceArray.of(numpy.zeros(lanes * self._kernels.words, numpy.uint32))
        self.actions = DeviceArray((lanes,), numpy.int32)
        """What was played with the last step; below 0 where another game began."""
        self._order = DeviceArray((lanes,), numpy.int32)
        self._groups = DeviceArray.of(numpy.zeros(definition.actions + 2, numpy.int32))
        self._played = DeviceArray.of(numpy.zeros(lanes, numpy.int64))
        self._nothing = DeviceArray((1, 1), numpy.float32)
        self._no_mask = DeviceArray((1, 1), numpy.int8)
        self.observation = DeviceArray((lanes, self.spec.size), kind)
        """What the seat that is asked sees, a row per lane."""
        self.mask = DeviceArray((lanes, definition.actions), numpy.bool_)
        """True for what is legal; nothing is, when the game is over."""
        self.rewards = DeviceArray((lanes,), numpy.float32)
        """What whoever was asked got with the last step: 0 until the end of a game."""
        self.returns = DeviceArray((lanes, self.seats), numpy.float64)
        """The same for every seat."""
        self.over = DeviceArray((lanes,), numpy.bool_)
        """Whether the game ended with the last step, also by an illegal action."""
        self.cut = DeviceArray((lanes,), numpy.bool_)
        """Whether it was cut short."""
        self.seat = DeviceArray((lanes,), numpy.int32)
        """Who is asked; at the end who was asked last."""

    def _new_lanes(self, seed: int) -> Any:
        lanes = numpy.zeros(self.lanes, layout(kernel.Lane))
        for field in dataclasses.fields(kernel.Lane):
            lanes[field.name] = field.default
        with numpy.errstate(over="ignore"):
            numbers = numpy.arange(self.lanes, dtype=numpy.uint64)
            lanes["seed"] = numpy.uint64(seed % 2**64) + numbers
        return lanes

    # ---- playing --------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Begin the next game of every lane; with a seed, its first."""
        if seed is not None:
            self._lanes.write(self._new_lanes(seed))
        self.actions.write(numpy.full(self.lanes, kernel.BEGIN, numpy.int32))
        self._play(device_stream())

    def step(self, actions: Any) -> None:
        """Play an action in every lane: whole numbers of 32 or 64 bits, on the device (anything
        that has a CUDA array interface) or not. One that is not legal loses the game at once."""
        given = DeviceArray.borrowed(actions, (self.lanes,))
        stream = device_stream()
        self._kernels.take(given.dtype)(stream, self.lanes, given, self.actions)
        self._play(stream)

    def step_at_random(self) -> None:
        """A legal action in every lane, each equally likely, by chance of the lane's own: the
        actions that the bot ``random`` would choose. Begins another game where one is over."""
        stream = device_stream()
        self._kernels.pick(
            stream,
            self.lanes,
            self._lanes,
            self._setting,
            self._choices,
            self._allowed,
            self.actions,
            self._played,
        )
        self._play(stream)

    def _play(self, stream: Any) -> None:
        kernels = self._kernels
        kernels.clear(stream, self.definition.actions + 2, self._groups)
        kernels.count(stream, self.lanes, self.actions, self._groups)
        kernels.begin_groups(stream, 1, self._groups)
        kernels.sort(stream, self.lanes, self.actions, self._groups, self._order)
        kernels.step(
            stream,
            self.lanes,
            self._states,
            self._lanes,
            self._chances,
            self._choices,
            self._setting,
            self._bots_there,
            self._allowed,
            self.actions,
            self._order,
            self._nothing,
            self._no_mask,
            self.returns,
            self.rewards,
            self.over,
            self.cut,
            self.seat,
            self.observation,
            self.mask,
        )

    # ---- looking --------------------------------------------------------------------------------

    def state(self, lane: int = 0) -> Any:
        """A copy of a lane's whole position, with all that is hidden."""
        record = self._states.read(lane + 1).view(layout(self.definition.state))[0]
        names = [field.name for field in dataclasses.fields(self.definition.state)]
        return self.definition.state(*(record[name].tolist() for name in names))

    def decisions_at_random(self) -> int:
        """How many decisions `step_at_random` has taken so far."""
        return int(self._played.read().sum())

    def synchronise(self) -> None:
        """Wait until all is done."""
        synchronise()
