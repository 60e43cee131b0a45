"""Self-contained SVG charts with colours for light and dark pages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TypeVar

from archipel.rules.metrics import Place

WIDTH = 720
LEFT = 250
RIGHT = 90
TOP = 44
BOTTOM = 40
ROW = 26
CURVES = 260
CURVE_LEFT = 56
CURVE_RIGHT = 24

COLOURS = 6  # dashes distinguish the lines as well
DASHES = ("", "7 4", "2 3", "10 3 2 3", "1 4", "12 5")


def stylesheet(name: str) -> str:
    """A stylesheet beside this file, on one line."""
    return Path(__file__).with_name(name).read_text("utf-8").replace("\n", "")


STYLE = stylesheet("charts.css")
#: For charts with a band or a diagonal.
BAND_STYLE = STYLE + stylesheet("bands.css")


@dataclass(frozen=True)
class Span:
    """A row of a chart: a value, its interval, and the value that would be fair."""

    label: str
    value: float
    low: float
    high: float
    fair: float | None = None


@dataclass(frozen=True)
class Box:
    """A row of a chart: the 5, 25, 50, 75 and 95 % quantiles."""

    label: str
    at: tuple[float, float, float, float, float]


@dataclass(frozen=True)
class Line:
    label: str
    values: tuple[float, ...]


#: A point of a learning curve: decisions, and the share after them.
Point = tuple[float, float]

R = TypeVar("R", Span, Box)


def _steps(low: float, high: float) -> tuple[float, float, float]:
    """Rounded ends of an axis and the step of its grid."""
    if not high > low:
        low, high = low - 1, high + 1
    step = 10.0 ** math.floor(math.log10((high - low) / 4))
    for more in (5, 2, 2):
        if (high - low) / step > 8:
            step *= more
    return math.floor(low / step) * step, math.ceil(high / step) * step, step


def _number(value: float) -> str:
    return f"{value:.6g}".replace("-", "−")


def svg(
    title: str, height: float, parts: Iterable[str], width: float = WIDTH, style: str = STYLE
) -> str:
    """Frame the parts of a drawing and write its title."""
    size = f'viewBox="0 0 {width} {height:.0f}" width="{width}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" {size} role="img" '
        f'aria-label="{escape(title)}" style="max-width:100%;height:auto">'
    )
    heading = f'<text class="head" x="12" y="22">{escape(title)}</text>'
    return "\n".join([head, f"<style>{style}</style>", heading, *parts, "</svg>", ""])


def _levels(
    low: float, high: float, step: float, y: Callable[[float], float], unit: str = ""
) -> Iterator[str]:
    """Horizontal grid lines with their values."""
    for count in range(round((high - low) / step) + 1):
        value = low + count * step
        at = y(value)
        ends = f'x1="{CURVE_LEFT}" x2="{WIDTH - CURVE_RIGHT}" y1="{at:.1f}" y2="{at:.1f}"'
        yield f'<line class="grid" {ends}/>'
        place = f'x="{CURVE_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end"'
        yield f'<text class="soft" {place}>{_number(round(value, 9))}{unit}</text>'


def _axis(
    low: float, high: float, step: float, x: Callable[[float], float], bottom: float
) -> Iterator[str]:
    for count in range(round((high - low) / step) + 1):
        value = low + count * step
        at = x(value)
        yield f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 8}" y2="{bottom:.1f}"/>'
        place = f'x="{at:.1f}" y="{bottom + 18:.1f}" text-anchor="middle"'
        yield f'<text class="soft" {place}>{_number(round(value, 9))}</text>'


def _rows(
    title: str,
    rows: Sequence[R],
    ends: tuple[float, float],
    draw: Callable[[R, float, Callable[[float], float]], Iterator[str]],
    value: Callable[[R], str],
) -> str:
    """Frame a chart with one row per value; ``draw`` is given the row, its y and the scale of x."""
    low, high, step = _steps(*ends)
    height = TOP + ROW * len(rows) + BOTTOM
    scale = (WIDTH - LEFT - RIGHT) / (high - low)

    def x(value: float) -> float:
        return LEFT + (value - low) * scale

    parts = list(_axis(low, high, step, x, height - BOTTOM))
    for number, row in enumerate(rows):
        y = TOP + ROW * number + ROW / 2
        parts.append(f'<text x="12" y="{y + 4:.1f}">{escape(row.label)}</text>')
        parts += draw(row, y, x)
        place = f'x="{WIDTH - 12}" y="{y + 4:.1f}" text-anchor="end"'
        parts.append(f"<text {place}>{escape(value(row))}</text>")
    return svg(title, height, parts)


def spans(title: str, rows: Sequence[Span], digits: int = 1) -> str:
    """One row per value: a point, its interval as a line, and a mark at the fair value."""
    marks = [row.fair for row in rows if row.fair is not None]
    ends = (min([row.low for row in rows] + marks), max([row.high for row in rows] + marks))

    def draw(row: Span, y: float, x: Callable[[float], float]) -> Iterator[str]:
        if row.fair is not None:
            at = x(row.fair)
            yield f'<line class="fair" x1="{at:.1f}" x2="{at:.1f}" y1="{y - 9}" y2="{y + 9}"/>'
        low, high = x(row.low), x(row.high)
        yield f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<circle class="dot" cx="{x(row.value):.1f}" cy="{y:.1f}" r="4.5"/>'

    return _rows(title, rows, ends, draw, lambda r: f"{r.value:.{digits}f}".replace("-", "−"))


def boxes(title: str, rows: Sequence[Box]) -> str:
    """Box plots: a box from 25 to 75 %, a point at the median, a line from 5 to 95 %."""
    ends = min(row.at[0] for row in rows), max(row.at[4] for row in rows)

    def draw(row: Box, y: float, x: Callable[[float], float]) -> Iterator[str]:
        five, quarter, half, three, most = map(x, row.at)
        yield f'<line class="bar" x1="{five:.1f}" x2="{most:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        size = f'width="{max(1.0, three - quarter):.1f}" height="14"'
        yield f'<rect class="box" x="{quarter:.1f}" y="{y - 7:.1f}" {size}/>'
        yield f'<circle class="dot" cx="{half:.1f}" cy="{y:.1f}" r="4.5"/>'

    return _rows(title, rows, ends, draw, lambda row: _number(row.at[2]))


def curves(title: str, lines: Sequence[Line], below: str) -> str:
    """One line per series; values are one unit apart, from 0 on."""
    last = max(1, max(len(line.values) for line in lines) - 1)
    top = max(max(line.values) for line in lines)
    low, high, step = _steps(0.0, top)
    height = TOP + CURVES + BOTTOM + ROW * len(lines)

    def x(number: float) -> float:
        return CURVE_LEFT + (WIDTH - CURVE_LEFT - CURVE_RIGHT) * number / last

    def y(value: float) -> float:
        return TOP + CURVES * (1 - (value - low) / (high - low))

    parts = list(_levels(low, high, step, y))
    for number in range(0, last + 1, max(1, math.ceil(last / 12))):
        place = f'x="{x(number):.1f}" y="{TOP + CURVES + 18}" text-anchor="middle"'
        parts.append(f'<text class="soft" {place}>{number}</text>')
    place = f'x="{WIDTH - CURVE_RIGHT}" y="{TOP + CURVES + 34}" text-anchor="end"'
    parts.append(f'<text class="soft" {place}>{escape(below)}</text>')
    for number, line in enumerate(lines):
        path = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(line.values))
        parts.append(f'<polyline {_look(number)} points="{path}"/>')
    parts += _legend([line.label for line in lines])
    return svg(title, height, parts)


def _look(number: int) -> str:
    return f'class="c{number % COLOURS}" stroke-dasharray="{DASHES[number % COLOURS]}"'


def _legend(labels: Sequence[str]) -> Iterator[str]:
    for number, label in enumerate(labels):
        at = TOP + CURVES + BOTTOM + ROW * number + 12
        yield f'<polyline {_look(number)} points="{CURVE_LEFT},{at} {CURVE_LEFT + 40},{at}"/>'
        yield f'<text x="{CURVE_LEFT + 50}" y="{at + 4}">{escape(label)}</text>'


def learning_curves(title: str, curves: Mapping[str, Sequence[Sequence[Point]]]) -> str:
    """Shares as percentages over decisions; a label may have several curves, of one look."""
    every = [point for traces in curves.values() for trace in traces for point in trace]
    low, high, step = _steps(0.0, max(decisions for decisions, _ in every))

    def x(decisions: float) -> float:
        return CURVE_LEFT + (WIDTH - CURVE_LEFT - CURVE_RIGHT) * (decisions - low) / (high - low)

    def y(percent: float) -> float:
        return TOP + CURVES * (1 - percent / 100)

    parts = list(_levels(0, 100, 25, y, " %"))
    for count in range(round((high - low) / step) + 1):
        decisions = low + count * step
        place = f'x="{x(decisions):.1f}" y="{TOP + CURVES + 20}" text-anchor="middle"'
        millions = _number(round(decisions / 1e6, 9))
        parts.append(f'<text class="soft" {place}>{millions} M</text>')
    for number, traces in enumerate(curves.values()):
        for trace in traces:
            path = " ".join(f"{x(at):.1f},{y(100 * share):.1f}" for at, share in trace)
            parts.append(f'<polyline {_look(number)} points="{path}"/>')
    parts += _legend(list(curves))
    return svg(title, TOP + CURVES + BOTTOM + ROW * len(curves), parts)


def curve_with_band(
    title: str,
    points: Sequence[tuple[float, float]],
    intervals: Sequence[tuple[float, float]],
    target: float,
) -> str:
    """Percentages over seconds, with their intervals as a band and a target as a line."""
    last = max(max(seconds for seconds, _ in points), 1e-9)

    def x(seconds: float) -> float:
        return CURVE_LEFT + (WIDTH - CURVE_LEFT - CURVE_RIGHT) * seconds / last

    def y(percent: float) -> float:
        return TOP + CURVES * (1 - percent / 100)

    def path(values: Iterable[float]) -> list[str]:
        drawn = zip(points, values, strict=True)
        return [f"{x(seconds):.1f},{y(100 * value):.1f}" for (seconds, _), value in drawn]

    at = f'y1="{y(100 * target):.1f}" y2="{y(100 * target):.1f}"'
    band = [*path(low for low, _ in intervals), *reversed(path(high for _, high in intervals))]
    parts = [
        *_levels(0, 100, 25, y, " %"),
        f'<line class="target" x1="{CURVE_LEFT}" x2="{WIDTH - CURVE_RIGHT}" {at}/>',
        f'<polygon class="band" points="{" ".join(band)}"/>',
        f'<polyline class="c0" points="{" ".join(path(value for _, value in points))}"/>',
    ]
    for part in range(5):
        place = f'x="{x(last * part / 4):.1f}" y="{TOP + CURVES + 20}" text-anchor="middle"'
        parts.append(f'<text class="soft" {place}>{last * part / 4:.0f} s</text>')
    return svg(title, TOP + CURVES + BOTTOM, parts, style=BAND_STYLE)


# ---- maps ---------------------------------------------------------------------------------------

SIZE = 34.0  # width of a space on a map
GROUNDS = {"": "sea", "land": "land", "volcano": "fire"}


def board_map(title: str, shape: str, places: Sequence[Place], values: Sequence[float]) -> str:
    """Losses on a map of the board: the area of a mark is in proportion to its value."""
    if shape == "line":
        return _line(title, places, values)
    most = max([*values, 1e-9])
    height = TOP + SIZE * (max(place.y for place in places) + 1.6)
    shift = (WIDTH - SIZE * max(place.x for place in places)) / 2
    parts = []
    for place in places:
        x, y = shift + SIZE * place.x, TOP + SIZE * (place.y + 0.7)
        corners = _hexagon(x, y) if shape == "hexagons" else _square(x, y)
        ground = f'class="ground {GROUNDS.get(place.ground, "sea")}"'
        parts.append(f'<polygon {ground} points="{corners}"/>')
    for place, value in zip(places, values, strict=True):
        if value > 0:
            x, y = shift + SIZE * place.x, TOP + SIZE * (place.y + 0.7)
            radius = 0.45 * SIZE * math.sqrt(value / most)
            parts.append(
                f'<circle class="hurt" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
                f"<title>{escape(place.name)}: {value:.3f}</title></circle>"
            )
    return svg(title, height, parts)


def _hexagon(x: float, y: float) -> str:
    side = SIZE / math.sqrt(3)
    turns = [math.radians(60 * corner + 30) for corner in range(6)]
    return " ".join(f"{x + side * math.cos(a):.1f},{y + side * math.sin(a):.1f}" for a in turns)


def _square(x: float, y: float) -> str:
    half = SIZE / 2
    return " ".join(
        f"{x + dx * half:.1f},{y + dy * half:.1f}"
        for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )


def _line(title: str, places: Sequence[Place], values: Sequence[float]) -> str:
    """A bar chart along a track."""
    used = [number for number, value in enumerate(values) if value > 0] or [0]
    shown = range(used[-1] + 1)
    most = max([*values, 1e-9])
    height = TOP + CURVES + BOTTOM
    wide = (WIDTH - 48) / len(shown)
    parts = []
    for number in shown:
        tall = CURVES * values[number] / most
        x = 24 + wide * number
        size = f'width="{0.8 * wide:.1f}" height="{tall:.1f}"'
        parts.append(
            f'<rect class="hurt" x="{x:.1f}" y="{TOP + CURVES - tall:.1f}" {size}>'
            f"<title>{escape(places[number].name)}: {values[number]:.4f}</title></rect>"
        )
        if number % max(1, len(shown) // 16) == 0:
            place = f'x="{x + 0.4 * wide:.1f}" y="{TOP + CURVES + 18}" text-anchor="middle"'
            parts.append(f'<text class="soft" {place}>{escape(places[number].name)}</text>')
    return svg(title, height, parts)
