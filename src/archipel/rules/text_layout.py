"""Layout of text for a terminal of 80 columns."""

from __future__ import annotations

from textwrap import fill

SCREEN_WIDTH = 80


def hanging(start: str, text: str, width: int = SCREEN_WIDTH, *, indent: int | None = None) -> str:
    """Wrap a paragraph after ``start``; later lines are indented, by default to its length."""
    return fill(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * (len(start) if indent is None else indent),
        break_on_hyphens=False,  # rule ids and names contain hyphens
        break_long_words=False,
    )
