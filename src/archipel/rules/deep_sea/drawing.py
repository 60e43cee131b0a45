"""The position as a self-contained SVG: a nautical chart cut out of paper.

It contains only numbers and sentences of the catalogue, so nothing has to be escaped.
"""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, FULL_AIR
from archipel.rules.deep_sea.notation import chips_in
from archipel.rules.deep_sea.picture import place_text, points_text, round_text, unit_label
from archipel.rules.deep_sea.state import DISC, SUBMARINE, UNKNOWN, State, seat_to_move

Point = tuple[float, float]

WIDTH: Final = 860
MARGIN: Final = 24
# The route runs right, around a half circle, left, and so on: eight chips along each straight and
# one in the middle of each bend, all one step apart.
STEP: Final = 82
STRAIGHT: Final = 8
PERIOD: Final = STRAIGHT + 1
BEND: Final = 2 * STEP / math.pi
ROUTE_LEFT: Final = 143
ROUTE_TOP: Final = 168
CHIP: Final = 24
DIVER: Final = 17
CARD_HEIGHT: Final = 62

INK: Final = "#1d3440"
PAPER: Final = "#fbf6e9"
SEA: Final = "#d3e8e4"
CONTOUR: Final = "#b4d5d1"
ROUTE: Final = "#7fb0b0"
AIR: Final = "#2f86a6"
LEVEL_FILLS: Final = ("#f2e3bd", "#a9d2bd", "#6fb0bf", "#2c6283")
LEVEL_INKS: Final = (INK, INK, INK, "#ffffff")
PIPS: Final[tuple[tuple[Point, ...], ...]] = (
    ((0, 0),),
    ((-7, 0), (7, 0)),
    ((0, -7), (-7, 6), (7, 6)),
    ((-7, -7), (7, -7), (-7, 7), (7, 7)),
)

# By seat: fill, letter and shape, so that divers differ not only by colour.
DIVERS: Final = (
    ("#ffffff", INK, "circle"),
    ("#f4c431", INK, "triangle"),
    ("#86c8ee", INK, "square"),
    ("#d9421f", "#ffffff", "diamond"),
    ("#213a7c", "#ffffff", "hexagon"),
    ("#15181c", "#ffffff", "star"),
)


def drawing(s: State, language: str) -> str:
    """Draw the submarine, the air, the route with its chips and divers, and a card per diver."""
    words = load_catalogue("archipel.rules.deep_sea", language)
    cards_top = max((_at(n)[1] for n in range(s.line_length)), default=ROUTE_TOP) + CHIP + 34
    height = cards_top + (s.seats + 1) // 2 * (CARD_HEIGHT + 10) + MARGIN - 10
    title = words.say("picture.title", round=round_text(s, words), air=s.air, full=FULL_AIR)
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
            f'width="{WIDTH}" role="img" font-family="system-ui, sans-serif" '
            'style="max-width:100%;height:auto;font-variant-numeric:tabular-nums">'
        ),
        f"<title>{title}</title>",
        f"<desc>{_description(s, words)}</desc>",
        _sea(height),
        _compass(WIDTH - 66, 76),
        _submarine(s, words),
        _air_gauge(s, words),
        _route(s),
        *(_space(s, space, words) for space in range(s.line_length)),
        *(_diver_on_line(s, diver) for diver in range(s.seats) if s.place[diver] != SUBMARINE),
        *(_card(s, diver, cards_top, words) for diver in range(s.seats)),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _description(s: State, words: Catalogue) -> str:
    sentences = []
    for diver in range(s.seats):
        parts = [
            words.say("picture.diver", number=diver + 1),
            place_text(s, diver, words),
            points_text(s, diver, words),
        ]
        if s.load[diver]:
            units = ", ".join(unit_label(s, unit) for unit in s.hand[diver][: s.load[diver]])
            parts.append(words.say("picture.holds", units=units))
        sentences.append(", ".join(parts) + ".")
    return " ".join(sentences)


