"""Labels of whole turns for hints: from the view of the seat to move, without anything hidden."""

from __future__ import annotations

import asyncio

from archipel.rules.kit import Stream, clone
from archipel.tables import TableService
from archipel.tables.commands import NewTable, SeatWish
from archipel.tables.log.table_state import Participant
from archipel.tables.publishing import payloads
from tests.tables.people import make_service, refusal, running, settle


async def alone(
    service: TableService, game: str, *, hints: bool = True
) -> tuple[Participant, payloads.Position]:
    """A person who moves first against a bot."""
    new = NewTable(
        game,
        [SeatWish(), SeatWish("random")],
        "Ana",
        my_seat=0,
        begin=True,
        options={"first": 1},
        hints=hints,
    )
    made = await service.create(new)
    await settle(service)
    who = await service.identify(made.table, made.token)
    position = await service.position(who)
    assert position is not None
    return who, position


def test_lines_are_labelled_until_chance() -> None:
    async def scenario() -> None:
        async with running(make_service()) as service:
            who, position = await alone(service, "the-island")
            tile = position.scene.choices[0]
            table = next(iter(service._live_tables.values())).table
            after = clone(table.state)
            table.definition.apply(after, tile.action, Stream(0))
            values = table.definition.legal_actions(after)
            assert len(values) > 3
            lines = await service.lines(who, position.n, [[tile.action, v, 0] for v in values])
            assert [[label.action for label in line] for line in lines] == [
                [tile.action, v] for v in values
            ], "then another seat decides"
            assert all(line[0].targets == tile.targets for line in lines)
            assert len({line[1].text for line in lines}) == len(values)
            later = await service.position(who)
            assert later == position, "nothing was played"

    asyncio.run(scenario())


def test_lines_are_for_the_seat_to_move_at_tables_with_hints() -> None:
    async def scenario() -> None:
        async with running(make_service()) as service:
            who, position = await alone(service, "deep-sea")
            action = position.scene.choices[0].action
            line = (await service.lines(who, position.n, [[action, action, action]]))[0]
            assert [label.action for label in line] == [action], "dice end the line"
            stale = await refusal(service.lines(who, position.n - 1, [[action]]))
            assert stale.code == "stale"
            stranger = await service.identify(who.table, None)
            problem = await refusal(service.lines(stranger, position.n, [[action]]))
            assert problem.code == "not_your_turn"
            who, position = await alone(service, "deep-sea", hints=False)
            assert (await refusal(service.lines(who, position.n, [[action]]))).code == "no_hints"

    asyncio.run(scenario())
