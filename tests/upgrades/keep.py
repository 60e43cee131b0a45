"""Keep a database as this version writes it: run before a release, then commit what it writes.

    python -m tests.upgrades.keep schema-3 postgresql-2

The name says whether the database is SQLite or PostgreSQL. A kept version is a dump of the database
(``.sql``), the record of its finished table (``.txt``), and what a test needs to play on at its
other tables (``.json``).
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from archipel.profiles.profiles import Profiles
from archipel.store.postgresql import schema
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables.keys import hash_of
from tests.profiles.devices import TestDevice
from tests.support.postgresql import OwnServer
from tests.tables.people import Friends, make_service, settle

KEPT = Path(__file__).with_name("kept")
#: The tables that are kept in the middle of a game, and after how many moves.
PLAYING = {"deep-sea": 5, "the-island": 12}
#: Kept versions whose names begin with this are of PostgreSQL.
POSTGRESQL = "postgresql"


async def open_store(database: Path | str) -> SqliteStore | PostgresqlStore:
    """Open a file, or the database at an address."""
    if isinstance(database, Path):
        return await SqliteStore.open(database)
    return await PostgresqlStore.open(database)


async def play(database: Path | str) -> tuple[dict[str, Any], str]:
    """Play at three tables; return what tests need, and the record of the finished one."""
    store = await open_store(database)
    service = make_service(store)
    finished = await Friends.gather(service, 2, game="deep-sea")
    await finished.finish()
    playing: dict[str, dict[str, Any]] = {}
    for game, moves in PLAYING.items():
        friends = await Friends.gather(service, 2, game=game)
        for _ in range(moves):
            await settle(service)
            mover = (await friends.view(0)).to_move
            assert mover is not None
            await friends.play(mover, (await friends.view(mover)).scene.choices[0].action)
        to_move = (await friends.view(0)).to_move
        playing[friends.table] = {"game": game, "tokens": friends.tokens, "to_move": to_move}
    profiles = Profiles(store)
    session = await TestDevice().create(profiles)
    seat = next(iter(playing))
    await profiles.claim(session.profile, seat, hash_of(playing[seat]["tokens"][0]))
    record = await service.record(finished.table)
    await service.stop()
    await store.close()
    told = {
        "finished": {"table": finished.table},
        "playing": playing,
        "profile": {"id": session.profile, "table": seat},
    }
    return told, record


def keep(name: str, folder: Path = KEPT) -> None:
    dump, told, record = in_postgresql() if name.startswith(POSTGRESQL) else in_sqlite()
    (folder / f"{name}.sql").write_text(dump, "utf-8")
    (folder / f"{name}.txt").write_text(record, "utf-8")
    (folder / f"{name}.json").write_text(json.dumps(told, indent=2) + "\n", "utf-8")


def in_sqlite() -> tuple[str, dict[str, Any], str]:
    """The dump of a new database with three tables, what tests need, and a record."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "tables.db"
        told, record = asyncio.run(play(path))
        with closing(sqlite3.connect(path)) as database:
            marks = {
                pragma: database.execute(f"PRAGMA {pragma}").fetchone()[0]
                for pragma in ("application_id", "user_version")
            }
            lines = [f"PRAGMA {pragma} = {value};" for pragma, value in marks.items()]
            dump = "\n".join([*lines, *database.iterdump()]) + "\n"
    return dump, {**told, "schema": marks["user_version"]}, record


def in_postgresql() -> tuple[str, dict[str, Any], str]:
    server = OwnServer()
    try:
        told, record = asyncio.run(play(server.address))
        return server.dump(), {**told, "schema": len(schema.MIGRATIONS)}, record
    finally:
        server.end()


if __name__ == "__main__":
    for each in sys.argv[1:]:
        keep(each)
