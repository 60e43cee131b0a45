"""The data of a puzzle as its file states it, and the reasons why its best choice is best."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

SCHEMA = "archipel.puzzles"
VERSION = 1


class PuzzleError(ValueError):
    """A puzzle file is invalid."""


class EvaluatedChoice(Struct, frozen=True):
    """A choice in notation, with the seat's chance to win after it.

    ``same`` are equivalent choices: the same with an identical piece of another name.
    """

    action: str
    chance: float
    error: float
    worlds: int
    same: tuple[str, ...] = ()


class Pair(Struct, frozen=True):
    """A figure after the best choice, and after the second best."""

    best: float
    next: float


class Facts(Struct, frozen=True):
    """Outcomes of rollouts: final points by seat, and how often the seat reaches its goals."""

    points: tuple[Pair, ...]
    hopes: dict[str, Pair] = {}


class Origin(Struct, frozen=True):
    """The self-play game that a puzzle is from: its number, the move and the players."""

    game: int
    move: int
    players: tuple[str, ...]


class Puzzle(Struct, frozen=True):
    """A decision of a seat with one choice that is clearly best.

    ``position`` is the view of the seat. ``choices`` are all legal ones, the best first. ``then``
    is the rest of the turn after the best choice. ``gap`` is its advantage over the second best;
    choices equivalent to the best (``same``) also solve the puzzle.
    """

    position: str
    seat: int
    choices: tuple[EvaluatedChoice, ...]
    then: tuple[str, ...]
    gap: float
    gap_error: float
    facts: Facts
    greedy: str
    origin: Origin

    @property
    def best(self) -> str:
        return self.choices[0].action

    @property
    def solved_by_greedy(self) -> bool:
        return self.greedy in (self.best, *self.choices[0].same)


class Measured(Struct, frozen=True):
    """How many puzzles of a collection two bots solved."""

    master: str
    master_solved: int
    greedy: str
    greedy_solved: int


class Collection(Struct, frozen=True):
    """The puzzles shipped with a game."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str
    measured: Measured
    puzzles: tuple[Puzzle, ...]


#: Smallest differences worth mentioning: a fraction of the points, and a fraction of the games.
PART = 0.05
SHARE = 0.1


@dataclass(frozen=True)
class Reasons:
    """Reasons for the best choice; each is None if the difference is too small.

    ``own`` are the seat's points. ``rival`` is the opponent who loses most points, with them.
    ``hope`` is a goal reached more often, ``risk`` one reached less often.
    """

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
    """Whether there is a reason other than a risk."""
    reasons = reasons_of(puzzle)
    return any(each is not None for each in (reasons.own, reasons.rival, reasons.hope))


def _worth_a_word(pair: Pair) -> float:
    return PART * max(abs(pair.best), abs(pair.next), 1.0)


def _more(pair: Pair) -> float:
    return pair.best - pair.next
