"""The options of a game, checked before the game begins."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from archipel.rules.sentence import Sentence, ToldError

Value = str | int | bool | None

#: Synonyms of on, off and drawn.
_SYNONYMS: Final = {
    **dict.fromkeys(("true", "yes", "oui"), "on"),
    **dict.fromkeys(("false", "no", "non"), "off"),
    **dict.fromkeys(("none", "random"), "drawn"),
}


class OptionError(ToldError):
    """An option that a game does not have, or a value that it does not accept."""


@dataclass(frozen=True)
class Option:
    """An option with all its values; the first is the default.

    A value can be given as itself or as text: ``True``, ``"on"`` and ``"yes"`` are the same, as are
    ``2`` and ``"2"``.
    """

    name: str
    choices: tuple[Value, ...]
    rule: str
    former: tuple[Value, ...] = ()
    """Values of games by earlier rules: accepted, but no longer offered."""
    former_defaults: tuple[tuple[int, Value], ...] = ()
    """Defaults of earlier rules: the last rules version of each, in ascending order, and the
    value."""

    @property
    def default(self) -> Value:
        return self.choices[0]

    @property
    def accepted(self) -> tuple[Value, ...]:
        return self.choices + self.former

    def default_in(self, version: int) -> Value:
        """Return the default of a rules version."""
        defaults = (value for last, value in self.former_defaults if version <= last)
        return next(defaults, self.default)

    def choose(self, value: object) -> Value:
        """Return the value that a value or text names, or raise `OptionError`."""
        words = {choice_text(choice): choice for choice in self.accepted}
        if value is None or isinstance(value, str | int):
            text = choice_text(value).strip().lower()
            for meant in (text, _SYNONYMS.get(text, text)):
                if meant in words:
                    return words[meant]
        raise OptionError(
            "{name}: {value} is not one of {choices} ({rule})",
            name=self.name,
            value=choice_text(value) if isinstance(value, str | int) else repr(value),
            choices=", ".join(map(choice_text, self.choices)),
            rule=self.rule,
        )


def choice_text(choice: Value) -> str:
    """Return the text of a value: on, off, drawn, a number or a word."""
    if isinstance(choice, bool):
        return "on" if choice else "off"
    return "drawn" if choice is None else str(choice)


def written(value: str | int) -> str:
    """Return a value as positions and records write it; synonyms of on and off are normalized."""
    text = choice_text(value)
    meant = _SYNONYMS.get(text.lower())
    return meant if meant in ("on", "off") else text


@dataclass(frozen=True)
class Options:
    """The options of one game: the number of seats, and a value for every option."""

    seats: int
    values: Mapping[str, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return iter(self.values.items())

    def __hash__(self) -> int:
        return hash((self.seats, tuple(self.values.items())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Options, (self.seats, dict(self.values))

    def __str__(self) -> str:
        parts = (f"{name}={choice_text(value)}" for name, value in self.values.items())
        return " ".join((f"seats={self.seats}", *parts))


def is_whole(value: object) -> bool:
    """Whether a value is a whole number of any integer type, such as NumPy's."""
    return hasattr(type(value), "__index__") and not isinstance(value, bool)


def make_options(
    game: str, seats_allowed: range, known: tuple[Option, ...], seats: int, given: Mapping[str, Any]
) -> Options:
    """Check the given values and fill in the defaults."""
    if not is_whole(seats):
        raise OptionError("seats: expected a whole number, not {seats}", seats=repr(seats))
    seats = int(seats)
    if seats not in seats_allowed:
        raise OptionError(wrong_seats(game, seats_allowed, seats))
    names = [option.name for option in known]
    for name in given:
        if name not in names:
            parts = {"game": game, "name": name}
            if near := difflib.get_close_matches(name, names, 1):
                raise OptionError(
                    "{game} has no option {name}: did you mean {near}?", **parts, near=near[0]
                )
            raise OptionError(
                "{game} has no option {name}; it has {known}", **parts, known=", ".join(names)
            )
    values = {o.name: o.choose(given[o.name]) if o.name in given else o.default for o in known}
    return Options(seats, values)


def wrong_seats(game: str, allowed: range, seats: object) -> Sentence:
    return Sentence(
        "{game} is for {low} to {high} players, not {seats}",
        game=game,
        low=allowed[0],
        high=allowed[-1],
        seats=seats,
    )
