"""Positions as text, declared field by field.

A game lists the words of its positions once, in a `PositionTable`.  Each `Field` says how its
values are written, where they lie in the state, what holds if the word is left out, and what it
means.  The table writes positions, reads them, refuses those that cannot occur in a game, completes
words at a prompt, and gives the rows of `docs/positions.md`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Generic, NoReturn, TypeVar

from archipel.rules.contract import NOBODY, NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.options import written
from archipel.rules.position_words import PositionWords

S = TypeVar("S")


def refuse(english: str, parts: Mapping[str, object] | None = None, /, **more: object) -> NoReturn:
    """Raise `NotationError` with a translatable sentence."""
    raise NotationError(english, **{**(parts or {}), **more})


def name_of(names: Mapping[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def names_in(constants: Any, last: int, none: int | None = None) -> dict[str, int]:
    """The constants of a namespace up to ``last``, by their names in lower case; ``-`` is none."""
    numbers = ((getattr(constants, name), name) for name in dir(constants) if name.isupper())
    return {"-" if v == none else n.lower(): v for v, n in sorted(numbers) if v <= last}


def listed(parts: Sequence[str]) -> str:
    """A list as text: ``-`` if it is empty."""
    return ",".join(parts) or "-"


def numbered(word: str, count: int) -> tuple[str, ...]:
    """One word per seat: ``diver1``, ``diver2`` and so on."""
    return tuple(f"{word}{number + 1}" for number in range(count))


def seats_of(s: Any) -> int:
    return int(s.seats)


@dataclass
class Reading(Generic[S]):
    """A text being read: its words, the state so far, and the pieces that it has named."""

    words: PositionWords
    s: S
    named: set[int] = dataclasses.field(default_factory=set)
    #: The word being read, its number within its field (such as the seat), and its text.
    word: str = ""
    index: int = 0
    text: str = ""

    @property
    def parts(self) -> list[str]:
        """The text as a list; ``-`` is an empty one."""
        return [] if self.text == "-" else self.text.split(",")

    def refuse(
        self, english: str, parts: Mapping[str, object] | None = None, /, **more: object
    ) -> NoReturn:
        """Refuse the word: ``{where}`` and ``{name}`` stand for it, ``{text}`` for its text."""
        word = {"where": self.word, "name": self.word, "text": self.text}
        refuse(english, {**word, **(parts or {})}, **more)


# ---- how values are written ---------------------------------------------------------------------


class Format:
    """How a value is written, and where it lies in the state."""

    #: Values to offer for completion.
    values: tuple[str, ...] = ()

    def write(self, s: Any, index: int) -> str:
        raise NotImplementedError

    def read(self, at: Reading[Any], default: str) -> None:
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Format):
    """A number within bounds; ``first`` is how 0 is written (1 for seats and rounds)."""

    attribute: str
    low: int
    high: int | Callable[[Any], int]
    first: int = 0

    def write(self, s: Any, index: int) -> str:
        return str(getattr(s, self.attribute) + self.first)

    def read(self, at: Reading[Any], default: str) -> None:
        high = self.high if isinstance(self.high, int) else self.high(at.s)
        number = at.words.number(at.word, self.low, high, int(default))
        setattr(at.s, self.attribute, number - self.first)


@dataclass(frozen=True)
class SeatOrNobody(Format):
    """A seat (or another piece numbered from 1); ``-`` is nobody."""

    attribute: str
    count: Callable[[Any], int] = seats_of

    def write(self, s: Any, index: int) -> str:
        seat = getattr(s, self.attribute)
        return "-" if seat == NOBODY else str(seat + 1)

    def read(self, at: Reading[Any], default: str) -> None:
        usual = NOBODY if default == "-" else int(default) - 1
        setattr(at.s, self.attribute, at.words.seat(at.word, self.count(at.s), usual))


@dataclass(frozen=True)
class Seats(Format):
    """The number of players; by default, the highest seat that has a word of its own."""

    low: int
    high: int
    named: Callable[[Any], Sequence[Sequence[str]]]

    def write(self, s: Any, index: int) -> str:
        return str(s.seats)

    def read(self, at: Reading[Any], default: str) -> None:
        seats = [
            seat
            for words in self.named(at.s)
            for seat, name in enumerate(words, 1)
            if name in at.words
        ]
        at.s.seats = at.words.number(at.word, self.low, self.high, max([self.low, *seats]))


@dataclass(frozen=True)
class Choice(Format):
    """One of some names."""

    attribute: str
    names: Mapping[str, int]

    @property
    def values(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(self.names)

    def write(self, s: Any, index: int) -> str:
        return name_of(self.names, getattr(s, self.attribute))

    def read(self, at: Reading[Any], default: str) -> None:
        at.text = at.words.text(at.word, default)
        if at.text not in self.names:
            choices = ", ".join(self.names)
            at.refuse("{name}={value}: expected one of {choices}", value=at.text, choices=choices)
        setattr(at.s, self.attribute, self.names[at.text])


@dataclass(frozen=True)
class Switch(Format):
    """On or off."""

    attribute: str
    values = ("on", "off")

    def write(self, s: Any, index: int) -> str:
        return "on" if getattr(s, self.attribute) else "off"

    def read(self, at: Reading[Any], default: str) -> None:
        value = written(at.words.text(at.word, default).lower())
        if value not in self.values:
            at.refuse("{name}={value}: expected on or off", value=value)
        setattr(at.s, self.attribute, int(value == "on"))


@dataclass(frozen=True)
class Written(Format):
    """Anything else: a writer and a reader of the game."""

    writer: Callable[[Any, int], str]
    reader: Callable[[Reading[Any]], None]

    def write(self, s: Any, index: int) -> str:
        return self.writer(s, index)

    def read(self, at: Reading[Any], default: str) -> None:
        at.text = at.words.text(at.word, default)
        self.reader(at)


# ---- the table ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Field:
    """A word of a position, or several words that are alike, such as one per seat."""

    word: str | tuple[str, ...]
    format: Format
    meaning: str
    default: str | Callable[[Any], object] = "-"
    """The text that is read if the word is left out, or a function of the state read so far."""
    usual: str = ""
    """The default in words for the documentation, if it is not just a value."""
    example: str = ""
    needs: tuple[str, ...] = ()
    """Words that must be read before."""
    count: Callable[[Any], int] | None = None
    """How many of the words are written in a position; without it, all of them."""
    read_all: bool = False
    """Whether words beyond ``count`` are read, to be refused."""
    left_out: str | None = None
    """A value with which the word is not written."""
    group: str = ""
    """Fields of a group are written together, seat by seat."""
    then: Callable[[Reading[Any]], None] | None = None
    """Completes the state once all words of the field are read."""

    @cached_property
    def words(self) -> tuple[str, ...]:
        return (self.word,) if isinstance(self.word, str) else self.word

    def in_use(self, s: Any) -> tuple[str, ...]:
        return self.words if self.count is None else self.words[: self.count(s)]

    def read(self, at: Reading[Any]) -> None:
        for index, word in enumerate(self.words if self.read_all else self.in_use(at.s)):
            at.index, at.word = index, word
            usual = self.default if isinstance(self.default, str) else str(self.default(at.s))
            self.format.read(at, usual)
        if self.then is not None:
            self.then(at)


def seats_field(
    low: int, high: int, named: Callable[[Any], Sequence[Sequence[str]]], **more: Any
) -> Field:
    """The field ``seats``; ``named`` gives the words of seats, in their order."""
    meaning = f"number of players, {low} to {high}"
    usual = f"`{low}`, or as many as have a word of their own"
    return Field("seats", Seats(low, high, named), meaning, str(low), usual, **more)


@dataclass(frozen=True, eq=False)
class PositionTable(Generic[S]):
    """The positions of a game: its fields in the order they are written, and its checks."""

    state: type[S]
    fields: tuple[Field, ...]
    shortest: str
    """The shortest position, to which the examples of the fields are added."""
    shortest_meaning: str
    deal_unseen: Callable[[S, Any], None]
    fault: Callable[[S], int]
    faults: Sequence[str]
    checks: tuple[Callable[[S], None], ...]
    """Checks of a position before its unknown parts are dealt; they raise `NotationError`."""
    dealt_checks: tuple[Callable[[S, S], None], ...] = ()
    """Checks of a position and of a world dealt from it."""
    example: str = "seats=2"
    """A word to show in the message for a text without words."""
    any_case: bool = False

    def write(self, s: S) -> str:
        words = []
        for each, index in self._writing_order:
            if each.count is None or index < each.count(s):
                text = each.format.write(s, index)
                if text != each.left_out:
                    words.append(f"{each.words[index]}={text}")
        return " ".join(words)

    @cached_property
    def _writing_order(self) -> list[tuple[Field, int]]:
        """The fields and the numbers of their words."""
        found = []
        for _, group in groupby(self.fields, key=lambda each: each.group or each.words):
            fields = list(group)
            for index in range(len(fields[0].words)):
                found += [(each, index) for each in fields]
        return found

    def read(self, text: str) -> S:
        """The position that a text describes; raises `NotationError`."""
        words = PositionWords(text.lower() if self.any_case else text, self.example)
        at = Reading(words, self.state())
        for read in self._reading_order:
            read.read(at)
        words.finish()
        self.check(at.s)
        return at.s

    def check(self, s: S) -> None:
        """Raise `NotationError` if the position cannot occur in a game."""
        for check in self.checks:
            check(s)
        world = clone(s)
        self.deal_unseen(world, Stream())
        if number := self.fault(world):
            raise NotationError(self.faults[number])
        for dealt_check in self.dealt_checks:
            dealt_check(s, world)

    @cached_property
    def _reading_order(self) -> list[Field]:
        """The fields, each after those that it needs."""
        found: list[Field] = []

        def visit(read: Field) -> None:
            if read not in found:
                for word in read.needs:
                    visit(next(other for other in self.fields if word in other.words))
                found.append(read)

        for read in self.fields:
            visit(read)
        return found

    def completions(self, typed: str) -> list[str]:
        """Return the completions of the last word of a text, each as the whole text."""
        before, space, last = typed.rpartition(" ")
        word, equals, _ = last.partition("=")
        given = {part.partition("=")[0] for part in before.split()}
        found = []
        for candidate in self.fields:
            for name in candidate.words:
                if equals and name == word:
                    found += [f"{name}={text}" for text in candidate.format.values]
                elif not equals and name not in given:
                    found.append(f"{name}=")
        return [before + space + text for text in found if text.startswith(last)]

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield the rows of the documentation: words, meaning, default and example."""
        for each in self.fields:
            words = [f"`{word}`" for word in each.words]
            several = "1" in each.words[0] and len(words) > 1
            named = f"{words[0]} to {words[-1]}" if several else ", ".join(words)
            usual = each.usual or f"`{each.default}`"
            yield named, each.meaning, usual, f"`{each.example}`" if each.example else ""
