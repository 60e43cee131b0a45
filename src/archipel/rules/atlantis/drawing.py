"""The position as a standalone SVG: a nautical chart cut out of paper.

It contains numbers and sentences of the catalogue, and nothing that users wrote.
"""

from __future__ import annotations

import math
from typing import Final

from archipel.rules.atlantis.board import BOARD, LANDING, SHORE_OF, SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import BOX, TERRAINS
from archipel.rules.atlantis.components import KIND_OF, PER_TRIBE, TRIBE_OF
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.names import NAMES, TRIBE_LETTERS, TRIBE_NAMES
from archipel.rules.atlantis.picture import heading
from archipel.rules.atlantis.state import State, seat_to_move
from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.hex_sea import drawing as svg
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import aboard
from archipel.rules.hex_sea.places import LOST

HEX: Final = 30.0  # from the middle of a space to its corners
HALF: Final = HEX * math.sqrt(3) / 2
MARGIN: Final = 70.0
CARD: Final = 34

INK: Final = "#1d3440"
PAPER: Final = "#fbf6e9"
SEA: Final = "#cfe4e6"
CONTOUR: Final = "#a9cdd1"
REEF: Final = "#e79a8b"
SAND: Final = "#f2e3bd"
# By terrain: fill, second tone, and how high the paper is stacked.
LAND: Final = (("#eed689", "#d8b95c", 2), ("#9cc088", "#74a062", 5), ("#b3aca2", "#8b8379", 9))

# By tribe: fill, letter, and shape, so that people differ in more than colour.
TRIBE_LOOKS: Final = (
    ("#d9421f", "#ffffff", "diamond"),
    ("#213a7c", "#ffffff", "hexagon"),
    ("#f4c431", INK, "triangle"),
    ("#7fc98a", INK, "circle"),
)
# By kind of animal: its silhouette around a middle, about 20 wide.
SILHOUETTES: Final = (
    "M-11 -5 L-6 -1 L-3 -6 L0 -1 L3 -6 L6 -1 L11 -5 Q9 9 0 9 Q-9 9 -11 -5 Z",
    "M-11 6 Q-3 4 2 -9 Q4 2 11 6 Z",
    "M-7 0 Q-7 -9 0 -9 Q7 -9 7 0 L10 7 L5 4 L3 9 L0 4 L-3 9 L-5 4 L-10 7 Z",
    "M-11 5 Q-5 -9 6 -5 L11 -3 L7 -1 Q6 4 1 0 Q-5 0 -8 8 Z",
)
ANIMAL_FILLS: Final = ("#5b3a66", "#4a5a66", "#a2463f", "#2f86a6")


def drawing(s: State, language: str) -> str:
    """The chart: sea, island in relief, Coral Islands, boats, animals, people; and the score."""
    words = load_catalogue("archipel.rules.atlantis", language)
    width = MARGIN * 2 + HALF * (max(BOARD.half_columns) + 1)
    board = MARGIN * 2 + HEX * 1.5 * BOARD.rows[-1]
    height = board + s.seats * CARD + 12
    parts = [
        f"<title>{words.say('picture.title')}. {heading(s, words)}</title>",
        f"<desc>{_description(s, words)}</desc>",
        f'<rect width="{width:.0f}" height="{height:.0f}" rx="14" fill="{SEA}"/>',
        *(_coral_island(s, island, words) for island in range(len(BOARD.shores))),
        *(_space(s, space, words) for space in range(SPACES)),
        *(_boat(s, boat) for boat, space in enumerate(s.boat) if space < SPACES),
        *(_animals(s, space) for space in range(SPACES)),
        *(_crowd(s, space) for space in range(SPACES)),
        *(_card(s, seat, board + seat * CARD, width, words) for seat in range(s.seats)),
    ]
    return svg.picture(width, height, ";font-variant-numeric:tabular-nums", parts)


def _description(s: State, words: Catalogue) -> str:
    return " ".join(f"{', '.join(_summary(s, seat, words))}." for seat in range(s.seats))