def _sea(height: float) -> str:
    """Chart paper with depth contours and a little grain."""
    parts = [f'<rect width="{WIDTH}" height="{height:.0f}" rx="14" fill="{SEA}"/>']
    for index in range(1, int(height // 70)):
        wave = f"M 0 {70 * index + 30} q 107 {-16 - 5 * (index % 3)} 215 0" + " t 215 0" * 3
        parts.append(f'<path d="{wave}" fill="none" stroke="{CONTOUR}" stroke-width="1.2"/>')
    specks = "".join(
        f"M{(index * 397 + 31) % WIDTH} {(index * 211 + 17) % int(height)}h1.4"
        for index in range(90)
    )
    parts.append(f'<path d="{specks}" stroke="{ROUTE}" stroke-opacity=".5"/>')
    return "".join(parts)


def _compass(x: float, y: float) -> str:
    points = [_polar(x, y, (34, 9, 20, 9)[n % 4], n * 22.5 - 90) for n in range(16)]
    return (
        f'<g stroke="{ROUTE}" stroke-width="1.2">'
        f'<circle cx="{x}" cy="{y}" r="38" fill="none"/>'
        f'<polygon points="{_points(points)}" fill="{PAPER}"/>'
        f'<circle cx="{x}" cy="{y}" r="4" fill="{ROUTE}"/></g>'
    )


def _submarine(s: State, words: Catalogue) -> str:
    """A paper submarine with the divers who are in it."""
    inside = [diver for diver in range(s.seats) if s.place[diver] == SUBMARINE]
    hull = "M 40 74 q 0 -34 44 -34 h 150 q 52 0 60 34 q -8 34 -60 34 h -150 q -44 0 -44 -34 z"
    tower = "M 126 42 v -16 q 0 -8 8 -8 h 44 q 8 0 8 8 v 16 z"
    fin = "M 294 74 l 24 -20 v 40 z"
    shapes = f'<path d="{tower}"/><path d="{fin}"/><path d="{hull}"/>'
    parts = [
        f"<g><title>{words.say('picture.submarine')}</title>",
        f'<g transform="translate(3 4)" fill="{INK}" fill-opacity=".25">{shapes}</g>',
        f'<g fill="#f0b84a" stroke="{INK}" stroke-width="1.6" stroke-linejoin="round">{shapes}</g>',
        (
            '<path d="M 52 92 q 6 14 32 14 h 150 q 38 0 52 -20" fill="none" stroke="#b97f1e" '
            'stroke-width="5" stroke-opacity=".55" stroke-linecap="round"/>'
        ),
    ]
    for place in range(6):
        x = 76 + 39 * place
        parts.append(
            f'<circle cx="{x}" cy="74" r="16.5" fill="#e4f1ee" stroke="{INK}" stroke-width="1.2"/>'
        )
        if place < len(inside):
            parts.append(_token(inside[place], x, 74, 11.5))
    return "".join(parts) + "</g>"


def _air_gauge(s: State, words: Catalogue) -> str:
    """A tank of 25 breaths; the level shows without colour because used breaths are empty."""
    left, top, cell = 372, 62, 13
    label = words.say("picture.air")
    parts = [
        f"<g><title>{label} {s.air}/{FULL_AIR}</title>",
        _text(left, top - 12, round_text(s, words), 15, anchor="start", weight=600),
        _text(left, top + 50, f"{label} {s.air}", 17, anchor="start", weight=700),
        (
            f'<rect x="{left - 5}" y="{top - 3}" width="{FULL_AIR * cell + 9}" height="30" rx="9" '
            f'fill="{PAPER}" stroke="{INK}" stroke-width="1.6"/>'
        ),
    ]
    for breath in range(FULL_AIR):
        x = left + breath * cell
        fill = f'fill="{AIR}"' if breath < s.air else f'fill="none" stroke="{CONTOUR}"'
        parts.append(f'<rect x="{x}" y="{top + 2}" width="{cell - 2}" height="20" rx="3" {fill}/>')
    return "".join(parts) + "</g>"


def _at(space: int) -> Point:
    """The centre of a space."""
    row, along = divmod(space, PERIOD)
    y = ROUTE_TOP + 2 * BEND * row
    right = ROUTE_LEFT + (STRAIGHT - 1) * STEP
    rightward = row % 2 == 0
    if along == STRAIGHT:
        return (right + BEND if rightward else ROUTE_LEFT - BEND, y + BEND)
    return (ROUTE_LEFT + along * STEP if rightward else right - along * STEP, y)


def _route(s: State) -> str:
    """The path from the submarine along all spaces, under the chips."""
    if s.line_length == 0:
        return ""
    x, y = _at(0)
    path = [f"M 62 108 Q 62 {y:.1f} {x:.1f} {y:.1f}"]
    for space in range(1, s.line_length):
        x, y = _at(space)
        if space % PERIOD in (STRAIGHT, 0):
            sweep = 1 if (space - 1) // PERIOD % 2 == 0 else 0
            path.append(f"A {BEND:.1f} {BEND:.1f} 0 0 {sweep} {x:.1f} {y:.1f}")
        else:
            path.append(f"L {x:.1f} {y:.1f}")
    return (
        f'<path d="{" ".join(path)}" fill="none" stroke="{ROUTE}" stroke-width="3" '
        'stroke-dasharray="2 8" stroke-linecap="round"/>'
    )


def _space(s: State, space: int, words: Catalogue) -> str:
    x, y = _at(space)
    unit = s.line[space]
    chips = chips_in(unit)
    levels = [chip // CHIPS_PER_LEVEL + 1 for chip in chips]
    kind, details = "disc", {}
    if len(chips) > 1:
        kind, details = "pile", {"count": len(chips), "levels": ", ".join(map(str, levels))}
    elif chips:
        kind = "chip" if s.value[chips[0]] == UNKNOWN else "chip_known"
        details = {"level": levels[0], "value": s.value[chips[0]]}
    label = words.say(f"picture.space.{kind}", space=space + 1, **details)
    number = _text(x, y + CHIP + 15, str(space + 1), 11)
    return f"<g><title>{label}</title>{number}{_unit(s, unit, x, y, CHIP)}</g>"


def _unit(s: State, unit: int, x: float, y: float, radius: float) -> str:
    chips = chips_in(unit)
    if unit == DISC:
        dashed = f'stroke="{INK}" stroke-width="1.2" stroke-dasharray="3 2.5"'
        return _circle(x, y, radius * 0.62, f'fill="#ffffff" {dashed}')
    return _chip(s, chips[0], x, y, radius) if len(chips) == 1 else _pile(chips, x, y, radius)


def _chip(s: State, chip: int, x: float, y: float, radius: float) -> str:
    """A chip with its value, or with a pip per level if the value is hidden."""
    level, scale, size = chip // CHIPS_PER_LEVEL, radius / CHIP, radius * 0.85
    disc, ink = _paper_disc(x, y, radius, LEVEL_FILLS[level]), LEVEL_INKS[level]
    if s.value[chip] != UNKNOWN:
        return disc + _text(x, y + size * 0.35, str(s.value[chip]), size, ink, weight=700)
    return disc + "".join(
        _circle(x + across * scale, y + down * scale, 3.6 * scale, f'fill="{ink}"')
        for across, down in PIPS[level]
    )


def _pile(chips: tuple[int, ...], x: float, y: float, radius: float) -> str:
    """A stack of sheets with a stripe in the level's colour for each chip, and their number."""
    parts = []
    for layer in (2, 1):
        lift = layer * radius * 0.16
        parts.append(_paper_disc(x + lift, y + lift, radius * 0.9, LEVEL_FILLS[0]))
    parts.append(_paper_disc(x, y, radius * 0.95, PAPER))
    width = radius * 1.3 / len(chips)
    for index, chip in enumerate(chips):
        left = x - radius * 0.65 + index * width
        parts.append(
            f'<rect x="{left:.1f}" y="{y + radius * 0.2:.1f}" width="{width:.1f}" '
            f'height="{radius * 0.36:.1f}" fill="{LEVEL_FILLS[chip // CHIPS_PER_LEVEL]}" '
            f'stroke="{INK}" stroke-width=".8"/>'
        )
    size = radius * 0.7
    parts.append(_text(x, y + size * 0.1, f"×{len(chips)}", size, weight=700))
    return "".join(parts)


def _paper_disc(x: float, y: float, radius: float, fill: str) -> str:
    """Light from the upper left: a shadow to the lower right, a soft second tone inside."""
    tone = 'fill="none" stroke="#ffffff" stroke-opacity=".55" stroke-width="1.4"'
    return (
        _circle(x + 1.8, y + 2.4, radius, f'fill="{INK}" fill-opacity=".25"')
        + _circle(x, y, radius, f'fill="{fill}" stroke="{INK}" stroke-width="1.3"')
        + _circle(x, y, radius * 0.84, tone)
    )


def _diver_on_line(s: State, diver: int) -> str:
    """A diver above the chip of its space, with an arrow along the route."""
    place = s.place[diver]
    x, y = _at(place)
    back = s.turned[diver] != 0
    ahead = _at(place - 1 if back else place + 1) if place > 0 or not back else (62.0, 108.0)
    angle = math.degrees(math.atan2(ahead[1] - y, ahead[0] - x))
    token_y = y - CHIP
    corners = ((11, 0), (3, -26), (3, 26))
    tip = [_polar(x, token_y, DIVER + beyond, angle + turn) for beyond, turn in corners]
    style = f'fill="{INK}" stroke="#ffffff" stroke-width="1.5" paint-order="stroke"'
    return f'{_token(diver, x, token_y, DIVER)}<polygon points="{_points(tip)}" {style}/>'


def _token(diver: int, x: float, y: float, size: float) -> str:
    """A diver: a coloured shape with its number, with an outline that shows on any ground."""
    fill, ink, shape = DIVERS[diver]
    outline = _outline(shape, x, y, size)
    number = _text(x, y + size * (0.52 if shape == "triangle" else 0.34), str(diver + 1), size, ink)
    return (
        f'<path d="{outline}" fill="none" stroke="#ffffff" stroke-width="4.5" '
        f'stroke-linejoin="round"/><path d="{outline}" fill="{fill}" stroke="{INK}" '
        f'stroke-width="1.8" stroke-linejoin="round"/>{number}'
    )


def _outline(shape: str, x: float, y: float, size: float) -> str:
    if shape == "circle":
        r = size * 0.92
        return (
            f"M {x - r:.1f} {y:.1f} a {r:.1f} {r:.1f} 0 1 0 {2 * r:.1f} 0 "
            f"a {r:.1f} {r:.1f} 0 1 0 {-2 * r:.1f} 0 z"
        )
    # Corners, radius, rotation. Every second corner of a star is closer to the centre.
    corners, radius, turn = {
        "triangle": (3, 1.2, -90),
        "square": (4, 1.2, 45),
        "diamond": (4, 1.15, 0),
        "hexagon": (6, 1.05, 0),
        "star": (10, 1.25, -90),
    }[shape]
    reach = (radius, radius * (0.62 if shape == "star" else 1))
    points = [
        _polar(x, y, size * reach[corner % 2], turn + 360 / corners * corner)
        for corner in range(corners)
    ]
    if shape == "triangle":
        points = [(across, down + size * 0.15) for across, down in points]
    return "M " + " L ".join(f"{across:.1f} {down:.1f}" for across, down in points) + " z"


def _card(s: State, diver: int, top: float, words: Catalogue) -> str:
    """A diver's hand, points, and treasure by level."""
    width = (WIDTH - 2 * MARGIN - 12) / 2
    x = MARGIN + (width + 12) * (diver % 2)
    y = top + (CARD_HEIGHT + 10) * (diver // 2)
    to_move = diver == seat_to_move(s)
    border = f'stroke="{INK}" stroke-width="{3 if to_move else 1}"'
    place = place_text(s, diver, words)
    note = f"{place}, {words.say('picture.to_move')}" if to_move else place
    size = f'width="{width:.1f}" height="{CARD_HEIGHT}" rx="9"'
    parts = [
        f'<g><rect x="{x + 2:.1f}" y="{y + 3:.1f}" {size} fill="{INK}" fill-opacity=".2"/>',
        f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{PAPER}" {border}/>',
        _token(diver, x + 28, y + CARD_HEIGHT / 2, 16),
        _text(x + 56, y + 20, note, 12.5, anchor="start", weight=600 if to_move else 400),
        _text(x + width - 14, y + 24, points_text(s, diver, words), 17, anchor="end", weight=700),
    ]
    for slot, unit in enumerate(s.hand[diver][: s.load[diver]]):
        label = f"<title>{slot + 1}. {unit_label(s, unit)}</title>"
        parts.append(f"<g>{label}{_unit(s, unit, x + 70 + 36 * slot, y + 43, 14)}</g>")
    parts.append(_treasure(s, diver, x + width - 14, y + 48))
    return "".join(parts) + "</g>"


def _treasure(s: State, diver: int, right: float, y: float) -> str:
    """The number of chips of each level in the treasure, the deepest at the right."""
    parts = []
    for level in reversed(range(len(LEVEL_FILLS))):
        chips = [c for c in chips_in(s.treasure[diver]) if c // CHIPS_PER_LEVEL == level]
        if chips:
            parts.append(_text(right, y, f"×{len(chips)}", 12, anchor="end"))
            x, ink = right - 28, LEVEL_INKS[level]
            fill = f'fill="{LEVEL_FILLS[level]}" stroke="{INK}" stroke-width=".9"'
            parts.append(f'<circle cx="{x}" cy="{y - 4}" r="8" {fill}/>')
            for across, down in PIPS[level]:
                parts.append(_circle(x + across / 2.6, y - 4 + down / 2.6, 1.5, f'fill="{ink}"'))
            right -= 46
    return "".join(parts)


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str = INK,
    *,
    anchor: str = "middle",
    weight: int = 400,
) -> str:
    style = f'font-size="{size:.1f}" fill="{fill}" text-anchor="{anchor}" font-weight="{weight}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{text}</text>'


def _circle(x: float, y: float, radius: float, attributes: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {attributes}/>'


def _polar(x: float, y: float, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return (x + radius * math.cos(angle), y + radius * math.sin(angle))


def _points(points: list[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
