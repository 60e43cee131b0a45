"""Several workers on one database behave like one server."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

import pytest

from archipel.store.errors import LeaseLost
from archipel.store.postgresql.connections import connect
from archipel.tables import commands
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant
from archipel.tables.publishing import payloads
from archipel.tables.registration import StoredResponse
from tests.support.postgresql import database, execute
from tests.tables.people import QUICK, Friends, refusal
from tests.tables.workers import LEASE, Worker, two_workers, until

Course = Callable[[str], Awaitable[None]]


@pytest.fixture
def address() -> Iterator[str]:
    with database() as address:
        yield address


async def log_of(worker: Worker, table: str) -> list[events.Event]:
    return [events.decode(event.n, event.body).event for event in await worker.store.read(table)]


async def at(worker: Worker, friends: Friends, person: int = 0) -> Participant:
    return await worker.service.identify(friends.table, friends.tokens[person])


def test_events_accepted_by_one_worker_are_published_by_the_other(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            friends = await Friends.gather(one.service)
            ben = await at(other, friends, 1)
            subscription = await other.service.subscribe(ben)
            done = await friends.ask(0, commands.Say("r", "hello"))
            updates = (item async for item in subscription if isinstance(item, payloads.Update))
            assert (await asyncio.wait_for(anext(updates), 120)).n == done.n
            answer = await other.service.command(ben, commands.Say("r", "thanks"))
            assert answer.n == done.n + 1
            again = await one.service.command(ben, commands.Say("r", "thanks"))
            assert (again.n, again.repeated) == (answer.n, True)

    asyncio.run(scenario())


def test_a_worker_without_news_repeats_the_answer_of_another(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            friends = await Friends.gather(one.service)
            ben = await at(other, friends, 1)
            one.cluster.bus.on_news = lambda table_id, n: None
            answer = await other.service.command(ben, commands.Say("r", "thanks"))
            again = await one.service.command(ben, commands.Say("r", "thanks"))
            assert (again.n, again.repeated) == (answer.n, True)

    asyncio.run(scenario())


@pytest.mark.promise("once")
def test_concurrent_commands_are_executed_once(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address, replace(QUICK, phrases=1000)) as (one, other):
            friends = await Friends.gather(one.service)
            seats = [await at(worker, friends, seat) for worker, seat in ((one, 0), (other, 1))]
            answers = await asyncio.gather(
                *(
                    worker.service.command(who, commands.Say(f"say{number}", "hello"))
                    for number in range(20)
                    for worker, who in zip((one, other), seats, strict=True)
                )
            )
            assert len({answer.n for answer in answers}) == 40
            said = [e for e in await log_of(one, friends.table) if isinstance(e, events.Said)]
            assert len(said) == 40

    asyncio.run(scenario())


def make_deaf(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Stop the news to a worker until the returned event is set."""
    mended = asyncio.Event()

    async def connect_later(address: str) -> object:
        await mended.wait()
        return await connect(address)

    monkeypatch.setattr("archipel.store.postgresql.bus.connect", connect_later)
    worker.cluster.bus._hang_up()
    return mended


