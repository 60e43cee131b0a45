"""``archipel dataset``: games between bots, decision by decision, as files to learn from."""

from __future__ import annotations

import argparse
import json
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path

from archipel.cli.choosing import find_game, make_options, whole_number
from archipel.cli.errors import UserError, kept_in
from archipel.cli.match import known_bot, place_given, processes_given
from archipel.cli.players import rule_bots, split_players
from archipel.cli.progress import progress_bar
from archipel.cli.simulate import number_given, seed_given
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import Progress

USUAL_GAMES = 1000
MOST_GAMES = 10**8
USUAL_PER_SHARD = 100
MOST_PER_SHARD = 10**6


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    if find_spec("numpy") is None:
        raise UserError("dataset.extra")
    # Only now: they need what the extra brings.
    from archipel.bots import Level, player_named
    from archipel.bots.search.programs import search_program
    from archipel.envs.dataset import DatasetError, write_dataset
    from archipel.envs.dataset_plan import Plan
    from archipel.study.backends import compile_first
    from archipel.study.crew import WorkFailed, crew_on

    game = find_game(arguments.game)
    named = (
        rule_bots(game.name) if arguments.bots is None
        else [known_bot(game.name, name, {}) for name in split_players(arguments.bots)]
    )  # fmt: skip
    seats = len(named)
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 1, 99)
        if len(named) > seats and arguments.bots is not None:
            raise UserError("error.too_many_players", players=len(named), seats=seats)
    options = make_options(game, seats, arguments.settings)
    plan = Plan(
        game.name,
        options,
        tuple(islice(cycle(named), seats)),
        seed_given(arguments.seed),
        number_given("--games", arguments.games, USUAL_GAMES, MOST_GAMES),
        number_given("--per-shard", arguments.per_shard, USUAL_PER_SHARD, MOST_PER_SHARD),
    )
    folder = Path(arguments.to or f"{game.name}-dataset")
    place, workers = place_given(arguments), processes_given(arguments)
    try:
        with (
            kept_in(folder),
            progress_bar(words) as on_progress,
            crew_on(place, workers) as crew,
        ):
            if any(isinstance(player_named(game.name, bot), Level) for bot in plan.bots):
                compile_first(search_program(game.name), plan.games, on_progress)
            manifest = write_dataset(
                plan,
                folder,
                crew=crew,
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
