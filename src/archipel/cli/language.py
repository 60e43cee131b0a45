"""The language of the output and its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from archipel.cli.errors import UserError
from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import Catalogue, load_catalogue

DEFAULT = LANGUAGES[0]


def house_words(language: str) -> Catalogue:
    return load_catalogue("archipel", language)


def language_wanted(arguments: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language of ``--lang``, else of the environment. Read before all other arguments,
    because help texts need it."""
    for index, argument in enumerate(arguments):
        if argument == "--lang" and index + 1 < len(arguments):
            return _checked(arguments[index + 1])
        if argument.startswith("--lang="):
            return _checked(argument.removeprefix("--lang="))
    return language_of_environment(environment)


def language_of_environment(environment: Mapping[str, str]) -> str:
    """The language of the first locale variable that is set."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(variable):
            return next((known for known in LANGUAGES if value.startswith(known)), DEFAULT)
    return DEFAULT


def _checked(language: str) -> str:
    if language not in LANGUAGES:
        raise UserError("error.language", language=language, known=", ".join(LANGUAGES))
    return language
