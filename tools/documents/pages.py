"""What the site consists of: pages, the sections they stand in, and files that come along."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field

from tools.documents.markdown import Heading


class DocumentsError(Exception):
    """The documents cannot be built; the message says which file is wrong, and how."""


@dataclass(frozen=True)
class Passage:
    """What a search may lead to: a place on a page, its heading and its text."""

    anchor: str
    heading: str
    text: str


@dataclass(frozen=True)
class Page:
    """A page as it will stand on the site, without what surrounds every page."""

    address: str
    title: str
    language: str
    body: str
    headings: tuple[Heading, ...]
    passages: tuple[Passage, ...]
    #: Where the same is said in other languages: language to address.
    twins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """Pages under one heading of the navigation, by their addresses and titles, in order."""

    title: str
    language: str
    pages: tuple[tuple[str, str], ...]


def way(start: str, goal: str) -> str:
    """The relative link from one address to another."""
    target, mark, anchor = goal.partition("#")
    if target == start and mark:
        return f"#{anchor}"
    return posixpath.relpath(target, posixpath.dirname(start) or ".") + mark + anchor
