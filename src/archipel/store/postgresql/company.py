"""One worker among others on the same database: who is there, who keeps which table.

To *keep* a table is to let its bots play and its clocks run out; one worker at a time does. A
worker is there until a time that the database's clock measures and that it has to put off again and
again. Whoever misses that is gone: others take its tables, and the database refuses what it writes
as their keeper. It comes back under a new id, keeping nothing.
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
_IS_THERE = "w.until > clock_timestamp()"


@dataclass(frozen=True, slots=True)
class Kept:
    """A table that is kept here from now on, and until when another kept it, if any did."""

    table_id: str
    before: int | None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What another worker tells of a table; ``gone_at`` (Unix milliseconds) if it is no more."""

    body: bytes
    gone_at: int | None


@dataclass(frozen=True, slots=True)
class Spent:
    """How much of something an address has had by way of another worker, in all."""

    worker: str
    kind: str
    address: str
    amount: float


class Company:
    """What a worker knows of the others. Every method raises `Unavailable` where that fails."""

    def __init__(self, store: PostgresqlStore, name: str, *, lease: float = 6.0) -> None:
        """For ``lease`` seconds a worker counts as there that was not heard of."""
        self._store = store
        self.name = name
        self.lease = lease
        self.id = ""
        self.clock = SharedClock()
        self.bus = Bus(store.address, silence=max(lease, 3.0))

    # ---- being there ----------------------------------------------------------------------------

    async def enter(self) -> None:
        """From now on we are there, under a new id."""
        asked = self.clock.passed()
        self.id = uuid.uuid4().hex
        async with self._store.connection("not written") as connection:
            told = await connection.fetchval(
                "INSERT INTO archipel.worker (id, name, until)"
                " VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))"
                f" RETURNING {_NOW}",
                self.id,
                self.name,
                self.lease,
            )
        self.clock.set(told, asked, self.clock.passed())

    async def renew(self) -> bool:
        """Stay a while longer; False if we were thought gone, and keep nothing any more."""
        asked = self.clock.passed()
        self.bus.beat(self.id)
        async with self._hasty() as connection:
            told = await connection.fetchval(
                "UPDATE archipel.worker AS w"
                " SET until = clock_timestamp() + make_interval(secs => $2)"
                f" WHERE id = $1 AND {_IS_THERE} RETURNING {_NOW}",
                self.id,
                self.lease,
            )
            await connection.execute("SELECT pg_notify($1, $2)", BEAT, self.id)
        if told is None:
            return False
        self.clock.set(told, asked, self.clock.passed())
        return True

    async def leave(self) -> None:
        """At once: others need not wait until our time is over."""
        async with self._store.connection("not written") as connection:
            await connection.execute(
                "UPDATE archipel.worker SET until = least(until, clock_timestamp()) WHERE id = $1",
                self.id,
            )

    async def workers(self) -> list[str]:
        """The ids of all that are there."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                f"SELECT id FROM archipel.worker AS w WHERE {_IS_THERE} ORDER BY id"
            )
        return [str(row[0]) for row in found]

    async def tidy(self) -> None:
        """Forget those who have long been gone."""
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

    # ---- keeping tables -------------------------------------------------------------------------

    async def keep(self, tables: Sequence[str]) -> list[Kept]:
        """Those of the tables that are kept here now, because nobody else who is there does."""
        async with self._store.connection("not written") as connection:
            found = await connection.fetch(
                "WITH known AS (SELECT k.table_id, w.until FROM archipel.keeper k"
                " JOIN archipel.worker w ON w.id = k.worker"
                " WHERE k.table_id = ANY($1) AND k.worker <> $2)"
                " INSERT INTO archipel.keeper AS k (table_id, worker)"
                " SELECT g.id, $2 FROM archipel.game_table g WHERE g.id = ANY($1)"
                f" AND EXISTS (SELECT FROM archipel.worker w WHERE w.id = $2 AND {_IS_THERE})"
                " ORDER BY g.id"
                " ON CONFLICT (table_id) DO UPDATE SET worker = excluded.worker"
                " WHERE k.worker = excluded.worker OR NOT EXISTS ("
                f" SELECT FROM archipel.worker w WHERE w.id = k.worker AND {_IS_THERE})"
                " RETURNING k.table_id, (SELECT"
                f" {_MILLISECONDS.format('known.until')}"
                " FROM known WHERE known.table_id = k.table_id)",
                list(tables),
                self.id,
            )
        return [Kept(table_id, None if until is None else int(until)) for table_id, until in found]

    async def release(self, tables: Sequence[str]) -> None:
        """Keep these no more; nothing is to be done at them."""
        async with self._store.connection("not written") as connection:
            await connection.execute(
                "DELETE FROM archipel.keeper WHERE table_id = ANY($1) AND worker = $2",
                list(tables),
                self.id,
            )

    async def orphans(self, limit: int = 200) -> list[str]:
        """Awake tables that nobody keeps who is there."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                "SELECT g.id FROM archipel.game_table g WHERE g.awake AND NOT EXISTS ("
                " SELECT FROM archipel.keeper k JOIN archipel.worker w ON w.id = k.worker"
                f" WHERE k.table_id = g.id AND {_IS_THERE}) LIMIT $1",
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
        """As the keeper of the table: raises `NotKept` where we are that no more."""
        return await self._store.append(
            table_id, expected_n, events, private=private, outlook=outlook, keeper=self.id
        )

    async def lasts(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                "SELECT id, last_n FROM archipel.game_table WHERE id = ANY($1)", list(tables)
            )
        return dict(found)

    # ---- who is where ---------------------------------------------------------------------------

    async def tell_presence(self, table_id: str, body: bytes) -> None:
        """Who is at a table by way of us."""
        async with self._store.connection("not written") as connection:
            await connection.execute(
                "WITH told AS (INSERT INTO archipel.presence VALUES ($1, $2, $3)"
                " ON CONFLICT (table_id, worker) DO UPDATE SET body = excluded.body)"
                " SELECT pg_notify($4, $1 || ' ' || $2)",
                table_id,
                self.id,
                body,
                PRESENCE,
            )

    async def presence(self, table_id: str) -> list[Neighbour]:
        """Who is, or was, at a table by way of others."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                f"SELECT p.body, CASE WHEN {_IS_THERE} THEN NULL"
                f" ELSE {_MILLISECONDS.format('w.until')} END"
                " FROM archipel.presence p JOIN archipel.worker w ON w.id = p.worker"
                " WHERE p.table_id = $1 AND p.worker <> $2",
                table_id,
                self.id,
            )
        return [Neighbour(bytes(body), None if at is None else int(at)) for body, at in found]

    # ---- limits ---------------------------------------------------------------------------------

    async def tell_spending(self, spent: Mapping[tuple[str, str], float]) -> None:
        """How much was spent here, in all, of which kind by which address."""
        async with self._hasty() as connection:
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
        """What others that are there have told within so many seconds; the latest first."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                "SELECT s.worker, s.kind, s.address, s.amount FROM archipel.spending s"
                f" JOIN archipel.worker w ON w.id = s.worker AND {_IS_THERE}"
                " WHERE s.worker <> $1"
                " AND s.at > clock_timestamp() - make_interval(secs => $2)"
                " ORDER BY s.at DESC LIMIT 10000",
                self.id,
                seconds,
            )
        return [Spent(*row) for row in found]

    # ---- figures --------------------------------------------------------------------------------

    async def tell_figures(self, figures: str) -> None:
        """What others are to tell of us, when they are asked how all are."""
        async with self._hasty() as connection:
            await connection.execute(
                "UPDATE archipel.worker SET figures = $2 WHERE id = $1", self.id, figures
            )

    async def figures(self) -> list[tuple[str, str]]:
        """The names and figures of the others that are there."""
        async with self._store.connection("could not read") as connection:
            found = await connection.fetch(
                "SELECT name, figures FROM archipel.worker AS w"
                f" WHERE id <> $1 AND {_IS_THERE} AND figures <> '' ORDER BY name, id",
                self.id,
            )
        return [(str(name), str(figures)) for name, figures in found]

    @asynccontextmanager
    async def _hasty(self) -> AsyncIterator[Any]:
        """A transaction that does not wait for the disk: what it says is soon said again."""
        async with (
            self._store.connection("not written") as connection,
            connection.transaction(),
        ):
            await connection.execute("SET LOCAL synchronous_commit = off")
            yield connection
