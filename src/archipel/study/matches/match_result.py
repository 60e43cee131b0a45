"""Result of a match; its intervals treat each rotation as one sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from archipel.rules.all_games import game_named
from archipel.study.matches.rotation import Match, Rotation
from archipel.study.simulation.simulation_result import BotResult, SimulationResult, Tally, WinRate
from archipel.study.statistics import distribution_mean, share_interval

SCHEMA = "archipel.match"
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class MatchResult(SimulationResult):
    """A `SimulationResult` of whole rotations, however they were played."""

    played: tuple[Rotation, ...] = ()
    programs: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def rotations(self) -> int:
        return len(self.played)

    @property
    def mean_decisions(self) -> float:
        return float(distribution_mean(self.lengths))

    def mean_rank(self, bot: str) -> float:
        """Mean rank of a bot, counted from 1."""
        entrants = [entrant for entrant, name in enumerate(self.bots) if name == bot]
        ranks = [game[e] for rotation in self.played for game in rotation.ranks for e in entrants]
        return sum(ranks) / len(ranks) + 1

    def _won(self, entrants: Sequence[int], seat: int | None = None) -> WinRate:
        won = super()._won(entrants, seat)
        if seat is not None:
            return won  # one game per rotation
        shares: Counter[Fraction] = Counter()
        for rotation in self.played:
            wins = [win_share(ranks, entrant) for ranks in rotation.ranks for entrant in entrants]
            shares[sum(wins, Fraction()) / len(wins)] += 1
        return replace(won, interval=share_interval(shares))

    def to_dict(self) -> dict[str, Any]:
        """JSON form; it does not depend on the machine or the number of processes."""
        return {
            **self.setting(SCHEMA, SCHEMA_VERSION),
            "programs": {name: list(command) for name, command in self.programs.items()},
            "rotations": self.rotations,
            "games": self.games,
            "seed": self.seed,
            "results": [self._result(result) for result in self.results],
            "mean_decisions": self.mean_decisions,
        }

    def _result(self, result: BotResult) -> dict[str, Any]:
        won = result.won.to_dict()
        del won["shared_wins"]
        return {
            "bot": result.name,
            "copies": result.copies,
            **won,
            "win_rate_by_seat": [seat.rate for seat in result.by_seat],
            "mean_score": result.mean_score,
            "mean_rank": self.mean_rank(result.name),
        }


def win_share(ranks: Sequence[int], entrant: int) -> Fraction:
    """1 for a win, 1/k for one shared by k entrants, else 0."""
    return Fraction(1, ranks.count(0)) if ranks[entrant] == 0 else Fraction()


def result_of(
    match: Match, rotations: Sequence[Rotation], *, compiled: bool = False, seconds: float = 0.0
) -> MatchResult:
    """Count the results of at least one rotation."""
    definition, tally = game_named(match.game), Tally(match.seats)
    for rotation in rotations:
        by_game = rotation.ranks, rotation.scores
        ranks, scores = (list(zip(*rows, strict=True)) for rows in by_game)
        tally.add(range(match.seats), rotation.decisions, ranks, scores)
    return MatchResult(
        game=match.game,
        rules_version=definition.rules_version,
        board=definition.board,
        options=match.options,
        bots=match.bots,
        seed=match.seed,
        rotate=True,
        tally=tally,
        compiled=compiled,
        seconds=seconds,
        played=tuple(rotations),
        programs={name: own.command for name, own in match.programs.items()},
    )
