"""Check a built site: every link has a target, and nothing is loaded from another host."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes that make the browser load a file.
_FETCHED = {
    ("img", "src"),
    ("img", "srcset"),
    ("script", "src"),
    ("link", "href"),
    ("source", "src"),
    ("iframe", "src"),
    ("search", "data-index"),
}
#: Addresses outside the site, on the same server.
_BESIDE = frozenset({"/"})


class _Reader(HTMLParser):
    """Collects the links, loaded files, anchors and inline scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.anchors: set[str] = set()
        self.twice: set[str] = set()
        self.inline: list[str] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            (self.twice if given["id"] in self.anchors else self.anchors).add(given["id"])
        for name, value in given.items():
            if name.startswith("on"):
                self.inline.append(f"{tag} {name}")
            if (tag, name) in _FETCHED or name in ("href", "src"):
                self.links.append((value, (tag, name) in _FETCHED))
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)


def faults(folder: Path) -> list[str]:
    """Return the faults of the site in a folder, one line each."""
    pages = {path.relative_to(folder).as_posix(): _read(path) for path in folder.rglob("*.html")}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    found: list[str] = []
    for name, page in sorted(pages.items()):
        found += [f"{name}: {thing} runs inside the page" for thing in page.inline]
        found += [f"{name}: #{anchor} is there twice" for anchor in sorted(page.twice)]
        for target, fetched in page.links:
            found += _fault_of_link(name, target, fetched, pages, files)
    return [*found, *_foreign_files(folder)]


def _fault_of_link(
    name: str, target: str, fetched: bool, pages: dict[str, _Reader], files: set[str]
) -> Iterator[str]:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        if fetched:
            yield f"{name}: fetches {target} from elsewhere"
        return
    if target in _BESIDE and not fetched:
        return
    path = unquote(parts.path)
    goal = posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
    if not target or goal not in files:
        yield f"{name}: {target or 'an empty link'} leads nowhere"
    elif parts.fragment and goal in pages and unquote(parts.fragment) not in pages[goal].anchors:
        yield f"{name}: {target} has no such anchor"


def _foreign_files(folder: Path) -> Iterator[str]:
    """Yield style sheets and drawings that load something from another host."""
    for path in sorted([*folder.rglob("*.css"), *folder.rglob("*.svg")]):
        text = path.read_text("utf-8").replace("http://www.w3.org/", "")
        if "http:" in text or "https:" in text or "@import" in text:
            yield f"{path.relative_to(folder).as_posix()}: loads something from elsewhere"


def _read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text("utf-8"))
    reader.close()
    return reader
