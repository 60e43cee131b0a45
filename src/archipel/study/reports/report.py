"""Report of a study as blocks: headings, texts, tables and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from archipel.rules.all_games import game_named
from archipel.rules.catalogue import Catalogue
from archipel.rules.options import choice_text
from archipel.study.experiments.figures import SCORE, Mean
from archipel.study.experiments.option_effects import Effect, effects
from archipel.study.experiments.summary import Summary, TableSummary, survivors_after
from archipel.study.reports.charts import Box, Line, Span, board_map, boxes, curves, spans
from archipel.study.simulation.game_kernel import GOING_ON
from archipel.study.statistics import Interval, quantile

#: Most rows and lines of a chart; the tables show all.
MOST_ROWS = 40
MOST_LINES = 6

#: Up to this number, labels name all varied options.
FEW_OPTIONS = 2

#: Rounds are drawn while at least this share of games is running.
STILL_PLAYING = 0.01

QUANTILES = (5, 25, 50, 75, 95)


@dataclass(frozen=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    text: str
    soft: bool = False


@dataclass(frozen=True)
class Grid:
    """A table; the first column is left-aligned."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Picture:
    name: str  # of its file
    title: str
    drawing: str


Block = Heading | Text | Grid | Picture


def blocks(summary: Summary, words: Catalogue) -> Iterator[Block]:
    """Yield the blocks of a report, without its title."""
    if summary.question:
        yield from _paragraphs(summary.question)
    yield Text(
        words.say(
            "study.about",
            games=_thousands(summary.games, words),
            tables=len(summary.tables),
            seed=summary.seed,
        )
    )
    for group in dict.fromkeys(table.group for table in summary.tables):
        tables = [table for table in summary.tables if table.group == group]
        heading = summary.headings[group] if summary.headings else ""
        yield from _Group(group, heading, tables, words).blocks()
    if summary.conclusion:
        yield Heading(words.say("study.conclusion"))
        yield from _paragraphs(summary.conclusion)


def _paragraphs(text: str) -> Iterator[Text]:
    for paragraph in text.strip().split("\n\n"):
        yield Text(paragraph)


def _thousands(number: int, words: Catalogue) -> str:
    return f"{number:,}".replace(",", words.say("study.thousands"))


