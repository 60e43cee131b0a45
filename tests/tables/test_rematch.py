"""A rematch is one table with the same people."""

import asyncio

from archipel.tables import commands
from tests.tables.people import Friends, make_service, refusal, settle


def test_a_rematch_is_one_table_with_the_same_people_one_seat_further() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 3)
        await friends.ask(0, commands.AllowChat("r", False))
        assert (await refusal(friends.ask(1, commands.Rematch("r")))).code == "not_over"
        await friends.finish()
        spectator = await service.identify(friends.table, None)
        asked = service.command(spectator, commands.Rematch("x"))
        assert (await refusal(asked)).code == "not_seated"
        first = await friends.ask(1, commands.Rematch("r"), "again")
        second = await friends.ask(2, commands.Rematch("r"))
        repeat = await friends.ask(1, commands.Rematch("r"), "again")
        assert first.table == second.table == repeat.table
        assert first.n == second.n == repeat.n
        assert first.table is not None
        assert (await service.table(friends.table)).rematch == first.table
        table = await service.table(first.table)
        assert [seat.name for seat in table.seats] == ["P2", "P0", "P1"]
        assert table.stage == "gathering"
        assert not table.chat
        roles = [await service.identify(first.table, token) for token in friends.tokens]
        assert [(who.seat, who.host) for who in roles] == [(1, False), (2, True), (0, False)]
        old, new = await service.table(friends.table), table
        assert old.commitment != new.commitment

    asyncio.run(scenario())


def test_a_rematch_against_bots_begins_at_once() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 1, 2)
        await friends.finish()
        again = await friends.ask(0, commands.Rematch("r"))
        assert again.table is not None
        assert (await service.table(again.table)).stage == "playing"
        await settle(service)

    asyncio.run(scenario())
