"""Connections to PostgreSQL, and what goes wrong with them told in the words of a store."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from archipel.store.errors import StoreClosed, StoreError, StoreFailed
from archipel.store.postgresql.address import without_password

if TYPE_CHECKING:
    import asyncpg

CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 10.0
#: So that an answer means what it says, whatever the database does by default.
_SETTINGS = {"application_name": "archipel", "synchronous_commit": "on", "timezone": "UTC"}


class NoLibrary(StoreError):
    def __init__(self) -> None:
        super().__init__("PostgreSQL needs a library: pip install 'archipel[postgresql]'")


def library() -> Any:
    """The library, or the line that says how to get it."""
    try:
        import asyncpg
    except ImportError as error:
        raise NoLibrary from error
    return asyncpg


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Turn what the library raises into what a store raises."""
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
    """One connection; raises `StoreFailed`, which never tells the password.

    ``patient``: what is asked may take as long as it takes.
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
    """Connections to share."""
    driver = library()

    async def tidy(connection: "asyncpg.pool.PoolConnectionProxy[Any]") -> None:
        # Nothing outlives what is done with a connection here, unless it was broken off: asking the
        # server to forget it all every time would cost as much as an append.
        if connection.is_in_transaction():
            await connection.reset()

    with _opening(address):
        pool: asyncpg.Pool[Any] = await driver.create_pool(
            address,
            min_size=0,  # where the database is away nothing need be tried before somebody asks
            max_size=size,
            timeout=CONNECT_SECONDS,
            command_timeout=COMMAND_SECONDS,
            server_settings=_SETTINGS,
            reset=tidy,
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
    except ValueError as error:  # an address that cannot be read; its words may quote the password
        raise StoreFailed(f"{without_password(address)} cannot be opened: bad address") from error


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
