"""What the command line does with tables while, or before, a server runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from archipel.record import load_record
from archipel.store import Event, FileExists, FileInUse, Restored, Salvaged, back_up, hand_over
from archipel.store import restore as restore_closed
from archipel.store import salvage as salvage_store
from archipel.tables.events import UnreadableLog, decode
from archipel.tables.fold import fold
from archipel.tables.records import Verdict, verify

__all__ = ["Restored", "Salvaged", "Verdict", "back_up", "restore", "salvage", "verify_record"]


def restore(backup: Path, target: Path, *, force: bool = False) -> Restored:
    """Put a backup in the place of a database, through the server if one has it open.

    An existing database is refused, or with `force` kept beside the new one. Raises `StoreError`;
    then nothing has changed.
    """
    try:
        return restore_closed(backup, target, force=force)
    except FileInUse:
        if not force:
            raise FileExists(
                target, "is in use: nothing was restored (force keeps it aside)"
            ) from None
        return hand_over(backup, target)


def salvage(
    database: Path, target: Path, *, on_table: Callable[[int, int], None] = lambda done, of: None
) -> Salvaged:
    """Bring the tables of a damaged database into a new one, each up to where its log holds.

    Raises `StoreError`, or `FileNotFoundError` if there is no database.
    """
    return salvage_store(database, target, judge=_sound, on_table=on_table)


def _sound(log: Sequence[Event]) -> int:
    """How many events from the first on can be read and follow from each other."""
    table = None
    for number, event in enumerate(log):
        try:
            table = fold(table, decode(event.n, event.body))
        except UnreadableLog:
            return number
    return len(log)


def verify_record(path: Path) -> Verdict:
    """Check the chance of a record file; raises `RecordError`, or `OSError` if there is none."""
    return verify(load_record(path))
