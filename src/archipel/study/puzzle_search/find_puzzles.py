"""Find puzzles in self-play of bots of different strength.

The file is JSON lines (`archipel.study.resumable_file`): a header with the setting, then one line
per game with its puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from msgspec import Struct

from archipel.bots import Bot
from archipel.puzzles.puzzle import Origin, Puzzle
from archipel.rules.all_games import game_named
from archipel.rules.kit import Stream, stream_key
from archipel.rules.play_out import play_out
from archipel.study.progress import OnProgress, Progress, silent
from archipel.study.puzzle_search.screening import Decision, Screening, kind_of
from archipel.study.resumable_file import ResumableFile, ResumableFileError

SCHEMA = "archipel.found_puzzles"
VERSION = 1

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


class FoundError(ResumableFileError):
    """A file of puzzles that cannot be continued."""


class Head(Struct, frozen=True):
    """Setting, the first line of the file."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str
    options: dict[str, str]
    seed: int


class Line(Struct, frozen=True):
    """A game of self-play: number of decisions examined, and its puzzles."""

    game: int
    decisions: int
    puzzles: tuple[Puzzle, ...]


KIND = ResumableFile(SCHEMA, VERSION, Head, Line, FoundError)


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
    definition = game_named(game)
    return Head(
        SCHEMA, VERSION, game, definition.rules_version, definition.board, dict(options), seed
    )


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
        finder = _Finder(head, Screening(head.game, games, on_progress))
        for count, number in enumerate(missing, 1):
            line = finder.examine(number)
            file.append(line)
            found.games[number] = line
            on_progress(Progress(games - len(missing) + count, games))
    return found


class _Finder:
    def __init__(self, head: Head, screening: Screening) -> None:
        self._head = head
        self._screening = screening
        self._definition = game_named(head.game)
        self._bots = {name: Bot.named(head.game, name) for name in PLAYERS}

    def examine(self, number: int) -> Line:
        """Play and examine a game; equal numbers and seeds give equal games."""
        seed = stream_key(self._head.seed, number)
        dice, definition = Stream(stream_key(seed, 1)), self._definition
        # Two players in five of six games, else three.
        seats = 2 if dice.draw(6) else 3
        seats = min(max(seats, definition.seats[0]), definition.seats[-1])
        bots = [self._bots[PLAYERS[dice.draw(len(PLAYERS))]] for _ in range(seats)]
        random_percent = RANDOM_PERCENT[dice.draw(len(RANDOM_PERCENT))]
        options = definition.make_options(seats, **self._head.options)
        state = definition.new(options, Stream(stream_key(seed, 0)))
        players = tuple(bot.name for bot in bots)
        hunt = _Hunt(self._screening, MOST_EASY if number % EASY_EVERY == 0 else 0)

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
                self._easy.add(kind_of(found.best))
