"""Statements of one SQLite transaction: what an append reads and writes."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archipel.store.errors import NoSuchTable
from archipel.store.heads import Head
from archipel.store.protocol import Appended, Outlook


def is_archived(connection: sqlite3.Connection, table_id: str) -> bool:
    row = connection.execute("SELECT archived FROM game_table WHERE id = ?", (table_id,)).fetchone()
    if row is None:
        raise NoSuchTable(table_id)
    return bool(row[0])


def last_n(connection: sqlite3.Connection, table_id: str) -> int:
    """The number of the last event, 0 if there is none or no such table."""
    query = "SELECT coalesce(max(n), 0) FROM event WHERE table_id = ?"
    return int(connection.execute(query, (table_id,)).fetchone()[0])


@dataclass(frozen=True, slots=True)
class Found:
    """A table before an append; ``answered``: its request was appended before."""

    archived: bool
    answered: bool
    head: Head


def before_append(connection: sqlite3.Connection, table_id: str, request_id: str | None) -> Found:
    row = connection.execute(
        "SELECT archived, (SELECT max(n) FROM event WHERE table_id = ?1),"
        " EXISTS (SELECT 1 FROM request WHERE table_id = ?1 AND request_id = ?2),"
        " active_at, line, awake"
        " FROM game_table WHERE id = ?1",
        (table_id, request_id),
    ).fetchone()
    if row is None:
        raise NoSuchTable(table_id)
    archived, last_n, answered, active_at, line, awake = row
    head = Head(last_n or 0, active_at, Outlook(line, bool(awake)))
    return Found(bool(archived), bool(answered), head)


def earlier_answer(connection: sqlite3.Connection, table_id: str, request_id: str) -> Appended:
    """The answer to the first append with this request id."""
    first_n, last_n, at = connection.execute(
        "SELECT first_n, last_n, at FROM request JOIN event"
        " ON event.table_id = request.table_id AND event.n = request.last_n"
        " WHERE request.table_id = ? AND request_id = ?",
        (table_id, request_id),
    ).fetchone()
    return Appended(first_n, last_n, at, repeated=True)


def write_events(
    connection: sqlite3.Connection, table_id: str, first_n: int, now: int, bodies: Sequence[bytes]
) -> None:
    for n, body in enumerate(bodies, first_n):
        connection.execute(
            "INSERT INTO event (table_id, n, at, body) VALUES (?, ?, ?, ?)",
            (table_id, n, now, body),
        )


def write_request(
    connection: sqlite3.Connection, table_id: str, request_id: str, first_n: int, last_n: int
) -> bool:
    """False if the request id was there already."""
    written = connection.execute(
        "INSERT INTO request (table_id, request_id, first_n, last_n) VALUES (?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (table_id, request_id, first_n, last_n),
    )
    return written.rowcount > 0


def write_activity(
    connection: sqlite3.Connection, table_id: str, now: int, outlook: Outlook | None
) -> None:
    if outlook is None:
        connection.execute("UPDATE game_table SET active_at = ? WHERE id = ?", (now, table_id))
        return
    connection.execute(
        "UPDATE game_table SET active_at = ?, line = ?, awake = ? WHERE id = ?",
        (now, outlook.line, int(outlook.awake), table_id),
    )


def write_private(
    connection: sqlite3.Connection, table_id: str, private: Mapping[str, bytes]
) -> None:
    connection.executemany(
        "INSERT INTO private (table_id, key, value) VALUES (?, ?, ?)"
        " ON CONFLICT DO UPDATE SET value = excluded.value",
        [(table_id, key, value) for key, value in private.items()],
    )
