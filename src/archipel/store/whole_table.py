"""A table with all that belongs to it, as it goes from one store to another."""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from archipel.store.protocol import Event


@dataclass(frozen=True, slots=True)
class WholeTable:
    table_id: str
    created_at: int
    active_at: int
    archived: bool
    line: bytes | None
    awake: bool
    header: bytes
    events: tuple[Event, ...]
    #: Id, first and last event of each request, by id.
    requests: tuple[tuple[str, int, int], ...]
    #: Keys and values, by key.
    private: tuple[tuple[str, bytes], ...]

    @property
    def digest(self) -> bytes:
        """Two tables have the same if nothing at all differs."""
        digest = hashlib.sha256()
        for part in self._parts():
            body = part if isinstance(part, bytes) else repr(part).encode()
            digest.update(b"%d:" % len(body) + body)
        return digest.digest()

    def _parts(self) -> Iterator[object]:
        yield self.table_id, self.created_at, self.active_at, self.archived, self.awake
        yield self.line
        yield self.header
        for event in self.events:
            yield event.n, event.at
            yield event.body
        yield from self.requests
        for key, value in self.private:
            yield key
            yield value


def read_sqlite(connection: sqlite3.Connection) -> Iterator[WholeTable]:
    """All tables, by their ids; as of one moment where the connection is in a transaction."""
    for table_id, *times, archived, line, awake in connection.execute(
        "SELECT id, created_at, active_at, archived, line, awake FROM game_table ORDER BY id"
    ):
        created_at, active_at = times
        header = connection.execute("SELECT body FROM header WHERE table_id = ?", (table_id,))
        events = connection.execute(
            "SELECT n, at, body FROM event WHERE table_id = ? ORDER BY n", (table_id,)
        )
        requests = connection.execute(
            "SELECT request_id, first_n, last_n FROM request WHERE table_id = ?"
            " ORDER BY request_id",
            (table_id,),
        )
        private = connection.execute(
            "SELECT key, value FROM private WHERE table_id = ? ORDER BY key", (table_id,)
        )
        yield WholeTable(
            table_id,
            created_at,
            active_at,
            bool(archived),
            line,
            bool(awake),
            header.fetchone()[0],
            tuple(Event(*row) for row in events),
            tuple(requests.fetchall()),
            tuple(private.fetchall()),
        )


def write_sqlite(connection: sqlite3.Connection, table: WholeTable) -> None:
    """One table, into a database that does not have it."""
    named = table.table_id
    connection.execute(
        "INSERT INTO game_table (id, created_at, active_at, archived, line, awake)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            named,
            table.created_at,
            table.active_at,
            int(table.archived),
            table.line,
            int(table.awake),
        ),
    )
    connection.execute("INSERT INTO header VALUES (?, ?)", (named, table.header))
    connection.executemany(
        "INSERT INTO event (table_id, n, at, body) VALUES (?, ?, ?, ?)",
        [(named, event.n, event.at, event.body) for event in table.events],
    )
    connection.executemany(
        "INSERT INTO request (table_id, request_id, first_n, last_n) VALUES (?, ?, ?, ?)",
        [(named, *request) for request in table.requests],
    )
    connection.executemany(
        "INSERT INTO private (table_id, key, value) VALUES (?, ?, ?)",
        [(named, *private) for private in table.private],
    )
