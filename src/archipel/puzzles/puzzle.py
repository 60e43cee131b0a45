"""The data of a puzzle as its file states it, and the reasons why its best choice is best."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

SCHEMA = "archipel.puzzles"
VERSION = 2


class PuzzleError(ValueError):
    """A puzzle file is invalid."""


class EvaluatedChoice(Struct, frozen=True):
    """A choice in notation, with the seat's chance to win after the best turn that begins with it.

    ``then`` is the rest of that turn, up to the action that ends it.
    """

    action: str
    chance: float
    error: float
    worlds: int
    then: tuple[str, ...] = ()


class Pair(Struct, frozen=True):
    """A figure after the best turn, and after the best that begins with a wrong choice."""

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


#: How often a glance solves a puzzle of medium difficulty.
GLANCE = 0.65


class Puzzle(Struct, frozen=True):
    """A decision of a seat that decides the turn: every choice is right or clearly wrong.

    ``position`` is the view of the seat. ``choices`` are all legal ones: the best, the other
    ``right`` ones, whose best turns are as good, then the wrong ones, the best first. ``gap`` is
    the advantage of the best turn over every turn that begins with a wrong choice. ``greedy`` is
    the choice of the bot of that name. ``glance`` is how often a right choice looks best if every
    choice is played to the end once.
    """

    position: str
    seat: int
    choices: tuple[EvaluatedChoice, ...]
    right: int
    gap: float
    gap_error: float
    facts: Facts
    greedy: str
    glance: float
    origin: Origin

    @property
    def best(self) -> EvaluatedChoice:
        return self.choices[0]

    @property
    def right_choices(self) -> tuple[EvaluatedChoice, ...]:
        return self.choices[: self.right]

    @property
    def wrong_choices(self) -> tuple[EvaluatedChoice, ...]:
        return self.choices[self.right :]

    def is_right(self, action: str) -> bool:
        return action in [choice.action for choice in self.right_choices]

    @property
    def solved_by_greedy(self) -> bool:
        return self.is_right(self.greedy)

    @property
    def grade(self) -> int:
        """Difficulty: 1 if greedy solves it, 2 if a glance does often enough, else 3."""
        return 1 if self.solved_by_greedy else 2 if self.glance >= GLANCE else 3


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
    """Reasons for the best turn; each is None if the difference is too small.

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
