"""The five levels of every game: their names, and the file ``levels.toml`` that defines them.

A game's file lists its current and former levels. Each entry has a ``name`` such as "master-2", the
date ``since`` which it exists, the settings of its search (`SearchConfig`), for a former level the
name of the one that it was ``replaced_by``, and perhaps a level that it is ``based_on``, whose
settings it inherits. A table ``removed`` maps the names of removed bots to their replacements.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from importlib.resources import files
from typing import Any, Final

from archipel.bots.contract import NO_RULE, BotInfo, Level, Roster
from archipel.bots.search.config import SearchConfig
from archipel.rules.contract import Definition
from archipel.rules.kit import Chance

#: Families of the levels, the weakest first.
LEVELS: Final = ("first-game", "casual", "regular", "expert", "master")

#: Display names.
LEVEL_WORDS: Final = {
    language: dict(zip(LEVELS, words, strict=True))
    for language, words in {
        "en": ("First game", "Casual", "Regular", "Expert", "Master"),
        "fr": ("Première partie", "Occasionnel", "Habitué", "Expert", "Maître"),
    }.items()
}

_SETTINGS: Final = {field.name: str(field.type) for field in fields(SearchConfig)}
_TYPES: Final[dict[str, Any]] = {"int": int, "float": (int, float), "bool": bool, "str": str}


class LevelsFileError(ValueError):
    """A file of levels is invalid: the file, the level and the reason."""


def built_in_roster(
    definition: Definition[Any],
    names: Sequence[str],
    choose: Callable[[Any, int, list[int], int, Chance], int],
    evaluate: Callable[[Any, int, list[float]], int],
    *,
    for_studies: Collection[str] = (),
    **more: Any,
) -> Roster:
    """Return the roster of one of Archipel's own games, with the levels of its ``levels.toml``.

    ``names`` are the bots in the order of their numbers. Those ``for_studies`` are not offered as
    opponents.
    """
    bots = (
        BotInfo(definition.name, name, index, name not in for_studies)
        for index, name in enumerate(names)
    )
    roster = Roster(definition, choose, tuple(bots), evaluate=evaluate, **more)
    file = files(f"archipel.bots.{definition.name.replace('-', '_')}") / "levels.toml"
    return with_levels(roster, file.read_text("utf-8"))


def with_levels(roster: Roster, text: str) -> Roster:
    """Return the roster with the levels of a ``levels.toml``; raises `LevelsFileError`."""
    game = roster.definition.name
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LevelsFileError(f"{game}: levels.toml: {error}") from None
    names = {bot.name for bot in roster.bots}
    levels: dict[str, Level] = {}
    replaced: dict[str, str] = {}
    for entry in found.get("level", []):
        name = entry.get("name")
        try:
            if name in levels:
                raise ValueError("is defined twice")
            levels[name] = _level(game, entry, levels, names)
        except ValueError as error:
            raise LevelsFileError(f"{game}: levels.toml: level {name!r} {error}") from None
        if "replaced_by" in entry:
            replaced[name] = entry["replaced_by"]
    for name, newer in replaced.items():
        if newer not in levels or levels[newer].family != levels[name].family:
            raise LevelsFileError(
                f"{game}: levels.toml: level {name!r} is replaced by {newer!r}, "
                "which is no level of its family"
            )
    current = tuple(level for name, level in levels.items() if name not in replaced)
    if tuple(level.family for level in current) != LEVELS:
        raise LevelsFileError(
            f"{game}: levels.toml: the current levels are "
            f"{', '.join(level.name for level in current)}, not one of each family in order"
        )
    former = tuple(levels[name] for name in replaced)
    return replace(roster, levels=current, former_levels=former, removed=found.get("removed", {}))


def _level(
    game: str, entry: dict[str, Any], known: Mapping[str, Level], bots: Collection[str]
) -> Level:
    settings = dict(entry)
    name, since = settings.pop("name", None), settings.pop("since", None)
    settings.pop("replaced_by", None)
    based_on = settings.pop("based_on", None)
    if not isinstance(name, str) or BotInfo(game, name, NO_RULE).family not in LEVELS:
        raise ValueError(f"is not named like {LEVELS[-1]}-1")
    if not isinstance(since, date):
        raise ValueError("has no date 'since'")
    if based_on is not None:
        if based_on not in known:
            raise ValueError(f"is based on {based_on!r}, which is not defined above it")
        base = known[based_on].config
        settings = {key: getattr(base, key) for key in _SETTINGS} | settings
    if "simulations" not in settings:
        raise ValueError("has no number of simulations")
    for key, value in settings.items():
        if key not in _SETTINGS:
            raise ValueError(f"has a setting {key!r}; there are: {', '.join(_SETTINGS)}")
        kind = _SETTINGS[key]
        if not isinstance(value, _TYPES[kind]) or isinstance(value, bool) != (kind == "bool"):
            raise ValueError(f"has {key} = {value!r}, which is no {kind}")
    config = SearchConfig(**settings)
    for role, bot in config.bots().items():
        if bot not in bots:
            raise ValueError(f"has {role} = {bot!r}, which is no bot of the game")
    return Level(game, name, NO_RULE, config=config)
