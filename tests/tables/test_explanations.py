"""Explanations of bot moves, during and after the game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from typing import Any

import pytest

from archipel.bots.external.worker_protocol import Candidate
from archipel.tables import TableRefused, TableService
from archipel.tables.bots.executor import BotAnswer, BotFailed, BotQuestion
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.publishing import payloads
from tests.tables.people import QUICK, make_service, refusal, running, settle


class Thinker:
    """Chooses by its seed, and records the questions: to choose, and to explain."""

    def __init__(self) -> None:
        self.chose: list[BotQuestion] = []
        self.explained: list[BotQuestion] = []
        self.fails = False
        self.was_asked = asyncio.Event()
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    def start(self) -> None:
        pass

    async def choose(
        self, asked: BotQuestion, seconds: float, *, consider: bool = False
    ) -> BotAnswer:
        if not consider:
            self.chose.append(asked)
            return BotAnswer(asked.legal[asked.seed % len(asked.legal)], asked.bot)
        self.explained.append(asked)
        self.was_asked.set()
        await self.may_answer.wait()
        if self.fails:
            raise BotFailed("gone")
        candidates = [Candidate(action, 0.25, 7) for action in asked.legal]
        return BotAnswer(asked.legal[asked.seed % len(asked.legal)], asked.bot, candidates)

    async def stop(self) -> None:
        pass


async def finished(service: TableService, **given: Any) -> tuple[Any, list[payloads.LogEntry]]:
    """A finished game between bots: its host, and the log lines of the moves."""
    new = NewTable("deep-sea", [SeatWish("random")] * 2, "Ana", my_seat=None, begin=True, **given)
    made = await service.create(new)
    await settle(service)
    who = await service.identify(made.table, made.token)
    return who, [entry for entry in await service.log(who) if entry.kind == "played"]


def service_with(thinker: Thinker, **settings: Any) -> TableService:
    return make_service(bot_executor=thinker, settings=replace(QUICK, **settings))


def test_the_bot_is_asked_the_same_question_again() -> None:
    async def scenario() -> None:
        thinker = Thinker()
        async with running(service_with(thinker)) as service:
            who, moves = await finished(service)
            once = [asked for asked in thinker.chose if len(asked.legal) > 1]
            texts = set()
            for entry in moves:
                why = await service.why(who, entry.n)
                assert why.seat == entry.seat
                texts |= {found.text for found in why.candidates}
                if why.legal > 1:
                    again = thinker.explained[-1]
                    assert why.action == again.legal[again.seed % len(again.legal)]
                    assert [found.action for found in why.candidates] == list(again.legal)
                    assert why.candidates[0].chance == 0.25
            assert thinker.explained == once, "the same views, the same seeds"
            assert {"dive", "take"} <= texts
            for entry in moves[-10:]:
                await service.why(who, entry.n)
            assert thinker.explained == once, "it is remembered"

    asyncio.run(scenario())


def test_explanations_are_for_bot_moves() -> None:
    async def scenario() -> None:
        thinker = Thinker()
        async with running(service_with(thinker)) as service:
            ended, moves = await finished(service)
            assert (await refusal(service.why(ended, 1))).code == "no_bot_moved"
            assert (await refusal(service.why(ended, 10_000))).code == "no_such_event"
            assert (await refusal(service.why(ended, 0))).code == "no_such_event"
            assert thinker.explained == []
            thinker.fails = True
            problems = [await outcome(service.why(ended, entry.n)) for entry in moves[:20]]
            assert "no_reason" in problems

    asyncio.run(scenario())


async def begun(
    service: TableService, game: str, **given: Any
) -> tuple[Any, list[payloads.LogEntry]]:
    """A game of a person against a bot that moves first: the person, and the bot's moves."""
    seats = [SeatWish("random"), SeatWish()]
    new = NewTable(game, seats, "Ana", my_seat=1, begin=True, options={"first": 1}, **given)
    made = await service.create(new)
    await settle(service)
    who = await service.identify(made.table, made.token)
    entries = [e for e in await service.log(who) if e.kind == "played" and e.seat == 0]
    assert entries
    return who, entries


def test_during_the_game_a_bot_explains_with_the_view_of_the_player() -> None:
    async def scenario() -> None:
        thinker = Thinker()
        async with running(service_with(thinker)) as service:
            who, entries = await begun(service, "deep-sea")
            reasons = [await service.why(who, entry.n) for entry in entries]
            assert all(why.seen for why in reasons)
            assert any(why.legal > 1 for why in reasons)
            for asked in thinker.explained:
                assert -1 in asked.view.value, "the chips are unknown"
                assert asked.seed == 0, "the seeds of the bot stay secret"
            stranger = await service.identify(who.table, None)
            assert (await refusal(service.why(stranger, entries[0].n))).code == "hidden"

    asyncio.run(scenario())


def test_during_the_game_no_secret_choice_is_explained() -> None:
    """In The Island a player places an explorer whose value only this player sees."""

    async def scenario() -> None:
        thinker = Thinker()
        async with running(service_with(thinker)) as service:
            who, (tile, value) = await begun(service, "the-island")
            assert (await service.why(who, tile.n)).legal > 1, "everybody sees the tile"
            assert (await refusal(service.why(who, value.n))).code == "hidden_options"

    asyncio.run(scenario())


def test_without_hints_moves_are_explained_after_the_game_only() -> None:
    async def scenario() -> None:
        async with running(service_with(Thinker())) as service:
            who, entries = await begun(service, "deep-sea", hints=False)
            assert (await refusal(service.why(who, entries[0].n))).code == "hidden"

    asyncio.run(scenario())


async def outcome(asking: Awaitable[payloads.Why]) -> str:
    try:
        await asking
    except TableRefused as refused:
        return refused.problem.code
    return ""


def test_concurrent_explanations_are_limited() -> None:
    async def scenario() -> None:
        thinker = Thinker()
        async with running(service_with(thinker, reasons_waiting=1)) as service:
            who, moves = await finished(service)
            moves = [entry for entry in moves if (await service.why(who, entry.n)).legal > 1]
            for live in service._live_tables.values():
                live.reasons.clear()
            thinker.was_asked.clear()
            thinker.may_answer.clear()
            first = asyncio.create_task(service.why(who, moves[0].n))
            await thinker.was_asked.wait()
            assert (await refusal(service.why(who, moves[1].n))).code == "busy"
            thinker.may_answer.set()
            assert (await first).n == moves[0].n

    asyncio.run(scenario())


@pytest.mark.parametrize("bot", ["", "random"])
def test_bots_without_estimates_give_no_candidates(bot: str) -> None:
    """For random moves, and bots that do not search."""

    class Plain(Thinker):
        async def choose(
            self, asked: BotQuestion, seconds: float, *, consider: bool = False
        ) -> BotAnswer:
            return BotAnswer(asked.legal[0], bot)

    async def scenario() -> None:
        async with running(service_with(Plain())) as service:
            who, moves = await finished(service)
            why = await service.why(who, moves[0].n)
            assert (why.bot, why.candidates) == (bot, [])

    asyncio.run(scenario())
