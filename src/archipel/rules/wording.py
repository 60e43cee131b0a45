"""Small things that the games' words have in common."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from archipel.rules.contract import Event

SCREEN_WIDTH = 80


def wrapped(start: str, text: str, width: int = SCREEN_WIDTH) -> str:
    """A paragraph of a picture: everything below its first word stands under that word."""
    return fill(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
        break_long_words=False,
    )


def counted(key: str, details: Mapping[str, object], count: int) -> Event:
    """An event with a sentence for one of something, and another for any other number."""
    return Event(f"{key}.{'one' if count == 1 else 'many'}", {**details, "count": count})
