"""Programs that play whole games, and one function that runs a range of games with any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

from archipel.bots import roster_of
from archipel.bots.contract import BotRules
from archipel.rules import play_out
from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.game_rules import NO_METRICS
from archipel.rules.kit import Chance, Program
from archipel.rules.kit.core.loading import load_backend
from archipel.rules.kit.core.program import Backend
from archipel.rules.metrics import Metrics
from archipel.rules.options import OptionError, Options
from archipel.rules.play_out import UnfinishedGameError
from archipel.rules.sentence import Sentence
from archipel.study.simulation.game_kernel import (
    BLANK,
    DECISIONS,
    OF_THE_GAME,
    RANKS,
    STATES,
    SURVIVOR_ROWS,
    UNFINISHED,
    GamesOfBots,
)

#: Number of rounds whose survivors are counted.
MAX_ROUNDS = 100


@cache
def simulation_program(game: str) -> Program:
    """Games between the rule-based bots of a game."""
    return _program(game, roster_of(game).rules, metrics=False)


@cache
def metrics_program(game: str) -> Program:
    """Like `simulation_program`, and also records each game's metrics."""
    return _program(game, roster_of(game).rules, metrics=True)


def _program(game: str, bots: BotRules, *, metrics: bool) -> Program:
    definition = game_named(game)
    collected = definition.metric_rules if metrics else NO_METRICS
    return definition.program(GamesOfBots(definition.rules, bots, collected).play_games)


# Cached: checking whether a program is compiled takes longer than a small batch of games.


@cache
def simulation_backend(game: str) -> Backend:
    return load_backend(simulation_program(game))


@cache
def metrics_backend(game: str) -> Backend:
    return load_backend(metrics_program(game))


class AnyBot(Protocol):
    """A player that chooses in Python: a bot, an external program or a function."""

    def choose(self, view: Any, legal: Sequence[int], *, chance: Chance) -> int: ...


class BotCaller:
    """Lets the kernel, run interpreted, ask Python objects: entrant e is ``bots[e]``."""

    def __init__(self, bots: Sequence[AnyBot]) -> None:
        self.bots = bots

    def choose(self, seen: Any, bot: int, actions: list[int], count: int, choices: Chance) -> int:
        return self.bots[bot].choose(seen, actions[:count], chance=choices)


def interpreted_games(game: str, caller: BotCaller, *, metrics: bool = False) -> Backend:
    """The games of `simulation_program` or `metrics_program`, with players that are no rules."""
    return _program(game, BotRules(caller.choose), metrics=metrics).interpreted()


class PlayedGames(NamedTuple):
    """Results in the rows of `game_kernel`, one column per game; survivors and places of loss."""

    rows: Any
    survivors: Any
    lost: Any


def run_games(
    backend: Backend,
    game: str,
    options: Options,
    bots: Sequence[int],
    seed: int,
    numbers: range,
    *,
    rotate: bool = True,
    common_chance: bool = False,
    metrics: Metrics | None = None,
) -> PlayedGames:
    """Play the games ``numbers`` of a seed; ``bots`` has the number of a bot for each entrant.

    ``common_chance`` gives all games of a rotation the same random numbers.  Raises
    `UnfinishedGameError`.
    """
    definition, seats = game_named(game), options.seats
    states = backend.states(STATES)
    backend.write(states, BLANK, definition.blank(options))
    entrants = backend.numbers(seats)
    for entrant, bot in enumerate(bots):
        entrants[entrant] = bot
    figures = len(metrics.figures) if metrics else 0
    height = RANKS + 2 * seats + (OF_THE_GAME + figures * seats if metrics else 0)
    rounds = MAX_ROUNDS if metrics else 0
    rows = backend.numbers(height, len(numbers))
    survivors = backend.numbers(SURVIVOR_ROWS, max(1, rounds))
    lost = backend.numbers(max(1, len(metrics.places)) if metrics else 1)
    backend.play_games(
        states,
        backend.numbers(definition.most_legal),
        entrants,
        backend.stream(0),
        backend.stream(0),
        seats,
        int(rotate),
        int(common_chance),
        play_out.MAX_DECISIONS,
        seed,
        numbers.start,
        len(numbers),
        rows,
        figures,
        backend.numbers(metrics.size if metrics else 1),
        survivors,
        rounds,
        lost,
    )
    for number, decisions in zip(numbers, rows[DECISIONS], strict=True):
        if decisions == UNFINISHED:
            raise UnfinishedGameError(
                f"game {number} of seed {seed} did not end within {play_out.MAX_DECISIONS} "
                f"decisions ({game}, {options})"
            )
    return PlayedGames(rows, survivors, lost)


def options_for(
    definition: Definition[Any], seats: int, options: Options | Mapping[str, object] | None
) -> Options:
    """Checked options for this number of players; raises `OptionError`."""
    if not isinstance(options, Options):
        return definition.make_options(seats, **(options or {}))
    if options.seats != seats:
        raise OptionError(
            Sentence(
                "{bots} bots for {seats} seats: name one for each", bots=seats, seats=options.seats
            )
        )
    return options
