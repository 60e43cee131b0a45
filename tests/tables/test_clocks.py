"""Live clocks and clocks by days."""

import asyncio
from dataclasses import replace

from archipel.store.clock import SteadyClock
from archipel.tables import commands
from archipel.tables.commands import Clock
from archipel.tables.decisions.participation import due
from archipel.tables.log import events
from archipel.tables.log.events import Entry
from archipel.tables.log.fold import fold, fold_all
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Problem
from tests.support.memory_store import MemoryStore
from tests.tables.failing_store import FailingStore
from tests.tables.people import (
    QUICK,
    Bare,
    Friends,
    HandClock,
    make_service,
    refusal,
    running,
    settle,
)
from tests.tables.secret_cards import PASS, THINK


class Timed(Bare):
    """A bare table whose events keep their times."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(2, clock=clock)
        self.times: list[int] = []

    def do(
        self, person: int, command: commands.Command, seat: int | None = None
    ) -> list[events.Event] | Problem:
        self._note_time()
        decided = super().do(person, command, seat)
        self._note_time()
        return decided

    def _note_time(self) -> None:
        self.times += [self.context.now] * (len(self.log) - len(self.times))

    @property
    def table(self) -> TableState:
        times = [*getattr(self, "times", ()), *[self.context.now] * len(self.log)]
        return fold_all(map(Entry, times, self.log))

    def left(self, seat: int) -> int:
        return self.table.time_left(seat, self.context.now)


def test_a_live_clock_runs_for_the_seat_on_the_move_and_grows_by_decisions() -> None:
    timed = Timed(Clock("live", 60, 5))
    timed.do(0, commands.Begin("r"))
    timed.at(11_000)
    assert (timed.left(0), timed.left(1)) == (50_000, 60_000)
    timed.play(0, THINK)
    assert timed.left(0) == 55_000
    timed.at(21_000)
    timed.do(1, commands.Say("r", "hurry"))  # phrases do not stop the clock
    timed.at(31_000)
    timed.play(0, PASS)
    assert (timed.left(0), timed.left(1)) == (40_000, 60_000)
    timed.at(41_000)
    assert (timed.left(0), timed.left(1)) == (40_000, 50_000)
    timed.do(0, commands.TakeBack("r", timed.table.n))
    timed.at(51_000)
    assert (timed.left(0), timed.left(1)) == (30_000, 50_000)


def test_a_clock_by_days_gives_every_decision_the_full_time() -> None:
    day = 86_400
    timed = Timed(Clock("days", 2 * day))
    timed.do(0, commands.Begin("r"))
    timed.at(1000 * day)
    timed.play(0, THINK)
    assert timed.left(0) == 2000 * day
    timed.at(2500 * day)
    assert timed.left(0) == 500 * day
    timed.play(0, PASS)
    assert timed.left(1) == 2000 * day


def test_an_expired_clock_hands_the_seat_to_a_bot_until_its_owner_returns() -> None:
    timed = Timed(Clock("live", 60, 0))
    timed.do(0, commands.Begin("r"))
    timed.at(60_999)
    assert due(timed.table, timed.context) == []
    timed.at(61_000)
    flagged = due(timed.table, timed.context)
    assert flagged == [events.ClockFlagged(0), events.HandedOver(0, "greedy", None)]
    timed.log += flagged
    assert timed.table.clock_runs_for is None
    assert due(timed.table, timed.context) == []
    timed.at(90_000)
    timed.do(0, commands.ComeBack("r"))
    assert timed.left(0) == 15_000  # a quarter, or the bot would be back at once


def test_a_clock_set_back_gives_nobody_time() -> None:
    timed = Timed(Clock("live", 60, 0))
    timed.do(0, commands.Begin("r"))
    timed.at(11_000)
    timed.do(0, commands.Say("r", "wait"))
    table = fold(timed.table, Entry(0, events.Said(0, "wait")))
    assert (table.at, table.seats[0].time_left) == (11_000, 50_000)


def test_the_service_expires_clocks() -> None:
    async def scenario() -> None:
        clock = HandClock()
        async with running(make_service(clock=clock)) as service:
            friends = await Friends.gather(service, clock=Clock("live", 60, 0))
            seats = (await service.table(friends.table)).seats
            assert [seat.clock_runs for seat in seats] == [True, False]
            clock.now += 59_999
            await service.tick()
            assert (await service.table(friends.table)).seats[0].clock_ms == 1
            clock.now += 1
            await service.tick()
            await settle(service)
            seats = (await service.table(friends.table)).seats
            assert seats[0].bot_plays
            kinds = [entry.kind for entry in await service.log(friends.who[0])]
            flagged = kinds.index("clock")
            assert kinds[flagged : flagged + 3] == ["clock", "handed_over", "played"]

    asyncio.run(scenario())


def test_a_move_after_the_deadline_is_refused_before_the_next_tick() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, clock=Clock("live", 60, 0))
        n = await friends.last()
        clock.now += 60_000
        problem = await refusal(friends.ask(0, commands.Play("r", n, PASS)))
        assert problem.code == "bot_plays"
        await service.stop()

    asyncio.run(scenario())


def restarted(kind: str, seconds: int, away: int) -> tuple[int | None, bool]:
    """The time left of a player who returns after a gap, and whether a bot plays."""

    async def scenario() -> tuple[int | None, bool]:
        clock, store = HandClock(), MemoryStore()
        service = make_service(store, clock=clock)
        friends = await Friends.gather(service, clock=Clock(kind, seconds, 0))  # type: ignore[arg-type]
        clock.now += 10_000
        await friends.ask(0, commands.Say("r", "wait"))
        await service.stop()
        clock.now += away
        async with running(make_service(store, clock=clock)) as again:
            await asyncio.sleep(0.01)
            await again.tick()
            seat = (await again.table(friends.table)).seats[0]
            return seat.clock_ms, seat.bot_plays

    return asyncio.run(scenario())


def test_live_clocks_stop_while_the_server_is_down() -> None:
    assert restarted("live", 60, 3_600_000) == (50_000, False)


def test_clocks_by_days_run_while_the_server_is_down() -> None:
    left, bot_plays = restarted("days", 86_400, 3_600_000)
    assert (left, bot_plays) == (86_400_000 - 3_610_000, False)


def test_clocks_by_days_do_not_expire_while_the_server_is_down() -> None:
    """A player who could not move gets a quarter of the time, as after returning."""
    assert restarted("days", 3600, 3_600_000) == (900_000, False)
    assert restarted("days", 3600, 3_000_000) == (900_000, False)
    assert restarted("days", 3600, 2_000_000) == (3_600_000 - 2_010_000, False)


def test_an_evicted_table_gets_the_time_of_a_gap_once() -> None:
    """Time after the gap counts, even if the table was not loaded meanwhile."""

    async def scenario() -> None:
        clock, store = HandClock(), MemoryStore()
        service = make_service(store, clock=clock)
        friends = await Friends.gather(service, clock=Clock("days", 3600, 0))
        await service.stop()
        clock.now += 60_000
        small = replace(QUICK, tables_in_memory=0)
        async with running(make_service(store, clock=clock, settings=small)) as again:
            await asyncio.gather(*again._maintenance._tasks[:1])
            assert again.statistics()["in_memory"] == 0
            clock.now += 3_540_000
            await again.tick()
            await settle(again)
            assert (await again.table(friends.table)).seats[0].bot_plays

    asyncio.run(scenario())


def test_the_time_of_a_gap_is_restored_after_a_failed_write() -> None:
    async def scenario() -> None:
        clock, store = HandClock(), FailingStore()
        service = make_service(store, clock=clock)
        friends = await Friends.gather(service, clock=Clock("live", 60, 0))
        await service.stop()
        clock.now += 3_600_000
        friends.service = make_service(store, clock=clock)
        store.fail = "before"
        assert (await refusal(friends.service.table(friends.table))).code == "unknown"
        seat = (await friends.service.table(friends.table)).seats[0]
        assert (seat.clock_ms, seat.bot_plays) == (60_000, False)

    asyncio.run(scenario())


class Watched:
    """A service on a clock set by hand, whose machine may sleep."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.clock = HandClock()
        self.service = make_service(store, clock=self.clock, watchful=True)

    async def passes(self, seconds: int) -> None:
        """Let time pass while the server is awake."""
        for _ in range(seconds):
            self.clock.now += 1000
            await self.service.tick()

    def sleeps(self, seconds: int) -> None:
        self.clock.now += 1000 * seconds

    async def left(self, friends: Friends) -> tuple[int | None, bool]:
        seat = (await self.service.table(friends.table)).seats[0]
        return seat.clock_ms, seat.bot_plays


