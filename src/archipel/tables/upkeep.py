"""What the command line does with tables while, or before, a server runs."""

from __future__ import annotations

from pathlib import Path

from archipel.record import load_record
from archipel.store import FileExists, FileInUse, Restored, back_up, hand_over
from archipel.store import restore as restore_closed
from archipel.tables.records import Verdict, verify

__all__ = ["Restored", "Verdict", "back_up", "restore", "verify_record"]


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


def verify_record(path: Path) -> Verdict:
    """Check the chance of a record file; raises `RecordError`, or `OSError` if there is none."""
    return verify(load_record(path))
