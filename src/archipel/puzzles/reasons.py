"""Why the best choice is best, as far as figures tell: who ends with more, who with less, which
hope comes true."""

from __future__ import annotations

from dataclasses import dataclass

from archipel.puzzles.data import Pair, Puzzle

#: What is worth a word: of points so large a part of them, and so many games in all.
PART = 0.05
SHARE = 0.1


@dataclass(frozen=True)
class Reasons:
    """``own`` are the seat's points, ``rival`` the seat whose points differ most to its benefit,
    with them; ``hope`` comes true more often, ``risk`` less often.  None where it is no reason."""

    own: Pair | None
    rival: tuple[int, Pair] | None
    hope: tuple[str, Pair] | None
    risk: tuple[str, Pair] | None


def reasons_of(puzzle: Puzzle) -> Reasons:
    own = puzzle.facts.points[puzzle.seat]
    others = [(s, pair) for s, pair in enumerate(puzzle.facts.points) if s != puzzle.seat]
    rival = min(others, key=lambda each: (_more(each[1]), each[0]))
    hopes = sorted(puzzle.facts.hopes.items(), key=lambda each: -abs(_more(each[1])))
    return Reasons(
        own if _more(own) >= _worth_a_word(own) else None,
        rival if _more(rival[1]) <= -_worth_a_word(rival[1]) else None,
        next(((name, pair) for name, pair in hopes if _more(pair) >= SHARE), None),
        next(((name, pair) for name, pair in hopes if _more(pair) <= -SHARE), None),
    )


def has_reason(puzzle: Puzzle) -> bool:
    """A risk alone is none."""
    reasons = reasons_of(puzzle)
    return any(each is not None for each in (reasons.own, reasons.rival, reasons.hope))


def _worth_a_word(pair: Pair) -> float:
    return PART * max(abs(pair.best), abs(pair.next), 1.0)


def _more(pair: Pair) -> float:
    return pair.best - pair.next
