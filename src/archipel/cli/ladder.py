"""``archipel ladder``: a round-robin between bots in a resumable file, and their ratings."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from archipel.cli.argument_values import find_game, make_options
from archipel.cli.errors import UserError, resumable
from archipel.cli.output import columns, print_result, progress_bar
from archipel.cli.players import bot_names, bot_programs, resolve_bot, split_players
from archipel.cli.record_files import check_can_save, reports_os_errors, write_file
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition
from archipel.study import EntrantFailed
from archipel.study.matches.ladder import Ladder, LadderError, climb, head_of, read_ladder
from archipel.study.matches.ratings import Rating, draw_ratings

#: The newest version of this bot has 1000 points if it plays.
ANCHOR = "greedy"

#: Width of an interval drawn in characters.
BAR = 30


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    file = Path(arguments.file or f"ladder-{game.name}.jsonl")
    if arguments.draw is not None:
        check_can_save(Path(arguments.draw), may_replace=True)
    try:
        with reports_os_errors(file, "ladder.file"):
            ladder = read_ladder(file) if arguments.show else _play(arguments, game, file, words)
        if ladder.head.game != game.name:
            raise LadderError("other", file=file)
    except LadderError as error:
        raise UserError(f"ladder.{error.why}", **error.details) from None
    if not ladder.played:
        raise UserError("ladder.empty", file=file)
    ratings = ladder.ratings(anchor_of(ladder))
    if arguments.draw is not None:
        title = f"{game.title('en')}, {ladder.head.seats} seats"
        write_file(Path(arguments.draw), draw_ratings(title, ratings))
    data = {
        **msgspec.to_builtins(ladder.head),
        "schema": "archipel.ratings",
        "version": 1,
        "games": ladder.games,
        "ratings": [
            {
                "bot": rating.name,
                "rating": rating.rating,
                "rating_95": [rating.interval.low, rating.interval.high],
                "games": rating.games,
            }
            for rating in ratings
        ],
    }
    return print_result(arguments.json, data, _lines(ladder, ratings, words))


def _play(
    arguments: argparse.Namespace, game: Definition[Any], file: Path, words: Catalogue
) -> Ladder:
    check_can_save(file, may_replace=True)
    programs = bot_programs(arguments)
    named = split_players(arguments.bots) if arguments.bots else bot_names(game.name)
    bots = list(dict.fromkeys(resolve_bot(game.name, name, programs) for name in named))
    seats = arguments.seats
    if len(bots) < seats:
        raise UserError("ladder.too_few", bots=len(bots), seats=seats)
    options = make_options(game, seats, arguments.settings)
    try:
        with resumable(file), progress_bar(words) as on_progress:
            return climb(
                file,
                head_of(game.name, options, arguments.seed),
                bots,
                -(-arguments.games // seats),
                programs=programs,
                workers=arguments.workers,
                on=arguments.on,
                on_progress=on_progress,
            )
    except EntrantFailed as failure:
        raise UserError("ladder.failed", why=failure, file=file) from None


def anchor_of(ladder: Ladder) -> str | None:
    """Full name of the newest version of the anchor that has played."""
    names = {name for lineup in ladder.played for name in lineup}
    versions = {
        int(version): name
        for name in names
        for family, _, version in (name.rpartition("-"),)
        if family == ANCHOR and version.isdecimal()
    }
    return versions[max(versions)] if versions else None


def _lines(ladder: Ladder, ratings: Sequence[Rating], words: Catalogue) -> Iterator[str]:
    head = ladder.head
    yield words.say("ladder.heading", game=head.game, seats=head.seats, games=ladder.games)
    yield words.say("ladder.model")
    yield ""
    low = min(rating.interval.low for rating in ratings)
    high = max(rating.interval.high for rating in ratings)
    rows = [[words.say(f"ladder.head.{name}") for name in ("bot", "rating", "interval", "games")]]
    for rating in ratings:
        ends = [f"{end:.0f}" for end in (rating.interval.low, rating.interval.high)]
        interval = words.say("ladder.interval", low=ends[0], high=ends[1])
        rows.append([rating.name, f"{rating.rating:.0f}", interval, str(rating.games)])
    head_line, *lines = columns(rows)
    yield head_line
    width = max(map(len, lines))
    for line, rating in zip(lines, ratings, strict=True):
        yield f"{line:<{width}}  {_bar(rating, low, high)}".rstrip()


def _bar(rating: Rating, low: float, high: float) -> str:
    """Draw a rating on its interval in characters."""
    scale = (BAR - 1) / max(1.0, high - low)
    first, at, last = (
        round((points - low) * scale)
        for points in (rating.interval.low, rating.rating, rating.interval.high)
    )
    drawn = [" "] * BAR
    drawn[first : last + 1] = ["-"] * (last + 1 - first)
    drawn[at] = "o"
    return "".join(drawn)
