"""Rotations as work of a crew (`archipel.study.crew`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from archipel.bots.outside.programs import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.options import Value
from archipel.study.arena import (
    AnyBot,
    Match,
    Rotation,
    close_bots,
    find_bots,
    play_rotation,
)
from archipel.study.arena_compiled import rotations_at_once
from archipel.study.programs import simulation_backend

#: By its name a worker finds the work.
WORK = "archipel.study.arena_worker:play_task"


class Task(Struct, frozen=True):
    """A match as it goes over the wire, and the rotations that are wanted."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]
    seed: int
    programs: dict[str, BotProgram]
    first: int
    count: int
    at_once: bool  # all bots are rules: compiled


_TASKS = msgspec.json.Decoder(Task)
_ROTATIONS = msgspec.json.Decoder(list[Rotation])


def task_bytes(match: Match, piece: range, at_once: bool) -> bytes:
    task = Task(
        match.game,
        match.seats,
        dict(match.options.values),
        match.bots,
        match.seed,
        dict(match.programs),
        piece.start,
        len(piece),
        at_once,
    )
    return msgspec.json.encode(task)


def read_rotations(answer: bytes) -> Sequence[Rotation]:
    return _ROTATIONS.decode(answer)


class Player:
    """Keeps the bots of the last match: mostly the next rotation is of the same."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._bots: Mapping[str, AnyBot] = {}

    def play(self, task: Task) -> list[Rotation]:
        """Raises `EntrantFailed`."""
        options = game_named(task.game).make_options(task.seats, **task.options)
        match = Match(task.game, options, task.bots, task.seed, task.programs)
        piece = range(task.first, task.first + task.count)
        if task.at_once:
            return rotations_at_once(match, piece, simulation_backend(match.game))
        if match != self._match:
            self.close()
            self._match, self._bots = match, find_bots(match)
        return [play_rotation(match, number, self._bots) for number in piece]

    def close(self) -> None:
        close_bots(self._bots)
        self._match, self._bots = None, {}


#: Of this process, which may be a worker's.
PLAYER = Player()


def play_task(task: bytes) -> bytes:
    return msgspec.json.encode(PLAYER.play(_TASKS.decode(task)))
