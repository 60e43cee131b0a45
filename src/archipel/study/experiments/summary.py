"""Summary of a study: integers only, so that the order of adding does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy
from msgspec import Struct
from msgspec.structs import replace

from archipel.frames import Tabular
from archipel.rules.all_games import game_named
from archipel.study.experiments.batches import BatchArrays, GameBatch
from archipel.study.experiments.plan import Plan, Table
from archipel.study.simulation import game_kernel as kernel
from archipel.study.simulation.game_programs import MAX_ROUNDS
from archipel.study.statistics import Interval, Mean, mean_of, mean_over, share_interval, wilson

SCHEMA = "archipel.study"
VERSION = 1

#: Figures of a game as a whole; all others are means over its seats.
OF_THE_GAME = ("decisions", "rounds", "best")
WINS = "wins of seat "


def game_figures(game: str) -> tuple[str, ...]:
    """Names of the figures that are summed for each game."""
    metrics = game_named(game).metrics
    return (*OF_THE_GAME, "turns", "score", *(metrics.figures if metrics else ()))


def figure_names(game: str) -> list[str]:
    """Names that a target may use."""
    wins = [f"{WINS}{seat}" for seat in range(1, game_named(game).seats[-1] + 1)]
    return [*game_figures(game), *wins]


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

    def mean(self, figure: str) -> Mean:
        total, squares = self.totals[figure]
        return mean_of(self.games, total, squares, 1 if figure in OF_THE_GAME else self.seats)

    def wins(self, seat: int) -> tuple[float, Interval]:
        """Win share of a seat and its interval."""
        return _share(self.won_by_seat[seat], self.games)

    def entrants(self, bot: str) -> list[int]:
        return [entrant for entrant, name in enumerate(self.bots) if name == bot]

    def bot_wins(self, bot: str) -> tuple[float, Interval]:
        """Win share of a bot over all its seats."""
        entrants = self.entrants(bot)
        won = [sum(column) for column in zip(*(self.won_by_bot[e] for e in entrants), strict=True)]
        return _share(won, self.games * len(entrants))

    def bot_firsts(self, bot: str) -> tuple[float, Interval]:
        """Rate of first places of a bot, where a shared win counts in full."""
        entrants = self.entrants(bot)
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

    def add(self, batch: GameBatch) -> None:
        played = BatchArrays(batch, self.game, self.seats, self.rotate)
        self.games += batch.games
        self._add_wins(self.won_by_bot, played.ranks)
        self._add_wins(self.won_by_seat, played.by_seat(played.ranks))
        scores = played.by_seat(played.scores)
        for seat in range(self.seats):
            _count(self.scores[seat], scores[seat])
        _add(self.score_by_bot, played.scores.sum(axis=1))
        _count(self.lengths, played.turns)
        self._add_figure("decisions", played.decisions)
        self._add_figure("best", played.scores.max(axis=0))
        self._add_figure("turns", played.turns)
        self._add_figure("rounds", played.rounds)
        self._add_seats("score", scores)
        for figure, values in played.figures.items():
            self._add_seats(figure, values)
        if (metrics := game_named(self.game).metrics) is not None:
            for ending, count in _counted(played.endings):
                name = metrics.endings[ending]
                self.endings[name] = self.endings.get(name, 0) + count
            for row, more in zip(self.survivors, batch.survivors, strict=True):
                _add(row, more)
            _add(self.lost, batch.lost)

    def _add_wins(self, won: list[list[int]], ranks: Any) -> None:
        winners = (ranks == 0).sum(axis=0)
        for row, of_one in zip(won, ranks, strict=True):
            _add(row, numpy.bincount(winners[of_one == 0], minlength=self.seats + 1)[1:])

    def _add_seats(self, figure: str, rows: Any) -> None:
        self._add_figure(figure, rows.sum(axis=0))
        _add(self.by_seat[figure], rows.sum(axis=1, dtype="i8"))

    def _add_figure(self, figure: str, values: Any) -> None:
        wide = values.astype("i8")
        _add(self.totals[figure], (wide.sum(), (wide * wide).sum()))

    def survivors_after(self, begun: int) -> Mean:
        """Mean number of survivors at the beginning of a round, or at the end."""
        total, squares = (self.survivors[row][begun] for row in (kernel.SUM, kernel.SQUARES))
        return mean_of(self.games, total, squares)


class Summary(Struct, Tabular):
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

    def to_rows(self) -> list[dict[str, Any]]:
        """One row per table and figure: its mean with its 95 % interval."""
        rows = []
        for number, table in enumerate(self.tables):
            setting = {"table": number, "game": table.game, "seats": table.seats}
            setting |= {"bots": ", ".join(table.bots), "games": table.games}
            setting["options"] = " ".join(f"{name}={v}" for name, v in table.options.items())
            for figure in table.totals:
                mean = table.mean(figure)
                rows.append(
                    {
                        **setting,
                        "figure": figure,
                        "mean": mean.value,
                        "low": mean.low,
                        "high": mean.high,
                    }
                )
        return rows

    def __repr__(self) -> str:
        return f"<Summary {self.title!r}: {len(self.tables)} tables, {self.games} games>"

    def in_words_of(self, plan: Plan) -> Summary:
        """This summary with the texts of a plan."""
        names = ("title", "question", "conclusion", "headings")
        return replace(self, **{name: getattr(plan, name) for name in names})


def empty_summary(plan: Plan) -> Summary:
    texts = plan.title, plan.question, plan.conclusion
    tables = [empty_table(table) for table in plan.tables]
    return Summary(SCHEMA, VERSION, *texts, plan.seed, plan.key, tables, plan.headings)


def empty_table(table: Table) -> TableSummary:
    definition, seats = game_named(table.game), table.seats
    metrics = definition.metrics
    figures = game_figures(table.game)
    rules = definition.rules_version, definition.board
    chosen = table.chosen, table.varied, table.bots, table.rotate, table.group
    setting = table.game, *rules, seats, *chosen
    return TableSummary(
        *setting,
        totals={figure: [0, 0] for figure in figures},
        by_seat={name: [0] * seats for name in figures if name not in (*OF_THE_GAME, "turns")},
        won_by_seat=[[0] * seats for _ in range(seats)],
        won_by_bot=[[0] * seats for _ in range(seats)],
        score_by_bot=[0] * seats,
        scores=[{} for _ in range(seats)],
        survivors=[[0] * MAX_ROUNDS for _ in range(kernel.SURVIVOR_ROWS)] if metrics else [],
        lost=[0] * len(metrics.places) if metrics else [],
    )


def tidied(summary: Summary) -> Summary:
    """Sort the histograms and drop the rounds that never began."""
    for table in summary.tables:
        table.scores = [dict(sorted(counted.items())) for counted in table.scores]
        table.lengths = dict(sorted(table.lengths.items()))
        table.endings = dict(sorted(table.endings.items()))
        if table.survivors:
            begun = sum(1 for games in table.survivors[kernel.GOING_ON] if games)
            # One more column: the state at the end.
            table.survivors = [row[: begun + 1] for row in table.survivors]
    return summary


@dataclass(frozen=True)
class Effect:
    """Effect of changing an option from its first value to another on the mean of a figure.

    Averaged over all pairs of tables with this number of seats that differ in the option only.
    """

    option: str
    first: str
    value: str
    seats: int
    figure: str
    pairs: int
    before: Mean
    after: Mean

    @property
    def change(self) -> Mean:
        return self.after.less(self.before)


def effects(tables: Sequence[TableSummary], figures: Sequence[str]) -> Iterator[Effect]:
    """Yield the effects of every option of one part of a plan."""
    if not tables:
        return
    for option in tables[0].varied:
        first, *others = dict.fromkeys(table.options[option] for table in tables)
        for value in others:
            for seats in dict.fromkeys(table.seats for table in tables):
                pairs = list(_pairs(tables, option, first, value, seats))
                for figure in figures if pairs else ():
                    before = mean_over([table.mean(figure) for table, _ in pairs])
                    after = mean_over([table.mean(figure) for _, table in pairs])
                    yield Effect(option, first, value, seats, figure, len(pairs), before, after)


def _pairs(
    tables: Sequence[TableSummary], option: str, first: str, value: str, seats: int
) -> Iterator[tuple[TableSummary, TableSummary]]:
    for table in tables:
        if table.seats == seats and table.options[option] == first:
            wanted = {**table.options, option: value}
            for other in tables:
                if other.options == wanted and (other.seats, other.bots) == (seats, table.bots):
                    yield table, other


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


def _add(sums: list[int], more: Iterable[int]) -> None:
    sums[:] = [a + int(b) for a, b in zip(sums, more, strict=True)]
