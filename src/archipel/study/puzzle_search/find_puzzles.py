"""Find puzzles in self-play of bots of different strength, and select those to ship.

The file is JSON lines (`archipel.study.resumable_file`): a header with the setting, then one line
per game with its puzzles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from archipel.bots import Bot
from archipel.puzzles.puzzle import (
    SCHEMA,
    VERSION,
    Collection,
    Measured,
    Origin,
    Puzzle,
    has_reason,
)
from archipel.puzzles.puzzle_validation import position_of
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.rules.play_out import play_out
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.puzzle_search.screening import Decision, Screening, kind_of
from archipel.study.resumable_file import Header, ResumableFile, ResumableFileError

#: Players, from weak to strong, and percentages of random moves, which lead to unusual positions.
PLAYERS = ("greedy", "greedy", "greedy", "first-game", "regular")
RANDOM_PERCENT = (10, 20, 30)
#: Most puzzles per game, whose positions are similar. Easy puzzles, which greedy solves, are
#: common: at most two, of different kinds, and only in every third game.
MOST_PER_GAME = 4
MOST_EASY = 2
EASY_EVERY = 3
#: Fewest moves between two puzzles.
APART = 6
#: More choices than a person examines one by one.
MANY = 24
#: Grades of difficulty (`Puzzle.grade`).
GRADES = range(1, 4)
#: Seed with which the master solves the selected puzzles; the screening uses other seeds.
SEED = 3


class FoundError(ResumableFileError):
    """A file of puzzles that cannot be continued."""


class Head(Header, frozen=True):
    """Setting, the first line of the file."""

    options: dict[str, str]
    seed: int


class Line(Struct, frozen=True):
    """A game of self-play: number of decisions examined, and its puzzles."""

    game: int
    decisions: int
    puzzles: tuple[Puzzle, ...]


KIND = ResumableFile("archipel.found_puzzles", Head, Line, FoundError)


@dataclass
class Found:
    """Games so far by number."""

    head: Head
    games: dict[int, Line] = field(default_factory=dict)

    @property
    def puzzles(self) -> list[Puzzle]:
        return [puzzle for game in sorted(self.games) for puzzle in self.games[game].puzzles]

    @property
    def decisions(self) -> int:
        return sum(line.decisions for line in self.games.values())


def head_of(game: str, options: Mapping[str, str], seed: int) -> Head:
    """``options`` are those that differ from the defaults; the number of players is random."""
    return Head(*KIND.header_fields(game), dict(options), seed)


def read_found(path: Path) -> Found:
    """Raises `FoundError` or `OSError`."""
    head, lines = KIND.read(path)
    return Found(head, {line.game: line for line in lines})


def find_puzzles(path: Path, head: Head, games: int, *, on_progress: OnProgress = silent) -> Found:
    """Play and examine the missing games and append them to the file.

    Raises `FoundError` or `OSError`; games that were examined are kept.
    """
    with KIND.open(path, head) as (lines, file):
        found = Found(head, {line.game: line for line in lines})
        missing = [number for number in range(games) if number not in found.games]
        on_progress(Progress(games - len(missing), games))
        if not missing:
            return found
        screening = Screening(head.game, games, on_progress)
        bots = {name: Bot.named(head.game, name) for name in PLAYERS}
        for count, number in enumerate(missing, 1):
            line = _examine(head, screening, bots, number)
            file.append(line)
            found.games[number] = line
            on_progress(Progress(games - len(missing) + count, games))
    return found


def _examine(
    head: Head, screening: Screening, bots_by_name: Mapping[str, Bot], number: int
) -> Line:
    """Play and examine a game; equal numbers and seeds give equal games."""
    seed = stream_key(head.seed, number)
    dice, definition = Stream(stream_key(seed, 1)), game_named(head.game)
    # Two players in five of six games, else three.
    seats = 2 if dice.draw(6) else 3
    seats = min(max(seats, definition.seats[0]), definition.seats[-1])
    bots = [bots_by_name[PLAYERS[dice.draw(len(PLAYERS))]] for _ in range(seats)]
    random_percent = RANDOM_PERCENT[dice.draw(len(RANDOM_PERCENT))]
    options = definition.make_options(seats, **head.options)
    state = definition.new(options, Stream(stream_key(seed, 0)))
    players = tuple(bot.name for bot in bots)
    hunt = _Hunt(screening, MOST_EASY if number % EASY_EVERY == 0 else 0)

    def choose(seat: int, legal: list[int], move: int) -> int:
        if len(legal) == 1:
            return legal[0]
        origin = Origin(number, move, players)
        hunt.examine(Decision(state, seat, origin), stream_key(seed, move + 2))
        if dice.draw(100) < random_percent:
            return legal[dice.draw(len(legal))]
        return bots[seat].choose(definition.recalled(state, seat), legal, seed=move)

    for _ in play_out(definition, state, Stream(seed), choose):
        if len(hunt.puzzles) == MOST_PER_GAME:
            break
    return Line(number, hunt.examined, tuple(hunt.puzzles))


class _Hunt:
    """Puzzles of one game so far."""

    def __init__(self, screening: Screening, most_easy: int) -> None:
        self._screening = screening
        self._most_easy = most_easy
        self._easy: set[str] = set()
        self._last = -APART
        self.examined = 0
        self.puzzles: list[Puzzle] = []

    def examine(self, decision: Decision, seed: int) -> None:
        if decision.origin.move - self._last < APART:
            return
        self.examined += 1
        solved = self._easy if len(self._easy) < self._most_easy else None
        found = self._screening.puzzle_in(decision, seed, solved=solved)
        if found is not None:
            self.puzzles.append(found)
            self._last = decision.origin.move
            if found.solved_by_greedy:
                self._easy.add(kind_of(found.best.action))


def choose_puzzles(found: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """Select puzzles that have an explanation, easiest first.

    A third is of each grade, as far as there are enough; kinds and games vary as much as possible.
    """
    by_grade: dict[int, list[Puzzle]] = {grade: [] for grade in GRADES}
    for puzzle in found:
        if has_reason(puzzle):
            by_grade[puzzle.grade].append(puzzle)
    chosen: list[Puzzle] = []
    # The rarest grade first: the others fill the places that it leaves.
    for left, of_grade in enumerate(sorted(by_grade.values(), key=len)):
        share = (count - len(chosen)) // (len(GRADES) - left)
        chosen += _varied(of_grade, share, chosen)
    return sorted(chosen, key=lambda puzzle: (puzzle.grade, -puzzle.gap))


def _varied(puzzles: Sequence[Puzzle], count: int, already: Sequence[Puzzle]) -> list[Puzzle]:
    """Pick one after the other, always of the kind and game that are rarest so far."""
    chosen: list[Puzzle] = []
    left = list(puzzles)
    kinds = Counter(kind_of(puzzle.best.action) for puzzle in already)
    games = Counter(puzzle.origin.game for puzzle in already)
    while left and len(chosen) < count:
        best = min(
            left,
            key=lambda puzzle: (
                kinds[kind_of(puzzle.best.action)],
                games[puzzle.origin.game],
                len(puzzle.choices) > MANY,
                -puzzle.gap,
                puzzle.position,
            ),
        )
        left.remove(best)
        chosen.append(best)
        kinds[kind_of(best.best.action)] += 1
        games[best.origin.game] += 1
    return chosen


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
        chosen = (
            master.search(view, seed=SEED).action,
            greedy.choose(view, definition.legal_actions(view), seed=0),
        )
        right = (puzzle.is_right(definition.action_text(view, action)) for action in chosen)
        solved.append(Solved(*right))
        on_progress(Progress(number, len(puzzles)))
    by_master = sum(each.master for each in solved)
    by_greedy = sum(each.greedy for each in solved)
    return Measured(master.name, by_master, greedy.name, by_greedy), solved


def collect(game: str, puzzles: Sequence[Puzzle], measured: Measured) -> Collection:
    definition = game_named(game)
    rules = definition.rules_version, definition.board
    return Collection(SCHEMA, VERSION, game, *rules, measured, tuple(puzzles))
