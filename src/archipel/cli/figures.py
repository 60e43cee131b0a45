"""Figures in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from archipel.rules.catalogue import Catalogue


def decimal(value: float, words: Catalogue) -> str:
    return f"{value:.1f}".replace(".", words.say("simulate.decimal_mark"))


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()
