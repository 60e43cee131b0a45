"""Ratings as a picture: a point for each bot, and its interval as a line."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from archipel.study.ratings import Rating

ROW = 30
LEFT = 150
RIGHT = 70
PLOT = 420
TOP = 44
BOTTOM = 34
GRID = 100  # points of rating between two lines, or a multiple

STYLE = (
    "text{font:14px system-ui,sans-serif;fill:#1d2b36}.grid{stroke:#b9c4cc}"
    ".soft{fill:#4d5b66;font-size:12px}.bar{stroke:#0b6e8a;stroke-width:3}"
    ".dot{fill:#0b6e8a}@media(prefers-color-scheme:dark){text{fill:#e8eef2}"
    ".soft{fill:#a9b7c1}.grid{stroke:#3c4a54}.bar{stroke:#63c5e0}.dot{fill:#63c5e0}}"
)


def draw_ratings(title: str, ratings: Sequence[Rating]) -> str:
    """An SVG, the best on top. It has its own colours for light and dark pages."""
    low = min(rating.interval.low for rating in ratings)
    high = max(rating.interval.high for rating in ratings)
    step = GRID
    while (high - low) / step > 8:
        step *= 2
    first, last = int(low // step) * step, (int(high // step) + 1) * step
    height = TOP + ROW * len(ratings) + BOTTOM
    width = LEFT + PLOT + RIGHT

    def x(points: float) -> float:
        return LEFT + PLOT * (points - first) / (last - first)

    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    name = f'role="img" aria-label="{escape(title)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name}>',
        f"<style>{STYLE}</style>",
        f'<text x="12" y="24" font-weight="600">{escape(title)}</text>',
    ]
    bottom = height - BOTTOM
    for points in range(first, last + 1, step):
        at = x(points)
        lines.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{bottom}"/>')
        place = f'x="{at:.1f}" y="{bottom + 20}" text-anchor="middle"'
        lines.append(f'<text class="soft" {place}>{points}</text>')
    for row, rating in enumerate(ratings):
        y = TOP + ROW * row + ROW / 2
        ends = [x(rating.interval.low), x(rating.interval.high)]
        lines += [
            f'<text x="12" y="{y + 5:.1f}">{escape(rating.name)}</text>',
            f'<line class="bar" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>',
            f'<circle class="dot" cx="{x(rating.rating):.1f}" cy="{y:.1f}" r="5"/>',
            f'<text x="{width - 12}" y="{y + 5:.1f}" text-anchor="end">{rating.rating:.0f}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])
