"""The curve of learning as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from archipel.envs.learn.points import Point

WIDTH, HEIGHT = 720, 320
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 48, 44

STYLE = (
    "text{font:14px system-ui,sans-serif;fill:#1d2b36}.grid{stroke:#b9c4cc}"
    ".soft{fill:#4d5b66;font-size:12px}.curve{stroke:#0b6e8a;stroke-width:2.4;fill:none}"
    ".band{fill:#0b6e8a;opacity:.2}.target{stroke:#b3401f;stroke-dasharray:6 4}"
    "@media(prefers-color-scheme:dark){text{fill:#e8eef2}.soft{fill:#a9b7c1}"
    ".grid{stroke:#3c4a54}.curve{stroke:#63c5e0}.band{fill:#63c5e0}.target{stroke:#f0a080}}"
)


def draw_curve(
    title: str,
    points: Sequence[Point],
    intervals: Sequence[tuple[float, float]],
    target: float,
) -> str:
    """An SVG with its own colours for light and dark pages: share over time, and how sure it is."""
    last = max(max(point.seconds for point in points), 1e-9)

    def x(seconds: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * seconds / last

    def y(share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    name = f'role="img" aria-label="{escape(title)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {name}>',
        f"<style>{STYLE}</style>",
        f'<text x="12" y="24" font-weight="600">{escape(title)}</text>',
    ]
    for percent in (0, 25, 50, 75, 100):
        at = y(percent / 100)
        lines.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
            f'<text class="soft" x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">'
            f"{percent} %</text>"
        )
    at = y(target)
    lines.append(
        f'<line class="target" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
    )
    lows = [
        f"{x(p.seconds):.1f},{y(low):.1f}" for p, (low, _) in zip(points, intervals, strict=True)
    ]
    highs = [
        f"{x(p.seconds):.1f},{y(high):.1f}" for p, (_, high) in zip(points, intervals, strict=True)
    ]
    lines.append(f'<polygon class="band" points="{" ".join([*lows, *reversed(highs)])}"/>')
    path = " ".join(f"{x(p.seconds):.1f},{y(p.share):.1f}" for p in points)
    lines.append(f'<polyline class="curve" points="{path}"/>')
    for part in range(5):
        seconds = last * part / 4
        lines.append(
            f'<text class="soft" x="{x(seconds):.1f}" y="{HEIGHT - BOTTOM + 20}" '
            f'text-anchor="middle">{seconds:.0f} s</text>'
        )
    return "\n".join([*lines, "</svg>", ""])
