"""What a bot is: a rule that chooses an action in a view, under a name that never changes sense."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from archipel.bots.appraisal import weights_of
from archipel.bots.search.plan import Plan
from archipel.rules import slots
from archipel.rules.contract import Definition
from archipel.rules.kit import Chance
from archipel.rules.kit.marking import AnyRule

#: Instead of a number among the bots that are rules.
NO_RULE = -1

_VERSIONED = re.compile(r"(?P<family>.+)-(?P<version>\d+)")


class UnknownBotError(KeyError):
    """A game has no bot of that name."""

    def __init__(self, game: str, name: str, names: tuple[str, ...]) -> None:
        self.message = f"{game} has no bot called {name!r}; there are: {', '.join(names)}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True)
class BotInfo:
    """A bot of a game. ``index`` is its place among them, by which rules know it.

    A name that ends in a number is frozen: whatever plays otherwise gets the next number.
    """

    game: str
    name: str
    index: int
    #: Whether people are offered it as an opponent; all others are there for studies.
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
    """A bot that searches by a plan. It is no rule, and so has no number among the rules' bots."""

    plan: Plan = field(kw_only=True)


def level(game: str, name: str, plan: Plan) -> Level:
    return Level(game, name, NO_RULE, plan=plan)


@dataclass(frozen=True)
class Roster:
    """All bots of a game, and the rule by which each of them chooses (see `slots.choose`).

    ``levels`` are those that search, the weakest first, and ``appraise`` is the game's knowledge
    that their plans may use (see `slots.appraise`).  ``former_levels`` are earlier versions: nobody
    is offered them, but whoever names one gets it, and what it once played can be explained.
    """

    definition: Definition[Any]
    choose: Callable[[Any, int, list[int], int, Chance], int]
    bots: tuple[BotInfo, ...]
    levels: tuple[Level, ...] = ()
    appraise: Callable[[Any, int, list[float]], int] = slots.appraise
    #: What a quick bot sees of an action, and how many traits there are (see `bots.quick`).
    describe: Callable[[Any, int, int], int] = slots.describe
    traits: int = 0
    glance: Callable[[Any], int] = slots.glance
    former_levels: tuple[Level, ...] = ()

    def __post_init__(self) -> None:
        if [bot.index for bot in self.bots] != list(range(len(self.bots))):
            raise ValueError(f"{self.definition.name}: bots are numbered in order, from 0")

    @property
    def players(self) -> tuple[BotInfo, ...]:
        """Whoever can be asked for by name."""
        return (*self.bots, *self.former_levels, *self.levels)

    @property
    def bindings(self) -> dict[AnyRule, AnyRule]:
        """What a program binds so that its bots are these."""
        return {
            slots.choose: self.choose,
            slots.appraise: self.appraise,
            slots.describe: self.describe,
            slots.glance: self.glance,
        }

    def named(self, name: str) -> BotInfo:
        """The bot of that name; of a family's bare name, the newest. Raises `UnknownBotError`."""
        return self._named(name, self.bots)

    def number_of(self, name: str) -> int:
        """By which the rules know the bot of that name."""
        return self.named(name).index

    def player_named(self, name: str) -> BotInfo:
        """Likewise, and it may be a level."""
        return self._named(name, self.players)

    def weights(self, appraisal: str, seats: int) -> tuple[float, ...]:
        """What the features of a position weigh, by a version of the appraisal; none if unnamed."""
        return weights_of(self.definition.name, appraisal, seats) if appraisal else ()

    def _named(self, name: str, bots: tuple[BotInfo, ...]) -> BotInfo:
        wanted = name.strip().lower()
        for bot in bots:
            if bot.name == wanted:
                return bot
        family = [bot for bot in bots if bot.family == wanted]
        if not family:
            names = tuple(bot.name for bot in bots)
            raise UnknownBotError(self.definition.name, name, names)
        return max(family, key=lambda bot: bot.version)
