"""``archipel play``: play a game at the terminal."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from archipel.cli.argument_values import find_game, make_options, whole_number
from archipel.cli.errors import CommandFailed, InputEnded, UserError
from archipel.cli.players import (
    bot_in_words,
    bot_names,
    bot_programs,
    default_bot,
    seat_players,
    split_players,
)
from archipel.cli.record_files import check_can_save, read_record, read_start
from archipel.cli.screen import Screen
from archipel.cli.terminal_game import Leave, TerminalGame
from archipel.game import Game
from archipel.rules.all_games import games
from archipel.rules.catalogue import Catalogue
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Chance, Stream, clone, stream_key

USUAL_SEATS = 3


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
        saved = table.moves_saved == len(table.game.moves) and table.save_path is not None
        key = "play.input_ended_saved" if saved else "play.input_ended"
        message = words.say(key, moves=len(table.game.moves), file=table.save_path)
        raise CommandFailed(message) from None
    return 0


def _table(arguments: argparse.Namespace, words: Catalogue, screen: Screen) -> TerminalGame:
    if arguments.resume and arguments.start:
        raise UserError("error.resume_and_from")
    if arguments.save:
        target = Path(arguments.save)
        same = arguments.resume and Path(arguments.resume).absolute() == target.absolute()
        check_can_save(target, may_replace=bool(arguments.force or same))
    seed = secrets.randbits(63) if arguments.seed is None else arguments.seed
    if arguments.resume or arguments.start:
        game, named = _continued(arguments, seed)
    else:
        game, named = _fresh(arguments, words, screen, seed)
    if arguments.dice is not None:
        game = with_script(game, read_script(game, arguments.dice), seed)
    if len(named) > game.seats:
        raise UserError("error.too_many_players", players=len(named), seats=game.seats)
    named = named or [words.say("setup.person", number=1)]
    named += [default_bot(game.name)] * (game.seats - len(named))
    table = TerminalGame(
        game,
        seat_players(game.name, named, bot_programs(arguments)),
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
        table.autosave = True
    return table


def _continued(arguments: argparse.Namespace, seed: int) -> tuple[Game, list[str]]:
    """Continue the game of a file, which defines the game, its options and by default its players.

    Returns the game and the names of its players.
    """
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
    if arguments.seats not in (None, seats):
        raise UserError("error.other_seats", seats=seats)
    names = split_players(arguments.players) if arguments.players else list(record.players)
    return record.game, names


def _fresh(
    arguments: argparse.Namespace, words: Catalogue, screen: Screen, seed: int
) -> tuple[Game, list[str]]:
    """Start a new game; asks for game and players if no argument names them."""
    if arguments.game is None and arguments.seats is None and arguments.players is None:
        definition, named = ask_setup(words, screen)
        seats = len(named)
    else:
        definition = find_game(arguments.game)
        named = split_players(arguments.players) if arguments.players else []
        seats = max(len(named), definition.seats[0]) if named else USUAL_SEATS
        seats = arguments.seats or seats
    options = make_options(definition, seats, arguments.settings)
    return Game.new(definition.name, seats, seed=seed, **dict(options.values)), named


T = TypeVar("T")


def ask_setup(words: Catalogue, screen: Screen) -> tuple[Definition[Any], list[str]]:
    """Ask for the game and the names of its players; Enter accepts the proposal."""
    screen.line(words.say("setup.welcome"), "strong")
    known = list(games())
    for game in known:
        screen.line(f"  {game.name:<12} {game.title(words.language)}")
    prompt = words.say("setup.game", proposed=known[0].name)
    definition = _ask(screen, words, prompt, known[0].name, find_game)
    low, high = definition.seats[0], definition.seats[-1]
    prompt = words.say("setup.seats", low=low, high=high, proposed=USUAL_SEATS)
    seats = _ask(screen, words, prompt, str(USUAL_SEATS), partial(whole_number, "", low, high))
    offered = [bot_in_words(bot, words.language) for bot in bot_names(definition.name)]
    screen.line(words.say("setup.bots", bots=", ".join(offered)))
    named: list[str] = []
    for seat in range(seats):
        person = words.say("setup.person", number=seat + 1)
        proposed = person if seat == 0 else default_bot(definition.name)
        prompt = words.say("setup.player", number=seat + 1, proposed=proposed)
        named.append(
            _ask(screen, words, prompt, proposed, lambda text: _name(definition, named, text))
        )
    return definition, named


def _ask(
    screen: Screen, words: Catalogue, prompt: str, proposed: str, read: Callable[[str], T]
) -> T:
    """Ask until the answer is valid."""
    while True:
        try:
            return read(screen.ask(prompt) or proposed)
        except UserError as error:
            screen.line(error.tell(words), "warning")


def _name(definition: Definition[Any], before: list[str], text: str) -> str:
    seat_players(definition.name, [*before, text])
    return text


class ScriptedFirst:
    """Draws the outcomes of a script first, then those of another source."""

    def __init__(self, script: Iterable[int], source: Chance) -> None:
        self._script = list(script)
        self._source = source

    def draw(self, n: int, /) -> int:
        if not self._script:
            return self._source.draw(n)
        if self._script[0] >= n:
            raise UserError("error.chance", outcome=self._script[0] + 1, most=n)
        return self._script.pop(0)


def read_script(game: Game, text: str) -> list[int]:
    """Parse outcomes in notation, separated by commas or spaces."""
    script: list[int] = []
    for part in text.replace(",", " ").split():
        try:
            script += game.definition.parse_outcomes(game.state, 0, part)
        except NotationError as error:
            raise UserError("error.dice", reason=error) from None
    if not script:
        raise UserError("error.dice_empty", text=text)
    return script


def with_script(game: Game, script: list[int], seed: int) -> Game:
    """A copy of the game whose next outcomes are scripted."""
    chance = ScriptedFirst(script, Stream(stream_key(seed, 0)))
    scripted = Game(game.definition, clone(game.start.state), game.options, chance)
    for move in game.moves:
        scripted.replay(move.action, move.outcomes)
    return scripted
