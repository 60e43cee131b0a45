"""One table with all its rows, for copying between databases."""

import hashlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from archipel.store.protocol import Event

#: The rows of a table by database table; ``{}`` is the schema's prefix.
ROWS = {
    "header": "SELECT body FROM {}header WHERE table_id = ?1",
    "event": "SELECT n, at, body FROM {}event WHERE table_id = ?1 ORDER BY n",
    "request": (
        "SELECT request_id, first_n, last_n FROM {}request WHERE table_id = ?1 ORDER BY request_id"
    ),
    "private": "SELECT key, value FROM {}private WHERE table_id = ?1 ORDER BY key",
}


@dataclass(frozen=True, slots=True)
class TableCopy:
    table_id: str
    created_at: int
    active_at: int
    archived: bool
    line: bytes | None
    awake: bool
    header: bytes
    events: tuple[Event, ...]
    #: (id, first event, last event) of each request, by id.
    requests: tuple[tuple[str, int, int], ...]
    #: (key, value), by key.
    private: tuple[tuple[str, bytes], ...]

    @property
    def digest(self) -> bytes:
        """Equal for two copies only if they are equal in every field."""
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

    def rows(self) -> dict[str, list[tuple[object, ...]]]:
        """The rows to insert, by database table; without the row of ``game_table``."""
        named = self.table_id
        return {
            "header": [(named, self.header)],
            "event": [(named, event.n, event.at, event.body) for event in self.events],
            "request": [(named, *request) for request in self.requests],
            "private": [(named, *private) for private in self.private],
        }


def read_sqlite(connection: sqlite3.Connection) -> Iterator[TableCopy]:
    """All tables by id. In a transaction they are of one moment."""
    for table_id, created_at, active_at, archived, line, awake in connection.execute(
        "SELECT id, created_at, active_at, archived, line, awake FROM game_table ORDER BY id"
    ):
        rows = {
            kind: connection.execute(query.format(""), (table_id,)).fetchall()
            for kind, query in ROWS.items()
        }
        yield TableCopy(
            table_id,
            created_at,
            active_at,
            bool(archived),
            line,
            bool(awake),
            rows["header"][0][0],
            tuple(Event(*row) for row in rows["event"]),
            tuple(rows["request"]),
            tuple(rows["private"]),
        )


def write_sqlite(connection: sqlite3.Connection, table: TableCopy) -> None:
    """Insert a table that the database does not have."""
    connection.execute(
        "INSERT INTO game_table (id, created_at, active_at, archived, line, awake)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (
            table.table_id,
            table.created_at,
            table.active_at,
            int(table.archived),
            table.line,
            int(table.awake),
        ),
    )
    for kind, rows in table.rows().items():
        if rows:
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {kind} VALUES ({places})", rows)