def _summary(s: State, seat: int, words: Catalogue) -> list[str]:
    """A seat, its tribe, and the numbers of its people saved, left and lost."""
    tribe = words.say(f"picture.tribe.{TRIBE_NAMES[seat]}")
    lost = s.place[seat * PER_TRIBE : (seat + 1) * PER_TRIBE].count(LOST)
    return [
        words.say("picture.seat", seat=seat + 1, tribe=tribe),
        words.say("picture.saved", count=score(s, seat)),
        words.say("picture.left", count=s.left[seat]),
        words.say("picture.lost", count=lost),
    ]


# ---- spaces -------------------------------------------------------------------------------------


def _middle(space: int) -> svg.Point:
    right, down = HALF * (BOARD.half_columns[space] + 0.5), HEX * 1.5 * BOARD.rows[space]
    return MARGIN + right, MARGIN + down


def _space(s: State, space: int, words: Catalogue) -> str:
    x, y = _middle(space)
    name = NAMES.space(space)
    if is_sea(s, space):
        landing = SHORE_OF[space]
        if landing >= 0:
            label = words.say("picture.place.landing", space=name, island=NAMES.island(landing))
        else:
            label = words.say("picture.place.sea", space=name)
        dash = "" if TERRAIN_OF_SPACE[space] < 0 else ' stroke-dasharray="3 3"'
        corners = svg.polygon(x, y, HEX - 1)
        shape = f'<polygon points="{corners}" fill="none" stroke="{CONTOUR}"{dash}/>'
    else:
        terrain = TERRAIN_OF_SPACE[space]
        label = words.say(f"picture.place.{TERRAINS[terrain]}", space=name)
        shape = _relief(x, y, terrain, space == s.sinking)
    text = _text(x, y + HEX * 0.78, name, 8)
    return f"<g><title>{label}</title>{shape}{text}</g>"


def _relief(x: float, y: float, terrain: int, sinking: bool) -> str:
    """Stacked paper: the higher the terrain, the longer its shadow."""
    fill, tone, height = LAND[terrain]
    shadow = (
        f'<polygon points="{svg.polygon(x + height * 0.6, y + height, HEX - 1)}" fill="{INK}" '
        'fill-opacity=".22"/>'
    )
    sheet = (
        f'<polygon points="{svg.polygon(x, y, HEX - 1.5)}" fill="{fill}" stroke="{INK}" '
        f'stroke-width="{3 if sinking else 1}"/>'
    )
    marks = (
        "".join(f"M{x + dx:.1f} {y - 17 + dy:.1f}h2" for dx, dy in ((-9, 2), (0, -2), (8, 3))),
        "".join(f"M{x + dx:.1f} {y - 14:.1f}q3 -6 6 0" for dx in (-10, -2, 6)),
        "".join(f"M{x + dx:.1f} {y - 12:.1f}l5 -9l5 9" for dx in (-11, 0)),
    )[terrain]
    return shadow + sheet + f'<path d="{marks}" fill="none" stroke="{tone}" stroke-width="2"/>'


def _coral_island(s: State, island: int, words: Catalogue) -> str:
    """A Coral Island beside its landing, away from the middle of the board, between two reefs."""
    x, y = _middle(LANDING[island])
    centre_x, centre_y = _middle(BOX.centre)
    away = math.degrees(math.atan2(y - centre_y, x - centre_x))
    at_x, at_y = svg.polar(x, y, HEX * 1.35, away)
    reefs = "".join(
        f'<circle cx="{right:.1f}" cy="{down:.1f}" r="7" fill="{REEF}" stroke="{INK}"/>'
        for right, down in (
            svg.polar(x, y, HEX * 1.15, away - 62),
            svg.polar(x, y, HEX * 1.15, away + 62),
        )
    )
    label = words.say("picture.place.island", island=NAMES.island(island))
    saved = [TRIBE_OF[person] for person in pieces_in(s.place, SPACES + island)]
    tokens = "".join(
        _token(seat, right, at_y, 8) + _text(right, at_y + 17, str(saved.count(seat)), 10)
        for seat, right in svg.in_a_row(sorted(set(saved)), at_x, 17)
    )
    return (
        f"<g><title>{label}</title>"
        f'<circle cx="{at_x:.1f}" cy="{at_y:.1f}" r="{HEX:.1f}" fill="{SAND}" stroke="{INK}"/>'
        f"{_text(at_x, at_y - 14, NAMES.island(island).upper(), 11)}{tokens}{reefs}</g>"
    )


