"""Presence: the connections of each seat, and when absent players were last seen. Not stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from archipel.tables.log.table_state import Participant, SeatState, TableState


class RemotePresence(Struct, frozen=True):
    """Who is connected to a table through one worker, as it announces to the others."""

    seats: tuple[int, ...] = ()
    spectators: int = 0
    #: By seat, when its last connection closed.
    left_at: dict[int, int] = {}


class PresenceTracker:
    """The presence at one table. ``since``: last-seen time of players who never connected."""

    def __init__(self, since: int) -> None:
        self._since = since
        self._connected: Counter[Participant] = Counter()
        self._left_at: dict[int, int] = {}
        #: (key, seat) of seats that were taken away, whose connections may still be open.
        self._lost: set[tuple[str, int]] = set()
        #: Those connected through other workers.
        self._seats_elsewhere: frozenset[int] = frozenset()
        self._spectators_elsewhere = 0
        #: Cache of `away_since`.
        self._away: tuple[tuple[SeatState, ...], dict[int, int]] | None = None
        #: Counts the changes, so that callers can tell whether there was one.
        self.changes = 0

    def _changed(self) -> None:
        self._away = None
        self.changes += 1

    @property
    def connections(self) -> int:
        return self._connected.total()

    @property
    def spectators(self) -> int:
        return self._spectators_elsewhere + self._spectators_here

    @property
    def here(self) -> RemotePresence:
        """What this worker announces."""
        seats = {seat for who in self._connected for seat in self._seats_of(who)}
        left_at = {seat: at for seat, at in self._left_at.items() if seat not in seats}
        return RemotePresence(tuple(sorted(seats)), self._spectators_here, left_at)

    def learn(self, seats: frozenset[int], spectators: int, left_at: Mapping[int, int]) -> None:
        """Set who is connected through other workers, and the last-seen times of absent players."""
        self._seats_elsewhere = seats
        self._spectators_elsewhere = spectators
        for seat, at in left_at.items():
            self._left_at[seat] = max(at, self._left_at.get(seat, at))
        self._changed()

    @property
    def _spectators_here(self) -> int:
        return sum(count for who, count in self._connected.items() if not self._seats_of(who))

    def arrived(self, who: Participant) -> None:
        self._connected[who] += 1
        self._changed()

    def departed(self, who: Participant, now: int) -> None:
        self._connected[who] -= 1
        if self._connected[who] <= 0:
            del self._connected[who]
        for seat in self._seats_of(who):
            if not self.is_here(seat):
                self._left_at[seat] = now
        self._changed()

    def change_holder(self, seat: int, now: int) -> None:
        """The seat has another holder, or none; those connected for it before only watch."""
        self._lost |= {(who.key, seat) for who in self._connected if seat in who.seats}
        self._left_at[seat] = now
        self._changed()

    def is_here(self, seat: int) -> bool:
        return seat in self._seats_elsewhere or any(
            seat in self._seats_of(who) for who in self._connected
        )

    def away_since(self, table: TableState) -> Mapping[int, int]:
        """The last-seen times of absent players, by seat."""
        if self._away is None or self._away[0] is not table.seats:
            away = {
                seat: self._left_at.get(seat, self._since)
                for seat in table.people
                if not self.is_here(seat)
            }
            self._away = (table.seats, away)
        return self._away[1]

    def _seats_of(self, who: Participant) -> tuple[int, ...]:
        if not self._lost:
            return who.seats
        return tuple(seat for seat in who.seats if (who.key, seat) not in self._lost)
