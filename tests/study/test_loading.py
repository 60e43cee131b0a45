"""Loading programs: interpreted at once, compiled when ready."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from archipel.bots.engine.modules import CHECKER
from archipel.bots.external.line_process import python_environment
from archipel.rules.kit.core.loading import (
    Warming,
    can_compile,
    is_compiled_already,
    load_backend,
)
from archipel.rules.kit.numba.warm_up import find_program, main
from tests.study import small_program
from tests.study.small_program import PROGRAM, make_program

HERE = "tests.study.small_program"

pytestmark = pytest.mark.skipif(not can_compile(), reason="Numba is not installed")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIPEL_CACHE", str(tmp_path))


def counted(backend: object) -> int:
    states = backend.states(1)  # type: ignore[attr-defined]
    return int(backend.add(states[0], 5))  # type: ignore[attr-defined]


def test_load_backend() -> None:
    assert not is_compiled_already(PROGRAM)
    assert load_backend(PROGRAM, compiled=False).compiled is False
    assert not is_compiled_already(PROGRAM)
    assert load_backend(PROGRAM).compiled is True
    assert is_compiled_already(PROGRAM)


def test_warming() -> None:
    ready = threading.Event()
    with Warming(PROGRAM, f"{HERE}:PROGRAM", when_ready=ready.set) as warming:
        assert warming.backend.compiled is False
        assert counted(warming.backend) == 5
        assert warming.wait(timeout=120), warming.failure
        assert warming.backend.compiled is True
        assert counted(warming.backend) == 5
        assert ready.is_set()
        assert warming.failure is None


def test_warming_an_already_compiled_program() -> None:
    load_backend(PROGRAM)
    with Warming(PROGRAM, "nowhere:at_all") as warming:  # starts no other process
        assert warming.wait(timeout=120)


def test_warming_that_fails_stays_interpreted() -> None:
    with Warming(PROGRAM, f"{HERE}:missing") as warming:
        assert not warming.wait(timeout=120)
        assert warming.failure is not None
        assert "missing" in warming.failure
        assert counted(warming.backend) == 5


def test_warming_can_be_stopped() -> None:
    warming = Warming(PROGRAM, f"{HERE}:PROGRAM")
    warming.close()
    assert warming.backend.compiled is False


def test_warming_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archipel.rules.kit.core.loading.can_compile", lambda: False)
    assert not is_compiled_already(PROGRAM)
    with Warming(PROGRAM, f"{HERE}:PROGRAM") as warming:
        assert not warming.wait()
        assert warming.failure == "Numba is not installed"


def test_warm_as_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"{HERE}:make_program", "other"]) == 0
    assert is_compiled_already(make_program("other"))
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err
    assert main(["--help"]) == 0


def test_find_program() -> None:
    assert find_program(f"{HERE}:PROGRAM", []) is small_program.PROGRAM
    with pytest.raises(ValueError, match="MODULE:ATTRIBUTE"):
        find_program(HERE, [])
    with pytest.raises(TypeError, match="not a program but int"):
        find_program(f"{HERE}:not_a_program", [])


@pytest.mark.skipif(os.name != "posix", reason="needs process ids of parents")
def test_compilers_end_with_a_killed_parent() -> None:
    builder = (
        "import runpy, sys\n"
        "import archipel.bots.engine.packed as packed, archipel.rules.kit.wasm.build as build\n"
        "from tests.study.small_program import wait\n"
        "packed.packed_engine = lambda *_: None\n"
        "build.web_module = lambda *_: wait()\n"
        f"sys.argv[1:] = ['deep-sea{CHECKER}']\n"
        "runpy.run_module('archipel.bots.engine.modules', run_name='__main__')"
    )
    parent = "import subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]])"
    parents = [
        subprocess.Popen(
            [sys.executable, "-c", parent, *command],
            stdout=subprocess.PIPE,
            env=python_environment(),
        )
        for command in (
            ("-m", "archipel.rules.kit.numba.warm_up", f"{HERE}:wait"),
            ("-m", "archipel.rules.kit.wasm.build", f"{HERE}:wait"),
            ("-c", builder),
        )
    ]
    for process in parents:
        with process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"compiling\n"
            process.kill()
            assert process.stdout.read() == b"", "the compiler holds the pipe as long as it runs"
