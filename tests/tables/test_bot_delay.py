"""Bots take a moment: long enough to follow, and to undo what one just did."""

from __future__ import annotations

import asyncio

import pytest

from archipel.tables import Settings, commands
from archipel.tables.bot_turns import bot_delay
from archipel.tables.decisions.playing import play_for_bot
from tests.tables.people import QUICK, Bare, Friends, make_service, running, settle
from tests.tables.secret_cards import PASS, PEEK, THINK, THROW

SLOW = Settings(bot_delay=5, bot_delay_for_undo=12)


@pytest.mark.parametrize(
    ("actions", "delay"),
    [((PASS,), 12), ((THINK, PASS), 12), ((THROW,), 5), ((PEEK, PASS), 12), ((PASS, PASS), 12)],
)
def test_longer_after_what_can_be_taken_back(actions: tuple[int, ...], delay: int) -> None:
    bare = Bare(2, 1)
    bare.do(0, commands.Begin())
    assert bot_delay(bare.table, SLOW) == 5
    for action in actions:
        bare.play(bare.table.to_move or 0, action)
    assert bot_delay(bare.table, SLOW) == delay
    assert bot_delay(bare.table, QUICK) == 0


def test_after_a_bot_the_next_one_takes_the_shorter_time() -> None:
    bare = Bare(1, 2)
    bare.do(0, commands.Begin())
    bare.play(0, PASS)
    assert bot_delay(bare.table, SLOW) == 12
    bare.log += play_for_bot(bare.table, bare.table.n, PASS, bare.moment)
    assert bot_delay(bare.table, SLOW) == 5


def test_there_is_time_to_undo() -> None:
    async def course() -> None:
        settings = Settings(bot_delay=1, bot_delay_for_undo=3_000)
        async with running(make_service(settings=settings)) as service:
            friends = await Friends.gather(service, 1, 1)
            await friends.play(0, PASS)
            await asyncio.sleep(0.05)
            view = await friends.view(0)
            assert (view.to_move, view.may_take_back) == (1, True)
            await friends.ask(0, commands.TakeBack(view.n))
            assert (await friends.view(0)).to_move == 0
            await settle(service)
            assert (await friends.view(0)).to_move == 0

    asyncio.run(course())
