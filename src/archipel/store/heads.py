"""How tables stand as of their last event, remembered by who writes: nobody else does, so what was
found or written once holds until something is rolled back."""

from dataclasses import dataclass

from archipel.store.protocol import Outlook

#: For so long a table that was active counts as active: to write it at every move would be half of
#: what a move writes.
ACTIVITY_MILLISECONDS = 1000

#: Tables that are remembered. Forgotten ones are looked up again.
_MOST = 4_096


@dataclass(slots=True)
class Head:
    """The end of a table that is not archived."""

    last_n: int
    active_at: int
    outlook: Outlook

    def has_news(self, now: int, outlook: Outlook | None) -> bool:
        """Whether its activity or its outlook is to be written; None: the outlook is as it was."""
        if outlook is not None and outlook is not self.outlook and outlook != self.outlook:
            return True
        return not 0 <= now - self.active_at < ACTIVITY_MILLISECONDS


class Heads:
    """Of the tables that were written to last."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}

    def find(self, table_id: str) -> Head | None:
        return self._heads.get(table_id)

    def keep(self, table_id: str, head: Head) -> None:
        if len(self._heads) >= _MOST:
            self._heads.clear()
        self._heads[table_id] = head

    def forget(self, table_id: str) -> None:
        self._heads.pop(table_id, None)

    def forget_all(self) -> None:
        """After what was written has been taken back."""
        self._heads.clear()
