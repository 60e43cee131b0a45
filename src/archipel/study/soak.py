"""Soak test: random games over all numbers of seats and options, checking every position.

A failed game can be replayed in plain Python up to the failure.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from archipel.game import Game
from archipel.rules.contract import Definition
from archipel.rules.deprecation import former_arguments
from archipel.rules.game_rules import GameRules, GameState
from archipel.rules.kit import U64, Stream, draw, mix, rule, stream_key
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.options import OptionError, Options
from archipel.rules.play_out import MAX_DECISIONS
from archipel.study.executors.threads import run_in_threads, usable_cores
from archipel.study.progress import OnProgress, Progress, load_program, silent
from archipel.study.simulation.game_kernel import BLANK, PLAYED, STATES

#: Games per batch.
BATCH = 200

ALL_WELL = -1  # in place of the number of a failed game

# Entries of the report: decisions so far, then place and kind of the first failure.
DECISIONS = 0
FAILED_AT = 1
FAILURE = 2
REPORT = 3

# Failures common to all games; a game's own faults are numbered from 1.
ENDLESS = -1
NO_ACTION = -2
DISORDER = -3


@rule
def fault_of_actions(actions: list[int], count: int) -> int:
    """0, or a failure if there is no legal action or the actions do not ascend."""
    if count <= 0:
        return NO_ACTION
    for index in range(1, count):
        if actions[index] <= actions[index - 1]:
            return DISORDER
    return 0


@dataclass(frozen=True)
class SoakGames:
    """Plays random games and checks every position."""

    game: GameRules

    @rule
    def soak_games(
        self,
        states: list[GameState],
        actions: list[int],
        chance: Stream,
        choices: Stream,
        most_decisions: int,
        seed: U64,
        first: int,
        games: int,
        report: list[int],
    ) -> int:
        """Play games from number ``first`` on; returns the first that fails, or ALL_WELL."""
        for game in range(first, first + games):
            copy_state(states, BLANK, PLAYED)
            s = states[PLAYED]
            chance.key = stream_key(seed, game)
            chance.counter = 0
            choices.key = mix(chance.key)
            choices.counter = 0
            self.game.set_up(s, chance)
            failure = self.play_on(s, actions, chance, choices, most_decisions, report)
            if failure != 0:
                report[FAILURE] = failure
                return game
        return ALL_WELL

    @rule
    def play_on(
        self,
        s: GameState,
        actions: list[int],
        chance: Stream,
        choices: Stream,
        most_decisions: int,
        report: list[int],
    ) -> int:
        """Play a position to its end; returns 0 or the first failure."""
        decisions = 0
        failure = self.game.fault(s)
        while failure == 0 and self.game.to_move(s) >= 0:
            count = self.game.legal(s, actions)
            failure = fault_of_actions(actions, count)
            if decisions == most_decisions:
                failure = ENDLESS
            if failure == 0:
                self.game.apply(s, actions[draw(choices, count)], chance)
                decisions += 1
                failure = self.game.fault(s)
        report[DECISIONS] += decisions
        report[FAILED_AT] = decisions
        return failure


COMMON_FAILURES = {
    ENDLESS: f"the game did not end within {MAX_DECISIONS} decisions",
    NO_ACTION: "the game goes on, but there is no legal action",
    DISORDER: "the legal actions are not in ascending order",
}


@dataclass(frozen=True)
class Failure:
    """A failed game, the number of decisions before the failure, and the reason."""

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


@former_arguments(jobs="workers")
def soak(
    definition: Definition[Any],
    games: int,
    *,
    seed: int = 0,
    workers: int | None = None,
    on_progress: OnProgress = silent,
    compiled: bool | None = None,
    most_decisions: int = MAX_DECISIONS,
) -> SoakResult:
    """Play games, evenly over seats and options, until one fails."""
    program = definition.program(SoakGames(definition.rules).soak_games)
    backend = load_program(program, compiled, games, on_progress)

    def play(batch: tuple[range, Options]) -> tuple[int, Failure | None]:
        """Play a batch; the number of decisions and the first failure."""
        numbers, options = batch
        states = backend.states(STATES)
        backend.write(states, BLANK, definition.blank(options))
        report, actions = backend.numbers(REPORT), backend.numbers(definition.most_legal)
        streams, key = (backend.stream(0), backend.stream(0)), seed % 2**64
        span = numbers.start, len(numbers)
        failed = backend.soak_games(states, actions, *streams, most_decisions, key, *span, report)
        if failed == ALL_WELL:
            return int(report[DECISIONS]), None
        number, decisions = int(report[FAILURE]), int(report[FAILED_AT])
        reason = COMMON_FAILURES.get(number) or definition.faults[number]
        failure = Failure(definition.name, options, key, int(failed), decisions, reason)
        return int(report[DECISIONS]), failure

    threads = (workers or usable_cores()) if backend.compiled else 1
    done, decisions = 0, 0
    batches = _batches(games, list(all_options(definition)))
    with closing(run_in_threads(batches, play, threads)) as played:
        for (numbers, _), (taken, failure) in played:
            done += len(numbers)
            decisions += taken
            on_progress(Progress(done, games))
            if failure is not None:
                return SoakResult(done, decisions, failure)
    return SoakResult(done, decisions, None)


def all_options(definition: Definition[Any]) -> Iterator[Options]:
    """Yield every valid set of options of a game."""
    names = [option.name for option in definition.options]
    for seats in definition.seats:
        for values in itertools.product(*(option.accepted for option in definition.options)):
            try:
                yield definition.make_options(seats, **dict(zip(names, values, strict=True)))
            except OptionError:
                continue  # incompatible choices


def replay(definition: Definition[Any], failure: Failure) -> Game:
    """Replay a failed game in plain Python, up to the action after which it failed."""
    chance = Stream(stream_key(failure.seed, failure.number))
    choices = Stream(mix(chance.key))
    start = definition.new(failure.options, chance)
    game = Game(definition, start, failure.options, chance)
    for _ in range(failure.decisions):
        legal = game.legal
        game.play(legal[choices.draw(len(legal))])
    return game


def _batches(games: int, options: list[Options]) -> Iterator[tuple[range, Options]]:
    """Batches of game numbers, with the sets of options in turn."""
    size = max(1, min(BATCH, games // len(options)))
    for batch, first in enumerate(range(0, games, size)):
        yield range(first, min(first + size, games)), options[batch % len(options)]
