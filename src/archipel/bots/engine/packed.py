"""Engines that come with the package, built when it was: nobody has to build them again.

They are taken only if nothing that they are made of has changed since.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "brought"
LIST = "engines.json"

#: What engines are made of, beside the package's folder.
_SOURCES = ("bots", "rules")
_KINDS = (".json", ".py")


@cache
def sources_digest() -> str:
    """One hash over all that an engine may be made of."""
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
    """The engine of a game as the package brings it, if it is of these sources and this board."""
    listed = _listed()
    if listed.get("sources") != sources_digest() or listed.get(game) != board:
        return None
    return _file(game).read_bytes()


def is_packed() -> bool:
    """Whether the engines in the package are of its sources."""
    return _listed().get("sources") == sources_digest()


def pack_engines(engines: Mapping[str, tuple[str, bytes]]) -> None:
    """Put engines into the package: by game the name of its board, and the module."""
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
