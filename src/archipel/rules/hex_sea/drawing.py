"""SVG shapes of both games. Texts come from the catalogue, never from users."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

Point = tuple[float, float]


def picture(width: float, height: float, style: str, parts: Iterable[str]) -> str:
    """An SVG document."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" role="img" font-family="system-ui, sans-serif" '
        f'style="max-width:100%;height:auto{style}">'
    )
    return "\n".join([head, *(part for part in parts if part), "</svg>"])


def polar(x: float, y: float, radius: float, degrees: float) -> Point:
    angle = math.radians(degrees)
    return x + radius * math.cos(angle), y + radius * math.sin(angle)


def polygon(x: float, y: float, radius: float, sides: int = 6, turn: float = -30) -> str:
    """The corners of a regular polygon; by default of a hexagon with a corner at the top."""
    corners = (polar(x, y, radius, turn + 360 / sides * side) for side in range(sides))
    return " ".join(f"{right:.1f},{down:.1f}" for right, down in corners)


def in_a_row(pieces: Sequence[int], x: float, step: float) -> Iterator[tuple[int, float]]:
    """Each piece with its place in a row whose middle is given."""
    for index, piece in enumerate(pieces):
        yield piece, x + (index - (len(pieces) - 1) / 2) * step
