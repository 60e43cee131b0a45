"""The contract between a game and the rest of the package, and the registry of games.

A game is its `Definition`: rule functions over its state, and its options, notation, narration and
pictures. All other code works on definitions, never on one game.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, Generic, TypeVar

from msgspec import Struct

from archipel.rules.booklet import Booklet, load_booklet
from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.data_files import DataFileError
from archipel.rules.deprecation import former_attribute
from archipel.rules.game_rules import NO_METRICS, GameRules, MetricRules, keep_numbers, no_goals
from archipel.rules.kit import Chance, Program, clone
from archipel.rules.kit.core.decorators import AnyRule
from archipel.rules.kit.core.observations import Observation
from archipel.rules.metrics import Metrics
from archipel.rules.options import Option, Options, make_options
from archipel.rules.positions import Position
from archipel.rules.scene import Scene
from archipel.rules.sentence import Sentence, ToldError

S = TypeVar("S")

SPECTATOR = -1
NOBODY = -1


class RuleError(ValueError):
    """An illegal action or option: the rule and the reason, which ``tell`` translates."""

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
    """A text that is not an action or a position; the message has the expected form."""


class UnknownGameError(KeyError):
    """There is no game with that name."""

    def __init__(self, name: str) -> None:
        parts = {"name": name, "known": ", ".join(_GAMES)}
        self.why = Sentence("no game is called {name!r}; there are: {known}", **parts)
        if near := difflib.get_close_matches(name, _GAMES, 1, 0.5):
            parts["near"] = near[0]
            self.why = Sentence("no game is called {name!r}; did you mean {near}?", **parts)
        super().__init__(str(self.why))

    def tell(self, language: str) -> str:
        return self.why.tell(language)

    def __str__(self) -> str:
        return str(self.why)


class Refusal(Struct, frozen=True):
    """Why an action is illegal: the rule, and the key of the sentence that explains it."""

    rule: str
    key: str
    details: Mapping[str, object] = {}


class Event(Struct, frozen=True):
    """Something that happened, for the log, animations and screen readers.

    ``key`` is its sentence in the game's catalogue and ``details`` its parameters; seats are
    numbers from 0 under the names in `SEAT_DETAILS`. ``seen_by`` is None if all seats see it.
    """

    key: str
    details: Mapping[str, Any] = {}
    seen_by: frozenset[int] | None = None

    @classmethod
    def counted(cls, key: str, details: Mapping[str, object], count: int) -> Event:
        """An event whose key ends in ``.one`` or ``.many``, depending on ``count``."""
        return cls(f"{key}.{'one' if count == 1 else 'many'}", {**details, "count": count})

    def visible_to(self, seat: int) -> bool:
        return self.seen_by is None or seat in self.seen_by


class PlannedDecision(Struct, frozen=True):
    """A decision that a seat can answer in advance: its answers mean the same in every position.

    ``heading`` and the keys of ``answers`` are sentences of the game's catalogue; ``answers`` has
    the action of each. ``asked`` tells whether a position asks for this decision.
    """

    heading: str
    asked: Callable[[Any], bool]
    answers: Mapping[str, int]


#: Event details that are seats: sentences show the names of their players.
SEAT_DETAILS = frozenset({"seat", "other"})


@dataclass(frozen=True)
class Outcome:
    """The result of a game per seat: rank (0 is first, equal seats share a rank) and score.

    ``ending`` is the key of the sentence that says why the game ended.
    """

    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    ending: str

    @property
    def reason(self) -> str:
        """Why the game ended, as in the rows of studies: ``rounds``, ``clock`` ..."""
        return self.ending.removeprefix("end.")

    @property
    def winners(self) -> tuple[int, ...]:
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 0)


@dataclass(frozen=True)
class Definition(Generic[S]):
    """A game. Its rule functions are described in `archipel.rules.game_rules`."""

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
    # For undo: whether an action revealed hidden information.
    reveals: Callable[[S, S], bool]
    # Whether the game ended because this seat has nothing left.  The keys of such endings with
    # ``.of`` and ``.of.many`` are sentences that name the players.
    ran_out: Callable[[S, int], bool] | None = None
    # Decisions that can be planned in games by days, by name.
    plans: Mapping[str, PlannedDecision] = field(default_factory=dict, hash=False)
    # The letters in the names of pieces, by side: `w` of ``w3``.  Empty if names have none.  Of two
    # players with two sides each, the first has sides 1 and 3.
    piece_letters: str = ""
    # Names of goals besides winning, and the rule that says whether a seat has reached one.
    goals: tuple[str, ...] = ()
    goal_status: Callable[[S, S, int, int], int] = no_goals
    # Renumbers interchangeable pieces in a position or a view, to compare it with others.
    renumber: Callable[[S], None] = keep_numbers
    # For games in which seats must forget what they were shown: the view of a seat that forgets
    # nothing (by default `view`), and the rule that removes what a seat has forgotten by today from
    # its view of a past position.
    recall: Callable[[S, int, S], None] | None = None
    forget: Callable[[S, S, int], None] | None = None
    # Whether any seat has forgotten something between two positions; without it, all views are
    # compared.
    forgets: Callable[[S, S], bool] | None = None
    # Optional shortcuts.  ``sees``: seats with equal results have equal views.  ``veiled``: a
    # read-only view that shares all public fields with the position.  ``scene_beside``: a scene
    # that reuses the scene of another view of the same position.
    sees: Callable[[S, int], Hashable] | None = None
    veiled: Callable[[S, int], S] | None = None
    scene_beside: Callable[[S, int, S, Scene], Scene] | None = None
    # A hash of the board's data, for games whose data can be replaced.  Positions and tables belong
    # to a board.
    board: str = ""
    # The words of positions, for games that declare them: a `position_fields.PositionTable`.
    position_table: Any = None
    # Named access to a position.
    position: type[Position] = Position
    # The observation for environments; by default every field of the view.
    observation: Observation | None = None
    # Metrics that studies collect while games are played.
    metrics: Metrics | None = None

    def __repr__(self) -> str:
        return f"<{self.name}: {self.seats[0]} to {self.seats[-1]} players>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.name, self.rules_version, self.board)

    def __deepcopy__(self, memo: object) -> Definition[S]:
        return self

    course = former_attribute("Definition.course", "metrics")
    hopes = former_attribute("Definition.hopes", "goals")
    hoped = former_attribute("Definition.hoped", "goal_status")

    # ---- options and states ---------------------------------------------------------------------

    def make_options(self, seats: int, **given: object) -> Options:
        """Return checked options of this game, or raise `OptionError`."""
        options = make_options(self.name, self.seats, self.options, seats, given)
        self.check_options(options)
        return options

    def options_of_version(self, version: int, seats: int, given: Mapping[str, object]) -> Options:
        """Return the options of a game by a rules version, whose defaults fill the gaps."""
        defaults = {option.name: option.default_in(version) for option in self.options}
        return self.make_options(seats, **{**defaults, **given})

    def new(self, options: Options, chance: Chance) -> S:
        """Set up a game, ready for its first decision."""
        s = self.blank(options)
        self.set_up(s, chance)
        return s

    def legal_actions(self, s: S) -> list[int]:
        buffer = [0] * self.most_legal
        return buffer[: self.legal(s, buffer)]

    def look(self, s: S) -> Position:
        """Return a position, or a seat's view, with named access."""
        return self.position(self, s)

    def seen(self, s: S, seat: int) -> S:
        """Return the state as a seat sees it; hidden information is unknown."""
        seen = clone(s)
        self.view(s, seat, seen)
        return seen

    def glimpsed(self, s: S, seat: int) -> S:
        """As `seen`, read-only: it may share lists with the state."""
        return self.seen(s, seat) if self.veiled is None else self.veiled(s, seat)

    def recalled(self, s: S, seat: int) -> S:
        """Return the view of a seat that forgets nothing, for bots."""
        seen = clone(s)
        (self.recall or self.view)(s, seat, seen)
        return seen

    def looked_back(self, past: S, today: S, seat: int) -> S:
        """Return a past state as a seat saw it, without what it has forgotten by ``today``."""
        seen = self.seen(past, seat)
        if self.forget is not None:
            self.forget(seen, today, seat)
        return seen

    def resample(self, s: S, seat: int, chance: Chance) -> S:
        """Return a random world that this seat cannot distinguish from the true one."""
        world = self.seen(s, seat)
        self.deal_unseen(world, chance)
        return world

    def outcome(self, s: S) -> Outcome | None:
        """Return the result, or None while the game is running."""
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
        """Return the sentence of an event."""
        catalogue = self.catalogue(language)
        players = {
            name: names[value] for name, value in event.details.items() if name in SEAT_DETAILS
        }
        return catalogue.say(event.key, **{**catalogue.called(event.details), **players})

    def refuse(self, s: S, action: int, language: str = "en") -> RuleError:
        """Return the error for an illegal action."""
        why = self.refusal(s, action)

        def reason(language: str) -> str:
            return self.catalogue(language).say(why.key, **why.details)

        return RuleError(why.rule, reason(language), reason)

    # ---- compilation ----------------------------------------------------------------------------

    @cached_property
    def rules(self) -> GameRules:
        """This game's rules for code that serves any game."""
        return GameRules(
            set_up=self.set_up,
            to_move=self.to_move,
            legal=self.legal,
            apply=self.apply,
            view=self.view,
            recall=self.recall or self.view,
            deal_unseen=self.deal_unseen,
            score=self.score,
            rank=self.rank,
            fault=self.fault,
            goal_status=self.goal_status,
            renumber=self.renumber,
        )

    @cached_property
    def metric_rules(self) -> MetricRules:
        """The rules that collect this game's metrics; they do nothing if it has none."""
        found = self.metrics
        return NO_METRICS if found is None else MetricRules(found.follow, found.figure)

    def program(self, *entries: AnyRule, **named: AnyRule) -> Program:
        """A program over this game's state; ``named`` entries are called by the names given."""
        return Program(self.name, self.state, {**{e.__name__: e for e in entries}, **named})


def _unpickled(name: str, rules_version: int, board: str) -> Definition[Any]:
    """Return the game of a pickle; raises ValueError if it has other rules or another board."""
    import_module("archipel.rules.all_games")  # registers the games
    definition = game_named(name)
    if (definition.rules_version, definition.board) != (rules_version, board):
        raise ValueError(f"{name}: pickled with other rules, or on another board")
    return definition


_GAMES: dict[str, Definition[Any]] = {}
#: Games that cannot be played because a data file of the user is invalid.
_REFUSED: dict[str, DataFileError] = {}


def register(definition: Definition[Any]) -> None:
    _GAMES[definition.name] = definition


def register_refused(name: str, why: DataFileError) -> None:
    """Register a game whose data is invalid: asking for it raises ``why``, and other games work."""
    _REFUSED[name] = why


def games() -> Iterator[Definition[Any]]:
    return iter(_GAMES.values())


def game_named(name: str) -> Definition[Any]:
    """Return the game with that name.

    Raises `UnknownGameError`, or `DataFileError` if the user's board of the game is invalid.
    """
    if name in _REFUSED:
        raise _REFUSED[name]
    if name not in _GAMES:
        raise UnknownGameError(name)
    return _GAMES[name]
