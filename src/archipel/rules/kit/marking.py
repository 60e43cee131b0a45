"""``@rule``: marks a function as part of the rules and leaves it as it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Annotated, Any, TypeAlias, TypeVar, cast

U64: TypeAlias = Annotated[int, "u8"]
"""An unsigned 64-bit word. Kept to the chance functions: mixed with signed numbers it turns into
floating point when compiled."""

F32: TypeAlias = Annotated[float, "f4"]
"""A fraction of half the width, for lists that are handed on to learning machines."""

I8: TypeAlias = Annotated[int, "i1"]
"""A small whole number, likewise."""

AnyRule = Callable[..., Any]
R = TypeVar("R", bound=AnyRule)

_COMPILED_AS: dict[AnyRule, AnyRule] = {}
_APART: set[AnyRule] = set()
_SOURCES: dict[AnyRule, str] = {}


def rule(function: R) -> R:
    """Mark a function as a rule: it may be compiled, so it keeps to the subset of `kit.subset`."""
    _COMPILED_AS[function] = function
    return function


def rule_compiled_as(compiled: AnyRule) -> Callable[[R], R]:
    """Mark a function that another rule stands in for when compiled (see `kit.chance.draw`)."""

    def mark(function: R) -> R:
        _COMPILED_AS[function] = compiled
        return function

    return mark


def rule_apart(function: R) -> R:
    """Mark a rule that is not compiled into each of its callers by force.

    For large rules called from several places: copies of copies would take minutes to compile.
    """
    _APART.add(function)
    return rule(function)


def rule_from_source(
    name: str, source: str, scope: dict[str, Any], file: str, qualified: str
) -> AnyRule:
    """A rule whose source is made from a declaration, in the file named.

    It is kept for `archipel.rules.kit.subset`, which checks it like any other.
    """
    exec(compile(source, file, "exec", dont_inherit=True), scope)
    function: AnyRule = scope[name]
    function.__module__, function.__qualname__ = "archipel.rules.kit.observing", qualified
    _SOURCES[function] = source
    return rule(function)


def made_source(function: AnyRule) -> str | None:
    """The source of a rule that was made; None of one that somebody wrote."""
    return _SOURCES.get(function)


@cache
def apart(function: AnyRule) -> AnyRule:
    """A copy of a rule that is like one marked with `rule_apart`: for a program that calls it from
    more places than others do."""
    if is_apart(function):
        return function
    original = cast(FunctionType, function)
    copy = FunctionType(original.__code__, original.__globals__, original.__name__)
    copy.__module__, copy.__qualname__ = original.__module__, original.__qualname__
    copy.__doc__, copy.__annotations__ = original.__doc__, original.__annotations__
    return rule_apart(copy)


def is_apart(function: AnyRule) -> bool:
    return function in _APART


def is_rule(value: object) -> bool:
    return isinstance(value, FunctionType) and value in _COMPILED_AS


def compiled_form(function: AnyRule) -> AnyRule:
    """The rule that is compiled where this one is called."""
    return _COMPILED_AS[function]
