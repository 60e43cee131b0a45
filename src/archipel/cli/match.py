"""``archipel match`` and ``simulate``: games between bots, and tables of their results."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from fractions import Fraction

from archipel.bots import UnknownBotError, bot_named, offered_bots
from archipel.cli.argument_values import find_game, make_options, random_seed
from archipel.cli.errors import UserError
from archipel.cli.output import columns, decimal, print_result, progress_bar
from archipel.cli.players import (
    all_bot_names,
    bot_programs,
    one_per_seat,
    resolve_bot,
    rule_bot_names,
    split_players,
)
from archipel.rules.catalogue import Catalogue
from archipel.study import (
    BotResult,
    EntrantFailed,
    MatchResult,
    SimulationResult,
    WinRate,
    match,
    simulate,
)
from archipel.study.statistics import distribution_mean, quantile


def run_match(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    programs = bot_programs(arguments)
    if arguments.bots is None:
        known = ", ".join([*all_bot_names(game.name), *programs])
        raise UserError("match.bots_missing", known=known)
    bots = [resolve_bot(game.name, name, programs) for name in split_players(arguments.bots)]
    options = make_options(game, len(bots), arguments.settings)
    try:
        with progress_bar(words) as on_progress:
            result = match(
                game.name,
                bots,
                arguments.games,
                seed=random_seed(arguments.seed),
                options=options,
                programs=programs,
                workers=arguments.workers,
                on=arguments.on,
                on_progress=on_progress,
            )
    except EntrantFailed as failure:
        raise UserError("match.failed", why=failure) from None
    return print_result(arguments.json, result.to_dict(), _match_lines(result, words))


def _match_lines(result: MatchResult, words: Catalogue) -> Iterator[str]:
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
    heads = [*_bot_heads(words), *(words.say("simulate.head.seat", seat=seat) for seat in seats)]
    rows = (
        [*_bot_cells(bot, words), *(_rate_cell(won, words) for won in bot.by_seat)]
        for bot in result.results
    )
    yield from columns([heads, *rows])
    yield ""
    yield words.say("simulate.decisions", mean=decimal(result.mean_decisions, words))


def run_simulate(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    named = [bot.name for bot in offered_bots(game.name)]
    if arguments.bots is not None:
        named = split_players(arguments.bots)
    known = rule_bot_names(game.name)
    for name in named:
        try:
            bot_named(game.name, name)
        except UnknownBotError:
            raise UserError("error.no_bot", name=name, known=", ".join(known)) from None
    bots = one_per_seat(named, arguments)
    options = make_options(game, len(bots), arguments.settings)
    with progress_bar(words) as on_progress:
        result = simulate(
            game.name,
            bots,
            arguments.games,
            seed=random_seed(arguments.seed),
            options=options,
            rotate=not arguments.fixed_seats,
            workers=arguments.workers,
            on_progress=on_progress,
        )
    return print_result(arguments.json, result.to_dict(), _simulation_lines(result, words))


def _simulation_lines(result: SimulationResult, words: Catalogue) -> Iterator[str]:
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
    rows = [[*_bot_heads(words), words.say("simulate.head.median")]]
    rows += [
        [*_bot_cells(bot, words), str(quantile(bot.scores, Fraction(1, 2)))]
        for bot in result.results
    ]
    yield from columns(rows)
    yield ""
    seats = [words.say("simulate.head.seat", seat=seat + 1) for seat in range(len(result.bots))]
    rows = [[words.say("simulate.head.rate"), *seats]]
    by_seat = [(bot.name, bot.by_seat) for bot in result.results]
    for name, rates in [*by_seat, (words.say("simulate.anyone"), result.by_seat)]:
        rows.append([name, *(_rate_cell(won, words) for won in rates)])
    yield from columns(rows)
    yield ""
    mean = float(distribution_mean(result.lengths))
    yield words.say("simulate.decisions", mean=decimal(mean, words))


def _bot_heads(words: Catalogue) -> list[str]:
    """Headings of `_bot_cells`."""
    names = ("bot", "games", "wins", "rate", "interval", "mean")
    return [words.say(f"simulate.head.{name}") for name in names]


def _bot_cells(bot: BotResult, words: Catalogue) -> list[str]:
    won = bot.won
    low, high = (decimal(100 * end, words) for end in (won.interval.low, won.interval.high))
    return [
        bot.name if bot.copies == 1 else f"{bot.name} ×{bot.copies}",
        str(won.games),
        decimal(float(won.wins), words),
        _rate_cell(won, words),
        words.say("simulate.interval", low=low, high=high),
        decimal(bot.mean_score, words),
    ]


def _rate_cell(won: WinRate, words: Catalogue) -> str:
    """A win rate in percent; a dash if the bot never had the seat."""
    return words.say("simulate.percent", rate=decimal(100 * won.rate, words)) if won.games else "-"
