"""Repeated requests to create or join a table return the first answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from archipel.tables.commands import Join, NewTable, SeatWish
from tests.support.memory_store import MemoryStore
from tests.tables.people import QUICK, HandClock, make_service, refusal

MINUTE = 60_000
REQUEST = "r" * 22
WISH = NewTable("deep-sea", [SeatWish(), SeatWish(), SeatWish()], "Ana", request=REQUEST)
JOIN = Join("Bo", request=REQUEST)


@pytest.mark.promise("once")
def test_concurrent_equal_requests_create_one_table() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        first, second = await asyncio.gather(service.create(WISH), service.create(WISH))
        assert first == second
        assert len(await store.tables()) == 1
        assert await service.create(WISH) == first
        other = NewTable("deep-sea", [SeatWish(), SeatWish()], "Ana", request=REQUEST)
        assert (await service.create(other)).table != first.table
        assert len(await store.tables()) == 2

    asyncio.run(scenario())


def test_requests_without_an_id_are_independent() -> None:
    async def scenario() -> None:
        service = make_service()
        new = NewTable("deep-sea", [SeatWish(), SeatWish()], "Ana")
        assert (await service.create(new)).table != (await service.create(new)).table

    asyncio.run(scenario())


def test_a_repeated_join_takes_one_seat_and_the_id_alone_opens_none() -> None:
    async def scenario() -> None:
        service = make_service()
        table = (await service.create(WISH)).table
        first, second = await asyncio.gather(service.join(table, JOIN), service.join(table, JOIN))
        assert first == second
        assert first.seat == 1
        another = await service.join(table, Join("Cy", request=REQUEST))
        assert another.seat == 2
        assert another.token != first.token
        kinds = [seat.kind for seat in (await service.table(table)).seats]
        assert kinds == ["person", "person", "person"]

    asyncio.run(scenario())


def test_a_refused_request_can_be_repeated() -> None:
    async def scenario() -> None:
        service = make_service()
        table = (await service.create(WISH)).table
        taken = Join("Ana", request=REQUEST)
        for _ in range(2):
            assert (await refusal(service.join(table, taken))).code == "name_taken"
        assert (await service.join(table, JOIN)).seat == 1

    asyncio.run(scenario())


def test_cached_answers_expire_and_are_limited_in_number() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock, settings=replace(QUICK, answers_kept=2))
        first = await service.create(WISH)
        clock.now += 9 * MINUTE
        assert await service.create(WISH) == first
        clock.now += 2 * MINUTE
        assert (await service.create(WISH)).table != first.table

        newest = await service.create(WISH)
        for name in ("Bo", "Cy"):
            await service.create(replace_name(name))
        assert (await service.create(WISH)).table != newest.table

    asyncio.run(scenario())


def replace_name(name: str) -> NewTable:
    return NewTable("deep-sea", WISH.seats, name, request=REQUEST)
