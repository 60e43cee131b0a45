"""A wheel contains the engines: its build requests their build dependencies if they are missing."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKED = Path("src/archipel/bots/engine/packed.py")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The part of a project that decides whether engines are built."""
    (tmp_path / PACKED).parent.mkdir(parents=True)
    for file in (PACKED, Path("build_backend.py")):
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def backend_in(checkout: Path) -> dict[str, Any]:
    return runpy.run_path(str(checkout / "build_backend.py"))


def test_engine_dependencies_are_requested_until_engines_exist(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCHIPEL_SKIP_ENGINES", raising=False)
    assert "numba" in backend_in(checkout)["engine_libraries"]()
    runpy.run_path(str(checkout / PACKED))["pack_engines"]({"sea": ("", b"module")})
    assert backend_in(checkout)["engine_libraries"]() == ()
    (checkout / "src/archipel/bots/changed.py").write_text("", "utf-8")
    assert "numba" in backend_in(checkout)["engine_libraries"](), "those there are of other sources"


def test_engines_can_be_left_out(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARCHIPEL_SKIP_ENGINES", "1")
    assert backend_in(checkout)["engine_libraries"]() == ()


def test_wheels_and_archives_request_them_and_editable_installs_do_not(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ARCHIPEL_SKIP_ENGINES", raising=False)
    monkeypatch.chdir(ROOT)
    backend = backend_in(checkout)
    for kind in ("wheel", "sdist"):
        assert "numba" in backend[f"get_requires_for_build_{kind}"]()
    assert "numba" not in backend["get_requires_for_build_editable"]()
