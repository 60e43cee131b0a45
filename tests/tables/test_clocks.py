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
from tests.tables.troubled import Troubled


class Timed(Bare):
    """Every event keeps the time it was decided at."""

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
        self.times += [self.moment.now] * (len(self.log) - len(self.times))

    @property
    def table(self) -> TableState:
        times = [*getattr(self, "times", ()), *[self.moment.now] * len(self.log)]
        return fold_all(map(Entry, times, self.log))

    def left(self, seat: int) -> int:
        return self.table.time_left(seat, self.moment.now)


def test_a_live_clock_runs_for_the_seat_on_the_move_and_grows_by_decisions() -> None:
    timed = Timed(Clock("live", 60, 5))
    timed.do(0, commands.Begin("r"))
    timed.at(11_000)
    assert (timed.left(0), timed.left(1)) == (50_000, 60_000)
    timed.play(0, THINK)
    assert timed.left(0) == 55_000
    timed.at(21_000)
    timed.do(1, commands.Say("r", "hurry"))  # time goes on through talk
    timed.at(31_000)
    timed.play(0, PASS)
    assert (timed.left(0), timed.left(1)) == (40_000, 60_000)
    timed.at(41_000)
    assert (timed.left(0), timed.left(1)) == (40_000, 50_000)
    timed.do(0, commands.TakeBack("r", timed.table.n))
    timed.at(51_000)
    assert (timed.left(0), timed.left(1)) == (30_000, 50_000)


def test_by_days_every_decision_has_the_full_time() -> None:
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


def test_running_out_hands_the_seat_over_until_its_owner_returns() -> None:
    timed = Timed(Clock("live", 60, 0))
    timed.do(0, commands.Begin("r"))
    timed.at(60_999)
    assert due(timed.table, timed.moment) == []
    timed.at(61_000)
    flagged = due(timed.table, timed.moment)
    assert flagged == [events.ClockFlagged(0), events.HandedOver(0, "greedy", None)]
    timed.log += flagged
    assert timed.table.clock_runs_for is None
    assert due(timed.table, timed.moment) == []
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


def test_the_service_lets_clocks_run_out() -> None:
    async def course() -> None:
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

    asyncio.run(course())


def test_a_move_after_the_time_is_too_late_even_before_anybody_looked() -> None:
    async def course() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await Friends.gather(service, clock=Clock("live", 60, 0))
        n = await friends.last()
        clock.now += 60_000
        problem = await refusal(friends.ask(0, commands.Play("r", n, PASS)))
        assert problem.code == "bot_plays"
        await service.stop()

    asyncio.run(course())


def restarted(kind: str, seconds: int, away: int) -> tuple[int | None, bool]:
    """What a clock shows to whoever is back after the server was away, and if a bot plays."""

    async def course() -> tuple[int | None, bool]:
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

    return asyncio.run(course())


def test_no_live_clock_runs_while_the_server_is_away() -> None:
    assert restarted("live", 60, 3_600_000) == (50_000, False)


def test_days_go_by_without_a_server() -> None:
    left, bot_plays = restarted("days", 86_400, 3_600_000)
    assert (left, bot_plays) == (86_400_000 - 3_610_000, False)


def test_days_do_not_run_out_in_a_gap() -> None:
    """Whoever could not have played has a quarter of the time, as one who returns."""
    assert restarted("days", 3600, 3_600_000) == (900_000, False)
    assert restarted("days", 3600, 3_000_000) == (900_000, False)
    assert restarted("days", 3600, 2_000_000) == (3_600_000 - 2_010_000, False)


def test_a_table_that_was_out_of_memory_is_given_nothing_twice() -> None:
    """What came after the gap is not forgiven, also if nobody looked at the table meanwhile."""

    async def course() -> None:
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

    asyncio.run(course())


def test_what_could_not_be_forgiven_at_once_is_forgiven_later() -> None:
    async def course() -> None:
        clock, store = HandClock(), Troubled()
        service = make_service(store, clock=clock)
        friends = await Friends.gather(service, clock=Clock("live", 60, 0))
        await service.stop()
        clock.now += 3_600_000
        friends.service = make_service(store, clock=clock)
        store.fail = "before"
        assert (await refusal(friends.service.table(friends.table))).code == "unavailable"
        seat = (await friends.service.table(friends.table)).seats[0]
        assert (seat.clock_ms, seat.bot_plays) == (60_000, False)

    asyncio.run(course())


class Watched:
    """A service on a clock moved by hand, whose machine may sleep."""

    def __init__(self, store: MemoryStore | None = None) -> None:
        self.clock = HandClock()
        self.service = make_service(store, clock=self.clock, watchful=True)

    async def passes(self, seconds: int) -> None:
        """Time with the server awake."""
        for _ in range(seconds):
            self.clock.now += 1000
            await self.service.tick()

    def sleeps(self, seconds: int) -> None:
        self.clock.now += 1000 * seconds

    async def left(self, friends: Friends) -> tuple[int | None, bool]:
        seat = (await self.service.table(friends.table)).seats[0]
        return seat.clock_ms, seat.bot_plays


def test_a_machine_that_sleeps_costs_nobody_time() -> None:
    async def course() -> None:
        watched = Watched()
        async with running(watched.service) as service:
            friends = await Friends.gather(service, clock=Clock("live", 60, 0))
            await watched.passes(20)
            assert await watched.left(friends) == (40_000, False)
            watched.sleeps(8 * 3600)
            # A move that comes before anything else is not too late, and costs what it took.
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

    asyncio.run(course())


def test_a_clock_set_forward_and_back_between_two_starts_stops_nothing() -> None:
    async def course() -> None:
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

    asyncio.run(course())


def test_nobody_can_set_the_clock_of_a_running_server() -> None:
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
