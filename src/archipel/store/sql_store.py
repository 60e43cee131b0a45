"""What the SQLite and the PostgreSQL store share: all reading, and changes of one table's row.

Queries number their parameters (``?1``), which PostgreSQL writes ``$1``.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from archipel.store.errors import NoSuchTable
from archipel.store.limits import Limits, check_private_key, check_table_id
from archipel.store.protocol import Event, Outlook, Standing, TableInfo, Turn


class Statement(NamedTuple):
    """A statement that changes rows; parameters are numbered from ``?1``."""

    text: str
    parameters: tuple[Any, ...] = ()


class SqlStore(ABC):
    #: Put before the name of a database table.
    schema: ClassVar[str] = ""
    #: Conditions as the partial indexes state them: without them the indexes are not used.
    not_archived: ClassVar[str] = "archived = 0"
    is_awake: ClassVar[str] = "awake = 1"
    #: Ends a subquery whose rows other workers must not take as well.
    skip_locked: ClassVar[str] = ""

    def __init__(self, limits: Limits | None) -> None:
        self._limits = limits or Limits()

    @abstractmethod
    async def fetch(self, query: str, *parameters: Any) -> Sequence[Any]:
        """The rows of a query."""

    @abstractmethod
    async def transact(self, *statements: Statement) -> list[Sequence[Any]]:
        """Run statements in one transaction; returns the rows of each RETURNING clause."""

    @abstractmethod
    async def size(self) -> int:
        """Bytes that the database takes."""

    @abstractmethod
    async def _change(self, table_id: str, statement: str, *parameters: Any) -> None:
        """Run a statement on the row of table ``?1``; raises `NoSuchTable` if there is none."""

    @abstractmethod
    async def _infos(self, condition: str, *parameters: Any) -> list[TableInfo]:
        """The tables that a clause (``WHERE ... ORDER BY ... LIMIT ...``) selects."""

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        self._limits.check_read(table_id, after, limit)
        found = await self.fetch(
            f"SELECT n, at, body FROM {self.schema}event WHERE table_id = ?1 AND n > ?2"
            " ORDER BY n LIMIT ?3",
            table_id,
            after,
            limit,
        )
        if not found:
            await self._check_exists(table_id)
        return [Event(*row) for row in found]

    async def last(self, table_id: str) -> int:
        check_table_id(table_id)
        query = f"SELECT coalesce(max(n), 0) FROM {self.schema}event WHERE table_id = ?1"
        last_n = int((await self.fetch(query, table_id))[0][0])
        if last_n == 0:
            await self._check_exists(table_id)
        return last_n

    async def header(self, table_id: str) -> bytes:
        check_table_id(table_id)
        found = await self.fetch(
            f"SELECT body FROM {self.schema}header WHERE table_id = ?1", table_id
        )
        if not found:
            raise NoSuchTable(table_id)
        return bytes(found[0][0])

    async def tables(
        self,
        *,
        archived: bool | None = False,
        before: tuple[int, str] | None = None,
        limit: int = 100,
    ) -> list[TableInfo]:
        self._limits.check_tables(before, limit)
        conditions, parameters = ["TRUE"], list[Any]([limit])
        if archived is not None:
            parameters.append(archived)
            conditions.append(f"archived = ?{len(parameters)}")
        if before is not None:
            parameters.extend(before)
            last = len(parameters)
            conditions.append(f"(active_at, id) < (?{last - 1}, ?{last})")
        return await self._infos(
            f"WHERE {' AND '.join(conditions)} ORDER BY active_at DESC, id DESC LIMIT ?1",
            *parameters,
        )

    async def listed(self, limit: int = 100) -> list[Standing]:
        self._limits.check_page(limit)
        return await self._standings(
            f"line IS NOT NULL AND {self.not_archived} ORDER BY active_at DESC, id DESC LIMIT ?1",
            limit,
        )

    async def awake(self, after: str = "", limit: int = 1000) -> list[Standing]:
        self._limits.check_awake(after, limit)
        return await self._standings(
            f"{self.is_awake} AND id > ?1 ORDER BY id LIMIT ?2", after, limit
        )

    async def get_private(self, table_id: str, key: str) -> bytes | None:
        check_table_id(table_id)
        check_private_key(key)
        found = await self.fetch(
            f"SELECT value FROM {self.schema}private WHERE table_id = ?1 AND key = ?2",
            table_id,
            key,
        )
        if not found:
            await self._check_exists(table_id)
            return None
        return bytes(found[0][0])

    async def set_outlook(self, table_id: str, outlook: Outlook) -> None:
        check_table_id(table_id)
        self._limits.check_outlook(outlook)
        await self._change(
            table_id,
            f"UPDATE {self.schema}game_table SET line = ?2, awake = ?3 WHERE id = ?1",
            outlook.line,
            outlook.awake,
        )
        if outlook.turn is not None:
            await self.transact(*self._turn_statements(table_id, outlook.turn))

    async def archive(self, table_id: str) -> None:
        await self._set_archived(table_id, True)

    async def unarchive(self, table_id: str) -> None:
        await self._set_archived(table_id, False)

    async def delete(self, table_id: str) -> None:
        check_table_id(table_id)
        await self._change(table_id, f"DELETE FROM {self.schema}game_table WHERE id = ?1")

    async def _set_archived(self, table_id: str, archived: bool) -> None:
        check_table_id(table_id)
        await self._change(
            table_id, f"UPDATE {self.schema}game_table SET archived = ?2 WHERE id = ?1", archived
        )

    async def _standings(self, condition: str, *parameters: Any) -> list[Standing]:
        found = await self.fetch(
            f"SELECT id, active_at, line, awake FROM {self.schema}game_table WHERE {condition}",
            *parameters,
        )
        return [
            Standing(table_id, active_at, Outlook(line, bool(awake)))
            for table_id, active_at, line, awake in found
        ]

    def _turn_statements(self, table_id: str, turn: Turn) -> list[Statement]:
        """Write the turn of a table and its notices; those of earlier turns are not sent."""
        at = self.schema
        if not turn.holder:
            return [
                Statement(f"DELETE FROM {at}notice WHERE table_id = ?1", (table_id,)),
                Statement(f"DELETE FROM {at}turn WHERE table_id = ?1", (table_id,)),
            ]
        of_earlier_turns = f"DELETE FROM {at}notice WHERE table_id = ?1 AND n <> ?2"
        to_turn = (
            f"INSERT INTO {at}turn (table_id, n, holder, until, vacation)"
            " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (table_id) DO UPDATE SET"
            " n = excluded.n, holder = excluded.holder, until = excluded.until,"
            " vacation = excluded.vacation"
        )
        to_outbox = (
            f"INSERT INTO {at}notice (table_id, n, kind, due_at) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (table_id, n, kind) DO UPDATE SET due_at = excluded.due_at"
            " WHERE notice.addressed = 0"
        )
        written = (table_id, turn.n, turn.holder, turn.until, turn.vacation)
        return [
            Statement(of_earlier_turns, (table_id, turn.n)),
            Statement(to_turn, written),
            *(
                Statement(to_outbox, (table_id, turn.n, kind, due_at))
                for kind, due_at in turn.notices
            ),
        ]

    async def _check_exists(self, table_id: str) -> None:
        query = f"SELECT 1 FROM {self.schema}game_table WHERE id = ?1"
        if not await self.fetch(query, table_id):
            raise NoSuchTable(table_id)
