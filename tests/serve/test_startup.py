"""The server on the command line: addresses, ports, files, announcement, shutdown."""

import asyncio
import io
import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib import error, request

import pytest

from archipel.cli import MISTAKE, main
from archipel.serve import announcement
from archipel.serve.startup import default_database
from archipel.serve.transport import listening
from archipel.serve.transport.listening import addresses_elsewhere, network_addresses, web_address
from archipel.store.sqlite.store import SqliteStore
from tests.serve.restartable_server import ROOT

PROGRAM = """
import sys
from archipel.cli import main
sys.exit(main(["serve", *sys.argv[1:]]))
"""


@pytest.fixture(autouse=True)
def _do_not_build_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIPEL_SKIP_CLIENT", "1")


def start(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until(process: subprocess.Popen[str], words: str) -> str:
    assert process.stdout is not None
    text = ""
    while words not in text:
        line = process.stdout.readline()
        assert line, text
        text += line
    return text


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_start_and_stop(tmp_path: Path, how: signal.Signals) -> None:
    process = start("--local", "--port", "0", "--database", str(tmp_path / "deep" / "t.db"))
    try:
        text = read_until(process, "Ctrl+C")
        address = re.search(r"http://localhost:\d+/", text)
        assert address is not None
        assert "this machine only" in text
        with request.urlopen(f"{address[0]}health", timeout=10) as answer:
            assert b'"ok"' in answer.read()
    finally:
        process.send_signal(how)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert (tmp_path / "deep" / "t.db").exists()
    assert not (tmp_path / "deep" / "t.db-wal").exists(), "the database was not closed"


def test_the_announcement_in_french(tmp_path: Path) -> None:
    process = start("--local", "--port", "0", "--database", str(tmp_path / "t.db"), "--lang", "fr")
    try:
        text = read_until(process, "Ctrl+C")
        assert "Archipel est prêt." in text
        assert "Sur cette machine\u00a0:" in text
        assert "n’écoute que sur cette machine" in text
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def test_a_database_in_use_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = SqliteStore(tmp_path / "t.db")
    try:
        code = main(["serve", "--local", "--port", "0", "--database", str(tmp_path / "t.db")])
    finally:
        asyncio.run(store.close())
    assert code == 1
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert error.startswith("archipel: ")
    assert "in use" in error


def test_a_taken_port_is_skipped_unless_it_was_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with listening.listen(listening.LOOPBACK, 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(listening, "DEFAULT_PORT", port)
        with listening.listen(listening.LOOPBACK, None) as other:
            assert port < other.getsockname()[1] < port + 20
        with pytest.raises(listening.CannotListen) as refused:
            listening.listen(listening.LOOPBACK, port)
        assert (refused.value.key, refused.value.details) == ("listen.taken", {"port": port})


def test_an_address_of_another_machine() -> None:
    with pytest.raises(listening.CannotListen) as refused:
        listening.listen("192.0.2.1", 0)
    assert refused.value.key == "listen.not_ours"


@pytest.mark.parametrize(
    ("language", "taken", "not_ours"),
    [
        ("en", "port {port} is taken: choose another with --port", "is not an address of this"),
        ("fr", "le port {port} est pris", "n’est pas une adresse de cette machine"),
    ],
)
def test_errors_of_listening_are_one_line(
    language: str, taken: str, not_ours: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["serve", "--lang", language, "--database", str(tmp_path / "t.db")]
    with listening.listen(listening.LOOPBACK, 0) as other:
        port = str(other.getsockname()[1])
        assert main([*words, "--local", "--port", port]) == 1
    assert taken.format(port=port) in capsys.readouterr().err.strip().splitlines()[-1]
    assert main([*words, "--host", "192.0.2.1", "--port", "0"]) == 1
    assert not_ours in capsys.readouterr().err.strip().splitlines()[-1]


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "65536"),
        ("--port", "http"),
        ("--trusted-proxy", "proxy.example"),
        ("--trusted-proxy", "10.0.0.1/8"),
        ("--log-level", "loud"),
    ],
)
def test_wrong_options_are_refused(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *words]) == MISTAKE
    assert words[1] in capsys.readouterr().err


def test_local_and_an_address_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--local", "--host", "192.0.2.1"]) == 1
    assert "--local and --host" in capsys.readouterr().err


def test_default_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_database() == Path("/data/archipel/tables.db")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", "/home/ana")
    assert default_database() == Path("/home/ana/.local/share/archipel/tables.db")


