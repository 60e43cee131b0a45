"""Repeated requests to create or join a table return the first answer."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from archipel.tables.commands import Join, NewTable, SeatWish
from tests.support.memory_store import MemoryStore
from tests.tables.people import QUICK, HandClock, make_service, refusal

MINUTE = 60_000
REQUEST = "r" * 22
WISH = NewTable("deep-sea", [SeatWish(), SeatWish(), SeatWish()], "Ana", request=REQUEST)
JOIN = Join("Bo", request=REQUEST)


def test_two_requests_at_once_make_one_table() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store)
        first, second = await asyncio.gather(service.create(WISH), service.create(WISH))
        assert first == second
        assert len(await store.tables()) == 1
        assert await service.create(WISH) == first
        other = NewTable("deep-sea", [SeatWish(), SeatWish()], "Ana", request=REQUEST)
        assert (await service.create(other)).table != first.table
        assert len(await store.tables()) == 2

    asyncio.run(course())


def test_without_an_id_each_request_is_one_of_its_own() -> None:
    async def course() -> None:
        service = make_service()
        wish = NewTable("deep-sea", [SeatWish(), SeatWish()], "Ana")
        assert (await service.create(wish)).table != (await service.create(wish)).table

    asyncio.run(course())


def test_a_seat_is_taken_once_and_the_id_alone_opens_nothing() -> None:
    async def course() -> None:
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

    asyncio.run(course())


def test_what_was_refused_may_be_tried_again() -> None:
    async def course() -> None:
        service = make_service()
        table = (await service.create(WISH)).table
        taken = Join("Ana", request=REQUEST)
        for _ in range(2):
            assert (await refusal(service.join(table, taken))).code == "name_taken"
        assert (await service.join(table, JOIN)).seat == 1

    asyncio.run(course())


def test_answers_are_remembered_for_a_while_and_not_without_end() -> None:
    async def course() -> None:
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

    asyncio.run(course())


def replace_name(name: str) -> NewTable:
    return NewTable("deep-sea", WISH.seats, name, request=REQUEST)
