"""Why a file was refused, in the language of whoever typed the command."""

from __future__ import annotations

from archipel.rules.catalogue import Catalogue
from archipel.store import (
    DamagedFile,
    DatabaseInUse,
    DatabaseNotEmpty,
    FileExists,
    FileInUse,
    NewerFile,
    NotArchipelFile,
)


def told(error: Exception, words: Catalogue, *, exists: str = "") -> str:
    """One line; ``exists`` is the sentence for a file that is in the way.

    What the system reports (a full disk, missing rights) is told in its own words.
    """
    match error:
        case NewerFile():
            parts = {"path": error.path, "found": error.found, "known": error.known}
            return words.say("file.newer", **parts)
        case NotArchipelFile():
            return words.say("file.not_archipel", path=error.path)
        case DamagedFile():
            return words.say("file.damaged", path=error.path, detail=error.detail)
        case FileInUse():
            return words.say("file.in_use", path=error.path)
        case DatabaseInUse():
            return words.say("database.in_use", address=error.address)
        case DatabaseNotEmpty():
            return words.say("database.not_empty", address=error.address)
        case FileExists() if exists:
            return words.say(exists, path=error.path)
    return str(error)
