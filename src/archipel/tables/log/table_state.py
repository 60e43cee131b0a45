"""The state of a table, folded from its log by `archipel.tables.log.fold`. Immutable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import astuple

from archipel.rules.all_games import game_named
from archipel.rules.contract import NOBODY, Definition
from archipel.rules.contract import Event as Narrated
from archipel.rules.kit import pack, unpack
from archipel.rules.options import Options
from archipel.tables.commands import Clock, Colour
from archipel.tables.log.events import Created, DuplicateFinished, Event, Played
from archipel.tables.publishing.payloads import LogEntry, Result, Stage

T = TypeVar("T")


class PersistentList(Generic[T]):
    """An immutable list whose versions share their items.

    A version is the first ``count`` items of a Python list that later versions may have extended,
    so appending costs the same however long the list is.
    """

    __slots__ = ("_count", "_items")

    def __init__(self, items: list[T] | None = None, count: int | None = None) -> None:
        self._items = [] if items is None else items
        self._count = len(self._items) if count is None else count

    def plus(self, item: T) -> PersistentList[T]:
        items, count = self._items, self._count
        if len(items) > count:  # another version has been extended from here
            items = items[:count]
        items.append(item)
        return PersistentList(items, count + 1)

    def without_last(self, count: int) -> PersistentList[T]:
        """Without the last ``count`` items; raises `IndexError` if there are fewer."""
        if not 0 <= count <= self._count:
            raise IndexError(f"{count} of {self._count} items cannot be removed")
        return PersistentList(self._items, self._count - count)

    def after(self, count: int) -> Iterator[T]:
        """All items but the first ``count``."""
        return iter(self._items[max(0, count) : self._count])

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> T:
        if not -self._count <= index < self._count:
            raise IndexError(f"there is no item {index} of {self._count}")
        return self._items[index if index >= 0 else self._count + index]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._count)

    def __reversed__(self) -> Iterator[T]:
        return (self._items[at] for at in range(self._count - 1, -1, -1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PersistentList) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


# ---- the state of a table -----------------------------------------------------------------------


class Snapshot:
    """A packed position: a table keeps hundreds and reads few of them again."""

    __slots__ = ("_live", "_packed", "_type")

    def __init__(self, state: Any) -> None:
        self._type = type(state)
        self._packed = pack(state)
        self._live = state

    def unpack(self) -> Any:
        """A new copy of the state."""
        return unpack(self._type, self._packed)

    def look(self) -> Any:
        """The state, read-only."""
        return self.unpack() if self._live is None else self._live

    @property
    def size(self) -> int:
        """Bytes of the packed position."""
        return len(self._packed)

    def only_packed(self) -> None:
        """Drop the unpacked state, to save memory."""
        self._live = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and bool(self.unpack() == other.unpack())

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class SeatState:
    """A seat. If ``bot`` is set a bot plays it: the seat's own, or a stand-in for its person."""

    kind: Literal["open", "person", "bot"]
    name: str
    colour: Colour
    bot: str | None = None
    kept: bool = False
    nonce: str = ""
    #: The SHA-256 of the nonce that the person opens when the game begins.
    seal: str = ""
    #: The person once failed to open it in time, or sat down after a draw had failed, so their
    #: nonce does not count: leaving and sitting down again would otherwise void every draw.
    late: bool = False
    #: 1 for the first seat to resign, 2 for the next, and so on; 0: still in the game.
    resigned: int = 0
    #: Time left as of the last event (milliseconds).
    time_left: int = 0
    said_at: tuple[int, ...] = ()
    #: The end of the person's vacation, as far as the clock has allowed for it.
    vacation: int = 0
    #: The event in which another player last reminded them.
    nudged: int = 0
    #: Answers to decisions that the person planned, by the decisions' names.
    plan: tuple[tuple[str, str], ...] = ()
    #: People who had not agreed when the person got the seat, because a bot played for them.
    granted_without: frozenset[int] = frozenset()

    @property
    def is_person_playing(self) -> bool:
        return self.kind == "person" and self.bot is None


