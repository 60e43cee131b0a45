"""A program: the rules that run together over one game's state, found by following calls.

Rules that serve any game are methods of objects that hold a game's rules (see
`archipel.rules.game_rules`), so they are written once and compiled once per game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from archipel.rules.kit.core.chance import (
    Chance,
    Stream,
    draw,
    draw_for,
    draw_from_stream,
    draw_from_stream_for,
)
from archipel.rules.kit.core.decorators import (
    AnyRule,
    SubsetError,
    compiled_form,
    is_apart,
    is_rule,
)
from archipel.rules.kit.core.fields import clone, copy_into
from archipel.rules.kit.core.lowering import function_of, globals_used
from archipel.rules.kit.core.subset import check_subset


@dataclass(frozen=True)
class CompiledChance:
    """What compiled rules take as `Chance`: a record, and the rules that draw from it."""

    record: type[Any] = Stream
    draw: AnyRule = draw_from_stream
    draw_for: AnyRule = draw_from_stream_for

    def compiled_form(self, function: AnyRule) -> AnyRule:
        """Return the rule that is compiled in place of this one."""
        if function is draw_for:
            return self.draw_for
        return self.draw if function is draw else compiled_form(function)


#: The chance of search and simulation.
STREAM = CompiledChance()


class Backend(ABC):
    """Runs a program: its entries are attributes, and methods allocate their arguments."""

    compiled: bool

    def __init__(self, program: Program, entries: Mapping[str, AnyRule]) -> None:
        self._program = program
        for name, entry in entries.items():
            setattr(self, name, entry)

    def __getattr__(self, entry: str) -> AnyRule:
        raise AttributeError(f"program {self._program.name} has no entry {entry}")

    @abstractmethod
    def states(self, count: int) -> Any:
        """Allocate ``count`` states."""

    @abstractmethod
    def write(self, states: Any, index: int, value: Any) -> None:
        """Copy a plain state into allocated states."""

    @abstractmethod
    def read(self, states: Any, index: int) -> Any:
        """Return a plain copy of an allocated state."""

    @abstractmethod
    def stream(self, key: int) -> Any:
        """Return a random stream with that key."""

    @abstractmethod
    def numbers(self, *shape: int) -> Any:
        """Allocate integers, all 0, in one or two dimensions."""

    @abstractmethod
    def fractions(self, *shape: int) -> Any:
        """Allocate floats, all 0, in one or two dimensions."""

    @abstractmethod
    def records(self, kind: type[Any], count: int) -> Any:
        """Allocate ``count`` records of another class, with its defaults."""


class Program:
    """The rules reachable from ``entries``, over one class of state.

    An entry is a rule or a method of an object that holds a game's rules.  It is called by its own
    name, or by the one that a mapping gives it.  A rule in ``apart`` is compiled once and called,
    instead of being inlined into each caller (see `rule_apart`).  ``chance`` is what its compiled
    form draws from.
    """

    def __init__(
        self,
        name: str,
        state: type[Any],
        entries: Iterable[AnyRule] | Mapping[str, AnyRule],
        apart: Iterable[AnyRule] = (),
        chance: CompiledChance = STREAM,
    ) -> None:
        self.name = name
        self.state = state
        if not isinstance(entries, Mapping):
            entries = {entry.__name__: entry for entry in entries}
        self.entries: Mapping[str, AnyRule] = entries
        self._apart = frozenset(apart)
        self.chance = chance

    def rules(self) -> list[AnyRule]:
        """Return every rule that the entries need, in its compiled form, callees first."""
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
            for callee in callees(function).values():
                visit(self.chance.compiled_form(callee))
            path.pop()
            done[function] = None

        for entry in self.entries.values():
            visit(self.chance.compiled_form(entry))
        return list(done)

    def is_apart(self, rule: AnyRule) -> bool:
        """Whether a rule is called instead of being inlined."""
        return rule in self._apart or is_apart(rule)

    def check(self) -> None:
        """Raise `SubsetError` for a rule outside the subset."""
        for function in self.rules():
            check_subset(function)
            for name, value in globals_used(function):
                if callable(value) and not is_rule(value) and not isinstance(value, type):
                    code = function_of(function).__code__
                    raise SubsetError(
                        f"{code.co_filename}:{code.co_firstlineno}: "
                        f"rule {function.__name__} calls {name}, which is not a rule"
                    )

    def interpreted(self) -> Interpreted:
        return Interpreted(self)


def callees(rule: AnyRule) -> dict[str, AnyRule]:
    """Return the rules that a rule calls, by their names in its lowered form."""
    return {name: value for name, value in globals_used(rule) if is_rule(value)}


class Interpreted(Backend):
    """A program run as ordinary Python: at once, with ordinary tracebacks."""

    compiled = False

    def __init__(self, program: Program) -> None:
        super().__init__(program, program.entries)

    def states(self, count: int) -> list[Any]:
        return [self._program.state() for _ in range(count)]

    def write(self, states: list[Any], index: int, value: Any) -> None:
        copy_into(value, states[index])

    def read(self, states: list[Any], index: int) -> Any:
        return clone(states[index])

    def stream(self, key: int) -> Chance:
        return Stream(key)

    def numbers(self, *shape: int) -> Any:
        return [0] * shape[0] if len(shape) == 1 else [[0] * shape[1] for _ in range(shape[0])]

    def fractions(self, *shape: int) -> Any:
        return [0.0] * shape[0] if len(shape) == 1 else [[0.0] * shape[1] for _ in range(shape[0])]

    def records(self, kind: type[Any], count: int) -> list[Any]:
        return [kind() for _ in range(count)]
