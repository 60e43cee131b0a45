"""``archipel ladder``: a round-robin between bots, kept in a file, and their ratings."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from archipel.cli.argument_values import (
    find_game,
    make_options,
    number_given,
    seed_given,
    whole_number,
)
from archipel.cli.errors import UserError, kept_in
from archipel.cli.output import columns, progress_bar
from archipel.cli.players import bot_names, own_bots, split_players
from archipel.cli.record_files import check_can_save
from archipel.cli.study_arguments import known_bot, place_given, processes_given
from archipel.rules.catalogue import Catalogue
from archipel.rules.data_files import reason_of
from archipel.study import EntrantFailed
from archipel.study.matches.ladder import Head, Ladder, LadderError, climb, head_of, read_ladder
from archipel.study.matches.ratings import Rating, draw_ratings

DEFAULT_GAMES = 100
MAX_GAMES = 10**7
DEFAULT_SEATS = 2
DEFAULT_SEED = 1

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
        ladder = _show(file, game.name) if arguments.show else _play(arguments, file, words)
    except LadderError as error:
        raise UserError(f"ladder.{error.why}", **error.details) from None
    except OSError as error:
        raise UserError("ladder.file", file=file, why=reason_of(error)) from None
    if not ladder.played:
        raise UserError("ladder.empty", file=file)
    ratings = ladder.ratings(anchor_of(ladder))
    if arguments.draw is not None:
        _draw(Path(arguments.draw), ladder.head, ratings)
    if arguments.json:
        print(json.dumps(_as_json(ladder, ratings), indent=2))
    else:
        print("\n".join(_lines(ladder, ratings, words)))
    return 0


def _show(file: Path, game: str) -> Ladder:
    ladder = read_ladder(file)
    if ladder.head.game != game:
        raise LadderError("other", file=file)
    return ladder


def _play(arguments: argparse.Namespace, file: Path, words: Catalogue) -> Ladder:
    game = find_game(arguments.game)
    check_can_save(file, may_replace=True)
    programs = own_bots(arguments)
    named = split_players(arguments.bots) if arguments.bots else bot_names(game.name)
    bots = list(dict.fromkeys(known_bot(game.name, name, programs) for name in named))
    seats = DEFAULT_SEATS
    if arguments.seats is not None:
        seats = whole_number("--seats", arguments.seats, 1, 99)
    if len(bots) < seats:
        raise UserError("ladder.too_few", bots=len(bots), seats=seats)
    options = make_options(game, seats, arguments.settings)
    games = number_given("--games", arguments.games, DEFAULT_GAMES, MAX_GAMES)
    try:
        with kept_in(file), progress_bar(words) as on_progress:
            return climb(
                file,
                head_of(game.name, options, seed_given(arguments.seed, DEFAULT_SEED)),
                bots,
                -(-games // seats),
                programs=programs,
                processes=processes_given(arguments),
                on=place_given(arguments),
                on_progress=on_progress,
            )
    except EntrantFailed as failure:
        raise UserError("ladder.failed", why=failure, file=file) from None


def anchor_of(ladder: Ladder) -> str | None:
    """Full name of the newest anchor version that has played."""
    names = {name for lineup in ladder.played for name in lineup}
    versions = {
        int(version): name
        for name in names
        for family, _, version in (name.rpartition("-"),)
        if family == ANCHOR and version.isdecimal()
    }
    return versions[max(versions)] if versions else None


def _draw(file: Path, head: Head, ratings: Sequence[Rating]) -> None:
    title = f"{find_game(head.game).title('en')}, {head.seats} seats"
    try:
        file.write_text(draw_ratings(title, ratings), "utf-8")
    except OSError as error:
        raise UserError("error.write", file=file, reason=reason_of(error)) from None


def _as_json(ladder: Ladder, ratings: Sequence[Rating]) -> dict[str, object]:
    head = ladder.head
    return {
        "schema": "archipel.ratings",
        "version": 1,
        "game": head.game,
        "rules_version": head.rules_version,
        "board": head.board,
        "seats": head.seats,
        "options": head.options,
        "seed": head.seed,
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


def _lines(ladder: Ladder, ratings: Sequence[Rating], words: Catalogue) -> Iterator[str]:
    head = ladder.head
    yield words.say("ladder.heading", game=head.game, seats=head.seats, games=ladder.games)
    yield words.say("ladder.model")
    yield ""
    low = min(rating.interval.low for rating in ratings)
    high = max(rating.interval.high for rating in ratings)
    rows = [[words.say(f"ladder.head.{name}") for name in ("bot", "rating", "interval", "games")]]
    rows += [
        [
            rating.name,
            f"{rating.rating:.0f}",
            words.say(
                "ladder.interval",
                low=f"{rating.interval.low:.0f}",
                high=f"{rating.interval.high:.0f}",
            ),
            str(rating.games),
        ]
        for rating in ratings
    ]
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