@dataclass(frozen=True)
class _Group:
    """The tables of one part of a plan."""

    number: int
    heading: str  # from the plan; may be empty
    tables: Sequence[TableSummary]
    words: Catalogue

    # ---- words ----

    def say(self, key: str, **parts: object) -> str:
        return self.words.say(f"study.{key}", **parts)

    def number_text(self, value: float, digits: int = 2) -> str:
        text = f"{value:.{digits}f}".replace("-", "−")
        return text.replace(".", self.words.say("simulate.decimal_mark"))

    def mean_text(self, mean: Mean, digits: int = 2) -> str:
        value = self.number_text(mean.value, digits)
        return f"{value} ± {self.number_text(mean.half, digits)}"

    def change_text(self, mean: Mean) -> str:
        sign = "+" if mean.value > 0 else ""
        return f"{sign}{self.mean_text(mean)}"

    def figure_name(self, figure: str) -> str:
        return self.words.sentences.get(f"study.figure.{figure}", figure)

    def ending_name(self, ending: str) -> str:
        catalogue = game_named(self.game).catalogue(self.words.language)
        return catalogue.sentences.get(f"end.{ending}", ending)

    def label(self, table: TableSummary) -> str:
        first = self.tables[0].options
        chosen = [
            f"{name}={table.options[name]}"
            for name in table.varied
            # With many options, only those that differ from the first table fit.
            if len(table.varied) <= FEW_OPTIONS or table.options[name] != first[name]
        ]
        return ", ".join([self.say("seats", seats=table.seats), *chosen])

    # ---- what it is about ----

    @property
    def game(self) -> str:
        return self.tables[0].game

    @property
    def is_mixed(self) -> bool:
        return len(set(self.tables[0].bots)) > 1

    @property
    def figures(self) -> tuple[str, ...]:
        """Names of the figures per seat."""
        return tuple(self.tables[0].by_seat)

    def blocks(self) -> Iterator[Block]:
        first = self.tables[0]
        bots = " + ".join(
            f"{name} ×{count}" if self.is_mixed and count > 1 else name
            for name, count in Counter(first.bots).items()
        )
        title = game_named(self.game).title(self.words.language)
        named = f"{title}, {bots}"
        yield Heading(
            self.say("heading", heading=self.heading, what=named) if self.heading else named
        )
        fixed = [
            f"{name}={value}"
            for name, value in first.options.items()
            if name not in first.varied and value != self._usual(name)
        ]
        if fixed:
            yield Text(self.say("fixed", options=", ".join(fixed)))
        yield self.overview()
        if any(table.endings for table in self.tables):
            yield self.endings()
        yield from self.wins()
        if self.is_mixed:
            yield self.bots()
        yield from self.options()
        yield from self.distributions()
        yield from self.survivors()
        yield from self.losses()

    def _usual(self, name: str) -> str:
        options = {option.name: option for option in game_named(self.game).options}
        return choice_text(options[name].default)

    def overview(self) -> Grid:
        heads = [self.say("head.table"), self.say("head.games")]
        heads += [self.figure_name(name) for name in ("turns", "decisions", *self.figures, "best")]
        rows = [
            (
                self.label(table),
                _thousands(table.games, self.words),
                self.mean_text(table.mean("turns")),
                self.mean_text(table.mean("decisions"), 1),
                *(self.mean_text(table.mean(name)) for name in self.figures),
                self.mean_text(table.mean("best")),
            )
            for table in self.tables
        ]
        return Grid(tuple(heads), tuple(rows))

    def endings(self) -> Grid:
        names = sorted({name for table in self.tables for name in table.endings})
        rows = [
            (
                self.label(table),
                *(self.percent(table.endings.get(name, 0) / table.games) for name in names),
            )
            for table in self.tables
        ]
        return Grid((self.say("head.ending"), *(self.ending_name(n) for n in names)), tuple(rows))

    def percent(self, share: float) -> str:
        return self.words.say("simulate.percent", rate=self.number_text(100 * share, 1))

    def share_text(self, share: float, interval: Interval) -> str:
        half = (interval.high - interval.low) / 2
        return f"{self.percent(share)} ± {self.number_text(100 * half, 1)}"

    def wins(self) -> Iterator[Block]:
        if self.is_mixed and self.tables[0].rotate:
            return  # seats rotate: the bot matters more than the seat
        rows, drawn = [], []
        for table in self.tables:
            cells = []
            for seat in range(table.seats):
                share, interval = table.wins(seat)
                cells.append(self.share_text(share, interval))
                named = self.say("seat_of", table=self.label(table), seat=seat + 1)
                ends = 100 * interval.low, 100 * interval.high
                drawn.append(Span(named, 100 * share, *ends, 100 / table.seats))
            rows.append((self.label(table), *cells))
        most = max(table.seats for table in self.tables)
        heads = [self.say("head.wins")] + [self.say("seat", seat=s + 1) for s in range(most)]
        yield Grid(tuple(heads), tuple((*row, *[""] * (most + 1 - len(row))) for row in rows))
        title = self.say("plot.wins")
        yield self.picture("wins", title, spans(title, drawn[:MOST_ROWS]))

    def bots(self) -> Grid:
        rows = []
        for table in self.tables:
            for bot in dict.fromkeys(table.bots):
                entrants = [e for e, name in enumerate(table.bots) if name == bot]
                score = sum(table.score_by_bot[e] for e in entrants) / len(entrants) / table.games
                rows.append(
                    (
                        self.label(table),
                        bot,
                        self.share_text(*table.bot_wins(bot)),
                        self.share_text(*table.bot_firsts(bot)),
                        self.number_text(score),
                    )
                )
        heads = ("head.table", "head.bot", "head.share", "head.first", "figure.score")
        return Grid(tuple(self.say(head) for head in heads), tuple(rows))

    # ---- options ----

    def options(self) -> Iterator[Block]:
        figures = ("turns", *self.figures)
        found = list(effects(self.tables, figures))
        if not found:
            return
        yield Heading(self.say("effects"), 3)
        yield Text(self.say("effects.about"), soft=True)
        heads = [self.say("head.option"), self.say("head.seats")]
        heads += [self.figure_name(figure) for figure in figures]
        rows: dict[tuple[str, str, int], list[str]] = {}
        for effect in found:
            key = effect.option, effect.value, effect.seats
            rows.setdefault(key, [self.change(effect), str(effect.seats)])
            rows[key].append(self.effect_text(effect))
        yield Grid(tuple(heads), tuple(tuple(row) for row in rows.values()))
        for figure in (SCORE, *self.figures[1:2]):
            drawn = [
                Span(
                    f"{self.change(effect)}, {self.say('seats', seats=effect.seats)}",
                    effect.change.value,
                    effect.change.low,
                    effect.change.high,
                    0.0,
                )
                for effect in found
                if effect.figure == figure
            ]
            title = self.say("plot.effect", figure=self.figure_name(figure))
            yield self.picture(f"effect-{figure}", title, spans(title, drawn[:MOST_ROWS], 2))

    def change(self, effect: Effect) -> str:
        return f"{effect.option}: {effect.first} → {effect.value}"

    def effect_text(self, effect: Effect) -> str:
        before, after = self.number_text(effect.before.value), self.number_text(effect.after.value)
        return f"{before} → {after} ({self.change_text(effect.change)})"

    # ---- pictures ----

    def picture(self, name: str, title: str, drawing: str) -> Picture:
        return Picture(f"{self.number + 1}-{name}", title, drawing)

    def distributions(self) -> Iterator[Block]:
        shown = self.tables[:MOST_ROWS]
        scores = []
        for table in shown:
            counted: Counter[int] = Counter()
            for of_seat in table.scores:
                counted.update(of_seat)
            scores.append(_box(self.label(table), counted))
        title = self.say("plot.scores")
        yield self.picture("scores", title, boxes(title, scores))
        told = game_named(self.game).metrics is not None
        title = self.say("plot.lengths" if told else "plot.decisions")
        lengths = [
            _box(self.label(table), table.lengths, table.seats if told else 1) for table in shown
        ]
        yield self.picture("lengths", title, boxes(title, lengths))

    def survivors(self) -> Iterator[Block]:
        if not self.tables[0].survivors:
            return
        lines = []
        for table in self.tables[:MOST_LINES]:
            going_on = table.survivors[GOING_ON]
            shown = sum(1 for games in going_on if games >= STILL_PLAYING * table.games)
            shown = min(len(going_on), shown + 1)
            people = survivors_after(table, 0).value or 1.0
            values = tuple(
                100 * survivors_after(table, begun).value / people for begun in range(shown)
            )
            lines.append(Line(self.label(table), values))
        title = self.say(f"plot.survivors.{'line' if self._on_a_line else 'board'}")
        yield self.picture("survivors", title, curves(title, lines, self.say("plot.rounds")))
        if len(self.tables) > MOST_LINES:
            yield Text(self.say("plot.first", count=MOST_LINES, all=len(self.tables)), soft=True)

    @property
    def _on_a_line(self) -> bool:
        course = game_named(self.game).metrics
        return course is not None and course.shape == "line"

    def losses(self) -> Iterator[Block]:
        course = game_named(self.game).metrics
        if course is None or not any(sum(table.lost) for table in self.tables):
            return
        games = sum(table.games for table in self.tables)
        lost = [sum(column) / games for column in zip(*(t.lost for t in self.tables), strict=True)]
        title = self.say(f"plot.lost.{'line' if self._on_a_line else 'board'}")
        yield self.picture("lost", title, board_map(title, course.shape, course.places, lost))
        ranked = sorted(range(len(lost)), key=lambda place: (-lost[place], place))[:5]
        worst = ", ".join(
            f"{course.places[place].name} {self.number_text(lost[place], 3)}" for place in ranked
        )
        yield Text(self.say("lost.most", places=worst), soft=True)


def _box(label: str, counted: dict[int, int], parts: int = 1) -> Box:
    at = [quantile(counted, Fraction(percent, 100)) / parts for percent in QUANTILES]
    return Box(label, (at[0], at[1], at[2], at[3], at[4]))
