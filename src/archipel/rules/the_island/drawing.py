"""The position as a standalone SVG: a nautical chart cut out of paper.

It contains numbers and sentences of the catalogue, and nothing that users wrote.
"""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.catalogue import load_catalogue
from archipel.rules.hex_sea import drawing as svg
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import aboard
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SPACES, TILE_OF
from archipel.rules.the_island.names import NAMES
from archipel.rules.the_island.picture import PACKAGE, state_of_play, things_in
from archipel.rules.the_island.state import UNKNOWN, State

SIZE: Final = 34.0  # from the middle of a space to its corners
HALF: Final = SIZE * math.sqrt(3) / 2
ROW: Final = SIZE * 1.5
LEFT: Final = 40.0
TOP: Final = 84.0
WIDTH: Final = round(LEFT * 2 + HALF * (max(BOARD.half_columns) + 2))
HEIGHT: Final = round(TOP + ROW * (max(BOARD.rows) + 1) + SIZE)

INK: Final = "#1d3440"
PAPER: Final = "#fbf6e9"
SEA: Final = "#d3e8e4"
CONTOUR: Final = "#a9cfcb"
FILLS: Final = {"beach": "#f2e3bd", "forest": "#8fc09a", "mountain": "#b9a99a", "sea": SEA}

# By colour: fill, letter, and shape, so that explorers differ in more than colour.
EXPLORER_LOOKS: Final = (
    ("#ffffff", INK, "M0-9A9 9 0 1 1 0 9A9 9 0 1 1 0-9Z"),
    ("#f4c431", INK, "M0-11 10 8H-10Z"),
    ("#86c8ee", INK, "M-8-8H8V8H-8Z"),
    ("#d9421f", "#ffffff", "M0-11 10 0 0 11-10 0Z"),
)
CREATURE_PATHS: Final = {
    "serpent": "M-13 6q4-12 8 0t8 0 8-2l3-5-3-3-4 3",
    "shark": "M-14 5Q0-4 12 4L4 5 1-8-4 3Z",
    "whale": "M-14 0Q-10 10 4 8T12-2l4-4-5 1-3-4-1 5Q0 4-14 0Z",
}
CREATURE_FILLS: Final = {"serpent": "#2f7d4f", "shark": "#7c8790", "whale": "#2d5f9a"}


def drawing(s: State, language: str) -> str:
    """The chart: the island, the sea around it, and every piece on it."""
    words = load_catalogue(PACKAGE, language)
    title = " · ".join([words.say("picture.title"), state_of_play(s, words)])
    contents = {NAMES.space(space): " ".join(things_in(s, space)) for space in range(SPACES)}
    parts = [
        f"<title>{title}</title>",
        f"<desc>{'; '.join(f'{name}: {text}' for name, text in contents.items() if text)}</desc>",
        _patterns(),
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="14" fill="{CONTOUR}"/>',
        f'<text x="{LEFT}" y="34" font-size="20" font-weight="600" fill="{INK}">{title}</text>',
        *(_safe_island(s, island) for island in range(len(BOARD.shores))),
        *(_space(s, space) for space in range(SPACES)),
        *(_pieces(s, space) for space in range(SPACES)),
    ]
    return svg.picture(WIDTH, HEIGHT, "", parts)


# ---- the ground ---------------------------------------------------------------------------------


def _patterns() -> str:
    """The patterns of terrains, which differ in more than colour."""
    marks = {
        "beach": '<circle cx="4" cy="4" r="1.1"/><circle cx="9" cy="9" r="1.1"/>',
        "forest": '<path d="M2 9 6 2l4 7Z"/>',
        "mountain": '<path d="M0 10 6 1l6 9" fill="none" stroke-width="1.4"/>',
    }
    patterns = "".join(
        f'<pattern id="{name}" width="12" height="12" patternUnits="userSpaceOnUse">'
        f'<rect width="12" height="12" fill="{FILLS[name]}"/>'
        f'<g fill="{INK}" stroke="{INK}" stroke-width="0" opacity=".28">{mark}</g></pattern>'
        for name, mark in marks.items()
    )
    return f"<defs>{patterns}</defs>"


