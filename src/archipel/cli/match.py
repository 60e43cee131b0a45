"""``archipel match``: bots and programs against each other, in rotations."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator

from archipel.cli.argument_values import find_game, make_options, number_given, seed_given
from archipel.cli.errors import UserError
from archipel.cli.output import columns, decimal, progress_bar
from archipel.cli.players import own_bots, split_players, studied_bots
from archipel.cli.study_arguments import (
    bot_cells,
    bot_heads,
    known_bot,
    place_given,
    processes_given,
    rate_cell,
)
from archipel.rules.catalogue import Catalogue
from archipel.study import EntrantFailed, MatchResult, match

DEFAULT_GAMES = 100
MAX_GAMES = 10**7


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    programs = own_bots(arguments)
    if arguments.bots is None:
        known = ", ".join([*studied_bots(game.name), *programs])
        raise UserError("match.bots_missing", known=known)
    bots = [known_bot(game.name, name, programs) for name in split_players(arguments.bots)]
    options = make_options(game, len(bots), arguments.settings)
    try:
        with progress_bar(words) as on_progress:
            result = match(
                game.name,
                bots,
                number_given("--games", arguments.games, DEFAULT_GAMES, MAX_GAMES),
                seed=seed_given(arguments.seed),
                options=options,
                programs=programs,
                processes=processes_given(arguments),
                on=place_given(arguments),
                on_progress=on_progress,
            )
    except EntrantFailed as failure:
        raise UserError("match.failed", why=failure) from None
    if arguments.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        print("\n".join(_lines(result, words)))
    return 0


def _lines(result: MatchResult, words: Catalogue) -> Iterator[str]:
    yield words.say(
        "match.heading",
        game=result.game,
        options=result.options,
        games=result.games,
        rotations=result.rotations,
        seed=result.seed,
    )
    yield words.say("match.rotating")
    yield ""
    seats = range(1, result.options.seats + 1)
    heads = [*bot_heads(words), *(words.say("simulate.head.seat", seat=seat) for seat in seats)]
    rows = (
        [*bot_cells(bot, words), *(rate_cell(won, words) for won in bot.by_seat)]
        for bot in result.results
    )
    yield from columns([heads, *rows])
    yield ""
    yield words.say("simulate.decisions", mean=decimal(result.mean_decisions, words))
