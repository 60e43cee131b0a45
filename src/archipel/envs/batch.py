"""Many games in parallel over arrays: the basis of all environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.bots import Bot, Level, player_named
from archipel.bots.search.config import get_field, set_field
from archipel.envs import batch_kernel as kernel
from archipel.envs.batch_programs import batch_backend
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments, warn_renamed
from archipel.rules.kit import Stream
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Options

#: Longer games are truncated.
MAX_EPISODE_DECISIONS = 20_000

#: In place of a bot's name: the user of the environment decides.
OUTSIDE = "outside"

#: Reward at the end of a game: share of the win, or points ahead of the best other seat.
REWARDS = {"win_share": kernel.WIN_SHARE, "margin": kernel.MARGIN}

AUTORESET = {
    "next-step": kernel.NEXT_STEP,
    "same-step": kernel.SAME_STEP,
    "disabled": kernel.BY_HAND,
}

#: Another thread pays off from this number of games on.
ENVS_PER_THREAD = 64

Fractions = NDArray[numpy.float32]
Masks = NDArray[numpy.int8]


@dataclass
class Buffers:
    """Output arrays of a batch, one row per environment; every step overwrites them.

    The caller may provide any of them, C-contiguous and of these types.
    """

    observations: Fractions
    """(envs, size) float32: observation of the seat to decide."""
    masks: Masks
    """(envs, actions) int8: 1 for legal actions; all 0 when the game is over."""
    rewards: NDArray[numpy.float64]
    """(envs, seats): 0 until the end of a game."""
    ends: Masks
    """(envs,) 0: running; 1: over; 2: ended by an illegal action; 3: truncated."""
    seats: NDArray[numpy.int64]
    """(envs,) the seat to decide; at the end the one that decided last."""


class Batch:
    """Parallel games; each runs until a decision has to come from outside.

    ``players`` has an entry per seat: a bot's name, or "outside".  Environment k has the seed
    ``seed + k`` and plays its games number 0, 1, 2 ...  Equal seeds and actions give equal games,
    independent of the number of environments and threads.
    """

    @former_arguments(lanes="envs", worth="reward")
    def __init__(
        self,
        game: str,
        envs: int,
        *,
        players: Sequence[str],
        options: Mapping[str, object] | None = None,
        rotate: bool = False,
        reward: str = "win_share",
        autoreset: str = "next-step",
        threads: int = 1,
        compiled: bool | None = None,
        buffers: Buffers | None = None,
        most_decisions: int = MAX_EPISODE_DECISIONS,
    ) -> None:
        if envs < 1:
            raise ValueError(f"{envs} envs: play at least one game")
        if threads < 1:
            raise ValueError(f"{threads} threads: use at least one")
        self.definition = game_named(game)
        self.spec = spec_of(game)
        self.options: Options = self.definition.make_options(len(players), **(options or {}))
        self.seats = self.options.seats
        self.envs = envs
        self.rotate = rotate
        self.players = tuple(players)
        infos = [None if name == OUTSIDE else player_named(game, name) for name in players]
        if all(info is not None for info in infos):
            raise ValueError("no seat is 'outside': somebody has to decide from outside")
        self._searchers = {
            entrant: Bot(info) for entrant, info in enumerate(infos) if isinstance(info, Level)
        }
        plain = all(
            info is None or isinstance(info, Level) or info.name == "random" for info in infos
        )
        self.backend: Backend = batch_backend(game, not plain, compiled)
        self._threads = threads if self.backend.compiled else 1
        self._pool = ThreadPoolExecutor(self._threads, "envs") if self._threads > 1 else None
        self._setting = self._make_setting(chosen(REWARDS, reward), chosen(AUTORESET, autoreset))
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
                self._bots[entrant] = kernel.SEARCHER if isinstance(info, Level) else info.index
        self._make_room(buffers)

    def _make_setting(self, reward: int, autoreset: int) -> dict[str, int]:
        return {
            "seats": self.seats,
            "rotate": int(self.rotate),
            "autoreset": autoreset,
            "reward": reward,
            "actions": self.definition.actions,
            "words": -(-self.definition.actions // kernel.WORD),
        }

    def _make_room(self, buffers: Buffers | None) -> None:
        envs, backend, definition = self.envs, self.backend, self.definition
        self._states = backend.states(kernel.FIRST + envs)
        backend.write(self._states, kernel.BLANK, definition.blank(self.options))
        self._envs = backend.records(kernel.EnvState, envs)
        self._chances = backend.records(Stream, envs)
        self._allowed = backend.numbers(envs * self._setting["words"])
        self._given = numpy.zeros(envs, numpy.int64)
        # Scratch space of each thread.
        self._rooms = [
            (backend.states(1), backend.stream(0), backend.numbers(definition.most_legal))
            for _ in range(self._threads)
        ]
        finals = envs if self._autoreset == kernel.SAME_STEP else 0
        self.finals: Fractions = numpy.zeros((finals, self.spec.size), numpy.float32)
        """Final observations, if the next game begins in the same step."""
        self.use(buffers or self.make_buffers())

    def make_buffers(self) -> Buffers:
        """Arrays of the right shapes and types."""
        envs = self.envs
        return Buffers(
            numpy.zeros((envs, self.spec.size), numpy.float32),
            numpy.zeros((envs, self.definition.actions), numpy.int8),
            numpy.zeros((envs, self.seats), numpy.float64),
            numpy.zeros(envs, numpy.int8),
            numpy.zeros(envs, numpy.int64),
        )

    def use(self, buffers: Buffers) -> None:
        """Write into these arrays from now on; raises ValueError if one does not fit."""
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

    @former_arguments(lanes="envs")
    def reset(self, seed: int | None = None, envs: NDArray[Any] | None = None) -> None:
        """Begin the next game of all or the marked environments; with a seed, its first game."""
        for env in range(self.envs):
            if envs is not None and not envs[env]:
                self._given[env] = kernel.WAIT
                continue
            if seed is not None:
                set_field(self._envs[env], "seed", (seed + env) % 2**64)
                set_field(self._envs[env], "game", -1)
            self._given[env] = kernel.BEGIN
        self._play()

    def reseed(self, seeds: Sequence[int | None]) -> None:
        """Set the seeds of environments, None to keep one; they apply from the next game on."""
        for env, seed in enumerate(seeds):
            if seed is not None:
                set_field(self._envs[env], "seed", seed % 2**64)
                set_field(self._envs[env], "game", -1)

    def step(self, actions: Any) -> None:
        """Play an action in every environment; an illegal action loses the game at once."""
        self._given[:] = actions
        # Negative numbers are commands of the kernel; from outside they are illegal actions.
        numpy.copyto(self._given, self.definition.actions, where=self._given < 0)
        self._play()

    def step_one(self, action: int) -> None:
        """Like `step` for a batch of one environment, with less overhead."""
        self._given[0] = action if action >= 0 else self.definition.actions
        self._play()

    def step_at_random(self, chance: Any) -> None:
        """Play a uniformly random legal action in every environment."""
        self.backend.fill_at_random(
            self._envs,
            self.buffers.masks,
            self.definition.actions,
            chance,
            self._given,
            self.envs,
        )
        self._play()

    def _play(self) -> None:
        self._advance()
        if self._searchers:
            self._play_searchers()

    def _advance(self) -> None:
        if self._pool is None or self.envs < 2 * ENVS_PER_THREAD:
            self._piece(0, 0, self.envs)
            return
        share = -(-self.envs // self._threads)
        begun = [
            self._pool.submit(self._piece, thread, first, min(share, self.envs - first))
            for thread, first in enumerate(range(0, self.envs, share))
        ]
        for piece in begun:
            piece.result()

    def _piece(self, thread: int, first: int, count: int) -> None:
        seen, choices, buffer = self._rooms[thread]
        into = self.buffers
        self.backend.step_envs(
            self._states,
            seen,
            self._envs,
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

    def _play_searchers(self) -> None:
        """Ask bots that search one by one: they cannot run in the kernel."""
        kept = self.buffers.rewards.copy()
        ends = self.buffers.ends.copy()
        while True:
            self._given[:] = kernel.WAIT
            for env in range(self.envs):
                searcher = self._searchers.get(self.entrant(env))
                going_on = get_field(self._envs[env], "ended") == kernel.GOING_ON
                if searcher is not None and going_on:
                    self._given[env] = self._thought(env, searcher)
            waiting = self._given == kernel.WAIT
            if waiting.all():
                break
            self._advance()
            # If another game began in this step, these belong to the one before.
            kept[~waiting] += self.buffers.rewards[~waiting]
            ends[~waiting] |= self.buffers.ends[~waiting]
        self.buffers.rewards[:] = kept
        self.buffers.ends[:] = ends

    def _thought(self, env: int, searcher: Bot) -> int:
        seat = int(self.buffers.seats[env])
        view = self.definition.recalled(self.state(env), seat)
        record = self._envs[env]
        legal = self.definition.legal_actions(view)
        stream = Stream(int(get_field(record, "key")), int(get_field(record, "decisions")))
        return searcher.choose(view, legal, chance=stream)

    # ---- looking --------------------------------------------------------------------------------

    def state(self, env: int = 0) -> Any:
        """A copy of an environment's full state, hidden information included."""
        return self.backend.read(self._states, kernel.FIRST + env)

    def entrant(self, env: int = 0) -> int:
        """Index of the player to decide."""
        return (int(self.buffers.seats[env]) - self.seat_offset(env)) % self.seats

    def seat_offset(self, env: int = 0) -> int:
        """Player e has seat e + seat_offset."""
        return int(get_field(self._envs[env], "seat_offset"))

    def seat_offsets(self) -> NDArray[numpy.int64]:
        return numpy.array([self.seat_offset(env) for env in range(self.envs)])

    @property
    def lanes(self) -> int:
        """Deprecated name of `envs`."""
        warn_renamed("Batch.lanes", "Batch.envs")
        return self.envs

    def shift(self, env: int = 0) -> int:
        """Deprecated name of `seat_offset`."""
        warn_renamed("Batch.shift", "Batch.seat_offset")
        return self.seat_offset(env)

    def decisions(self, env: int = 0) -> int:
        return int(get_field(self._envs[env], "decisions"))

    def look(self, seat: int, env: int = 0) -> Fractions:
        """Observation of any seat."""
        out = numpy.empty(self.spec.size, numpy.float32)
        self.backend.observe_env(self._states, self._rooms[0][0], env, seat, out)
        return out


def chosen(table: Mapping[str, int], name: str) -> int:
    if name == "share" and "win_share" in table:
        warn_renamed("the reward 'share'", "'win_share'")
        name = "win_share"
    if name not in table:
        raise ValueError(f"{name!r} is not one of {', '.join(table)}")
    return table[name]