def test_live_clocks_stop_while_the_machine_sleeps() -> None:
    async def scenario() -> None:
        watched = Watched()
        async with running(watched.service) as service:
            friends = await Friends.gather(service, clock=Clock("live", 60, 0))
            await watched.passes(20)
            assert await watched.left(friends) == (40_000, False)
            watched.sleeps(8 * 3600)
            # A move before the next tick is in time and is charged the thinking time only.
            await friends.play(0, THINK)
            assert await watched.left(friends) == (40_000, False)
            watched.sleeps(8 * 3600)
            await watched.passes(1)
            assert (await watched.left(friends)) == (40_000, False)
            await watched.passes(10)
            watched.sleeps(30)
            await service.tick()
            watched.sleeps(30)
            await service.tick()
            assert (await watched.left(friends)) == (30_000, False)
            await watched.passes(31)
            await settle(service)
            assert (await watched.left(friends))[1]

    asyncio.run(scenario())


def test_a_system_clock_corrected_between_two_starts_stops_no_table() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store, clock=HandClock(3_600_000_000))
        friends = await Friends.gather(service, clock=Clock("live", 60, 0))
        await friends.play(0, THINK)
        await service.stop()
        watched = Watched(store)
        async with running(watched.service) as service:
            friends.service = service
            assert await watched.left(friends) == (60_000, False)
            await watched.passes(20)
            assert await watched.left(friends) == (40_000, False)
            await friends.play(0, THINK)
            await watched.passes(20)
            assert await watched.left(friends) == (20_000, False)
            await watched.passes(21)
            await settle(service)
            assert (await watched.left(friends))[1]

    asyncio.run(scenario())


def test_the_clock_of_a_running_server_is_steady() -> None:
    wall, passed = HandClock(1_000_000), HandClock(5)
    clock = SteadyClock(wall, passed)
    assert clock() == 1_000_000
    wall.now += 3_600_000
    passed.now += 10
    assert clock() == 1_000_010
    wall.now -= 7_200_000
    assert clock() == 1_000_010
    later = SteadyClock()
    assert later() <= later()
