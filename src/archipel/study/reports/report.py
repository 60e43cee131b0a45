"""Report of a study as blocks: headings, texts, tables and charts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from archipel.rules.all_games import game_named
from archipel.rules.catalogue import Catalogue
from archipel.rules.options import choice_text
from archipel.study.experiments.summary import Effect, Summary, TableSummary, effects
from archipel.study.reports.charts import Box, Line, Span, board_map, boxes, curves, spans
from archipel.study.simulation.game_kernel import GOING_ON
from archipel.study.simulation.simulate import QUANTILES
from archipel.study.statistics import Interval, Mean, quantile

#: Most rows and lines of a chart; the tables show all.
MOST_ROWS = 40
MOST_LINES = 6

#: Up to this number, labels name all varied options.
FEW_OPTIONS = 2

#: Rounds are drawn while at least this share of games is running.
STILL_PLAYING = 0.01


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

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


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
    games, tables = _thousands(summary.games, words), len(summary.tables)
    yield Text(words.say("study.about", games=games, tables=tables, seed=summary.seed))
    for group in dict.fromkeys(table.group for table in summary.tables):
        heading = summary.headings[group] if summary.headings else ""
        of_group = [table for table in summary.tables if table.group == group]
        yield from _Group(group, heading, of_group, words).blocks()
    if summary.conclusion:
        yield Heading(words.say("study.conclusion"))
        yield from _paragraphs(summary.conclusion)


def _paragraphs(text: str) -> Iterator[Text]:
    return map(Text, text.strip().split("\n\n"))


def _thousands(number: int, words: Catalogue) -> str:
    return f"{number:,}".replace(",", words.say("study.thousands"))


class _Group:
    """The tables of one part of a plan; ``heading`` may be empty."""

    def __init__(
        self, number: int, heading: str, tables: Sequence[TableSummary], words: Catalogue
    ) -> None:
        self.number, self.heading, self.tables, self.words = number, heading, tables, words
        first = tables[0]
        self.definition = game_named(first.game)
        self.metrics = self.definition.metrics
        self.is_mixed = len(set(first.bots)) > 1
        #: Names of the figures per seat.
        self.figures = tuple(first.by_seat)

    # ---- words ----

    def say(self, key: str, **parts: object) -> str:
        return self.words.say(f"study.{key}", **parts)

    def number_text(self, value: float, digits: int = 2) -> str:
        text = f"{value:.{digits}f}".replace("-", "−")
        return text.replace(".", self.words.say("simulate.decimal_mark"))

    def mean_text(self, mean: Mean, digits: int = 2) -> str:
        return f"{self.number_text(mean.value, digits)} ± {self.number_text(mean.half, digits)}"

    def percent(self, share: float) -> str:
        return self.words.say("simulate.percent", rate=self.number_text(100 * share, 1))

    def share_text(self, share: float, interval: Interval) -> str:
        half = (interval.high - interval.low) / 2
        return f"{self.percent(share)} ± {self.number_text(100 * half, 1)}"

    def figure_names(self, *figures: str) -> list[str]:
        return [self.words.sentences.get(f"study.figure.{name}", name) for name in figures]

    def label(self, table: TableSummary) -> str:
        first = self.tables[0].options
        chosen = [
            f"{name}={table.options[name]}"
            for name in table.varied
            # With many options, only those that differ from the first table fit.
            if len(table.varied) <= FEW_OPTIONS or table.options[name] != first[name]
        ]
        return ", ".join([self.say("seats", seats=table.seats), *chosen])

    def picture(self, name: str, title: str, drawing: str) -> Picture:
        return Picture(f"{self.number + 1}-{name}", title, drawing)

    # ---- blocks ----

    def blocks(self) -> Iterator[Block]:
        first = self.tables[0]
        bots = " + ".join(
            f"{name} ×{count}" if self.is_mixed and count > 1 else name
            for name, count in Counter(first.bots).items()
        )
        named = f"{self.definition.title(self.words.language)}, {bots}"
        yield Heading(
            self.say("heading", heading=self.heading, what=named) if self.heading else named
        )
        usual = {option.name: choice_text(option.default) for option in self.definition.options}
        fixed = [
            f"{name}={value}"
            for name, value in first.options.items()
            if name not in first.varied and value != usual[name]
        ]
        if fixed:
            yield Text(self.say("fixed", options=", ".join(fixed)))
        yield self.overview()
        if any(table.endings for table in self.tables):
            yield self.endings()
        if not (self.is_mixed and first.rotate):  # if seats rotate, the bot matters more
            yield from self.wins()
        if self.is_mixed:
            yield self.bots()
        yield from self.options()
        yield from self.distributions()
        if first.survivors:
            yield from self.survivors()
        yield from self.losses()

    def overview(self) -> Grid:
        heads = [self.say("head.table"), self.say("head.games")]
        heads += self.figure_names("turns", "decisions", *self.figures, "best")
        rows = [
            (
                self.label(table),
                _thousands(table.games, self.words),
                self.mean_text(table.mean("turns")),
                self.mean_text(table.mean("decisions"), 1),
                *(self.mean_text(table.mean(name)) for name in (*self.figures, "best")),
            )
            for table in self.tables
        ]
        return Grid(heads, rows)

    def endings(self) -> Grid:
        names = sorted({name for table in self.tables for name in table.endings})
        sentences = self.definition.catalogue(self.words.language).sentences
        rows = [
            [self.label(table)]
            + [self.percent(table.endings.get(name, 0) / table.games) for name in names]
            for table in self.tables
        ]
        heads = [sentences.get(f"end.{name}", name) for name in names]
        return Grid([self.say("head.ending"), *heads], rows)

    def wins(self) -> Iterator[Block]:
        most = max(table.seats for table in self.tables)
        rows, drawn = [], []
        for table in self.tables:
            cells = [""] * most
            for seat in range(table.seats):
                share, interval = table.wins(seat)
                cells[seat] = self.share_text(share, interval)
                named = self.say("seat_of", table=self.label(table), seat=seat + 1)
                ends = 100 * interval.low, 100 * interval.high
                drawn.append(Span(named, 100 * share, *ends, 100 / table.seats))
            rows.append([self.label(table), *cells])
        heads = [self.say("head.wins")] + [self.say("seat", seat=s + 1) for s in range(most)]
        yield Grid(heads, rows)
        title = self.say("plot.wins")
        yield self.picture("wins", title, spans(title, drawn[:MOST_ROWS]))

    def bots(self) -> Grid:
        rows = []
        for table in self.tables:
            for bot in dict.fromkeys(table.bots):
                entrants = table.entrants(bot)
                score = sum(table.score_by_bot[e] for e in entrants) / len(entrants) / table.games
                shares = table.bot_wins(bot), table.bot_firsts(bot)
                texts = (self.share_text(*share) for share in shares)
                rows.append([self.label(table), bot, *texts, self.number_text(score)])
        heads = ("head.table", "head.bot", "head.share", "head.first", "figure.score")
        return Grid([self.say(head) for head in heads], rows)

    def options(self) -> Iterator[Block]:
        figures = ("turns", *self.figures)
        found = list(effects(self.tables, figures))
        if not found:
            return
        yield Heading(self.say("effects"), 3)
        yield Text(self.say("effects.about"), soft=True)
        rows: dict[tuple[str, int], list[str]] = {}
        for effect in found:
            key = _change(effect), effect.seats
            rows.setdefault(key, [key[0], str(effect.seats)]).append(self.effect_text(effect))
        heads = [self.say("head.option"), self.say("head.seats"), *self.figure_names(*figures)]
        yield Grid(heads, list(rows.values()))
        for figure in ("score", *self.figures[1:2]):
            drawn = []
            for effect in (effect for effect in found if effect.figure == figure):
                label = f"{_change(effect)}, {self.say('seats', seats=effect.seats)}"
                change = effect.change
                drawn.append(Span(label, change.value, change.low, change.high, 0.0))
            title = self.say("plot.effect", figure=self.figure_names(figure)[0])
            yield self.picture(f"effect-{figure}", title, spans(title, drawn[:MOST_ROWS], 2))

    def effect_text(self, effect: Effect) -> str:
        before, after = (self.number_text(mean.value) for mean in (effect.before, effect.after))
        sign = "+" if effect.change.value > 0 else ""
        return f"{before} → {after} ({sign}{self.mean_text(effect.change)})"

    def distributions(self) -> Iterator[Block]:
        shown = self.tables[:MOST_ROWS]
        scores = [_box(self.label(t), sum(map(Counter, t.scores), Counter())) for t in shown]
        title = self.say("plot.scores")
        yield self.picture("scores", title, boxes(title, scores))
        by_turns = self.metrics is not None
        title = self.say("plot.lengths" if by_turns else "plot.decisions")
        lengths = [_box(self.label(t), t.lengths, t.seats if by_turns else 1) for t in shown]
        yield self.picture("lengths", title, boxes(title, lengths))

    def survivors(self) -> Iterator[Block]:
        lines = []
        for table in self.tables[:MOST_LINES]:
            going_on = table.survivors[GOING_ON]
            shown = sum(1 for games in going_on if games >= STILL_PLAYING * table.games)
            shown = min(len(going_on), shown + 1)
            means = [table.survivors_after(begun).value for begun in range(shown)]
            people = means[0] or 1.0
            lines.append(Line(self.label(table), tuple(100 * mean / people for mean in means)))
        title = self.say(f"plot.survivors.{self._board}")
        yield self.picture("survivors", title, curves(title, lines, self.say("plot.rounds")))
        if len(self.tables) > MOST_LINES:
            yield Text(self.say("plot.first", count=MOST_LINES, all=len(self.tables)), soft=True)

    @property
    def _board(self) -> str:
        return "line" if self.metrics and self.metrics.shape == "line" else "board"

    def losses(self) -> Iterator[Block]:
        if self.metrics is None or not any(sum(table.lost) for table in self.tables):
            return
        places, games = self.metrics.places, sum(table.games for table in self.tables)
        lost = [sum(column) / games for column in zip(*(t.lost for t in self.tables), strict=True)]
        title = self.say(f"plot.lost.{self._board}")
        yield self.picture("lost", title, board_map(title, self.metrics.shape, places, lost))
        ranked = sorted(range(len(lost)), key=lambda place: (-lost[place], place))[:5]
        worst = [f"{places[place].name} {self.number_text(lost[place], 3)}" for place in ranked]
        yield Text(self.say("lost.most", places=", ".join(worst)), soft=True)


def _change(effect: Effect) -> str:
    return f"{effect.option}: {effect.first} → {effect.value}"


def _box(label: str, counted: dict[int, int], parts: int = 1) -> Box:
    five, quarter, half, three, most = (
        quantile(counted, Fraction(percent, 100)) / parts for percent in QUANTILES
    )
    return Box(label, (five, quarter, half, three, most))
