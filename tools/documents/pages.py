"""The data types of the site: pages, passages and sections."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.documents.markdown import Heading


class DocumentsError(Exception):
    """The documents cannot be built. The message names the file and the mistake."""


@dataclass(frozen=True)
class Passage:
    """A result of the search: a place on a page, its heading and its text."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True)
class Page:
    """A page without the frame that all pages share."""

    address: str
    title: str
    language: str
    body: str
    headings: tuple[Heading, ...]
    passages: tuple[Passage, ...]
    #: The addresses of its translations, by language.
    twins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """A section of the navigation: the addresses and titles of its pages, in order."""

    title: str
    language: str
    pages: tuple[tuple[str, str], ...]


def way(start: str, goal: str) -> str:
    """Return the relative link from one address to another."""
    target, mark, anchor = goal.partition("#")
    if target == start and mark:
        return f"#{anchor}"
    return posixpath.relpath(target, posixpath.dirname(start) or ".") + mark + anchor
