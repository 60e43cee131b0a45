"""Many games side by side, over arrays: what all environments stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.bots import Bot, Level, player_named
from archipel.bots.search.plan import get_field, set_field
from archipel.envs import kernel
from archipel.envs.programs import lanes_backend
from archipel.envs.spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream
from archipel.rules.kit.program import Backend
from archipel.rules.options import Options

#: No game is meant to come near this; one that does is cut short and counts as truncated.
MOST_DECISIONS = 20_000

#: In place of a bot's name: whoever uses the environment decides.
OUTSIDE = "outside"

#: What a game can be worth: a share of first place, or points ahead of the best other seat.
WORTH = {"share": kernel.SHARE, "margin": kernel.MARGIN}

AUTORESET = {
    "next-step": kernel.NEXT_STEP,
    "same-step": kernel.SAME_STEP,
    "disabled": kernel.BY_HAND,
}

#: Fewer lanes than this are not worth another thread.
LANES_PER_THREAD = 64

Fractions = NDArray[numpy.float32]
Masks = NDArray[numpy.int8]


@dataclass
class Buffers:
    """Where a batch writes, a row per lane. Any of them may be the caller's own, C-contiguous and
    of these types; they are written anew with every step."""

    observations: Fractions
    """(lanes, size) float32: what the seat that is asked sees."""
    masks: Masks
    """(lanes, actions) int8: 1 for what is legal; all 0 when the game is over."""
    rewards: NDArray[numpy.float64]
    """(lanes, seats): 0 until the end of a game."""
    ends: Masks
    """(lanes,) 0: goes on; 1: over; 2: ended by an illegal action; 3: cut short."""
    seats: NDArray[numpy.int64]
    """(lanes,) who is asked; at the end who was asked last."""


class Batch:
    """So many games of one kind, each of which goes on until somebody from outside is asked.

    ``players`` has an entry per seat: a bot's name, or "outside".  Lane k has the seed ``seed + k``
    and plays its games number 0, 1, 2 ...: equal seeds and actions give equal games, whatever the
    number of lanes and threads.
    """

    def __init__(
        self,
        game: str,
        lanes: int,
        *,
        players: Sequence[str],
        options: Mapping[str, object] | None = None,
        rotate: bool = False,
        worth: str = "share",
        autoreset: str = "next-step",
        threads: int = 1,
        compiled: bool | None = None,
        buffers: Buffers | None = None,
        most_decisions: int = MOST_DECISIONS,
    ) -> None:
        if lanes < 1:
            raise ValueError(f"{lanes} lanes: at least one game has to be played")
        if threads < 1:
            raise ValueError(f"{threads} threads: at least one has to play")
        self.definition = game_named(game)
        self.spec = spec_of(game)
        self.options: Options = self.definition.make_options(len(players), **(options or {}))
        self.seats = self.options.seats
        self.lanes = lanes
        self.rotate = rotate
        self.players = tuple(players)
        infos = [None if name == OUTSIDE else player_named(game, name) for name in players]
        if all(info is not None for info in infos):
            raise ValueError("somebody has to decide from outside: name a seat 'outside'")
        self._thinkers = {
            entrant: Bot(info) for entrant, info in enumerate(infos) if isinstance(info, Level)
        }
        plain = all(
            info is None or isinstance(info, Level) or info.name == "random" for info in infos
        )
        self.backend: Backend = lanes_backend(game, not plain, compiled)
        self._threads = threads if self.backend.compiled else 1
        self._pool = ThreadPoolExecutor(self._threads, "lanes") if self._threads > 1 else None
        self._setting = self._make_setting(chosen(WORTH, worth), chosen(AUTORESET, autoreset))
        self._setting["most_decisions"] = most_decisions
        self._autoreset = chosen(AUTORESET, autoreset)
        self._settings = self.backend.records(kernel.Setting, 1)
        for name, value in self._setting.items():
            set_field(self._settings[0], name, value)
        self._bots = self.backend.numbers(self.seats)
        for entrant, info in enumerate(infos):
            if info is None:
                self._bots[entrant] = kernel.OUTSIDE
            else:
                self._bots[entrant] = kernel.THINKER if isinstance(info, Level) else info.index
        self._make_room(buffers)

    def _make_setting(self, worth: int, autoreset: int) -> dict[str, int]:
        return {
            "seats": self.seats,
            "rotate": int(self.rotate),
            "autoreset": autoreset,
            "worth": worth,
            "actions": self.definition.actions,
            "words": -(-self.definition.actions // kernel.WORD),
        }

    def _make_room(self, buffers: Buffers | None) -> None:
        lanes, backend, definition = self.lanes, self.backend, self.definition
        self._states = backend.states(kernel.FIRST + lanes)
        backend.write(self._states, kernel.BLANK, definition.blank(self.options))
        self._lanes = backend.records(kernel.Lane, lanes)
        self._chances = backend.records(Stream, lanes)
        self._allowed = backend.numbers(lanes * self._setting["words"])
        self._given = numpy.zeros(lanes, numpy.int64)
        # What each thread needs to itself.
        self._rooms = [
            (backend.states(1), backend.stream(0), backend.numbers(definition.most_legal))
            for _ in range(self._threads)
        ]
        finals = lanes if self._autoreset == kernel.SAME_STEP else 0
        self.finals: Fractions = numpy.zeros((finals, self.spec.size), numpy.float32)
        """What was seen at the ends of games, where another begins at once."""
        self.use(buffers or self.make_buffers())

    def make_buffers(self) -> Buffers:
        """Room of the right shapes and types."""
        lanes = self.lanes
        return Buffers(
            numpy.zeros((lanes, self.spec.size), numpy.float32),
            numpy.zeros((lanes, self.definition.actions), numpy.int8),
            numpy.zeros((lanes, self.seats), numpy.float64),
            numpy.zeros(lanes, numpy.int8),
            numpy.zeros(lanes, numpy.int64),
        )

    def use(self, buffers: Buffers) -> None:
        """Write into these from now on; raises ValueError for what does not fit."""
        for name, right in vars(self.make_buffers()).items():
            given = getattr(buffers, name)
            fits = isinstance(given, numpy.ndarray) and given.flags.c_contiguous
            if not fits or (given.shape, given.dtype) != (right.shape, right.dtype):
                raise ValueError(f"{name}: not a contiguous {right.dtype} array of {right.shape}")
        self.buffers = buffers
        self._rewards = buffers.rewards.reshape(-1)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    # ---- playing --------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, lanes: NDArray[Any] | None = None) -> None:
        """Begin the next game of every lane, or of those marked; with a seed, its first."""
        for lane in range(self.lanes):
            if lanes is not None and not lanes[lane]:
                self._given[lane] = kernel.WAIT
                continue
            if seed is not None:
                set_field(self._lanes[lane], "seed", (seed + lane) % 2**64)
                set_field(self._lanes[lane], "game", -1)
            self._given[lane] = kernel.BEGIN
        self._play()

    def reseed(self, seeds: Sequence[int | None]) -> None:
        """A seed of its own for each lane that is given one, for its next game."""
        for lane, seed in enumerate(seeds):
            if seed is not None:
                set_field(self._lanes[lane], "seed", seed % 2**64)
                set_field(self._lanes[lane], "game", -1)

    def step(self, actions: Any) -> None:
        """Play an action in every lane. One that is not legal loses the game at once."""
        self._given[:] = actions
        # Words of the kernel are below 0: from outside such a number is only illegal.
        numpy.copyto(self._given, self.definition.actions, where=self._given < 0)
        self._play()

    def step_one(self, action: int) -> None:
        """The same for a batch of one lane, in less time."""
        self._given[0] = action if action >= 0 else self.definition.actions
        self._play()

    def step_at_random(self, chance: Any) -> None:
        """A legal action in every lane, each equally likely, from a stream of the backend's."""
        self.backend.fill_at_random(
            self._lanes,
            self.buffers.masks,
            self.definition.actions,
            chance,
            self._given,
            self.lanes,
        )
        self._play()

    def _play(self) -> None:
        self._advance()
        if self._thinkers:
            self._let_thinkers_play()

    def _advance(self) -> None:
        if self._pool is None or self.lanes < 2 * LANES_PER_THREAD:
            self._piece(0, 0, self.lanes)
            return
        share = -(-self.lanes // self._threads)
        begun = [
            self._pool.submit(self._piece, thread, first, min(share, self.lanes - first))
            for thread, first in enumerate(range(0, self.lanes, share))
        ]
        for piece in begun:
            piece.result()

    def _piece(self, thread: int, first: int, count: int) -> None:
        seen, choices, buffer = self._rooms[thread]
        into = self.buffers
        self.backend.play_lanes(
            self._states,
            seen,
            self._lanes,
            self._chances,
            choices,
            self._settings[0],
            self._bots,
            buffer,
            self._allowed,
            self._given,
            into.observations,
            into.masks,
            self.finals,
            self._rewards,
            into.ends,
            into.seats,
            first,
            count,
        )

    def _let_thinkers_play(self) -> None:
        """Bots that search are no rules: they are asked one by one, as if from outside."""
        kept = self.buffers.rewards.copy()
        ends = self.buffers.ends.copy()
        while True:
            self._given[:] = kernel.WAIT
            for lane in range(self.lanes):
                thinker = self._thinkers.get(self.entrant(lane))
                going_on = get_field(self._lanes[lane], "ended") == kernel.GOING_ON
                if thinker is not None and going_on:
                    self._given[lane] = self._thought(lane, thinker)
            waiting = self._given == kernel.WAIT
            if waiting.all():
                break
            self._advance()
            # Where another game began at once, this is the end of the one before.
            kept[~waiting] += self.buffers.rewards[~waiting]
            ends[~waiting] |= self.buffers.ends[~waiting]
        self.buffers.rewards[:] = kept
        self.buffers.ends[:] = ends

    def _thought(self, lane: int, thinker: Bot) -> int:
        seat = int(self.buffers.seats[lane])
        view = self.definition.recalled(self.state(lane), seat)
        record = self._lanes[lane]
        legal = self.definition.legal_actions(view)
        stream = Stream(int(get_field(record, "key")), int(get_field(record, "decisions")))
        return thinker.choose(view, legal, chance=stream)

    # ---- looking --------------------------------------------------------------------------------

    def state(self, lane: int = 0) -> Any:
        """A copy of a lane's whole position, with all that is hidden."""
        return self.backend.read(self._states, kernel.FIRST + lane)

    def entrant(self, lane: int = 0) -> int:
        """Which of the players is asked."""
        return (int(self.buffers.seats[lane]) - self.shift(lane)) % self.seats

    def shift(self, lane: int = 0) -> int:
        """Player number e of a lane has seat e + shift."""
        return int(get_field(self._lanes[lane], "shift"))

    def shifts(self) -> NDArray[numpy.int64]:
        return numpy.array([self.shift(lane) for lane in range(self.lanes)])

    def decisions(self, lane: int = 0) -> int:
        return int(get_field(self._lanes[lane], "decisions"))

    def look(self, seat: int, lane: int = 0) -> Fractions:
        """What any seat sees in a lane, as numbers."""
        out = numpy.empty(self.spec.size, numpy.float32)
        self.backend.look_at_lane(self._states, self._rooms[0][0], lane, seat, out)
        return out


def chosen(table: Mapping[str, int], name: str) -> int:
    if name not in table:
        raise ValueError(f"{name!r} is not one of {', '.join(table)}")
    return table[name]
