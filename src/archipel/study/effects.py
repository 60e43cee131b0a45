"""What each option of a plan changes: differences between tables that are alike in all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from archipel.study.figures import Mean, mean_over
from archipel.study.summary import TableSummary


@dataclass(frozen=True)
class Effect:
    """From the first value of an option to another one, at tables of so many seats: a figure's
    mean before and after, and the difference, over all the pairs of tables that differ in it
    alone."""

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
    """Of the tables of one part of a plan, option by option."""
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
