"""A position that the conformance suite asks of each game: so little of it is hidden that all its
worlds can be listed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class SmallPosition:
    """``worlds`` lists, in notation and independently of the game's own dealing, every position the
    seat must believe possible, with its probability.

    A game of another package has one as ``SMALL_POSITION`` in its module ``conformance``.
    """

    text: str
    seat: int
    worlds: Callable[[str], dict[str, Fraction]]
