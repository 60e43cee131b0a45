"""Results of matches, one line per match."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from archipel.study.statistics import Interval, wilson


@dataclass(frozen=True)
class MatchResult:
    """A against B: A has one seat, B all others."""

    game: str
    seats: int
    a: str
    b: str
    seed: int
    games: int
    won: float
    """Shares of first place won by A, summed."""
    milliseconds_a: float | None = None
    """Processor time per decision with several legal actions; None if it was not measured."""
    milliseconds_b: float | None = None

    @property
    def key(self) -> tuple[str, int, str, str, int]:
        return self.game, self.seats, self.a, self.b, self.seed

    @property
    def has_net(self) -> bool:
        """Whether A evaluates with a net."""
        return "evaluation=net_" in self.a

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.games)


def add_up(rows: Iterable[Mapping[str, Any]]) -> list[MatchResult]:
    """Aggregate the rotations that `benchmarks.strength` wrote, by match."""
    matches: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        matches.setdefault(str(row["match"]), []).append(row)
    return [_of_match(match, found) for match, found in matches.items()]


def _of_match(match: str, rows: Sequence[Mapping[str, Any]]) -> MatchResult:
    game, seats, a, b, seed = match.split(" | ")
    shares = [float(share) for row in rows for share in row["shares"]]

    def milliseconds(whose: str) -> float:
        asked = sum(int(row[f"asked{whose}"]) for row in rows)
        seconds = sum(float(row[f"seconds{whose}"]) for row in rows)
        return round(1000 * seconds / max(1, asked), 3)

    return MatchResult(
        game,
        int(seats),
        a,
        b,
        int(seed),
        len(shares),
        round(sum(shares), 3),
        milliseconds(""),
        milliseconds("_b"),
    )


def merge(old: Iterable[MatchResult], new: Iterable[MatchResult]) -> list[MatchResult]:
    """Replace matches that were continued; append new ones."""
    found = {result.key: result for result in old}
    for result in new:
        if result.key not in found or result.games >= found[result.key].games:
            found[result.key] = result
    return list(found.values())


def read_kept(file: Path) -> list[MatchResult]:
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    return [MatchResult(**json.loads(line)) for line in lines]


def write_kept(file: Path, results: Iterable[MatchResult]) -> None:
    lines = [json.dumps(dataclasses.asdict(result)) + "\n" for result in results]
    file.write_text("".join(lines), encoding="utf-8")
