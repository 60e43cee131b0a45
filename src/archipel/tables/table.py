"""A table as its log tells it. Nothing here changes: `archipel.tables.fold` makes the next one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from msgspec import Struct

from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, Definition, Outcome
from archipel.rules.contract import Event as Narrated
from archipel.rules.kit import pack, unpack
from archipel.rules.options import Options
from archipel.tables.chain import Chain
from archipel.tables.commands import Clock, Colour
from archipel.tables.events import Event
from archipel.tables.shown import LogEntry, Stage
from archipel.tables.worked_out import worked_out_once

T = TypeVar("T")


class Snapshot:
    """A position of the past, packed: a table keeps hundreds, and looks at few of them again."""

    __slots__ = ("_live", "_packed", "_type")

    def __init__(self, state: Any) -> None:
        self._type = type(state)
        self._packed = pack(state)
        self._live = state

    def unpack(self) -> Any:
        """A state of one's own."""
        return unpack(self._type, self._packed)

    def look(self) -> Any:
        """The state, to look at only."""
        return self.unpack() if self._live is None else self._live

    def only_packed(self) -> None:
        """It will hardly be looked at any more: keep it small."""
        self._live = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and bool(self.unpack() == other.unpack())

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Seat:
    """Who sits there. A bot plays the seat where ``bot`` is set: its own, or one standing in."""

    kind: Literal["open", "person", "bot"]
    name: str
    colour: Colour
    bot: str | None = None
    kept: bool = False
    nonce: str = ""
    #: The SHA-256 of the nonce that its person will open when the game begins.
    seal: str = ""
    #: They did not open it in time once: their nonce does not count any more.
    late: bool = False
    #: 1 for the first seat to resign, 2 for the next; 0 for those still in the game.
    resigned: int = 0
    #: What is left of its time, as of the last event (milliseconds).
    time_left: int = 0
    said_at: tuple[int, ...] = ()

    @property
    def is_person_playing(self) -> bool:
        return self.kind == "person" and self.bot is None


@dataclass(frozen=True)
class Progress:
    """How far a lesson has come: the step, how much of it the others have played, and how many of
    its decisions have been made."""

    lesson: str
    edition: str
    step: int = -1
    played: int = 0
    done: int = 0


class MoveMade(Struct, frozen=True):
    """An action that stands. ``free``: it brought no chance and showed nothing hidden."""

    n: int
    seat: int
    action: int
    outcomes: tuple[int, ...]
    first_draw: int
    by: Literal["person", "bot"]
    free: bool
    before: Snapshot
    #: In a lesson, how far it had come.
    progress: Progress | None = None


@dataclass(frozen=True)
class TakeBackRequest:
    """Asked in event ``n``; open until all others agreed, one did not, or the game went on."""

    n: int
    seat: int
    moves: int
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Draw:
    """The secret is fixed, and everybody whose seal counts opens it; since ``at``."""

    at: int
    nonces: tuple[str | None, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(seat for seat, nonce in enumerate(self.nonces) if nonce is None)


@dataclass(frozen=True)
class Proposal:
    """Asked in event ``n``, open until all who have to agree did, or one does not.

    ``close``: the host, in ``seat`` if they have one, would like to end the table.  ``seat``:
    somebody called ``name`` would like to sit down in ``seat``.  ``hints``: ``seat`` would like
    the engine to help everybody.
    """

    n: int
    kind: Literal["close", "seat", "hints"]
    seat: int | None
    name: str = ""
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class PlayedOn:
    """Where the same people play on from the position after event ``n``, and which event of this
    table says so."""

    n: int
    table: str
    told: int


class Logged(Struct, frozen=True, eq=False):
    """One event; where it changed the position, with the positions before and after."""

    n: int
    at: int
    event: Event
    request: str | None
    before: Snapshot | None = None
    after: Snapshot | None = None
    #: The last event, up to this one, that changed the position; 0 before the game began.
    position_n: int = 0
    #: What the rules narrate of it: made when first asked for, derived like everything else.
    narration: list[Narrated] | None = None
    #: How it is told, where it is told to everybody alike; made when first asked for.
    line: LogEntry | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Logged) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]

    def _facts(self) -> tuple[object, ...]:
        """All but what is derived from the rest."""
        return (
            self.n,
            self.at,
            self.event,
            self.request,
            self.before,
            self.after,
            self.position_n,
        )


