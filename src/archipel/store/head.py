"""What a store knows of a table without reading its events."""

from dataclasses import dataclass

from archipel.store.protocol import Outlook

#: Resolution of `active_at`. Writing it with every move would double the bytes that a move writes.
_ACTIVITY_MILLISECONDS = 1000


@dataclass(slots=True)
class Head:
    """The last event and the outlook of a table that is not archived."""

    last_n: int
    active_at: int
    outlook: Outlook

    def must_be_written(self, now: int, outlook: Outlook | None) -> bool:
        """Whether an append must update the table's row; ``outlook`` None: it has not changed."""
        if outlook is not None and outlook is not self.outlook and outlook != self.outlook:
            return True
        return not 0 <= now - self.active_at < _ACTIVITY_MILLISECONDS
