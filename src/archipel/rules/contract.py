"""What every game provides, and the register of games.

A game is its `Definition`: rule functions over its state, and around them its options, notation,
narration and pictures.  Everything else in the package works on definitions, never on one game.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from msgspec import Struct

from archipel.rules import slots
from archipel.rules.booklet import Booklet, load_booklet
from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.course import Course
from archipel.rules.data_files import DataFileError
from archipel.rules.kit import Chance, Program, clone
from archipel.rules.kit.marking import AnyRule
from archipel.rules.kit.observing import Observation
from archipel.rules.options import Option, Options, make_options
from archipel.rules.positions import Position
from archipel.rules.scene import Scene
from archipel.rules.sentence import Sentence, ToldError

S = TypeVar("S")

SPECTATOR = -1
NOBODY = -1


class RuleError(ValueError):
    """Something the rules refuse: which rule, and why in words; ``tell`` says it in any language
    that the game speaks."""

    def __init__(
        self, rule: str, reason: str, in_language: Callable[[str], str] | None = None
    ) -> None:
        super().__init__(_with_rule(rule, reason))
        self.rule = rule
        self.reason = reason
        self._in_language = in_language

    def tell(self, language: str) -> str:
        reason = self.reason if self._in_language is None else self._in_language(language)
        return _with_rule(self.rule, reason)


def _with_rule(rule: str, reason: str) -> str:
    return f"{reason} ({rule})" if rule else reason


class NotationError(ToldError):
    """Text that is not an action or a position; the message says where and what would be right."""


class UnknownGameError(KeyError):
    """There is no game of that name."""

    def __init__(self, name: str) -> None:
        near = difflib.get_close_matches(name, _GAMES, 1, 0.5)
        self.why = (
            Sentence("no game is called {name!r}; did you mean {near}?", name=name, near=near[0])
            if near
            else Sentence(
                "no game is called {name!r}; there are: {known}", name=name, known=", ".join(_GAMES)
            )
        )
        super().__init__(str(self.why))

    def tell(self, language: str) -> str:
        return self.why.tell(language)

    def __str__(self) -> str:
        return str(self.why)


class Refusal(Struct, frozen=True):
    """Why an action is not legal: the rule, and the key of the sentence that says so."""

    rule: str
    key: str
    details: Mapping[str, object] = {}


class Event(Struct, frozen=True):
    """One thing that happened, for the log, the animation and the screen reader.

    ``key`` is its sentence in the game's catalogue and ``details`` its parameters, seats as
    numbers from 0 under the names in `SEAT_DETAILS`.  ``seen_by`` is None for everyone.
    """

    key: str
    details: Mapping[str, Any] = {}
    seen_by: frozenset[int] | None = None

    def visible_to(self, seat: int) -> bool:
        return self.seen_by is None or seat in self.seen_by


#: Event details that are seats: a sentence shows the name of who sits there.
SEAT_DETAILS = frozenset({"seat", "other"})


@dataclass(frozen=True)
class Outcome:
    """The end of a game, seat by seat: rank (0 is first, equals share), score, and why it ended."""

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 0)


@dataclass(frozen=True)
class Definition(Generic[S]):
    """A game. Its rule functions are described in `archipel.rules.slots`."""

    name: str
    package: str
    rules_version: int
    seats: range
    options: tuple[Option, ...]
    state: type[S]
    actions: int
    most_legal: int
    # Rules.
    set_up: Callable[[S, Chance], None]
    to_move: Callable[[S], int]
    legal: Callable[[S, list[int]], int]
    apply: Callable[[S, int, Chance], None]
    view: Callable[[S, int, S], None]
    deal_unseen: Callable[[S, Chance], None]
    score: Callable[[S, int], int]
    rank: Callable[[S, int], int]
    fault: Callable[[S], int]
    faults: tuple[str, ...]
    # Options.
    check_options: Callable[[Options], None]
    blank: Callable[[Options], S]
    read_options: Callable[[S], Options]
    # Words.
    action_text: Callable[[S, int], str]
    parse_action: Callable[[S, str], int]
    refusal: Callable[[S, int], Refusal]
    position_text: Callable[[S], str]
    parse_position: Callable[[str], S]
    outcomes_text: Callable[[S, int, tuple[int, ...]], str]
    parse_outcomes: Callable[[S, int, str], tuple[int, ...]]
    ending: Callable[[S], str]
    narrate: Callable[[S, int, tuple[int, ...], S], list[Event]]
    question: Callable[[S], Event]
    picture: Callable[[S, str], str]
    drawing: Callable[[S, str], str]
    scene: Callable[[S, int], Scene]
    # For undo: whether an action showed anybody something hidden.
    reveals: Callable[[S, S], bool]
    # For an ending that somebody brings about who has nothing left: whether that is this seat.  Its
    # sentence has two more that name one of them, or many (``.of``, ``.of.many``).
    ran_out: Callable[[S, int], bool] | None = None
    # What a seat may hope for beside winning, by name, and the rule that tells what became of it.
    hopes: tuple[str, ...] = ()
    hoped: Callable[[S, S, int, int], int] = slots.hoped
    # Where a seat may not keep looking at what it was shown: how a seat sees the game that forgets
    # nothing (by default it is the view), and what becomes of a view of the past when its seat
    # looks back from the position of today.
    recall: Callable[[S, int, S], None] | None = None
    forget: Callable[[S, S, int], None] | None = None
    # Whether any seat has to forget something, from a position of the past to that of today; where
    # a game does not say, every seat's view is looked at.
    forgets: Callable[[S, S], bool] | None = None
    # Shortcuts that change nothing, where a game has them: the view of a seat, to look at only,
    # which shares with the position all that is not hidden; and the scene of a view for a seat,
    # given another view of the same position and its scene.  ``sees``: seats for which it is equal
    # have equal views.
    sees: Callable[[S, int], Hashable] | None = None
    veiled: Callable[[S, int], S] | None = None
    scene_beside: Callable[[S, int, S, Scene], Scene] | None = None
    # The name of the board's data in use, for games whose data can be replaced: equal data, equal
    # names. Positions and tables belong to a board.
    board: str = ""
    # How one looks at a position: with accessors of the game's own, where it has some.
    position: type[Position] = Position
    # What a seat sees as numbers for machines that learn: by default every field as it is.
    observation: Observation | None = None
    # What studies follow while games are played, where the game tells it.
    course: Course | None = None

    def __repr__(self) -> str:
        return f"<{self.name}: {self.seats[0]} to {self.seats[-1]} players>"

    # ---- options and states ---------------------------------------------------------------------

    def make_options(self, seats: int, **given: object) -> Options:
        """Options of this game, checked; raises `OptionError`."""
        options = make_options(self.name, self.seats, self.options, seats, given)
        self.check_options(options)
        return options

    def new(self, options: Options, chance: Chance) -> S:
        """The game set up and ready for its first decision."""
        s = self.blank(options)
        self.set_up(s, chance)
        return s

    def legal_actions(self, s: S) -> list[int]:
        buffer = [0] * self.most_legal
        return buffer[: self.legal(s, buffer)]

    def look(self, s: S) -> Position:
        """A position to look at, whole or a seat's view."""
        return self.position(self, s)

    def seen(self, s: S, seat: int) -> S:
        """The state as a seat sees it; what it cannot know is unknown."""
        seen = clone(s)
        self.view(s, seat, seen)
        return seen

    def glimpsed(self, s: S, seat: int) -> S:
        """As `seen`, to look at only: it may share its lists with the state."""
        return self.seen(s, seat) if self.veiled is None else self.veiled(s, seat)

    def recalled(self, s: S, seat: int) -> S:
        """The state as a seat sees it that forgets nothing: what a bot chooses on."""
        seen = clone(s)
        (self.recall or self.view)(s, seat, seen)
        return seen

    def looked_back(self, past: S, today: S, seat: int) -> S:
        """A state of the past as a seat saw it, less what it may not know any more today."""
        seen = self.seen(past, seat)
        if self.forget is not None:
            self.forget(seen, today, seat)
        return seen

    def resample(self, s: S, seat: int, chance: Chance) -> S:
        """A random world that this seat cannot tell from the true one."""
        world = self.seen(s, seat)
        self.deal_unseen(world, chance)
        return world

    def outcome(self, s: S) -> Outcome | None:
        """The result, or None while the game goes on."""
        if self.to_move(s) != NOBODY:
            return None
        seats = range(self.read_options(s).seats)
        return Outcome(
            tuple(self.rank(s, seat) for seat in seats),
            tuple(self.score(s, seat) for seat in seats),
            self.ending(s),
        )

    # ---- words ----------------------------------------------------------------------------------

    def catalogue(self, language: str) -> Catalogue:
        return load_catalogue(self.package, language)

    def booklet(self, language: str) -> Booklet:
        return load_booklet(self.package, language)

    def title(self, language: str) -> str:
        return self.booklet(language).title

    def tell(self, event: Event, language: str, names: Mapping[int, str]) -> str:
        """An event as a sentence."""
        catalogue = self.catalogue(language)
        players = {
            name: names[value] for name, value in event.details.items() if name in SEAT_DETAILS
        }
        return catalogue.say(event.key, **{**catalogue.called(event.details), **players})

    def refuse(self, s: S, action: int, language: str = "en") -> RuleError:
        """The error that says why an action is not legal."""
        why = self.refusal(s, action)

        def reason(language: str) -> str:
            return self.catalogue(language).say(why.key, **why.details)

        return RuleError(why.rule, reason(language), reason)

    # ---- compilation ----------------------------------------------------------------------------

    def bindings(self) -> dict[AnyRule, AnyRule]:
        """This game's rules for the open rules of `archipel.rules.slots`."""
        return {
            slots.set_up: self.set_up,
            slots.to_move: self.to_move,
            slots.legal: self.legal,
            slots.apply: self.apply,
            slots.view: self.view,
            slots.recall: self.recall or self.view,
            slots.deal_unseen: self.deal_unseen,
            slots.score: self.score,
            slots.rank: self.rank,
            slots.fault: self.fault,
            slots.hoped: self.hoped,
        }

    def course_bindings(self) -> dict[AnyRule, AnyRule]:
        """The rules by which studies follow a game, where it tells its course."""
        if self.course is None:
            return {}
        return {slots.follow: self.course.follow, slots.figure: self.course.figure}

    def program(self, *entries: AnyRule, extra: Mapping[AnyRule, AnyRule] | None = None) -> Program:
        """A program of rules that serve any game, over this one's state."""
        return Program(self.name, self.state, entries, {**self.bindings(), **(extra or {})})


_GAMES: dict[str, Definition[Any]] = {}
#: Games that cannot be played, and why: a data file of the user's that cannot be right.
_REFUSED: dict[str, DataFileError] = {}


def register(definition: Definition[Any]) -> None:
    _GAMES[definition.name] = definition


def register_refused(name: str, why: DataFileError) -> None:
    """A game whose data cannot be used: it says so when it is asked for, and stops no other."""
    _REFUSED[name] = why


def games() -> Iterator[Definition[Any]]:
    return iter(_GAMES.values())


def game_named(name: str) -> Definition[Any]:
    """The game of that name; raises `UnknownGameError`, or `DataFileError` where the user's own
    board of the game cannot be used."""
    if name in _REFUSED:
        raise _REFUSED[name]
    if name not in _GAMES:
        raise UnknownGameError(name)
    return _GAMES[name]