def _middle(space: int) -> svg.Point:
    return LEFT + HALF * (BOARD.half_columns[space] + 1), TOP + ROW * BOARD.rows[space] + SIZE / 2


def _space(s: State, space: int) -> str:
    x, y = _middle(space)
    kind = "sea" if is_sea(s, space) else box.TERRAINS[s.terrain[TILE_OF[space]]]
    fill = SEA if kind == "sea" else f"url(#{kind})"
    width = 0.8 if kind == "sea" else 1.8
    return (
        f'<polygon points="{svg.polygon(x, y, SIZE - 1)}" fill="{fill}" stroke="{INK}" '
        f'stroke-width="{width}"/>'
        f'<text x="{x:.1f}" y="{y + SIZE - 9:.1f}" font-size="8" text-anchor="middle" '
        f'fill="{INK}" opacity=".65">{NAMES.space(space)}</text>'
    )


def _safe_island(s: State, island: int) -> str:
    """A safe island in its corner, beside its two exits, with the saved explorers."""
    middles = [_middle(space) for space in BOARD.exits[island]]
    x = sum(point[0] for point in middles) / len(middles)
    y = sum(point[1] for point in middles) / len(middles)
    x += -HALF * 1.5 if x < WIDTH / 2 else HALF * 1.5
    y += -ROW * 0.9 if y < HEIGHT / 2 else ROW * 0.9
    people = "".join(
        _explorer(s, e, x - 30 + 20 * (number % 4), y - 8 + 18 * (number // 4))
        for number, e in enumerate(pieces_in(s.place, SPACES + island))
    )
    return (
        f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="52" ry="40" fill="{FILLS["beach"]}" '
        f'stroke="{INK}" stroke-width="1.8"/>'
        f'<text x="{x:.1f}" y="{y - 22:.1f}" font-size="12" text-anchor="middle" '
        f'fill="{INK}">{NAMES.island(island)}</text>{people}'
    )


# ---- pieces -------------------------------------------------------------------------------------


def _pieces(s: State, space: int) -> str:
    """Boats below, then creatures, then explorers side by side."""
    x, y = _middle(space)
    parts = [_boat(s, boat, x, y) for boat in pieces_in(s.boat, space)]
    parts += [_creature(creature, x, y - 14) for creature in pieces_in(s.creature, space)]
    people = pieces_in(s.place, space)
    columns = max(1, min(3, len(people)))
    for number, explorer in enumerate(people):
        across = x + 17 * (number % columns - (columns - 1) / 2)
        parts.append(_explorer(s, explorer, across, y - 4 + 15 * (number // columns)))
    return "".join(parts)


def _boat(s: State, boat: int, x: float, y: float) -> str:
    crew = svg.in_a_row(aboard(s, boat), x, 17)
    return (
        f'<g transform="translate({x:.1f} {y + 6:.1f})"><title>{NAMES.boat(boat)}</title>'
        f'<path d="M-26-4H26Q20 12 0 12T-26-4Z" fill="#c98f4e" stroke="{INK}" '
        'stroke-width="1.4"/></g>' + "".join(_explorer(s, e, right, y - 3) for e, right in crew)
    )


def _creature(creature: int, x: float, y: float) -> str:
    kind = box.CREATURE_KINDS[box.KIND_OF[creature]]
    return (
        f'<g transform="translate({x:.1f} {y:.1f})"><title>{NAMES.creature(creature)}</title>'
        f'<path d="{CREATURE_PATHS[kind]}" fill="{CREATURE_FILLS[kind]}" stroke="{INK}" '
        'stroke-width="1.2" stroke-linejoin="round"/></g>'
    )


def _explorer(s: State, explorer: int, x: float, y: float) -> str:
    fill, letter, shape = EXPLORER_LOOKS[box.COLOUR_OF[explorer]]
    name = NAMES.person(explorer)
    value = "" if s.value[explorer] == UNKNOWN or s.all_equal else f" ({s.value[explorer]})"
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) scale(.82)"><title>{name}{value}</title>'
        f'<path d="{shape}" fill="{fill}" stroke="{INK}" stroke-width="1.3"/>'
        f'<text y="3.6" font-size="10" text-anchor="middle" fill="{letter}">{name[1:]}</text></g>'
    )
