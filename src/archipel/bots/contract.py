"""The bot contract: a bot is a rule that chooses an action in a view, under a fixed name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from archipel.bots.nets import NetFileError, packaged_net
from archipel.bots.search.config import NO_WEIGHTS, SearchConfig, Weights
from archipel.rules.contract import Definition
from archipel.rules.deprecation import former_arguments, former_attribute
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Chance, rule

#: The index of a bot that is not a rule.
NO_RULE = -1

_VERSIONED = re.compile(r"(?P<family>.+)-(?P<version>\d+)")


class UnknownBotError(KeyError):
    """A game has no bot of that name, perhaps because it was removed."""

    def __init__(
        self, game: str, name: str, names: tuple[str, ...], replacement: str | None = None
    ) -> None:
        self.message = f"{game} has no bot called {name!r}; there are: {', '.join(names)}"
        if replacement is not None:
            self.message = f"{game}: the bot {name!r} was removed; use {replacement} instead"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class UnknownEvaluationError(KeyError):
    """A game has no weights of that version, or none for that number of seats."""


@cache
def evaluation_of(game: str, version: str, seats: int) -> Weights:
    """Return a version of a game's evaluation; raises `UnknownEvaluationError`.

    A version is a JSON file in the game's package, fitted by
    `archipel.study.fitting.fit_evaluation`; or, if its name begins with ``net``, trained by
    ``archipel train``. It never changes once a level uses it. The former names
    ``appraisal_1`` and ``appraisal_2`` in older specifications mean ``evaluation_1`` and
    ``evaluation_2``.
    """
    if version.startswith("net"):
        try:
            net = packaged_net(game, version)
            return Weights(net.weights_for(seats), len(net.inputs), is_net=True)
        except NetFileError as error:
            raise UnknownEvaluationError(str(error)) from error
    version = version.replace("appraisal_", "evaluation_")
    file = files(f"archipel.bots.{game.replace('-', '_')}") / f"{version}.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["weights"][str(seats)]
    except (OSError, KeyError) as error:
        raise UnknownEvaluationError(f"{game}: no {version} for {seats} seats") from error
    return Weights(tuple(float(weight) for weight in found), len(found))


def weights_of(game: str, version: str, seats: int) -> tuple[float, ...]:
    """Return the weights of a version of a game's evaluation; raises `UnknownEvaluationError`."""
    return evaluation_of(game, version, seats).values


@rule
def no_features(s: GameState, seat: int, features: list[float]) -> int:
    """`BotRules.evaluate` of a game without evaluation features."""
    return 0


@rule
def no_glance(s: GameState) -> int:
    """`BotRules.glance` of a game whose features need no preparation."""
    return 0


@rule
def no_outcome(s: GameState) -> int:
    """`BotRules.outcome` of a game that does not tell outcomes apart."""
    return 0


@rule
def no_traits(s: GameState, seen: int, action: int) -> int:
    """`BotRules.describe` of a game without a linear policy."""
    return 0


@dataclass(frozen=True)
class BotRules:
    """The rules of a game's bots, as search, rollouts and studies call them."""

    choose: Callable[[Any, int, list[int], int, Chance], int]
    """Return the action that a bot, given by its number, chooses in a view."""
    evaluate: Callable[[Any, int, list[float]], int] = no_features
    """Fill in the evaluation features of a seat in a position and return their number.

    0 means that the position cannot be evaluated, for all seats alike, and play goes on until one
    can. The weights of the features are data (see `weights_of`).
    """
    describe: Callable[[Any, int, int], int] = no_traits
    """Return the features of an action, packed into one int (see `bots.linear_policy`)."""
    glance: Callable[[Any], int] = no_glance
    """Compute once per position what `describe` needs for every action."""
    net_inputs: Callable[[Any, int, list[float]], int] = no_features
    """Fill in the inputs of the evaluation net, as `evaluate` its features (see `NetInputs`)."""

    outcome: Callable[[Any], int] = no_outcome
    """Return a number from 0 that tells apart what chance led to, for nodes of a search tree."""


