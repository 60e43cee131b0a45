"""Bots wait long enough for people to follow and to undo their last move."""

from __future__ import annotations

import asyncio

import pytest

from archipel.tables import Settings, commands
from archipel.tables.bots.turns import grace_left
from archipel.tables.decisions.playing import play_for_bot
from tests.tables.people import Bare, Friends, make_service, running, settle
from tests.tables.secret_cards import PASS, PEEK, THINK, THROW

SLOW = Settings(bot_delay=5, bot_delay_for_undo=12)


def grace(bare: Bare, answer: int = PASS, *, after: int = 0, hurried: bool = False) -> int:
    return grace_left(bare.table, answer, SLOW, bare.table.at + after, hurried=hurried)


@pytest.mark.parametrize(
    ("actions", "left"),
    [((PASS,), 12), ((THINK, PASS), 12), ((THROW,), 0), ((PEEK, PASS), 12), ((PASS, PASS), 12)],
)
def test_a_bot_waits_while_a_move_can_be_taken_back(actions: tuple[int, ...], left: int) -> None:
    bare = Bare(2, 1)
    bare.do(0, commands.Begin("r"))
    assert grace(bare) == 0
    for action in actions:
        bare.play(bare.table.to_move or 0, action)
    assert grace(bare) == left
    assert grace(bare, after=7) == max(0, left - 7)
    assert grace(bare, after=20) == 0


@pytest.mark.parametrize(("answer", "left"), [(PASS, 0), (THINK, 0), (THROW, 12), (PEEK, 12)])
def test_in_a_hurry_only_moves_that_end_taking_back_wait(answer: int, left: int) -> None:
    bare = Bare(1, 2)
    bare.do(0, commands.Begin("r"))
    bare.play(0, PASS)
    assert grace(bare, answer) == 12
    assert grace(bare, answer, hurried=True) == left
    # After a free move of a bot, the next bot waits in the same way.
    answered = play_for_bot(bare.table, bare.context, bare.table.n, PASS)
    bare.log.append(answered.entries[0].event)
    assert grace(bare, answer, hurried=True) == left
    assert grace(bare, answer, after=12, hurried=True) == 0


def test_every_move_waits_if_others_would_have_to_agree() -> None:
    bare = Bare(2, 1)
    bare.do(0, commands.Begin("r"))
    bare.play(0, PASS)
    bare.play(1, PASS)
    assert grace(bare, PASS, hurried=True) == 12


def test_there_is_time_to_undo() -> None:
    async def scenario() -> None:
        settings = Settings(bot_delay=1, bot_delay_for_undo=3_000)
        async with running(make_service(settings=settings)) as service:
            friends = await Friends.gather(service, 1, 1)
            await friends.play(0, PASS)
            await asyncio.sleep(0.05)
            view = await friends.view(0)
            assert (view.to_move, view.may_take_back) == (1, True)
            await friends.ask(0, commands.TakeBack("r", view.n))
            assert (await friends.view(0)).to_move == 0
            await settle(service)
            assert (await friends.view(0)).to_move == 0

    asyncio.run(scenario())


@pytest.mark.parametrize("hurried", [False, True])
def test_bots_move_at_once_if_all_players_are_in_a_hurry(hurried: bool) -> None:
    def passes(*_: object) -> int:
        return PASS

    async def scenario() -> None:
        settings = Settings(bot_delay=3_600_000, bot_delay_for_undo=3_600_000)
        async with running(make_service(settings=settings, choose=passes)) as service:
            friends = await Friends.gather(service, 1, 2)
            watching = await service.subscribe(await service.identify(friends.table, None))
            mine = await service.subscribe(friends.who[0], hurried=hurried)
            await friends.play(0, PASS)
            if hurried:
                await settle(service)
            view = await friends.view(0)
            assert view.to_move == (0 if hurried else 1)
            # The answers of the bots are taken back too.
            assert view.may_take_back
            await friends.ask(0, commands.TakeBack("r", view.n))
            assert (await friends.view(0)).to_move == 0
            for subscription in (watching, mine):
                subscription.close()

    asyncio.run(scenario())
