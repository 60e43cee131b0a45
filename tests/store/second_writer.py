"""A program for `test_files`: tries to open a database that another process is writing."""

import sys
from pathlib import Path

from archipel.store.errors import FileInUse
from archipel.store.sqlite.store import SqliteStore

if __name__ == "__main__":
    try:
        SqliteStore(Path(sys.argv[1]))
    except FileInUse as refusal:
        print(refusal)
