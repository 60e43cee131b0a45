"""What other pages show of a table: an image card for links, and a board to embed.

Both are drawn from the view of a spectator with our own drawings. Cards become PNG with resvg
(extra ``render``); without it there are none.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec

from archipel.rules.all_games import game_named
from archipel.tables.publishing.payloads import Table

#: The size that link previews show without cutting anything off.
WIDTH, HEIGHT = 1200, 630
_MARGIN = 36
_BOARD = 640
_INK, _PAPER, _SEA, _SOFT = "#10303a", "#f6f1e4", "#cfe6e6", "#4a646b"
_FONTS = "Gill Sans, Noto Sans, DejaVu Sans, sans-serif"
#: Cards in memory.
_KEPT = 200
#: Seconds until an embedded board looks for the next move.
_AGAIN = 15

_ROOT = re.compile(r"<svg\b[^>]*>")
_VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')

EMBED_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors *"
)

WORDS = {
    "en": {
        "board": "Follow the game",
        "gathering": "Waiting for players",
        "playing": "Being played",
        "over": "Result",
        "closed": "Closed",
        "puzzle": "Puzzle {number}",
        "lead": "Can you find the best turn?",
    },
    "fr": {
        "board": "Suivre la partie",
        "gathering": "En attente de joueurs",
        "playing": "En cours",
        "over": "Résultat",
        "closed": "Fermée",
        "puzzle": "Problème {number}",
        "lead": "Trouverez-vous le meilleur tour\N{NARROW NO-BREAK SPACE}?",
    },
}


@dataclass(frozen=True)
class Sight:
    """A table as everybody may see it, and the drawing of its position, if there is one."""

    table: Table
    drawing: str
    n: int


def can_draw_cards() -> bool:
    return find_spec("resvg_py") is not None


def table_card(sight: Sight, language: str) -> str:
    """The card of a table, a moment or a result, as SVG."""
    table, words = sight.table, WORDS[language]
    result = table.result
    lines = []
    order = list(range(len(table.seats)))
    if result is not None:
        order.sort(key=lambda seat: result.ranks[seat])
    for seat in order:
        name = table.seats[seat].name or "…"
        score = "" if result is None else str(result.scores[seat])
        first = result is not None and result.ranks[seat] == 0
        lines.append((name, score, first))
    title = game_named(table.game).title(language)
    return _card(title, words["over" if result else table.stage], lines, sight.drawing)


def puzzle_card(game: str, number: int, drawing: str, language: str) -> str:
    words = WORDS[language]
    title = game_named(game).title(language)
    lines = [(words["lead"], "", False)]
    return _card(title, words["puzzle"].format(number=number), lines, drawing)


def _card(title: str, heading: str, lines: list[tuple[str, str, bool]], drawing: str) -> str:
    left = _MARGIN + (_BOARD + _MARGIN if drawing else 0)
    box = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    waves = f"M0 {HEIGHT - 46}q60-26 120 0t{'120 0 ' * 9}V{HEIGHT}H0Z"
    room = WIDTH - _MARGIN - left
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="{_FONTS}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAPER}"/>',
        f'<path d="{waves}" fill="{_SEA}"/>',
        _inset(drawing, _MARGIN, _MARGIN, _BOARD, HEIGHT - 2 * _MARGIN) if drawing else "",
        _text(left, 92, _fitting(46, title, room), title, _INK, bold=True),
        _text(left, 144, 30, heading, _SOFT),
    ]
    for row, (name, score, first) in enumerate(lines):
        y = 216 + row * 54
        size = _fitting(32, name, room - (90 if score else 0))
        parts.append(_text(left, y, size, name, _INK, bold=first))
        parts.append(_text(WIDTH - _MARGIN, y, 32, score, _INK, bold=first, anchor="end"))
    parts += [_text(left, HEIGHT - _MARGIN - 36, 28, "Archipel", _SOFT), "</svg>"]
    return "".join(parts)


def _fitting(size: int, text: str, room: int) -> int:
    """The size, or a smaller one in which a bold text fits."""
    return min(size, int(room / (0.68 * max(1, len(text)))))


def _text(
    x: int, y: int, size: int, text: str, fill: str, *, bold: bool = False, anchor: str = "start"
) -> str:
    weight = ' font-weight="700"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{weight}>'
        f"{escape(text)}</text>"
    )


def _inset(drawing: str, x: int, y: int, width: int, height: int) -> str:
    """A drawing within a larger one."""
    found = _VIEW_BOX.search(drawing)
    assert found is not None, "drawings have a view box"
    root = (
        f'<svg x="{x}" y="{y}" width="{width}" height="{height}" '
        f'viewBox="0 0 {found[1]} {found[2]}" font-family="DejaVu Sans, sans-serif">'
    )
    return _ROOT.sub(root, drawing, count=1)


def png_of(drawing: str) -> bytes:
    """A drawing as PNG. Slow: run it in a thread."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=drawing, background="white"))


class CardCache:
    """Cards as PNG by what they show, the latest ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[object, ...], bytes] = OrderedDict()

    def get(self, key: tuple[object, ...]) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def put(self, key: tuple[object, ...], png: bytes) -> None:
        self._kept[key] = png
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)


def embedded_page(sight: Sight, address: str, language: str) -> str:
    """A page with the board of a table, for frames of other pages. It has neither scripts nor
    storage, and renews itself while the game goes on."""
    table, words = sight.table, WORDS[language]
    title = game_named(table.game).title(language)
    result = table.result
    players = ", ".join(
        escape(seat.name) + ("" if result is None else f" {result.scores[number]}")
        for number, seat in enumerate(table.seats)
        if seat.name
    )
    going_on = table.stage in ("gathering", "playing")
    renew = f'<meta http-equiv="refresh" content="{_AGAIN}">' if going_on else ""
    return f"""<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>{renew}
<meta name="viewport" content="width=device-width"><style>
html{{background:{_PAPER};color:{_INK};font-family:"Gill Sans","Noto Sans",system-ui,sans-serif}}
body{{margin:0;display:grid;gap:.4rem;padding:.5rem;justify-items:center}}
svg{{width:100%;height:auto;max-height:80vh}}p{{margin:0}}a{{color:inherit}}
</style></head><body><main>{sight.drawing}</main>
<p>{escape(words["over" if result else table.stage])} · {players}</p>
<p><a href="{escape(address)}" target="_blank" rel="noopener">{escape(words["board"])}</a></p>
</body></html>
"""


def with_card(page: bytes, image: str, title: str, address: str) -> bytes:
    """The client's page with the tags from which other sites make a preview of a link."""
    tags = (
        ("og:type", "website"),
        ("og:site_name", "Archipel"),
        ("og:title", title),
        ("og:url", address),
        ("og:image", image),
        ("og:image:width", str(WIDTH)),
        ("og:image:height", str(HEIGHT)),
    )
    head = "".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in tags)
    head += '<meta name="twitter:card" content="summary_large_image">'
    return page.replace(b"</head>", head.encode() + b"</head>", 1)
