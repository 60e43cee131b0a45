"""``archipel study`` and ``dataset``: play many games, for a report or as training data."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from archipel.cli.argument_values import find_game, make_options, random_seed
from archipel.cli.errors import UserError, resumable
from archipel.cli.output import columns, decimal, print_result, progress_bar
from archipel.cli.players import one_per_seat, resolve_bot, rule_bot_names, split_players
from archipel.cli.record_files import read_text, reports_os_errors
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress

if TYPE_CHECKING:
    from archipel.study.experiments.summary import Summary

REPORT = "report.html"


def run_study(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("numpy") is None or (arguments.rows and find_spec("pyarrow") is None):
        raise UserError("study.extra")
    # Imported late: these need the extra `study`.
    from archipel.study.executors.executor import WorkFailed
    from archipel.study.experiments.plan_file import PlanError, read_plan
    from archipel.study.experiments.run_plan import StudyError, run_plan, summary_bytes
    from archipel.study.reports.report_page import page, write_document

    file = Path(arguments.file)
    try:
        plan = read_plan(read_text(file))
    except PlanError as error:
        raise UserError("error.in_file", file=file, reason=error) from None
    folder = Path(arguments.to or f"{file.stem}-study")
    try:
        with resumable(folder), progress_bar(words) as on_progress:
            summary = run_plan(
                plan,
                folder,
                on=arguments.on,
                workers=arguments.workers,
                rows=arguments.rows,
                on_progress=on_progress,
            )
        (folder / REPORT).write_text(page(summary, words), "utf-8")
        if arguments.page is not None:
            write_document(summary, words, Path(arguments.page), file.name)
    except StudyError as error:
        raise UserError(f"study.{error.why}", **error.details) from None
    except WorkFailed as failure:
        raise UserError("study.failed", why=failure, folder=folder) from None
    except OSError as error:
        written = error.filename or folder
        raise UserError("error.write", file=written, reason=reason_of(error)) from None
    if arguments.json:
        print(summary_bytes(summary).decode(), end="")
        return 0
    return print_result(False, None, _lines(summary, folder, words))


def _lines(summary: Summary, folder: Path, words: Catalogue) -> Iterator[str]:
    yield summary.title
    yield ""
    rows = [[words.say(f"study.head.{head}") for head in ("table", "games", "first_seat", "score")]]
    for table in summary.tables:
        chosen = [f"{name}={table.options[name]}" for name in table.varied]
        label = ", ".join([table.game, words.say("study.seats", seats=table.seats), *chosen])
        share, interval = table.wins(0)
        ends = [decimal(100 * end, words) for end in (share, interval.low, interval.high)]
        score = table.mean("score")
        rows.append(
            [
                f"{label}, {'/'.join(dict.fromkeys(table.bots))}",
                str(table.games),
                words.say("study.rate", rate=ends[0], low=ends[1], high=ends[2]),
                f"{decimal(score.value, words)} ± {decimal(score.half, words)}",
            ]
        )
    yield from columns(rows)
    yield ""
    yield words.say("study.done", folder=folder, report=folder / REPORT)


def run_dataset(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("numpy") is None:
        raise UserError("dataset.extra")
    if arguments.parquet is not None and find_spec("pyarrow") is None:
        raise UserError("dataset.parquet_extra")
    # Imported late: these need NumPy.
    from archipel.bots.search.search import search_program
    from archipel.envs.dataset import DatasetError, write_dataset
    from archipel.envs.dataset_plan import DatasetPlan
    from archipel.study.executors.executor import WorkFailed, open_executor
    from archipel.study.experiments.batches import searches
    from archipel.study.progress import compile_first

    game = find_game(arguments.game)
    named = rule_bot_names(game.name)
    if arguments.bots is not None:
        named = [resolve_bot(game.name, name, {}) for name in split_players(arguments.bots)]
    bots = one_per_seat(named, arguments)
    plan = DatasetPlan(
        game.name,
        make_options(game, len(bots), arguments.settings),
        tuple(bots),
        random_seed(arguments.seed),
        arguments.games,
        arguments.per_shard,
    )
    folder = Path(arguments.to or f"{game.name}-dataset")
    try:
        with (
            resumable(folder),
            reports_os_errors(folder),
            progress_bar(words) as on_progress,
            open_executor(arguments.on, arguments.workers) as executor,
        ):
            if searches(game.name, plan.bots):
                compile_first(search_program(game.name), plan.games, on_progress)
            manifest = write_dataset(
                plan,
                folder,
                executor=executor,
                on_shard=lambda games: on_progress(Progress(games, plan.games)),
            )
    except DatasetError:
        raise UserError("dataset.other", folder=folder) from None
    except WorkFailed as failure:
        raise UserError("dataset.failed", why=failure, folder=folder) from None
    if arguments.parquet is not None:
        from archipel.envs.dataset import Dataset
        from archipel.envs.dataset_parquet import write_parquet

        with reports_os_errors(Path(arguments.parquet)):
            write_parquet(Dataset(folder), arguments.parquet)
    size = sum(shard["bytes"] for shard in manifest["shards"])
    done = words.say(
        "dataset.done",
        games=plan.games,
        shards=plan.shards,
        folder=folder,
        kilobytes=-(-size // 1000),
        seed=plan.seed,
    )
    return print_result(arguments.json, manifest, [done])
