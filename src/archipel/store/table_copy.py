"""One table with all its rows, for copying between databases."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

COLUMNS = "id, created_at, active_at, archived, line, awake"
#: Queries for the other rows of a table, by database table; ``{}`` is the schema's prefix.
ROWS = {
    "header": "SELECT table_id, body FROM {}header WHERE table_id = ?1",
    "event": "SELECT table_id, n, at, body FROM {}event WHERE table_id = ?1 ORDER BY n",
    "request": (
        "SELECT table_id, request_id, first_n, last_n FROM {}request WHERE table_id = ?1"
        " ORDER BY request_id"
    ),
    "private": "SELECT table_id, key, value FROM {}private WHERE table_id = ?1 ORDER BY key",
}

#: The columns of the database tables about people, by their name; a row refers only to earlier
#: ones. The first columns, as many as the number says, are the key.
PEOPLE = {
    "profile": (
        1,
        "id, name, colour, language, created_at, seen_at, vacation_until, settings",
    ),
    "profile_key": (1, "id, profile_id, kind, public, label, created_at, used_at, signed"),
    "profile_code": (1, "hash, profile_id, kind, until"),
    "profile_seat": (2, "table_id, holder, profile_id"),
    "channel": (
        1,
        "id, profile_id, key_id, kind, address, details, confirmed_at, failures",
    ),
    "turn": (1, "table_id, n, holder, until, vacation"),
    "notice": (3, "table_id, n, kind, due_at, addressed"),
    "delivery": (4, "table_id, n, kind, channel_id, due_at, attempts, state"),
    "server_value": (1, "name, value"),
}

People = dict[str, list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True)
class TableCopy:
    """The `COLUMNS` of a table's row of ``game_table``, and its `ROWS` by database table."""

    row: tuple[str, int, int, bool, bytes | None, bool]
    rows: dict[str, list[tuple[Any, ...]]]

    @property
    def table_id(self) -> str:
        return self.row[0]

    @property
    def digest(self) -> bytes:
        """Equal for two copies only if they are equal in every field."""
        return hashlib.sha256(repr(self).encode()).digest()


@dataclass(frozen=True, slots=True)
class Copied:
    """Numbers of copied tables and events; ``kept`` is the new name of replaced data, if any."""

    tables: int
    events: int
    kept: str | None = None


def read_sqlite(connection: sqlite3.Connection) -> Iterator[TableCopy]:
    """All tables by id. In a transaction they are of one moment."""
    for row in connection.execute(f"SELECT {COLUMNS} FROM game_table ORDER BY id"):
        rows = {
            kind: connection.execute(query.format(""), row[:1]).fetchall()
            for kind, query in ROWS.items()
        }
        yield TableCopy((*row[:3], bool(row[3]), row[4], bool(row[5])), rows)


def people_query(name: str, schema: str = "") -> str:
    """The query for all rows of a database table about people, in the order of their keys."""
    key, columns = PEOPLE[name]
    order = ", ".join(columns.split(", ")[:key])
    return f"SELECT {columns} FROM {schema}{name} ORDER BY {order}"


def read_people_sqlite(connection: sqlite3.Connection) -> People:
    return {name: connection.execute(people_query(name)).fetchall() for name in PEOPLE}


def write_people_sqlite(connection: sqlite3.Connection, people: People) -> None:
    """Insert the rows about people, into a database that has the tables but no people."""
    for name, rows in people.items():
        columns = PEOPLE[name][1]
        places = ", ".join("?" * len(columns.split(", ")))
        connection.executemany(f"INSERT INTO {name} ({columns}) VALUES ({places})", rows)


def write_sqlite(connection: sqlite3.Connection, table: TableCopy) -> None:
    """Insert a table that the database does not have."""
    connection.execute(f"INSERT INTO game_table ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", table.row)
    for kind, rows in table.rows.items():
        if rows:
            places = ", ".join("?" * len(rows[0]))
            connection.executemany(f"INSERT INTO {kind} VALUES ({places})", rows)
