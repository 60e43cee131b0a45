"""``archipel play``: a game at this terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from archipel.cli.chance import read_script, with_script
from archipel.cli.choosing import find_game, make_options, whole_number
from archipel.cli.errors import InputEnded, UserError
from archipel.cli.files import check_can_save, read_record, read_start
from archipel.cli.own_bots import own_bots
from archipel.cli.players import Player, fill_up, seat_players, split_players
from archipel.cli.screen import Screen
from archipel.cli.setup import ask_setup
from archipel.cli.table import Leave, Table
from archipel.game import Game
from archipel.record import Record
from archipel.rules.catalogue import Catalogue

USUAL_SEATS = 3
MOST_SEED = 2**63 - 1


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    screen = Screen()
    try:
        table = _table(arguments, words, screen)
    except InputEnded:
        raise UserError("play.nobody_answers") from None
    try:
        table.play()
    except Leave:
        screen.line(words.say("play.left"))
    except InputEnded:
        _report_end_of_input(table)
        return 1
    return 0


def _table(arguments: argparse.Namespace, words: Catalogue, screen: Screen) -> Table:
    if arguments.resume and arguments.start:
        raise UserError("error.resume_and_from")
    if arguments.save:
        check_can_save(Path(arguments.save), may_replace=_may_replace(arguments))
    seed = _seed(arguments)
    if arguments.resume or arguments.start:
        record = _continued(arguments, seed)
    else:
        record = _fresh(arguments, words, screen, seed)
    game = record.game
    if arguments.dice is not None:
        game = with_script(game, read_script(game, arguments.dice), seed)
    table = Table(
        game,
        _players(arguments, record, words),
        words,
        screen,
        seed,
        force=arguments.force,
        moves_saved=len(game.moves),
    )
    if arguments.resume:
        table.save_path = Path(arguments.resume)
        table.may_replace.add(table.save_path.absolute())
    if arguments.save:
        table.save_path = Path(arguments.save)
        table.saves_itself = True
    return table


def _may_replace(arguments: argparse.Namespace) -> bool:
    same = arguments.resume and Path(arguments.resume).absolute() == Path(arguments.save).absolute()
    return bool(arguments.force or same)


def _seed(arguments: argparse.Namespace) -> int:
    if arguments.seed is None:
        return secrets.randbits(63)
    return whole_number("--seed", arguments.seed, 0, MOST_SEED)


def _continued(arguments: argparse.Namespace, seed: int) -> Record:
    """A game that goes on from a file, which says what is played and how."""
    name = None if arguments.game is None else find_game(arguments.game).name
    if arguments.resume:
        record = read_record(Path(arguments.resume), seed=seed)
    else:
        record = read_start(Path(arguments.start), name, seed=seed)
    if name not in (None, record.game.name):
        file = arguments.resume or arguments.start
        raise UserError("error.other_game", file=file, found=record.game.name, wanted=name)
    if arguments.settings:
        raise UserError("error.set_with_file")
    seats = record.game.seats
    if arguments.seats is not None and whole_number("--seats", arguments.seats, 1, 99) != seats:
        raise UserError("error.other_seats", seats=seats)
    return record


def _fresh(arguments: argparse.Namespace, words: Catalogue, screen: Screen, seed: int) -> Record:
    """A new game; if nothing at all is said about it, the players are asked."""
    if arguments.game is None and arguments.seats is None and arguments.players is None:
        definition, named = ask_setup(words, screen)
        seats = len(named)
    else:
        definition = find_game(arguments.game)
        named = split_players(arguments.players) if arguments.players else []
        seats = max(len(named), definition.seats[0]) if named else USUAL_SEATS
        if arguments.seats is not None:
            seats = whole_number("--seats", arguments.seats, 1, 99)
        if len(named) > seats:
            raise UserError("error.too_many_players", players=len(named), seats=seats)
    options = make_options(definition, seats, arguments.settings)
    game = Game.new(definition.name, seats, seed=seed, **dict(options.values))
    return Record(game, tuple(fill_up(definition.name, named, seats, words)))


def _players(arguments: argparse.Namespace, record: Record, words: Catalogue) -> list[Player]:
    """Who the command line names, else who the record names, else one person and bots."""
    named = list(record.players)
    if arguments.players and (arguments.resume or arguments.start):
        named = split_players(arguments.players)
    seats = record.game.seats
    if len(named) > seats:
        raise UserError("error.too_many_players", players=len(named), seats=seats)
    filled = fill_up(record.game.name, named, seats, words)
    return seat_players(record.game.name, filled, own_bots(arguments))


def _report_end_of_input(table: Table) -> None:
    saved = table.moves_saved == len(table.game.moves) and table.save_path is not None
    key = "play.input_ended_saved" if saved else "play.input_ended"
    message = table.words.say(key, moves=len(table.game.moves), file=table.save_path)
    print(f"archipel: {message}", file=sys.stderr)
