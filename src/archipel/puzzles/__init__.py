"""Puzzles: decisions with one choice that is clearly best, found in self-play.

`data` is what a puzzle is, `checking` holds one against the rules, `shelf` keeps those that are
shipped with a game, `as_lesson` lets the authority of the tables run one like a lesson.
`archipel puzzles` finds them (`archipel.study.puzzles`).
"""

from archipel.puzzles.checking import check_puzzle
from archipel.puzzles.data import Collection, Puzzle, PuzzleError
from archipel.puzzles.shelf import puzzle_lesson, puzzles_of, read_collection

__all__ = [
    "Collection",
    "Puzzle",
    "PuzzleError",
    "check_puzzle",
    "puzzle_lesson",
    "puzzles_of",
    "read_collection",
]