@dataclass(frozen=True)
class BotInfo:
    """A bot of a game. ``index`` is its number within the game's `Roster.choose`.

    A name that ends in a number is frozen: a bot that plays differently gets the next number.
    """

    game: str
    name: str
    index: int
    #: Whether people can pick it as an opponent; the others are for studies.
    offered: bool = True

    def __str__(self) -> str:
        return self.name

    @property
    def family(self) -> str:
        """The name without its version."""
        match = _VERSIONED.fullmatch(self.name)
        return match["family"] if match else self.name

    @property
    def version(self) -> int:
        match = _VERSIONED.fullmatch(self.name)
        return int(match["version"]) if match else 0


@dataclass(frozen=True)
class Level(BotInfo):
    """A bot that searches. Its index is `NO_RULE`."""

    config: SearchConfig = field(kw_only=True)

    plan = former_attribute("Level.plan", "config")


@dataclass(frozen=True)
class Roster:
    """All bots of a game, and the rule by which each of them chooses (see `BotRules.choose`).

    ``levels`` are the bots that search, the weakest first; ``evaluate`` fills in the features of a
    position that their evaluations weigh (see `BotRules.evaluate`). ``former_levels`` are earlier
    versions: they are not offered as opponents, but can still be named, so that old results can be
    reproduced.
    """

    definition: Definition[Any]
    choose: Callable[[Any, int, list[int], int, Chance], int]
    bots: tuple[BotInfo, ...]
    levels: tuple[Level, ...] = ()
    evaluate: Callable[[Any, int, list[float]], int] = no_features
    #: The features of an action for a quick bot, and their number (see `bots.linear_policy`).
    describe: Callable[[Any, int, int], int] = no_traits
    traits: int = 0
    glance: Callable[[Any], int] = no_glance
    former_levels: tuple[Level, ...] = ()
    #: The inputs of the evaluation net (see `bots.net_inputs`), and their names.
    net_inputs: Callable[[Any, int, list[float]], int] = no_features
    net_input_names: tuple[str, ...] = ()
    #: What chance led to, as a number (see `BotRules.outcome`).
    outcome: Callable[[Any], int] = no_outcome
    #: Names of removed bots, each with the bot to use instead.
    removed: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if [bot.index for bot in self.bots] != list(range(len(self.bots))):
            raise ValueError(f"{self.definition.name}: bots are numbered in order, from 0")

    @property
    def players(self) -> tuple[BotInfo, ...]:
        """Every bot and level that has a name."""
        return (*self.bots, *self.former_levels, *self.levels)

    @cached_property
    def rules(self) -> BotRules:
        """The rules of these bots, for code that serves any game."""
        return BotRules(
            self.choose,
            self.evaluate,
            self.describe,
            self.glance,
            self.net_inputs,
            self.outcome,
        )

    def named(self, name: str) -> BotInfo:
        """Return the bot of that name, or the newest of a family; raises `UnknownBotError`."""
        return self._named(name, self.bots)

    def number_of(self, name: str) -> int:
        return self.named(name).index

    def player_named(self, name: str) -> BotInfo:
        """Return the bot or level of that name or family; raises `UnknownBotError`."""
        return self._named(name, self.players)

    def evaluation(self, version: str, seats: int) -> Weights:
        """Return a version of the evaluation; one without weights for an empty version."""
        return evaluation_of(self.definition.name, version, seats) if version else NO_WEIGHTS

    def weights(self, version: str, seats: int) -> tuple[float, ...]:
        """Return a version's evaluation weights; none for an empty version."""
        return self.evaluation(version, seats).values

    def _named(self, name: str, bots: tuple[BotInfo, ...]) -> BotInfo:
        wanted = name.strip().lower()
        for bot in bots:
            if bot.name == wanted:
                return bot
        family = [bot for bot in bots if bot.family == wanted]
        if not family:
            game, names = self.definition.name, tuple(bot.name for bot in bots)
            removed = {BotInfo(game, old, NO_RULE).family: new for old, new in self.removed.items()}
            raise UnknownBotError(game, name, names, (removed | dict(self.removed)).get(wanted))
        return max(family, key=lambda bot: bot.version)


Roster.__init__ = former_arguments(appraise="evaluate")(Roster.__init__)  # type: ignore[method-assign]
