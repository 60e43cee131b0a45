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
from archipel.envs.gpu_programs import (
    MEASURED,
    SUMMERS,
    USUAL,
    Tuning,
    group_count,
    loaded,
    row_size,
    sectors,
    team_size,
)
from archipel.envs.players import players_of
from archipel.envs.spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream
from archipel.rules.kit.gpu import WARP, require_gpu
from archipel.rules.kit.gpu_memory import DeviceArray, device_stream, synchronise
from archipel.rules.kit.layout import layout
from archipel.rules.options import Options

AUTORESET = {"next-step": kernel.NEXT_STEP, "same-step": kernel.SAME_STEP}

#: What observations can be written as. Every number is that of `float32`, rounded; in a byte it is
#: told in 127ths.
KINDS = {"float32": numpy.float32, "float16": numpy.float16, "int8": numpy.int8}

#: What 1 is in a byte.
ONE_IN_A_BYTE = 127


def as_kind(observations: Any, kind: str) -> Any:
    """Observations of the processor's as a graphics card would write them."""
    if kind == "int8":
        return numpy.rint(observations * numpy.float32(ONE_IN_A_BYTE)).astype(numpy.int8)
    return observations.astype(KINDS[kind])


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
        tuning: Tuning | None = None,
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
        if tuning is None:
            tuning = MEASURED.get(self.definition.name, USUAL)
        self._tuning = tuning
        self._programs = loaded(self.definition.name, not plain, observations, tuning)
        self._words = -(-self.definition.actions // kernel.WORD)
        self._sort = self._words > 1 if tuning.sort is None else tuning.sort
        setting = numpy.zeros(2, layout(kernel.Setting))
        setting["seats"] = self.seats
        setting["rotate"] = rotate
        setting["worth"] = chosen(WORTH, worth)
        setting["actions"] = self.definition.actions
        setting["words"] = self._words
        setting["most_decisions"] = most_decisions
        setting["autoreset"] = [kernel.NEXT_STEP, chosen(AUTORESET, autoreset)]
        self._setting = DeviceArray.of(setting)
        self._bots_there = DeviceArray.of(bots)
        self._make_room(KINDS[observations])
        team = team_size(self.definition.name, observations, tuning)
        self._lookers = self._played_lanes // team * tuning.lookers
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
        # Kernels play whole warps: lanes beyond those asked for play along, and nobody sees them.
        played = -(-lanes // WARP) * WARP
        self._played_lanes = played
        self._states = DeviceArray((1 + played,), record, row_size(definition.name))
        self._states.write(first)
        self._lane_records = DeviceArray((played,), layout(kernel.Lane))
        self._chances = DeviceArray.of(numpy.zeros(played, layout(Stream)))
        self._seed(0)
        self._allowed = DeviceArray.of(numpy.zeros(played * self._words, numpy.uint32))
        self._given = DeviceArray((played,), numpy.int32)
        self._order = DeviceArray.of(numpy.arange(played, dtype=numpy.int32))
        self._groups = DeviceArray((group_count(definition.name),), numpy.int32)
        self._joined = DeviceArray((played,), numpy.int32)
        self._decisions = DeviceArray.of(numpy.zeros(played, numpy.int32))
        # Rows of what is seen begin with a sector of memory, those of masks with a word.
        size = self.spec.size * numpy.dtype(kind).itemsize
        self._written = [
            DeviceArray((played, self.seats), numpy.float64),
            DeviceArray((played,), numpy.float32),
            DeviceArray((played,), numpy.bool_),
            DeviceArray((played,), numpy.bool_),
            DeviceArray((played,), numpy.int32),
            DeviceArray((played, self.spec.size), kind, sectors(size)),
            DeviceArray((played, definition.actions), numpy.bool_, -(-definition.actions // 4) * 4),
        ]
        returns, rewards, over, cut, seat, observation, mask = (
            each.rows(lanes) for each in self._written
        )
        self.actions = self._given.rows(lanes)
        """What was played with the last step; below 0 where another game began."""
        self.observation = observation
        """What the seat that is asked sees, a row per lane."""
        self.mask = mask
        """True for what is legal; nothing is, when the game is over."""
        self.rewards = rewards
        """What whoever was asked got with the last step: 0 until the end of a game."""
        self.returns = returns
        """The same for every seat."""
        self.over = over
        """Whether the game ended with the last step, also by an illegal action."""
        self.cut = cut
        """Whether it was cut short."""
        self.seat = seat
        """Who is asked; at the end who was asked last."""

    def _seed(self, seed: int) -> None:
        seeds = DeviceArray.of(numpy.array([seed % 2**64], numpy.uint64))
        self._launch("seed", self._lane_records, seeds)
        synchronise()  # the seeds are in use until then

    def _launch(self, name: str, *given: Any, threads: int = 256) -> None:
        """A thread for each lane, which is told how many there are."""
        played = self._played_lanes
        self._programs.launch(name, device_stream(), played, threads, *given, played)

    # ---- playing --------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Begin the next game of every lane; with a seed, its first."""
        if seed is not None:
            self._seed(seed)
        self._given.write(numpy.full(self._played_lanes, kernel.BEGIN, numpy.int32))
        self._play()

    def step(self, actions: Any) -> None:
        """Play an action in every lane: whole numbers of 32 or 64 bits, on the device (anything
        that has a CUDA array interface) or not. One that is not legal loses the game at once."""
        given = DeviceArray.borrowed(actions, (self.lanes,))
        name = f"take_{given.dtype}"
        self._programs.launch(
            name, device_stream(), self.lanes, 256, given, self._given, self.lanes
        )
        self._play()

    def step_at_random(self, steps: int = 1) -> None:
        """A legal action in every lane, each equally likely, by chance of the lane's own: the
        actions that the bot ``random`` would choose. Begins another game where one is over."""
        for _ in range(steps):
            self._launch("pick", self._lane_records, self._setting, self._allowed, self._given)
            self._play()

    def _play(self) -> None:
        if self._sort:
            stream, groups = device_stream(), self._groups
            self._programs.launch("clear_groups", stream, 1, 1024, groups)
            self._launch(
                "count_groups", self._given, self._allowed, groups, self._joined, threads=1024
            )
            self._programs.launch("begin_groups", stream, 1, SUMMERS, groups)
            self._launch("sort_lanes", self._joined, groups, self._order, threads=1024)
        *told, asked, observations, masks = self._written
        self._launch(
            "play",
            self._states,
            self._lane_records,
            self._chances,
            self._setting,
            self._bots_there,
            self._allowed,
            self._given,
            self._order,
            self._decisions,
            *told,
            asked,
            threads=self._tuning.threads,
        )
        self._programs.launch(
            "look",
            device_stream(),
            self._lookers,
            self._tuning.lookers,
            self._states,
            self._allowed,
            asked,
            observations,
            masks,
        )

    # ---- looking --------------------------------------------------------------------------------

    def state(self, lane: int = 0) -> Any:
        """A copy of a lane's whole position, with all that is hidden."""
        record = self._states.read(lane + 1)
        names = [field.name for field in dataclasses.fields(self.definition.state)]
        return self.definition.state(*(record[name].tolist() for name in names))

    def decisions(self) -> int:
        """How many decisions from outside there were so far, in all lanes."""
        return int(self._decisions.read()[: self.lanes].sum(dtype=numpy.int64))

    def synchronise(self) -> None:
        """Wait until all is done."""
        synchronise()