@dataclass(frozen=True)
class Table:
    """A table after event ``n``."""

    id: str
    game: str
    options: Options
    clock: Clock
    hot_seat: bool
    public: bool
    commitment: str
    follows: str | None
    created_at: int
    seats: tuple[Seat, ...]
    n: int = 0
    at: int = 0
    stage: Stage = "gathering"
    log: Chain[Logged] = field(default_factory=Chain)
    #: Seat by seat, the seals that count and what they hid; known from the draw on.
    seals: tuple[str, ...] = ()
    nonces: tuple[str, ...] = ()
    draw: Draw | None = None
    start: Snapshot | None = None
    state: Any = None
    #: The same position, packed.
    packed: Snapshot | None = None
    moves: Chain[MoveMade] = field(default_factory=Chain)
    #: The number of the next draw of chance: it only grows, also after something is taken back.
    next_draw: int = 0
    #: The event that last changed the position: what was answered before it is stale.
    position_n: int = 0
    take_back: TakeBackRequest | None = None
    proposal: Proposal | None = None
    #: Whether the engine may help at all, and whether all people who play agreed to it.
    hints_wished: bool = True
    hints_agreed: bool = False
    #: How often something was taken back since something was played that stays.
    taken_back: int = 0
    result: Outcome | None = None
    secret: str | None = None
    #: The event that ended the game.
    ended_n: int | None = None
    rematch: str | None = None
    rematch_n: int | None = None
    #: Where the same people play on from a moment of this game.
    played_on: tuple[PlayedOn, ...] = ()
    #: At a table for learning, how far it has come.
    progress: Progress | None = None
    #: Begun by rules that have changed since.
    older_rules: bool = False
    #: The position that the game begins with instead of its deal; empty: it is dealt as usual.
    position: str = ""
    #: The table that it is from, and after which event.
    what_if: str = ""
    what_if_n: int = 0
    #: The event that today's rules could not follow any more: the game stands still before it.
    halted_at: int | None = None

    @worked_out_once
    def definition(self) -> Definition[Any]:
        return game_named(self.game)

    @worked_out_once
    def to_move(self) -> int | None:
        """The seat that decides next; None unless a game is being played."""
        return self._now_to_move()

    def _now_to_move(self) -> int | None:
        if self.stage != "playing":
            return None
        seat = self.definition.to_move(self.state)
        return None if seat == NOBODY else seat

    @property
    def bot_to_move(self) -> str | None:
        """The bot that decides next, if one does; in a lesson the script plays for all others."""
        if self.to_move is None or self.progress is not None:
            return None
        return self.seats[self.to_move].bot

    @property
    def clock_runs_for(self) -> int | None:
        """The seat whose time is running: a person's, on the move."""
        if self.clock.kind == "none":
            return None
        seat = self.to_move
        return None if seat is None or not self.seats[seat].is_person_playing else seat

    @property
    def flag_at(self) -> int | None:
        """When the time of the seat on the move runs out, if nothing happens before."""
        seat = self.clock_runs_for
        return None if seat is None else self.at + self.seats[seat].time_left

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of persons, whether or not a bot plays for them."""
        return tuple(seat for seat, who in enumerate(self.seats) if who.kind == "person")

    @property
    def hints(self) -> bool:
        """Whether the engine may help: of people among themselves, only if they agreed."""
        return self.hints_wished and (self.hints_agreed or len(self.people) == 1)

    def time_left(self, seat: int, now: int) -> int:
        """What is left of a seat's time (milliseconds)."""
        left = self.seats[seat].time_left
        return max(0, left - (now - self.at)) if seat == self.clock_runs_for else left

    def state_at(self, n: int) -> Any:
        """The position after event n, or None before the game began."""
        if n >= self.position_n:
            return self.state
        changed = self.log[n - 1].position_n if n > 0 else 0
        after = self.log[changed - 1].after if changed else None
        return None if after is None else after.unpack()


def changed(table: Table, **values: Any) -> Table:
    """As `dataclasses.replace`, which goes through all fields, where every event needs it."""
    return changed_to(table, values)


def changed_to(table: Table, values: Mapping[str, Any]) -> Table:
    """The same, with the values as they are."""
    made = object.__new__(Table)
    fields = made.__dict__
    fields.update(table.__dict__)
    fields.update(values)
    # It may be another now. To work it out is what comes next anyway; and to leave it out for so
    # long would leave a gap, for which a dictionary is copied entry by entry, not as a whole.
    fields["to_move"] = made._now_to_move()
    return made


def made(kind: type[T], /, **values: Any) -> T:
    """One of a frozen class, given the values of all its fields: without setting them one by one,
    where every event needs it."""
    it = object.__new__(kind)
    object.__setattr__(it, "__dict__", values)
    return it


@dataclass(frozen=True)
class Who:
    """Somebody at a table, as their token tells: made by the service, checked at every use."""

    table: str
    seats: tuple[int, ...] = ()
    host: bool = False
    language: str = "en"
    #: The hash of the token, in hexadecimal; empty for a spectator.
    key: str = field(default="", repr=False)

    @property
    def seat(self) -> int | None:
        """Their seat; None for spectators, hosts who do not play, and devices with many seats."""
        return self.seats[0] if len(self.seats) == 1 else None
