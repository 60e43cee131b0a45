"""Puzzles from self-play: bots of different strength play, and every decision is looked at.

The file is lines of JSON: the first says what is played, each further one is a game with the
puzzles that were found in it.  Whatever is in it is not played again
(`archipel.study.growing_files`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import Struct

from archipel.bots import Bot
from archipel.puzzles.data import Origin, Puzzle
from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, Definition
from archipel.rules.kit import Stream, stream_key
from archipel.study.backends import OnProgress, Progress, silent
from archipel.study.growing_files import GrowingFile, GrowingFileError
from archipel.study.puzzle_weighing import Decision, PuzzleScales, kind_of

SCHEMA = "archipel.found_puzzles"
VERSION = 1

#: Who plays, from those who overlook much up to those who rarely err; and how often, in a hundred
#: times, something else happens instead, so that there are positions that none of them gets into.
PLAYERS = ("greedy", "greedy", "greedy", "first-game", "regular")
STRAYING = (10, 20, 30)
#: No more of one game: its positions are too much alike. And of those that greedy solves, which are
#: found everywhere, only so many, none of them of the same kind, and in every third game only.
MOST_PER_GAME = 4
MOST_EASY = 2
EASY_EVERY = 3
#: And none within so many moves of another.
APART = 6


class FoundError(GrowingFileError):
    """A file of found puzzles that cannot be gone on with."""


class Head(Struct, frozen=True):
    """What is played, the same for all lines."""

    schema: str
    version: int
    game: str
    rules_version: int
    board: str
    options: dict[str, str]
    seed: int


class Line(Struct, frozen=True):
    """A game of self-play: how many decisions were looked at, and what was found."""

    game: int
    decisions: int
    puzzles: tuple[Puzzle, ...]


KIND = GrowingFile(SCHEMA, VERSION, Head, Line, FoundError)


@dataclass
class Found:
    """What has been found so far, by the number of the game."""

    head: Head
    games: dict[int, Line] = field(default_factory=dict)

    @property
    def puzzles(self) -> list[Puzzle]:
        return [puzzle for game in sorted(self.games) for puzzle in self.games[game].puzzles]

    @property
    def decisions(self) -> int:
        return sum(line.decisions for line in self.games.values())


def head_of(game: str, options: Mapping[str, str], seed: int) -> Head:
    """``options`` are those that are not as usual; how many play is left to chance."""
    definition = game_named(game)
    return Head(
        SCHEMA, VERSION, game, definition.rules_version, definition.board, dict(options), seed
    )


def read_found(path: Path) -> Found:
    """Raises `FoundError` or `OSError`."""
    return _found_in(*KIND.read(path))


def _found_in(head: Head, lines: Iterable[Line]) -> Found:
    return Found(head, {line.game: line for line in lines})


def find_puzzles(path: Path, head: Head, games: int, *, on_progress: OnProgress = silent) -> Found:
    """Play what is missing until so many games were looked through, and keep all of it.

    Raises `FoundError` or `OSError`; what was found is kept whatever comes.
    """
    with KIND.open(path, head) as (lines, file):
        found = _found_in(head, lines)
        missing = [number for number in range(games) if number not in found.games]
        on_progress(Progress(games - len(missing), games))
        if not missing:
            return found
        finder = _Finder(head, PuzzleScales(head.game, games, on_progress))
        for count, number in enumerate(missing, 1):
            line = finder.look_through(number)
            file.append(line)
            found.games[number] = line
            on_progress(Progress(games - len(missing) + count, games))
    return found


class _Finder:
    def __init__(self, head: Head, scales: PuzzleScales) -> None:
        self._head = head
        self._scales = scales
        self._definition = game_named(head.game)
        self._bots = {name: Bot.named(head.game, name) for name in PLAYERS}

    def look_through(self, number: int) -> Line:
        """One game; equal numbers and seeds, equal games."""
        seed = stream_key(self._head.seed, number)
        dice = Stream(stream_key(seed, 1))
        seats = _seats(self._definition, dice)
        bots = [self._bots[PLAYERS[dice.draw(len(PLAYERS))]] for _ in range(seats)]
        straying = STRAYING[dice.draw(len(STRAYING))]
        hunt = _Hunt(self._scales, MOST_EASY if number % EASY_EVERY == 0 else 0)
        definition, state, chance = self._definition, self._new_game(seats, seed), Stream(seed)
        players = tuple(bot.name for bot in bots)
        move = 0
        while (seat := definition.to_move(state)) != NOBODY and not hunt.is_over:
            legal = definition.legal_actions(state)
            action = legal[0]
            if len(legal) > 1:
                origin = Origin(number, move, players)
                hunt.look(Decision(state, seat, origin), stream_key(seed, move + 2))
                if dice.draw(100) < straying:
                    action = legal[dice.draw(len(legal))]
                else:
                    action = bots[seat].choose(definition.recalled(state, seat), legal, seed=move)
            definition.apply(state, action, chance)
            move += 1
        return Line(number, hunt.looked, tuple(hunt.puzzles))

    def _new_game(self, seats: int, seed: int) -> Any:
        options = self._definition.make_options(seats, **self._head.options)
        return self._definition.new(options, Stream(stream_key(seed, 0)))


class _Hunt:
    """What was found in one game so far."""

    def __init__(self, scales: PuzzleScales, most_easy: int) -> None:
        self._scales = scales
        self._most_easy = most_easy
        self._easy: set[str] = set()
        self._last = -APART
        self.looked = 0
        self.puzzles: list[Puzzle] = []

    @property
    def is_over(self) -> bool:
        return len(self.puzzles) == MOST_PER_GAME

    def look(self, decision: Decision, seed: int) -> None:
        if decision.origin.move - self._last < APART:
            return
        self.looked += 1
        solved = self._easy if len(self._easy) < self._most_easy else None
        found = self._scales.look_at(decision, seed, solved=solved)
        if found is not None:
            self.puzzles.append(found)
            self._last = decision.origin.move
            if found.solved_by_greedy:
                self._easy.add(kind_of(found.best))


def _seats(definition: Definition[Any], dice: Stream) -> int:
    """Two play in most games, three in every sixth."""
    wanted = 2 if dice.draw(6) else 3
    return min(max(wanted, definition.seats[0]), definition.seats[-1])
