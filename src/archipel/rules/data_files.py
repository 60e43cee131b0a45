"""Read JSON data files of users, with messages for those that are invalid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from archipel.rules.sentence import Sentence, ToldError

MOST_BYTES: Final = 1_000_000


class DataFileError(ToldError):
    """An invalid data file: the message has the place, the mistake and the expected form."""


def read_json(file: Path) -> Any:
    """Return the contents of a JSON file, or raise `DataFileError`."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise DataFileError(
            "{file}: it cannot be read: {reason}", file=file, reason=reason_of(error)
        ) from error
    if len(content) > MOST_BYTES:
        raise DataFileError("{file}: it is too large for a data file", file=file)
    try:
        return json.loads(content.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise DataFileError(
            "{file}: not a JSON file: see line {line}, column {column}",
            file=file,
            line=error.lineno,
            column=error.colno,
        ) from error
    except ValueError as error:  # bytes that are not UTF-8, or a number with too many digits
        raise DataFileError("{file}: not a JSON file", file=file) from error
    except RecursionError:
        raise DataFileError(
            "{file}: not a file of this kind: lists within lists without end", file=file
        ) from None


def reason_of(error: OSError) -> Sentence | str:
    """Return why a file cannot be opened: a translatable sentence, or the system's message."""
    if isinstance(error, FileNotFoundError):
        return Sentence("there is no such file")
    if isinstance(error, IsADirectoryError | NotADirectoryError):
        return Sentence("a folder stands where a file should, or the other way round")
    if isinstance(error, PermissionError):
        return Sentence("it may not be opened by this user")
    return error.strerror or str(error)


def shown(value: object) -> str:
    """Return a value of a file, shortened for an error message."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
