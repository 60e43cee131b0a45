"""Convert Markdown to HTML, with links inside the site, anchors and highlighted code."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

RULE_ID = re.compile(r"\b(?:DS|IS|AT|MK)-[A-Z]+[0-9]+\b")
_TAG = re.compile(r"<[^>]*>")
_IN_HTML = re.compile(r'\b(src|href)="([^"]*)"')

#: Maps a link target to an address relative to the page, or None if it is not on the site.
Resolve = Callable[[str], str | None]


@dataclass(frozen=True)
class Heading:
    """A heading with its anchor."""

    level: int
    text: str
    anchor: str


@dataclass
class Rendered:
    """A text as HTML, with its headings and the texts for the search."""

    html: str
    headings: list[Heading]
    #: The plain text under each heading's anchor; the text before the first heading is under "".
    passages: dict[str, str] = field(default_factory=dict)


class Markdown:
    """Converts the texts of one page."""

    def __init__(self, resolve: Resolve, rules: Mapping[str, str]) -> None:
        """``rules`` has the address of each rule, by id."""
        self._resolve = resolve
        self._rules = rules
        self._parser = MarkdownIt("commonmark", {"html": True, "highlight": coloured})
        self._parser.enable("table")
        self._parser.add_render_rule("table_open", _wide_open)
        self._parser.add_render_rule("table_close", _wide_close)
        self._parser.add_render_rule("fence", _fence)
        self._parser.add_render_rule("code_block", _fence)

    def render(self, text: str) -> Rendered:
        tokens = self._parser.parse(text)
        headings = list(self._anchor(tokens))
        for token in tokens:
            if token.type == "html_block":
                token.content = self._inside_html(token.content)
            if token.children is not None:
                token.children = list(self._linked(token.children))
        _free_empty_headers(tokens)
        rendered = self._parser.renderer.render(tokens, self._parser.options, {})
        return Rendered(str(rendered), headings, _passages(tokens, headings))

    def line(self, text: str) -> str:
        """Convert a text without paragraphs."""
        tokens = self._parser.parseInline(text)
        for token in tokens:
            token.children = list(self._linked(token.children or []))
        return str(self._parser.renderer.render(tokens, self._parser.options, {}))

    # ---- anchors and links ----------------------------------------------------------------------

    def _anchor(self, tokens: Sequence[Token]) -> Iterator[Heading]:
        taken: dict[str, int] = {}
        for opening, inline in pairwise(tokens):
            if opening.type != "heading_open":
                continue
            text = "".join(child.content for child in inline.children or [])
            name = slug(text)
            number = taken.get(name, 0)
            taken[name] = number + 1
            anchor = f"{name}-{number}" if number else name
            opening.attrSet("id", anchor)
            yield Heading(int(opening.tag[1:]), text, anchor)

    def _linked(self, children: Sequence[Token]) -> Iterator[Token]:
        open_links: list[bool] = []
        for token in children:
            if token.type == "link_open":
                target = self._resolve(str(token.attrGet("href")))
                open_links.append(target is not None)
                if target is None:  # only in the checkout: a name, not a link
                    token.attrs = {"class": "path", "title": str(token.attrGet("href"))}
                    token.tag = "span"
                else:
                    token.attrSet("href", target)
            elif token.type == "link_close":
                if not open_links.pop():
                    token.tag = "span"
            elif token.type == "image":
                token.attrSet("src", self._resolve(str(token.attrGet("src"))) or "")
                token.attrSet("loading", "lazy")
            elif token.type == "html_inline":
                token.content = self._inside_html(token.content)
            elif token.type == "text" and not open_links and RULE_ID.search(token.content):
                yield from self._with_rules(token.content)
                continue
            yield token

    def _inside_html(self, text: str) -> str:
        def lead(found: re.Match[str]) -> str:
            return f'{found[1]}="{html.escape(self._resolve(found[2]) or "")}"'

        return _IN_HTML.sub(lead, text)

    def _with_rules(self, text: str) -> Iterator[Token]:
        """Turn the rule ids in a text into links."""
        end = 0
        for found in RULE_ID.finditer(text):
            if found[0] not in self._rules:
                continue
            yield Token("text", "", 0, content=text[end : found.start()])
            yield Token(
                "link_open", "a", 1, attrs={"href": self._rules[found[0]], "class": "rule-id"}
            )
            yield Token("text", "", 0, content=found[0])
            yield Token("link_close", "a", -1)
            end = found.end()
        yield Token("text", "", 0, content=text[end:])


def slug(text: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    kept = re.sub(r"[^\w\- ]", "", text.lower())
    return kept.strip().replace(" ", "-") or "section"


def coloured(code: str, language: str, _: str = "") -> str:
    """Return code as HTML, highlighted by classes."""
    names = {"sh": "bash", "py": "python", "text": ""}
    try:
        lexer = get_lexer_by_name(names.get(language, language))
    except ClassNotFound:
        return html.escape(code)
    return str(highlight(code, lexer, HtmlFormatter(nowrap=True)))


def _free_empty_headers(tokens: Sequence[Token]) -> None:
    """Make the empty corner of a table a normal cell instead of a heading."""
    for opening, inline, closing in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if opening.type == "th_open" and not inline.content:
            opening.tag = closing.tag = "td"


# ---- special cases of rendering ----------------------------------------------------------------


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    token = tokens[index]
    code = coloured(token.content, token.info.strip().partition(" ")[0])
    return f'<pre tabindex="0"><code>{code}</code></pre>\n'


def _wide_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    columns = 0
    for token in tokens[index:]:
        if token.type == "thead_close":
            break
        columns += token.type == "th_open"
    kind = "wide" if columns < 4 else "wide many"
    return f'<div class="{kind}" tabindex="0">\n<table>\n'


def _wide_close(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    return "</table>\n</div>\n"


# ---- for the search -----------------------------------------------------------------------------


def _passages(tokens: Sequence[Token], headings: Sequence[Heading]) -> dict[str, str]:
    found: dict[str, list[str]] = {"": []}
    anchor, in_heading = "", False
    for token in tokens:
        if token.type == "heading_open":
            anchor, in_heading = str(token.attrGet("id")), True
            found[anchor] = []
        elif token.type == "heading_close":
            in_heading = False
        elif token.type in ("fence", "code_block"):
            found[anchor].append(token.content)
        elif token.type == "inline" and not in_heading:
            found[anchor].append("".join(_plain(child) for child in token.children or []))
    return {anchor: collapse_spaces(" ".join(parts)) for anchor, parts in found.items()}


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "html_inline":
        return _TAG.sub(" ", token.content)
    return token.content


def collapse_spaces(text: str) -> str:
    """Collapse white space, except no-break spaces."""
    return re.sub(r"[ \t\r\n]+", " ", text).strip()
