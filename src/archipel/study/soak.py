"""A soak: random games in great numbers, over all numbers of seats and all options of a game,
checking after every action that nothing is wrong with the position and that every game ends.

What fails can be played again, interpreted, up to where it failed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from archipel.game import Game
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, mix, stream_key
from archipel.rules.kit.program import Backend
from archipel.rules.options import OptionError, Options
from archipel.study.backends import OnProgress, Progress, backend_for, silent
from archipel.study.soak_kernel import (
    ALL_WELL,
    BLANK,
    DECISIONS,
    DISORDER,
    ENDLESS,
    FAILED_AT,
    FAILURE,
    NO_ACTION,
    REPORT,
    STATES,
    soak_games,
)
from archipel.study.threads import in_pieces, usable_cores

PIECE = 200

#: Random play takes its time, but not this long.
MOST_DECISIONS = 100_000

COMMON_FAILURES = {
    ENDLESS: f"the game did not end within {MOST_DECISIONS} decisions",
    NO_ACTION: "the game goes on, but there is no legal action",
    DISORDER: "the legal actions are not in ascending order",
}


@dataclass(frozen=True)
class Failure:
    """A game that went wrong: which one, after how many decisions, and how."""

    game: str
    options: Options
    seed: int
    number: int
    decisions: int
    reason: str

    def __str__(self) -> str:
        return (
            f"{self.game}, {self.options}: game {self.number} of seed {self.seed}, "
            f"after {self.decisions} decisions: {self.reason}"
        )


@dataclass(frozen=True)
class SoakResult:
    games: int
    decisions: int
    failure: Failure | None

    def __str__(self) -> str:
        played = f"{self.games:,} games, {self.decisions:,} decisions"
        return f"{played}: {self.failure or 'nothing wrong'}"


def soak(
    definition: Definition[Any],
    games: int,
    *,
    seed: int = 0,
    jobs: int | None = None,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
    most_decisions: int = MOST_DECISIONS,
) -> SoakResult:
    """Play so many games, evenly over seats and options, or until one fails."""
    backend = backend_for(definition.program(soak_games), compiled, games, on_progress)
    soaking = _Soaking(definition, backend, seed % 2**64, most_decisions)
    threads = (jobs or usable_cores()) if backend.compiled else 1
    done, decisions = 0, 0
    pieces = _pieces(games, list(all_options(definition)))
    with closing(in_pieces(pieces, soaking.play, threads)) as played:
        for (numbers, _), (taken, failure) in played:
            done += len(numbers)
            decisions += taken
            on_progress(Progress(done, games))
            if failure is not None:
                return SoakResult(done, decisions, failure)
    return SoakResult(done, decisions, None)


def all_options(definition: Definition[Any]) -> Iterator[Options]:
    """Every set of options a game may be played with."""
    names = [option.name for option in definition.options]
    for seats in definition.seats:
        for values in itertools.product(*(option.choices for option in definition.options)):
            try:
                yield definition.make_options(seats, **dict(zip(names, values, strict=True)))
            except OptionError:
                continue  # two choices that do not go together


def replay(definition: Definition[Any], failure: Failure) -> Game:
    """The game that failed, interpreted, up to the action after which it did."""
    chance = Stream(stream_key(failure.seed, failure.number))
    choices = Stream(mix(chance.key))
    start = definition.new(failure.options, chance)
    game = Game(definition, start, failure.options, chance)
    for _ in range(failure.decisions):
        legal = game.legal
        game.play(legal[choices.draw(len(legal))])
    return game


def _pieces(games: int, options: list[Options]) -> Iterator[tuple[range, Options]]:
    """The numbers of the games in pieces, each with one of the sets of options in turn."""
    size = max(1, min(PIECE, games // len(options)))
    for piece, first in enumerate(range(0, games, size)):
        yield range(first, min(first + size, games)), options[piece % len(options)]


@dataclass(frozen=True)
class _Soaking:
    definition: Definition[Any]
    backend: Backend
    seed: int
    most_decisions: int

    def play(self, piece: tuple[range, Options]) -> tuple[int, Failure | None]:
        """The decisions of some games, and the first failure among them."""
        numbers, options = piece
        backend = self.backend
        states = backend.states(STATES)
        backend.write(states, BLANK, self.definition.blank(options))
        report = backend.numbers(REPORT)
        failed = backend.soak_games(
            states,
            backend.numbers(self.definition.most_legal),
            backend.stream(0),
            backend.stream(0),
            self.most_decisions,
            self.seed,
            numbers.start,
            len(numbers),
            report,
        )
        if failed == ALL_WELL:
            return int(report[DECISIONS]), None
        number = int(report[FAILURE])
        reason = COMMON_FAILURES.get(number) or self.definition.faults[number]
        return int(report[DECISIONS]), Failure(
            game=self.definition.name,
            options=options,
            seed=self.seed,
            number=int(failed),
            decisions=int(report[FAILED_AT]),
            reason=reason,
        )