@dataclass(frozen=True)
class LessonState:
    """Progress of a lesson: the step, its scripted moves played and its decisions done."""

    lesson: str
    edition: str
    step: int = -1
    played: int = 0
    done: int = 0


class MoveMade(Struct, frozen=True):
    """A move that was not taken back. ``free``: it drew no chance and revealed nothing."""

    n: int
    event: Played
    free: bool
    before: Snapshot
    #: In a lesson, the progress before the move.
    progress: LessonState | None = None


@dataclass(frozen=True)
class TakeBackRequest:
    """A request of event ``n``, open until all others agreed, one did not, or a move was made."""

    n: int
    seat: int
    moves: int
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Draw:
    """The secret was fixed at time ``at``, and the seals that count are being opened."""

    at: int
    nonces: tuple[str | None, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        return tuple(seat for seat, nonce in enumerate(self.nonces) if nonce is None)


@dataclass(frozen=True)
class PendingProposal:
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
class Continuation:
    """The table that continues from the position after event ``n``; event ``logged_n`` says so."""

    n: int
    table: str
    logged_n: int


class LoggedEvent(Struct, frozen=True, eq=False):
    """An event in the log; with the positions before and after if it changed the position."""

    n: int
    at: int
    event: Event
    request: str | None
    before: Snapshot | None = None
    after: Snapshot | None = None
    #: The last event up to this one that changed the position; 0 before the game began.
    position_n: int = 0
    #: Cache of the narration by the rules.
    narration: list[Narrated] | None = None
    #: Cache of the log line, if all observers get an equal one.
    line: LogEntry | None = None

    @property
    def positions(self) -> tuple[Any, Any]:
        """The positions before and after an event that changed the position, read-only."""
        assert self.before is not None
        assert self.after is not None
        return self.before.look(), self.after.look()

    def __eq__(self, other: object) -> bool:
        """Whether all fields but the caches are equal."""
        return isinstance(other, LoggedEvent) and astuple(self)[:-2] == astuple(other)[:-2]

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class TableState:
    """The table after event ``n``."""

    id: str
    game: str
    options: Options
    clock: Clock
    created: Created
    created_at: int
    commitment: str
    seats: tuple[SeatState, ...]
    n: int = 0
    at: int = 0
    stage: Stage = "gathering"
    log: PersistentList[LoggedEvent] = field(default_factory=PersistentList)
    #: By seat, the seals that count and their nonces; known once the draw has begun.
    seals: tuple[str, ...] = ()
    nonces: tuple[str, ...] = ()
    draw: Draw | None = None
    #: A draw has failed.
    draw_failed: bool = False
    start: Snapshot | None = None
    state: Any = None
    #: The current position, packed.
    packed: Snapshot | None = None
    moves: PersistentList[MoveMade] = field(default_factory=PersistentList)
    #: The number of the next draw of chance; it never decreases, not even by taking back.
    next_draw: int = 0
    #: The table whose deal this one plays, or its own id if others may play its deal; else empty.
    origin: str = ""
    #: At an origin, the other tables that play its deal and when each was added, and the results of
    #: those that are done.
    duplicates: dict[str, int] = field(default_factory=dict)
    finished: dict[str, DuplicateFinished] = field(default_factory=dict)
    #: Where draws are numbered by purpose, how often the table has drawn for each.
    drawn: tuple[int, ...] = ()
    #: The event that last changed the position; commands for earlier positions are stale.
    position_n: int = 0
    take_back: TakeBackRequest | None = None
    proposal: PendingProposal | None = None
    #: Whether all players agreed to hints.
    hints_agreed: bool = False
    #: People who had not agreed, because a bot played for them.
    hints_without: frozenset[int] = frozenset()
    #: Whether players may write to each other, and how many texts they have written.
    chat: bool = True
    texts: int = 0
    #: Take-backs since the last move that was not free.
    taken_back: int = 0
    result: Result | None = None
    secret: str | None = None
    #: The event that ended the game.
    ended_n: int | None = None
    #: The address of the server where the table continues.
    moved_to: str | None = None
    rematch: str | None = None
    rematch_n: int | None = None
    #: What-if tables of the same people.
    played_on: tuple[Continuation, ...] = ()
    #: The progress of a lesson; None at ordinary tables.
    progress: LessonState | None = None
    #: The table was begun by rules that have changed since.
    older_rules: bool = False
    #: The event that today's rules cannot replay; the game stops before it.
    halted_at: int | None = None

    definition: Definition[Any] = field(init=False, compare=False, repr=False)
    #: The seat that decides next; None unless a game is being played.
    to_move: int | None = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "definition", game_named(self.game))
        object.__setattr__(self, "to_move", self._to_move())

    def _to_move(self) -> int | None:
        if self.stage != "playing":
            return None
        seat = self.definition.to_move(self.state)
        return None if seat == NOBODY else seat

    @property
    def bot_to_move(self) -> str | None:
        """The bot that decides next, if one does; in a lesson the script plays the other seats."""
        if self.to_move is None or self.progress is not None:
            return None
        return self.seats[self.to_move].bot

    @property
    def clock_runs_for(self) -> int | None:
        """The seat whose clock runs: only that of a person on the move does."""
        if self.clock.kind == "none":
            return None
        seat = self.to_move
        return None if seat is None or not self.seats[seat].is_person_playing else seat

    @property
    def flag_at(self) -> int | None:
        """When the time of the seat on the move runs out."""
        seat = self.clock_runs_for
        return None if seat is None else self.at + self.seats[seat].time_left

    @property
    def planned(self) -> int | None:
        """The legal action that the person on the move has planned for this decision, by days."""
        seat = self.to_move
        if seat is None or not self.seats[seat].plan or self.clock.kind != "days":
            return None
        plans, legal = self.definition.plans, self.definition.legal_actions(self.state)
        for name, answer in self.seats[seat].plan:
            decision = plans.get(name)
            if decision is not None and decision.asked(self.state):
                action = decision.answers.get(answer)
                return action if action in legal and self.seats[seat].is_person_playing else None
        return None

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, whether or not a bot stands in for them."""
        return tuple(seat for seat, who in enumerate(self.seats) if who.kind == "person")

    @property
    def players(self) -> frozenset[int]:
        """The seats of people for whom no bot plays."""
        return frozenset(seat for seat, who in enumerate(self.seats) if who.is_person_playing)

    @property
    def unasked(self) -> frozenset[int]:
        """The people for whom a bot plays and who have not agreed to the pending proposal."""
        agreed = self.proposal.agreed if self.proposal else frozenset()
        return frozenset(self.people) - self.players - agreed

    @property
    def hints(self) -> bool:
        """Whether the engine gives hints; among several people only if all agreed."""
        return self.created.hints and (self.hints_agreed or len(self.people) == 1)

    def time_left(self, seat: int, now: int) -> int:
        """The time left of a seat (milliseconds)."""
        left = self.seats[seat].time_left
        return max(0, left - (now - self.at)) if seat == self.clock_runs_for else left

    def state_at(self, n: int) -> Any:
        """The position after event ``n``; None before the game began."""
        if n >= self.position_n:
            return self.state
        changed = self.log[n - 1].position_n if n > 0 else 0
        after = self.log[changed - 1].after if changed else None
        return None if after is None else after.unpack()


def changed(table: TableState, **values: Any) -> TableState:
    """As `dataclasses.replace`, but fast: every event needs it."""
    after = object.__new__(TableState)
    fields = after.__dict__
    fields.update(table.__dict__)
    fields.update(values)
    fields["to_move"] = after._to_move()
    return after


@dataclass(frozen=True)
class Participant:
    """A person at a table, identified by their token: player, host or spectator."""

    table: str
    seats: tuple[int, ...] = ()
    host: bool = False
    language: str = "en"
    #: The hash of the token, in hexadecimal; empty for a spectator.
    key: str = field(default="", repr=False)

    @property
    def seat(self) -> int | None:
        """The only seat of the person; None if they have none or several."""
        return self.seats[0] if len(self.seats) == 1 else None
