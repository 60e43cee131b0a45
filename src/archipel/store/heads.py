"""The last event and the outlook of tables, cached by the writer.

Only one process writes a file, so a cached head is valid until a transaction is rolled back.
"""

from dataclasses import dataclass

from archipel.store.protocol import Outlook

#: Resolution of `active_at`. Writing it with every move would double the bytes that a move writes.
ACTIVITY_MILLISECONDS = 1000

_MOST_TABLES = 4_096


@dataclass(slots=True)
class Head:
    """The end of a table that is not archived."""

    last_n: int
    active_at: int
    outlook: Outlook

    def must_be_written(self, now: int, outlook: Outlook | None) -> bool:
        """Whether an append must update the table's row; ``outlook`` None: it has not changed."""
        if outlook is not None and outlook is not self.outlook and outlook != self.outlook:
            return True
        return not 0 <= now - self.active_at < ACTIVITY_MILLISECONDS


class Heads:
    """Heads of recently written tables. Missing ones are read from the database again."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    def find(self, table_id: str) -> Head | None:
        return self._heads.get(table_id)

    def keep(self, table_id: str, head: Head) -> None:
        if len(self._heads) >= _MOST_TABLES:
            self._heads.clear()
        self._heads[table_id] = head

    def forget(self, table_id: str) -> None:
        self._heads.pop(table_id, None)

    def forget_all(self) -> None:
        """Call after a rollback."""
        self._heads.clear()
