"""Select puzzles to ship, and measure which bots solve them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from archipel.bots import Bot
from archipel.puzzles.puzzle import SCHEMA, VERSION, Collection, Measured, Puzzle, has_reason
from archipel.puzzles.puzzle_validation import position_of
from archipel.rules.all_games import game_named
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.puzzle_search.screening import kind_of

#: Seed of the master for this measurement; the screening uses other seeds.
SEED = 3


def choose_puzzles(found: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Select puzzles that have an explanation, easiest first.

    At least half are not solved by greedy; kinds and games vary as much as possible.
    """
    left = [puzzle for puzzle in found if has_reason(puzzle)]
    hard = [puzzle for puzzle in left if not puzzle.solved_by_greedy]
    easy = [puzzle for puzzle in left if puzzle.solved_by_greedy]
    wanted = max((count + 1) // 2, count - len(easy))
    chosen = _varied(hard, min(len(hard), max(wanted, (2 * count) // 3)), [])
    chosen += _varied(easy, count - len(chosen), chosen)
    return sorted(chosen, key=lambda puzzle: (not puzzle.solved_by_greedy, -puzzle.gap))


def _varied(puzzles: Sequence[Puzzle], count: int, already: Sequence[Puzzle]) -> list[Puzzle]:
    """Pick one after the other, always of the kind and game that are rarest so far."""
    chosen: list[Puzzle] = []
    left = list(puzzles)
    kinds = Counter(kind_of(puzzle.best) for puzzle in already)
    games = Counter(puzzle.origin.game for puzzle in already)
    while left and len(chosen) < count:
        best = min(
            left,
            key=lambda puzzle: (
                kinds[kind_of(puzzle.best)],
                games[puzzle.origin.game],
                len(puzzle.choices) > MANY,
                -puzzle.gap,
                puzzle.position,
            ),
        )
        left.remove(best)
        chosen.append(best)
        kinds[kind_of(best.best)] += 1
        games[best.origin.game] += 1
    return chosen


#: More choices than a person examines one by one.
MANY = 24


class Solved(NamedTuple):
    """Bots that solved a puzzle."""

    master: bool
    greedy: bool


def solve(
    game: str, puzzles: Sequence[Puzzle], *, on_progress: OnProgress = silent
) -> tuple[Measured, list[Solved]]:
    """Ask the newest master, at its full budget, and greedy for their choices."""
    definition = game_named(game)
    master, greedy = Bot.named(game, "master"), Bot.named(game, "greedy")
    solved: list[Solved] = []
    on_progress(Progress(0, len(puzzles)))
    for number, puzzle in enumerate(puzzles, 1):
        view: Any = definition.recalled(position_of(game, puzzle), puzzle.seat)
        texts = puzzle.best, *puzzle.choices[0].same
        best = {definition.parse_action(view, text) for text in texts}
        master_choice = master.search(view, seed=SEED).action
        greedy_choice = greedy.choose(view, definition.legal_actions(view), seed=0)
        solved.append(Solved(master_choice in best, greedy_choice in best))
        on_progress(Progress(number, len(puzzles)))
    by_master = sum(each.master for each in solved)
    by_greedy = sum(each.greedy for each in solved)
    return Measured(master.name, by_master, greedy.name, by_greedy), solved


def collect(game: str, puzzles: Sequence[Puzzle], measured: Measured) -> Collection:
    definition = game_named(game)
    rules = definition.rules_version, definition.board
    return Collection(SCHEMA, VERSION, game, *rules, measured, tuple(puzzles))
