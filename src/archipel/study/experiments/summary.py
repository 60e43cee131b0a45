"""Summary of a study: integers only, so that the order of adding does not matter."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy
from msgspec import Struct
from msgspec.structs import replace

from archipel.rules.all_games import game_named
from archipel.study.experiments.batches import GameBatch
from archipel.study.experiments.figures import WINS, Mean, game_figures, is_per_seat, mean_of
from archipel.study.experiments.plan import Plan, Table
from archipel.study.simulation.game_kernel import (
    DECISIONS,
    ENDING,
    GOING_ON,
    OF_THE_GAME,
    RANKS,
    ROUNDS,
    SQUARES,
    SUM,
    SURVIVOR_ROWS,
    TURNS,
)
from archipel.study.simulation.game_programs import MAX_ROUNDS
from archipel.study.statistics import Interval, share_interval, wilson

SCHEMA = "archipel.study"
VERSION = 1


class TableSummary(Struct):
    """Setting and sums of one table."""

    game: str
    rules_version: int
    board: str
    seats: int
    options: dict[str, str]
    varied: tuple[str, ...]
    bots: tuple[str, ...]
    rotate: bool
    group: int
    games: int = 0
    #: Per figure: sum and sum of squares over games, of the game's value or its sum over seats.
    totals: dict[str, list[int]] = {}
    #: Per figure, the sum for each seat.
    by_seat: dict[str, list[int]] = {}
    #: Per seat and per entrant: wins alone, wins shared by two, and so on.
    won_by_seat: list[list[int]] = []
    won_by_bot: list[list[int]] = []
    #: Sum of scores per entrant.
    score_by_bot: list[int] = []
    #: Histogram of scores per seat.
    scores: list[dict[int, int]] = []
    lengths: dict[int, int] = {}  # histogram of turns, or of decisions if the game has no metrics
    endings: dict[str, int] = {}
    survivors: list[list[int]] = []
    lost: list[int] = []

    # ---- figures ----

    def mean(self, figure: str) -> Mean:
        total, squares = self.totals[figure]
        return mean_of(self.games, total, squares, self.seats if is_per_seat(figure) else 1)

    def wins(self, seat: int) -> tuple[float, Interval]:
        """Win share of a seat and its interval."""
        return _share(self.won_by_seat[seat], self.games)

    def bot_wins(self, bot: str) -> tuple[float, Interval]:
        """Win share of a bot over all its seats."""
        entrants = [entrant for entrant, name in enumerate(self.bots) if name == bot]
        won = [sum(column) for column in zip(*(self.won_by_bot[e] for e in entrants), strict=True)]
        share, interval = _share(won, self.games * len(entrants))
        return share, interval

    def bot_firsts(self, bot: str) -> tuple[float, Interval]:
        """Rate of first places of a bot, where a shared win counts in full."""
        entrants = [entrant for entrant, name in enumerate(self.bots) if name == bot]
        first, seats = sum(sum(self.won_by_bot[e]) for e in entrants), self.games * len(entrants)
        return first / seats, wilson(first, seats)

    def half_width(self, figure: str) -> float:
        """Half the width of a figure's 95 % interval."""
        if figure.startswith(WINS):
            seat = int(figure.removeprefix(WINS)) - 1
            if seat >= self.seats:
                return 0.0
            interval = self.wins(seat)[1]
            return (interval.high - interval.low) / 2
        return self.mean(figure).half

    # ---- adding ----

    def add(self, batch: GameBatch) -> None:
        rows, seats = batch.rows(), self.seats
        course = game_named(self.game).metrics
        numbers = numpy.arange(batch.first, batch.first + batch.games)
        offsets = numbers * int(self.rotate) % seats
        ranks = rows[RANKS : RANKS + seats]
        scores = rows[RANKS + seats : RANKS + 2 * seats]
        self.games += batch.games
        self._add_wins(ranks, offsets)
        seated = seat_rows(scores, offsets)
        for seat in range(seats):
            _count(self.scores[seat], seated[seat])
            self.score_by_bot[seat] += int(scores[seat].sum())
        self._add_figure("decisions", rows[DECISIONS])
        self._add_figure("best", scores.max(axis=0))
        self._add_seats("score", seated)
        if course is None:
            _count(self.lengths, rows[DECISIONS])
            self._add_figure("turns", rows[DECISIONS])
            self._add_figure("rounds", rows[DECISIONS])
            return
        own = RANKS + 2 * seats
        self._add_figure("turns", rows[own + TURNS])
        self._add_figure("rounds", rows[own + ROUNDS])
        _count(self.lengths, rows[own + TURNS])
        for ending, count in _counted(rows[own + ENDING]):
            name = course.endings[ending]
            self.endings[name] = self.endings.get(name, 0) + count
        for which, figure in enumerate(course.figures):
            first = own + OF_THE_GAME + which * seats
            self._add_seats(figure, seat_rows(rows[first : first + seats], offsets))
        for row, more in zip(self.survivors, batch.survivors, strict=True):
            row[:] = [a + b for a, b in zip(row, more, strict=True)]
        self.lost[:] = [a + b for a, b in zip(self.lost, batch.lost, strict=True)]

    def _add_wins(self, ranks: Any, offsets: Any) -> None:
        winners = (ranks == 0).sum(axis=0)
        for won, rows in ((self.won_by_bot, ranks), (self.won_by_seat, seat_rows(ranks, offsets))):
            for seat in range(self.seats):
                shared = numpy.bincount(winners[rows[seat] == 0], minlength=self.seats + 1)
                won[seat][:] = [a + int(b) for a, b in zip(won[seat], shared[1:], strict=True)]

    def _add_seats(self, figure: str, rows: Any) -> None:
        self._add_figure(figure, rows.sum(axis=0))
        sums = self.by_seat[figure]
        sums[:] = [a + int(b) for a, b in zip(sums, rows.sum(axis=1, dtype="i8"), strict=True)]

    def _add_figure(self, figure: str, values: Any) -> None:
        wide = values.astype("i8")
        sums = self.totals[figure]
        sums[0] += int(wide.sum())
        sums[1] += int((wide * wide).sum())