def test_web_addresses() -> None:
    assert web_address("192.0.2.7", 8080) == "http://192.0.2.7:8080/"
    assert web_address("2001:db8::1", 80) == "http://[2001:db8::1]/"
    for address in network_addresses():
        socket.getaddrinfo(address, 80)


def test_addresses_for_other_devices() -> None:
    assert addresses_elsewhere("127.0.0.1", 8000) == []
    assert addresses_elsewhere("192.0.2.7", 80) == ["http://192.0.2.7/"]
    found = addresses_elsewhere("0.0.0.0", 8000)
    reached = [address for address in network_addresses() if ":" not in address]
    assert found == [f"http://{address}:8000/" for address in reached]


def test_the_qr_code_needs_no_colour_and_a_capable_terminal() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    lines = announcement.qr_code("http://192.0.2.7:8080/", plain)
    assert len(lines) > 10
    assert len({len(line) for line in lines}) == 1
    assert not re.search("\x1b", "".join(lines))
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert announcement.qr_code("http://192.0.2.7:8080/", narrow) == []


def test_no_browser_is_opened_without_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    assert announcement.has_display()
    monkeypatch.setenv("SSH_CONNECTION", "1")
    assert not announcement.has_display()
    monkeypatch.delenv("SSH_CONNECTION")
    monkeypatch.delenv("DISPLAY")
    assert not announcement.has_display()


async def _fill(database: Path) -> None:
    store = await SqliteStore.open(database)
    await store.create_table("abcdefgh", b"{}")
    await store.append("abcdefgh", 0, [b"{}"])
    await store.close()


def test_backup_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_fill(tmp_path / "t.db"))
    saved, other = str(tmp_path / "saved.db"), str(tmp_path / "other.db")
    database = str(tmp_path / "t.db")
    assert main(["backup", saved, "--database", database]) == 0
    assert main(["restore", saved, "--database", other]) == 0
    assert "Tables: 1, events: 1." in capsys.readouterr().out
    assert main(["restore", saved, "--database", other]) == 1
    assert main(["restore", saved, "--database", other, "--force"]) == 0
    capsys.readouterr()
    for words, said in (
        (["backup", saved, "--database", str(tmp_path / "none.db")], "none.db n’existe pas"),
        (["backup", saved, "--database", database], "une sauvegarde n’écrase jamais rien"),
        (["restore", str(tmp_path / "none.db"), "--database", other], "none.db n’existe pas"),
        (["restore", __file__, "--database", str(tmp_path / "new.db")], "n’est pas une base"),
        (["restore", saved, "--database", other], "--force le conserve sous un autre nom"),
    ):
        assert main([*words, "--lang", "fr"]) == 1
        assert said in capsys.readouterr().err


def test_backup_and_restore_print_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(_fill(tmp_path / "t.db"))
    saved, database = tmp_path / "saved.db", tmp_path / "t.db"
    assert main(["backup", str(saved), "--database", str(database), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(saved), "tables": 1}
    assert main(["restore", str(saved), "--database", str(database), "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "database": str(database),
        "tables": 1,
        "events": 1,
        "kept": f"{database}.replaced-1",
    }


def test_a_running_server_restores_a_backup(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database, saved = tmp_path / "t.db", tmp_path / "saved.db"
    process = start("--local", "--port", "0", "--database", str(database))
    try:
        address = re.search(r"http://localhost:\d+/", read_until(process, "Ctrl+C"))
        assert address is not None
        first = make_table(address[0])
        assert main(["backup", str(saved), "--database", str(database)]) == 0
        second = make_table(address[0])
        assert main(["restore", str(saved), "--database", str(database)]) == 1
        assert "already exists: nothing was restored" in capsys.readouterr().err
        assert has_table(address[0], second)
        assert main(["restore", str(saved), "--database", str(database), "--force"]) == 0
        assert f"{database}.replaced-1" in capsys.readouterr().out
        assert has_table(address[0], first)
        assert not has_table(address[0], second)
        assert has_table(address[0], make_table(address[0]))
    finally:
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert "Ctrl+C" not in output, "the addresses were announced twice"


def make_table(address: str) -> str:
    body = {"game": "deep-sea", "seats": [{}, {"bot": "random"}], "my_name": "Ana", "begin": True}
    asked = request.Request(
        f"{address}api/tables",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    with request.urlopen(asked, timeout=20) as answer:
        made: str = json.load(answer)["table"]
        return made


def has_table(address: str, table: str) -> bool:
    try:
        with request.urlopen(f"{address}api/tables/{table}", timeout=20):
            return True
    except error.HTTPError as refused:
        if refused.code != 404:
            raise
        return False
