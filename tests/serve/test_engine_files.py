"""Engines for browsers: their paths contain a hash, so browsers cache them forever."""

import gzip
import hashlib
import logging
import os
import subprocess
import sys
import threading

import pytest
from starlette.testclient import TestClient

from archipel.bots.engine import modules, packed
from archipel.serve import engine_files
from archipel.serve.engine_files import EngineFiles
from tests.serve.running import make_application

MODULE = b"\0asm" + b"rules" * 1000


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
    assert all(game["engine"] is None for game in client.get("/api/games").json())
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
    files = EngineFiles({"deep-sea": MODULE})
    program = (
        "import sys; game = sys.argv[1]; "
        "sys.stdout.buffer.write(b'made for ' + game.encode()); sys.exit(game == 'atlantis')"
    )
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program, game]
    )
    with caplog.at_level(logging.WARNING, "archipel.serve"):
        files.build_missing(())
    assert files.address("atlantis") is None
    assert [record.getMessage() for record in caplog.records] == [
        "the engine of atlantis could not be built"
    ]
    address = files.address("mauna-kea")
    assert address is not None
    built = files.find(address[1:])
    assert built is not None
    assert built.content == b"made for mauna-kea"
    brought = files.address("deep-sea")
    assert brought is not None
    assert gzip.decompress((files.find(brought[1:]) or built).packed or b"") == MODULE


def test_other_workers_wait_for_the_engine_that_one_builds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = EngineFiles({"deep-sea": MODULE, "atlantis": MODULE, "mauna-kea": MODULE})
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
    for thread in threading.enumerate():
        if thread.name == "engines":
            thread.join()
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
    files.build_missing(())
    assert files.address("deep-sea") is None


@pytest.mark.skipif(not hasattr(os, "nice"), reason="needs process priorities")
def test_only_a_builder_beside_a_server_has_a_low_priority(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, sys, time; time.sleep(0.5); sys.stdout.write(f'{os.nice(0)}')"
    monkeypatch.setattr(
        engine_files, "python_command", lambda _, game: [sys.executable, "-c", program]
    )
    files = EngineFiles({game: MODULE for game in modules.engine_games() if game != "deep-sea"})
    files.build_missing(())
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
