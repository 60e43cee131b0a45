"""What a store can say no with, in three families.

`Refused`: the request was wrong and changed nothing. `Unavailable`: the request may be right, the
store could not take it. `FileRefused`: a file on disk is not one we may open or overwrite.
"""

from pathlib import Path


class StoreError(Exception):
    """Anything an event store raises on purpose."""


class Refused(StoreError):
    """The request is at fault; nothing was changed."""


class InvalidRequest(Refused):
    """An argument has the wrong shape or is over a limit."""


class NoSuchTable(Refused):
    def __init__(self, table_id: str) -> None:
        super().__init__(f"there is no table {table_id!r}")
        self.table_id = table_id


class TableExists(Refused):
    def __init__(self, table_id: str) -> None:
        super().__init__(f"there is already a table {table_id!r}")
        self.table_id = table_id


class TableArchived(Refused):
    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id!r} is archived and read-only: unarchive it first")
        self.table_id = table_id


class Conflict(Refused):
    """The table went on since the caller last looked; `actual_n` is its last event's number."""

    def __init__(self, table_id: str, expected_n: int, actual_n: int) -> None:
        super().__init__(
            f"table {table_id!r} is at event {actual_n}, not at the expected {expected_n}"
        )
        self.table_id = table_id
        self.expected_n = expected_n
        self.actual_n = actual_n


class NotKept(Refused):
    """Whoever wanted to write as the keeper of the table is that no more."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id!r} is kept by another worker")
        self.table_id = table_id


class BackupUnsupported(Refused):
    def __init__(self) -> None:
        super().__init__("tables kept only in memory cannot be backed up")


class Unavailable(StoreError):
    """The store could not serve the request; a write that raises this was not acknowledged.

    The same write may be sent again with the same request id: it is then made at most once.
    """


class StoreBusy(Unavailable):
    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} writes are waiting already: try again in a moment")


class StoreClosed(Unavailable):
    def __init__(self) -> None:
        super().__init__("the store is closed")


class StoreFailed(Unavailable):
    """The disk or the database reported an error (disk full, I/O error, lock held, ...)."""


class FileRefused(StoreError):
    """A file that must not be opened or overwritten; it was left as it is."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why

    def __str__(self) -> str:
        return f"{self.path} {self.why}"


class NotArchipelFile(FileRefused):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "is not an Archipel database")


class NewerFile(FileRefused):
    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            path,
            f"was made by a newer Archipel (schema {found}; this one knows {known}): upgrade first",
        )
        self.found = found
        self.known = known


class DamagedFile(FileRefused):
    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(path, f"is damaged: {detail}")
        self.detail = detail


class FileInUse(FileRefused):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "is in use by another Archipel: stop that one or name another file")


class FileExists(FileRefused):
    pass


class DatabaseRefused(StoreError):
    """A database of a server that must not be written as asked; it was left as it is."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"{address} {why}")
        self.address = address


class DatabaseInUse(DatabaseRefused):
    def __init__(self, address: str) -> None:
        super().__init__(address, "is in use: stop its servers first")


class DatabaseNotEmpty(DatabaseRefused):
    def __init__(self, address: str) -> None:
        super().__init__(address, "has tables already: nothing was written")


class CopyDiffers(StoreError):
    """What was written is not what was read; it was not kept."""

    def __init__(self, table_id: str) -> None:
        super().__init__(f"table {table_id!r} did not come back as it was written: nothing is kept")
