"""``--board FILE``: a game's own board files, in the place of ours.

The tables that rules look things up in are made from these files when a game is imported.  So the
option is read ahead of the rest, and handed on in the environment, where worker processes find it,
too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.rules.data_files import DataFileError
from archipel.rules.house_games import PACKAGES

OPTION = "--board"

#: Per game the variable that names its file, and the module that reads it.
GAMES = {
    "atlantis": ("ARCHIPEL_ATLANTIS_BOARD", "archipel.rules.atlantis.box"),
    "mauna-kea": ("ARCHIPEL_MAUNA_KEA_BOX", "archipel.rules.mauna_kea.box"),
}


def choose_boards(arguments: Sequence[str], environment: MutableMapping[str, str]) -> None:
    """Put the files that the arguments name into the environment, and check those that matter to
    the command; raises `UserError`."""
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
    """The games whose boards a command needs: the one it names, or else all; a record tells itself
    of which game it is."""
    named = set(arguments) & set(PACKAGES)
    if named or set(arguments) & {"analyse", "replay", "verify", "--resume"}:
        return named
    return set(GAMES)


def _named(arguments: Sequence[str]) -> Iterator[str]:
    """What stands after each ``--board``; one with nothing after it is the parser's to refuse."""
    for index, argument in enumerate(arguments):
        if argument == "--":
            return
        if argument == OPTION and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif argument.startswith(f"{OPTION}="):
            yield argument.removeprefix(f"{OPTION}=")


def _split(text: str, arguments: Sequence[str]) -> tuple[str, str]:
    """``GAME=FILE``, or ``FILE`` for the game that is named on the command line."""
    name, equals, file = text.partition("=")
    if equals and name in GAMES:
        return name, file
    named = [game for game in GAMES if game in arguments]
    if len(named) != 1:
        raise UserError("board.which_game", file=text, games=", ".join(GAMES))
    return named[0], text


def _check(module: str) -> None:
    """Read the board: whatever is wrong with the file is told in one line."""
    try:
        import_module(module)
    except DataFileError as error:
        raise UserError("board.wrong", reason=error) from error
