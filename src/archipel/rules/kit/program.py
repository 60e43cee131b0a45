"""A program: rules for one game's state, gathered from where they are called, and how to run them.

Rules that serve any game call *open rules* (`archipel.rules.slots`), which a program binds to the
rules of its game, and name the fields they need in a Protocol; so they are written once and compile
once per game's state.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Protocol, cast

from archipel.rules.kit.chance import Chance, Stream
from archipel.rules.kit.fields import clone, copy_into
from archipel.rules.kit.marking import AnyRule, compiled_form, is_rule
from archipel.rules.kit.subset import ALLOWED_BUILTINS, SubsetError, check_subset


class Backend(Protocol):
    """Where a program runs: the entries are attributes, what they are given is made here."""

    @property
    def compiled(self) -> bool: ...

    def states(self, count: int) -> Any:
        """Room for so many states."""
        ...

    def write(self, states: Any, index: int, value: Any) -> None:
        """Put a plain state into such room."""
        ...

    def read(self, states: Any, index: int) -> Any:
        """A plain copy of a state in such room."""
        ...

    def stream(self, key: int) -> Any:
        """A stream of chance that starts at its key."""
        ...

    def numbers(self, *shape: int) -> Any:
        """Whole numbers, all 0: a list, or a list of lists."""
        ...

    def fractions(self, *shape: int) -> Any:
        """Fractions, all 0: a list, or a list of lists."""
        ...

    def records(self, kind: type[Any], count: int) -> Any:
        """So many records of a class that is not the state's, as they begin: room to work in."""
        ...

    def __getattr__(self, entry: str) -> AnyRule: ...


@dataclass(frozen=True, eq=False)
class Program:
    """The rules reachable from ``entries``, over one class of state."""

    name: str
    state: type[Any]
    entries: tuple[AnyRule, ...]
    bindings: Mapping[AnyRule, AnyRule] = field(default_factory=dict)

    def rules(self) -> list[AnyRule]:
        """Every rule the entries need, in the form that is compiled, callees first."""
        done: dict[AnyRule, None] = {}
        path: list[AnyRule] = []

        def visit(function: AnyRule) -> None:
            if function in done:
                return
            if function in path:
                raise SubsetError(
                    f"rule {function.__name__} calls itself: recursion is not allowed"
                )
            path.append(function)
            for callee in self.callees(function).values():
                visit(compiled_form(callee))
            path.pop()
            done[function] = None

        for entry in self.entries:
            visit(compiled_form(self.bound(entry)))
        return list(done)

    def bound(self, function: AnyRule) -> AnyRule:
        return self.bindings.get(function, function)

    def callees(self, function: AnyRule) -> dict[str, AnyRule]:
        """The rules a rule calls, by the name it calls them."""
        return {name: self.bound(value) for name, value in globals_used(function) if is_rule(value)}

    def check(self) -> None:
        """Refuse rules that leave the subset."""
        for function in self.rules():
            check_subset(function)
            for name, value in globals_used(function):
                if callable(value) and not is_rule(value) and not isinstance(value, type):
                    raise SubsetError(
                        f"{function.__code__.co_filename}:{function.__code__.co_firstlineno}: "
                        f"rule {function.__name__} calls {name}, which is not a rule"
                    )

    def interpreted(self) -> Interpreted:
        return Interpreted(self)


def globals_used(function: AnyRule) -> Iterator[tuple[str, Any]]:
    """Name and value of each module-level name a function refers to."""
    scope = function.__globals__
    for name in _global_names(function.__code__):
        if name in scope and name not in ALLOWED_BUILTINS:
            yield name, scope[name]


@cache
def _global_names(code: CodeType) -> tuple[str, ...]:
    # co_names would also list attributes: a field may be named like a rule.
    loads = (op.argval for op in dis.get_instructions(code) if op.opname == "LOAD_GLOBAL")
    return tuple(dict.fromkeys(loads))


class Interpreted:
    """A program run as ordinary Python: at once, with ordinary tracebacks."""

    compiled = False

    def __init__(self, program: Program) -> None:
        self._program = program
        self._copies: dict[AnyRule, AnyRule] = {}
        for entry in program.entries:
            setattr(self, entry.__name__, self._resolve(program.bound(entry)))

    def __getattr__(self, entry: str) -> AnyRule:
        raise AttributeError(f"program {self._program.name} has no entry {entry}")

    def _resolve(self, function: AnyRule) -> AnyRule:
        """The function itself, or where it reaches an open rule a copy that calls the bound one."""
        if function not in self._copies:
            callees = self._program.callees(function)
            replaced = {
                name: resolved
                for name, callee in callees.items()
                if (resolved := self._resolve(callee)) is not function.__globals__[name]
            }
            if replaced:
                original = cast(FunctionType, function)
                scope = {**original.__globals__, **replaced}
                self._copies[function] = FunctionType(original.__code__, scope, original.__name__)
            else:
                self._copies[function] = function
        return self._copies[function]

    def states(self, count: int) -> list[Any]:
        return [self._program.state() for _ in range(count)]

    def write(self, states: list[Any], index: int, value: Any) -> None:
        copy_into(value, states[index])

    def read(self, states: list[Any], index: int) -> Any:
        return clone(states[index])

    def stream(self, key: int) -> Chance:
        return Stream(key)

    def numbers(self, *shape: int) -> Any:
        if len(shape) == 1:
            return [0] * shape[0]
        return [[0] * shape[1] for _ in range(shape[0])]

    def fractions(self, *shape: int) -> Any:
        if len(shape) == 1:
            return [0.0] * shape[0]
        return [[0.0] * shape[1] for _ in range(shape[0])]

    def records(self, kind: type[Any], count: int) -> list[Any]:
        return [kind() for _ in range(count)]
