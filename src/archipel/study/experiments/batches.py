"""Batches of a study's games: a task says which games to play, a batch is its result."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

import msgspec
import numpy
from msgspec import Struct

from archipel.bots import Bot, Level, bot_named, player_named
from archipel.rules.all_games import game_named
from archipel.rules.kit.core.program import Backend
from archipel.rules.options import Value
from archipel.study.simulation import game_kernel as kernel
from archipel.study.simulation import game_programs as programs

#: Name by which a worker finds its function (`archipel.study.executors`).
WORK = "archipel.study.experiments.batches:play_task"

#: Games per batch: if all bots are rules, and if one searches.
COMPILED_BATCH = 2000
SEARCH_BATCH = 4


class Task(Struct, frozen=True):
    """Play ``games`` games of a table from number ``first`` on."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]
    rotate: bool
    seed: int
    first: int
    games: int


class GameBatch(Struct, frozen=True):
    """Results of consecutive games; ``packed`` has the rows of `game_kernel` as 32-bit integers."""

    first: int
    games: int
    packed: bytes
    survivors: list[list[int]]
    lost: list[int]


class BatchArrays:
    """The results of a batch as arrays with one column per game."""

    def __init__(self, batch: GameBatch, game: str, seats: int, rotate: bool) -> None:
        rows = numpy.frombuffer(zlib.decompress(batch.packed), "<i4").reshape(-1, batch.games)
        self.numbers = numpy.arange(batch.first, batch.first + batch.games)
        #: The entrant in each seat.
        self.entrants = (numpy.arange(seats)[:, None] - self.numbers * int(rotate)) % seats
        self.decisions = self.turns = self.rounds = rows[kernel.DECISIONS]
        #: By entrant.
        self.ranks = rows[kernel.RANKS : kernel.RANKS + seats]
        self.scores = rows[kernel.RANKS + seats : kernel.RANKS + 2 * seats]
        #: By seat.
        self.figures: dict[str, Any] = {}
        if (metrics := game_named(game).metrics) is not None:
            own = rows[kernel.RANKS + 2 * seats :]
            self.turns, self.rounds = own[kernel.TURNS], own[kernel.ROUNDS]
            self.endings = own[kernel.ENDING]
            per_seat = own[kernel.OF_THE_GAME :].reshape(-1, seats, batch.games)
            self.figures = dict(zip(metrics.figures, map(self.by_seat, per_seat), strict=True))

    def by_seat(self, rows: Any) -> Any:
        """Rows by seat from rows by entrant."""
        return numpy.take_along_axis(rows, self.entrants, axis=0)


def play_task(data: bytes) -> bytes:
    return msgspec.msgpack.encode(play_batch(msgspec.msgpack.decode(data, type=Task)))


def searches(game: str, bots: tuple[str, ...]) -> bool:
    """Whether one of the bots searches."""
    return any(isinstance(player_named(game, bot), Level) for bot in bots)


def batch_size(game: str, bots: tuple[str, ...]) -> int:
    return SEARCH_BATCH if searches(game, bots) else COMPILED_BATCH


def play_batch(task: Task, backend: Backend | None = None) -> GameBatch:
    """Play a task's games, by default compiled if all bots are rules and Numba is installed.

    Raises `UnfinishedGameError`.
    """
    definition = game_named(task.game)
    if backend is None and searches(task.game, task.bots):
        bots = list(range(task.seats))
        backend = _searching_games(task.game, task.bots)
    else:
        bots = [bot_named(task.game, name).index for name in task.bots]
        backend = backend or programs.games_backend(task.game, metrics=True)
    options = definition.make_options(task.seats, **task.options)
    setting = task.game, options, bots, task.seed, range(task.first, task.first + task.games)
    rows, survivors, lost = programs.run_games(
        backend, *setting, rotate=task.rotate, metrics=definition.metrics
    )
    packed = zlib.compress(numpy.asarray(rows).astype("<i4").tobytes(), 1)
    counts = numpy.asarray(survivors).tolist(), numpy.asarray(lost).tolist()
    return GameBatch(task.first, task.games, packed, *counts)


@lru_cache(maxsize=4)
def _searching_games(game: str, names: tuple[str, ...]) -> Backend:
    bots = {name: Bot.named(game, name) for name in dict.fromkeys(names)}
    caller = programs.BotCaller([bots[name] for name in names])
    return programs.interpreted_games(game, caller, metrics=True)
