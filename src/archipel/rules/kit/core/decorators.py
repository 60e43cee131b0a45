"""``@rule`` and its variants: they register a function and return it unchanged."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Annotated, Any, TypeAlias, TypeVar

U64: TypeAlias = Annotated[int, "u8"]
"""An unsigned 64-bit word, for chance only: mixed with signed numbers, Numba makes it a float."""

F32: TypeAlias = Annotated[float, "f4"]
"""A 32-bit float, for observations."""

I8: TypeAlias = Annotated[int, "i1"]
"""An 8-bit integer, for observations."""

AnyRule = Callable[..., Any]
R = TypeVar("R", bound=AnyRule)


class SubsetError(TypeError):
    """A rule is outside the subset; the message has the file, the line and the reason."""


_COMPILED_AS: dict[AnyRule, AnyRule] = {}
_APART: set[AnyRule] = set()
_SOURCES: dict[AnyRule, str] = {}


def rule(function: R) -> R:
    """Mark a function as a rule, which is in the subset of `core.subset` and can be compiled."""
    _COMPILED_AS[function] = function
    return function


def namespace(constants: type[Any]) -> Any:
    """Replace a class of constants by an object with the same attributes.

    Python 3.11 reads slots of objects several times as fast as attributes of classes.
    """
    values = {name: value for name, value in vars(constants).items() if not name.startswith("__")}
    kept = {"__doc__": constants.__doc__, "__module__": constants.__module__}
    members = type(constants.__name__, (), {**kept, "__slots__": tuple(values)})()
    for name, value in values.items():
        setattr(members, name, value)
    return members


def rule_compiled_as(compiled: AnyRule) -> Callable[[R], R]:
    """Mark a function that another rule replaces when compiled (see `core.chance.draw`)."""

    def mark(function: R) -> R:
        _COMPILED_AS[function] = compiled
        return function

    return mark


def rule_apart(function: R) -> R:
    """Mark a rule that is not inlined into its callers.

    For large rules called from several places: inlining them everywhere would take minutes.
    """
    _APART.add(function)
    return rule(function)


def rule_from_source(
    name: str, source: str, scope: dict[str, Any], file: str, qualified: str
) -> AnyRule:
    """Make a rule from generated source; ``file`` is the file that tracebacks name.

    The source is stored, so that `archipel.rules.kit.core.subset` can check it.
    """
    exec(compile(source, file, "exec", dont_inherit=True), scope)
    function: AnyRule = scope[name]
    function.__module__, function.__qualname__ = "archipel.rules.kit.core.observations", qualified
    _SOURCES[function] = source
    return rule(function)


def made_source(function: AnyRule) -> str | None:
    """Return the source of a generated rule, or None for a rule in a file."""
    return _SOURCES.get(function)


def is_apart(rule: AnyRule) -> bool:
    return (rule.__func__ if isinstance(rule, MethodType) else rule) in _APART


def is_rule(value: object) -> bool:
    """Whether a value is a rule: a marked function, or a marked method of an object."""
    function = value.__func__ if isinstance(value, MethodType) else value
    return isinstance(function, FunctionType) and function in _COMPILED_AS


def compiled_form(rule: AnyRule) -> AnyRule:
    """Return the rule that is compiled in place of this one."""
    return rule if isinstance(rule, MethodType) else _COMPILED_AS[rule]
