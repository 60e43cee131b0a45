"""A game's options: what a table may choose, checked once, before the game begins."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

Value = str | int | bool | None


class OptionError(ValueError):
    """An option that a game does not have or does not take, in words."""


@dataclass(frozen=True)
class Option:
    """One thing to choose. ``choices`` are all its values; the first is the default."""

    name: str
    choices: tuple[Value, ...]
    rule: str

    @property
    def default(self) -> Value:
        return self.choices[0]

    def parse(self, text: str) -> Value:
        """The choice that a text names."""
        for choice in self.choices:
            if text.lower() == choice_text(choice):
                return choice
        raise OptionError(f"{self.name}: {text!r} is not one of {self._choices()} ({self.rule})")

    def check(self, value: Value) -> Value:
        for choice in self.choices:
            if value == choice and type(value) is type(choice):
                return choice
        raise OptionError(f"{self.name}: {value!r} is not one of {self._choices()} ({self.rule})")

    def _choices(self) -> str:
        return ", ".join(choice_text(choice) for choice in self.choices)


def choice_text(choice: Value) -> str:
    """How a choice is written: on, off, drawn, a number or a word."""
    if isinstance(choice, bool):
        return "on" if choice else "off"
    return "drawn" if choice is None else str(choice)


@dataclass(frozen=True)
class Options:
    """The options of one game: the seats, and a value for every option there is."""

    seats: int
    values: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return iter(self.values.items())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Options):
            return NotImplemented
        return self.seats == other.seats and dict(self.values) == dict(other.values)

    def __hash__(self) -> int:
        return hash((self.seats, tuple(self.values.items())))

    def __str__(self) -> str:
        parts = (f"{name}={choice_text(value)}" for name, value in self.values.items())
        return " ".join((f"seats={self.seats}", *parts))


def make_options(
    game: str, seats_allowed: range, known: tuple[Option, ...], seats: int, given: Mapping[str, Any]
) -> Options:
    """Options with every value checked and every default filled in."""
    if type(seats) is not int or seats not in seats_allowed:
        raise OptionError(
            f"{game} is for {seats_allowed[0]} to {seats_allowed[-1]} players, not {seats}"
        )
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f": did you mean {near[0]}?" if near else f"; it has {', '.join(names)}"
            raise OptionError(f"{game} has no option {name}{hint}")
    values = {o.name: o.check(given[o.name]) if o.name in given else o.default for o in known}
    return Options(seats, values)
