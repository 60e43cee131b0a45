"""Effects of options: differences between tables that differ in one option only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from archipel.study.experiments.summary import TableSummary
from archipel.study.statistics import Mean, mean_over


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
