"""Build the site into a folder. If there are faults, report them and keep the old site."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from archipel.rules.booklet import LANGUAGES
from tools.documents.checking import faults
from tools.documents.guides import Guides
from tools.documents.interface import API_PAGES, ApiPageWriter
from tools.documents.navigation import read_plan
from tools.documents.pages import DocumentsError, Page, Section, way
from tools.documents.rules_pages import RulesPages
from tools.documents.sources import FRONT, STAMP, hash_of_sources
from tools.documents.template import Frame

LOOK = Path(__file__).with_name("look")
#: The API pages come after the other pages of this section.
_API_SECTION = "From Python"


class Site:
    """The site of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._rules = RulesPages(root)
        rules = {language: self._rules.places(language) for language in LANGUAGES}
        self._guides = Guides(root, self._rules.booklets(), rules)
        self._api = [ApiPageWriter(page, self._from_api, rules["en"]) for page in API_PAGES]

    def write(self, folder: Path) -> None:
        """Write every file of the site into an empty folder."""
        written = dict(self._guides.pages())
        pages = [*written.values(), *self._rules.pages(), *(page.page() for page in self._api)]
        sections = self._sections(written)
        files = self._write_look(folder, pages)
        frame = Frame(sections, files)
        for page in pages:
            _put(folder / page.address, frame.whole(page))
        for address, drawing in self._rules.drawings.items():
            _put(folder / address, drawing)
        for address, path in self._guides.files.items():
            (folder / address).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, folder / address)

    def _sections(self, written: Mapping[str, Page]) -> list[Section]:
        """Return the sections: the front pages, the rules, then the others."""
        planned: list[Section] = []
        for plan in read_plan(self.root, written):
            entries = [(written[source].address, written[source].title) for source in plan.sources]
            if plan.title == _API_SECTION:
                entries += [(page.address, page.title) for page in API_PAGES]
            planned.append(Section(plan.title, plan.language, tuple(entries)))
        if not any(plan.title == _API_SECTION for plan in planned):
            raise DocumentsError(f"no section is called {_API_SECTION}")
        return [*planned[: len(FRONT)], *self._rules.sections(), *planned[len(FRONT) :]]

    def _write_look(self, folder: Path, pages: Sequence[Page]) -> dict[str, str]:
        """Write style, scripts and search index, named by their content for caching."""
        client = self.root / "client"
        style = "".join(
            path.read_text("utf-8").replace('@import "./colours.css";', "")
            for path in (
                client / "src" / "look" / "colours.css",
                client / "src" / "look" / "base.css",
                LOOK / "site.css",
            )
        )
        contents = {
            "style": ("css", style),
            "script": ("js", (LOOK / "site.js").read_text("utf-8")),
            "theme": ("js", (LOOK / "theme.js").read_text("utf-8")),
            "index": ("js", search_index(pages)),
            "icon": ("svg", (client / "public" / "icon.svg").read_text("utf-8")),
        }
        files = {}
        for name, (ending, content) in contents.items():
            digest = hashlib.sha256(content.encode()).hexdigest()[:10]
            files[name] = f"look/{name}-{digest}.{ending}"
            _put(folder / files[name], content)
        return files

    def _from_api(self, address: str, target: str) -> str:
        return way(address, self._guides.addresses[target])


def search_index(pages: Sequence[Page]) -> str:
    """Return the search index as a script, which a browser also loads from a local folder."""
    entries = [
        [
            page.address + (f"#{passage.anchor}" if passage.anchor else ""),
            page.title,
            "" if passage.heading == page.title else passage.heading,
            passage.text,
            page.language,
        ]
        for page in pages
        for passage in page.passages
    ]
    return f"archipelFound({json.dumps(entries, ensure_ascii=False, separators=(',', ':'))});\n"


def build(root: Path, folder: Path) -> None:
    """Build the site of a checkout and replace the folder. Raises DocumentsError on faults."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made_from = hash_of_sources(root)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as place:
        fresh = Path(place) / "site"
        fresh.mkdir()
        Site(root).write(fresh)
        wrong = faults(fresh)
        if wrong:
            raise DocumentsError("\n".join(wrong))
        (fresh / STAMP).write_text(f"{made_from}\n", encoding="ascii")
        if folder.exists():
            folder.rename(Path(place) / "old")
        fresh.rename(folder)


def _put(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