class Summary(Struct):
    """Summary of a study."""

    schema: str
    version: int
    title: str
    question: str
    conclusion: str
    seed: int
    key: str
    tables: list[TableSummary]
    #: Headings of the parts of the plan.
    headings: tuple[str, ...] = ()

    @property
    def games(self) -> int:
        return sum(table.games for table in self.tables)

    def in_words_of(self, plan: Plan) -> Summary:
        """This summary with the texts of a plan."""
        return replace(
            self,
            title=plan.title,
            question=plan.question,
            conclusion=plan.conclusion,
            headings=plan.headings,
        )


def empty_summary(plan: Plan) -> Summary:
    return Summary(
        SCHEMA,
        VERSION,
        plan.title,
        plan.question,
        plan.conclusion,
        plan.seed,
        plan.key,
        [empty_table(table) for table in plan.tables],
        plan.headings,
    )


def empty_table(table: Table) -> TableSummary:
    definition, seats = game_named(table.game), table.seats
    course = definition.metrics
    figures = game_figures(table.game)
    return TableSummary(
        table.game,
        definition.rules_version,
        definition.board,
        seats,
        table.chosen,
        table.varied,
        table.bots,
        table.rotate,
        table.group,
        totals={figure: [0, 0] for figure in figures},
        by_seat={name: [0] * seats for name in figures if is_per_seat(name) and name != "turns"},
        won_by_seat=[[0] * seats for _ in range(seats)],
        won_by_bot=[[0] * seats for _ in range(seats)],
        score_by_bot=[0] * seats,
        scores=[{} for _ in range(seats)],
        lengths={},
        endings={},
        survivors=[[0] * MAX_ROUNDS for _ in range(SURVIVOR_ROWS)] if course else [],
        lost=[0] * len(course.places) if course else [],
    )


def tidied(summary: Summary) -> Summary:
    """Sort the histograms and drop the rounds that never began."""
    for table in summary.tables:
        table.scores = [dict(sorted(counted.items())) for counted in table.scores]
        table.lengths = dict(sorted(table.lengths.items()))
        table.endings = dict(sorted(table.endings.items()))
        if table.survivors:
            begun = sum(1 for games in table.survivors[GOING_ON] if games)
            # One more column: the state at the end.
            table.survivors = [row[: begun + 1] for row in table.survivors]
    return summary


def survivors_after(table: TableSummary, begun: int) -> Mean:
    """Mean number of survivors at the beginning of a round, or at the end."""
    total, squares = table.survivors[SUM][begun], table.survivors[SQUARES][begun]
    return mean_of(table.games, total, squares)


def seat_rows(rows: Any, offsets: Any) -> Any:
    """Rows by seat from rows by entrant."""
    seats = len(rows)
    sits = (numpy.arange(seats)[:, None] - offsets[None, :]) % seats
    return numpy.take_along_axis(rows, sits, axis=0)


def _share(won: list[int], games: int) -> tuple[float, Interval]:
    shares: Counter[Fraction] = Counter()
    for winners, count in enumerate(won, 1):
        shares[Fraction(1, winners)] += count
    shares[Fraction(0)] += games - sum(won)
    total = sum((share * count for share, count in shares.items()), Fraction())
    return float(total / games), share_interval(shares)


def _counted(values: Any) -> list[tuple[int, int]]:
    found, counts = numpy.unique(values, return_counts=True)
    return [(int(value), int(count)) for value, count in zip(found, counts, strict=True)]


def _count(counted: dict[int, int], values: Any) -> None:
    for value, count in _counted(values):
        counted[value] = counted.get(value, 0) + count
