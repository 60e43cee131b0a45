"""The position with few possible worlds that the conformance suite needs of each game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class SmallPosition:
    """``worlds`` returns the probability of every world of a view, independently of `deal_unseen`.

    Views and worlds are position texts.  A game of another package has one as ``SMALL_POSITION`` in
    its module ``conformance``.
    """

    text: str
    seat: int
    worlds: Callable[[str], dict[str, Fraction]]
