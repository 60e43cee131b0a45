"""Who is here: how many connections each seat has, and since when it has none. Never kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from archipel.tables.table import Seat, Table, Who


class Elsewhere(Struct, frozen=True):
    """Who is at a table by way of one worker, as it tells the others."""

    seats: tuple[int, ...] = ()
    spectators: int = 0
    #: When seats were left.
    left_at: dict[int, int] = {}


class Presence:
    """Of one table. ``since`` is when those who have not been seen count as gone."""

    def __init__(self, since: int) -> None:
        self._since = since
        self._connected: Counter[Who] = Counter()
        self._left_at: dict[int, int] = {}
        #: Seats that were taken from the holder of a token, whose connection may live on a while.
        self._lost: set[tuple[str, int]] = set()
        #: What is known by way of other workers.
        self._seats_elsewhere: frozenset[int] = frozenset()
        self._spectators_elsewhere = 0
        #: Of the seats of a table, those who are away; until somebody comes or goes.
        self._away: tuple[tuple[Seat, ...], dict[int, int]] | None = None
        #: How often somebody came or went.
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
    def here(self) -> Elsewhere:
        """What others are told of us."""
        seats = {seat for who in self._connected for seat in self._seats_of(who)}
        left_at = {seat: at for seat, at in self._left_at.items() if seat not in seats}
        return Elsewhere(tuple(sorted(seats)), self._spectators_here, left_at)

    def learn(self, seats: frozenset[int], spectators: int, left_at: Mapping[int, int]) -> None:
        """Who is at the table by way of others, and when those were seen last who are not."""
        self._seats_elsewhere = seats
        self._spectators_elsewhere = spectators
        for seat, at in left_at.items():
            self._left_at[seat] = max(at, self._left_at.get(seat, at))
        self._changed()

    @property
    def _spectators_here(self) -> int:
        return sum(count for who, count in self._connected.items() if not self._seats_of(who))

    def arrived(self, who: Who) -> None:
        self._connected[who] += 1
        self._changed()

    def departed(self, who: Who, now: int) -> None:
        self._connected[who] -= 1
        if self._connected[who] <= 0:
            del self._connected[who]
        for seat in self._seats_of(who):
            if not self.is_here(seat):
                self._left_at[seat] = now
        self._changed()

    def lose_seat(self, seat: int, now: int) -> None:
        """Whoever sat there does not any more; a connection of theirs only watches."""
        self._lost |= {(who.key, seat) for who in self._connected if seat in who.seats}
        self._left_at[seat] = now
        self._changed()

    def is_here(self, seat: int) -> bool:
        return seat in self._seats_elsewhere or any(
            seat in self._seats_of(who) for who in self._connected
        )

    def sits_down(self, seat: int, now: int) -> None:
        """Somebody new, who has not connected yet."""
        self._left_at[seat] = now
        self._changed()

    def away_since(self, table: Table) -> Mapping[int, int]:
        """For each person who is not here, since when."""
        if self._away is None or self._away[0] is not table.seats:
            away = {
                seat: self._left_at.get(seat, self._since)
                for seat in table.people
                if not self.is_here(seat)
            }
            self._away = (table.seats, away)
        return self._away[1]

    def _seats_of(self, who: Who) -> tuple[int, ...]:
        if not self._lost:
            return who.seats
        return tuple(seat for seat in who.seats if (who.key, seat) not in self._lost)
