"""Plan of a study: its tables and the number of games at each.

A *table* is one setting: a game, its options and its players.  A plan lists values, and every
combination of them is a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from archipel.bots import Bot
from archipel.rules.all_games import game_named
from archipel.rules.options import Options, Value, choice_text
from archipel.study.experiments.batches import Task, batch_size

USUAL_SEED = 1
USUAL_GAMES = 10_000
MOST_GAMES = 10**9
MOST_TABLES = 2000
#: Default limit if a target is given.
USUAL_MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class Target:
    """Play until half the width of a figure's 95 % interval is at most ``half_width``."""

    figure: str
    half_width: float
    most_games: int = USUAL_MOST_GAMES


@dataclass(frozen=True)
class Table:
    """One setting, with full names of bots.

    ``varied`` are the options with several values in the plan; ``group`` is the number of the part
    of the plan that lists this table.
    """

    game: str
    options: Options
    bots: tuple[str, ...]
    rotate: bool
    games: int
    target: Target | None
    seed: int
    group: int
    varied: tuple[str, ...] = ()

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def most_games(self) -> int:
        return self.games if self.target is None else self.target.most_games

    @property
    def chosen(self) -> dict[str, str]:
        """The options as text."""
        return {name: choice_text(value) for name, value in self.options}

    @property
    def key(self) -> str:
        """Identifies the games; it does not depend on their number."""
        definition = game_named(self.game)
        rules = definition.rules_version, definition.board
        seating = "rotating" if self.rotate else "fixed"
        parts = [self.game, *rules, self.options, *self.bots, seating, self.seed]
        return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]

    @property
    def own_seed(self) -> int:
        """Seed of this table, independent of the other tables."""
        return int(self.key, 16)

    def tasks(self) -> Iterator[Task]:
        """Yield the tasks in order."""
        values: dict[str, Value] = dict(self.options.values)
        size, most, seed = batch_size(self.game, self.bots), self.most_games, self.own_seed
        for first in range(0, most, size):
            games = min(size, most - first)
            yield Task(self.game, self.seats, values, self.bots, self.rotate, seed, first, games)


@dataclass(frozen=True)
class Plan:
    title: str
    question: str
    tables: tuple[Table, ...]
    seed: int = USUAL_SEED
    #: Text at the end of the report.
    conclusion: str = ""
    #: Headings of the parts of the plan; may be empty.
    headings: tuple[str, ...] = ()

    @property
    def most_games(self) -> int:
        return sum(table.most_games for table in self.tables)

    @property
    def key(self) -> str:
        parts = [f"{table.key} {table.games} {table.target}" for table in self.tables]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Part:
    """Tables that are listed together: every combination of seats and options."""

    game: str
    bots: str | tuple[str, ...]
    seats: tuple[int, ...] = ()
    options: Mapping[str, Sequence[object]] = field(default_factory=dict)
    games: int = USUAL_GAMES
    target: Target | None = None
    rotate: bool = True
    #: False: vary one option at a time from the first values.
    combine: bool = True
    #: Heading in the report.
    heading: str = ""


def plan_of(
    title: str,
    parts: list[Part],
    *,
    question: str = "",
    seed: int = USUAL_SEED,
    conclusion: str = "",
) -> Plan:
    """Make a plan.  Raises `UnknownGameError`, `UnknownBotError` or `OptionError`."""
    tables: list[Table] = []
    for group, part in enumerate(parts):
        tables += tables_of(part, seed, group)
    headings = tuple(part.heading for part in parts)
    return Plan(title, question, tuple(tables), seed, conclusion, headings)


def tables_of(part: Part, seed: int, group: int) -> Iterator[Table]:
    definition = game_named(part.game)
    usual = tuple(definition.seats) if isinstance(part.bots, str) else (len(part.bots),)
    seats_wanted = part.seats or usual
    varied = tuple(name for name, values in part.options.items() if len(values) > 1)
    for seats, chosen in product(seats_wanted, _settings(part)):
        options = definition.make_options(seats, **chosen)
        named = (part.bots,) * seats if isinstance(part.bots, str) else part.bots
        bots = tuple(Bot.named(part.game, name).name for name in named)
        if len(bots) != seats:
            raise ValueError(f"{len(bots)} bots for {seats} seats")
        yield Table(
            part.game, options, bots, part.rotate, part.games, part.target, seed, group, varied
        )


def _settings(part: Part) -> list[dict[str, object]]:
    """Options of each table."""
    if part.combine:
        every = product(*part.options.values())
        return [dict(zip(part.options, values, strict=True)) for values in every]
    first = {name: values[0] for name, values in part.options.items()}
    others = [
        {**first, name: value} for name, values in part.options.items() for value in values[1:]
    ]
    return [first, *others]
