"""Generate the rules pages from the booklets: one per game and language, with pictures."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from archipel.rules.all_games import HOUSE_GAMES
from archipel.rules.booklet import LANGUAGES, SOURCES_EXPLAINED, Rule
from archipel.rules.contract import Definition
from tools.documents.markdown import Heading, Markdown, collapse_spaces, slug
from tools.documents.pages import Page, Passage, Section, way
from tools.documents.pictures import Picture, read_pictures

TITLES = {"fr": "Règles du jeu", "en": "Rules of the games"}
_SOURCES = {
    "fr": {"R": "du livret de règles", "F": "fait relevé ailleurs", "D": "précision maison"},
    "en": {"R": "from the rulebook", "F": "a fact from elsewhere", "D": "a house decision"},
}
_BEFORE = {"fr": ("Avant", "Après"), "en": ("Before", "After")}


class RulesPages:
    """The rules of all games that ship with Archipel, in both languages."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._games = list(HOUSE_GAMES)
        #: The SVG of each drawing, by address.
        self.drawings: dict[str, str] = {}

    def booklets(self) -> dict[str, str]:
        """Return the address of each booklet, by its path in the checkout."""
        return {
            f"src/{game.package.replace('.', '/')}/text/rules.{language}.md": _address(
                game, language
            )
            for game in self._games
            for language in LANGUAGES
        }

    def places(self, language: str) -> dict[str, str]:
        """Return the address of each rule, by id."""
        return {
            rule.id: f"{_address(game, language)}#{rule.id}"
            for game in self._games
            for rule in game.booklet(language)
        }

    def sections(self) -> list[Section]:
        return [
            Section(
                TITLES[language],
                language,
                tuple(
                    (_address(game, language), game.booklet(language).title) for game in self._games
                ),
            )
            for language in ("fr", "en")
        ]

    def pages(self) -> list[Page]:
        return [self._page(game, language) for game in self._games for language in LANGUAGES]

    def _page(self, game: Definition[Any], language: str) -> Page:
        address = _address(game, language)
        booklet = game.booklet(language)
        pictures = read_pictures(self._root, game)
        places = {rule: way(address, place) for rule, place in self.places(language).items()}
        markdown = Markdown(lambda target: target, places)
        headings = [Heading(1, booklet.title, "")]
        passages = [Passage("", booklet.title, booklet.introduction)]
        parts = [
            f"<h1>{html.escape(booklet.title)}</h1>",
            f'<p class="lead">{markdown.line(booklet.introduction)}</p>',
            f"<p>{html.escape(SOURCES_EXPLAINED[booklet.language])}</p>",
        ]
        for chapter in booklet.chapters:
            anchor = slug(chapter.title)
            headings.append(Heading(2, chapter.title, anchor))
            parts.append(f'<h2 id="{anchor}">{html.escape(chapter.title)}</h2>')
            for rule in chapter:
                shown = [picture for picture in pictures if picture.rule == rule.id]
                figures = self._figures(game, rule, shown, language)
                parts.append(_rule(rule, markdown, figures, language))
                passages.append(
                    Passage(rule.id, rule.id, collapse_spaces(rule.text.replace("`", "")))
                )
        twins = {other: _address(game, other) for other in LANGUAGES if other != language}
        return Page(
            address,
            booklet.title,
            language,
            "\n".join(parts),
            tuple(headings),
            tuple(passages),
            twins,
        )

    def _figures(
        self, game: Definition[Any], rule: Rule, pictures: Sequence[Picture], language: str
    ) -> str:
        figures = []
        for number, picture in enumerate(pictures, 1):
            drawings = picture.drawings(game, language)
            shown = []
            for index, drawing in enumerate(drawings):
                name = f"rules/pictures/{rule.id}-{number}{'ab'[index]}.{language}.svg"
                self.drawings[name] = drawing
                label = _BEFORE[language][index] if len(drawings) > 1 else picture.caption[language]
                shown.append(_image(name, drawing, label, titled=len(drawings) > 1))
            caption = html.escape(picture.caption[language])
            figures.append(
                f'<figure><div class="drawings">{"".join(shown)}</div>'
                f"<figcaption>{caption}</figcaption></figure>"
            )
        return "".join(figures)


def _folder(game: Definition[Any]) -> str:
    return game.package.replace(".", "/")


def _address(game: Definition[Any], language: str) -> str:
    return f"rules/{game.name}.{language}.html"


def _rule(rule: Rule, markdown: Markdown, figures: str, language: str) -> str:
    sources = ", ".join(
        f'<abbr title="{_SOURCES[language][letter]}">{letter}</abbr>' for letter in rule.sources
    )
    return (
        f'<section class="rule" id="{rule.id}"><p>'
        f'<a class="rule-id" href="#{rule.id}">{rule.id}</a> '
        f'<span class="sources">({sources})</span> {markdown.line(rule.text)}</p>'
        f"{figures}</section>"
    )


def _image(name: str, drawing: str, label: str, titled: bool) -> str:
    """Return an image element with its size, so that the page does not shift when it loads."""
    view = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', drawing)
    assert view
    width, height = (round(float(number)) for number in view.groups())
    source = way("rules/here.html", name)
    image = (
        f'<img src="{source}" width="{width}" height="{height}" loading="lazy" '
        f'alt="{html.escape(label)}">'
    )
    if not titled:
        return image
    return f'<div class="drawing"><span aria-hidden="true">{label}</span>{image}</div>'
