"""``archipel chaos``: at servers of its own, at a server that was named, and its mistakes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from archipel.chaos import servers
from archipel.chaos.campaign import ReadLogs
from archipel.chaos.servers import own_servers
from archipel.store.protocol import Event
from tests.cli.conftest import Archipel


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARCHIPEL_DATABASE", raising=False)


@pytest.mark.promise("durable", "once", "order")
def test_servers_of_its_own_keep_every_promise(archipel: Archipel, tmp_path: Path) -> None:
    saved = tmp_path / "history.json"
    result = archipel("chaos", "--faults", 3, "--tables", 2, "--json", "--save", saved)
    assert result.code == 0, result
    report = json.loads(result.out)
    assert report["violations"] == []
    assert report["faults"] == {"kill": 1, "restart": 1, "suspend": 1}
    assert report["acknowledged"] >= 24
    evidence = json.loads(saved.read_text())
    assert len(evidence["history"]["calls"]) == report["requests"]
    assert sum(map(len, evidence["logs"].values())) == report["events"]


def test_a_lost_event_is_noticed(
    archipel: Archipel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also shows a server that was named, and that the command ran."""
    reader = servers.log_reader

    def forgetful(database: Path | str) -> ReadLogs:
        async def read_logs(tables: Sequence[str]) -> dict[str, list[Event]]:
            logs = await reader(database)(tables)
            return {table: log[:4] for table, log in logs.items()}

        return read_logs

    monkeypatch.setattr(servers, "log_reader", forgetful)
    monkeypatch.setattr("archipel.chaos.campaign.SETTLING", 3.0)
    database = tmp_path / "tables.db"
    with own_servers(database, 1) as (server,):
        stop = "import os, signal, time; os.kill({0}, signal.SIGSTOP); time.sleep(1)"
        code = (stop + "; os.kill({0}, signal.SIGCONT)").format(server.process.pid)
        here = ("--server", server.address, "--command", f'{sys.executable} -c "{code}"')
        result = archipel("chaos", *here, "--database", database, "--faults", 1, "--tables", 1)
    assert result.code == 1
    assert ": lost: request" in result.out
    assert "Violations: " in result.out


def test_mistakes(archipel: Archipel, tmp_path: Path) -> None:
    at = ("--server", "http://localhost:1")
    archipel("chaos", "--server", "localhost:1").refused("http://")
    archipel("chaos", *at).refused("--command")
    archipel("chaos", "--command", "true").refused("--server")
    archipel("chaos", *at, "--command", "'").refused("not a command")
    archipel("chaos", *at, "--command", "true").refused("--database")
    archipel("chaos", "--database", tmp_path / "tables.db").refused("PostgreSQL")
    archipel("chaos", "--workers", 3).refused("postgresql://")
    missing = archipel("chaos", *at, "--command", "true", "--database", tmp_path / "tables.db")
    assert missing.code == 1
    assert str(tmp_path) in missing.err
    assert not os.listdir(tmp_path)
