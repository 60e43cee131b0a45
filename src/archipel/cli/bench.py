"""``archipel bench``: run the benchmark, verify submissions, and report on them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from archipel.cli.argument_values import find_game
from archipel.cli.errors import UserError, resumable
from archipel.cli.output import columns, decimal, print_result, progress_bar
from archipel.cli.players import bot_programs, resolve_bot
from archipel.cli.record_files import read_text, reports_os_errors, write_file
from archipel.rules.all_games import game_named
from archipel.rules.catalogue import Catalogue
from archipel.study import EntrantFailed
from archipel.study.benchmark.play import Entry, run_benchmark
from archipel.study.benchmark.report import curves_chart, game_report, report
from archipel.study.benchmark.specification import OPEN, Specification, archipel_bench_1
from archipel.study.benchmark.submission import (
    Curve,
    Submission,
    SubmissionError,
    curve_of,
    keeps_budget,
    read_submission,
)
from archipel.study.benchmark.verify import Problem, verify
from archipel.study.matches.ratings import draw_ratings

#: The benchmark of this command.
BENCHMARK = archipel_bench_1

ACTIONS = ("run", "verify", "report")


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if arguments.action not in ACTIONS:
        known = ", ".join(ACTIONS)
        raise UserError("bench.action", action=arguments.action or "", known=known)
    folders = [Path(folder) for folder in arguments.folders]
    if not folders or (arguments.action != "report" and len(folders) > 1):
        raise UserError("bench.folder", action=arguments.action)
    doing = {"run": _run, "verify": _verify, "report": _report}[arguments.action]
    try:
        with reports_os_errors(folders[0], "bench.file"):
            return doing(arguments, folders, words)
    except SubmissionError as error:
        raise UserError(f"bench.{error.why}", **error.details) from None


def _run(arguments: argparse.Namespace, folders: Sequence[Path], words: Catalogue) -> int:
    specification, folder = BENCHMARK(), folders[0]
    games = tuple(find_game(name).name for name in arguments.game) or tuple(specification.games)
    for game in games:
        if game not in specification.games:
            raise UserError("error.game_unknown", name=game, known=", ".join(specification.games))
    entry = _entry(arguments, games, specification)
    try:
        with resumable(folder), progress_bar(words) as on_progress:
            manifest = run_benchmark(
                folder,
                entry,
                specification,
                games=games,
                rotations=arguments.rotations,
                workers=arguments.workers,
                on_progress=on_progress,
            )
    except EntrantFailed as failure:
        raise UserError("bench.failed", why=failure, folder=folder) from None
    lines = [
        words.say(
            "bench.played",
            game=game,
            entrant=totals.entrant,
            games=totals.games,
            wins=decimal(totals.wins, words),
            puzzles=totals.puzzles_right,
        )
        for game, totals in manifest.games.items()
    ]
    if not keeps_budget(manifest, specification):
        lines.append(words.say("bench.problem.budget", **_budget(entry)))
    lines.append(words.say("bench.kept", folder=folder))
    return print_result(arguments.json, msgspec.to_builtins(manifest), lines)


def _entry(
    arguments: argparse.Namespace, games: Sequence[str], specification: Specification
) -> Entry:
    programs = bot_programs(arguments)
    name = arguments.entrant or next(iter(programs), None)
    if name is None:
        raise UserError("bench.entrant")
    track, budget = arguments.track, arguments.budget or OPEN
    if track not in specification.tracks:
        raise UserError("bench.track", track=track, known=", ".join(specification.tracks))
    classes = (*specification.tracks[track].classes, OPEN)
    if budget not in classes:
        raise UserError("bench.budget", budget=budget, track=track, known=", ".join(classes))
    for game in games:
        resolve_bot(game, name, programs)
    curves = tuple(_curve(Path(file)) for file in arguments.training_curve)
    return Entry(name, programs.get(name), track, budget, curves)


def _curve(path: Path) -> Curve:
    try:
        return curve_of(read_text(path))
    except ValueError as error:
        raise UserError("error.in_file", file=path, reason=error) from None


def _budget(entry: Entry) -> dict[str, str]:
    return {"track": entry.track, "budget": entry.budget}


def _verify(arguments: argparse.Namespace, folders: Sequence[Path], words: Catalogue) -> int:
    (folder,) = folders
    with progress_bar(words) as on_progress:
        problems = verify(
            folder,
            BENCHMARK(),
            sample=arguments.sample,
            workers=arguments.workers,
            on_progress=on_progress,
        )
    data = {"folder": str(folder), "problems": msgspec.to_builtins(problems)}
    print_result(arguments.json, data, _problem_lines(folder, problems, words))
    return 1 if problems else 0


def _problem_lines(folder: Path, problems: Sequence[Problem], words: Catalogue) -> Iterator[str]:
    if not problems:
        yield words.say("bench.valid", folder=folder)
        return
    yield words.say("bench.invalid", folder=folder, count=len(problems))
    for problem in problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        yield f"{place}: {words.say(f'bench.problem.{problem.key}', **problem.details)}"


def _report(arguments: argparse.Namespace, folders: Sequence[Path], words: Catalogue) -> int:
    specification = BENCHMARK()
    submissions = [read_submission(folder) for folder in folders]
    for submission in submissions:
        if submission.manifest.specification != specification.digest:
            raise SubmissionError("other", file=submission.folder)
    found = report(submissions, specification)
    if arguments.draw is not None:
        _draw(Path(arguments.draw), submissions, specification)
    return print_result(arguments.json, found, _report_lines(found, words))


def _draw(folder: Path, submissions: Sequence[Submission], specification: Specification) -> None:
    """Draw the ratings of each game, and the learning curves."""
    folder.mkdir(parents=True, exist_ok=True)
    for game in specification.games:
        here = [each for each in submissions if game in each.manifest.games]
        if not here:
            continue
        title = f"{game_named(game).title('en')}, {specification.name}"
        ratings = game_report(game, here, specification).ratings
        write_file(folder / f"{game}.svg", draw_ratings(title, ratings))
        if chart := curves_chart(title, game, here):
            write_file(folder / f"{game}-curves.svg", chart)


def _report_lines(found: dict[str, Any], words: Catalogue) -> Iterator[str]:
    yield words.say("bench.heading", benchmark=found["benchmark"])
    for submission in found["submissions"]:
        machine = submission["machine"]
        details = {**submission, **machine, "used": f"{submission['used']:g}"}
        yield words.say("bench.submission", **details)
    for game, results in found["games"].items():
        yield ""
        yield game_named(game).title(words.language)
        yield from columns(list(_rating_rows(results["ratings"], words)))
        yield ""
        yield from columns(list(_lineup_rows(results["entrants"], words)))
        yield ""
        yield from columns(list(_cost_rows(results["entrants"], words)))


def _heads(words: Catalogue, names: str) -> list[str]:
    return [words.say(f"bench.head.{name}") for name in names.split()]


def _rating_rows(ratings: Sequence[dict[str, Any]], words: Catalogue) -> Iterator[list[str]]:
    yield _heads(words, "player rating interval games")
    for rating in ratings:
        low, high = (f"{end:.0f}" for end in rating["rating_95"])
        interval = words.say("ladder.interval", low=low, high=high)
        yield [rating["player"], f"{rating['rating']:.0f}", interval, str(rating["games"])]


def _lineup_rows(entrants: Sequence[dict[str, Any]], words: Catalogue) -> Iterator[list[str]]:
    yield _heads(words, "lineup games share interval")
    for entrant in entrants:
        for lineup in entrant["lineups"]:
            share, *ends = (
                decimal(100 * part, words)
                for part in (lineup["win_share"], *lineup["win_share_95"])
            )
            interval = words.say("ladder.interval", low=ends[0], high=ends[1])
            against = f"{entrant['entrant']} : {', '.join(lineup['opponents'])}"
            percent = words.say("simulate.percent", rate=share)
            yield [against, str(lineup["games"]), percent, interval]


def _cost_rows(entrants: Sequence[dict[str, Any]], words: Catalogue) -> Iterator[list[str]]:
    yield _heads(words, "player rotations puzzles decisions milliseconds retries forfeits")
    for entrant in entrants:
        cost, puzzles = entrant["cost"], entrant["puzzles"]
        yield [
            entrant["entrant"],
            str(entrant["rotations"]),
            f"{puzzles['right']}/{puzzles['of']}",
            str(cost["decisions"]),
            decimal(1000 * cost["seconds_per_decision"], words),
            str(cost["retries"]),
            str(cost["forfeits"]),
        ]
