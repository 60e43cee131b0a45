"""Overload: reads are refused first, then commands; bots wait for people, but not for ever."""

import asyncio
import time
from dataclasses import replace

import pytest

from archipel.tables import Settings, commands
from archipel.tables.overload import Overload
from tests.tables.people import QUICK, Friends, make_service, refusal, running, settle
from tests.tables.secret_cards import PASS

LIMITS = replace(QUICK, late=Settings().late, too_late=Settings().too_late, bot_patience=100)


@pytest.mark.promise("overload")
def test_reads_are_refused_before_commands() -> None:
    async def scenario() -> None:
        service = make_service(settings=LIMITS)
        friends = await Friends.gather(service)
        overload, who = service._registry.overload, friends.who[0]
        overload.late = LIMITS.late + 1
        assert (await refusal(service.log_page(who, 5))).code == "overloaded"
        assert (await refusal(service.position(who))).code == "overloaded"
        assert (await service.table(friends.table)).stage == "playing"
        (await service.subscribe(who)).close()
        first = commands.Play("a", n=service._live_tables[who.table].table.n, action=PASS, seat=0)
        done = await service.command(who, first)
        overload.late = LIMITS.too_late + 1
        second = commands.Play("b", n=done.n, action=PASS, seat=1)
        n = service._live_tables[who.table].table.n
        assert (await refusal(service.command(friends.who[1], second))).code == "overloaded"
        assert service._live_tables[who.table].table.n == n
        repeated = await service.command(who, first)  # what was done is never refused
        assert (repeated.n, repeated.repeated) == (done.n, True)
        overload.late = 0
        assert not (await service.command(friends.who[1], second)).repeated

    asyncio.run(scenario())


@pytest.mark.promise("overload")
def test_commands_in_progress_are_bounded() -> None:
    overload = Overload(replace(LIMITS, commands=3), lambda: 3)
    assert overload.sheds_commands
    assert not Overload(replace(LIMITS, commands=3), lambda: 2).sheds_commands


@pytest.mark.promise("overload")
def test_bots_wait_for_people_but_not_for_ever() -> None:
    async def scenario() -> None:
        service = make_service(settings=LIMITS)
        friends = await Friends.gather(service, 1, 1)
        service._registry.overload.late = 10_000
        started = asyncio.get_running_loop().time()
        service._registry.overload._settings = replace(LIMITS, too_late=10**9)
        n = service._live_tables[friends.table].table.n
        await friends.ask(0, commands.Play("r", n, PASS))
        assert service.statistics()["bots_thinking"] == 1
        await settle(service)
        assert asyncio.get_running_loop().time() - started >= LIMITS.bot_patience / 1000
        assert service._live_tables[friends.table].table.to_move == 0

    asyncio.run(scenario())


def test_lateness_is_measured_and_one_stall_is_no_overload() -> None:
    async def scenario() -> None:
        async with running(make_service(settings=LIMITS)) as service:
            overload = service._registry.overload
            time.sleep(2)  # noqa: ASYNC251
            while not overload.late:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            assert 0 < overload.late <= 0.2 * 900
            assert not overload.sheds_reads

    asyncio.run(scenario())
