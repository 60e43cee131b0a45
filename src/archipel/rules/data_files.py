"""Files that people put in the place of ours: read whole, or refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from archipel.rules.sentence import Sentence, ToldError

MOST_BYTES: Final = 1_000_000


class DataFileError(ToldError):
    """A data file that cannot be right: where, what is wrong, what would be right."""


def read_json(file: Path) -> Any:
    """What a JSON file says; raises `DataFileError`."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise DataFileError(
            Sentence("{file}: it cannot be read: {reason}", file=file, reason=error.strerror)
        ) from error
    if len(content) > MOST_BYTES:
        raise DataFileError(Sentence("{file}: it is too large for a data file", file=file))
    try:
        return json.loads(content.decode("utf-8"))
    except ValueError as error:
        raise DataFileError(
            Sentence("{file}: not a JSON file: {reason}", file=file, reason=error)
        ) from error
    except RecursionError:
        raise DataFileError(
            Sentence("{file}: not a file of this kind: lists within lists without end", file=file)
        ) from None


def shown(value: object) -> str:
    """A value of a file, short enough for a sentence."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
