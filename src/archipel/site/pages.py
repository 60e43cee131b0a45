"""The client's page for a static site: relative addresses, a security policy, and text that can be
read before anything has loaded."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from typing import Any

import msgspec

from archipel.lessons import Lesson, lessons_of
from archipel.rules.all_games import games
from archipel.rules.booklet import LANGUAGES
from archipel.rules.contract import Definition
from archipel.site.meeting import Meeting

_INLINE = re.compile(r"<(script|style)\b(?![^>]*\bsrc=)[^>]*>(.*?)</\1\s*>", re.DOTALL)

_INTRODUCTION = {
    "en": (
        (
            "Archipel is four board games about getting home before it is too late, for two to six"
            " people and bots. They run in your browser, also without a network. The games are on"
            " their way; meanwhile you can read the rules, or how the first lessons begin."
        ),
        "Rules",
    ),
    "fr": (
        (
            "Archipel, ce sont quatre jeux de société où il faut rentrer avant qu’il ne soit trop"
            " tard, pour deux à six personnes et robots. Ils tournent dans votre navigateur, même"
            " sans réseau. Les jeux arrivent\N{NO-BREAK SPACE}; en attendant, vous pouvez lire les"
            " règles, ou le début des premières leçons."
        ),
        "Règles",
    ),
}


def site_page(page: str, runtime: str, meeting: Meeting, *, documents: bool) -> str:
    """The client's page for the folder of a site with this runtime."""
    page = relative_addresses(page)
    meeting_text = html.escape(msgspec.json.encode(meeting).decode(), quote=True)
    attributes = f'data-site="{runtime}" data-meeting="{meeting_text}"'
    page = page.replace("<html ", f"<html {attributes} ", 1)
    page = page.replace("<noscript>", f"{_text(documents=documents)}<noscript>", 1)
    policy = html.escape(_policy(page, meeting), quote=True)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
    return page.replace('<meta charset="utf-8" />', f'<meta charset="utf-8" />\n    {meta}', 1)


def relative_addresses(text: str) -> str:
    """Make the addresses from the root in a page or manifest relative to its folder."""
    return re.sub(r'(["\'])/(?!/)', r"\1./", text)


def site_manifest(text: str) -> str:
    """The client's manifest for the folder of a site. Its address is its identity: a host may have
    other apps."""
    manifest = json.loads(relative_addresses(text))
    del manifest["id"]
    return json.dumps(manifest, indent=2, ensure_ascii=False)


def redirecting_page(base: str) -> str:
    """A page for hosts that show it for every unknown address, as ``404.html``: opens the client's
    page for the address."""
    script = (
        f"const base={json.dumps(base)};const path=location.pathname;"
        "if(path.startsWith(base)&&path.length>base.length)"
        'location.replace(base+"?/"+path.slice(base.length)+location.hash);'
    )
    digest = _hash(script)
    policy = f"default-src 'none'; script-src {digest}; base-uri 'none'; form-action 'none'"
    link = html.escape(base, quote=True)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Archipel</title><script>{script}</script></head>"
        f'<body><p>There is no such page. <a href="{link}">To the games</a></p><p lang="fr">'
        f'Cette page n’existe pas. <a href="{link}">Vers les jeux</a></p></body></html>\n'
    )


def _policy(page: str, meeting: Meeting) -> str:
    """Loads only from the site, and connects only to it and the servers of the settings; a policy
    in a page cannot forbid framing."""
    scripts = [_hash(body) for kind, body in _INLINE.findall(page) if kind == "script"]
    styles = [_hash(body) for kind, body in _INLINE.findall(page) if kind == "style"]
    return "; ".join(
        [
            "default-src 'none'",
            " ".join(("script-src 'self' 'wasm-unsafe-eval'", *scripts)),
            " ".join(("style-src 'self'", *styles)),
            "style-src-attr 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "media-src 'self'",
            " ".join(("connect-src 'self'", *meeting.origins)),
            "manifest-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
        ]
    )


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _text(*, documents: bool) -> str:
    """What can be read at once, in both languages; the page's style shows the reader's."""
    parts = []
    for language in LANGUAGES:
        introduction, rules = _INTRODUCTION[language]
        items = "".join(_item(game, language, rules, documents=documents) for game in games())
        parts.append(
            f'<div class="shell-text" lang="{language}"><p>{introduction}</p><ul>{items}</ul></div>'
        )
    return "".join(parts)


def _item(game: Definition[Any], language: str, rules: str, *, documents: bool) -> str:
    title = html.escape(game.title(language))
    link = (
        f' <a href="./docs/rules/{game.name}.{language}.html">{rules}'
        f'<span class="unseen">: {title}</span></a>'
    )
    introduction = html.escape(game.booklet(language).introduction)
    lesson = "".join(_first_step(lesson, language) for lesson in lessons_of(game.name)[:1])
    return f"<li><strong>{title}</strong>. {introduction}{link if documents else ''}{lesson}</li>"


def _first_step(lesson: Lesson, language: str) -> str:
    """What a lesson says before the first move."""
    title, text = html.escape(lesson.title[language]), html.escape(lesson.steps[0].said[language])
    return f"<details><summary>{title}</summary><p>{text}</p></details>"
