"""``archipel simulate``: many games between bots, and how they fared."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import cycle, islice

from archipel.bots import UnknownBotError, bot_named
from archipel.cli.choosing import find_game, make_options, whole_number
from archipel.cli.errors import UserError
from archipel.cli.players import bot_names, split_players
from archipel.rules.catalogue import Catalogue
from archipel.study import OnProgress, Progress, SimulationResult, WinRate, simulate
from archipel.study.backends import COMPILING, NO_COMPILER
from archipel.study.statistics import distribution_mean, quantile

USUAL_GAMES = 1000
MOST_GAMES = 10**12
MOST_JOBS = 1024
MOST_SEED = 2**63 - 1
NOTES = {COMPILING: "simulate.compiling", NO_COMPILER: "simulate.no_compiler"}


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    named = _named_bots(game.name, arguments)
    seats = len(named)
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 1, 99)
        if len(named) > seats and arguments.bots is not None:
            raise UserError("error.too_many_players", players=len(named), seats=seats)
    options = make_options(game, seats, arguments.settings)
    games = _number("--games", arguments.games, USUAL_GAMES, MOST_GAMES)
    jobs = None if arguments.jobs is None else _number("--jobs", arguments.jobs, 1, MOST_JOBS)
    with _progress(words) as on_progress:
        result = simulate(
            game.name,
            list(islice(cycle(named), seats)),
            games,
            seed=_seed(arguments.seed),
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
    """The bots of the command line, or one of each there is."""
    if arguments.bots is None:
        return bot_names(game_name)
    return [_known_bot(game_name, name) for name in split_players(arguments.bots)]


def _known_bot(game_name: str, name: str) -> str:
    try:
        return bot_named(game_name, name).name
    except UnknownBotError:
        known = ", ".join(bot_names(game_name))
        raise UserError("error.no_bot", name=name, known=known) from None


def _number(name: str, text: str | None, usual: int, most: int) -> int:
    return usual if text is None else whole_number(name, text, 1, most)


def _seed(text: str | None) -> int:
    # Shown with the results, so that any study can be repeated.
    return secrets.randbits(32) if text is None else whole_number("--seed", text, 0, MOST_SEED)


@contextmanager
def _progress(words: Catalogue) -> Iterator[OnProgress]:
    """A bar on standard error while it is a terminal; notes that matter anywhere."""
    if not sys.stderr.isatty():

        def note_only(progress: Progress) -> None:
            if progress.note == NO_COMPILER:
                print(f"archipel: {words.say(NOTES[NO_COMPILER])}", file=sys.stderr)

        yield note_only
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(words.say("simulate.games"), total=None)

        def show(progress: Progress) -> None:
            key = NOTES.get(progress.note, "simulate.games")
            if progress.note == NO_COMPILER:
                bar.console.print(words.say(key))
            else:
                total = None if progress.note else progress.games
                bar.update(task, completed=progress.done, total=total, description=words.say(key))

        yield show


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
    yield from _columns(
        [[words.say(f"simulate.head.{head}") for head in heads], *_bot_rows(result, words)]
    )
    yield ""
    seats = [words.say("simulate.head.seat", seat=seat + 1) for seat in range(len(result.bots))]
    rows = [
        [words.say("simulate.head.rate"), *seats],
        *([bot.name, *_rates(bot.by_seat, words)] for bot in result.results),
        [words.say("simulate.anyone"), *_rates(result.by_seat, words)],
    ]
    yield from _columns(rows)
    yield ""
    mean = float(distribution_mean(result.lengths))
    yield words.say("simulate.decisions", mean=_decimal(mean, words))


def _bot_rows(result: SimulationResult, words: Catalogue) -> Iterator[list[str]]:
    for bot in result.results:
        won = bot.won
        low, high = (_decimal(100 * end, words) for end in (won.interval.low, won.interval.high))
        yield [
            bot.name if bot.copies == 1 else f"{bot.name} ×{bot.copies}",
            str(won.games),
            _decimal(float(won.wins), words),
            _rate(won, words),
            words.say("simulate.interval", low=low, high=high),
            _decimal(bot.mean_score, words),
            str(quantile(bot.scores, Fraction(1, 2))),
        ]


def _rates(won_by_seat: Sequence[WinRate], words: Catalogue) -> list[str]:
    return [_rate(won, words) for won in won_by_seat]


def _rate(won: WinRate, words: Catalogue) -> str:
    # With fixed seats a bot never sits on some of them.
    return words.say("simulate.percent", rate=_decimal(100 * won.rate, words)) if won.games else "-"


def _decimal(value: float, words: Catalogue) -> str:
    return f"{value:.1f}".replace(".", words.say("simulate.decimal_mark"))


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells]).rstrip()
