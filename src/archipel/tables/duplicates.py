"""Duplicate play: several tables play the same deal, with the same chance.

The first table of a deal is its *origin*. Its secret and nonces are fixed as at any table, so its
commitment is known before anybody joins another table of the deal. All these tables draw from the
same key and number their draws by purpose (`archipel.tables.log.fair_chance`). The log of the
origin lists the other tables and the results.

The secret is opened, at all tables at once, when no table plays the deal any more. Until then a
table that is over shows neither the secret nor anything that would need it.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import structs

from archipel.tables import daily
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.decisions.context import Context, Events
from archipel.tables.decisions.seating import open_table
from archipel.tables.keys import roles
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Refusal, refuse_if
from archipel.tables.publishing.payloads import DuplicateResult, Duplicates
from archipel.tables.registry import TableRegistry
from archipel.tables.settings import DAY, MINUTE

#: A table that was announced but not created by then never will be.
_CREATION = MINUTE
#: A table that nobody has begun by then no longer keeps the secret of its deal shut.
_GATHERING = DAY
#: Tables of one deal.
MOST_DUPLICATES = 2_000


async def open_duplicate(
    registry: TableRegistry, table_id: str, new: NewTable, origin_id: str, context: Context
) -> tuple[Events, Context]:
    """The first events of a table that plays the deal of another one, and the context with its
    secret. The other table remembers it before it exists, so the secret stays shut."""
    if daily.game_of(origin_id):
        await daily.ensure(registry, origin_id)
    async with registry.lock(origin_id, fresh=True) as live:
        origin = live.table
        refuse_if(origin.origin != origin.id, "no_duplicate")
        refuse_if(origin.secret is not None or origin.stage == "closed", "duplicates_ended")
        refuse_if(not daily.may_begin(origin_id, registry.clock()), "duplicates_ended")
        refuse_if(origin.start is None and not daily.game_of(origin_id), "not_begun")
        refuse_if(len(origin.duplicates) >= MOST_DUPLICATES, "too_many_duplicates")
        refuse_if(new.game != origin.game, "no_duplicate")
        opened = _opened(table_id, new, origin, context)
        added = registry.follow(live, [events.DuplicateAdded(table_id)])
        await registry.commit(live, added)
        return opened, structs.replace(context, secret=live.secret)


def _opened(table_id: str, new: NewTable, origin: TableState, context: Context) -> Events:
    seats = [SeatWish(seat.bot if seat.kind == "bot" else None) for seat in origin.seats]
    like = structs.replace(
        new,
        seats=seats,
        options=dict(origin.options.values),
        public=False,
        hints=False,
        position="",
        what_if=None,
        lesson="",
        duplicate=True,
    )
    created, *others = open_table(table_id, like, context)
    assert isinstance(created, events.Created)
    shares = origin.nonces or ("",) * len(origin.seats), origin.seals or ("",) * len(origin.seats)
    return [
        structs.replace(created, commitment=origin.commitment),
        events.DuplicateOf(origin.id, nonces=list(shares[0]), seals=list(shares[1])),
        *others,
    ]


# ---- the end ------------------------------------------------------------------------------------


async def settle(registry: TableRegistry, origin_id: str) -> None:
    """Note the results of the tables that are done; open the secret once all are.

    Safe to repeat, and to stop at any point: the next call goes on.
    """
    async with registry.lock(origin_id, fresh=True) as live:
        origin, now = live.table, registry.clock()
        if origin.origin != origin.id:
            return
        if origin.secret is None:
            due = daily.is_due(origin_id, now)
            tables = {**origin.duplicates, **({} if due is not None else {origin_id: 0})}
            done: Events = []
            for table_id, at in tables.items():
                if table_id in origin.finished:
                    continue
                result = await _result(registry, live, table_id, at, close=bool(due))
                if result is not None:
                    done.append(result)
            if done:
                await registry.commit(live, registry.follow(live, done))
            if due is False or not live.table.finished.keys() >= tables.keys():
                return
            # Refused as stale if another worker has added a table meanwhile.
            opened = events.SecretOpened(live.secret.hex())
            await registry.commit(live, registry.follow(live, [opened]))
        secret = live.table.secret or ""
        for table_id in live.table.duplicates:
            await _open_secret(registry, table_id, secret)


async def _result(
    registry: TableRegistry, origin: LiveTable, table_id: str, at: int, *, close: bool
) -> events.DuplicateFinished | None:
    """The result of a table of the deal; None while it is being set up or played."""
    if table_id == origin.id:
        return _result_of(origin.table)
    try:
        async with registry.lock(table_id, fresh=True) as live:
            table, now = live.table, registry.clock()
            waits = table.stage == "gathering" and now - table.at > _GATHERING
            left = now - table.at > registry.settings.idle
            if table.stage in ("gathering", "playing") and (close or waits or left):
                await registry.commit(live, registry.follow(live, [events.Closed(None)]))
            return _result_of(live.table)
    except Refusal as refusal:
        if refusal.code != "no_table" or registry.clock() - at < _CREATION:
            return None
        return events.DuplicateFinished(table_id, [], [], [], [])


def _result_of(table: TableState) -> events.DuplicateFinished | None:
    if table.stage not in ("over", "closed"):
        return None
    result = table.result
    return events.DuplicateFinished(
        table.id,
        [seat.name for seat in table.seats],
        [seat for seat in table.people if not table.seats[seat].resigned],
        [] if result is None else list(result.ranks),
        [] if result is None else list(result.scores),
    )


async def _open_secret(registry: TableRegistry, table_id: str, secret: str) -> None:
    try:
        async with registry.lock(table_id, fresh=True) as live:
            if live.table.secret is None:
                opened = events.SecretOpened(secret)
                await registry.commit(live, registry.follow(live, [opened]))
    except Refusal as refusal:
        if refusal.code != "no_table":
            raise


# ---- results ------------------------------------------------------------------------------------


async def results(registry: TableRegistry, table_id: str, key: str) -> Duplicates:
    """All tables of the deal of a table, compared seat by seat.

    The links of the others are told only to somebody who has played the deal to its end, with the
    hash of their token at ``table_id``, until the secret is open: a table shows its deal.
    """
    if daily.game_of(table_id):
        await daily.ensure(registry, table_id)
    async with registry.lock(table_id) as live:
        own = live.table
        seats, _ = roles(live.keys, key)
        refuse_if(not own.origin, "no_duplicate")
        has_played = bool(seats) and own.stage == "over"
    await settle(registry, own.origin)
    async with registry.lock(own.origin) as live:
        return _shown(live.table, own.id if has_played else "")


async def all_results(registry: TableRegistry, origin_id: str) -> Duplicates:
    """As `results`, with the links of all tables, for callers that decide who may see them."""
    await settle(registry, origin_id)
    async with registry.lock(origin_id) as live:
        return _shown(live.table, origin_id)


def _shown(origin: TableState, reader: str) -> Duplicates:
    everything = origin.secret is not None or bool(reader)
    return Duplicates(
        origin=origin.id,
        game=origin.game,
        seats=len(origin.seats),
        commitment=origin.commitment,
        secret=origin.secret,
        ends_at=daily.ends_at(origin.id) / 1000 if daily.game_of(origin.id) else None,
        tables=len(origin.duplicates) + (not daily.game_of(origin.id)),
        results=compared(
            [
                DuplicateResult(
                    table=each.table if everything else None,
                    names=each.names,
                    people=each.people,
                    ranks=each.ranks,
                    scores=each.scores,
                    over_average=[],
                    points=[],
                )
                for each in origin.finished.values()
                if each.scores
            ]
        ),
    )


def compared(results: list[DuplicateResult]) -> list[DuplicateResult]:
    """The results of these tables, each seat compared with the same seat at the others."""
    return [
        structs.replace(
            each,
            over_average=[round(seat.over_average, 2) for seat in row],
            points=[round(seat.points, 4) for seat in row],
        )
        for each, row in zip(results, compare([each.scores for each in results]), strict=True)
    ]


@dataclass(frozen=True)
class Compared:
    """A seat at one table, compared with the same seat at the others.

    ``over_average``: its score less the mean score of that seat at the other tables. ``points``:
    the share of the other tables that it beat there, a tie counting half (matchpoints).
    """

    over_average: float
    points: float


def compare(scores: list[list[int]]) -> list[list[Compared]]:
    """Compare the scores of tables, which are by seat, as in duplicate bridge."""
    if len(scores) < 2:
        return [[Compared(0, 0.5) for _ in row] for row in scores]
    columns = [sorted(column) for column in zip(*scores, strict=True)]
    others = len(scores) - 1
    return [
        [
            Compared(
                own - (sum(column) - own) / others,
                (_below(column, own) + (column.count(own) - 1) / 2) / others,
            )
            for own, column in zip(row, columns, strict=True)
        ]
        for row in scores
    ]


def _below(column: list[int], own: int) -> int:
    return sum(other < own for other in column)
