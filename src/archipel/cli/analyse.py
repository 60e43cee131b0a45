"""``archipel analyse``: separate luck from skill in a recorded game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from archipel.analysis import analyse
from archipel.analysis.decision_analysis import analysis_program
from archipel.analysis.evaluation_settings import usual_budget
from archipel.analysis.html_report import html_report, percent, signed
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
        rows.append([player, ends[0], *parts, ends[1], str(account["mistakes"])])
    yield from columns(rows)
    yield ""
    yield words.say("analyse.mistakes")
    yield from _mistakes(report, words, seat)
    yield ""
    yield words.say("analyse.turns")
    yield from _turns(report, words)


def _mistakes(report: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    decisions = {decision["move"]: decision for decision in report["decisions"]}
    losses = {loss["move"]: loss for loss in report["summary"]["losses"]}
    listed = [
        move
        for move in report["summary"]["mistakes"]
        if seat is None or decisions[move]["seat"] == seat
    ]
    if not listed:
        yield f"  {words.say('analyse.no_mistakes')}"
    for move in listed:
        loss = losses[move]
        yield "  " + words.say(
            "analyse.mistake",
            move=move + 1,
            name=report["players"][loss["seat"]],
            loss=decimal(100 * loss["loss"], words),
            error=decimal(100 * loss["error"], words),
            played=report["moves"][move]["words"],
            better=decisions[move]["best_words"],
        )


def _turns(report: dict[str, Any], words: Catalogue) -> Iterator[str]:
    steps, turns = report["summary"]["steps"], report["summary"]["turns"]
    if not turns:
        yield f"  {words.say('analyse.no_turns')}"
    for turn in turns:
        step = steps[turn["step"]]
        move = report["moves"][step["until"] - 1]
        yield "  " + words.say(
            "analyse.turn",
            move=step["until"],
            mover=report["players"][move["seat"]],
            played=move["words"],
            chance=f" [{move['chance']}]" if move["chance"] else "",
            name=report["players"][turn["seat"]],
            change=signed(turn["change"], words),
            luck=signed(turn["luck"], words),
            play=signed(turn["play"], words),
        )
