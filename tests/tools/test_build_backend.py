"""What a wheel contains, and the build dependencies of its engines."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.wheel import WheelBuilder

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


# ---- the files of a wheel ------------------------------------------------------------------------


def wheel_files(root: Path) -> set[str]:
    """The files that a wheel of a checkout would contain, without those that its hook builds."""
    return {file.distribution_path for file in WheelBuilder(str(root)).recurse_included_files()}


def test_a_wheel_contains_every_file_of_the_package() -> None:
    """Also those that are not Python: migrations of databases, GPU code, texts, data."""
    package = ROOT / "src" / "archipel"
    built = {"static", "documents", "brought", "__pycache__"}
    expected = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and not built & set(path.parts) and not path.name.startswith(".")
    }
    found = wheel_files(ROOT)
    assert expected - found == set()
    for ending in (".sql", ".cu", ".json", ".toml", ".css", "rules.fr.md", "guide.txt", "py.typed"):
        assert any(name.endswith(ending) for name in found), ending


def test_a_wheel_contains_the_client_the_documents_and_the_engines(tmp_path: Path) -> None:
    """Git ignores what the build makes, but a wheel and a source archive must have it."""
    for name in ("pyproject.toml", ".gitignore", "hatch_build.py", "build_backend.py", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    made = [
        "archipel/__init__.py",
        "archipel/serve/static/index.html",
        "archipel/serve/static/assets/main.js",
        "archipel/serve/static/favicon.ico",
        "archipel/serve/documents/index.fr.html",
        "archipel/serve/documents/.sources",
        "archipel/bots/engine/brought/deep-sea.wasm",
        "archipel/bots/engine/brought/engines.json",
    ]
    for name in (*made, "archipel/__pycache__/no.pyc"):
        file = tmp_path / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    assert wheel_files(tmp_path) == set(made)
