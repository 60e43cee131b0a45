"""The position as a self-contained SVG."""

from __future__ import annotations

from html import escape
from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid, picture
from archipel.rules.mauna_kea.artefacts import carrier
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.state import OWNED, Phase, State, seat_to_move, terrain_at

CELL: Final = 28
SPACE: Final = 2 * CELL
SEA: Final = 46
TOP: Final = 44
ISLAND: Final = grid.COLUMNS * SPACE
WIDTH: Final = ISLAND + 2 * SEA
LINE: Final = 19

INK: Final = "#2b2320"
PAPER: Final = "#f7f0e1"
WATER: Final = "#bfe0e6"
SAND: Final = "#e8d9b5"
GROUND_FILLS: Final = ("#7fae5a", "#5b9fc4", "#8d8279", SAND, "#c8391f", "#4a2a24")
LAVA_LINE: Final = "#ffd166"
# By seat: fill, letter and shape, so that explorers differ not only by colour.
EXPLORERS: Final = (
    ("#ffffff", INK, "circle"),
    ("#f4c431", INK, "triangle"),
    ("#213a7c", "#ffffff", "square"),
    ("#15181c", "#ffffff", "diamond"),
)
ARTEFACT_FILLS: Final = ("#ffffff", "#9aa0a6", "#111111")
_DIRECTIONS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))


def drawing(s: State, language: str) -> str:
    """Draw the island with its coves and, below it, each player's belongings."""
    words = load_catalogue(picture.PACKAGE, language)
    below = TOP + ISLAND + 2 * SEA
    rows = [_player_row(s, seat, words) for seat in range(s.seats)]
    height = below + LINE * (len(rows) + 1)
    title = words.say("picture.over")
    if s.phase != Phase.OVER:
        title = words.say("picture.title", round=picture.round_number(s))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" role="img" font-family="system-ui, sans-serif" '
            'style="max-width:100%;height:auto">'
        ),
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        _text(SEA, 28, title, size=18),
        f'<rect x="0" y="{TOP}" width="{WIDTH}" height="{ISLAND + 2 * SEA}" fill="{WATER}"/>',
        *_coordinates(),
        *(_space(s, space) for space in range(grid.SPACES)),
        *(_boat(s, boat, words) for boat in range(box.BOATS) if s.boat[boat] < OWNED),
        *(_artefact(s, artefact) for artefact in range(box.ARTEFACTS)),
        *(_explorer(s, seat, n) for seat in range(s.seats) for n in range(box.MOST_EXPLORERS)),
        *(_text(SEA, below + LINE * (row + 1), text) for row, text in enumerate(rows)),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part)


def _text(x: float, y: float, text: str, size: int = 13, anchor: str = "start") -> str:
    style = f'font-size="{size}" fill="{INK}" text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(text)}</text>'


def _coordinates() -> list[str]:
    marks = []
    for number in range(grid.COLUMNS):
        middle = SEA + number * SPACE + CELL
        marks.append(_text(middle, TOP + 14, "abcdefghi"[number], 12, "middle"))
        marks.append(_text(10, TOP + middle + 4, str(number + 1), 12, "middle"))
    return marks


def _corner(space: int) -> tuple[int, int]:
    row, column = divmod(space, grid.COLUMNS)
    return SEA + column * SPACE, TOP + SEA + row * SPACE


def _space(s: State, space: int) -> str:
    x, y = _corner(space)
    tile = s.tile[space]
    square = f'<rect x="{x}" y="{y}" width="{SPACE}" height="{SPACE}" fill='
    edge = f'{square}"none" stroke="{INK}" '
    if tile == Tile.EMPTY:
        return f'{square}"{SAND}"/>{edge}stroke-opacity=".25" stroke-dasharray="3 3"/>'
    if is_lava(tile) or tile == Tile.VOLCANO:
        fill = GROUND_FILLS[4 if is_lava(tile) else 5]
        inside = _arrows(s, space) if is_lava(tile) else _crater(x, y)
        return f'{square}"{fill}"/>{inside}{edge}/>'
    cells = []
    for quarter in range(grid.QUARTERS):
        ground = terrain_at(s, space * grid.QUARTERS + quarter)
        left, top = x + quarter % 2 * CELL, y + quarter // 2 * CELL
        cell = f'<rect x="{left}" y="{top}" width="{CELL}" height="{CELL}"'
        cells.append(f'{cell} fill="{GROUND_FILLS[ground]}"/>{_relief(ground, left, top)}')
    name = box.TILE_NAMES[tile] if tile < box.KINDS else ""
    return f"<g><title>{grid.space_name(space)} {name}</title>{''.join(cells)}</g>{edge}/>"


def _relief(ground: int, x: int, y: int) -> str:
    """A mark for lakes and mountains, so that terrain differs not only by colour."""
    if ground == 1:
        path = f"M{x + 5} {y + 10}q4 -4 8 0t8 0M{x + 5} {y + 19}q4 -4 8 0t8 0"
    elif ground == 2:
        path = f"M{x + 5} {y + 22}l7 -13l4 7l3 -4l4 10"
    else:
        return ""
    return f'<path d="{path}" fill="none" stroke="#ffffff" stroke-opacity=".75"/>'