def test_a_player_who_joined_at_one_worker_is_known_to_the_other(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            make_deaf(other, monkeypatch)
            made = await one.service.create(
                commands.NewTable("secret-cards", [commands.SeatWish()] * 3, "Ana")
            )
            await other.service.table(made.table)  # loads the table into its memory
            seated = await one.service.join(made.table, commands.Join("Ben"))
            assert (await other.service.identify(made.table, seated.token)).seats == (1,)
            assert (await other.service.join(made.table, commands.Join("Cleo"))).seat == 2

    asyncio.run(scenario())


def test_presence_is_shared_and_ends_with_its_worker(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address, replace(QUICK, away=0)) as (one, other):
            friends = await Friends.gather(one.service)
            ana, ben = await at(one, friends, 0), await at(other, friends, 1)
            subscription = await other.service.subscribe(ben)
            one.service.arrived(ana)
            other.service.arrived(ben)

            async def here(worker: Worker) -> list[bool]:
                return [seat.here for seat in (await worker.service.table(friends.table)).seats]

            async def both_here() -> bool:
                return await here(one) == await here(other) == [True, True]

            await until(both_here)
            await one.die()

            async def ana_is_away() -> bool:
                return await here(other) == [False, True]

            await until(ana_is_away)
            subscription.close()
            # Her seat can be handed to a bot, as after leaving this worker.
            await other.service.command(ben, commands.HandOver("r", 0))

    asyncio.run(scenario())


def test_another_worker_runs_the_bot_of_a_dead_worker(address: str) -> None:
    async def scenario() -> None:
        slow = replace(QUICK, bot_delay=30, bot_delay_for_undo=0)
        async with two_workers(address, slow) as (one, other):
            made = await one.service.create(
                commands.NewTable(
                    "deep-sea", [commands.SeatWish("random")] * 3, "Ana", my_seat=None, begin=True
                )
            )
            await until(lambda: made.table in one.leased | other.leased)
            holder, successor = (one, other) if made.table in one.leased else (other, one)
            before = await successor.store.last(made.table)

            async def goes_on() -> bool:
                return await successor.store.last(made.table) > before + 3

            await until(goes_on)
            await holder.die()
            before = await successor.store.last(made.table)
            await until(goes_on)
            played = [
                event
                for event in await log_of(successor, made.table)
                if isinstance(event, events.Played)
            ]
            assert len(played) > 6

    asyncio.run(scenario())


def test_a_worker_that_lost_its_lease_cannot_write_with_it(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address, lease=60) as (one, other):
            friends = await Friends.gather(one.service)
            cluster = one.cluster
            assert [each.table_id for each in await cluster.acquire([friends.table])]
            assert await other.cluster.acquire([friends.table]) == []
            n = await one.store.last(friends.table)
            body = events.encode(events.Entry(0, events.Said(0, "hello")))
            await cluster.append(friends.table, n, [body])
            id_then = cluster.id
            # Longer than the lease of a suspended process.
            execute_at = f"UPDATE archipel.worker SET until = now() WHERE id = '{id_then}'"
            await asyncio.to_thread(execute, address, execute_at)
            with pytest.raises(LeaseLost):
                await one.store.append(friends.table, n + 1, [body], keeper=id_then)
            assert [each.table_id for each in await other.cluster.acquire([friends.table])]
            assert one.service._worker is not None
            await one.service._worker._beat()
            assert cluster.id != id_then  # it joins again under a new id
            with pytest.raises(LeaseLost):
                await cluster.append(friends.table, n + 1, [body])
            await other.cluster.append(friends.table, n + 1, [body])

    asyncio.run(scenario())


@pytest.mark.promise("order")
def test_no_event_is_missed_after_the_bus_reconnects(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            friends = await Friends.gather(one.service)
            ben = await at(other, friends, 1)
            subscription = await other.service.subscribe(ben)
            for number in range(3):
                opened = other.cluster.bus.openings
                cut = asyncio.to_thread(
                    execute,
                    address,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name = 'archipel bus' AND datname = current_database()",
                )
                _, done = await asyncio.gather(
                    cut, friends.ask(0, commands.Say("r", "hello"), f"say-{number}")
                )
                n = 0
                while n < done.n:
                    n = getattr(await asyncio.wait_for(anext(subscription), 120), "n", n)
                await until(lambda opened=opened: other.cluster.bus.openings > opened)

    asyncio.run(scenario())


def test_live_clocks_stop_while_no_worker_holds_the_lease(address: str) -> None:
    async def scenario() -> None:
        clock = commands.Clock("live", 60, 0)
        settings = replace(QUICK, gap=200)
        began = time.monotonic()
        one = await Worker.begin(address, settings)
        friends = await Friends.gather(one.service, clock=clock)
        await until(lambda: friends.table in one.leased)
        await one.die()
        # No worker runs for longer than a gap.
        await asyncio.sleep(LEASE + 0.5)
        other = await Worker.begin(address, settings)
        restarted: list[events.ClocksRestarted] = []

        async def is_restarted() -> bool:
            log = await log_of(other, friends.table)
            restarted[:] = [event for event in log if isinstance(event, events.ClocksRestarted)]
            return bool(restarted)

        await until(is_restarted)
        assert restarted[-1].spent < 1000 * (time.monotonic() - began)
        await other.end()

    asyncio.run(scenario())


def test_clocks_continue_if_another_worker_takes_the_lease_in_time(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address, replace(QUICK, gap=600_000)) as (one, other):
            friends = await Friends.gather(one.service, clock=commands.Clock("live", 600, 0))
            await until(lambda: friends.table in one.leased | other.leased)
            holder, successor = (one, other) if friends.table in one.leased else (other, one)
            await holder.die()
            await until(lambda: friends.table in successor.leased)
            log = await log_of(successor, friends.table)
            assert not any(isinstance(event, events.ClocksRestarted) for event in log)

    asyncio.run(scenario())


def test_workers_use_the_clock_of_the_database(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock of a worker's own machine is not used."""
    wrong = itertools.cycle([10**12, 3 * 10**12])
    monkeypatch.setattr("archipel.store.clock.unix_milliseconds", lambda: next(wrong))
    monkeypatch.setattr("time.time_ns", lambda: next(wrong) * 10**6)

    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            assert abs(one.cluster.clock() - other.cluster.clock()) < 20_000
            friends = await Friends.gather(one.service)
            ben = await at(other, friends, 1)
            await other.service.command(ben, commands.Say("r", "hello"))
            times = [
                events.decode(kept.n, kept.body).at for kept in await one.store.read(friends.table)
            ]
            assert times == sorted(times)
            assert times[-1] - times[0] < 600_000
            assert 1.7e12 < times[0] < 2.9e12

    asyncio.run(scenario())


def test_a_worker_that_takes_no_leases_leaves_tables_to_others(address: str) -> None:
    async def scenario() -> None:
        page = await Worker.begin(address, keeps=False)
        new = commands.NewTable(
            "secret-cards", [commands.SeatWish("random")] * 2, "Ana", my_seat=None, begin=True
        )
        made = await page.service.create(new)
        before = await page.store.last(made.table)
        await asyncio.sleep(LEASE)
        assert await page.store.last(made.table) == before
        bots = await Worker.begin(address)

        async def goes_on() -> bool:
            return await page.store.last(made.table) > before

        await until(goes_on)
        assert not page.leased
        await page.end()
        await bots.end()

    asyncio.run(scenario())


@pytest.mark.promise("once")
def test_creating_and_joining_are_idempotent_across_workers(address: str) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            seats = [commands.SeatWish()] * 4
            new = commands.NewTable("secret-cards", seats, "Ana", request="a" * 20)
            made = await asyncio.gather(
                *(worker.service.create(new) for worker in (one, other, one, other))
            )
            assert len({(seated.table, seated.token) for seated in made}) == 1
            join = commands.Join("Ben", request="b" * 20)
            joined = await asyncio.gather(
                *(worker.service.join(made[0].table, join) for worker in (one, other))
            )
            assert joined[0] == joined[1]
            await one.die()
            again = await other.service.join(made[0].table, join)
            assert again == joined[0]
            stranger = await other.service.join(
                made[0].table, commands.Join("Cleo", request="b" * 20)
            )
            assert stranger.seat == 2
            # The database contains no token.
            async with other.store.connection("read") as connection:
                kept = await connection.fetch("SELECT value FROM archipel.private")
            for seated in (made[0], joined[0]):
                assert not any(seated.token.encode() in row[0] for row in kept)

    asyncio.run(scenario())


def test_a_table_left_empty_by_a_dead_worker_is_created_again(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archipel.tables.registration._CHECKS", 2)

    async def scenario() -> None:
        worker = await Worker.begin(address)
        new = commands.NewTable("secret-cards", [commands.SeatWish()] * 2, "Ana", request="c" * 20)
        await worker.store.create_table(StoredResponse("", new).table_id, b"")
        problem = await refusal(worker.service.create(new))
        assert problem.code == "unavailable"
        made = await worker.service.create(new)
        assert (await worker.service.table(made.table)).stage == "gathering"
        await worker.end()

    asyncio.run(scenario())


def test_missed_events_are_published_after_the_bus_reconnects(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with two_workers(address) as (one, other):
            friends = await Friends.gather(one.service)
            subscription = await other.service.subscribe(await at(other, friends, 1))
            mended = make_deaf(other, monkeypatch)
            done = await friends.ask(0, commands.Say("r", "hello"))
            mended.set()
            n = 0
            while n < done.n:
                n = getattr(await asyncio.wait_for(anext(subscription), 120), "n", n)

    asyncio.run(scenario())
