"""``archipel dataset``: games between bots, decision by decision, as files to learn from."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from pathlib import Path

from archipel.cli.argument_values import find_game, make_options, number_given, seed_given
from archipel.cli.errors import UserError, kept_in
from archipel.cli.output import progress_bar
from archipel.cli.players import rule_bots, split_players
from archipel.cli.study_arguments import known_bot, one_per_seat, place_given, processes_given
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress

DEFAULT_GAMES = 1000
MAX_GAMES = 10**8
DEFAULT_PER_SHARD = 100
MAX_PER_SHARD = 10**6


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
        seed_given(arguments.seed),
        number_given("--games", arguments.games, DEFAULT_GAMES, MAX_GAMES),
        number_given("--per-shard", arguments.per_shard, DEFAULT_PER_SHARD, MAX_PER_SHARD),
    )
    folder = Path(arguments.to or f"{game.name}-dataset")
    place, workers = place_given(arguments), processes_given(arguments)
    try:
        with (
            kept_in(folder),
            progress_bar(words) as on_progress,
            open_executor(place, workers) as executor,
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
    except OSError as error:
        raise UserError("error.write", file=folder, reason=reason_of(error)) from None
    if arguments.json:
        print(json.dumps(manifest, indent=2, ensure_ascii=False))
    else:
        size = sum(shard["bytes"] for shard in manifest["shards"])
        print(
            words.say(
                "dataset.done",
                games=plan.games,
                shards=plan.shards,
                folder=folder,
                kilobytes=-(-size // 1000),
                seed=plan.seed,
            )
        )
    return 0
