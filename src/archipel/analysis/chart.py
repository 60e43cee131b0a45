"""The course of everybody's chance as a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from archipel.analysis.summing import PositionMeasure

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 132, 16, 34
#: By seat: told apart without colour by how they are dashed.
COLOURS = ("#0b6e8a", "#b3401f", "#3f7d20", "#7a3fa0", "#8a6a00", "#444c55")
DASHES = ("", "7 4", "2 3", "10 3 2 3", "1 4", "12 5")


def chart(
    points: Sequence[PositionMeasure],
    players: Sequence[str],
    mistakes: Sequence[tuple[int, int]],
    title: str,
) -> str:
    """An SVG: a line for each seat over the moves; ``mistakes`` (move, seat) are marked."""
    last = max(1, points[-1].after)

    def x(after: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * after / last

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    size = f'viewBox="0 0 {WIDTH} {HEIGHT}"'
    lines = [f'<svg {size} role="img" aria-label="{escape(title)}" class="chart">']
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        lines.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{percent}</text>'
        )
    for seat in range(len(players)):
        path = " ".join(f"{x(p.after):.1f},{y(p.chances[seat]):.1f}" for p in points)
        style = f'stroke="{COLOURS[seat % 6]}" stroke-dasharray="{DASHES[seat % 6]}"'
        lines.append(f'<polyline fill="none" stroke-width="2.2" {style} points="{path}"/>')
    lines += _names(points[-1], players, x(last), y)
    for move, seat in mistakes:
        before = max((p for p in points if p.after <= move), key=lambda p: p.after)
        centre = f'cx="{x(move):.1f}" cy="{y(before.chances[seat]):.1f}"'
        lines.append(
            f'<circle {centre} r="4.5" class="mark" stroke="{COLOURS[seat % 6]}">'
            f"<title>{move + 1}</title></circle>"
        )
    lines.append(f'<text x="{LEFT}" y="{HEIGHT - 10}">0</text>')
    lines.append(
        f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 10}" text-anchor="end">{last}</text></svg>'
    )
    return "".join(lines)


def _names(
    end: PositionMeasure, players: Sequence[str], right: float, y: Callable[[float], float]
) -> list[str]:
    """Beside the ends of the lines, apart from each other."""
    drawn: list[str] = []
    lowest = 0.0
    for seat in sorted(range(len(players)), key=lambda seat: -end.chances[seat]):
        at = max(lowest, y(end.chances[seat]) + 4)
        lowest = at + 17
        name = escape(players[seat][:16])
        drawn.append(
            f'<text x="{right + 8:.1f}" y="{at:.1f}" fill="{COLOURS[seat % 6]}" '
            f'class="name">{name}</text>'
        )
    return drawn
