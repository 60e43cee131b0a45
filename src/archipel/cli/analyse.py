"""``archipel analyse``: a recorded game, its luck and its skill apart."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from archipel.analysis import Analysis, analyse
from archipel.analysis.evaluation import Budget, usual_budget
from archipel.analysis.page import page, percent, signed
from archipel.analysis.programs import analysis_program
from archipel.analysis.report import report
from archipel.cli.choosing import whole_number
from archipel.cli.errors import UserError
from archipel.cli.figures import columns, decimal
from archipel.cli.files import check_can_save, read_record
from archipel.cli.progress import progress_bar
from archipel.record import Record
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress
from archipel.study.backends import backend_for

MOST_SIMULATIONS = 1_000_000
MOST_SEED = 2**63 - 1
USUAL_SEED = 1


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    source = Path(arguments.file)
    record = read_record(source)
    if not record.game.moves:
        raise UserError("analyse.nothing", file=source)
    seat = _seat(arguments, record)
    file = None if arguments.html is None else Path(arguments.html)
    if file is not None:
        check_can_save(file, may_replace=arguments.force)
    analysis = _analyse(record, _budget(arguments), _seed(arguments), words)
    players = _players(record)
    told = report(analysis, players, words.language)
    if file is not None:
        _write(file, page(analysis, told, words, seat))
    if arguments.json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        print("\n".join(_lines(told, words, seat)))
        if file is not None:
            print(words.say("analyse.written", file=file))
    return 0


def _analyse(record: Record, budget: Budget, seed: int, words: Catalogue) -> Analysis:
    with progress_bar(words, "analyse.weighing") as on_progress:
        program = analysis_program(record.game.name)
        backend = backend_for(program, None, len(record.game.moves), on_progress)
        return analyse(
            record.game,
            budget=budget,
            seed=seed,
            backend=backend,
            on_step=lambda done, of: on_progress(Progress(done, of)),
        )


def _players(record: Record) -> list[str]:
    return list(record.players) or [str(seat + 1) for seat in range(record.game.seats)]


def _seat(arguments: argparse.Namespace, record: Record) -> int | None:
    if arguments.seat is None:
        return None
    return whole_number("--seat", arguments.seat, 1, record.game.seats) - 1


def _seed(arguments: argparse.Namespace) -> int:
    if arguments.seed is None:
        return USUAL_SEED
    return whole_number("--seed", arguments.seed, 0, MOST_SEED)


def _budget(arguments: argparse.Namespace) -> Budget:
    usual = usual_budget()
    if arguments.simulations is None:
        return usual
    wanted = whole_number("--simulations", arguments.simulations, 2, MOST_SIMULATIONS)
    return usual.times(wanted / usual.measure)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError("error.write", file=file, reason=reason_of(error)) from None


# ---- in words -----------------------------------------------------------------------------------


def _lines(told: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    players = told["players"]
    yield words.say("analyse.luck_and_skill")
    heads = ("player", "start", "luck", "own", "others", "result", "mistakes")
    rows = [[words.say(f"analyse.head.{head}") for head in heads]]
    rows += [
        _row(player, account, words)
        for player, account in zip(players, told["summary"]["seats"], strict=True)
    ]
    yield from columns(rows)
    yield ""
    yield words.say("analyse.mistakes")
    yield from _mistakes(told, words, seat)
    yield ""
    yield words.say("analyse.turns")
    yield from _turns(told, words)


def _row(player: str, account: dict[str, Any], words: Catalogue) -> list[str]:
    parts = [
        words.say(
            "analyse.points",
            points=signed(account[name], words),
            error=decimal(100 * account[f"{name}_error"], words),
        )
        for name in ("luck", "own", "others")
    ]
    ends = [percent(account[name], words) for name in ("start", "result")]
    return [player, ends[0], *parts, ends[1], str(account["mistakes"])]


def _mistakes(told: dict[str, Any], words: Catalogue, seat: int | None) -> Iterator[str]:
    decisions = {decision["move"]: decision for decision in told["decisions"]}
    losses = {loss["move"]: loss for loss in told["summary"]["losses"]}
    listed = [
        move
        for move in told["summary"]["mistakes"]
        if seat is None or decisions[move]["seat"] == seat
    ]
    if not listed:
        yield f"  {words.say('analyse.no_mistakes')}"
    for move in listed:
        loss = losses[move]
        yield "  " + words.say(
            "analyse.mistake",
            move=move + 1,
            name=told["players"][loss["seat"]],
            loss=decimal(100 * loss["loss"], words),
            error=decimal(100 * loss["error"], words),
            played=told["moves"][move]["words"],
            better=decisions[move]["best_words"],
        )


def _turns(told: dict[str, Any], words: Catalogue) -> Iterator[str]:
    steps, turns = told["summary"]["steps"], told["summary"]["turns"]
    if not turns:
        yield f"  {words.say('analyse.no_turns')}"
    for turn in turns:
        step = steps[turn["step"]]
        move = told["moves"][step["until"] - 1]
        yield "  " + words.say(
            "analyse.turn",
            move=step["until"],
            mover=told["players"][move["seat"]],
            played=move["words"],
            chance=f" [{move['chance']}]" if move["chance"] else "",
            name=told["players"][turn["seat"]],
            change=signed(turn["change"], words),
            luck=signed(turn["luck"], words),
            play=signed(turn["play"], words),
        )
