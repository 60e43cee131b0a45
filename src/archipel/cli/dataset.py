"""``archipel dataset``: games between bots, decision by decision, as files to learn from."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path

from archipel.cli.argument_values import find_game, make_options, random_seed
from archipel.cli.errors import UserError, kept_in
from archipel.cli.output import print_result, progress_bar
from archipel.cli.players import known_bot, one_per_seat, rule_bots, split_players
from archipel.cli.record_files import reports_os_errors
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("numpy") is None:
        raise UserError("dataset.extra")
    # Imported late: these need NumPy.
    from archipel.bots.search.search import search_program
    from archipel.envs.dataset import DatasetError, write_dataset
    from archipel.envs.dataset_plan import DatasetPlan
    from archipel.study.executors.executor import WorkFailed, open_executor
    from archipel.study.experiments.batches import searches
    from archipel.study.progress import compile_first

    game = find_game(arguments.game)
    named = rule_bots(game.name)
    if arguments.bots is not None:
        named = [known_bot(game.name, name, {}) for name in split_players(arguments.bots)]
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
            kept_in(folder),
            reports_os_errors(folder),
            progress_bar(words) as on_progress,
            open_executor(arguments.on, arguments.processes) as executor,
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
