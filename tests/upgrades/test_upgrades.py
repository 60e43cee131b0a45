"""Databases and records of every kept version open, continue and replay; newer ones are refused.

`kept` has what earlier versions wrote, unchanged; `keep.py` adds a version.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from archipel.cli import main as archipel
from archipel.profiles.profiles import Profiles
from archipel.record import parse_record
from archipel.store.postgresql import schema as postgresql_schema
from archipel.store.sqlite import schema
from archipel.tables.log.records import verify
from tests.support import postgresql
from tests.tables.people import Friends, make_service
from tests.upgrades.keep import KEPT, POSTGRESQL, keep, open_store

VERSIONS = sorted(path.stem for path in KEPT.glob("*.sql"))
every_version = pytest.mark.parametrize("version", VERSIONS)


def known(version: str) -> dict[str, Any]:
    """What is known of a kept version."""
    told: dict[str, Any] = json.loads((KEPT / f"{version}.json").read_text("utf-8"))
    return told


@contextmanager
def restored(version: str, folder: Path) -> Iterator[Path | str]:
    """The database of a kept version: a file, or an address."""
    dump = (KEPT / f"{version}.sql").read_text("utf-8")
    if version.startswith(POSTGRESQL):
        with postgresql.database() as address:
            postgresql.execute(address, dump)
            yield address
        return
    path = folder / "tables.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(dump)
    yield path


async def schema_of(address: str) -> int:
    """The version of the schema of a PostgreSQL database."""
    connection = await asyncpg.connect(address)
    try:
        return await postgresql_schema.version(connection)
    finally:
        await connection.close()


@pytest.mark.promise("upgrade")
def test_every_schema_is_kept() -> None:
    """Before a release with a new migration: `python -m tests.upgrades.keep schema-N`, and
    `postgresql-N`."""
    for is_postgresql, migrations in (
        (False, schema.MIGRATIONS),
        (True, postgresql_schema.MIGRATIONS),
    ):
        names = [name for name in VERSIONS if name.startswith(POSTGRESQL) == is_postgresql]
        assert {known(name)["schema"] for name in names} == set(range(1, len(migrations) + 1))


@every_version
@pytest.mark.promise("upgrade")
def test_a_kept_database_opens_and_its_games_go_on(version: str, tmp_path: Path) -> None:
    with restored(version, tmp_path) as database:
        asyncio.run(_play_on(version, database))
        if isinstance(database, Path):
            assert schema.examine(database, thorough=True) == len(schema.MIGRATIONS)
        else:
            assert asyncio.run(schema_of(database)) == len(postgresql_schema.MIGRATIONS)


async def _play_on(version: str, database: Path | str) -> None:
    told = known(version)
    store = await open_store(database)
    service = make_service(store)
    text = await service.record(told["finished"]["table"])
    assert verify(parse_record(text)).is_fair
    before = parse_record((KEPT / f"{version}.txt").read_text("utf-8"))
    assert [move.action for move in parse_record(text).game.moves] == [
        move.action for move in before.game.moves
    ]
    for table, playing in told["playing"].items():
        friends = Friends(service, table, playing["tokens"])
        friends.who = [await service.identify(table, token) for token in playing["tokens"]]
        shown = await service.table(table)
        assert (shown.game, shown.stage) == (playing["game"], "playing")
        assert shown.to_move == playing["to_move"]
        await friends.finish()
        record = parse_record(await service.record(table))
        assert record.game.outcome is not None
        assert verify(record).is_fair
    if "profile" in told:
        profile, table = told["profile"]["id"], told["profile"]["table"]
        profiles = Profiles(store)
        assert (await profiles.profile(profile)).name == "Ana"
        assert await profiles.holder(profile, table) is not None
    await service.stop()
    await store.close()


@every_version
@pytest.mark.promise("upgrade")
def test_a_kept_record_replays_and_is_fair(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(KEPT / f"{version}.txt")
    assert archipel(["verify", file]) == 0
    assert archipel(["replay", file]) == 0
    assert not capsys.readouterr().err


@pytest.mark.promise("upgrade")
def test_a_newer_database_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with restored(VERSIONS[-1], tmp_path) as path:
        assert isinstance(path, Path)
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
        before = path.read_bytes()
        assert archipel(["serve", "--database", str(path), "--port", "0"]) != 0
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    assert "newer Archipel" in lines[0]
    assert path.read_bytes() == before


@pytest.mark.promise("upgrade")
def test_a_newer_record_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (KEPT / f"{VERSIONS[-1]}.txt").read_text("utf-8")
    newer = tmp_path / "newer.txt"
    newer.write_text(re.sub(r"(?m)^rules: \d+$", "rules: 99", text), "utf-8")
    for command in ("replay", "verify"):
        assert archipel([command, str(newer)]) != 0
        (line,) = capsys.readouterr().err.splitlines()
        assert "played by rules version 99" in line


@pytest.mark.parametrize(
    ("name", "migrations"),
    [("schema", schema.MIGRATIONS), (POSTGRESQL, postgresql_schema.MIGRATIONS)],
    ids=["sqlite", "postgresql"],
)
def test_a_version_can_be_kept(name: str, migrations: Sequence[str], tmp_path: Path) -> None:
    keep(name, tmp_path)
    told = json.loads((tmp_path / f"{name}.json").read_text("utf-8"))
    assert told["schema"] == len(migrations)
    assert "INSERT INTO" in (tmp_path / f"{name}.sql").read_text("utf-8")
