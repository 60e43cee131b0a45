"""Where the tables are kept when nobody says where."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def default_database() -> Path:
    """A file in this user's data folder, which is made if need be."""
    return _data_folder() / "archipel" / "tables.db"


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def make_folder_of(database: Path) -> None:
    """The folder of a database, readable by its owner only where it is new."""
    database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
