"""The outbox: notices that the tables wrote become deliveries, one per channel, and these are
leased to the worker that sends them.

A notice is written in the transaction of its move. A delivery exists once for a turn, a kind of
notice and a channel, whatever workers do at the same time. A lease is a time in the future until
which no other worker takes the delivery; a worker that dies leaves it to the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from archipel.notices.channels import Channel, Channels, Details, Habits, channel_of
from archipel.notices.message import Part
from archipel.notices.times import earliest
from archipel.store.sql_store import SqlStore, Statement

LEASE = 60_000
#: Attempts after which a delivery is given up; failures in a row after which a channel is dead.
MOST_ATTEMPTS, MOST_FAILURES = 12, 40
_PAGE = 100
_SENT, _GIVEN_UP = 1, 2
_KEY = "table_id = ?1 AND n = ?2 AND kind = ?3 AND channel_id = ?4"


@dataclass(frozen=True, slots=True)
class Batch:
    """What is to be sent to a channel now: one or more deliveries, as one message."""

    channel: Channel
    language: str
    habits: Habits
    parts: tuple[Part, ...]
    attempts: int


class Outbox:
    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._at = store.schema

    async def address(self, now: int) -> int:
        """Make the deliveries of the notices that are due; returns the number of notices."""
        at = self._at
        notices = await self._store.fetch(
            f"SELECT table_id, n, kind FROM {at}notice WHERE addressed = 0 AND due_at <= ?1"
            " ORDER BY due_at LIMIT ?2",
            now,
            _PAGE,
        )
        for table_id, n, kind in notices:
            rows = await self._store.fetch(
                f"SELECT c.id, c.details, p.settings, p.vacation_until FROM {at}turn t"
                f" JOIN {at}profile_seat s ON s.table_id = t.table_id AND s.holder = t.holder"
                f" JOIN {at}profile p ON p.id = s.profile_id"
                f" JOIN {at}channel c ON c.profile_id = p.id AND c.confirmed_at > 0"
                " WHERE t.table_id = ?1 AND t.n = ?2",
                table_id,
                n,
            )
            statements = [
                Statement(
                    f"INSERT INTO {at}delivery (table_id, n, kind, channel_id, due_at)"
                    f" SELECT m.table_id, m.n, m.kind, c.id, CAST(?5 AS BIGINT) FROM {at}notice m"
                    f" JOIN {at}channel c ON c.id = ?4"
                    " WHERE m.table_id = ?1 AND m.n = ?2 AND m.kind = ?3"
                    " ON CONFLICT (table_id, n, kind, channel_id) DO NOTHING",
                    (table_id, n, kind, channel, _due(now, kind, settings, vacation)),
                )
                for channel, details, settings, vacation in rows
                if table_id not in msgspec.json.decode(bytes(settings), type=Habits).muted
                and table_id not in msgspec.json.decode(bytes(details), type=Details).muted
            ]
            done = Statement(
                f"UPDATE {at}notice SET addressed = 1 WHERE table_id = ?1 AND n = ?2 AND kind = ?3",
                (table_id, n, kind),
            )
            await self._store.transact(*statements, done)
        return len(notices)

    async def take(self, now: int, limit: int = 50) -> list[Batch]:
        """Lease deliveries that are due, one batch per channel and number of attempts. Those of
        turns that are over are dropped."""
        at = self._at
        (leased,) = await self._store.transact(
            Statement(
                f"UPDATE {at}delivery SET due_at = ?2, attempts = attempts + 1"
                " WHERE (table_id, n, kind, channel_id) IN"
                f" (SELECT table_id, n, kind, channel_id FROM {at}delivery"
                " WHERE state = 0 AND due_at <= ?1 ORDER BY due_at LIMIT ?3"
                f"{self._store.skip_locked})"
                " RETURNING table_id, n, kind, channel_id, attempts",
                (now, now + LEASE, limit),
            )
        )
        batches: list[Batch] = []
        # What is sent again goes without newer deliveries, so that its id is the same.
        groups: dict[tuple[str, int], list[Any]] = {}
        for row in leased:
            groups.setdefault((row[3], row[4]), []).append(row)
        for (channel, _), rows in groups.items():
            batch = await self._batch(channel, rows)
            if batch is not None:
                batches.append(batch)
        return batches

    async def _batch(self, channel_id: str, leased: list[Any]) -> Batch | None:
        found = await self._store.fetch(
            f"SELECT {Channels.columns}, p.language, p.settings FROM {self._at}channel c"
            f" JOIN {self._at}profile p ON p.id = c.profile_id WHERE c.id = ?1",
            channel_id,
        )
        if not found:
            return None
        channel = channel_of(found[0])
        parts = []
        for table_id, n, kind, _, _ in sorted(leased, key=lambda row: (row[0], row[2])):
            if not await self.is_current(channel.profile, table_id, n):
                await self._drop(table_id, n, kind, channel_id)
                continue
            header = await self._store.fetch(
                f"SELECT body FROM {self._at}header WHERE table_id = ?1", table_id
            )
            game = msgspec.json.decode(bytes(header[0][0]))["game"]
            link = f"{channel.details.origin}/t/{table_id}"
            parts.append(Part(table_id, n, kind, game, link))
        if not parts:
            return None
        habits = msgspec.json.decode(bytes(found[0][-1]), type=Habits)
        attempts = max(row[4] for row in leased)
        return Batch(channel, found[0][-2], habits, tuple(parts), attempts)

    async def is_current(self, profile: str, table_id: str, n: int) -> bool:
        """Whether it is still this turn, and still that of a profile."""
        return bool(
            await self._store.fetch(
                f"SELECT 1 FROM {self._at}turn t JOIN {self._at}profile_seat s"
                " ON s.table_id = t.table_id AND s.holder = t.holder"
                " WHERE t.table_id = ?1 AND t.n = ?2 AND s.profile_id = ?3",
                table_id,
                n,
                profile,
            )
        )

    async def sent(self, batch: Batch) -> None:
        await self._settle(batch, f"state = {_SENT}", "failures = 0")

    async def postpone(self, batch: Batch, until: int) -> None:
        """Send a batch later; this was no attempt."""
        await self._settle(batch, f"due_at = {until:d}, attempts = attempts - 1", "")

    async def failed(self, batch: Batch, retry_at: int) -> None:
        """Try again later; give up after many attempts, and forget a channel that is dead."""
        if batch.channel.failures + 1 >= MOST_FAILURES:
            await self.forget(batch.channel.id)
            return
        given_up = batch.attempts >= MOST_ATTEMPTS
        change = f"state = {_GIVEN_UP}" if given_up else f"due_at = {retry_at:d}"
        await self._settle(batch, change, "failures = failures + 1")

    async def forget(self, channel: str) -> None:
        """Delete a dead channel, with its deliveries."""
        await self._store.transact(
            Statement(f"DELETE FROM {self._at}channel WHERE id = ?1", (channel,))
        )

    async def lag(self, now: int) -> int:
        """For how long the oldest notice or delivery has been due (milliseconds)."""
        at = self._at
        ((notice,),) = await self._store.fetch(
            f"SELECT min(due_at) FROM {at}notice WHERE addressed = 0 AND due_at <= ?1", now
        )
        ((delivery,),) = await self._store.fetch(
            f"SELECT min(due_at) FROM {at}delivery WHERE state = 0 AND due_at <= ?1", now
        )
        oldest = [due for due in (notice, delivery) if due is not None]
        return int(now - min(oldest)) if oldest else 0

    async def _settle(self, batch: Batch, change: str, of_channel: str) -> None:
        at, channel = self._at, batch.channel.id
        statements = [
            Statement(
                f"UPDATE {at}delivery SET {change} WHERE {_KEY}",
                (part.table, part.n, part.kind, channel),
            )
            for part in batch.parts
        ]
        if of_channel:
            text = f"UPDATE {at}channel SET {of_channel} WHERE id = ?1"
            statements.append(Statement(text, (channel,)))
        await self._store.transact(*statements)

    async def _drop(self, table_id: str, n: int, kind: str, channel: str) -> None:
        key = (table_id, n, kind, channel)
        await self._store.transact(Statement(f"DELETE FROM {self._at}delivery WHERE {_KEY}", key))


def _due(now: int, kind: str, settings: bytes, vacation: int) -> int:
    habits = msgspec.json.decode(bytes(settings), type=Habits)
    return earliest(max(now, vacation), habits, kind)
