"""The deal of the day: for each game an origin that nobody sits at, whose deal anybody may play
against the same bots.

Nobody is there to seal nonces, so the secrets of the days are fixed long before: they form a hash
chain. The secret of a day is the SHA-256 of that of the next day, so the commitment of a day is the
secret of the day before, which is published when that day is over. All days of a chain follow from
its last secret, which was drawn when the chain began; its *anchor*, the commitment of its first
day, has been public since. Whoever noted any one of these hashes can check all later days with
``archipel verify --commitment``.

A deal can be begun on its day (UTC) and played to its end until the end of the next day.
"""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, date, datetime
from functools import lru_cache
from hashlib import sha256

from msgspec import structs

from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.store.errors import NoSuchTable, StoreError, TableExists
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.decisions.context import follow
from archipel.tables.decisions.seating import open_table
from archipel.tables.keys import Keys, hash_of, new_token
from archipel.tables.log import events
from archipel.tables.log.fair_chance import SECRET_BYTES, commitment
from archipel.tables.problems import refuse, refuse_if
from archipel.tables.registry import TableRegistry
from archipel.tables.settings import DAY

_ID = re.compile(r"daily-(\d{4}-\d{2}-\d{2})-([a-z0-9-]{1,15})")
#: Days of a chain: eleven years, and a few milliseconds to compute the first secret.
CHAIN_DAYS = 4_096
#: How often, and at which interval, to check whether another worker has made an origin.
_CHECKS = 20
_CHECK_SECONDS = 0.1
#: Everybody has the first seat, and bots the others.
SEATS = 3


def id_of(day: int, game: str) -> str:
    """The id of the origin of a day, which counts from 1970."""
    return f"daily-{date.fromordinal(_EPOCH + day).isoformat()}-{game}"


_EPOCH = date(1970, 1, 1).toordinal()


def day_of(table_id: str) -> int | None:
    """The day of an origin; None if the id is of no day."""
    found = _ID.fullmatch(table_id)
    try:
        return None if found is None else date.fromisoformat(found[1]).toordinal() - _EPOCH
    except ValueError:
        return None


def game_of(table_id: str) -> str:
    """The game of the origin of a day; empty if the id is of no day."""
    found = _ID.fullmatch(table_id)
    return found[2] if found is not None and day_of(table_id) is not None else ""


def ends_at(table_id: str) -> int:
    """When the games of a day end (Unix milliseconds): at the end of the next day."""
    return ((day_of(table_id) or 0) + 2) * DAY


def may_begin(table_id: str, now: int) -> bool:
    """Whether tables may still be added: always, unless the id is of another day."""
    day = day_of(table_id)
    return day is None or now // DAY == day


def is_due(table_id: str, now: int) -> bool | None:
    """Whether the games of a day have to end; None if the id is of no day."""
    return now >= ends_at(table_id) if game_of(table_id) else None


def today(now: int) -> str:
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


# ---- the chain ----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def secret_of(last: bytes, day: int) -> bytes:
    """The secret of a day, from the last secret of its chain."""
    secret = last
    for _ in range(CHAIN_DAYS - 1 - day % CHAIN_DAYS):
        secret = sha256(secret).digest()
    return secret


def chain_id(day: int, game: str) -> str:
    return f"daily-chain-{game}-{day // CHAIN_DAYS}"


async def ensure(registry: TableRegistry, table_id: str) -> None:
    """Make the origin of a day, if it is today's and was not yet made; raises `Refusal`."""
    day, game = day_of(table_id), game_of(table_id)
    refuse_if(not registry.settings.daily, "no_table")
    if day is None or registry.clock() // DAY != day:
        return
    if await _exists(registry, table_id):
        return
    try:
        game_named(game)
    except UnknownGameError:
        raise refuse("no_table") from None
    chain = chain_id(day, game)
    if not await _exists(registry, chain):
        last = registry.randomness(SECRET_BYTES)
        await _make(registry, chain, game, last, commitment(secret_of(last, 0)), chain=True)
    async with registry.lock(chain, fresh=True) as live:
        secret = secret_of(live.secret, day)
    await _make(registry, table_id, game, secret, commitment(secret))


async def _exists(registry: TableRegistry, table_id: str) -> bool:
    try:
        return await registry.store.last(table_id) > 0
    except NoSuchTable:
        return False
    except StoreError as error:
        raise refuse("unavailable") from error


async def _make(
    registry: TableRegistry,
    table_id: str,
    game: str,
    secret: bytes,
    promised: str,
    *,
    chain: bool = False,
) -> None:
    """Store a table that nobody can sit at, unless another worker just did.

    The table of a chain only keeps its last secret. It plays no deal, so nothing ever opens that.
    """
    context = structs.replace(registry.context_of_new_table(game), secret=secret)
    seats = min(max(SEATS, game_named(game).seats[0]), game_named(game).seats[-1])
    wishes = [SeatWish(kept=True), *[SeatWish(context.usual_bot)] * (seats - 1)]
    new = NewTable(game, wishes, "-", my_seat=None, hints=False, duplicate=not chain)
    created, *bots = open_table(table_id, new, context)
    assert isinstance(created, events.Created)
    opened = [structs.replace(created, commitment=promised), *bots]
    if chain:
        opened.append(events.Closed(None))
    nobody = Keys(hash_of(new_token(registry.randomness)), (None,) * seats, (None,) * seats)
    try:
        await registry.create(follow(None, opened, context.now), nobody, context)
    except TableExists:
        for _ in range(_CHECKS):
            if await _exists(registry, table_id):
                return
            await asyncio.sleep(_CHECK_SECONDS)
        await registry.delete(table_id)  # the other worker died and left an empty table
        raise refuse("unavailable") from None
