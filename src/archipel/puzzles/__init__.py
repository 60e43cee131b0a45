"""Puzzles: decisions from self-play that decide a turn.

`puzzle` has the data of a puzzle, `puzzle_validation` checks it against the rules, `turn_search`
searches the ways to play its turn, and `puzzle_library` has the puzzles shipped with a game; a
table runs a puzzle as a lesson. `archipel.study.puzzle_search` finds new ones.
"""

from archipel.puzzles.puzzle import Collection, Puzzle, PuzzleError
from archipel.puzzles.puzzle_library import puzzle_lesson, puzzles_of, read_collection
from archipel.puzzles.puzzle_validation import check_puzzle

__all__ = [
    "Collection",
    "Puzzle",
    "PuzzleError",
    "check_puzzle",
    "puzzle_lesson",
    "puzzles_of",
    "read_collection",
]
