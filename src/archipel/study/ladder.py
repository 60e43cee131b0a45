"""A ladder: everybody against everybody, in a file that grows.

The file is lines of JSON: the first says what is played, each further one is a rotation.  Whatever
is in it is not played again; a line that was cut off when the machine went down is.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import msgspec
from msgspec import Struct

from archipel.bots.outside.programs import BotProgram
from archipel.rules.all_games import game_named
from archipel.rules.options import Options, choice_text
from archipel.store import FileInUse
from archipel.store.process_lock import ProcessLock
from archipel.study.arena import Match, Rotation
from archipel.study.arena_playing import play_rotations
from archipel.study.backends import OnProgress, Progress, silent
from archipel.study.crew import PROCESSES
from archipel.study.ratings import REPLICATES, Rating, rate

SCHEMA = "archipel.ladder"
VERSION = 1

Lineup = tuple[str, ...]


class LadderError(ValueError):
    """A ladder's file that cannot be gone on with; ``why`` names the reason, ``details`` more."""

    def __init__(self, why: str, **details: object) -> None:
        super().__init__(why)
        self.why = why
        self.details = details


class Head(Struct, frozen=True):
    """What is played, the same for all lines."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str
    seats: int
    options: dict[str, str]
    seed: int


class Line(Struct, frozen=True):
    """A rotation of a line-up."""

    bots: Lineup
    rotation: int
    ranks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]


@dataclass
class Ladder:
    """What has been played so far."""

    head: Head
    played: dict[Lineup, dict[int, Rotation]] = field(default_factory=dict)

    @property
    def rotations(self) -> int:
        return sum(len(found) for found in self.played.values())

    @property
    def games(self) -> int:
        return self.rotations * self.head.seats

    def add(self, line: Line) -> None:
        rotation = Rotation(line.ranks, line.scores, line.decisions)
        self.played.setdefault(line.bots, {})[line.rotation] = rotation

    def ratings(self, anchor: str | None = None, replicates: int = REPLICATES) -> list[Rating]:
        blocks = {
            lineup: [found[number].ranks for number in sorted(found)]
            for lineup, found in sorted(self.played.items())
        }
        return rate(blocks, anchor=anchor, replicates=replicates, seed=self.head.seed)


def head_of(game: str, options: Options, seed: int) -> Head:
    definition = game_named(game)
    return Head(
        SCHEMA,
        VERSION,
        game,
        definition.rules_version,
        definition.board,
        options.seats,
        {name: choice_text(value) for name, value in options},
        seed,
    )


def options_of(head: Head) -> Options:
    definition = game_named(head.game)
    return definition.make_options(head.seats, **head.options)


def read_ladder(path: Path) -> Ladder:
    """Raises `LadderError` or `OSError`."""
    ladder, _ = _read(path)
    return ladder


def _read(path: Path) -> tuple[Ladder, int]:
    """The ladder, and how many bytes of the file are whole lines."""
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    first, *rest = data[:whole].splitlines() or [b""]
    try:
        ladder = Ladder(msgspec.json.decode(first, type=Head))
        if (ladder.head.schema, ladder.head.version) != (SCHEMA, VERSION):
            raise LadderError("no_ladder", file=path)
        decoder = msgspec.json.Decoder(Line)
        for number, line in enumerate(rest, 2):
            ladder.add(_checked(decoder.decode(line), ladder.head, number))
    except msgspec.DecodeError:
        raise LadderError("no_ladder", file=path) from None
    return ladder, whole


def _checked(line: Line, head: Head, number: int) -> Line:
    rows = (line.bots, line.ranks, line.decisions, *line.ranks, *line.scores)
    if any(len(row) != head.seats for row in rows) or len(line.scores) != head.seats:
        raise LadderError("bad_line", line=number)
    return line


def lineups(bots: Sequence[str], seats: int) -> list[Lineup]:
    """Everybody with everybody: each set of so many bots, once."""
    return [tuple(lineup) for lineup in combinations(sorted(set(bots)), seats)]


def climb(
    path: Path,
    head: Head,
    bots: Sequence[str],
    rotations: int,
    *,
    programs: Mapping[str, BotProgram] | None = None,
    processes: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
) -> Ladder:
    """Play what is missing until each line-up has so many rotations, and keep all of it.

    Lines come in the order of line-ups and rotations, whoever plays them, and wherever
    (`archipel.study.crew`).  Raises `LadderError`, `OSError`, `NoRayError` or
    `EntrantFailed`; what was played is kept whatever comes.
    """
    with _open(path, head) as (ladder, file):
        wanted = {
            lineup: [n for n in range(rotations) if n not in ladder.played.get(lineup, {})]
            for lineup in lineups(bots, head.seats)
        }
        options, seats = options_of(head), head.seats
        games = seats * sum(len(numbers) for numbers in wanted.values())
        done = 0
        on_progress(Progress(done, games))
        for lineup, numbers in wanted.items():
            own = {name: program for name, program in (programs or {}).items() if name in lineup}
            match = Match(head.game, options, lineup, seed_of(head.seed, lineup), own)
            playing = play_rotations(
                match, numbers, processes=processes, on=on, on_progress=on_progress
            )
            with closing(playing) as played:
                for number, rotation in played:
                    line = Line(lineup, number, rotation.ranks, rotation.scores, rotation.decisions)
                    file.append(line)
                    ladder.add(line)
                    done += seats
                    on_progress(Progress(done, games))
    return ladder


def seed_of(seed: int, lineup: Lineup) -> int:
    """Line-ups have seeds of their own, so that it does not matter who else is on the ladder."""
    text = f"{seed} {' '.join(lineup)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class _Appender:
    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def append(self, line: Head | Line) -> None:
        data = msgspec.json.encode(line) + b"\n"
        while data:
            data = data[os.write(self._descriptor, data) :]


@contextmanager
def _open(path: Path, head: Head) -> Iterator[tuple[Ladder, _Appender]]:
    """The ladder of a file, made if there is none, ours alone; raises `LadderError`."""
    try:
        lock = ProcessLock(path)
    except FileInUse:
        raise LadderError("in_use", file=path) from None
    try:
        whole = 0
        ladder = Ladder(head)
        if path.exists() and path.stat().st_size:
            ladder, whole = _read(path)
            if ladder.head != head:
                raise LadderError("other", file=path)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            os.ftruncate(descriptor, whole)  # a line that was cut off is played again
            os.lseek(descriptor, whole, os.SEEK_SET)
            file = _Appender(descriptor)
            if not whole:
                file.append(head)
            yield ladder, file
        finally:
            os.close(descriptor)
    finally:
        lock.release()
