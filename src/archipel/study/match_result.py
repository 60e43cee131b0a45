"""What came of a match in rotations: rates with intervals that know that games of one rotation
belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from archipel.rules.all_games import game_named
from archipel.rules.options import choice_text
from archipel.study.arena import Match, Rotation
from archipel.study.statistics import Interval, share_interval

SCHEMA = "archipel.match"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Entry:
    """How a bot fared; where it has several seats, ``copies``, they are taken together."""

    name: str
    copies: int
    games: int
    wins: Fraction
    interval: Interval
    by_seat: tuple[Fraction, ...]  # the share of wins on each seat
    mean_score: float
    mean_rank: float

    @property
    def rate(self) -> float:
        return float(self.wins / self.games)

    def to_dict(self) -> dict[str, Any]:
        return {
            "bot": self.name,
            "copies": self.copies,
            "games": self.games,
            "wins": float(self.wins),
            "wins_exact": str(self.wins),
            "win_rate": self.rate,
            "win_rate_95": [self.interval.low, self.interval.high],
            "win_rate_by_seat": [float(share) for share in self.by_seat],
            "mean_score": self.mean_score,
            "mean_rank": self.mean_rank,
        }


@dataclass(frozen=True)
class MatchResult:
    """Equal matches give equal results, however they were played."""

    match: Match
    rotations: int
    entries: tuple[Entry, ...]
    mean_decisions: float

    @property
    def games(self) -> int:
        return self.rotations * self.match.seats

    def __getitem__(self, bot: str) -> Entry:
        return next(entry for entry in self.entries if entry.name == bot)

    def to_dict(self) -> dict[str, Any]:
        """For JSON. Nothing in it depends on the machine or the number of processes."""
        match, definition = self.match, game_named(self.match.game)
        return {
            "schema": SCHEMA,
            "version": SCHEMA_VERSION,
            "game": match.game,
            "rules_version": definition.rules_version,
            "board": definition.board,
            "seats": match.seats,
            "options": {name: choice_text(value) for name, value in match.options},
            "bots": list(match.bots),
            "programs": {name: list(own.command) for name, own in match.programs.items()},
            "rotations": self.rotations,
            "games": self.games,
            "seed": match.seed,
            "results": [entry.to_dict() for entry in self.entries],
            "mean_decisions": self.mean_decisions,
        }


def sum_up(match: Match, played: Mapping[int, Rotation]) -> MatchResult:
    """The result of some rotations, by their numbers: at least one."""
    rotations = [played[number] for number in sorted(played)]
    lengths = [length for rotation in rotations for length in rotation.decisions]
    return MatchResult(
        match,
        len(rotations),
        tuple(_entry(match, name, rotations) for name in dict.fromkeys(match.bots)),
        sum(lengths) / len(lengths),
    )


def _entry(match: Match, name: str, rotations: Sequence[Rotation]) -> Entry:
    entrants = [entrant for entrant, bot in enumerate(match.bots) if bot == name]
    seats = match.seats
    by_seat = [Fraction()] * seats
    shares: Counter[Fraction] = Counter()  # of all the wins of a rotation, by rotation
    for rotation in rotations:
        won = Fraction()
        for shift, ranks in enumerate(rotation.ranks):
            for entrant in entrants:
                share = win_share(ranks, entrant)
                by_seat[(entrant + shift) % seats] += share
                won += share
        shares[won / (seats * len(entrants))] += 1
    sat = len(rotations) * len(entrants)
    games = sat * seats
    return Entry(
        name=name,
        copies=len(entrants),
        games=games,
        wins=sum(by_seat, Fraction()),
        interval=share_interval(shares),
        by_seat=tuple(share / sat for share in by_seat),
        mean_score=_mean((rotation.scores for rotation in rotations), entrants),
        mean_rank=_mean((rotation.ranks for rotation in rotations), entrants) + 1,
    )


def win_share(ranks: Sequence[int], entrant: int) -> Fraction:
    """A win, or the part of a shared one."""
    return Fraction(1, ranks.count(0)) if ranks[entrant] == 0 else Fraction()


def _mean(rotations: Iterable[tuple[tuple[int, ...], ...]], entrants: Sequence[int]) -> float:
    values = [game[entrant] for rotation in rotations for game in rotation for entrant in entrants]
    return sum(values) / len(values)
