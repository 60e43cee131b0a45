"""``archipel simulate``: many games between rule-based bots."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from fractions import Fraction

from archipel.bots import UnknownBotError, bot_named, offered_bots
from archipel.cli.argument_values import find_game, make_options, number_given, seed_given
from archipel.cli.errors import UserError
from archipel.cli.output import columns, decimal, progress_bar
from archipel.cli.players import rule_bots, split_players
from archipel.cli.study_arguments import bot_cells, bot_heads, one_per_seat, rate_cell
from archipel.rules.catalogue import Catalogue
from archipel.study import SimulationResult, simulate
from archipel.study.statistics import distribution_mean, quantile

DEFAULT_GAMES = 1000
MAX_GAMES = 10**12
MAX_JOBS = 1024


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    bots = one_per_seat(_named_bots(game.name, arguments), arguments)
    options = make_options(game, len(bots), arguments.settings)
    games = number_given("--games", arguments.games, DEFAULT_GAMES, MAX_GAMES)
    jobs = None if arguments.jobs is None else number_given("--jobs", arguments.jobs, 1, MAX_JOBS)
    with progress_bar(words) as on_progress:
        result = simulate(
            game.name,
            bots,
            games,
            seed=seed_given(arguments.seed),
            options=options,
            rotate=not arguments.fixed_seats,
            jobs=jobs,
            on_progress=on_progress,
        )
    if arguments.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        print("\n".join(_lines(result, words)))
    return 0


def _named_bots(game: str, arguments: argparse.Namespace) -> list[str]:
    """The bots of ``--bots``, else one of each that people are offered."""
    if arguments.bots is None:
        return [bot.name for bot in offered_bots(game)]
    names = split_players(arguments.bots)
    for name in names:
        try:
            bot_named(game, name)
        except UnknownBotError:
            known = ", ".join(rule_bots(game))
            raise UserError("error.no_bot", name=name, known=known) from None
    return names


def _lines(result: SimulationResult, words: Catalogue) -> Iterator[str]:
    yield words.say(
        "simulate.heading",
        game=result.game,
        options=result.options,
        games=result.games,
        seed=result.seed,
    )
    if result.rotate:
        yield words.say("simulate.rotating")
    else:
        yield words.say("simulate.fixed", bots=", ".join(result.bots))
    yield ""
    rows = [[*bot_heads(words), words.say("simulate.head.median")]]
    rows += [
        [*bot_cells(bot, words), str(quantile(bot.scores, Fraction(1, 2)))]
        for bot in result.results
    ]
    yield from columns(rows)
    yield ""
    seats = [words.say("simulate.head.seat", seat=seat + 1) for seat in range(len(result.bots))]
    rows = [[words.say("simulate.head.rate"), *seats]]
    by_seat = [(bot.name, bot.by_seat) for bot in result.results]
    for name, rates in [*by_seat, (words.say("simulate.anyone"), result.by_seat)]:
        rows.append([name, *(rate_cell(won, words) for won in rates)])
    yield from columns(rows)
    yield ""
    mean = float(distribution_mean(result.lengths))
    yield words.say("simulate.decisions", mean=decimal(mean, words))
