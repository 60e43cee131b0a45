"""Read the order of the pages from ``docs/navigation.json``.

A section lists its first pages; ``others`` is a pattern for further pages, in alphabetical order.
``language`` is English if it is missing. A page without a section is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tools.documents.pages import DocumentsError

FILE = "docs/navigation.json"


@dataclass(frozen=True)
class Plan:
    """A section of the navigation: its title, its language and the source paths of its pages."""

    title: str
    language: str
    sources: tuple[str, ...]


def read_plan(root: Path, sources: Iterable[str]) -> list[Plan]:
    """Return the sections with all given pages, each page once."""
    sections = _read(root / FILE)
    left = sorted(sources)
    first: list[list[str]] = []
    for section in sections:
        named = list(section.get("pages", ()))
        for source in named:
            if source not in left:
                raise DocumentsError(
                    f"{FILE} names {source}, which does not exist or is named twice"
                )
            left.remove(source)
        first.append(named)
    for section, named in zip(sections, first, strict=True):
        pattern = section.get("others")
        taken = [source for source in left if pattern and PurePosixPath(source).match(pattern)]
        left = [source for source in left if source not in taken]
        named += taken
    if left:
        raise DocumentsError(f"{FILE} has no section for {', '.join(left)}")
    return [
        Plan(section["title"], section.get("language", "en"), tuple(named))
        for section, named in zip(sections, first, strict=True)
        if named
    ]


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        sections = json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise DocumentsError(f"{FILE} is not JSON: {error}") from error
    if not isinstance(sections, list) or not all(
        isinstance(section, dict) and isinstance(section.get("title"), str) for section in sections
    ):
        raise DocumentsError(f"{FILE} is not a list of sections, each with a title")
    return sections
