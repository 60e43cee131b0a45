"""The parts of the Python runtime that come from package registries: fetched by name, checked by
their hashes, and kept in the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from archipel.serve.client_build import (
    NODE_WHEEL,
    BuildFailed,
    find_node,
    npm_beside,
    variables_for,
)


@dataclass(frozen=True)
class Download:
    """A file of a registry, and the hash of its content."""

    file: str
    sha256: str


PYODIDE_VERSION = "314.0.7"
PYODIDE = Download(
    f"pyodide-{PYODIDE_VERSION}.tgz",
    "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
)
#: The same version of the library as everywhere, for Pyodide's Python and platform.
MSGSPEC_VERSION = "0.22.0"
PLATFORM, PYTHON = "pyemscripten_2026_0_wasm32", "314"
MSGSPEC = Download(
    f"msgspec-{MSGSPEC_VERSION}-cp{PYTHON}-cp{PYTHON}-{PLATFORM}.whl",
    "a66b1766311e42371e509c996c3933b161c7ae0eabdf361af5316dec197e1022",
)


def cache_folder() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    base = Path(named) if named else Path.home() / ".cache"
    return base / "archipel-site"


def required_node() -> Path:
    """Raises `BuildFailed` if there is no recent Node."""
    node = find_node()
    if node is None:
        raise BuildFailed(
            f"a site needs Node 20 or later: install it, or `pip install {NODE_WHEEL}`"
        )
    return node


def fetch_pyodide() -> Path:
    """The archive of the npm package; raises `BuildFailed`."""
    node = required_node()
    name = f"pyodide@{PYODIDE_VERSION}"
    return _fetch(PYODIDE, [*npm_beside(node), "pack", "--silent", name], variables_for(node))


def fetch_msgspec() -> Path:
    """The wheel for WebAssembly; raises `BuildFailed`."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--platform", PLATFORM]
    command += ["--python-version", PYTHON, "--implementation", "cp", "--abi", f"cp{PYTHON}"]
    return _fetch(MSGSPEC, [*command, f"msgspec=={MSGSPEC_VERSION}"], dict(os.environ))


def _fetch(wanted: Download, command: list[str], variables: dict[str, str]) -> Path:
    kept = cache_folder() / wanted.file
    if kept.is_file() and _digest(kept) == wanted.sha256:
        return kept
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        done = subprocess.run(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        fetched = Path(folder) / wanted.file
        if done.returncode or not fetched.is_file():
            lines = done.stdout.strip().splitlines() or ["no reason given"]
            raise BuildFailed(f"{wanted.file} could not be fetched: {lines[-1]}")
        found = _digest(fetched)
        if found != wanted.sha256:
            raise BuildFailed(f"{wanted.file} has another content than expected (sha256 {found})")
        fetched.replace(kept)
    return kept


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
