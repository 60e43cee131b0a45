"""Tables, migrations and checks of a SQLite database file.

Version k is the result of the first k migrations (``migration-*.sql``). Each migration is one
transaction that also writes its version number, so a crash never leaves a file between two
versions. Released migrations never change: add a new one at the end.
"""

import sqlite3
import struct
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from archipel.store.durable_files import beside, unfinished_file
from archipel.store.errors import DamagedFile, NewerFile, NotArchipelFile, StoreFailed

APPLICATION_ID = 0x41524350  # "ARCP"
OLDEST_SQLITE = (3, 37, 0)  # the first with STRICT tables

MIGRATIONS: Sequence[str] = tuple(
    Path(__file__).with_name(f"migration-{version}.sql").read_text("utf-8") for version in (1, 2, 3)
)

#: Queries that read all pages of the list of tables and of its indexes.
_WHOLE_LIST = (
    "SELECT * FROM game_table",
    "SELECT id FROM game_table INDEXED BY game_table_by_activity WHERE archived >= 0",
    "SELECT id FROM game_table INDEXED BY game_table_awake WHERE awake = 1",
    "SELECT id FROM game_table INDEXED BY game_table_listed WHERE line NOTNULL AND archived = 0",
)
#: SQLite's messages about damage that further writes may spread: pages wrongly in the free list, or
#: used twice.
_SPREADING = ("freelist", "free-list", "2nd reference", "invalid page number")


def check_library() -> None:
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        oldest = ".".join(map(str, OLDEST_SQLITE))
        raise StoreFailed(
            f"this Python has SQLite {sqlite3.sqlite_version}; Archipel needs {oldest} or newer"
        )


def file_version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def create(path: Path) -> None:
    """Create an empty database under a temporary name and rename it when it is complete."""
    with (
        unfinished_file(path, ".new") as unfinished,
        closing(sqlite3.connect(unfinished, isolation_level=None)) as connection,
    ):
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate an open file, which is not newer than this program, to the current version."""
    connection.execute("PRAGMA foreign_keys = OFF")  # a migration may rebuild a parent table
    for version in range(file_version(connection) + 1, len(MIGRATIONS) + 1):
        connection.execute("BEGIN EXCLUSIVE")
        try:
            for statement in MIGRATIONS[version - 1].split(";"):
                connection.execute(statement)
            broken = connection.execute("PRAGMA foreign_key_check").fetchone()
            if broken is not None:
                raise StoreFailed(
                    f"migration {version} left a row of {broken[0]} without its table"
                )
            connection.execute(f"PRAGMA user_version = {version}")
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
    connection.execute("PRAGMA foreign_keys = ON")


def examine(path: Path, *, thorough: bool = False) -> int:
    """Check a file and return its version; raises `FileRefused` if it is not an Archipel database,
    newer than this program or damaged.

    The file is not changed. Call it only while no connection of this process has the file open:
    closing any descriptor of a file drops the POSIX locks that SQLite holds on it.
    """
    check_is_ours(path)
    try:
        with closing(_connect_for_examination(path)) as connection:
            version = file_version(connection)  # a newer one may still be in the write-ahead log
            _check_version(path, version)
            _check_content(path, connection, "integrity_check" if thorough else "quick_check")
    except sqlite3.DatabaseError as error:
        raise DamagedFile(path, str(error)) from error
    return version


def check_is_ours(path: Path) -> None:
    """Check the kind and version in the first page of a file; raises `FileRefused`."""
    _check_version(path, _version_in_first_page(path))


def damage_in(path: Path) -> str | None:
    """Describe damage that does not prevent serving a file: pages with the logs of some tables.

    Returns None if there is no damage; raises `FileRefused` if the damage is worse.
    """
    try:
        examine(path)
    except DamagedFile as damaged:
        if not _is_servable(path):
            raise
        return damaged.detail
    return None


def _is_servable(path: Path) -> bool:
    """Whether the list of tables is readable, and further writes cannot spread the damage."""
    try:
        with closing(_connect_for_examination(path)) as connection:
            if file_version(connection) != len(MIGRATIONS):
                return False  # a migration writes to every page
            (complaint,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if complaint == "ok" or any(word in complaint.lower() for word in _SPREADING):
                return False
            for reading in _WHOLE_LIST:
                connection.execute(reading).fetchall()
    except sqlite3.DatabaseError:
        return False
    return True


def _version_in_first_page(path: Path) -> int:
    with path.open("rb") as file:
        start = file.read(100)
    # https://www.sqlite.org/fileformat.html#the_database_header
    if len(start) < 100 or not start.startswith(b"SQLite format 3\0"):
        raise NotArchipelFile(path)
    user_version, application_id = struct.unpack_from(">i4xi", start, 60)
    if application_id != APPLICATION_ID:
        raise NotArchipelFile(path)
    return int(user_version)


def _check_version(path: Path, version: int) -> None:
    if version > len(MIGRATIONS):
        raise NewerFile(path, version, len(MIGRATIONS))
    if version < 1:
        raise DamagedFile(path, f"it has the impossible schema version {version}")


def _connect_for_examination(path: Path) -> sqlite3.Connection:
    # "immutable" creates no files beside the database, but ignores a write-ahead log.
    mode = "mode=ro" if beside(path, "-wal").exists() else "mode=ro&immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)


def _check_content(path: Path, connection: sqlite3.Connection, check: str) -> None:
    (verdict,) = connection.execute(f"PRAGMA {check}(1)").fetchone()
    if verdict != "ok":
        raise DamagedFile(path, " ".join(verdict.split()))  # SQLite's message has line breaks
    orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        raise DamagedFile(path, f"a row of {orphan[0]} belongs to no table")
