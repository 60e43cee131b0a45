"""The workers on one database: membership, leases on tables, presence, shared limits, metrics.

A worker is alive until its lease expires, by the database's clock, unless it renews the lease in
time. The worker that holds a table's lease runs the table's bots and clocks. When a worker expires,
others take over its tables, and the database refuses what it writes under the lost leases. It
returns under a new id, without leases.
"""

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from archipel.store.clock import SharedClock
from archipel.store.postgresql.bus import BEAT, PRESENCE, Bus
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import Appended, Outlook

_MILLISECONDS = "extract(epoch FROM {})::double precision * 1000"
_NOW = _MILLISECONDS.format("clock_timestamp()")
_IS_ALIVE = "w.until > clock_timestamp()"


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease that this worker holds now; ``before``: when the previous holder's ended, if any
    (Unix milliseconds)."""

    table_id: str
    before: int | None


@dataclass(frozen=True, slots=True)
class WorkerPresence:
    """Who is at a table through another worker; ``gone_at`` (Unix milliseconds): that worker's
    lease expired then."""

    body: bytes
    gone_at: int | None


@dataclass(frozen=True, slots=True)
class Spent:
    """The total that an address used of a rate limit through another worker."""

    worker: str
    kind: str
    address: str
    amount: float


class Cluster:
    """This worker's view of the cluster. Every method raises `Unavailable` on failure."""

    def __init__(self, store: PostgresqlStore, name: str, *, lease: float = 6.0) -> None:
        """``lease``: seconds after which a worker that does not renew counts as gone."""
        self._store = store
        self.name = name
        self.lease = lease
        self.id = ""
        self.clock = SharedClock()
        self.bus = Bus(store.address, silence=max(lease, 3.0))

    # ---- membership -----------------------------------------------------------------------------

    async def join(self) -> None:
        """Join the cluster under a new id."""
        sent = self.clock.passed()
        self.id = uuid.uuid4().hex
        ((now,),) = await self._store.write(
            "INSERT INTO archipel.worker (id, name, until)"
            " VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))"
            f" RETURNING {_NOW}",
            self.id,
            self.name,
            self.lease,
        )
        self.clock.set(now, sent, self.clock.passed())

    async def renew(self) -> bool:
        """Renew this worker's lease; False if it had expired, so that all leases are lost."""
        sent = self.clock.passed()
        self.bus.beat(self.id)
        async with self._volatile() as connection:
            now = await connection.fetchval(
                "UPDATE archipel.worker AS w"
                " SET until = clock_timestamp() + make_interval(secs => $2)"
                f" WHERE id = $1 AND {_IS_ALIVE} RETURNING {_NOW}",
                self.id,
                self.lease,
            )
            await connection.execute("SELECT pg_notify($1, $2)", BEAT, self.id)
        if now is None:
            return False
        self.clock.set(now, sent, self.clock.passed())
        return True

    async def leave(self) -> None:
        """End this worker's lease now, so that others need not wait for it to expire."""
        await self._store.write(
            "UPDATE archipel.worker SET until = least(until, clock_timestamp()) WHERE id = $1",
            self.id,
        )

    async def workers(self) -> list[str]:
        """The ids of all live workers."""
        found = await self._store.fetch(
            f"SELECT id FROM archipel.worker AS w WHERE {_IS_ALIVE} ORDER BY id"
        )
        return [str(row[0]) for row in found]

    async def tidy(self) -> None:
        """Delete rows of workers that expired an hour ago."""
        async with self._store.connection("not written") as connection:
            await connection.execute(
                "DELETE FROM archipel.worker AS w"
                " WHERE until < clock_timestamp() - interval '1 hour'"
                " AND NOT EXISTS (SELECT FROM archipel.keeper k WHERE k.worker = w.id)"
            )
            await connection.execute(
                "DELETE FROM archipel.presence AS p"
                " WHERE NOT EXISTS (SELECT FROM archipel.worker w WHERE w.id = p.worker)"
            )
            await connection.execute(
                "DELETE FROM archipel.spending WHERE at < clock_timestamp() - interval '1 hour'"
            )

    # ---- leases on tables -----------------------------------------------------------------------

    async def acquire(self, tables: Sequence[str]) -> list[Lease]:
        """Acquire the leases of those tables that no other live worker holds."""
        found = await self._store.write(
            "WITH known AS (SELECT k.table_id, w.until FROM archipel.keeper k"
            " JOIN archipel.worker w ON w.id = k.worker"
            " WHERE k.table_id = ANY($1) AND k.worker <> $2)"
            " INSERT INTO archipel.keeper AS k (table_id, worker)"
            " SELECT g.id, $2 FROM archipel.game_table g WHERE g.id = ANY($1)"
            f" AND EXISTS (SELECT FROM archipel.worker w WHERE w.id = $2 AND {_IS_ALIVE})"
            " ORDER BY g.id"
            " ON CONFLICT (table_id) DO UPDATE SET worker = excluded.worker"
            " WHERE k.worker = excluded.worker OR NOT EXISTS ("
            f" SELECT FROM archipel.worker w WHERE w.id = k.worker AND {_IS_ALIVE})"
            " RETURNING k.table_id, (SELECT"
            f" {_MILLISECONDS.format('known.until')}"
            " FROM known WHERE known.table_id = k.table_id)",
            list(tables),
            self.id,
        )
        return [Lease(table_id, None if until is None else int(until)) for table_id, until in found]

    async def release(self, tables: Sequence[str]) -> None:
        """Release the leases of tables where nothing is left to do."""
        await self._store.write(
            "DELETE FROM archipel.keeper WHERE table_id = ANY($1) AND worker = $2",
            list(tables),
            self.id,
        )

    async def unleased(self, limit: int = 200) -> list[str]:
        """Awake tables whose lease no live worker holds."""
        found = await self._store.fetch(
            "SELECT g.id FROM archipel.game_table g WHERE g.awake AND NOT EXISTS ("
            " SELECT FROM archipel.keeper k JOIN archipel.worker w ON w.id = k.worker"
            f" WHERE k.table_id = g.id AND {_IS_ALIVE}) LIMIT $1",
            limit,
        )
        return [str(row[0]) for row in found]

    async def append(
        self,
        table_id: str,
        expected_n: int,
        events: Sequence[bytes],
        *,
        private: Mapping[str, bytes] | None = None,
        outlook: Outlook | None = None,
    ) -> Appended:
        """Append as the holder of the table's lease; raises `LeaseLost`."""
        return await self._store.append(
            table_id, expected_n, events, private=private, outlook=outlook, keeper=self.id
        )

    async def last_numbers(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        found = await self._store.fetch(
            "SELECT id, last_n FROM archipel.game_table WHERE id = ANY($1)", list(tables)
        )
        return dict(found)

    # ---- presence -------------------------------------------------------------------------------

    async def publish_presence(self, table_id: str, body: bytes) -> None:
        """Publish who is at a table through this worker."""
        await self._store.write(
            "WITH published AS (INSERT INTO archipel.presence VALUES ($1, $2, $3)"
            " ON CONFLICT (table_id, worker) DO UPDATE SET body = excluded.body)"
            " SELECT pg_notify($4, $1 || ' ' || $2)",
            table_id,
            self.id,
            body,
            PRESENCE,
        )

    async def presence(self, table_id: str) -> list[WorkerPresence]:
        """Who is, or was, at a table through other workers."""
        found = await self._store.fetch(
            f"SELECT p.body, CASE WHEN {_IS_ALIVE} THEN NULL"
            f" ELSE {_MILLISECONDS.format('w.until')} END"
            " FROM archipel.presence p JOIN archipel.worker w ON w.id = p.worker"
            " WHERE p.table_id = $1 AND p.worker <> $2",
            table_id,
            self.id,
        )
        return [WorkerPresence(bytes(body), None if at is None else int(at)) for body, at in found]

    # ---- rate limits ----------------------------------------------------------------------------

    async def publish_spending(self, spent: Mapping[tuple[str, str], float]) -> None:
        """Publish this worker's totals by (kind, address)."""
        async with self._volatile() as connection:
            await connection.execute(
                "INSERT INTO archipel.spending (kind, address, worker, amount, at)"
                " SELECT u.kind, u.address, $1, u.amount, clock_timestamp()"
                " FROM unnest($2::text[], $3::text[], $4::double precision[])"
                " AS u (kind, address, amount) ORDER BY 1, 2"
                " ON CONFLICT (address, kind, worker)"
                " DO UPDATE SET amount = excluded.amount, at = excluded.at",
                self.id,
                [kind for kind, _ in spent],
                [address for _, address in spent],
                [float(amount) for amount in spent.values()],
            )

    async def spending(self, seconds: float) -> list[Spent]:
        """What other live workers published in the last ``seconds``, latest first."""
        found = await self._store.fetch(
            "SELECT s.worker, s.kind, s.address, s.amount FROM archipel.spending s"
            f" JOIN archipel.worker w ON w.id = s.worker AND {_IS_ALIVE}"
            " WHERE s.worker <> $1"
            " AND s.at > clock_timestamp() - make_interval(secs => $2)"
            " ORDER BY s.at DESC LIMIT 10000",
            self.id,
            seconds,
        )
        return [Spent(*row) for row in found]

    # ---- metrics --------------------------------------------------------------------------------

    async def publish_metrics(self, text: str) -> None:
        """Publish this worker's metrics for the others."""
        async with self._volatile() as connection:
            await connection.execute(
                "UPDATE archipel.worker SET figures = $2 WHERE id = $1", self.id, text
            )

    async def metrics(self) -> list[tuple[str, str]]:
        """Names and metrics of the other live workers."""
        found = await self._store.fetch(
            "SELECT name, figures FROM archipel.worker AS w"
            f" WHERE id <> $1 AND {_IS_ALIVE} AND figures <> '' ORDER BY name, id",
            self.id,
        )
        return [(str(name), str(text)) for name, text in found]

    @asynccontextmanager
    async def _volatile(self) -> AsyncIterator[Any]:
        """A transaction that does not wait for the disk, for data that is soon written again."""
        async with (
            self._store.connection("not written") as connection,
            connection.transaction(),
        ):
            await connection.execute("SET LOCAL synchronous_commit = off")
            yield connection
