"""Tables, functions and migrations of the PostgreSQL schema ``archipel``.

Version k is the result of the first k migrations (``migration-*.sql``). Released migrations never
change: add a new one at the end. During a rolling restart, workers of the previous version use the
new schema, so a migration may drop only what the previous version no longer used.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from archipel.store.errors import StoreFailed
from archipel.store.postgresql.connections import translated_errors

if TYPE_CHECKING:
    import asyncpg

SCHEMA = "archipel"
#: Advisory lock of the migration: several workers may start at the same time.
_LOCK = 0x41524350  # "ARCP"

MIGRATIONS = tuple(
    Path(__file__).with_name(f"migration-{version}.sql").read_text("utf-8") for version in (1, 2)
)


async def migrate(connection: "asyncpg.Connection[Any]") -> None:
    """Migrate the database to the current version; raises `StoreFailed` if it is newer."""
    with translated_errors("the database cannot be migrated"):
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", _LOCK)
            found = await version(connection)
            if found > len(MIGRATIONS):
                raise StoreFailed(
                    f"the database was made by a newer Archipel (schema {found}; this one knows"
                    f" {len(MIGRATIONS)}): upgrade first"
                )
            if found == len(MIGRATIONS):
                return
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS archipel.version (number integer NOT NULL)"
            )
            for migration in MIGRATIONS[found:]:
                await connection.execute(migration)
            await connection.execute("DELETE FROM archipel.version")
            await connection.execute("INSERT INTO archipel.version VALUES ($1)", len(MIGRATIONS))


async def version(connection: "asyncpg.Connection[Any]") -> int:
    """The schema's version; 0 if there is none."""
    if await connection.fetchval("SELECT to_regclass('archipel.version')") is None:
        return 0
    return int(await connection.fetchval("SELECT number FROM archipel.version") or 0)
