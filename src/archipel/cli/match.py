"""``archipel match``: bots and programs against each other, in rotations with equal chance."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from importlib.util import find_spec

from archipel.bots import Bot, UnknownBotError
from archipel.bots.outside.programs import BotProgram
from archipel.cli.choosing import find_game, make_options
from archipel.cli.errors import UserError
from archipel.cli.figures import columns, decimal
from archipel.cli.own_bots import own_bots
from archipel.cli.players import bot_names, split_players
from archipel.cli.progress import progress_bar
from archipel.cli.simulate import number_given, seed_given
from archipel.rules.catalogue import Catalogue
from archipel.study import Progress
from archipel.study.arena import EntrantFailed, Match, Rotation
from archipel.study.arena_playing import play_rotations
from archipel.study.crew import PLACES, PROCESSES, RAY
from archipel.study.match_result import Entry, MatchResult, sum_up

USUAL_GAMES = 100
MOST_GAMES = 10**7
MOST_PROCESSES = 1024


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    game = find_game(arguments.game)
    programs = own_bots(arguments)
    if arguments.bots is None:
        raise UserError("match.bots_missing", known=", ".join([*bot_names(game.name), *programs]))
    bots = [known_bot(game.name, name, programs) for name in split_players(arguments.bots)]
    options = make_options(game, len(bots), arguments.settings)
    games = number_given("--games", arguments.games, USUAL_GAMES, MOST_GAMES)
    match = Match(
        game.name,
        options,
        tuple(bots),
        seed_given(arguments.seed),
        {name: program for name, program in programs.items() if name in bots},
    )
    rotations = -(-games // match.seats)  # whole ones
    result = sum_up(match, _play(match, rotations, arguments, words))
    if arguments.json:
        print(json.dumps(result.to_dict(), indent=2))
    else:
        print("\n".join(_lines(result, words)))
    return 0


def _play(
    match: Match, rotations: int, arguments: argparse.Namespace, words: Catalogue
) -> dict[int, Rotation]:
    found: dict[int, Rotation] = {}
    games = rotations * match.seats
    processes, place = processes_given(arguments), place_given(arguments)
    try:
        with progress_bar(words) as on_progress:
            on_progress(Progress(0, games))
            playing = play_rotations(
                match, range(rotations), processes=processes, on=place, on_progress=on_progress
            )
            with closing(playing) as played:
                for number, rotation in played:
                    found[number] = rotation
                    on_progress(Progress(len(found) * match.seats, games))
    except EntrantFailed as failure:
        raise UserError("match.failed", why=failure) from None
    return found


def known_bot(game: str, name: str, programs: Mapping[str, BotProgram]) -> str:
    """The full name of a bot, or of a program that plays the game."""
    if name in programs:
        if not programs[name].plays(game):
            raise UserError("bot.other_games", name=name, game=game)
        return name
    try:
        return Bot.named(game, name).name
    except UnknownBotError:
        known = ", ".join([*bot_names(game), *programs])
        raise UserError("error.no_bot", name=name, known=known) from None


def processes_given(arguments: argparse.Namespace) -> int | None:
    if arguments.processes is None:
        return None
    return number_given("--processes", arguments.processes, 1, MOST_PROCESSES)


def place_given(arguments: argparse.Namespace) -> str:
    """Where the work is done."""
    place: str = arguments.on or PROCESSES
    if place not in PLACES:
        raise UserError("error.on", place=place, known=", ".join(PLACES))
    if place == RAY and find_spec("ray") is None:
        raise UserError("error.no_ray")
    return place


def _lines(result: MatchResult, words: Catalogue) -> Iterator[str]:
    match = result.match
    yield words.say(
        "match.heading",
        game=match.game,
        options=match.options,
        games=result.games,
        rotations=result.rotations,
        seed=match.seed,
    )
    yield words.say("match.rotating")
    yield ""
    heads = [words.say(f"simulate.head.{head}") for head in ("bot", "games", "wins", "rate")]
    heads += [words.say(f"simulate.head.{head}") for head in ("interval", "mean")]
    heads += [words.say("simulate.head.seat", seat=seat + 1) for seat in range(match.seats)]
    yield from columns([heads, *(_row(entry, words) for entry in result.entries)])
    yield ""
    yield words.say("simulate.decisions", mean=decimal(result.mean_decisions, words))


def _row(entry: Entry, words: Catalogue) -> list[str]:
    low, high = (decimal(100 * end, words) for end in (entry.interval.low, entry.interval.high))
    return [
        entry.name if entry.copies == 1 else f"{entry.name} ×{entry.copies}",
        str(entry.games),
        decimal(float(entry.wins), words),
        _percent(entry.rate, words),
        words.say("simulate.interval", low=low, high=high),
        decimal(entry.mean_score, words),
        *(_percent(float(share), words) for share in entry.by_seat),
    ]


def _percent(rate: float, words: Catalogue) -> str:
    return words.say("simulate.percent", rate=decimal(100 * rate, words))
