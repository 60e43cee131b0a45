"""Engines for browsers: their paths contain a hash, so browsers cache them forever."""

import gzip
import hashlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from archipel.bots.engine import modules, packed
from archipel.serve import engine_files
from archipel.serve.engine_files import EngineFiles
from tests.serve.running import make_application

MODULE = b"\0asm" + b"rules" * 1000
CHECKERS = {name: MODULE for name in modules.module_names() if name not in modules.engine_games()}


@pytest.fixture(autouse=True)
def _a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_files, "can_compile", lambda: True)
    monkeypatch.setattr(engine_files, "SOON", 0.0)


def wait_for_thread() -> None:
    for thread in threading.enumerate():
        if thread.name == "engines":
            thread.join()


def build_missing(files: EngineFiles) -> None:
    files.start_thread(build=True)
    wait_for_thread()


def test_an_engine_is_listed_with_its_game_and_cached_forever() -> None:
    client = TestClient(make_application(engines=EngineFiles({"deep-sea": MODULE})))
    games = {game["name"]: game for game in client.get("/api/games").json()}
    address = games["deep-sea"]["engine"]
    assert address == f"/engine/deep-sea-{hashlib.sha256(MODULE).hexdigest()[:16]}.wasm"
    assert games["the-island"]["engine"] is None
    answer = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert answer.content == MODULE
    assert answer.headers["content-type"] == "application/wasm"
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert "'wasm-unsafe-eval'" in answer.headers["content-security-policy"]
    assert "'unsafe-eval'" not in answer.headers["content-security-policy"]


def test_without_engines_no_address_is_listed() -> None:
    client = TestClient(make_application())
    games = client.get("/api/games").json()
    assert all(game["engine"] is None and not game["engine_coming"] for game in games)
    gone = client.get("/engine/deep-sea-0123456789abcdef.wasm")
    assert gone.headers["content-type"] != "application/wasm"
    assert gone.status_code >= 400


def test_a_packed_engine_is_used_for_its_sources_and_board_only(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed, "FOLDER", tmp_path_factory.mktemp("package") / "packed")
    assert not packed.is_packed()
    assert packed.packed_engine("deep-sea", "") is None
    packed.pack_engines({"deep-sea": ("", MODULE), "mauna-kea": ("some board", MODULE)})
    assert packed.is_packed()
    assert packed.packed_engine("deep-sea", "") == MODULE
    assert packed.packed_engine("mauna-kea", "another board") is None
    assert packed.packed_engine("atlantis", "") is None
    assert modules.ready_engine("deep-sea") == MODULE
    monkeypatch.setattr(packed, "sources_digest", lambda: "of other sources")
    assert not packed.is_packed()
    assert packed.packed_engine("deep-sea", "") is None


def test_missing_engines_are_built_in_another_process(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The builder is a program that answers at once and fails for one game."""
    files = EngineFiles({**CHECKERS, "deep-sea": MODULE})
    program = (
        "import sys; game = sys.argv[1]; "
        "sys.stdout.buffer.write(b'made for ' + game.encode()); sys.exit(game == 'atlantis')"
    )
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program, game]
    )
    with caplog.at_level(logging.WARNING, "archipel.serve"):
        build_missing(files)
    assert files.address("atlantis") is None
    assert [record.getMessage() for record in caplog.records] == [
        "the module atlantis could not be built"
    ]
    address = files.address("mauna-kea")
    assert address is not None
    built = files.find(address[1:])
    assert built is not None
    assert built.content == b"made for mauna-kea"
    brought = files.address("deep-sea")
    assert brought is not None
    assert gzip.decompress((files.find(brought[1:]) or built).packed or b"") == MODULE


def test_the_page_learns_which_engines_are_being_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start of the server until each engine is there or has failed."""
    program = (
        "import sys, time; from pathlib import Path\n"
        "game, folder = sys.argv[1], Path(sys.argv[2])\n"
        "while not (folder / game).exists(): time.sleep(0.01)\n"
        "sys.stdout.write(game); sys.exit(game == 'atlantis')"
    )
    command = [sys.executable, "-c", program]
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [*command, game, str(tmp_path)]
    )
    files = EngineFiles({**CHECKERS, "deep-sea": MODULE})
    client = TestClient(make_application(engines=files))

    def coming() -> list[str]:
        games = client.get("/api/games").json()
        assert not any(game["engine"] and game["engine_coming"] for game in games)
        return [game["name"] for game in games if game["engine_coming"]]

    assert coming() == []
    files.start_thread(build=True)
    games = ["atlantis", "the-island", "mauna-kea"]
    assert coming() == games
    pause = threading.Event()
    for index, game in enumerate(games):
        (tmp_path / game).touch()
        while files.is_coming(game):
            pause.wait(0.01)
        assert coming() == games[index + 1 :]
        assert (files.address(game) is None) == (game == "atlantis")


def test_stopping_kills_the_builder_and_its_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler holds the pipe open: the thread ends only if both are killed."""
    compiler = (
        f"from pathlib import Path; Path({str(tmp_path / 'runs')!r}).touch(); "
        "import time; time.sleep(600)"
    )
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {compiler!r}])"
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program]
    )
    files = EngineFiles({})
    files.start_thread(build=True)
    pause = threading.Event()
    while not (tmp_path / "runs").exists():
        pause.wait(0.01)
    files.stop()
    wait_for_thread()
    assert all(files.address(game) is None for game in modules.module_names())


def test_without_a_compiler_nothing_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_files, "can_compile", lambda: False)
    files = EngineFiles({})
    files.start_thread(build=True)
    assert not any(files.is_coming(game) for game in modules.module_names())


def test_other_workers_wait_for_the_engine_that_one_builds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = EngineFiles({**CHECKERS, "deep-sea": MODULE, "atlantis": MODULE, "mauna-kea": MODULE})
    looks: list[str] = []

    def is_cached(game: str) -> bool:
        looks.append(game)
        return len(looks) > 2

    program = "import sys; sys.stdout.buffer.write(b'found')"
    monkeypatch.setattr(engine_files, "is_cached", is_cached)
    monkeypatch.setattr(engine_files, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program]
    )
    files.start_thread(build=False)
    wait_for_thread()
    assert not files.is_coming("the-island")
    assert looks == ["the-island"] * 3
    address = files.address("the-island")
    assert address is not None
    found = files.find(address[1:])
    assert found is not None
    assert found.content == b"found"


def test_nothing_is_built_after_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    files = EngineFiles({})
    files.stop()
    monkeypatch.setattr(subprocess, "Popen", None)
    build_missing(files)
    assert files.address("deep-sea") is None


@pytest.mark.skipif(not hasattr(os, "nice"), reason="needs process priorities")
def test_only_a_builder_beside_a_server_has_a_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, sys, time; time.sleep(0.5); sys.stdout.write(f'{os.nice(0)}')"
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program]
    )
    files = EngineFiles({name: MODULE for name in modules.module_names() if name != "deep-sea"})
    build_missing(files)
    address = files.address("deep-sea")
    assert address is not None
    file = files.find(address.lstrip("/"))
    assert file is not None
    assert int(file.content) == engine_files.NICENESS
    alone = (
        "import os, runpy, sys; sys.argv[2:] = ['--help']; module = sys.argv.pop(1)\n"
        "try: runpy.run_module(module, run_name='__main__')\n"
        "except SystemExit: print('priority', os.nice(0))"
    )
    for module in (engine_files.BUILDER, "archipel.rules.kit.wasm.build"):
        command = [sys.executable, "-c", alone, module]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert run.stdout.splitlines()[-1] == f"priority {os.nice(0)}"
