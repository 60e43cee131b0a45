"""What the store reads and writes within one transaction, row by row."""

import sqlite3
from collections.abc import Mapping

from archipel.store.errors import NoSuchTable
from archipel.store.protocol import Appended, Outlook


def is_archived(connection: sqlite3.Connection, table_id: str) -> bool:
    row = connection.execute("SELECT archived FROM game_table WHERE id = ?", (table_id,)).fetchone()
    if row is None:
        raise NoSuchTable(table_id)
    return bool(row[0])


def last_n(connection: sqlite3.Connection, table_id: str) -> int:
    (last_n,) = connection.execute(
        "SELECT coalesce(max(n), 0) FROM event WHERE table_id = ?", (table_id,)
    ).fetchone()
    return int(last_n)


def earlier_answer(
    connection: sqlite3.Connection, table_id: str, request_id: str
) -> Appended | None:
    row = connection.execute(
        "SELECT first_n, last_n, at FROM request JOIN event"
        " ON event.table_id = request.table_id AND event.n = request.last_n"
        " WHERE request.table_id = ? AND request_id = ?",
        (table_id, request_id),
    ).fetchone()
    if row is None:
        return None
    first_n, last_n, at = row
    return Appended(first_n, last_n, at, repeated=True)


def write_private(
    connection: sqlite3.Connection, table_id: str, private: Mapping[str, bytes]
) -> None:
    connection.executemany(
        "INSERT INTO private (table_id, key, value) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        [(table_id, key, value) for key, value in private.items()],
    )


def write_outlook(connection: sqlite3.Connection, table_id: str, outlook: Outlook) -> bool:
    """Whether there is such a table."""
    written = connection.execute(
        "UPDATE game_table SET line = ?, awake = ? WHERE id = ?",
        (outlook.line, int(outlook.awake), table_id),
    )
    return written.rowcount > 0
