"""Line numbers of the keys of a TOML text, for error messages."""

from __future__ import annotations

import re
from collections import Counter

Path = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w\-. ]+?)\s*\]\]?")
_KEY = re.compile(r"\s*([\w\-.]+|\"[^\"]*\")\s*=\s*(.*)")
_LONG = re.compile(r"\"\"\"|'''")


def lines_of_keys(text: str) -> dict[Path, int]:
    """Line of each key and header by its path, for valid TOML.

    An element of an array of tables is known by its number, from 0.
    """
    found: dict[Path, int] = {}
    elements: Counter[Path] = Counter()
    inside: Path = ()
    quote = ""
    for number, line in enumerate(text.splitlines(), 1):
        if quote:
            quote = "" if line.count(quote) % 2 else quote
            continue
        if header := _HEADER.match(line):
            path = _element(tuple(part.strip() for part in header[2].split(".")), elements)
            found.setdefault(path, number)
            if header[1] == "[[":
                elements[path] += 1
                path = (*path, elements[path] - 1)
            inside = path
            found.setdefault(inside, number)
        elif key := _KEY.match(line):
            parts = key[1].strip('"').split(".") if not key[1].startswith('"') else [key[1][1:-1]]
            path = (*inside, *parts)
            found.setdefault(path, number)
            for name in re.findall(r"[{,]\s*([\w\-]+)\s*=", key[2]):
                found.setdefault((*path, name), number)
        opened = _LONG.findall(line)
        if len(opened) % 2:
            quote = opened[-1]
    return found


def _element(names: tuple[str, ...], elements: Counter[Path]) -> Path:
    """Path of a header, with the latest element of every array of tables on the way."""
    path: Path = ()
    for place, name in enumerate(names):
        path = (*path, name)
        if elements[path] and place < len(names) - 1:
            path = (*path, elements[path] - 1)
    return path


def line_of(lines: dict[Path, int], path: Path) -> int:
    """Line of a key, or of the innermost table around it."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
