"""The interface of event stores, and the values that they take and return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a table. `n` is its number; `at` (Unix milliseconds) is only informative."""

    n: int
    at: int
    body: bytes


class Appended(Struct, frozen=True):
    """Numbers of appended events; `repeated`: an earlier call with the same request wrote them."""

    first_n: int
    last_n: int
    at: int
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table in the list of tables; times in Unix milliseconds. `active_at` may be up to a second
    older than the last event."""

    table_id: str
    created_at: int
    active_at: int
    last_n: int
    archived: bool

    @property
    def cursor(self) -> tuple[int, str]:
        """The value of `before` for the next page of the list."""
        return self.active_at, self.table_id


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is at a table by days; times in Unix milliseconds."""

    #: The event since which it is this turn.
    n: int
    #: The hash of the token of the seat to move; empty: no person is to move.
    holder: str
    #: When the time runs out.
    until: int = 0
    #: The end of the holder's vacation, as far as the clock has allowed for it.
    vacation: int = 0
    #: What to tell the holder: kinds of notices, and when each is due.
    notices: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outlook:
    """Columns for queries over many tables, updated with every append."""

    #: The table's entry in the public list; None: not listed.
    line: bytes | None = None
    #: A clock runs or a bot has to move, so a worker must look after the table.
    awake: bool = False
    #: At a table by days; it is written, with its notices, but not read back.
    turn: Turn | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """A table and its outlook; `active_at` in Unix milliseconds."""

    table_id: str
    active_at: int
    outlook: Outlook


class EventStore(Protocol):
    """Append-only numbered events per table, with a header and private data.

    Every write is atomic, and durable when it returns. The outcome of a write that is cancelled or
    raises `Unavailable` is unknown: repeat it with the same request id. After `close` every method
    raises `StoreClosed`.
    """

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        """Create a table without events. Raises `TableExists`."""

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        request_id: str | None = None,
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
    ) -> Appended:
        """Add events after number `expected_n` (0 for none yet), with private data if given.

        `outlook` replaces the table's; None leaves it unchanged.

        Raises `Conflict` if the table's last event is not `expected_n`. A request id that was
        appended before returns the first result and changes nothing, whatever the other arguments:
        a caller that takes ids from players must make them unique per seat.
        """

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        """The events numbered `after + 1` and up, in order, at most `limit`."""

    async def last(self, table_id: str) -> int:
        """The number of the last event, 0 for none yet."""

    async def header(self, table_id: str) -> bytes:
        """What the table was created with."""

    async def tables(
        self,
        *,
        archived: bool | None = False,
        before: tuple[int, str] | None = None,
        limit: int = 100,
    ) -> list[TableInfo]:
        """Tables, latest activity first; `archived=None` lists both kinds.

        `before` is the cursor of the last table of the previous page; `(time, "")` starts at the
        tables that have been idle since `time`.
        """

    async def listed(self, limit: int = 100) -> list[Standing]:
        """Tables with a line that are not archived, latest activity first."""

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        """Awake tables in order of id, starting after id `after`."""

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        """Replace a table's outlook without appending an event."""

    async def archive(self, table_id: str) -> None:
        """Make the table read-only and remove it from the list. Idempotent."""

    async def unarchive(self, table_id: str) -> None:
        """Undo `archive`. Idempotent."""

    async def delete(self, table_id: str) -> None:
        """Delete the table with all its events and data."""

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        """Store a value that must not be in the log (the game's secret, hashes of seat tokens)."""

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        """The value of a key, None if there is none."""

    async def backup(self, path: Path) -> None:
        """Copy the whole store, as of one moment, to a new file. Does not stop the store."""

    async def probe(self) -> None:
        """Write a test row; raises `Unavailable` if the store cannot be written."""

    async def close(self) -> None:
        """Finish the accepted writes, then close. Idempotent."""
