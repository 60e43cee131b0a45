"""Per game a position with so little hidden that all its worlds can be listed.

A registered game without an entry here fails the suite.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class SmallPosition:
    """``worlds`` lists, in notation and independently of the game's own dealing, every position the
    seat must believe possible, with its probability."""

    text: str
    seat: int
    worlds: Callable[[str], dict[str, Fraction]]


def _deep_sea_worlds(view: str) -> dict[str, Fraction]:
    """Fill the question marks of each level with its missing values, in every order."""
    missing: dict[str, list[int]] = {}
    for level, letter in enumerate("abcd"):
        values = Counter([level * 4 + value // 2 for value in range(8)])
        for number in range(1, 9):
            if f"{letter}{number}:" in view:
                values[int(view.split(f"{letter}{number}:")[1][:2].rstrip(",] +"))] -= 1
        missing[letter] = sorted(values.elements())
    unknown = {
        letter: [f"{letter}{n}" for n in range(1, 9) if f"{letter}{n}?" in view]
        for letter in "abcd"
    }
    orders = [list(itertools.permutations(missing[letter])) for letter in "abcd"]
    worlds: Counter[str] = Counter()
    for chosen in itertools.product(*orders):
        text = view
        for letter, values_in_order in zip("abcd", chosen, strict=True):
            for chip, value in zip(unknown[letter], values_in_order, strict=True):
                text = text.replace(f"{chip}?", f"{chip}:{value}")
        worlds[text] += 1
    return {text: Fraction(count, worlds.total()) for text, count in worlds.items()}


SMALL_POSITIONS: dict[str, SmallPosition] = {
    # Seat 1 is home with a2 and knows it; six chips of two levels are unknown to it.
    "deep-sea": SmallPosition(
        "seats=2 round=2 air=9 turn=2 phase=throw starter=1 idle=0 "
        "line=o,a1:0,a3:1,c1:8,o,c4:10 diver1=home[a2:0] diver2=3>[c2:8,c3:9] "
        "treasure1=a4:1,a5:2,a6:2,a7:3,a8:3,b1:4,b2:4,b3:5,b4:5,b5:6,b6:6,b7:7,b8:7 "
        "treasure2=c5:9,c6:10,c7:11,c8:11,d1:12,d2:12,d3:13,d4:13,d5:14,d6:14,d7:15,d8:15",
        0,
        _deep_sea_worlds,
    ),
}
