"""Databases and records of every kept version open, continue and replay; newer ones are refused.

`kept` has what earlier versions wrote, unchanged; `keep.py` adds a version.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from archipel.cli import main as archipel
from archipel.profiles.profiles import Profiles
from archipel.record import parse_record
from archipel.store.sqlite import schema
from archipel.store.sqlite.store import SqliteStore
from archipel.tables.log.records import verify
from tests.tables.people import Friends, make_service
from tests.upgrades.keep import KEPT, keep

VERSIONS = sorted(path.stem for path in KEPT.glob("*.sql"))
every_version = pytest.mark.parametrize("version", VERSIONS)


def restored(version: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """The database of a kept version as a file, and what is known of it."""
    path = folder / "tables.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((KEPT / f"{version}.sql").read_text("utf-8"))
    return path, json.loads((KEPT / f"{version}.json").read_text("utf-8"))


@pytest.mark.promise("upgrade")
def test_every_schema_is_kept() -> None:
    """Before a release with a new migration: `python -m tests.upgrades.keep schema-N`."""
    kept = {json.loads((KEPT / f"{name}.json").read_text("utf-8"))["schema"] for name in VERSIONS}
    assert kept == set(range(1, len(schema.MIGRATIONS) + 1))


@every_version
@pytest.mark.promise("upgrade")
def test_a_kept_database_opens_and_its_games_go_on(version: str, tmp_path: Path) -> None:
    path, told = restored(version, tmp_path)

    async def scenario() -> None:
        store = await SqliteStore.open(path)
        service = make_service(store)
        text = await service.record(told["finished"]["table"])
        assert verify(parse_record(text)).is_fair
        before = parse_record((KEPT / f"{version}.txt").read_text("utf-8"))
        assert [move.action for move in parse_record(text).game.moves] == [
            move.action for move in before.game.moves
        ]
        for table, known in told["playing"].items():
            friends = Friends(service, table, known["tokens"])
            friends.who = [await service.identify(table, token) for token in known["tokens"]]
            shown = await service.table(table)
            assert (shown.game, shown.stage) == (known["game"], "playing")
            assert shown.to_move == known["to_move"]
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

    asyncio.run(scenario())
    assert schema.examine(path, thorough=True) == len(schema.MIGRATIONS)


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
    path, _ = restored(VERSIONS[-1], tmp_path)
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


def test_a_version_can_be_kept(tmp_path: Path) -> None:
    keep("this", tmp_path)
    told = json.loads((tmp_path / "this.json").read_text("utf-8"))
    assert told["schema"] == len(schema.MIGRATIONS)
    assert (tmp_path / "this.sql").stat().st_size > 1000
