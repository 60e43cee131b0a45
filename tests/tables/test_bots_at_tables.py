"""Bots get views only, and a failing bot stops nobody."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest

from archipel.bots.external.bot_worker import ReadyBots, answer
from archipel.bots.external.worker_protocol import (
    Question,
    encode_line,
    pack_view,
    read_choice,
    read_question,
)
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream
from archipel.tables import Settings, commands
from archipel.tables.commands import NewTable, SeatWish
from tests.support.memory_store import MemoryStore
from tests.tables.people import (
    Friends,
    make_service,
    running,
    settle,
)
from tests.tables.secret_cards import PASS
from tests.tables.troubled import Troubled


def test_a_bot_that_fails_is_replaced_by_chance(caplog: pytest.LogCaptureFixture) -> None:
    def crash(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        if seed % 2:
            raise RuntimeError("my head aches")
        return 77

    async def course() -> None:
        async with running(make_service(choose=crash)) as service:
            made = await service.create(
                NewTable("secret-cards", [SeatWish("random")] * 3, "Ana", my_seat=None, begin=True)
            )
            await settle(service)
            assert (await service.table(made.table)).stage == "over"
            assert service.statistics()["bot_failures"] >= 12

    with caplog.at_level(logging.WARNING):
        asyncio.run(course())
    assert "my head aches" in caplog.text


def test_bots_get_views_only() -> None:
    seen: list[Any] = []

    def spy(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        seen.append(view)
        return PASS

    async def course() -> None:
        service = make_service(choose=spy)
        friends = await Friends.gather(service, 1, 2)
        await friends.play(0, PASS)
        await settle(service)

    asyncio.run(course())
    assert len(seen) == 2
    assert all(view.card == [0, 0, 0, 0] for view in seen)


def test_what_bots_are_asked_fits_through_to_another_process() -> None:
    view = DEEP_SEA.seen(DEEP_SEA.new(DEEP_SEA.make_options(3), Stream(1)), 0)
    asked = Question("deep-sea", "greedy", pack_view(view), [0], seed=7, seconds=60)
    line = encode_line(answer(read_question(encode_line(asked)), ReadyBots()))
    choice = read_choice(line)
    assert (choice.action, choice.error) == (0, "")


def test_an_answer_to_a_position_that_is_gone_is_dropped() -> None:
    async def course() -> None:
        store = MemoryStore()
        service = make_service(store, settings=Settings(bot_delay=500, bot_delay_for_undo=500))
        friends = await Friends.gather(service, 1, 1)
        await friends.play(0, PASS)
        await asyncio.sleep(0.01)  # the bot has chosen, and waits to be followed
        await friends.ask(0, commands.TakeBack("r", await friends.last()))
        await asyncio.sleep(0.7)
        view = await friends.view(0)
        assert view.to_move == 0
        bodies = [event.body for event in await store.read(friends.table)]
        assert not any(b'"by":"bot"' in body for body in bodies)

    asyncio.run(course())


def test_bots_go_on_when_the_store_is_back() -> None:
    async def course() -> None:
        store = Troubled()
        service = make_service(store)
        friends = await Friends.gather(service, 1, 1)
        n = await friends.last()
        await friends.ask(0, commands.Play("r", n, PASS))
        store.fail = "before"
        await settle(service)
        assert (await friends.view(0)).to_move == 0

    asyncio.run(course())
