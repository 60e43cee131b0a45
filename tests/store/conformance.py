"""The conformance suite of event stores. Each check gets a subject whose store is empty.

To test another store, add a `Subject` in `test_conformance.py`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from archipel.store.errors import (
    Conflict,
    InvalidRequest,
    NoSuchTable,
    StoreClosed,
    TableArchived,
    TableExists,
)
from archipel.store.protocol import Appended, Event, EventStore, Outlook, Standing, TableInfo
from tests.store.subjects import SMALL_LIMITS, Subject

Check = Callable[[Subject], Coroutine[Any, Any, None]]

#: Checks of a store with default limits, and of one with `SMALL_LIMITS`.
CHECKS: list[Check] = []
LIMIT_CHECKS: list[Check] = []


def conformance(check: Check) -> Check:
    CHECKS.append(check)
    return check


def limit_conformance(check: Check) -> Check:
    LIMIT_CHECKS.append(check)
    return check


@asynccontextmanager
async def opened(subject: Subject) -> AsyncIterator[EventStore]:
    store = await subject.open()
    try:
        yield store
    finally:
        await store.close()


async def bodies(store: EventStore, table_id: str) -> list[bytes]:
    return [event.body for event in await store.read(table_id)]


@conformance
async def numbers_start_at_one_and_have_no_gaps(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"header")
        assert await store.last("t") == 0
        assert await store.read("t") == []
        assert await store.append("t", 0, [b"a"]) == Appended(1, 1, 1000)
        subject.clock.now = 1001
        assert await store.append("t", 1, [b"b", b"c"]) == Appended(2, 3, 1001)
        assert await store.last("t") == 3
        assert await store.read("t") == [
            Event(1, 1000, b"a"),
            Event(2, 1001, b"b"),
            Event(3, 1001, b"c"),
        ]


@conformance
async def tables_are_independent(subject: Subject) -> None:
    async with opened(subject) as store:
        for table_id in ("one", "One", "one-1"):
            await store.create_table(table_id, table_id.encode())
        await store.append("one", 0, [b"a"], "request", private={"key": b"secret"})
        assert await store.last("One") == 0
        assert await store.get_private("One", "key") is None
        assert not (await store.append("one-1", 0, [b"b"], "request")).repeated
        assert await store.header("One") == b"One"


@conformance
async def any_bytes_are_preserved(subject: Subject) -> None:
    every_byte = bytes(range(256))
    async with opened(subject) as store:
        await store.create_table("t", every_byte, private={"key": every_byte})
        await store.append("t", 0, [every_byte, b""])
        store = await subject.reopen(store)
        assert await store.header("t") == every_byte
        assert await bodies(store, "t") == [every_byte, b""]
        assert await store.get_private("t", "key") == every_byte
        await store.close()


@conformance
async def a_stale_append_is_a_conflict(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        await store.append("t", 0, [b"a", b"b"])
        for expected_n in (0, 1, 3):
            with pytest.raises(Conflict) as caught:
                await store.append("t", expected_n, [b"x"], "request", private={"key": b"x"})
            assert caught.value.actual_n == 2
        assert await bodies(store, "t") == [b"a", b"b"]
        assert await store.get_private("t", "key") is None
        # A refused request is not stored: it may succeed later.
        assert not (await store.append("t", 2, [b"c"], "request")).repeated


@conformance
async def a_repeated_request_returns_the_first_answer(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        first = await store.append("t", 0, [b"a", b"b"], "request", private={"key": b"first"})
        await store.append("t", 2, [b"c"], "other")
        subject.clock.now += 5
        again = Appended(first.first_n, first.last_n, first.at, repeated=True)
        assert await store.append("t", 0, [b"a", b"b"], "request") == again
        store = await subject.reopen(store)
        assert await store.append("t", 0, [b"a", b"b"], "request") == again
        assert await store.append("t", 99, [b"z"], "request", private={"key": b"z"}) == again
        assert await bodies(store, "t") == [b"a", b"b", b"c"]
        assert await store.get_private("t", "key") == b"first"
        await store.close()


@conformance
async def a_double_tap_is_one_event(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        answers = await asyncio.gather(*(store.append("t", 0, [b"a"], "tap") for _ in range(10)))
        assert sorted(answer.repeated for answer in answers) == [False] + [True] * 9
        assert {(answer.first_n, answer.last_n) for answer in answers} == {(1, 1)}
        assert await bodies(store, "t") == [b"a"]


@conformance
async def concurrent_writers_agree_on_one_order(subject: Subject) -> None:
    writers, moves = 50, 4
    async with opened(subject) as store:
        await store.create_table("t", b"")

        async def write(writer: int) -> list[int]:
            numbers: list[int] = []
            expected_n = 0
            while len(numbers) < moves:
                body = f"{writer} {len(numbers)}".encode()
                try:
                    answer = await store.append("t", expected_n, [body], f"{writer}/{len(numbers)}")
                except Conflict as conflict:
                    expected_n = conflict.actual_n
                else:
                    expected_n = answer.last_n
                    numbers.append(answer.first_n)
                await asyncio.sleep(0)  # the store in memory never waits: lets the others run
            return numbers

        numbers_of = await asyncio.gather(*(write(writer) for writer in range(writers)))
        events = await store.read("t")
        assert [event.n for event in events] == list(range(1, writers * moves + 1))
        for writer, numbers in enumerate(numbers_of):
            assert numbers == sorted(numbers)
            for move, n in enumerate(numbers):
                assert events[n - 1].body == f"{writer} {move}".encode()


@conformance
async def private_data_is_written_with_its_event(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"", private={"secret": b"1", "seat/0": b"2"})
        assert await store.get_private("t", "secret") == b"1"
        assert await store.get_private("t", "seat/0") == b"2"
        assert await store.get_private("t", "seat/1") is None
        with pytest.raises(TableExists):
            await store.create_table("t", b"", private={"secret": b"other"})
        await store.append("t", 0, [b"a"], private={"seat/0": b"3", "seat/1": b"4"})
        await store.put_private("t", "seat/1", b"5")
        store = await subject.reopen(store)
        assert [await store.get_private("t", key) for key in ("secret", "seat/0", "seat/1")] == [
            b"1",
            b"3",
            b"5",
        ]
        assert await bodies(store, "t") == [b"a"]
        await store.close()


@conformance
async def reads_are_paged(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        await store.append("t", 0, [b"%d" % n for n in range(1, 8)])
        seen: list[int] = []
        while page := await store.read("t", after=seen[-1] if seen else 0, limit=3):
            assert len(page) <= 3
            seen += [event.n for event in page]
        assert seen == [1, 2, 3, 4, 5, 6, 7]
        assert await store.read("t", after=7) == []
        assert await store.read("t", after=2**63 - 1) == []


@conformance
async def tables_are_listed_by_activity(subject: Subject) -> None:
    async with opened(subject) as store:
        for table_id in ("a", "b", "c", "d", "e"):
            await store.create_table(table_id, b"")  # all at 1000: then by name
        subject.clock.now = 2000
        await store.append("b", 0, [b"", b""])
        subject.clock.now = 3000
        await store.put_private("a", "key", b"")
        await store.archive("d")
        expected = [
            TableInfo("b", 1000, 2000, 2, False),
            TableInfo("e", 1000, 1000, 0, False),
            TableInfo("c", 1000, 1000, 0, False),
            TableInfo("a", 1000, 1000, 0, False),
        ]
        assert await store.tables() == expected
        archived = TableInfo("d", 1000, 1000, 0, True)
        assert await store.tables(archived=True) == [archived]
        assert await store.tables(archived=None) == [*expected[:2], archived, *expected[2:]]
        pages: list[TableInfo] = []
        while page := await store.tables(before=pages[-1].cursor if pages else None, limit=3):
            pages += page
        assert pages == expected
        assert await store.tables(before=(2000, "")) == expected[1:]
        assert await store.tables(before=(1000, "")) == []


@conformance
async def an_archived_table_is_read_only(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"header")
        first = await store.append("t", 0, [b"a"], "request")
        for _ in range(2):
            await store.archive("t")
        with pytest.raises(TableArchived):
            await store.append("t", 1, [b"b"])
        with pytest.raises(TableArchived):
            await store.put_private("t", "key", b"")
        repeated = await store.append("t", 0, [b"a"], "request")
        assert (repeated.last_n, repeated.repeated) == (first.last_n, True)
        assert await bodies(store, "t") == [b"a"]
        assert await store.header("t") == b"header"
        for _ in range(2):
            await store.unarchive("t")
        assert (await store.append("t", 1, [b"b"])).last_n == 2


@conformance
async def a_deleted_table_leaves_nothing(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"old", private={"key": b"old"})
        await store.create_table("other", b"")
        await store.append("t", 0, [b"old"], "request")
        await store.delete("t")
        assert [info.table_id for info in await store.tables(archived=None)] == ["other"]
        await store.create_table("t", b"new")
        assert await store.read("t") == []
        assert await store.get_private("t", "key") is None
        assert not (await store.append("t", 0, [b"new"], "request")).repeated


@conformance
async def an_unknown_table_is_named(subject: Subject) -> None:
    async with opened(subject) as store:
        for call in (
            store.append("nowhere", 0, [b"a"]),
            store.read("nowhere"),
            store.last("nowhere"),
            store.header("nowhere"),
            store.archive("nowhere"),
            store.unarchive("nowhere"),
            store.delete("nowhere"),
            store.put_private("nowhere", "key", b""),
            store.get_private("nowhere", "key"),
        ):
            with pytest.raises(NoSuchTable, match="nowhere"):
                await call
        assert await store.tables(archived=None) == []


@conformance
async def arguments_are_copied(subject: Subject) -> None:
    async with opened(subject) as store:
        events = [b"a"]
        private = {"key": b"a"}
        await store.create_table("t", b"", private=private)
        writing = asyncio.create_task(store.append("t", 0, events, private=private))
        await asyncio.sleep(0)
        events[0] = private["key"] = b"z"
        await writing
        (await store.read("t")).clear()
        assert await bodies(store, "t") == [b"a"]
        assert await store.get_private("t", "key") == b"a"


@conformance
async def a_cancelled_append_is_all_or_nothing(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        writes = [asyncio.create_task(store.append("t", 0, [b"a", b"b"], "r")) for _ in range(5)]
        await asyncio.sleep(0)
        for write in writes[:3]:
            write.cancel()
        await asyncio.gather(*writes, return_exceptions=True)
        await store.append("t", 0, [b"a", b"b"], "r")
        assert await bodies(store, "t") == [b"a", b"b"]


@conformance
async def a_closed_store_raises(subject: Subject) -> None:
    store = await subject.open()
    await store.create_table("t", b"")
    await store.close()
    await store.close()
    for call in (
        store.create_table("u", b""),
        store.append("t", 0, [b"a"]),
        store.read("t"),
        store.tables(),
        store.get_private("t", "key"),
        store.delete("t"),
    ):
        with pytest.raises(StoreClosed):
            await call


@limit_conformance
async def sizes_at_the_limits_are_accepted(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("T_-9" * 16, b"h" * 20)
        await store.create_table("t", b"", private={"a": b"p" * 10, "b": b""})
        await store.append("t", 0, [b"b" * 10] * 3, "r" * 128)
        assert len(await store.read("t", limit=100)) == 3


@limit_conformance
async def sizes_over_a_limit_are_refused(subject: Subject) -> None:
    assert SMALL_LIMITS.body_bytes == 10
    async with opened(subject) as store:
        await store.create_table("t", b"")
        for call in (
            *(store.create_table(name, b"") for name in ("", "a b", "é", "a/b", "a\n", "a" * 65)),
            store.create_table("u", b"h" * 21),
            store.create_table("u", b"", private={"key": b"p" * 11}),
            store.create_table("u", b"", private={"a": b"", "b": b"", "c": b""}),
            store.create_table("u", b"", private={"not a key": b""}),
            store.append("t", 0, []),
            store.append("t", 0, [b""] * 4),
            store.append("t", 0, [b"a", b"b" * 11]),
            store.append("t", 0, [bytearray(b"a")]),  # type: ignore[list-item]
            store.append("t", -1, [b"a"]),
            store.append("t", 2**63, [b"a"]),
            store.append("t", 0, [b"a"], ""),
            store.append("t", 0, [b"a"], "r" * 129),
            store.append("t", 0, [b"a"], "with space"),
            store.append("t", 0, [b"a"], private={"key": b"p" * 11}),
            store.put_private("t", "key", b"p" * 11),
            store.put_private("t", "", b""),
            store.get_private("t", ""),
            store.read("t", limit=0),
            store.read("t", limit=101),
            store.read("t", after=-1),
            store.tables(limit=101),
            store.tables(before=(-1, "t")),
            store.tables(before=(0, "\ud800")),
        ):
            with pytest.raises(InvalidRequest):
                await call
        assert [info.table_id for info in await store.tables(archived=None)] == ["t"]
        assert await store.last("t") == 0
        assert await store.get_private("t", "key") is None


@conformance
async def activity_is_at_most_a_second_behind(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        for n in range(40):
            subject.clock.now += 130
            await store.append("t", n, [b"x"], outlook=Outlook(b"line"))
            (standing,) = await store.listed()
            assert 0 <= subject.clock.now - standing.active_at < 1000
            if n == 20:
                store = await subject.reopen(store)


@conformance
async def a_request_is_answered_once_wherever_it_comes(subject: Subject) -> None:
    """Also right after another write, when the store still knows where the table ends."""
    async with opened(subject) as store:
        await store.create_table("t", b"")
        first = await store.append("t", 0, [b"a"], "request")
        second = await store.append("t", 1, [b"b"], "another")
        again = Appended(first.first_n, first.last_n, first.at, repeated=True)
        assert await store.append("t", second.last_n, [b"c"], "request") == again
        assert await bodies(store, "t") == [b"a", b"b"]
        assert await store.append("t", second.last_n, [b"c"], "third") == Appended(3, 3, 1000)


@conformance
async def what_a_store_knows_of_a_table_ends_with_it(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.create_table("t", b"")
        await store.append("t", 0, [b"a"])
        await store.archive("t")
        with pytest.raises(TableArchived):
            await store.append("t", 1, [b"b"])
        await store.unarchive("t")
        await store.append("t", 1, [b"b"])
        await store.delete("t")
        with pytest.raises(NoSuchTable):
            await store.append("t", 2, [b"c"])
        await store.create_table("t", b"")
        with pytest.raises(Conflict):
            await store.append("t", 2, [b"c"])
        await store.append("t", 0, [b"new"])
        assert await bodies(store, "t") == [b"new"]


@conformance
async def an_outlook_is_kept_with_its_events(subject: Subject) -> None:
    async with opened(subject) as store:
        for table_id in ("a", "b", "c", "d"):
            await store.create_table(table_id, b"")
        assert await store.listed() == []
        assert await store.awake() == []
        both, line, neither = Outlook(b"line", awake=True), Outlook(b"another"), Outlook()
        for table_id, outlook in (("c", both), ("b", line), ("a", both), ("d", neither)):
            subject.clock.now += 1000
            await store.append(table_id, 0, [b"x"], outlook=outlook)
        assert await store.listed() == [
            Standing("a", 4000, both),
            Standing("b", 3000, line),
            Standing("c", 2000, both),
        ]
        assert await store.listed(1) == [Standing("a", 4000, both)]
        assert [standing.table_id for standing in await store.awake()] == ["a", "c"]
        assert [standing.table_id for standing in await store.awake("a", 1)] == ["c"]
        await store.append("a", 1, [b"y"])
        assert (await store.listed(1))[0].outlook == both  # unchanged without an outlook
        await store.append("a", 2, [b"z"], outlook=neither)
        await store.set_outlook("d", line)
        await store.archive("b")
        assert [standing.table_id for standing in await store.listed()] == ["d", "c"]
        await store.delete("c")
        assert await store.awake() == []
        with pytest.raises(NoSuchTable):
            await store.set_outlook("c", line)


@conformance
async def a_probe_leaves_no_trace(subject: Subject) -> None:
    async with opened(subject) as store:
        await store.probe()
        await store.probe()
        assert await store.tables() == []
    with pytest.raises(StoreClosed):
        await store.probe()
