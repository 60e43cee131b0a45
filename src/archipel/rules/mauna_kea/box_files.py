"""The box in use: the files of ``data``, or those that the user puts in their place (MK-C6).

Owners of the game can correct what is reconstructed; each file says what in it is certain (MK-C7),
likely (MK-C8) and reconstructed (MK-C9).  ``ARCHIPEL_MAUNA_KEA_BOX`` names a folder with any of the
files, or one file with parts of the same names; parts that are missing are read from ``data``.  The
tables of the rules are made from the box when the game is imported, so the variable must be set
before.  The compile cache depends on the tables.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

from archipel.rules.data_files import DataFileError, read_json
from archipel.rules.mauna_kea import box_format
from archipel.rules.mauna_kea.box_format import LAYOUTS, PACKAGE, Board, Box, BoxError, Source
from archipel.rules.sentence import Sentence

VARIABLE: Final = "ARCHIPEL_MAUNA_KEA_BOX"
PARTS: Final = (
    *(f"board_{layout}" for layout in LAYOUTS),
    *("terrain_tiles", "start_tiles", "lava_tiles", "boats", "cards"),
)

T = TypeVar("T")
#: By part: its source and its data.
Found = dict[str, tuple[str, Any]]


def chosen_file() -> Path | None:
    """The folder or file that the user provides, if any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def load_box(path: Path | None = None) -> Box:
    """Load the box of the package, with parts replaced by a folder or file of the user.

    Raises `BoxError`, which says what to correct."""
    found: Found = {part: (f"{part}.json", package_data(part)) for part in PARTS}
    if path is not None:
        found |= _from_folder(path) if os.path.isdir(path) else _from_file(path)
    return read_box(found)


def read_box(found: Found) -> Box:
    """Read and check all parts."""
    boards: list[Board] = []
    for layout in LAYOUTS:
        part = f"board_{layout}"
        board = _part(found, part, box_format.read_board)
        boards.append(board)
        same = {
            "layout": board.layout == layout,
            "printed": board.printed == boards[0].printed,
            "flows": board.flows == boards[0].flows,
        }
        for what, is_same in same.items():  # MK-C3: the boards differ in the marked spaces only
            wrong = "{what}: not as expected of this board (MK-C3)"
            Source(found[part][0]).require(is_same, wrong, what=what)
    terrain = _part(found, "terrain_tiles", box_format.read_terrain_tiles)
    start = _part(found, "start_tiles", box_format.read_start_tiles)
    terrain_names = {f"{tile.pattern.lower()}{tile.points}" for tile in terrain}
    for tile in start:
        fits, wrong = tile.name not in terrain_names, "{name} is the name of a terrain tile"
        Source(found["start_tiles"][0]).require(fits, wrong, name=tile.name)
    return Box(
        tuple(boards),
        terrain,
        start,
        _part(found, "lava_tiles", box_format.read_lava_tiles),
        _part(found, "boats", box_format.read_boats),
        _part(found, "cards", box_format.read_cards),
    )


def _part(found: Found, part: str, read: Callable[[Source, Any], T]) -> T:
    where, data = found[part]
    return Source(where).read(read, data)


def name_of_box(box: Box) -> str:
    """A hash of the contents: positions and records belong to a box (MK-C6)."""
    contents = json.dumps(dataclasses.asdict(box), sort_keys=True)
    return hashlib.sha256(contents.encode()).hexdigest()[:8]


def package_data(part: str) -> Any:
    return json.loads((files(PACKAGE) / "data" / f"{part}.json").read_text("utf-8"))


def _from_folder(folder: Path) -> Found:
    found: Found = {}
    for file in sorted(folder.glob("*.json")):
        if file.stem not in PARTS:
            raise _no_such_part(str(file))
        found[file.stem] = (str(file), _json(file))
    if not found:
        wrong = "{folder}: none of the files is there; the parts are {parts} (MK-C6)"
        raise _refused(wrong, folder=folder)
    return found


def _from_file(file: Path) -> Found:
    data = _json(file)
    if not isinstance(data, dict):
        raise _refused("{file}: expected an object; the parts are {parts} (MK-C6)", file=file)
    for part in data:
        if part not in PARTS:
            raise _no_such_part(f"{file}: {part[:40]}")
    return {part: (f"{file}: {part}", value) for part, value in data.items()}


def _no_such_part(where: str) -> BoxError:
    return _refused("{where}: there is no such part; the parts are {parts} (MK-C6)", where=where)


def _refused(english: str, **parts: object) -> BoxError:
    return BoxError(Sentence(english, parts=", ".join(PARTS), **parts))


def _json(file: Path) -> Any:
    try:
        return read_json(file)
    except DataFileError as error:
        raise BoxError(error.why) from error


BOX: Final = load_box(chosen_file())
BOX_NAME: Final = name_of_box(BOX)
