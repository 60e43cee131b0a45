"""Games and bots of other packages, found by their entry points.

Plug-ins that cannot be used are skipped with a reason: a bad package never affects the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition, games, register
from archipel.rules.sentence import ENGLISH, ToldError

GAMES = "archipel.games"
BOTS = "archipel.bots"

T = TypeVar("T")

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_NAME = 32


class PluginError(ToldError):
    """A plug-in that cannot be used."""


@dataclass(frozen=True)
class LeftOut:
    """An entry point that was skipped: its package, and why."""

    package: str
    entry: str
    error: Exception

    @property
    def reason(self) -> str:
        return self.tell(ENGLISH)

    def tell(self, language: str) -> str:
        """Return the reason on one line; messages of the package itself are not translated."""
        if isinstance(self.error, ToldError):
            return " ".join(self.error.tell(language).split())
        return " ".join(f"{type(self.error).__name__}: {self.error}".split())

    def __str__(self) -> str:
        return f"{self.entry} of {self.package}: {self.reason}"


_LEFT_OUT: list[LeftOut] = []


def left_out() -> tuple[LeftOut, ...]:
    """Return the entry points that were skipped so far."""
    return tuple(_LEFT_OUT)


def add_all(group: str, kind: type[T], add: Callable[[T], None]) -> None:
    """Load all entry points of a group, sorted by name, and add those of the right type."""
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)):
        try:
            found = entry.load()
            if not isinstance(found, kind):
                raise PluginError("{value} is not a {kind}", value=entry.value, kind=kind.__name__)
            add(found)
        except Exception as error:
            _LEFT_OUT.append(LeftOut(_package(entry), entry.name, error))


def add_games() -> None:
    """Register the games of other packages after the built-in ones."""
    add_all(GAMES, Definition, _add_game)


def _add_game(definition: Definition[Any]) -> None:
    name = definition.name
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        raise PluginError(
            "{name!r} is no name for a game: small letters, digits and hyphens", name=name
        )
    if any(game.name == name for game in games()):
        raise PluginError("there is already a game called {name}", name=name)
    for language in LANGUAGES:
        definition.booklet(language)
        definition.catalogue(language)
    register(definition)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.module
