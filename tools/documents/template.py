"""The frame of every page: head, navigation, search and table of contents."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.documents.pages import Page, Section, way

_WORDS = {
    "en": {
        "skip": "To the text",
        "search": "Search",
        "hint": "Search the documents",
        "menu": "All pages",
        "contents": "On this page",
        "play": "Play",
        "next": "Next",
        "previous": "Previous",
        "none": "Nothing found.",
        "one": "1 result",
        "some": "results",
        "failed": "The search could not be loaded.",
        "brand": "Archipel, documents",
        "twin": "Read this in English",
    },
    "fr": {
        "skip": "Aller au texte",
        "search": "Rechercher",
        "hint": "Rechercher dans les documents",
        "menu": "Toutes les pages",
        "contents": "Sur cette page",
        "play": "Jouer",
        "next": "Suite",
        "previous": "Précédent",
        "none": "Aucun résultat.",
        "one": "1 résultat",
        "some": "résultats",
        "failed": "La recherche n’a pas pu être chargée.",
        "brand": "Archipel, documents",
        "twin": "Lire cette page en français",
    },
}

#: The maximal length of a description for search engines.
_LONGEST = 160


def _description(page: Page) -> str:
    """Return the beginning of the text, for search engines, as a meta element."""
    text = next((passage.text for passage in page.passages if passage.text), page.title)
    short = textwrap.shorten(text, _LONGEST, placeholder="…")
    return f'<meta name="description" content="{html.escape(short)}">\n'


@dataclass(frozen=True)
class Frame:
    """Wraps pages in the frame."""

    sections: Sequence[Section]
    #: The addresses of style, script, theme, index and icon.
    files: Mapping[str, str]

    def whole(self, page: Page) -> str:
        words = _WORDS[page.language]

        def lead(goal: str) -> str:
            return html.escape(way(page.address, goal))

        front = "index.html" if page.language == "en" else "index.fr.html"

        return f"""<!doctype html>
<html lang="{page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f0df">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14262d">
<title>{html.escape(page.title)} · Archipel</title>
{_description(page)}<link rel="icon" href="{lead(self.files["icon"])}" type="image/svg+xml">
<script src="{lead(self.files["theme"])}"></script>
<link rel="stylesheet" href="{lead(self.files["style"])}">
<script src="{lead(self.files["script"])}" defer></script>
</head>
<body>
<a class="skip" href="#text">{words["skip"]}</a>
<header class="bar">
<a class="brand" href="{lead(front)}" aria-label="{words["brand"]}"><img \
src="{lead(self.files["icon"])}" width="30" height="30" alt=""><span>Archipel</span></a>
<search hidden data-index="{lead(self.files["index"])}" data-root="{lead("index.html")[:-10]}" \
data-none="{words["none"]}" data-one="{words["one"]}" data-some="{words["some"]}" \
data-failed="{words["failed"]}">
<input type="search" aria-label="{words["hint"]}" placeholder="{words["search"]}" \
autocomplete="off" spellcheck="false" maxlength="80">
<div class="found card" hidden><p role="status"></p><ol></ol></div>
</search>
<a class="button small play" href="/">{words["play"]}</a>
</header>
<div class="columns">
<details class="menu" open><summary>{words["menu"]}</summary>
<nav aria-label="{words["menu"]}">
{self._navigation(page)}
</nav>
</details>
<main id="text" tabindex="-1">
{self._twins(page)}{self._contents(page)}<article>
{page.body}
</article>
{self._neighbours(page)}
</main>
</div>
</body>
</html>
"""

    def _ordered(self, page: Page) -> list[Section]:
        """Return the sections, those in the language of the page first."""
        return sorted(self.sections, key=lambda section: section.language != page.language)

    def _navigation(self, page: Page) -> str:
        parts = []
        for section in self._ordered(page):
            lines = []
            for address, title in section.pages:
                here = ' aria-current="page"' if address == page.address else ""
                link = html.escape(way(page.address, address))
                lines.append(f'<li><a href="{link}"{here}>{html.escape(title)}</a></li>')
            tongue = f' lang="{section.language}"' if section.language != page.language else ""
            parts.append(
                f"<div{tongue}><h2>{html.escape(section.title)}</h2><ul>{''.join(lines)}</ul></div>"
            )
        return "\n".join(parts)

    def _contents(self, page: Page) -> str:
        headings = [heading for heading in page.headings if heading.level in (2, 3)]
        if len(headings) < 2:
            return ""
        lines = "".join(
            f'<li class="level-{heading.level}"><a href="#{html.escape(heading.anchor)}">'
            f"{html.escape(heading.text)}</a></li>"
            for heading in headings
        )
        title = _WORDS[page.language]["contents"]
        return (
            f'<details class="contents"><summary>{title}</summary>'
            f'<nav aria-label="{title}"><ul>{lines}</ul></nav></details>\n'
        )

    def _twins(self, page: Page) -> str:
        links = [
            f'<a href="{html.escape(way(page.address, address))}" hreflang="{language}" '
            f'lang="{language}">{_WORDS[language]["twin"]}</a>'
            for language, address in page.twins.items()
        ]
        return f'<p class="twins">{" ".join(links)}</p>\n' if links else ""

    def _neighbours(self, page: Page) -> str:
        """Return links to the previous and the next page of the navigation."""
        words = _WORDS[page.language]
        row = [entry for section in self._ordered(page) for entry in section.pages]
        here = next((n for n, (address, _) in enumerate(row) if address == page.address), None)
        if here is None:
            return ""
        links = []
        for name, other in (("previous", here - 1), ("next", here + 1)):
            if 0 <= other < len(row):
                address, title = row[other]
                link = html.escape(way(page.address, address))
                links.append(
                    f'<a class="{name}" rel="{name[:4]}" href="{link}">'
                    f"<span>{words[name]}</span> {html.escape(title)}</a>"
                )
        return f'<nav class="neighbours">{"".join(links)}</nav>'
