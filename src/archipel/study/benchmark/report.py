"""The report of submissions: ratings, win shares by line-up, puzzles, learning curves and cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import msgspec

from archipel.study.benchmark.specification import Specification
from archipel.study.benchmark.submission import PlayedGame, Submission, used_budget
from archipel.study.matches.match import win_share
from archipel.study.matches.ratings import Rating, rate
from archipel.study.reports.charts import learning_curves
from archipel.study.statistics import Interval, distribution_mean, share_interval

SCHEMA = "archipel.benchmark_report"


@dataclass(frozen=True)
class LineupResult:
    """An entrant against the opponents of a line-up; an interval treats a rotation as a sample."""

    opponents: tuple[str, ...]
    games: int
    win_share: float
    interval: Interval


@dataclass(frozen=True)
class GameReport:
    """The results of a game: ratings of all players, best first, and line-ups by submission."""

    game: str
    ratings: list[Rating]
    lineups: list[list[LineupResult]]


def game_report(
    game: str, submissions: Sequence[Submission], specification: Specification
) -> GameReport:
    """Rate all entrants of a game together with the opponents that they have in common."""
    blocks: dict[tuple[str, ...], list[list[tuple[int, ...]]]] = {}
    results = []
    for submission in submissions:
        entrant = submission.manifest.games[game].entrant
        own = []
        for setting in specification.settings(game, entrant):
            rotations = _rotations(submission, game, setting.number, setting.seats)
            if rotations:
                blocks.setdefault((entrant, *setting.opponents), []).extend(rotations)
                own.append(_result(setting.opponents, rotations))
        results.append(own)
    ratings = rate(blocks, anchor=specification.games[game].anchor) if blocks else []
    return GameReport(game, ratings, results)


def _rotations(
    submission: Submission, game: str, number: int, seats: int
) -> list[list[tuple[int, ...]]]:
    """Ranks by player, the entrant first, of all games of the complete rotations of a line-up."""
    found: dict[int, dict[int, PlayedGame]] = {}
    for line in submission.games(game):
        if line.setting == number:
            found.setdefault(line.rotation, {})[line.seat] = line
    return [
        [
            tuple(line.ranks[(player + line.seat) % seats] for player in range(seats))
            for _, line in sorted(lines.items())
        ]
        for _, lines in sorted(found.items())
        if len(lines) == seats
    ]


def _result(opponents: tuple[str, ...], rotations: list[list[tuple[int, ...]]]) -> LineupResult:
    shares: Counter[Fraction] = Counter()
    for games in rotations:
        shares[sum((win_share(ranks, 0) for ranks in games), Fraction()) / len(games)] += 1
    count = sum(map(len, rotations))
    return LineupResult(opponents, count, float(distribution_mean(shares)), share_interval(shares))


def report(submissions: Sequence[Submission], specification: Specification) -> dict[str, Any]:
    """The report in JSON form."""
    played = {game for submission in submissions for game in submission.manifest.games}
    found = {}
    for game in specification.games:
        if game not in played:
            continue
        here = [each for each in submissions if game in each.manifest.games]
        results = game_report(game, here, specification)
        found[game] = {
            "ratings": [
                {
                    "player": rating.name,
                    "rating": round(rating.rating, 1),
                    "rating_95": [round(rating.interval.low, 1), round(rating.interval.high, 1)],
                    "games": rating.games,
                }
                for rating in results.ratings
            ],
            "entrants": [
                _entrant(submission, game, lineups, specification)
                for submission, lineups in zip(here, results.lineups, strict=True)
            ],
        }
    return {
        "schema": SCHEMA,
        "version": 1,
        "benchmark": specification.name,
        "specification": specification.digest,
        "submissions": [_submission(submission) for submission in submissions],
        "games": found,
    }


def curves_chart(title: str, game: str, submissions: Sequence[Submission]) -> str:
    """The learning curves of a game as SVG, or nothing."""
    found: dict[str, list[list[tuple[float, float]]]] = {}
    for submission in submissions:
        for curve in submission.manifest.curves:
            if curve.game == game and curve.points:
                points = [(float(point.timesteps), point.win_share) for point in curve.points]
                label = f"{submission.manifest.entrant} : {curve.opponents}"
                found.setdefault(label, []).append(points)
    return learning_curves(title, found) if found else ""


def _submission(submission: Submission) -> dict[str, Any]:
    manifest = submission.manifest
    return {
        "entrant": manifest.entrant,
        "archipel": manifest.archipel,
        "track": manifest.track,
        "budget": manifest.budget,
        "used": round(used_budget(manifest), 6),
        "machine": msgspec.to_builtins(manifest.machine),
        "curves": msgspec.to_builtins(manifest.curves),
    }


def _entrant(
    submission: Submission, game: str, lineups: list[LineupResult], specification: Specification
) -> dict[str, Any]:
    totals = submission.manifest.games[game]
    effort = totals.effort
    answers = list(submission.answers(game))
    return {
        "entrant": totals.entrant,
        "sha256": totals.sha256,
        "rotations": totals.rotations,
        "complete": totals.rotations >= specification.rotations,
        "games": totals.games,
        "lineups": [
            {
                "opponents": list(result.opponents),
                "games": result.games,
                "win_share": round(result.win_share, 4),
                "win_share_95": [round(result.interval.low, 4), round(result.interval.high, 4)],
            }
            for result in lineups
        ],
        "puzzles": {"right": totals.puzzles_right, "of": len(answers)},
        "cost": {
            "decisions": effort.decisions,
            "seconds_per_decision": round(effort.seconds / max(1, effort.decisions), 6),
            "retries": effort.retries,
            "forfeits": effort.forfeits,
        },
    }
