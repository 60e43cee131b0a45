"""Options that are read before all others: ``--lang`` and ``--board``.

Help texts need the language. Importing a game builds its lookup tables from its board file, so
``--board`` is put into the environment first, where worker processes find it, too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from pathlib import Path

from archipel.cli.errors import UserError
from archipel.rules import BUILT_IN_GAMES
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.data_files import DataFileError

DEFAULT_LANGUAGE = LANGUAGES[0]

#: For each game the environment variable of its file, and the module that reads it.
GAMES = {
    "atlantis": ("ARCHIPEL_ATLANTIS_BOARD", "archipel.rules.atlantis.box_files"),
    "mauna-kea": ("ARCHIPEL_MAUNA_KEA_BOX", "archipel.rules.mauna_kea.box_files"),
}


def load_sentences(language: str) -> Catalogue:
    """The sentences of the command line."""
    return load_catalogue("archipel", language)


def requested_language(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of ``--lang``, else of the first locale variable that is set."""
    for language in _values(arguments, "--lang"):
        if language not in LANGUAGES:
            raise UserError("error.language", language=language, known=", ".join(LANGUAGES))
        return language
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return next((known for known in LANGUAGES if value.startswith(known)), DEFAULT_LANGUAGE)
    return DEFAULT_LANGUAGE


def choose_boards(arguments: Sequence[str], environment: MutableMapping[str, str]) -> None:
    """Put the files of ``--board`` into the environment and check those that the command needs;
    raises `UserError`."""
    wanted = _games_needed(arguments)
    for text in _values(arguments, "--board"):
        game, file = _game_and_file(text, arguments)
        variable, module = GAMES[game]
        path = str(Path(file).absolute())
        if module in sys.modules and environment.get(variable) != path:
            raise UserError("board.too_late", game=game)
        environment[variable] = path
        wanted.add(game)
    for game, (variable, module) in GAMES.items():
        if environment.get(variable) and game in wanted:
            try:
                import_module(module)
            except DataFileError as error:
                raise UserError("board.wrong", reason=error) from error


def _games_needed(arguments: Sequence[str]) -> set[str]:
    """The games whose boards a command needs: those it names, else all. Commands that read a record
    find its game there."""
    named = set(arguments) & set(BUILT_IN_GAMES)
    if named or set(arguments) & {"analyse", "replay", "verify", "--resume"}:
        return named
    return set(GAMES)


def _values(arguments: Sequence[str], option: str) -> Iterator[str]:
    """The values of an option; the parser reports a missing one."""
    for index, argument in enumerate(arguments):
        if argument == "--":
            return
        if argument == option and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif argument.startswith(f"{option}="):
            yield argument.removeprefix(f"{option}=")


def _game_and_file(text: str, arguments: Sequence[str]) -> tuple[str, str]:
    """Split ``GAME=FILE``; a plain ``FILE`` belongs to the game on the command line."""
    name, equals, file = text.partition("=")
    if equals and name in GAMES:
        return name, file
    named = [game for game in GAMES if game in arguments]
    if len(named) != 1:
        raise UserError("board.which_game", file=text, games=", ".join(GAMES))
    return named[0], text
