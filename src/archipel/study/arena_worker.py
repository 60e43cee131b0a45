"""Plays rotations in a process of its own, one line of JSON for each, until its input ends.

usage: python -m archipel.study.arena_worker
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from archipel.bots.outside.programs import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.options import Value
from archipel.study.arena import (
    AnyBot,
    EntrantFailed,
    Match,
    Rotation,
    close_bots,
    find_bots,
    play_rotation,
)


class Task(Struct, frozen=True):
    """A match as it goes over the wire, and the number of the rotation that is wanted."""

    game: str
    seats: int
    options: dict[str, Value]
    bots: tuple[str, ...]
    seed: int
    programs: dict[str, BotProgram]
    rotation: int


class Done(Struct, frozen=True, omit_defaults=True):
    """The rotation, or why there is none."""

    rotation: Rotation | None = None
    error: str = ""


_TASKS = msgspec.json.Decoder(Task)
_DONE = msgspec.json.Decoder(Done)


def task_line(match: Match, rotation: int) -> bytes:
    task = Task(
        match.game,
        match.seats,
        dict(match.options.values),
        match.bots,
        match.seed,
        dict(match.programs),
        rotation,
    )
    return msgspec.json.encode(task) + b"\n"


def read_done(line: bytes) -> Rotation:
    """Raises `EntrantFailed`."""
    done = _DONE.decode(line)
    if done.rotation is None:
        raise EntrantFailed(done.error)
    return done.rotation


class Player:
    """Keeps the bots of the last match: mostly the next rotation is of the same."""

    def __init__(self) -> None:
        self._match: Match | None = None
        self._bots: Mapping[str, AnyBot] = {}

    def play(self, task: Task) -> Done:
        options = game_named(task.game).make_options(task.seats, **task.options)
        match = Match(task.game, options, task.bots, task.seed, task.programs)
        if match != self._match:
            close_bots(self._bots)
            self._match, self._bots = match, find_bots(match)
        try:
            return Done(play_rotation(match, task.rotation, self._bots))
        except EntrantFailed as failure:
            return Done(error=str(failure))


def main() -> int:
    # What a bot prints must not get between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    player = Player()
    for line in sys.stdin.buffer:
        answers.write(msgspec.json.encode(player.play(_TASKS.decode(line))) + b"\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
