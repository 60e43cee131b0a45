"""Rules that some games share, as one of those games has them.

A shared rule may leave names open: tables, numbers and rules that each game has of its own.  They
stand in a module of placeholders, from which the shared rules import them.  A game *adopts* a
shared rule: it gets a copy in which the open names, there and in whatever the rule calls, stand for
the game's own.  Nothing is looked up while a game runs, interpreted or compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast

from archipel.rules.kit.marking import AnyRule, is_apart, is_rule, rule, rule_apart
from archipel.rules.kit.program import globals_used

R = TypeVar("R", bound=AnyRule)

_COPIES: dict[tuple[AnyRule, frozenset[tuple[str, int]]], AnyRule] = {}
_COPIES_OF: dict[AnyRule, list[AnyRule]] = {}


class AdoptionError(TypeError):
    """A game does not give what a shared rule leaves open."""


class Adoption:
    """What a game gives for the open names, as far as it is known where this is made.

    ``adoption(shared_rule)`` is the game's copy.  Rules of a game may call such copies and be given
    for open names in turn: then ``adoption.and_also(...)`` knows more than the one before.
    """

    def __init__(self, open_names: ModuleType, own: Mapping[str, Any]) -> None:
        unknown = [name for name in own if name not in vars(open_names)]
        if unknown:
            raise AdoptionError(f"{open_names.__name__} leaves no {unknown[0]} open")
        self._open_names = open_names
        self._own = dict(own)

    def and_also(self, **own: Any) -> Adoption:
        return Adoption(self._open_names, {**self._own, **own})

    def __call__(self, function: R) -> R:
        return cast(R, self._copy(function))

    def _copy(self, function: AnyRule) -> AnyRule:
        """The function itself where nothing is open in it; else the copy, the same every time."""
        replaced = {}
        for name, value in globals_used(function):
            if self._is_open(name, value):
                replaced[name] = self._given(name, function)
            elif is_rule(value) and (copy := self._copy(value)) is not value:
                replaced[name] = copy
        if not replaced:
            return function
        key = function, frozenset((name, id(value)) for name, value in replaced.items())
        if key not in _COPIES:
            _COPIES[key] = _copied(function, replaced)
            _COPIES_OF.setdefault(function, []).append(_COPIES[key])
        return _COPIES[key]

    def _is_open(self, name: str, value: object) -> bool:
        return name in vars(self._open_names) and vars(self._open_names)[name] is value

    def _given(self, name: str, function: AnyRule) -> Any:
        if name not in self._own:
            raise AdoptionError(f"rule {function.__name__} needs {name}, which is still open")
        return self._own[name]


def _copied(function: AnyRule, replaced: Mapping[str, Any]) -> AnyRule:
    original = cast(FunctionType, function)
    scope = {**original.__globals__, **replaced}
    copy = FunctionType(original.__code__, scope, original.__name__)
    copy.__module__, copy.__qualname__ = original.__module__, original.__qualname__
    copy.__doc__, copy.__annotations__ = original.__doc__, original.__annotations__
    return rule_apart(copy) if is_apart(function) else rule(copy)


def copies_of(function: AnyRule) -> tuple[AnyRule, ...]:
    """The games' copies of a shared rule, made so far."""
    return tuple(_COPIES_OF.get(function, ()))
