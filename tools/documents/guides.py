"""The pages that are written by hand: the README, the guides, studies and benchmarks."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.documents.markdown import Markdown
from tools.documents.pages import DocumentsError, Page, Passage, way

FRONT = "README.md"
#: Too long, and made of what is found elsewhere: the search knows these by their title alone.
_NOT_SEARCHED = frozenset({"docs/rules-index.md"})
_OUTSIDE = ("http:", "https:", "mailto:")


@dataclass
class Guides:
    """All hand-written pages of a checkout, known by the path of their source."""

    root: Path
    #: Where booklets are on the site, by their path in the checkout.
    booklets: Mapping[str, str]
    #: Where each rule is, in English: by its id.
    rules: Mapping[str, str]

    def __post_init__(self) -> None:
        sources = [self.root / FRONT, self.root / "benchmarks" / "README.md"]
        sources += sorted((self.root / "docs").rglob("*.md"))
        self._addresses = {
            source: address_of(source)
            for source in (path.relative_to(self.root).as_posix() for path in sources)
        }
        #: Files that pages show or link to: address on the site to path in the checkout.
        self.files: dict[str, Path] = {}

    @property
    def addresses(self) -> Mapping[str, str]:
        """Where each page will be, by the path of its source."""
        return self._addresses

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Each page, with the path of its source."""
        for source in self._addresses:
            yield source, self._page(source)

    def _page(self, source: str) -> Page:
        address = self._addresses[source]
        rules = {rule: way(address, target) for rule, target in self.rules.items()}
        markdown = Markdown(lambda target: self._resolve(source, target), rules)
        rendered = markdown.render((self.root / source).read_text("utf-8"))
        first = rendered.headings[0] if rendered.headings else None
        if first is None or first.level != 1:
            raise DocumentsError(f"{source} does not begin with a heading of the first level")
        names = {heading.anchor: heading.text for heading in rendered.headings}
        passages = tuple(
            Passage("" if anchor == first.anchor else anchor, names[anchor], text)
            for anchor, text in rendered.passages.items()
            if anchor
        )
        if source in _NOT_SEARCHED:
            passages = (Passage("", first.text, ""),)
        return Page(address, first.text, "en", rendered.html, tuple(rendered.headings), passages)

    def _resolve(self, source: str, target: str) -> str | None:
        """Where a link of a page leads; None where it leads to something only a checkout has."""
        path, mark, anchor = target.partition("#")
        if not path or target.startswith(_OUTSIDE):
            return target
        found = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if found.startswith("..") or not (self.root / found).exists():
            raise DocumentsError(f"{source} links to {target}, which is not there")
        address = self._addresses.get(found) or self.booklets.get(found)
        if address is None and found.startswith("docs/") and (self.root / found).is_file():
            address = found.removeprefix("docs/")
            self.files[address] = self.root / found
        return None if address is None else way(self._addresses[source], address + mark + anchor)


def address_of(source: str) -> str:
    """Where the page made from a file will be."""
    if source == FRONT:
        return "index.html"
    short = source.removeprefix("docs/").removesuffix(".md")
    return short.removesuffix("/README") + ".html"
