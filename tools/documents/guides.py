"""The hand-written pages: the page for players, the README, guides, studies and benchmarks."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.documents.markdown import Markdown
from tools.documents.pages import DocumentsError, Page, Passage, way
from tools.documents.sources import FRONT, PAGES_OUTSIDE_DOCS

#: Long generated pages: the search finds only their titles.
_NOT_SEARCHED = frozenset({"docs/rules-index.md"})
_OUTSIDE = ("http:", "https:", "mailto:")


@dataclass
class Guides:
    """The hand-written pages of a checkout, by the path of their source."""

    root: Path
    #: The address of each booklet, by its path in the checkout.
    booklets: Mapping[str, str]
    #: By language, the address of each rule by its id.
    rules: Mapping[str, Mapping[str, str]]

    def __post_init__(self) -> None:
        sources = [self.root / page for page in PAGES_OUTSIDE_DOCS]
        sources += sorted((self.root / "docs").rglob("*.md"))
        self._addresses = {
            source: address_of(source)
            for source in (path.relative_to(self.root).as_posix() for path in sources)
        }
        #: Images and other files that pages refer to: path in the checkout, by address.
        self.files: dict[str, Path] = {}

    @property
    def addresses(self) -> Mapping[str, str]:
        """The address of each page, by the path of its source."""
        return self._addresses

    def pages(self) -> Iterator[tuple[str, Page]]:
        """Yield each page with the path of its source."""
        for source in self._addresses:
            yield source, self._page(source)

    def _page(self, source: str) -> Page:
        address = self._addresses[source]
        language = language_of(source)
        rules = {rule: way(address, target) for rule, target in self.rules[language].items()}
        markdown = Markdown(lambda target: self._resolve(source, target), rules)
        rendered = markdown.render((self.root / source).read_text("utf-8"))
        first = rendered.headings[0] if rendered.headings else None
        if first is None or first.level != 1:
            raise DocumentsError(f"{source} does not start with a first-level heading")
        names = {heading.anchor: heading.text for heading in rendered.headings}
        passages = tuple(
            Passage("" if anchor == first.anchor else anchor, names[anchor], text)
            for anchor, text in rendered.passages.items()
            if anchor
        )
        if source in _NOT_SEARCHED:
            passages = (Passage("", first.text, ""),)
        twins = {
            other: self._addresses[path]
            for other, path in _versions(source).items()
            if other != language and path in self._addresses
        }
        return Page(
            address, first.text, language, rendered.html, tuple(rendered.headings), passages, twins
        )

    def _resolve(self, source: str, target: str) -> str | None:
        """Return the address of a link's target, or None if only a checkout has the target."""
        path, mark, anchor = target.partition("#")
        if not path or target.startswith(_OUTSIDE):
            return target
        found = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if found.startswith("..") or not (self.root / found).exists():
            raise DocumentsError(f"{source} links to {target}, which does not exist")
        address = self._addresses.get(found) or self.booklets.get(found)
        if address is None and found.startswith("docs/") and (self.root / found).is_file():
            address = found.removeprefix("docs/")
            self.files[address] = self.root / found
        return None if address is None else way(self._addresses[source], address + mark + anchor)


def address_of(source: str) -> str:
    """Return the address of the page of a source file."""
    if source in FRONT:
        return "index.html" if language_of(source) == "en" else "index.fr.html"
    short = source.removeprefix("docs/").removesuffix(".md").removesuffix("/README")
    return f"{short.lower()}.html" if source in PAGES_OUTSIDE_DOCS else f"{short}.html"


def language_of(source: str) -> str:
    """Return the language of a source file."""
    return "fr" if source.endswith(".fr.md") else "en"


def _versions(source: str) -> dict[str, str]:
    """Return the paths of a page in each language, whether they exist or not."""
    short = source.removesuffix(".md").removesuffix(".fr")
    return {"en": f"{short}.md", "fr": f"{short}.fr.md"}
