"""PostgreSQL addresses and connections; errors of the library become errors of the store."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from archipel.store.errors import StoreClosed, StoreError, StoreFailed

_SCHEMES = ("postgresql://", "postgres://")


def is_postgresql(database: object) -> bool:
    """Whether a database name is a PostgreSQL address, not a file."""
    return isinstance(database, str) and database.startswith(_SCHEMES)


def without_password(address: str) -> str:
    """The address to print or log, also if it is malformed."""
    scheme, _, rest = address.partition("://")
    place, question, query = rest.partition("?")
    host, slash, name = place.partition("/")
    user, at, host = host.rpartition("@")
    kept = [part for part in query.split("&") if not part.startswith("password=")]
    question = question if any(kept) else ""
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{slash}{name}{question}{'&'.join(kept)}"


if TYPE_CHECKING:
    import asyncpg

CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 10.0
#: Set explicitly: the defaults of a database could make commits less durable.
_SETTINGS = {"application_name": "archipel", "synchronous_commit": "on", "timezone": "UTC"}


class NoLibrary(StoreError):
    def __init__(self) -> None:
        super().__init__("PostgreSQL needs a library: pip install 'archipel[postgresql]'")


def library() -> Any:
    """Import asyncpg; raises `NoLibrary`, which says how to install it."""
    try:
        import asyncpg
    except ImportError as error:
        raise NoLibrary from error
    return asyncpg


@contextmanager
def translated_errors(what: str) -> Iterator[None]:
    """Raise `StoreError` in place of the library's errors."""
    driver = library()
    try:
        yield
    except driver.InterfaceError as error:
        if "pool is clos" in str(error):
            raise StoreClosed from error
        raise StoreFailed(f"{what}: {error}") from error
    except (driver.PostgresError, driver.InternalClientError, OSError, TimeoutError) as error:
        raise StoreFailed(f"{what}: {_in_one_line(error)}") from error


async def connect(address: str, *, patient: bool = False) -> "asyncpg.Connection[Any]":
    """Open one connection; raises `StoreFailed`, whose message never contains the password.

    ``patient``: without a time limit for commands.
    """
    driver = library()
    with _opening(address):
        connection: asyncpg.Connection[Any] = await driver.connect(
            address,
            timeout=CONNECT_SECONDS,
            command_timeout=None if patient else COMMAND_SECONDS,
            server_settings=_SETTINGS,
        )
    return connection


async def make_pool(address: str, size: int) -> "asyncpg.Pool[Any]":
    """Open a connection pool."""
    driver = library()

    async def reset(connection: "asyncpg.pool.PoolConnectionProxy[Any]") -> None:
        # A full reset after each use would cost as much as an append. Only an interrupted
        # transaction leaves anything behind.
        if connection.is_in_transaction():
            await connection.reset()

    with _opening(address):
        pool: asyncpg.Pool[Any] = await driver.create_pool(
            address,
            min_size=0,  # connects at the first request, not while the database is down
            max_size=size,
            timeout=CONNECT_SECONDS,
            command_timeout=COMMAND_SECONDS,
            server_settings=_SETTINGS,
            reset=reset,
        )
    return pool


@contextmanager
def _opening(address: str) -> Iterator[None]:
    driver = library()
    try:
        yield
    except (driver.PostgresError, driver.InterfaceError, OSError, TimeoutError) as error:
        why = _in_one_line(error)
        raise StoreFailed(f"{without_password(address)} cannot be opened: {why}") from error
    except ValueError as error:  # a malformed address; the message may contain the password
        raise StoreFailed(f"{without_password(address)} cannot be opened: bad address") from error


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
