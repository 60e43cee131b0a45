"""``archipel simulate``: many games between bots, and how they fared."""

from __future__ import annotations

import argparse
import json
import secrets
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import cycle, islice

from archipel.bots import UnknownBotError, bot_named, offered_bots
from archipel.cli.choosing import find_game, make_options, whole_number
from archipel.cli.errors import UserError
from archipel.cli.figures import columns, decimal
from archipel.cli.players import rule_bots, split_players
from archipel.cli.progress import progress_bar
from archipel.rules.catalogue import Catalogue
from archipel.study import SimulationResult, WinRate, simulate
from archipel.study.statistics import distribution_mean, quantile

USUAL_GAMES = 1000
MOST_GAMES = 10**12
MOST_JOBS = 1024
MOST_SEED = 2**63 - 1


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    named = _named_bots(game.name, arguments)
    seats = len(named)
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 1, 99)
        if len(named) > seats and arguments.bots is not None:
            raise UserError("error.too_many_players", players=len(named), seats=seats)
    options = make_options(game, seats, arguments.settings)
    games = number_given("--games", arguments.games, USUAL_GAMES, MOST_GAMES)
    jobs = None if arguments.jobs is None else number_given("--jobs", arguments.jobs, 1, MOST_JOBS)
    with progress_bar(words) as on_progress:
        result = simulate(
            game.name,
            list(islice(cycle(named), seats)),
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


def _named_bots(game_name: str, arguments: argparse.Namespace) -> list[str]:
    """The bots of the command line, or one of each that people are offered."""
    if arguments.bots is None:
        return [bot.name for bot in offered_bots(game_name)]
    return [_known_bot(game_name, name) for name in split_players(arguments.bots)]


def _known_bot(game_name: str, name: str) -> str:
    try:
        return bot_named(game_name, name).name
    except UnknownBotError:
        known = ", ".join(rule_bots(game_name))
        raise UserError("error.no_bot", name=name, known=known) from None


def number_given(name: str, text: str | None, usual: int, most: int) -> int:
    return usual if text is None else whole_number(name, text, 1, most)


def seed_given(text: str | None) -> int:
    # Shown with the results, so that any study can be repeated.
    return secrets.randbits(32) if text is None else whole_number("--seed", text, 0, MOST_SEED)


# ---- the table ----------------------------------------------------------------------------------


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
    heads = ("bot", "games", "wins", "rate", "interval", "mean", "median")
    yield from columns(
        [[words.say(f"simulate.head.{head}") for head in heads], *_bot_rows(result, words)]
    )
    yield ""
    seats = [words.say("simulate.head.seat", seat=seat + 1) for seat in range(len(result.bots))]
    rows = [
        [words.say("simulate.head.rate"), *seats],
        *([bot.name, *_rates(bot.by_seat, words)] for bot in result.results),
        [words.say("simulate.anyone"), *_rates(result.by_seat, words)],
    ]
    yield from columns(rows)
    yield ""
    mean = float(distribution_mean(result.lengths))
    yield words.say("simulate.decisions", mean=decimal(mean, words))


def _bot_rows(result: SimulationResult, words: Catalogue) -> Iterator[list[str]]:
    for bot in result.results:
        won = bot.won
        low, high = (decimal(100 * end, words) for end in (won.interval.low, won.interval.high))
        yield [
            bot.name if bot.copies == 1 else f"{bot.name} ×{bot.copies}",
            str(won.games),
            decimal(float(won.wins), words),
            _rate(won, words),
            words.say("simulate.interval", low=low, high=high),
            decimal(bot.mean_score, words),
            str(quantile(bot.scores, Fraction(1, 2))),
        ]


def _rates(won_by_seat: Sequence[WinRate], words: Catalogue) -> list[str]:
    return [_rate(won, words) for won in won_by_seat]


def _rate(won: WinRate, words: Catalogue) -> str:
    # With fixed seats a bot never sits on some of them.
    return words.say("simulate.percent", rate=decimal(100 * won.rate, words)) if won.games else "-"
