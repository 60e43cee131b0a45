"""Bots get views only, and a failing bot stops nobody."""

import asyncio
import gc
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
from archipel.tables.bots.executor import BotAnswer, BotQuestion
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.problems import refuse
from tests.support.memory_store import MemoryStore
from tests.tables.failing_store import FailingStore
from tests.tables.people import Friends, FunctionBots, make_service, running, settle
from tests.tables.secret_cards import PASS


def test_random_moves_replace_a_failing_last_resort_bot(caplog: pytest.LogCaptureFixture) -> None:
    def crash(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        if seed % 2:
            raise RuntimeError("my head aches")
        return 77

    async def scenario() -> None:
        async with running(make_service(choose=crash)) as service:
            made = await service.create(
                NewTable("secret-cards", [SeatWish("random")] * 3, "Ana", my_seat=None, begin=True)
            )
            await settle(service)
            assert (await service.table(made.table)).stage == "over"
            assert service.statistics()["bot_failures"] >= 12

    with caplog.at_level(logging.WARNING):
        asyncio.run(scenario())
    assert "my head aches" in caplog.text


def test_a_refusal_after_the_caller_was_cancelled_is_an_ordinary_outcome() -> None:
    """As when a bot's worker loses the lease of its table while the move is written."""
    unretrieved: list[object] = []

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, told: unretrieved.append(told))
        registry, go = make_service()._registry, asyncio.Event()

        async def refused() -> None:
            await go.wait()
            raise refuse("stale")

        caller = asyncio.create_task(registry.run_to_completion(refused()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        caller.cancel()
        await asyncio.gather(caller, return_exceptions=True)
        go.set()
        await asyncio.wait(registry._tasks)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(scenario())
    assert not unretrieved


class BrokenExecutor(FunctionBots):
    """Fails in a way that no bot may."""

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")


@pytest.mark.promise("bots")
def test_a_table_plays_on_after_an_unexpected_error_of_a_bot(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def scenario() -> None:
        service = make_service(bot_executor=BrokenExecutor(lambda *_: 0))
        async with running(service):
            made = await service.create(
                NewTable("secret-cards", [SeatWish("random")] * 3, "Ana", my_seat=None, begin=True)
            )
            await settle(service)
            assert (await service.table(made.table)).stage == "over"

    asyncio.run(scenario())
    assert "could not be asked" in caplog.text


@pytest.mark.promise("secrecy")
def test_bots_get_views_only() -> None:
    seen: list[Any] = []

    def spy(game: str, bot: str, view: Any, legal: Sequence[int], seed: int) -> int:
        seen.append(view)
        return PASS

    async def scenario() -> None:
        service = make_service(choose=spy)
        friends = await Friends.gather(service, 1, 2)
        await friends.play(0, PASS)
        await settle(service)

    asyncio.run(scenario())
    assert len(seen) == 2
    assert all(view.card == [0, 0, 0, 0] for view in seen)


def test_questions_to_bots_can_be_sent_to_another_process() -> None:
    view = DEEP_SEA.seen(DEEP_SEA.new(DEEP_SEA.make_options(3), Stream(1)), 0)
    asked = Question("deep-sea", "greedy", pack_view(view), [0], seed=7, seconds=60)
    line = encode_line(answer(read_question(encode_line(asked)), ReadyBots()))
    choice = read_choice(line)
    assert (choice.action, choice.error) == (0, "")


def test_a_bots_move_for_an_outdated_position_is_dropped() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store, settings=Settings(bot_delay=500, bot_delay_for_undo=500))
        friends = await Friends.gather(service, 1, 1)
        await friends.play(0, PASS)
        await asyncio.sleep(0.01)  # the bot has chosen and holds its move back
        await friends.ask(0, commands.TakeBack("r", await friends.last()))
        await asyncio.sleep(0.7)
        view = await friends.view(0)
        assert view.to_move == 0
        bodies = [event.body for event in await store.read(friends.table)]
        assert not any(b'"by":"bot"' in body for body in bodies)

    asyncio.run(scenario())


def test_bots_resume_when_the_store_is_available_again() -> None:
    async def scenario() -> None:
        store = FailingStore()
        service = make_service(store)
        friends = await Friends.gather(service, 1, 1)
        n = await friends.last()
        await friends.ask(0, commands.Play("r", n, PASS))
        store.fail = "before"
        await settle(service)
        assert (await friends.view(0)).to_move == 0

    asyncio.run(scenario())
