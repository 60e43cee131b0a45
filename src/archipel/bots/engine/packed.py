"""The engines that a wheel contains. They are used only if the sources have not changed since.

Uses only the standard library: `build_backend.py` runs this file by its path, before anything is
installed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "brought"
LIST = "engines.json"

#: Folders and file types of the package that engines depend on.
_SOURCES = ("bots", "rules")
_KINDS = (".json", ".py", ".toml")


@cache
def sources_digest() -> str:
    """A hash of all files that engines depend on."""
    package = Path(__file__).parents[2]
    digest = hashlib.sha256()
    files = (path for part in _SOURCES for path in (package / part).rglob("*"))
    for path in sorted(files, key=lambda path: path.as_posix()):
        if path.suffix in _KINDS and FOLDER not in path.parents:
            name = path.relative_to(package).as_posix().encode("utf-8")
            content = hashlib.sha256(path.read_bytes()).digest()
            digest.update(len(name).to_bytes(4, "big") + name + content)
    return digest.hexdigest()


def packed_engine(game: str, board: str) -> bytes | None:
    """Return a packed engine if it matches the sources and the board, else None."""
    listed = _listed()
    if listed.get("sources") != sources_digest() or listed.get(game) != board:
        return None
    return _file(game).read_bytes()


def is_packed() -> bool:
    """Whether the packed engines match the sources."""
    return _listed().get("sources") == sources_digest()


def pack_engines(engines: Mapping[str, tuple[str, bytes]]) -> None:
    """Store engines in the package: by game the name of its board, and the module."""
    FOLDER.mkdir(exist_ok=True)
    listed = {"sources": sources_digest()}
    for game, (board, module) in engines.items():
        _file(game).write_bytes(module)
        listed[game] = board
    (FOLDER / LIST).write_text(json.dumps(listed, indent=2) + "\n", encoding="ascii")


def _listed() -> dict[str, str]:
    path = FOLDER / LIST
    found: dict[str, str] = json.loads(path.read_text("ascii")) if path.is_file() else {}
    return found


def _file(game: str) -> Path:
    return FOLDER / f"{game}.wasm"
