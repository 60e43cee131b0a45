"""What the command line does with tables while, or before, a server runs."""

from __future__ import annotations

from pathlib import Path

from archipel.record import load_record
from archipel.store import Restored, back_up, restore
from archipel.tables.records import Verdict, verify

__all__ = ["Restored", "Verdict", "back_up", "restore", "verify_record"]


def verify_record(path: Path) -> Verdict:
    """Check the chance of a record file; raises `RecordError`, or `OSError` if there is none."""
    return verify(load_record(path))