def _crater(x: int, y: int) -> str:
    middle = f'cx="{x + CELL}" cy="{y + CELL}"'
    return f'<circle {middle} r="16" fill="#c8391f"/><circle {middle} r="8" fill="{LAVA_LINE}"/>'


def _arrows(s: State, space: int) -> str:
    """The path of the lava across a tile; the arm with the dot is marked (MK-L5)."""
    x, y = _corner(space)
    middle_x, middle_y = x + CELL, y + CELL
    heading = s.turn[space]
    dx, dy = _DIRECTIONS[heading]
    lines = [f"M{middle_x - dx * 24} {middle_y - dy * 24}L{middle_x} {middle_y}"]
    exits = box.EXITS[s.tile[space] - Tile.FIRST_LAVA]
    dot = ""
    for number, out in enumerate(exits):
        if out == box.NO_EXIT:
            continue
        ex, ey = _DIRECTIONS[(heading + out) % 4]
        tip_x, tip_y = middle_x + ex * 24, middle_y + ey * 24
        lines.append(f"M{middle_x} {middle_y}L{tip_x} {tip_y}")
        lines.append(f"M{tip_x - ex * 8 - ey * 6} {tip_y - ey * 8 - ex * 6}L{tip_x} {tip_y}")
        lines.append(f"L{tip_x - ex * 8 + ey * 6} {tip_y - ey * 8 + ex * 6}")
        if number == 0 and exits[1] != box.NO_EXIT:
            dot_x, dot_y = middle_x + ex * 12 - ey * 9, middle_y + ey * 12 - ex * 9
            dot = f'<circle cx="{dot_x}" cy="{dot_y}" r="4" fill="{LAVA_LINE}"/>'
    path = "".join(lines)
    return f'<path d="{path}" fill="none" stroke="{LAVA_LINE}" stroke-width="4"/>{dot}'


def _cell_middle(cell: int) -> tuple[float, float]:
    x, y = grid.CELL_COLUMN[cell] * CELL, grid.CELL_ROW[cell] * CELL
    return SEA + x + CELL / 2, TOP + SEA + y + CELL / 2


def _boat(s: State, boat: int, words: Catalogue) -> str:
    middles = [_cell_middle(cell) for cell in box.COVE_CELLS[s.layout][s.boat[boat]]]
    x = sum(point[0] for point in middles) / len(middles)
    y = sum(point[1] for point in middles) / len(middles)
    x += 34 if x > WIDTH - SEA - CELL else -34 if x < SEA + CELL else 0
    y += 34 if y > TOP + SEA + ISLAND - CELL else -34 if y < TOP + SEA + CELL else 0
    hull = f'<ellipse cx="{x:g}" cy="{y:g}" rx="34" ry="13" fill="#ffffff" stroke="{INK}"/>'
    turn = f' transform="rotate(90 {x:g} {y:g})"' if x < SEA or x > WIDTH - SEA else ""
    return f"<g{turn}>{hull}{_text(x, y + 4, picture.boat_label(s, boat, words), 9, 'middle')}</g>"


def _artefact(s: State, artefact: int) -> str:
    cell = s.artefact[artefact]
    if not 0 <= cell < grid.SPACES * grid.QUARTERS:
        return ""
    beside = sum(s.artefact[other] == cell for other in range(artefact))
    x, y = _cell_middle(cell)
    x += 4 * beside - 5
    fill = ARTEFACT_FILLS[box.COLOUR[artefact]]
    return (
        f'<path d="M{x:g} {y + 1:g}l5 -7l5 7l-5 7z" fill="{fill}" stroke="{INK}">'
        f"<title>{grid.cell_name(cell)}</title></path>"
    )


def _explorer(s: State, seat: int, number: int) -> str:
    cell = s.explorer[seat][number]
    if cell < 0:
        return ""
    fill, ink, shape = EXPLORERS[seat]
    x, y = _cell_middle(cell)
    outline = f'fill="{fill}" stroke="{INK}" stroke-width="1.5"'
    shapes = {
        "circle": f'<circle cx="{x:g}" cy="{y:g}" r="10" {outline}/>',
        "triangle": f'<path d="M{x:g} {y - 12:g}l12 21h-24z" {outline}/>',
        "square": f'<rect x="{x - 9:g}" y="{y - 9:g}" width="18" height="18" {outline}/>',
        "diamond": f'<path d="M{x:g} {y - 13:g}l13 13l-13 13l-13 -13z" {outline}/>',
    }
    label = f"{number + 1}{picture.load_label(s, carrier(seat, number))}"
    style = f'font-size="{11 if len(label) < 3 else 8}" fill="{ink}" text-anchor="middle"'
    return f'{shapes[shape]}<text x="{x:g}" y="{y + 4:g}" {style}>{label}</text>'


def _player_row(s: State, seat: int, words: Catalogue) -> str:
    pointer = "→ " if seat == seat_to_move(s) else ""
    sections = (picture.player_parts, picture.boats_of, picture.cards_of)
    parts = [part for section in sections for part in section(s, seat, words)]
    return f"{pointer}{seat + 1}  {'  '.join(parts)}"
