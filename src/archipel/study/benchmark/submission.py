"""Submissions: a folder with a manifest, and a file of games and puzzle answers for each game.

A file of games is JSON lines that grow (`archipel.study.resumable_file`). Every game is a complete
record in the format of `archipel.record`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from archipel.study.benchmark.specification import OPEN, Specification
from archipel.study.resumable_file import (
    VERSION,
    Header,
    ResumableFile,
    ResumableFileError,
    write_atomically,
)

MANIFEST = "manifest.json"
MANIFEST_SCHEMA = "archipel.benchmark"


class SubmissionError(ResumableFileError):
    """A folder that is no submission, or belongs to another one."""


class Head(Header, frozen=True):
    """The first line of a file of games."""

    specification: str
    entrant: str


class Effort(Struct, frozen=True):
    """What the entrant spent: its decisions, the seconds they took, failed tries, and decisions
    that were made for it because all tries failed."""

    decisions: int = 0
    seconds: float = 0.0
    retries: int = 0
    forfeits: int = 0

    def plus(self, other: Effort) -> Effort:
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)
        return Effort(*(one + another for one, another in pairs))


class PlayedGame(Struct, frozen=True, tag="game"):
    """A game: the number of its line-up, its rotation, and the entrant's seat in it."""

    setting: int
    rotation: int
    seat: int
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    effort: Effort
    record: str

    @property
    def key(self) -> tuple[int, ...]:
        return self.setting, self.rotation, self.seat


class Answer(Struct, frozen=True, tag="puzzle"):
    """The entrant's choice in a puzzle, which counts from 1."""

    puzzle: int
    action: str
    right: bool
    effort: Effort

    @property
    def key(self) -> tuple[int, ...]:
        return (self.puzzle,)


Line = PlayedGame | Answer
_LINE: Any = Line
LINES: ResumableFile[Head, Line] = ResumableFile(
    "archipel.benchmark_games", Head, _LINE, SubmissionError
)


class GameTotals(Struct, frozen=True):
    """Totals of a file of games."""

    entrant: str
    sha256: str
    rotations: int
    games: int
    wins: float
    puzzles_right: int
    effort: Effort


class CurvePoint(Struct, frozen=True):
    """A point of a learning curve: decisions in training, and the win share after them."""

    timesteps: int
    win_share: float
    seconds: float = 0.0


class Curve(Struct, frozen=True):
    """A learning curve against an opponent in training, for example of ``archipel learn``."""

    game: str
    opponents: str
    points: tuple[CurvePoint, ...]


class Machine(Struct, frozen=True):
    """The machine that decided. ``speed`` is the number of decisions per second of interpreted
    random play on one core, to compare machines."""

    processor: str
    cores: int
    speed: float


class Manifest(Struct, frozen=True):
    """What was run: the benchmark, the entrant and its budget, the machine, and the totals."""

    schema: str
    version: int
    benchmark: str
    specification: str
    archipel: str
    entrant: str
    command: tuple[str, ...]
    track: str
    budget: str
    games: dict[str, GameTotals]
    machine: Machine
    curves: tuple[Curve, ...] = ()

    @property
    def is_program(self) -> bool:
        return bool(self.command)

    @property
    def effort(self) -> Effort:
        return total(game.effort for game in self.games.values())


def total(efforts: Iterable[Effort]) -> Effort:
    found = Effort()
    for effort in efforts:
        found = found.plus(effort)
    return found


def used_budget(manifest: Manifest) -> float:
    """The figure that the manifest's track limits."""
    effort = manifest.effort
    if manifest.track == "learner":
        return max((p.timesteps for curve in manifest.curves for p in curve.points), default=0)
    spent = effort.seconds if manifest.track == "search" else effort.decisions + effort.retries
    return spent / max(1, effort.decisions)


def keeps_budget(manifest: Manifest, specification: Specification) -> bool:
    """Whether an entrant spent no more than its class allows."""
    if manifest.budget == OPEN:
        return True
    track = specification.tracks.get(manifest.track)
    limit = track.classes.get(manifest.budget) if track else None
    if limit is None or (manifest.track == "learner" and not manifest.curves):
        return False
    return used_budget(manifest) <= limit


@dataclass(frozen=True)
class Submission:
    """A folder that was read completely."""

    folder: Path
    manifest: Manifest
    lines: dict[str, list[Line]]

    def games(self, game: str) -> Iterator[PlayedGame]:
        return (line for line in self.lines[game] if isinstance(line, PlayedGame))

    def answers(self, game: str) -> Iterator[Answer]:
        return (line for line in self.lines[game] if isinstance(line, Answer))


def games_file(folder: Path, game: str) -> Path:
    return folder / f"{game}.jsonl"


def head_of(specification: Specification, game: str, entrant: str) -> Head:
    return Head(*LINES.header_fields(game), specification.digest, entrant)


def file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    content = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
    write_atomically(folder / MANIFEST, content + b"\n")


def read_manifest(folder: Path) -> Manifest:
    """Raises `SubmissionError` or `OSError`."""
    try:
        found = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except msgspec.DecodeError:
        raise SubmissionError("foreign", file=folder / MANIFEST) from None
    if (found.schema, found.version) != (MANIFEST_SCHEMA, VERSION):
        raise SubmissionError("foreign", file=folder / MANIFEST)
    return found


def read_submission(folder: Path) -> Submission:
    """Raises `SubmissionError` or `OSError`."""
    manifest = read_manifest(folder)
    lines = {}
    for game in manifest.games:
        head, lines[game] = LINES.read(games_file(folder, game))
        if (head.specification, head.game) != (manifest.specification, game):
            raise SubmissionError("other", file=games_file(folder, game))
    return Submission(folder, manifest, lines)


def totals_of(path: Path, entrant: str, rotations: int, lines: Iterable[Line]) -> GameTotals:
    """Totals of a file with these lines."""
    found = list(lines)
    games = [line for line in found if isinstance(line, PlayedGame)]
    wins = sum(1 / game.ranks.count(0) for game in games if game.ranks[game.seat] == 0)
    right = sum(isinstance(line, Answer) and line.right for line in found)
    effort = total(line.effort for line in found)
    done = rotations, len(games), round(wins, 6), right
    return GameTotals(entrant, file_hash(path), *done, effort)


def curve_of(text: str) -> Curve:
    """The learning curve in a file of ``archipel learn``; raises ValueError."""
    try:
        found = msgspec.json.decode(text, type=_LearningFile)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None
    return Curve(found.settings.game, found.settings.opponents, found.points)


class _LearningSettings(Struct, frozen=True):
    game: str
    opponents: str


class _LearningFile(Struct, frozen=True):
    settings: _LearningSettings
    points: tuple[CurvePoint, ...]
