"""Errors of a store, in three families.

`Refused`: the request is wrong and changed nothing. `Unavailable`: the store could not serve the
request. `FileRefused`: a file must not be opened or overwritten.
"""

from pathlib import Path
from typing import ClassVar


class StoreError(Exception):
    """Base class of all errors that a store raises.

    ``sentence`` is the key of the sentence that explains the error to the user, with the
    attributes of the error as parameters; empty: the error's own text explains it.
    """

    sentence: ClassVar[str] = ""


class Refused(StoreError):
    """The request is wrong; nothing was changed."""


class InvalidRequest(Refused):
    """An argument is malformed or exceeds a limit."""


class TableRefusal(Refused):
    """A refusal that concerns one table; ``message`` is a format of its id."""

    message: ClassVar[str]

    def __init__(self, table_id: str) -> None:
        super().__init__(self.message.format(table_id))
        self.table_id = table_id


class NoSuchTable(TableRefusal):
    message = "there is no table {!r}"


class TableExists(TableRefusal):
    message = "there is already a table {!r}"


class TableArchived(TableRefusal):
    message = "table {!r} is archived and read-only: unarchive it first"


class LeaseLost(TableRefusal):
    """The writing worker no longer holds the table's lease."""

    message = "table {!r} is maintained by another worker"


class CopyDiffers(TableRefusal):
    """A copied table differs from the original; the copy was discarded."""

    message = "table {!r} did not come back as it was written: nothing is kept"


class PeopleDiffer(Refused):
    """The copied profiles differ from the original; the copy was discarded."""

    def __init__(self) -> None:
        super().__init__("the profiles did not come back as they were written: nothing is kept")


class Conflict(Refused):
    """The table has other events than expected; `actual_n` is the number of its last."""

    def __init__(self, table_id: str, expected_n: int, actual_n: int) -> None:
        super().__init__(
            f"table {table_id!r} is at event {actual_n}, not at the expected {expected_n}"
        )
        self.table_id = table_id
        self.expected_n = expected_n
        self.actual_n = actual_n


class Unavailable(StoreError):
    """The store could not serve the request; the outcome of a write is unknown.

    Repeat the write with the same request id: it then takes effect at most once.
    """


class StoreBusy(Unavailable):
    def __init__(self, waiting: int) -> None:
        super().__init__(f"{waiting} writes are waiting: try again in a moment")


class StoreClosed(Unavailable):
    def __init__(self) -> None:
        super().__init__("the store is closed")


class StoreFailed(Unavailable):
    """The disk or the database reported an error (disk full, I/O error, lock held, ...)."""


class FileRefused(StoreError):
    """A file that must not be opened or overwritten; it is unchanged."""

    why = ""

    def __init__(self, path: Path, why: str = "") -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why or self.why

    def __str__(self) -> str:
        return f"{self.path} {self.why}"


class NotArchipelFile(FileRefused):
    sentence = "file.not_archipel"
    why = "is not an Archipel database"


class NewerFile(FileRefused):
    sentence = "file.newer"

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            path,
            f"was made by a newer Archipel (schema {found}; this one knows {known}): upgrade first",
        )
        self.found = found
        self.known = known


class DamagedFile(FileRefused):
    sentence = "file.damaged"

    def __init__(self, path: Path, detail: str) -> None:
        super().__init__(path, f"is damaged: {detail}")
        self.detail = detail


class FileInUse(FileRefused):
    sentence = "file.in_use"
    why = "is in use by another Archipel: stop that one or name another file"


class FileExists(FileRefused):
    pass


class DatabaseRefused(StoreError):
    """A PostgreSQL database that must not be overwritten; it is unchanged."""

    why: ClassVar[str]

    def __init__(self, address: str) -> None:
        super().__init__(f"{address} {self.why}")
        self.address = address


class DatabaseInUse(DatabaseRefused):
    sentence = "database.in_use"
    why = "is in use: stop its servers first"


class DatabaseNotEmpty(DatabaseRefused):
    sentence = "database.not_empty"
    why = "already has tables: nothing was written"
