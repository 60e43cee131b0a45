"""What a puzzle is, as its file tells it: texts and figures, not yet looked at by the rules."""

from __future__ import annotations

from msgspec import Struct

SCHEMA = "archipel.puzzles"
VERSION = 1


class PuzzleError(ValueError):
    """A file of puzzles that cannot be right: which one, and why."""


class Weighed(Struct, frozen=True):
    """A choice in notation, and how often the seat wins after it; ``same`` are those that do the
    same with a piece that differs by name alone."""

    action: str
    chance: float
    error: float
    worlds: int
    same: tuple[str, ...] = ()


class Pair(Struct, frozen=True):
    """Something after the best choice, and after the next."""

    best: float
    next: float


class Facts(Struct, frozen=True):
    """What becomes of it: the points at the end, seat by seat, and how often hopes of the seat come
    true."""

    points: tuple[Pair, ...]
    hopes: dict[str, Pair] = {}


class Origin(Struct, frozen=True):
    """The game of self-play that it comes from: its number, how many moves were made, by whom."""

    game: int
    move: int
    players: tuple[str, ...]


class Puzzle(Struct, frozen=True):
    """A decision of a seat with one choice that is clearly best.

    ``position`` is what the seat sees, and all that anybody needs; ``choices`` are all that the
    rules allow, the best first; ``then`` is how the turn goes on after it.  ``gap`` lies between
    the best and the next; what the best's twins (``same``) do counts as the best.
    """

    position: str
    seat: int
    choices: tuple[Weighed, ...]
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
    """Who solved how many of a collection's puzzles, by name."""

    master: str
    master_solved: int
    greedy: str
    greedy_solved: int


class Collection(Struct, frozen=True):
    """The puzzles that are shipped with a game."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str
    measured: Measured
    puzzles: tuple[Puzzle, ...]
