"""Many games in parallel over arrays: the basis of all environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from archipel.bots import Bot, Level, player_named
from archipel.bots.search.config import get_field, set_field
from archipel.envs import batch_kernel as kernel
from archipel.envs.compiling import announced
from archipel.envs.observation_spec import spec_of
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.deprecation import (
    former_arguments,
    former_attribute,
    former_fields,
    warn_renamed,
)
from archipel.rules.kit import Stream
from archipel.rules.kit.core.machine_record import from_bytes, to_bytes
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Options

#: Longer games are truncated.
MAX_EPISODE_DECISIONS = 20_000

#: In place of a bot's name: the user of the environment decides.
OUTSIDE = "outside"
#: In place of the learner's seat: another one in every game.
ROTATE = "rotate"

#: Reward at the end of a game: share of the win, or points ahead of the best other seat.
REWARDS = {"win_share": kernel.WIN_SHARE, "score_margin": kernel.MARGIN}
#: Former names of rewards.
FORMER_REWARDS = {"share": "win_share", "margin": "score_margin"}

AUTORESET = {
    "next-step": kernel.NEXT_STEP,
    "same-step": kernel.SAME_STEP,
    "disabled": kernel.BY_HAND,
}

#: Another thread pays off from this number of games on.
ENVS_PER_WORKER = 64

Fractions = NDArray[numpy.float32]
Masks = NDArray[numpy.int8]

#: A player: a bot's name, or a function that is given observations and masks, a row per game, and
#: returns their actions.
Player = str | Callable[[Fractions, Masks], Any]


@former_fields(observations="obs", masks="action_mask")
@dataclass
class Buffers:
    """Output arrays of a batch, one row per environment; every step overwrites them.

    The caller may provide any of them, C-contiguous and of these types.
    """

    obs: Fractions
    """(num_envs, obs_size) float32: observation of the seat to decide."""
    action_mask: Masks
    """(num_envs, num_actions) int8: 1 for legal actions; all 0 when the game is over."""
    rewards: NDArray[numpy.float64]
    """(num_envs, seats): 0 until the end of a game."""
    ends: Masks
    """(num_envs,) 0: running; 1: over; 2: ended by an illegal action; 3: truncated."""
    seats: NDArray[numpy.int64]
    """(num_envs,) the seat to decide; at the end the one that decided last."""

    @property
    def terminated(self) -> NDArray[numpy.bool_]:
        """(num_envs,) whether the last step ended the game, also by an illegal action."""
        return numpy.isin(self.ends, (kernel.OVER, kernel.ILLEGAL))

    @property
    def truncated(self) -> NDArray[numpy.bool_]:
        """(num_envs,) whether the last step reached the limit of decisions."""
        return numpy.equal(self.ends, kernel.TOO_LONG).astype(bool)


class Batch:
    """Parallel games; each runs until a decision has to come from outside.

    ``players`` has an entry per seat: a bot's name, a function (`Player`) or "outside".
    Environment k has the seed ``seed + k`` and plays its games number 0, 1, 2 ...  Equal seeds and
    actions give equal games, independent of the number of environments and workers.
    """

    @former_arguments(lanes="num_envs", envs="num_envs", worth="reward", threads="workers")
    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        players: Sequence[Player],
        options: Mapping[str, object] | None = None,
        rotate: bool = False,
        reward: str = "win_share",
        autoreset: str = "next-step",
        workers: int = 1,
        compiled: bool | None = None,
        buffers: Buffers | None = None,
        most_decisions: int = MAX_EPISODE_DECISIONS,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"num_envs={num_envs}: play at least one game")
        if workers < 1:
            raise ValueError(f"workers={workers}: use at least one thread")
        self._arguments = {
            "game": game,
            "num_envs": num_envs,
            "players": tuple(players),
            "rotate": rotate,
            "reward": reward,
            "autoreset": autoreset,
            "workers": workers,
            "most_decisions": most_decisions,
        }
        self.definition = game_named(game)
        self.spec = spec_of(game)
        self.options: Options = self.definition.make_options(len(players), **(options or {}))
        self.seats = self.options.seats
        self.num_envs = num_envs
        self.rotate = rotate
        self.players = tuple(players)
        numbers = bot_numbers(game, players)
        self._asked = {
            entrant: Bot.named(game, player) if isinstance(player, str) else player
            for entrant, (player, number) in enumerate(zip(players, numbers, strict=True))
            if number == kernel.ASKED
        }
        self.backend: Backend = announced(
            lambda: kernel.batch_backend(game, has_bots(players, numbers), compiled),
            kernel.batch_program(game, has_bots(players, numbers)),
            compiled,
        )
        self._workers = workers if self.backend.compiled else 1
        self._pool = ThreadPoolExecutor(self._workers, "envs") if self._workers > 1 else None
        self._setting = make_setting(self.options, self.definition, rotate, reward, most_decisions)
        self._setting["autoreset"] = chosen(AUTORESET, autoreset)
        self._settings = self.backend.records(kernel.Setting, 1)
        for name, value in self._setting.items():
            set_field(self._settings[0], name, value)
        self._bots = self.backend.numbers(self.seats)
        for entrant, number in enumerate(numbers):
            self._bots[entrant] = number
        self._make_room(buffers)

    def _make_room(self, buffers: Buffers | None) -> None:
        envs, backend, definition = self.num_envs, self.backend, self.definition
        self._states = backend.states(kernel.FIRST + envs)
        backend.write(self._states, kernel.BLANK, definition.blank(self.options))
        self._envs = backend.records(kernel.EnvState, envs)
        self._chances = backend.records(Stream, envs)
        self._allowed = backend.numbers(envs * self._setting["words"])
        self._given = numpy.zeros(envs, numpy.int64)
        # Scratch space of each thread.
        self._rooms = [
            (backend.states(1), backend.stream(0), backend.numbers(definition.most_legal))
            for _ in range(self._workers)
        ]
        finals = envs if self._setting["autoreset"] == kernel.SAME_STEP else 0
        self.finals: Fractions = numpy.zeros((finals, self.spec.size), numpy.float32)
        """Final observations, if the next game begins in the same step."""
        self.use(buffers or self.make_buffers())

    def make_buffers(self) -> Buffers:
        """Arrays of the right shapes and types."""
        envs = self.num_envs
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

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Everything that the next steps depend on, and the output, as plain arrays.

        `numpy.savez` stores them, and `restore` continues from them.
        """
        records = {"states": self._states, "envs": self._envs, "chances": self._chances}
        return {
            **{name: _as_bytes(found) for name, found in records.items()},
            "allowed": numpy.array(self._allowed, numpy.int64),
            "finals": self.finals.copy(),
            **{name: array.copy() for name, array in vars(self.buffers).items()},
        }

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Continue from a snapshot of a batch with equal arguments.

        It may have been compiled or not.  Raises ValueError if the arrays do not fit.
        """
        before = self.snapshot()
        for name, own in before.items():
            found = snapshot.get(name)
            if found is None or (found.shape, found.dtype) != (own.shape, own.dtype):
                raise ValueError(f"{name}: not a snapshot of a batch with these arguments")
        _read_bytes(self._states, self.definition.state, snapshot["states"])
        _read_bytes(self._envs, kernel.EnvState, snapshot["envs"])
        _read_bytes(self._chances, Stream, snapshot["chances"])
        self._allowed[:] = snapshot["allowed"].tolist()
        self.finals[:] = snapshot["finals"]
        for name, array in vars(self.buffers).items():
            array[:] = snapshot[name]

    def __getstate__(self) -> dict[str, Any]:
        options = dict(self.options.values)
        arguments = {**self._arguments, "options": options, "compiled": self.backend.compiled}
        return {"arguments": arguments, "snapshot": self.snapshot()}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__init__(**kept["arguments"])  # type: ignore[misc]
        self.restore(kept["snapshot"])

    @former_arguments(lanes="reset_mask", envs="reset_mask")
    def reset(self, seed: int | None = None, reset_mask: NDArray[Any] | None = None) -> None:
        """Begin the next game of all or the marked environments; with a seed, its first game."""
        for env in range(self.num_envs):
            if reset_mask is not None and not reset_mask[env]:
                self._given[env] = kernel.WAIT
                continue
            if seed is not None:
                self._reseed(env, seed + env)
            self._given[env] = kernel.BEGIN
        self._play()

    def reseed(self, seeds: Sequence[int | None]) -> None:
        """Set the seeds of environments, None to keep one; they apply from the next game on."""
        for env, seed in enumerate(seeds):
            if seed is not None:
                self._reseed(env, seed)

    def _reseed(self, env: int, seed: int) -> None:
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
        masks, actions = self.buffers.action_mask, self.definition.actions
        self.backend.fill_at_random(self._envs, masks, actions, chance, self._given, self.num_envs)
        self._play()

    def _play(self) -> None:
        self._advance()
        if self._asked:
            self._ask_players()

    def _advance(self) -> None:
        if self._pool is None or self.num_envs < 2 * ENVS_PER_WORKER:
            self._step_envs(0, 0, self.num_envs)
            return
        share = -(-self.num_envs // self._workers)
        started = [
            self._pool.submit(self._step_envs, thread, first, min(share, self.num_envs - first))
            for thread, first in enumerate(range(0, self.num_envs, share))
        ]
        for step in started:
            step.result()

    def _step_envs(self, thread: int, first: int, count: int) -> None:
        seen, choices, buffer = self._rooms[thread]
        into, setting = self.buffers, self._settings[0]
        games = self._states, seen, self._envs, self._chances, choices, setting, self._bots
        actions = buffer, self._allowed, self._given
        results = self.finals, self._rewards, into.ends, into.seats
        written = into.obs, into.action_mask, *results
        self.backend.step_envs(*games, *actions, *written, first, count)

    def _ask_players(self) -> None:
        """Ask bots that search, and functions: they cannot run in the kernel."""
        rewards = self.buffers.rewards.copy()
        ends = self.buffers.ends.copy()
        while True:
            self._given[:] = kernel.WAIT
            entrants = (self.buffers.seats - self.seat_offsets()) % self.seats
            going_on = self._field("ended") == kernel.GOING_ON
            for entrant, player in self._asked.items():
                envs = numpy.flatnonzero(going_on & (entrants == entrant))
                if isinstance(player, Bot):
                    self._given[envs] = [self._search(int(env), player) for env in envs]
                elif len(envs):
                    self._given[envs] = self._chosen(envs, player)
            waiting = self._given == kernel.WAIT
            if waiting.all():
                break
            self._advance()
            # If another game began in this step, these belong to the one before.
            rewards[~waiting] += self.buffers.rewards[~waiting]
            ends[~waiting] |= self.buffers.ends[~waiting]
        self.buffers.rewards[:] = rewards
        self.buffers.ends[:] = ends

    def _chosen(self, envs: NDArray[Any], player: Callable[..., Any]) -> NDArray[Any]:
        """Legal actions of a function in some environments; raises ValueError for others."""
        masks = self.buffers.action_mask[envs]
        actions = numpy.asarray(player(self.buffers.obs[envs], masks.copy()))
        if actions.shape != envs.shape or actions.dtype.kind not in "iu":
            raise ValueError(f"{player!r} returned no array of {len(envs)} integers")
        known = (actions >= 0) & (actions < masks.shape[1])
        if not (known & (masks[numpy.arange(len(envs)), actions * known] != 0)).all():
            raise ValueError(f"{player!r} chose an illegal action")
        return actions

    def _search(self, env: int, searcher: Bot) -> int:
        seat = int(self.buffers.seats[env])
        view = self.definition.recalled(self.state(env), seat)
        record = self._envs[env]
        legal = self.definition.legal_actions(view)
        stream = Stream(int(get_field(record, "key")), int(get_field(record, "decisions")))
        return searcher.choose(view, legal, chance=stream)

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
        return self._field("seat_offset")

    def _field(self, name: str) -> NDArray[numpy.int64]:
        """A field of all environments."""
        if isinstance(self._envs, numpy.ndarray):
            return self._envs[name].astype(numpy.int64)
        return numpy.array([getattr(env, name) for env in self._envs], numpy.int64)

    envs = former_attribute("Batch.envs", "num_envs")
    lanes = former_attribute("Batch.lanes", "num_envs")
    look = former_attribute("Batch.look", "observe")
    shift = former_attribute("Batch.shift", "seat_offset")

    def decisions(self, env: int = 0) -> int:
        return int(get_field(self._envs[env], "decisions"))

    def observe(self, seat: int, env: int = 0) -> Fractions:
        """Observation of any seat."""
        out = numpy.empty(self.spec.size, numpy.float32)
        self.backend.observe_env(self._states, self._rooms[0][0], env, seat, out)
        return out


def _as_bytes(records: Any) -> NDArray[numpy.uint8]:
    """Records of either backend as rows of bytes."""
    if isinstance(records, numpy.ndarray):
        return numpy.ascontiguousarray(records).view(numpy.uint8).reshape(len(records), -1).copy()
    return numpy.array([list(to_bytes(record)) for record in records], numpy.uint8)


def _read_bytes(records: Any, kind: type[Any], rows: NDArray[numpy.uint8]) -> None:
    if isinstance(records, numpy.ndarray):
        records[:] = numpy.ascontiguousarray(rows).view(records.dtype).reshape(-1)
    else:
        for number, row in enumerate(rows):
            records[number] = from_bytes(kind, row.tobytes())


def players_of(
    game: str, seats: int | None, opponents: Player | Sequence[Player], seat: int | str
) -> tuple[list[Player], bool]:
    """Players by seat for one learner, and whether seats rotate from game to game.

    Raises ValueError for too many opponents or an unknown seat.
    """
    names: list[Player]
    if isinstance(opponents, str) or callable(opponents):
        names = [opponents]
    else:
        names = list(opponents)
    if not names:
        raise ValueError("the learner needs opponents: name at least one bot")
    if seats is None:
        seats = max(game_named(game).seats[0], len(names) + 1)
    if len(names) >= seats:
        raise ValueError(f"{len(names)} opponents and the learner do not fit on {seats} seats")
    names = [names[number % len(names)] for number in range(seats - 1)]
    if seat == ROTATE:
        return [OUTSIDE, *names], True
    if not isinstance(seat, int) or not 0 <= seat < seats:
        raise ValueError(f"seat {seat!r} is not one of 0 to {seats - 1}, nor {ROTATE!r}")
    return [*names[:seat], OUTSIDE, *names[seat:]], False


def bot_numbers(game: str, players: Sequence[Player]) -> list[int]:
    """Numbers of the players in the kernel; raises ValueError if none is outside."""
    if OUTSIDE not in players:
        raise ValueError("no seat is 'outside': somebody has to decide from outside")
    return [_number(game, player) for player in players]


def _number(game: str, player: Player) -> int:
    if player == OUTSIDE:
        return kernel.OUTSIDE
    if not isinstance(player, str):
        return kernel.ASKED
    info = player_named(game, player)
    return kernel.ASKED if isinstance(info, Level) else info.index


def has_bots(players: Sequence[Player], numbers: Sequence[int]) -> bool:
    """Whether bots other than the random one play in the kernel."""
    pairs = zip(players, numbers, strict=True)
    return any(number >= 0 and name != "random" for name, number in pairs)


def make_setting(
    options: Options, definition: Definition[Any], rotate: bool, reward: str, most_decisions: int
) -> dict[str, int]:
    """Fields of `kernel.Setting`, without the autoreset mode."""
    return {
        "seats": options.seats,
        "rotate": int(rotate),
        "reward": chosen(REWARDS, reward),
        "most_decisions": most_decisions,
        "actions": definition.actions,
        "words": -(-definition.actions // kernel.WORD),
    }


def chosen(table: Mapping[str, int], name: str) -> int:
    new = FORMER_REWARDS.get(name, name)
    if new != name and new in table:
        warn_renamed(f"the reward {name!r}", repr(new))
        name = new
    if name not in table:
        raise ValueError(f"{name!r} is not one of {', '.join(table)}")
    return table[name]
