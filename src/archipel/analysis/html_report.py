"""An analysis as one self-contained HTML page: chart, table of luck and skill, mistakes."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from archipel.analysis.arithmetic import PositionMeasure, part_of_a_game
from archipel.analysis.game_analysis import Analysis
from archipel.rules.catalogue import Catalogue

WIDTH, HEIGHT = 760, 300
LEFT, RIGHT, TOP, BOTTOM = 48, 132, 16, 34
#: By seat. The dashes distinguish the lines without colour.
COLOURS = ("#0b6e8a", "#b3401f", "#3f7d20", "#7a3fa0", "#8a6a00", "#444c55")
DASHES = ("", "7 4", "2 3", "10 3 2 3", "1 4", "12 5")


def chart(
    points: Sequence[PositionMeasure],
    players: Sequence[str],
    mistakes: Sequence[tuple[int, int]],
    title: str,
) -> str:
    """Return an SVG chart with a line per seat over the moves; marks ``mistakes`` (move, seat)."""
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
    """Return labels next to the ends of the lines, without overlap."""
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


#: Limit of the drawn positions; further mistakes have no picture.
MOST_DRAWN = 16

STYLE = (files("archipel.analysis") / "data" / "report.css").read_text("utf-8").strip()


def html_report(
    analysis: Analysis, report: dict[str, Any], words: Catalogue, seat: int | None = None
) -> str:
    """Return the page in the language of the catalogue."""
    title = words.say(
        "analyse.title",
        title=analysis.game.definition.title(words.language),
        players=", ".join(report["players"]),
    )
    head = (
        f'<!doctype html><html lang="{words.language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>"
    )
    body = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in verdicts(report, words, seat)),
        *_chart_section(analysis, report, words),
        *_summary_section(report, words),
        *_mistakes(analysis, report, words, seat),
        f'<p class="soft">{escape(words.say("analyse.note"))}</p>',
    ]
    return f"{head}<body><main>{''.join(body)}</main></body></html>\n"


def _chart_section(analysis: Analysis, report: dict[str, Any], words: Catalogue) -> Iterator[str]:
    title = words.say("analyse.course")
    yield f"<h2>{escape(title)}</h2>"
    turns = analysis.measures.turns
    marks = [(turns[number].first, turns[number].seat) for number in analysis.mistakes]
    points = [point for point in analysis.measures.positions if not point.chosen]
    yield chart(points, report["players"], marks, title)
    yield f'<p class="soft">{escape(words.say("analyse.course_note"))}</p>'


def _summary_section(report: dict[str, Any], words: Catalogue) -> Iterator[str]:
    yield f"<h2>{escape(words.say('analyse.luck_and_skill'))}</h2>"
    heads = ("player", "start", "luck", "own", "others", "result", "mistakes")
    cells = "".join(
        f'<th scope="col">{escape(words.say(f"analyse.head.{head}"))}</th>' for head in heads
    )
    yield f'<div class="wide"><table><thead><tr>{cells}</tr></thead><tbody>'
    for player, summary in zip(report["players"], report["summary"]["seats"], strict=True):
        parts = [
            percent(summary["start"], words),
            *(_points(summary[k], summary[f"{k}_error"], words) for k in ("luck", "own", "others")),
            percent(summary["result"], words),
            _points(-summary["loss"], summary["loss_error"], words),
        ]
        row = "".join(f"<td>{escape(part)}</td>" for part in parts)
        yield f'<tr><th scope="row">{escape(player)}</th>{row}</tr>'
    yield f'</tbody></table></div><p class="soft">{escape(words.say("analyse.account_note"))}</p>'


def _mistakes(
    analysis: Analysis, report: dict[str, Any], words: Catalogue, seat: int | None
) -> Iterator[str]:
    yield f"<h2>{escape(words.say('analyse.mistakes'))}</h2>"
    turns = report["turns"]
    listed = [n for n in analysis.mistakes if seat is None or turns[n]["seat"] == seat]
    if not listed:
        yield f"<p>{escape(words.say('analyse.no_mistakes'))}</p>"
    for place, number in enumerate(listed):
        yield _mistake(analysis, report, turns[number], words, place < MOST_DRAWN)


def _mistake(
    analysis: Analysis,
    report: dict[str, Any],
    turn: dict[str, Any],
    words: Catalogue,
    drawn: bool,
) -> str:
    move = turn["first"]
    heading = words.say(
        "analyse.mistake_heading",
        move=move + 1,
        name=report["players"][turn["seat"]],
        loss=number(100 * turn["loss"], words),
        error=number(100 * turn["error"], words),
    )
    facts = [("played", ", ".join(turn["played"])), ("better", ", ".join(turn["better"]))]
    listed = "".join(
        f"<dt>{escape(words.say(f'analyse.{key}'))}</dt><dd>{escape(text)}</dd>"
        for key, text in facts
    )
    picture = ""
    if drawn:  # the position before the decision, as an image, so that SVG ids cannot clash
        state = analysis.timeline.moments[move].before
        drawing = analysis.game.definition.drawing(state, words.language)
        data = base64.b64encode(drawing.encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        picture = f'<img alt="{escape(heading)}" loading="lazy" src="{source}">'
    return f"<section><h3>{escape(heading)}</h3><dl>{listed}</dl>{picture}</section>"


def verdicts(report: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    """Yield the verdict on each seat, or on one: the result, luck, and the most costly turn."""
    turns, mistakes = report["turns"], report["summary"]["mistakes"]
    for place, (name, summary) in enumerate(
        zip(report["players"], report["summary"]["seats"], strict=True)
    ):
        if seat not in (None, place):
            continue
        result = summary["result"]
        end = "won" if result >= 1 else "shared" if result > 0 else "lost"
        part = part_of_a_game(summary["luck"], summary["luck_error"])
        luck = "unclear" if part < 0 else "helped" if summary["luck"] > 0 else "cost"
        worst = next((n for n in mistakes if turns[n]["seat"] == place), None)
        costly = (
            words.say("analyse.verdict.faultless", name=name)
            if worst is None
            else words.say(
                "analyse.verdict.costliest",
                name=name,
                move=turns[worst]["first"] + 1,
                loss=number(100 * turns[worst]["loss"], words),
                played=", ".join(turns[worst]["played"]),
            )
        )
        yield " ".join(
            (
                words.say(f"analyse.verdict.{end if report['finished'] else 'open'}", name=name),
                words.say(
                    f"analyse.verdict.luck_{luck}",
                    name=name,
                    part=words.say(f"analyse.part.{max(part, 0)}"),
                ),
                costly,
            )
        )


def percent(chance: float, words: Catalogue) -> str:
    return words.say("simulate.percent", rate=number(100 * chance, words))


def number(value: float, words: Catalogue) -> str:
    return f"{value:.1f}".replace(".", words.say("simulate.decimal_mark"))


def _points(points: float, error: float, words: Catalogue) -> str:
    return words.say(
        "analyse.points", points=signed(points, words), error=number(100 * error, words)
    )


def signed(points: float, words: Catalogue) -> str:
    """Format percentage points with a sign."""
    shown = number(abs(100 * points), words)
    if not shown.strip("0.,"):
        return shown
    return f"{'+' if points > 0 else '−'}{shown}"
