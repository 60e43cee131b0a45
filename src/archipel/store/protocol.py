"""What every event store provides. Nothing here knows how or where the events are kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from msgspec import Struct


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a table. `n` gives the order; `at` (Unix milliseconds) only informs."""

    n: int
    at: int
    body: bytes


class Appended(Struct, frozen=True):
    """The events now numbered `first_n` to `last_n`; `repeated` if an earlier call wrote them."""

    first_n: int
    last_n: int
    at: int
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One line of the list of tables; times in Unix milliseconds. What is said of its activity may
    be up to a second older than its last event."""

    table_id: str
    created_at: int
    active_at: int
    last_n: int
    archived: bool

    @property
    def cursor(self) -> tuple[int, str]:
        """Pass it as `before` to get the tables that follow this one in the list."""
        return self.active_at, self.table_id


@dataclass(frozen=True, slots=True)
class Outlook:
    """What can be asked of many tables at once, without reading any: kept with every append."""

    #: What a list of tables tells of this one; None keeps it off the list.
    line: bytes | None = None
    #: Something will happen here by itself: a clock runs, or a bot is to move.
    awake: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A table and its outlook as it was last told; `active_at` in Unix milliseconds."""

    table_id: str
    active_at: int
    outlook: Outlook


class EventStore(Protocol):
    """Append-only numbered events per table, and what a table needs beside them.

    Every write returns only once it would survive a power cut, and is all or nothing. A write
    that is cancelled or raises `Unavailable` may or may not have been made: send it again with
    the same request id to find out. Any method raises `StoreClosed` after `close`.
    """

    async def create_table(
        self, table_id: str, header: bytes, *, private: Mapping[str, bytes] | None = None
    ) -> None:
        """Make a table without events. Raises `TableExists`."""

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

        `outlook` replaces the table's; None leaves it as it is.

        Raises `Conflict` when the table's last event is not `expected_n`. A request id that this
        table has already answered gets that answer again and changes nothing, whatever else the
        call says: a caller that takes ids from players must make them unique per seat.
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

        `before` is the cursor of the last table of the page before; `(time, "")` starts at the
        tables that have been idle since `time`.
        """

    async def listed(self, limit: int = 100) -> list[Standing]:
        """Tables with a line that are not archived, latest activity first."""

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        """Awake tables by their ids, from the one that follows `after` on."""

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        """Replace a table's outlook without adding to it."""

    async def archive(self, table_id: str) -> None:
        """Make the table read-only and take it off the ordinary list. Twice is once."""

    async def unarchive(self, table_id: str) -> None:
        """Undo `archive`. Twice is once."""

    async def delete(self, table_id: str) -> None:
        """Remove the table and everything that belongs to it, for good."""

    async def put_private(self, table_id: str, key: str, value: bytes) -> None:
        """Keep what must not be in the log (the game's secret, hashes of seat tokens)."""

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        """What was last put under the key, None if nothing was."""

    async def backup(self, path: Path) -> None:
        """Write a copy of everything, as of one moment, to a new file, while running."""

    async def probe(self) -> None:
        """Write something that nobody will miss: raises `Unavailable` where nothing is kept."""

    async def close(self) -> None:
        """Finish the writes already accepted, then let go. Twice is once."""
