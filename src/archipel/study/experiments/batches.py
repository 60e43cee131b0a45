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
from archipel.study.simulation.game_programs import (
    BotCaller,
    interpreted_games,
    metrics_backend,
    run_games,
)

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

    def rows(self) -> Any:
        """The rows as an array with one column per game."""
        data = numpy.frombuffer(zlib.decompress(self.packed), "<i4")
        return data.reshape(-1, self.games)


def task_bytes(task: Task) -> bytes:
    return msgspec.msgpack.encode(task)


def read_batch(data: bytes) -> GameBatch:
    """Raises `msgspec.DecodeError`."""
    return msgspec.msgpack.decode(data, type=GameBatch)


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
        backend = backend or metrics_backend(task.game)
    rows, survivors, lost = run_games(
        backend,
        task.game,
        definition.make_options(task.seats, **task.options),
        bots,
        task.seed,
        range(task.first, task.first + task.games),
        rotate=task.rotate,
        metrics=definition.metrics,
    )
    return GameBatch(
        task.first,
        task.games,
        zlib.compress(numpy.asarray(rows).astype("<i4").tobytes(), 1),
        [[int(number) for number in row] for row in survivors],
        [int(number) for number in lost],
    )


@lru_cache(maxsize=4)
def _searching_games(game: str, names: tuple[str, ...]) -> Backend:
    bots = {name: Bot.named(game, name) for name in dict.fromkeys(names)}
    return interpreted_games(game, BotCaller([bots[name] for name in names]), metrics=True)
