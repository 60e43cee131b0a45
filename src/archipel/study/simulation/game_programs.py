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
from archipel.study.simulation import game_kernel as kernel

#: Number of rounds whose survivors are counted.
MAX_ROUNDS = 100


@cache
def games_program(game: str, *, metrics: bool = False) -> Program:
    """Games between the rule-based bots of a game, with or without its metrics."""
    return _program(game, roster_of(game).rules, metrics=metrics)


def _program(game: str, bots: BotRules, *, metrics: bool) -> Program:
    definition = game_named(game)
    collected = definition.metric_rules if metrics else NO_METRICS
    return definition.program(kernel.GamesOfBots(definition.rules, bots, collected).play_games)


@cache
def games_backend(game: str, *, metrics: bool = False) -> Backend:
    """Cached: checking whether a program is compiled takes longer than a small batch of games."""
    return load_backend(games_program(game, metrics=metrics))


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
    """The games of `games_program` with players that are no rules."""
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
    states, streams = backend.states(kernel.STATES), (backend.stream(0), backend.stream(0))
    backend.write(states, kernel.BLANK, definition.blank(options))
    actions, entrants = backend.numbers(definition.most_legal), backend.numbers(seats)
    entrants[:] = bots
    figures, rounds = (len(metrics.figures), MAX_ROUNDS) if metrics else (0, 0)
    height = kernel.RANKS + 2 * seats + (kernel.OF_THE_GAME + figures * seats if metrics else 0)
    rows = backend.numbers(height, len(numbers))
    counts = backend.numbers(metrics.size if metrics else 1)
    survivors = backend.numbers(kernel.SURVIVOR_ROWS, max(1, rounds))
    lost = backend.numbers(max(1, len(metrics.places)) if metrics else 1)
    playing = states, actions, entrants, *streams, seats, int(rotate), int(common_chance)
    games = play_out.MAX_DECISIONS, seed, numbers.start, len(numbers)
    backend.play_games(*playing, *games, rows, figures, counts, survivors, rounds, lost)
    for number, decisions in zip(numbers, rows[kernel.DECISIONS], strict=True):
        if decisions == kernel.UNFINISHED:
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
        counts = {"bots": seats, "seats": options.seats}
        why = Sentence("{bots} bots for {seats} seats: name one for each", **counts)
        raise OptionError(why)
    return options