# ---- pieces -------------------------------------------------------------------------------------


def _boat(s: State, boat: int) -> str:
    x, y = _middle(s.boat[boat])
    crew = aboard(s, boat)
    title = " ".join([f"b{NAMES.boat(boat)}", *map(NAMES.person, crew)])
    hull = f"M{x - 20:.1f} {y:.1f}h40q-4 12 -14 12h-12q-10 0 -14 -12z"
    sail = f"M{x - 1:.1f} {y - 2:.1f}v-18l13 15z"
    tokens = "".join(
        _token(TRIBE_OF[person], x + (index - 1) * 12, y + 2, 6.5)
        for index, person in enumerate(crew)
    )
    return (
        f"<g><title>{title}</title>"
        f'<path d="{sail}" fill="{PAPER}" stroke="{INK}"/>'
        f'<path d="{hull}" fill="#a9743c" stroke="{INK}"/>'
        f"{_text(x - 10, y - 7, NAMES.boat(boat), 9)}{tokens}</g>"
    )


def _animals(s: State, space: int) -> str:
    """The animals of a space in a row along its top."""
    x, y = _middle(space)
    here = pieces_in(s.creature, space)
    return "".join(
        f"<g><title>{NAMES.creature(animal)}</title>"
        f'<path transform="translate({right:.1f} {y - 11:.1f})" d="{SILHOUETTES[KIND_OF[animal]]}" '
        f'fill="{ANIMAL_FILLS[KIND_OF[animal]]}" stroke="{PAPER}"/></g>'
        for animal, right in svg.in_a_row(here, x, min(20.0, 40 / max(1, len(here) - 1)))
    )


def _crowd(s: State, space: int) -> str:
    """The people on a piece, or the swimmers of a space, half under a wave."""
    x, y = _middle(space)
    here = pieces_in(s.place, space)
    parts = []
    for person, right in svg.in_a_row(here, x, min(15.0, 38 / max(1, len(here) - 1))):
        wave = (
            f'<path d="M{right - 9:.1f} {y + 10:.1f}q4.5 -4 9 0t9 0v7h-18z" fill="{CONTOUR}" '
            f'stroke="{INK}" stroke-width=".6"/>'
        )
        token = _token(TRIBE_OF[person], right, y + 6, 8) + (wave if is_sea(s, space) else "")
        parts.append(f"<g><title>{NAMES.person(person)}</title>{token}</g>")
    return "".join(parts)


def _token(tribe: int, x: float, y: float, radius: float) -> str:
    fill, ink, shape = TRIBE_LOOKS[tribe]
    look = f'fill="{fill}" stroke="{INK}" stroke-width="1.2"'
    if shape == "circle":
        body = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}/>'
    else:
        sides, growth = {"diamond": (4, 1.2), "hexagon": (6, 1.1), "triangle": (3, 1.4)}[shape]
        points = svg.polygon(x, y, radius * growth, sides, -90)
        body = f'<polygon points="{points}" {look}/>'
    return body + _text(x, y + radius * 0.4, TRIBE_LETTERS[tribe], radius * 1.1, ink)


def _card(s: State, seat: int, y: float, width: float, words: Catalogue) -> str:
    mark = "→ " if seat == seat_to_move(s) else ""
    text = mark + "   ".join(_summary(s, seat, words))
    return (
        f'<rect x="16" y="{y:.1f}" width="{width - 32:.0f}" height="{CARD - 6}" rx="8" '
        f'fill="{PAPER}" stroke="{CONTOUR}"/>'
        f"{_token(seat, 36, y + 14, 9)}{_text(56, y + 19, text, 13, anchor='start')}"
    )


def _text(
    x: float, y: float, text: str, size: float, fill: str = INK, anchor: str = "middle"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}" '
        f'fill="{fill}">{text}</text>'
    )
