"""A game in progress, for scripts and the prompt: play, inspect, undo, replay."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, SupportsInt, cast, overload

from archipel.rules.action_sequences import parse_sequence
from archipel.rules.all_games import game_named
from archipel.rules.all_games import games as all_games
from archipel.rules.contract import NOBODY, Definition, Event, NotationError, Outcome, RuleError
from archipel.rules.kit import Chance, Stream, Tape, clone, stream_key
from archipel.rules.options import Options, is_whole
from archipel.rules.position_fields import PositionTable
from archipel.rules.position_words import as_text
from archipel.rules.positions import Position

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from archipel.rules.atlantis.accessors import Position as AtlantisPosition
    from archipel.rules.deep_sea.accessors import Position as DeepSeaPosition
    from archipel.rules.mauna_kea.accessors import Position as MaunaKeaPosition
    from archipel.rules.the_island.accessors import Position as IslandPosition

    P_co = TypeVar("P_co", bound=Position, default=Position, covariant=True)
    DeepSea = Literal["deep-sea"]
    Atlantis = Literal["atlantis"]
    TheIsland = Literal["the-island"]
    MaunaKea = Literal["mauna-kea"]
else:
    from typing import TypeVar

    P_co = TypeVar("P_co", bound=Position, covariant=True)

__all__ = ["Action", "Actions", "Decision", "Game", "Move", "Position", "games"]

Scripted = str | Sequence[SupportsInt | str]


def games() -> list[str]:
    """The names of all games, installed packages included."""
    return [definition.name for definition in all_games()]


class Action(int):
    """An action: an integer that prints as its notation."""

    text: str

    def __new__(cls, number: int, text: str) -> Action:
        action = super().__new__(cls, number)
        action.text = text
        return action

    if TYPE_CHECKING:  # allows `"take" in actions`, see `Actions`

        def __eq__(self, other: object) -> bool: ...

        def __hash__(self) -> int: ...

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]  # for pickling
        return int(self), self.text

    def __bool__(self) -> bool:
        """True, also for action 0: ``if action := game.legal.named("dive"):``."""
        return True

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{int(self)}: {self.text}>"

    def __format__(self, specification: str) -> str:
        return format(self.text, specification)


class Actions(list[Action]):
    """The legal actions of a position, in the order of their numbers.

    Look up an action by its notation: ``"take" in game.legal``, ``game.legal.named("take")``.
    """

    def __init__(self, actions: Iterable[Action], definition: Definition[Any], state: Any) -> None:
        super().__init__(actions)
        self._definition = definition
        self._state = state

    def named(self, text: str) -> Action | None:
        """Return the action that a text names, or None."""
        try:
            number = self._definition.parse_action(self._state, text)
        except NotationError:
            return None
        return next((action for action in self if action == number), None)

    def __contains__(self, wanted: object) -> bool:
        if isinstance(wanted, str):
            return self.named(wanted) is not None
        return super().__contains__(wanted)


@dataclass(frozen=True)
class Move:
    """A played action, with the seat that played it and the outcomes of chance."""

    seat: int
    action: Action
    outcomes: tuple[int, ...]
    chance: str

    def __str__(self) -> str:
        return f"{self.seat + 1} {self.action.text}" + (f" [{self.chance}]" if self.chance else "")


@dataclass(frozen=True)
class Decision(Generic[P_co]):
    """A decision: the seat to move, its legal actions, and its view with all that it has seen."""

    seat: int
    legal: Actions
    view: P_co

    def __repr__(self) -> str:
        return f"<Decision of seat {self.seat}, {len(self.legal)} legal actions>"


class Game(Generic[P_co]):
    """A game in progress.

    The API counts seats from 0. Texts for people (positions, records, notation, sentences) count
    them from 1.

    >>> game = Game.new("deep-sea", seats=3, seed=1)
    >>> game.play("dive", dice=(2, 3))
    """

    def __init__(
        self, definition: Definition[Any], state: Any, options: Options, chance: Chance
    ) -> None:
        self.definition = definition
        self.options = options
        self.start = definition.look(clone(state))
        self.moves: list[Move] = []
        self._state = state
        self._past: list[Any] = []
        self._chance = chance

    # ---- creation --------------------------------------------------------------------------------

    @overload
    @classmethod
    def new(
        cls, name: DeepSea, seats: int | None = None, *, seed: int | None = None, **options: object
    ) -> Game[DeepSeaPosition]: ...

    @overload
    @classmethod
    def new(
        cls, name: Atlantis, seats: int | None = None, *, seed: int | None = None, **options: object
    ) -> Game[AtlantisPosition]: ...

    @overload
    @classmethod
    def new(
        cls,
        name: TheIsland,
        seats: int | None = None,
        *,
        seed: int | None = None,
        **options: object,
    ) -> Game[IslandPosition]: ...

    @overload
    @classmethod
    def new(
        cls, name: MaunaKea, seats: int | None = None, *, seed: int | None = None, **options: object
    ) -> Game[MaunaKeaPosition]: ...

    @overload
    @classmethod
    def new(
        cls, name: str, seats: int | None = None, *, seed: int | None = None, **options: object
    ) -> Game: ...

    @classmethod
    def new(
        cls, name: str, seats: int | None = None, *, seed: int | None = None, **options: object
    ) -> Game[Any]:
        """Create and set up a game. Equal seeds give equal chance; the default seed is random.

        Raises `UnknownGameError` or `OptionError`.
        """
        definition = game_named(name)
        chosen = definition.make_options(definition.seats[0] if seats is None else seats, **options)
        chance = _stream(seed)
        return cls(definition, definition.new(chosen, chance), chosen, chance)

    @overload
    @classmethod
    def from_position(
        cls, name: DeepSea, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game[DeepSeaPosition]: ...

    @overload
    @classmethod
    def from_position(
        cls, name: Atlantis, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game[AtlantisPosition]: ...

    @overload
    @classmethod
    def from_position(
        cls, name: TheIsland, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game[IslandPosition]: ...

    @overload
    @classmethod
    def from_position(
        cls, name: MaunaKea, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game[MaunaKeaPosition]: ...

    @overload
    @classmethod
    def from_position(
        cls, name: str, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game: ...

    @classmethod
    def from_position(
        cls, name: str, text: str = "", *, seed: int | None = None, **words: object
    ) -> Game[Any]:
        """Create a game that starts from a position, given as text, as keywords, or both.

        Position words count seats from 1. Keyword values may be strings, numbers, lists and
        mappings. Whatever the position leaves unknown is dealt. Raises `NotationError`.

        >>> Game.from_position("deep-sea", air=9, diver1="7>[a1,b2]")
        >>> Game.from_position("atlantis", red=["c4", "c4"], blue=["g6"], sunk={"f6": "shark"})
        """
        definition = game_named(name)
        state = definition.parse_position(f"{text} {as_text(words)}")
        chance = _stream(seed)
        definition.deal_unseen(state, chance)
        return cls(definition, state, definition.read_options(state), chance)

    @staticmethod
    def complete_position(name: str, text: str = "") -> list[str]:
        """The texts that a position of a game may continue to, word by word.

        >>> Game.complete_position("atlantis", "red=d4 phase=rel")
        ['red=d4 phase=relocate', 'red=d4 phase=relocate_to']
        """
        table: PositionTable[Any] | None = game_named(name).position_table
        return [] if table is None else table.completions(text)

    def copy(self, seed: int | None = None) -> Game[P_co]:
        """Return an independent copy of the game with its own chance.

        Equal seeds give equal chance; the default seed is random. `copy.deepcopy` also copies the
        chance that is to come.
        """
        twin: Game[P_co] = Game(self.definition, clone(self._state), self.options, _stream(seed))
        twin.start, twin.moves, twin._past = self.start, self.moves[:], self._past[:]
        return twin

    def resample(self, seat: int, seed: int | None = None) -> Game[P_co]:
        """Return a game in a random world that the seat cannot tell from the true one.

        Use it to search without seeing hidden information. Equal seeds give equal worlds.
        """
        self._check_seat(seat)
        chance = _stream(seed)
        world = self.definition.resample(self._state, seat, chance)
        return Game(self.definition, world, self.options, chance)

    # ---- inspection -----------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def state(self) -> Any:
        """The full state. A program that plays must use `view` instead."""
        return self._state

    @property
    def position(self) -> P_co:
        """The full position, with hidden information."""
        return self._look(clone(self._state))

    def view(self, seat: int | None = None, *, recall: bool = False) -> P_co:
        """Return the position as a seat sees it, by default as a spectator does.

        With ``recall``, the view also has what the seat was shown only for a while.
        """
        if seat is None:
            return self._look(self.definition.seen(self._state, NOBODY))
        self._check_seat(seat)
        look = self.definition.recalled if recall else self.definition.seen
        return self._look(look(self._state, seat))

    @property
    def to_move(self) -> int | None:
        """The seat that decides next, or None when the game is over."""
        seat = self.definition.to_move(self._state)
        return None if seat == NOBODY else seat

    @property
    def is_over(self) -> bool:
        return self.to_move is None

    @property
    def outcome(self) -> Outcome | None:
        """Ranks, scores and the reason of the end; None while the game is in progress."""
        return self.definition.outcome(self._state)

    @property
    def legal(self) -> Actions:
        """The legal actions: integers that print as notation."""
        numbers = self.definition.legal_actions(self._state)
        return Actions(map(self._action, numbers), self.definition, self._state)

    @property
    def question(self) -> str | None:
        """The question to the seat to move, in English; None when the game is over."""
        return self.ask()

    def ask(self, language: str = "en", names: Sequence[str] | None = None) -> str | None:
        """Return the question to the seat to move, with the names of the players."""
        seat = self.to_move
        if seat is None:
            return None
        asked = self.definition.question(self.definition.seen(self._state, seat))
        return self._tell(asked, language, names)

    def __iter__(self) -> Iterator[Decision[P_co]]:
        """Iterate over the decisions of the game; the loop body must play an action."""
        while (seat := self.to_move) is not None:
            played = len(self.moves)
            yield Decision(seat, self.legal, self.view(seat, recall=True))
            if len(self.moves) == played:
                raise RuntimeError("play an action in every step of the loop")

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        doing = "over" if self.is_over else f"seat {self.to_move} to move"
        return f"<Game {self.name}, {self.seats} seats, {len(self.moves)} moves, {doing}>"

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    # ---- play -----------------------------------------------------------------------------------

    def parse(self, text: str) -> Action:
        """Return the legal action that a text names; raises `NotationError` or `RuleError`."""
        return self._legal_action(self.definition.parse_action(self._state, text))

    def play(
        self, *actions: int | str, chance: Scripted | None = None, dice: Scripted | None = None
    ) -> Move:
        """Play one or more actions, as numbers or in notation, and return the last move.

        The stages of one choice can be separate arguments or one text:
        ``game.play("explorer w1", "to g6")`` or ``game.play("w1 to g6")``.

        ``dice`` sets all chance outcomes of the last action, in notation; ``chance`` sets the first
        ones. Raises `NotationError`, `RuleError` or `ChanceError`, and then the game is unchanged.
        """
        if not actions:
            raise NotationError("say which action to play")
        if chance is not None and dice is not None:
            raise NotationError("give dice= or chance=, not both: both say what chance brings")
        played = len(self.moves)
        drawn = self._chance.counter if isinstance(self._chance, Stream) else 0
        try:
            *stages, last = [stage for given in actions for stage in self._stages(given, actions)]
            for stage in stages:
                self._play(self._given(stage), Tape((), self._chance))
            chosen = self._given(last)
            if dice is not None:
                return self._play(chosen, Tape(self._outcomes(chosen, "dice", dice)))
            return self._play(chosen, Tape(self._outcomes(chosen, "chance", chance), self._chance))
        except Exception:
            while len(self.moves) > played:
                self.undo()
            if isinstance(self._chance, Stream):
                self._chance.counter = drawn
            raise

    def replay(self, action: int, outcomes: Sequence[int]) -> Move:
        """Play an action with exactly these chance outcomes, numbered from 0."""
        return self._play(self._legal_action(action), Tape(outcomes))

    def _play(self, action: Action, tape: Tape) -> Move:
        seat = self.definition.to_move(self._state)
        after = clone(self._state)
        self.definition.apply(after, int(action), tape)  # a state has plain integers
        tape.finish()
        outcomes = tuple(tape.outcomes)
        text = self.definition.outcomes_text(self._state, action, outcomes)
        move = Move(seat, action, outcomes, text)
        self._past.append(self._state)
        self._state = after
        self.moves.append(move)
        return move

    def undo(self) -> Move:
        """Undo the last action; raises `IndexError` if there is none."""
        if not self.moves:
            raise IndexError("nothing has been played")
        self._state = self._past.pop()
        return self.moves.pop()

    @property
    def can_take_back(self) -> bool:
        """Whether a table would let its player take the last action back.

        It would if the action drew no chance and revealed nothing hidden.
        """
        if not self.moves or self.moves[-1].outcomes:
            return False
        return not self.definition.reveals(self._past[-1], self._state)

    def events(self, index: int = -1, *, seat: int | None = None) -> list[Event]:
        """Return the events of a move, the last one by default: all, or those a seat may know."""
        index = range(len(self.moves))[index]
        before = self._past[index]
        after = self._past[index + 1] if index + 1 < len(self._past) else self._state
        move = self.moves[index]
        events = self.definition.narrate(before, move.action, move.outcomes, after)
        if seat is None:
            return events
        self._check_seat(seat)
        visible = [event for event in events if event.visible_to(seat)]
        if self.definition.forget is None or all(event.seen_by is None for event in visible):
            return visible
        # Leave out events that the seat must forget.
        looks = (self.definition.looked_back(past, self._state, seat) for past in (before, after))
        known = self.definition.narrate(next(looks), move.action, move.outcomes, next(looks))
        return [event for event in visible if event.seen_by is None or event in known]

    def narrate(
        self,
        index: int = -1,
        language: str = "en",
        names: Sequence[str] | None = None,
        *,
        seat: int | None = None,
    ) -> list[str]:
        """Return the events of a move as sentences: the public ones, or those a seat may know."""
        return [
            self._tell(event, language, names)
            for event in self.events(index, seat=seat)
            if event.seen_by is None or seat is not None
        ]

    # ---- internals ------------------------------------------------------------------------------

    def _look(self, state: Any) -> P_co:
        return cast("P_co", self.definition.look(state))

    def _check_seat(self, seat: int) -> None:
        if not is_whole(seat) or seat not in range(self.seats):
            raise ValueError(f"there is no seat {seat!r}: seats are 0 to {self.seats - 1}")

    def _tell(self, event: Event, language: str, names: Sequence[str] | None) -> str:
        shown = names or [str(seat + 1) for seat in range(self.seats)]
        return self.definition.tell(event, language, dict(enumerate(shown)))

    def _stages(self, given: int | str, actions: Sequence[int | str]) -> Sequence[int | str]:
        """Split a text that names several stages of a choice."""
        if not isinstance(given, str) or len(actions) > 1:
            return (given,)
        return parse_sequence(self.definition, self._state, given) or (given,)

    def _given(self, action: int | str) -> Action:
        if isinstance(action, str):
            return self.parse(action)
        if not is_whole(action):
            raise NotationError(
                "{action} is not an action: give its number or its notation", action=repr(action)
            )
        return self._legal_action(int(action))

    def _action(self, number: int) -> Action:
        return Action(number, self.definition.action_text(self._state, number))

    def _legal_action(self, number: int) -> Action:
        if not 0 <= number < self.definition.actions:
            raise NotationError(
                "there is no action {number}: actions are 0 to {last}",
                number=number,
                last=self.definition.actions - 1,
            )
        if number not in self.definition.legal_actions(self._state):
            refused: RuleError = self.definition.refuse(self._state, number)
            raise refused
        return self._action(number)

    def _outcomes(self, action: int, keyword: str, scripted: Scripted | None) -> tuple[int, ...]:
        if scripted is None:
            return ()
        if isinstance(scripted, str):
            text = scripted
        elif isinstance(scripted, Sequence):
            text = " ".join(str(part) for part in scripted)
        else:
            raise NotationError(
                "{keyword}={scripted!r}: give the outcomes one by one, in a list or a text",
                keyword=keyword,
                scripted=scripted,
            )
        return self.definition.parse_outcomes(self._state, action, text)


def _stream(seed: int | None) -> Stream:
    if seed is not None and not is_whole(seed):
        raise TypeError(f"seed={seed!r}: expected a whole number")
    number = secrets.randbits(64) if seed is None else int(seed)
    return Stream(stream_key(number % 2**64, 0))
