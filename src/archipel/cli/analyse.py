"""``archipel analyse``: separate luck from skill in a recorded game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from archipel.analysis import analyse
from archipel.analysis.decision_analysis import analysis_program
from archipel.analysis.evaluation_settings import usual_budget
from archipel.analysis.html_report import html_report, percent, signed, verdicts
from archipel.analysis.json_report import json_report
from archipel.cli.argument_values import whole_number
from archipel.cli.errors import UserError
from archipel.cli.output import columns, decimal, print_result, progress_bar
from archipel.cli.record_files import check_can_save, player_names, read_record, write_file
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress
from archipel.study.progress import load_program


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    source = Path(arguments.file)
    record = read_record(source)
    if not record.game.moves:
        raise UserError("analyse.nothing", file=source)
    seat = None
    if arguments.seat is not None:
        seat = whole_number("--seat", 1, record.game.seats, arguments.seat) - 1
    file = None if arguments.html is None else Path(arguments.html)
    if file is not None:
        check_can_save(file, may_replace=arguments.force)
    budget = usual_budget()
    if arguments.simulations is not None:
        budget = budget.times(arguments.simulations / budget.measure)
    with progress_bar(words, "analyse.weighing") as on_progress:
        program = analysis_program(record.game.name)
        backend = load_program(program, None, len(record.game.moves), on_progress)
        analysis = analyse(
            record.game,
            budget=budget,
            seed=arguments.seed,
            backend=backend,
            on_step=lambda done, of: on_progress(Progress(done, of)),
        )
    report = json_report(analysis, player_names(record), words.language)
    lines = list(_lines(report, words, seat))
    if file is not None:
        write_file(file, html_report(analysis, report, words, seat))
        lines.append(words.say("analyse.written", file=file))
    return print_result(arguments.json, report, lines)


def _lines(report: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    players = report["players"]
    yield from verdicts(report, words, seat)
    yield ""
    yield words.say("analyse.luck_and_skill")
    heads = ("player", "start", "luck", "own", "others", "result", "mistakes")
    rows = [[words.say(f"analyse.head.{head}") for head in heads]]
    for player, account in zip(players, report["summary"]["seats"], strict=True):
        parts = [
            words.say(
                "analyse.points",
                points=signed(account[name], words),
                error=decimal(100 * account[f"{name}_error"], words),
            )
            for name in ("luck", "own", "others")
        ]
        ends = [percent(account[name], words) for name in ("start", "result")]
        lost = words.say(
            "analyse.points",
            points=signed(-account["loss"], words),
            error=decimal(100 * account["loss_error"], words),
        )
        rows.append([player, ends[0], *parts, ends[1], lost])
    yield from columns(rows)
    yield ""
    yield words.say("analyse.mistakes")
    yield from _mistakes(report, words, seat)
    yield ""
    yield words.say("analyse.turns")
    yield from _turns(report, words)


def _mistakes(report: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    turns = [report["turns"][number] for number in report["summary"]["mistakes"]]
    listed = [turn for turn in turns if seat is None or turn["seat"] == seat]
    if not listed:
        yield f"  {words.say('analyse.no_mistakes')}"
    for turn in listed:
        yield "  " + words.say(
            "analyse.mistake",
            move=turn["first"] + 1,
            name=report["players"][turn["seat"]],
            loss=decimal(100 * turn["loss"], words),
            error=decimal(100 * turn["error"], words),
            played=", ".join(turn["played"]),
            better=", ".join(turn["better"]),
        )


def _turns(report: dict[str, Any], words: Catalogue) -> Iterator[str]:
    steps, turning = report["summary"]["steps"], report["summary"]["turning_points"]
    if not turning:
        yield f"  {words.say('analyse.no_turns')}"
    for turn in turning:
        step = steps[turn["step"]]
        moves = report["moves"][step["first"] : step["until"]]
        chance = moves[-1]["chance"] if step["by_chance"] else ""
        yield "  " + words.say(
            "analyse.turn",
            move=step["until"],
            mover=report["players"][step["seat"]],
            played=", ".join(move["words"] for move in moves),
            chance=f" [{chance}]" if chance else "",
            name=report["players"][turn["seat"]],
            change=signed(turn["change"], words),
            cause=words.say(f"analyse.{'by_luck' if step['by_chance'] else 'by_decision'}"),
        )
