"""``--board FILE``: play on a board of one's own.

Importing a game builds its lookup tables from its board file. So this option is read before all
others and put into the environment, where worker processes find it, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.rules import BUILT_IN_GAMES
from archipel.rules.data_files import DataFileError

OPTION = "--board"

#: For each game the environment variable of its file, and the module that reads it.
GAMES = {
    "atlantis": ("ARCHIPEL_ATLANTIS_BOARD", "archipel.rules.atlantis.box_files"),
    "mauna-kea": ("ARCHIPEL_MAUNA_KEA_BOX", "archipel.rules.mauna_kea.box_files"),
}


def choose_boards(arguments: Sequence[str], environment: MutableMapping[str, str]) -> None:
    """Put the named files into the environment and check those that the command needs; raises
    `UserError`."""
    wanted = _games_wanted(arguments)
    for text in _named(arguments):
        game, file = _split(text, arguments)
        variable, module = GAMES[game]
        path = str(Path(file).absolute())
        if module in sys.modules and environment.get(variable) != path:
            raise UserError("board.too_late", game=game)
        environment[variable] = path
        wanted.add(game)
    for game, (variable, module) in GAMES.items():
        if environment.get(variable) and game in wanted:
            _check(module)


def _games_wanted(arguments: Sequence[str]) -> set[str]:
    """The games whose boards a command needs: those it names, else all. Commands that read a record
    find its game there."""
    named = set(arguments) & set(BUILT_IN_GAMES)
    if named or set(arguments) & {"analyse", "replay", "verify", "--resume"}:
        return named
    return set(GAMES)


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """The values of ``--board``; the parser reports a missing one."""
    for index, argument in enumerate(arguments):
        if argument == "--":
            return
        if argument == OPTION and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif argument.startswith(f"{OPTION}="):
            yield argument.removeprefix(f"{OPTION}=")


def _split(text: str, arguments: Sequence[str]) -> tuple[str, str]:
    """Split ``GAME=FILE``; a plain ``FILE`` belongs to the game on the command line."""
    name, equals, file = text.partition("=")
    if equals and name in GAMES:
        return name, file
    named = [game for game in GAMES if game in arguments]
    if len(named) != 1:
        raise UserError("board.which_game", file=text, games=", ".join(GAMES))
    return named[0], text


def _check(module: str) -> None:
    """Read the board; raises `UserError` if the file is wrong."""
    try:
        import_module(module)
    except DataFileError as error:
        raise UserError("board.wrong", reason=error) from error
