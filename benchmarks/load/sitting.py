"""Setting up tables over HTTP, all seats taken by people."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import Any


@dataclass(frozen=True)
class Seat:
    """A place to connect to."""

    table: str
    number: int
    token: str


def set_up_tables(
    port: int, game: str, tables: int, seats: int, announce: Callable[[int], None]
) -> list[list[Seat]]:
    """So many tables of a game, and the secret of every seat; each is announced by its number."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    made = []
    try:
        for number in range(tables):
            announce(number)
            made.append(_set_up(connection, game, seats))
    finally:
        connection.close()
    return made


def _set_up(connection: HTTPConnection, game: str, seats: int) -> list[Seat]:
    made = _post(
        connection,
        "/api/tables",
        {"game": game, "seats": [{}] * seats, "my_name": "P0"},
    )
    table = str(made["table"])
    joined = [
        _post(connection, f"/api/tables/{table}/join", {"name": f"P{number}"})
        for number in range(1, seats)
    ]
    return [Seat(table, int(one["seat"]), str(one["token"])) for one in (made, *joined)]


def _post(connection: HTTPConnection, path: str, body: object) -> dict[str, Any]:
    connection.request(
        "POST", path, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    answer = connection.getresponse()
    given: dict[str, Any] = json.loads(answer.read())
    if answer.status >= 300:
        raise RuntimeError(f"{path} answered {answer.status}: {given}")
    return given
