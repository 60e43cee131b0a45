"""Kill the process during writes: each acknowledged event is stored once."""

import asyncio
import subprocess
from itertools import islice
from pathlib import Path

import pytest

from archipel.store.protocol import Event, EventStore
from archipel.store.sqlite.store import SqliteStore
from tests.store.processes import python_running

ROUNDS = 5
ACKNOWLEDGEMENTS = 150


def append_until_killed(path: Path, round_number: int) -> list[str]:
    """The acknowledgements that the process printed."""
    command = python_running("tests.store.endless_appender", str(path), str(round_number))
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            lines = list(islice(process.stdout, ACKNOWLEDGEMENTS))
        finally:
            process.kill()
        lines += process.stdout.readlines()
    assert len(lines) >= ACKNOWLEDGEMENTS, "the appender ended on its own"
    return [line.decode().rstrip("\n") for line in lines if line.endswith(b"\n")]


async def all_events(store: EventStore, table_id: str) -> list[Event]:
    events: list[Event] = []
    while page := await store.read(table_id, after=len(events)):
        events += page
    return events


async def check(path: Path, acknowledged: list[str]) -> None:
    store = await SqliteStore.open(path)
    found: list[str] = []
    for info in await store.tables():
        events = await all_events(store, info.table_id)
        assert [event.n for event in events] == list(range(1, len(events) + 1))
        names = [event.body.decode() for event in events]
        found += [f"{info.table_id} {n} {name}" for n, name in enumerate(names, start=1)]
        assert len(set(names)) == len(names)
        # The private data is that of the writer's last event.
        for name in {name.split("/")[1]: name for name in names}.values():
            writer = name.split("/")[1]
            assert await store.get_private(info.table_id, f"of/{writer}") == name.encode()
        # A repeated request returns the first result.
        if events:
            repeated = await store.append(info.table_id, 0, [b"again"], names[-1])
            assert (repeated.last_n, repeated.repeated) == (len(events), True)
    assert set(acknowledged) <= set(found)
    await store.close()


@pytest.mark.promise("durable")
def test_acknowledged_events_survive_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "archipel.db"
    acknowledged: list[str] = []
    for round_number in range(ROUNDS):
        acknowledged += append_until_killed(path, round_number)
        asyncio.run(check(path, acknowledged))
