"""A ladder: a round-robin between bots in a resumable file.

The file is JSON lines: a header with the setting, then one line per rotation.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec import Struct

from archipel.bots.external.bot_program import BotProgram
from archipel.frames import Tabular
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments
from archipel.rules.options import Options, choice_text
from archipel.study.executors.executor import PROCESSES
from archipel.study.matches.play_rotations import play_rotations
from archipel.study.matches.ratings import REPLICATES, Rating, rate
from archipel.study.matches.rotation import Match, Rotation
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.resumable_file import Header, ResumableFile, ResumableFileError

Lineup = tuple[str, ...]


class LadderError(ResumableFileError):
    """A ladder file that cannot be continued."""


class Head(Header, frozen=True):
    """Setting of a ladder, the first line of its file."""

    seats: int
    options: dict[str, str]
    seed: int


class Line(Struct, frozen=True):
    """A rotation of a line-up, a line of the file."""

    bots: Lineup
    rotation: int
    ranks: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]


KIND = ResumableFile("archipel.ladder", Head, Line, LadderError)


@dataclass(repr=False)
class Ladder(Tabular):
    """The rotations played so far."""

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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per bot, the best rating first."""
        return [
            {
                "bot": each.name,
                "rating": each.rating,
                "low": each.interval.low,
                "high": each.interval.high,
                "games": each.games,
            }
            for each in self.ratings()
        ]

    def __repr__(self) -> str:
        return f"<Ladder of {self.head.game}, {self.games} games>"

    def ratings(self, anchor: str | None = None, replicates: int = REPLICATES) -> list[Rating]:
        blocks = {
            lineup: [found[number].ranks for number in sorted(found)]
            for lineup, found in sorted(self.played.items())
        }
        return rate(blocks, anchor=anchor, replicates=replicates, seed=self.head.seed)


def head_of(game: str, options: Options, seed: int) -> Head:
    texts = {name: choice_text(value) for name, value in options}
    return Head(*KIND.header_fields(game), options.seats, texts, seed)


def read_ladder(path: Path) -> Ladder:
    """Raises `LadderError` or `OSError`."""
    return _ladder_of(*KIND.read(path))


def _ladder_of(head: Head, lines: Iterable[Line]) -> Ladder:
    ladder = Ladder(head)
    for number, line in enumerate(lines, 2):
        rows = (line.bots, line.ranks, line.decisions, *line.ranks, *line.scores)
        if any(len(row) != head.seats for row in rows) or len(line.scores) != head.seats:
            raise LadderError("bad_line", line=number)
        ladder.add(line)
    return ladder


def lineups(bots: Sequence[str], seats: int) -> list[Lineup]:
    """Every combination of ``seats`` bots."""
    return [tuple(lineup) for lineup in combinations(sorted(set(bots)), seats)]


@former_arguments(processes="workers")
def climb(
    path: Path,
    head: Head,
    bots: Sequence[str],
    rotations: int,
    *,
    programs: Mapping[str, BotProgram] | None = None,
    workers: int | None = None,
    on: str = PROCESSES,
    on_progress: OnProgress = silent,
) -> Ladder:
    """Play the missing rotations of each line-up and append them to the file.

    The order of lines does not depend on the executor.  Raises `LadderError`, `OSError`,
    `NoRayError` or `EntrantFailed`; rotations that were played are kept.
    """
    with KIND.open(path, head) as (lines, file):
        ladder = _ladder_of(head, lines)
        wanted = {
            lineup: [n for n in range(rotations) if n not in ladder.played.get(lineup, {})]
            for lineup in lineups(bots, head.seats)
        }
        seats, definition = head.seats, game_named(head.game)
        options = definition.make_options(seats, **head.options)
        games = seats * sum(len(numbers) for numbers in wanted.values())
        done = 0
        on_progress(Progress(done, games))
        for lineup, numbers in wanted.items():
            own = {name: program for name, program in (programs or {}).items() if name in lineup}
            match = Match(head.game, options, lineup, seed_of(head.seed, lineup), own)
            playing = play_rotations(
                match, numbers, workers=workers, on=on, on_progress=on_progress
            )
            with closing(playing):
                for number, rotation in playing:
                    line = Line(lineup, number, rotation.ranks, rotation.scores, rotation.decisions)
                    file.append(line)
                    ladder.add(line)
                    done += seats
                    on_progress(Progress(done, games))
    return ladder


def seed_of(seed: int, lineup: Lineup) -> int:
    """Seed of a line-up, independent of the other bots on the ladder."""
    text = f"{seed} {' '.join(lineup)}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
