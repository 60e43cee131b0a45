"""Cost per event, paging and limits of long tables."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec
import pytest

from archipel.store.protocol import Event
from archipel.tables import Settings, commands
from archipel.tables.commands import Play, TakeBack
from archipel.tables.log import events
from archipel.tables.log.table_state import PersistentList
from tests.support.memory_store import MemoryStore
from tests.tables.people import BOTS, Bare, Friends, make_service, refusal
from tests.tables.secret_cards import PASS, THINK, THROW

ENDLESS = Settings(bot_delay=0, take_backs=10**9, events=10**9)


class Counting:
    """Counts the executed lines in the code of the tables."""

    def __init__(self) -> None:
        self.lines = 0

    def __enter__(self) -> Counting:
        self._before = sys.gettrace()
        sys.settrace(self._trace)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)

    def _trace(self, frame: Any, event: str, argument: Any) -> Any:
        if "archipel" not in frame.f_code.co_filename:
            return None
        self.lines += event == "line"
        return self._trace


class Counted(MemoryStore):
    """A store that counts the events read."""

    read_events = 0

    async def read(self, table_id: str, after: int = 0, limit: int = 1000) -> list[Event]:
        found = await super().read(table_id, after, limit)
        self.read_events += len(found)
        return found


def test_the_cost_of_an_event_does_not_grow_with_the_log() -> None:
    """Counts executed lines, copied entries and read events instead of time."""

    async def scenario() -> None:
        store = Counted()
        service = make_service(store, settings=ENDLESS)
        friends = await Friends.gather(service)
        listening = await service.subscribe(friends.who[1], 0)
        table = service._live_tables[friends.table]

        async def play_and_undo(rounds: int) -> None:
            for _ in range(rounds):
                await friends.ask(0, Play("r", table.table.n, THINK))
                await anext(listening)
                await friends.ask(0, TakeBack("r", table.table.n))
                await anext(listening)

        async def cost() -> int:
            with Counting() as counting:
                await play_and_undo(32)
            return counting.lines

        await play_and_undo(20)
        read = store.read_events
        early = await cost()
        await play_and_undo(400)
        assert table.table.n > 800
        late = await cost()
        assert late <= 1.05 * early
        assert store.read_events == read, "what is in memory is not read again"

    asyncio.run(scenario())


def test_appending_to_a_long_list_copies_nothing() -> None:
    grown = PersistentList(list(range(10_000)))
    for _ in range(64):
        more = grown.plus(0)
        assert more._items is grown._items
        grown = more


def test_the_log_is_sent_in_pages() -> None:
    async def scenario() -> None:
        settings = Settings(bot_delay=0, log_page=10)
        service = make_service(settings=settings)
        friends = await Friends.gather(service)
        for _ in range(15):
            await friends.play(0, THINK)
        who = friends.who[0]
        whole = await service.log(who)
        welcome = (await service.subscribe(who, 0)).welcome
        assert welcome.whole
        assert welcome.log_from == welcome.n - 10
        assert welcome.log == whole[-10:]
        found = welcome.log
        log_from = welcome.log_from
        while log_from:
            page = await service.log_page(who, log_from + 1)
            assert len(page.log) <= 10
            assert page.log_from < log_from
            found, log_from = page.log + found, page.log_from
        assert found == whole
        # A short absence: the new lines. A long one: a page that replaces the known lines.
        at = whole[-3].at
        little = (await service.subscribe(who, welcome.n - 3, at=at)).welcome
        assert (little.whole, little.log_from) == (False, welcome.n - 3)
        long = (await service.subscribe(who, 3, at=at)).welcome
        assert (long.whole, long.log_from) == (True, welcome.n - 10)
        for before in (0, 1, 10_000_000):
            assert len((await service.log_page(who, before)).log) == (10 if before > 1 else 0)

    asyncio.run(scenario())


def test_the_welcome_of_a_long_table_is_small() -> None:
    async def scenario() -> None:
        service = make_service(settings=ENDLESS)
        friends = await Friends.gather(service)
        table = service._live_tables[friends.table]
        spectator = await service.identify(friends.table, None)
        for _ in range(300):
            await friends.ask(0, Play("r", table.table.n, THINK))
            await friends.ask(0, TakeBack("r", table.table.n))
        hello = (await service.subscribe(spectator, 0)).welcome
        assert len(msgspec.json.encode(hello)) < 80_000
        assert hello.log_from == table.table.n - ENDLESS.log_page

    asyncio.run(scenario())


def test_a_full_table_can_only_be_ended() -> None:
    async def scenario() -> None:
        service = make_service(settings=Settings(bot_delay=0, events=12))
        friends = await Friends.gather(service)
        while (await friends.last()) < 12:
            await friends.play(0, THINK)
        for command in (
            friends.play(0, PASS),
            friends.ask(0, TakeBack("r", await friends.last())),
            friends.ask(0, commands.Say("r", "hello")),
            friends.ask(1, commands.HandOver("r", 1)),
        ):
            assert (await refusal(command)).code == "too_long"
        refused = await refusal(service.join(friends.table, commands.Join("Late")))
        assert refused.code == "too_long"
        await friends.ask(1, commands.Resign("r"))
        assert (await service.table(friends.table)).stage == "over"

    asyncio.run(scenario())


def test_bots_stop_at_a_full_table() -> None:
    async def scenario() -> None:
        service = make_service(settings=Settings(bot_delay=0, events=8))
        friends = await Friends.gather(service, people=1, bots=2)
        while service._live_tables[friends.table].table.n < 8:
            if (await friends.view(0)).to_move == 0:
                await friends.play(0, PASS)
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        assert service.statistics()["bots_thinking"] == 0
        assert service._live_tables[friends.table].table.n == 8

    asyncio.run(scenario())


def test_take_backs_in_a_row_are_limited() -> None:
    bare = Bare(2)
    bare.do(0, commands.Begin("r"))
    limited = Settings(take_backs=3)
    bare.context = type(bare.context)(1000, bytes(range(32)), BOTS, settings=limited)

    def play_and_undo() -> object:
        bare.play(bare.table.to_move or 0, THINK)
        return bare.do(bare.table.to_move or 0, TakeBack("r", bare.table.n))

    for _ in range(3):
        assert play_and_undo() == [events.TakenBack(0, 1)]
    bare.play(0, THINK)
    assert bare.code(0, TakeBack("r", bare.table.n)) == "too_many_take_backs"
    bare.play(0, THROW)  # a move that is not free
    assert play_and_undo() == [events.TakenBack(1, 1)]


@pytest.mark.parametrize("n", [0, 1, 4, 5, 6, 7, 8, 9, 99])
def test_every_past_position_can_be_read(n: int) -> None:
    """With events in between that do not change the position."""

    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service)
        live = service._live_tables[friends.table]
        begun = live.table.n
        expected: dict[int, int | None] = dict.fromkeys(range(begun))
        expected[begun] = 0
        for action in (THINK, None, THINK, None, THINK):
            if action is None:
                await friends.ask(1, commands.Say("r", "hello"))
            else:
                await friends.play(0, action)
            expected[live.table.n] = live.table.state.thoughts
        state = live.table.state_at(n)
        found = None if state is None else state.thoughts
        assert found == expected.get(n, live.table.state.thoughts)

    asyncio.run(scenario())
