"""Making files that others cannot read and that survive a power cut."""

import os
import sys
from pathlib import Path


def beside(path: Path, suffix: str) -> Path:
    """The file of the same name with `suffix` added at its end."""
    return path.with_name(path.name + suffix)


def remove_unfinished(path: Path) -> None:
    """Remove what an interrupted attempt left: SQLite would apply its journal to the next one."""
    for suffix in ("", "-journal", "-wal", "-shm"):
        beside(path, suffix).unlink(missing_ok=True)


def create_private_file(path: Path) -> None:
    """An empty new file for the owner only: a database holds secrets of running games."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def put_in_place(finished: Path, path: Path) -> None:
    """Give a finished file its real name, atomically and durably."""
    with finished.open("rb+") as file:
        os.fsync(file.fileno())
    os.replace(finished, path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    if sys.platform == "win32":  # Windows cannot open a directory; its renames are journalled
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
