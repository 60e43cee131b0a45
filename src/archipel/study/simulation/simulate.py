"""Simulate many games between rule-based bots; equal seeds give equal results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from archipel.bots import bot_named
from archipel.frames import Tabular
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments
from archipel.rules.options import Options, choice_text
from archipel.study.executors.threads import batches_of, run_in_threads, usable_cores
from archipel.study.progress import OnProgress, Progress, load_program, silent
from archipel.study.simulation.game_kernel import DECISIONS, RANKS
from archipel.study.simulation.game_programs import games_program, options_for, run_games
from archipel.study.statistics import Interval, distribution_mean, quantile, share_interval

#: Games per batch: small enough that Ctrl-C and the progress bar respond quickly.
BATCH = 250

SCHEMA = "archipel.simulation"
SCHEMA_VERSION = 1

QUANTILES = (5, 25, 50, 75, 95)  # in percent


@former_arguments(jobs="workers")
def simulate(
    game: str,
    bots: Sequence[str],
    games: int,
    *,
    seed: int = 0,
    options: Options | Mapping[str, object] | None = None,
    rotate: bool = True,
    workers: int | None = None,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
) -> SimulationResult:
    """Play games between bots, one bot per seat, and count the results.

    Seats rotate from game to game; ``rotate=False`` keeps every bot in its seat.
    ``compiled=None`` compiles if Numba is installed.  ``workers`` is the number of threads
    (default: all cores) and does not affect the result.

    Raises `UnknownGameError`, `UnknownBotError`, `OptionError`, `UnfinishedGameError` or
    `ValueError`.
    """
    definition = game_named(game)
    entrants = tuple(bot_named(game, name) for name in bots)
    if games < 1:
        raise ValueError(f"{games} games: play at least one")
    if workers is not None and workers < 1:
        raise ValueError(f"workers={workers}: use at least one thread")
    chosen = options_for(definition, len(entrants), options)
    started = time.perf_counter()
    backend = load_program(games_program(game), compiled, games, on_progress)
    seats, tally = chosen.seats, Tally(chosen.seats)

    def play(numbers: range) -> list[list[int]]:
        indices = [bot.index for bot in entrants]
        rows = run_games(backend, game, chosen, indices, seed % 2**64, numbers, rotate=rotate).rows
        return [list(row) for row in (rows.tolist() if backend.compiled else rows)]

    # Interpreted threads would only wait for each other.
    threads = (workers or usable_cores()) if backend.compiled else 1
    with closing(run_in_threads(batches_of(range(games), BATCH), play, threads)) as played:
        for numbers, rows in played:
            offsets = [number * rotate % seats for number in numbers]
            ranks, scores = rows[RANKS : RANKS + seats], rows[RANKS + seats :]
            tally.add(offsets, rows[DECISIONS], ranks, scores)
            on_progress(Progress(tally.games, games))
    return SimulationResult(
        game=game,
        rules_version=definition.rules_version,
        board=definition.board,
        options=chosen,
        bots=tuple(bot.name for bot in entrants),
        seed=seed,
        rotate=rotate,
        tally=tally,
        compiled=backend.compiled,
        seconds=time.perf_counter() - started,
    )


@dataclass
class Tally:
    """Counts over games, all integers, so that the order of adding does not matter.

    An entrant is a place in the line-up; its seat may change from game to game.
    """

    seats: int
    #: Keyed by the seat offset followed by each entrant's rank.
    ranks: Counter[tuple[int, ...]] = field(default_factory=Counter)
    #: Histogram of scores for each entrant.
    scores: list[Counter[int]] = field(default_factory=list)
    #: Histogram of decisions per game.
    lengths: Counter[int] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.scores = self.scores or [Counter() for _ in range(self.seats)]

    @property
    def games(self) -> int:
        return self.lengths.total()

    def add(
        self,
        offsets: Sequence[int],
        lengths: Sequence[int],
        ranks: Sequence[Sequence[int]],
        scores: Sequence[Sequence[int]],
    ) -> None:
        """Count games: one value per game; ranks and scores have one row per entrant."""
        self.ranks.update(zip(offsets, *ranks, strict=True))
        self.lengths.update(lengths)
        for counted, row in zip(self.scores, scores, strict=True):
            counted.update(row)


@dataclass(frozen=True)
class WinRate:
    """Wins in games; each of k winners of a game gets 1/k of a win."""

    games: int
    wins: Fraction
    shared: int
    interval: Interval

    @property
    def rate(self) -> float:
        return float(self.wins / self.games) if self.games else 0.0

    def __str__(self) -> str:
        return f"{100 * self.rate:.1f} %" if self.games else "-"

    def to_dict(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "wins": float(self.wins),
            "wins_exact": str(self.wins),
            "shared_wins": self.shared,
            "win_rate": self.rate,
            "win_rate_95": [self.interval.low, self.interval.high],
        }


@dataclass(frozen=True)
class BotResult:
    """Result of one bot; the seats of its ``copies`` are added up."""

    name: str
    copies: int
    won: WinRate
    by_seat: tuple[WinRate, ...]
    scores: Mapping[int, int]

    @property
    def mean_score(self) -> float:
        return float(distribution_mean(self.scores))

    def to_dict(self) -> dict[str, Any]:
        return {
            "bot": self.name,
            "copies": self.copies,
            **self.won.to_dict(),
            "by_seat": [won.to_dict() for won in self.by_seat],
            "mean_score": self.mean_score,
            "score_quantiles": _quantiles(self.scores),
            "scores": _histogram(self.scores),
        }


@dataclass(frozen=True, repr=False)
class SimulationResult(Tabular):
    """Prints as a table; equal seeds and settings give equal results."""

    game: str
    rules_version: int
    options: Options
    bots: tuple[str, ...]
    seed: int
    rotate: bool
    tally: Tally
    compiled: bool = field(compare=False)
    seconds: float = field(compare=False)
    board: str = ""  # name of the board data, if it can be replaced

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def lengths(self) -> Mapping[int, int]:
        """Histogram of decisions per game."""
        return self.tally.lengths

    @property
    def decisions(self) -> int:
        return sum(length * games for length, games in self.tally.lengths.items())

    @property
    def mean_decisions(self) -> float:
        return float(distribution_mean(self.lengths))

    @property
    def results(self) -> tuple[BotResult, ...]:
        """One result per bot name, in the order given."""
        return tuple(self._of(name) for name in dict.fromkeys(self.bots))

    @property
    def by_seat(self) -> tuple[WinRate, ...]:
        """Win rate of each seat, over all bots."""
        everyone = range(len(self.bots))
        return tuple(self._won(everyone, seat) for seat in range(self.options.seats))

    def __getitem__(self, bot: str) -> BotResult:
        if bot not in self.bots:
            raise KeyError(f"{bot} did not play; {', '.join(dict.fromkeys(self.bots))} did")
        return self._of(bot)

    def _of(self, name: str) -> BotResult:
        entrants = [entrant for entrant, bot in enumerate(self.bots) if bot == name]
        scores: Counter[int] = Counter()
        for entrant in entrants:
            scores.update(self.tally.scores[entrant])
        return BotResult(
            name=name,
            copies=len(entrants),
            won=self._won(entrants),
            by_seat=tuple(self._won(entrants, seat) for seat in range(self.options.seats)),
            scores=dict(sorted(scores.items())),
        )

    def _won(self, entrants: Sequence[int], seat: int | None = None) -> WinRate:
        """Wins of some entrants, in all seats or in one."""
        seats = self.options.seats
        games, shared, wins = 0, 0, Fraction()
        shares: Counter[Fraction] = Counter()  # per game, for the interval
        for (offset, *ranks), count in self.tally.ranks.items():
            seated = [e for e in entrants if seat is None or (e + offset) % seats == seat]
            if not seated:
                continue
            winners = ranks.count(0)
            won = sum(ranks[entrant] == 0 for entrant in seated)
            games += count * len(seated)
            wins += Fraction(won * count, winners)
            shared += won * count * (winners > 1)
            shares[Fraction(won, winners * len(seated))] += count
        return WinRate(games, wins, shared, share_interval(shares))

    def setting(self, schema: str, version: int) -> dict[str, Any]:
        """The first part of the JSON form."""
        return {
            "schema": schema,
            "version": version,
            "game": self.game,
            "rules_version": self.rules_version,
            "board": self.board,
            "seats": self.options.seats,
            "options": {name: choice_text(value) for name, value in self.options},
            "bots": list(self.bots),
        }

    def to_dict(self) -> dict[str, Any]:
        """JSON form; it does not depend on the machine or the number of threads."""
        return {
            **self.setting(SCHEMA, SCHEMA_VERSION),
            "seats_rotate": self.rotate,
            "games": self.games,
            "seed": self.seed,
            "results": [result.to_dict() for result in self.results],
            "by_seat": [won.to_dict() for won in self.by_seat],
            "mean_decisions": self.mean_decisions,
            "decision_quantiles": _quantiles(self.lengths),
            "decisions": _histogram(self.lengths),
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per bot, and per bot and seat: ``seat`` is None in the former."""
        return [
            {
                "game": self.game,
                "seats": self.options.seats,
                "seed": self.seed,
                "bot": result.name,
                "seat": seat,
                "games": won.games,
                "win_share": won.rate,
                "low": won.interval.low,
                "high": won.interval.high,
                "mean_score": result.mean_score if seat is None else None,
            }
            for result in self.results
            for seat, won in ((None, result.won), *enumerate(result.by_seat))
        ]

    def __repr__(self) -> str:
        rates = ", ".join(f"{result.name} {result.won}" for result in self.results)
        return f"<{type(self).__name__} {self.game}, {self.games} games: {rates}>"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.game}, {self.options}: {self.games:,} games, seed {self.seed}"
        if self.rotate:
            yield "Seats rotate: in every game each bot moves on by one seat."
        else:
            seated = (f"{bot} in seat {seat}" for seat, bot in enumerate(self.bots, 1))
            yield f"Seats are fixed: {', '.join(seated)}."
        yield ""
        heads = ("bot", "games", "wins", "shared", "win rate", "95 % interval", "mean score")
        yield from _columns(
            [(*heads, *(f"{percent} %" for percent in QUANTILES))]
            + [self._row(result) for result in self.results]
        )
        yield ""
        yield from _columns(
            [("win rate", *(f"seat {seat + 1}" for seat in range(self.options.seats)))]
            + [(result.name, *map(str, result.by_seat)) for result in self.results]
            + [("any", *map(str, self.by_seat))]
        )
        yield ""
        parts = (f"{percent} %: {value}" for percent, value in _quantiles(self.lengths).items())
        yield f"Decisions in a game: {self.mean_decisions:.1f} on average; {', '.join(parts)}"

    def _row(self, result: BotResult) -> tuple[str, ...]:
        won = result.won
        name = result.name if result.copies == 1 else f"{result.name} ×{result.copies}"
        return (
            name,
            f"{won.games:,}",
            f"{float(won.wins):,.1f}",
            f"{won.shared:,}",
            str(won),
            f"{100 * won.interval.low:.1f} to {100 * won.interval.high:.1f} %",
            f"{result.mean_score:.2f}",
            *(str(value) for value in _quantiles(result.scores).values()),
        )


def _quantiles(distribution: Mapping[int, int]) -> dict[str, int]:
    return {str(percent): quantile(distribution, Fraction(percent, 100)) for percent in QUANTILES}


def _histogram(distribution: Mapping[int, int]) -> dict[str, int]:
    return {str(value): distribution[value] for value in sorted(distribution)}


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows as aligned text: first column left, others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()
