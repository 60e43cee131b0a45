"""Effects of options: differences between tables that differ in one option only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from archipel.study.experiments.figures import Mean, mean_over
from archipel.study.experiments.summary import TableSummary


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
    change: Mean


def effects(tables: Sequence[TableSummary], figures: Sequence[str]) -> Iterator[Effect]:
    """Yield the effects of every option of one part of a plan."""
    if not tables:
        return
    for option in tables[0].varied:
        values = list(dict.fromkeys(table.options[option] for table in tables))
        for value in values[1:]:
            for seats in dict.fromkeys(table.seats for table in tables):
                pairs = list(_pairs(tables, option, values[0], value, seats))
                for figure in figures if pairs else ():
                    before = mean_over([first.mean(figure) for first, _ in pairs])
                    after = mean_over([second.mean(figure) for _, second in pairs])
                    yield Effect(
                        option,
                        values[0],
                        value,
                        seats,
                        figure,
                        len(pairs),
                        before,
                        after,
                        after.less(before),
                    )


def _pairs(
    tables: Sequence[TableSummary], option: str, first: str, value: str, seats: int
) -> Iterator[tuple[TableSummary, TableSummary]]:
    for table in tables:
        if table.seats == seats and table.options[option] == first:
            wanted = {**table.options, option: value}
            for other in tables:
                if other.options == wanted and (other.seats, other.bots) == (seats, table.bots):
                    yield table, other
