"""Tables that start from a moment of a finished game, or from a position text."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from archipel.record import RecordError, parse_record
from archipel.tables import commands
from archipel.tables.decisions.participation import MOST_WHAT_IFS
from archipel.tables.log.records import verify
from archipel.tables.publishing import payloads
from archipel.tables.service import TableService
from tests.support.memory_store import MemoryStore
from tests.tables.people import Friends, make_service, refusal

LATE = "seats=2 round=3 air=11 turn=1 diver1=6>[d1,c1] diver2=4<[a1,a2]"


def new_table(**given: Any) -> commands.NewTable:
    seats = [commands.SeatWish(), commands.SeatWish("random")]
    whole: dict[str, Any] = {"game": "deep-sea", "seats": seats, "my_name": "Ana", **given}
    return commands.NewTable(**whole)


async def finished(service: TableService) -> tuple[str, payloads.Course]:
    friends = await Friends.gather(service, 1, 1, game="deep-sea")
    await friends.finish()
    return friends.table, await service.course(friends.table)


async def position_of(service: TableService, made: payloads.Seated) -> payloads.Position:
    who = await service.identify(made.table, made.token)
    found = await service.position(who)
    assert found is not None
    return found


async def played_out(service: TableService, made: payloads.Seated) -> str:
    """The record after the person has played to the end."""
    who = await service.identify(made.table, made.token)
    while (await service.table(made.table)).stage == "playing":
        position = await service.position(who)
        if position is None or not position.scene.choices:
            await asyncio.sleep(0.002)
            continue
        action = position.scene.choices[0].action
        await service.command(who, commands.Play(f"m{position.n}", position.n, action))
    return await service.record(made.table)


def test_a_table_starts_from_a_moment_of_a_finished_game() -> None:
    async def scenario() -> None:
        service = make_service()
        origin, old = await finished(service)
        middle = old.moves[len(old.moves) // 2]
        moment = commands.FromMoment(origin, middle.n - 1)
        made = await service.create(new_table(what_if=moment, begin=True))
        table = await service.table(made.table)
        assert table.stage == "playing"
        assert table.from_position
        assert table.what_if == payloads.WhatIf(origin, middle.n - 1)
        assert table.commitment
        assert table.commitment != (await service.table(origin)).commitment, "chance is new"
        record = parse_record(await played_out(service, made))
        assert record.what_if == f"{origin} {middle.n - 1}"
        assert record.given
        before = parse_record(await service.record(origin)).game
        for _ in range(len(before.moves) - len(old.moves) // 2):
            before.undo()
        assert record.game.start.text == before.position.text
        verdict = verify(record)
        assert verdict.is_fair, verdict
        assert parse_record(str(record)) is not None
        assert str(parse_record(str(record))) == str(record)

    asyncio.run(scenario())


def test_a_table_starts_from_a_position_text_and_deals_the_unknown_parts() -> None:
    async def scenario() -> str:
        service = make_service()
        made = await service.create(new_table(position=LATE, begin=True))
        position = await position_of(service, made)
        assert position.scene.gauges["air"] == 11
        table = await service.table(made.table)
        assert table.from_position
        assert table.what_if is None
        return await played_out(service, made)

    text = asyncio.run(scenario())
    record = parse_record(text)
    assert "?" not in record.game.start.text
    assert verify(record).is_fair
    given = next(line for line in text.splitlines() if line.startswith("given: "))
    changed = text.replace(given, given.replace("air=11", "air=12"))
    assert "The deal is not what the secret gives" in str(verify(parse_record(changed)))


def test_the_same_people_play_on_in_their_seats() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 2, 1, game="deep-sea")
        assert (await refusal(friends.ask(1, commands.PlayOn("r", 5)))).code == "not_over"
        await friends.finish()
        moves = (await service.course(friends.table)).moves
        n = moves[len(moves) // 2].n - 1
        stranger = await service.identify(friends.table, None)
        asked = service.command(stranger, commands.PlayOn("x", n))
        assert (await refusal(asked)).code == "not_seated"
        assert (await refusal(friends.ask(0, commands.PlayOn("r", n, "seal")))).code == "bad_seal"
        assert (await refusal(friends.ask(0, commands.PlayOn("r", 10_000)))).code == "no_such_event"
        over = await friends.last()
        assert (await refusal(friends.ask(0, commands.PlayOn("r", over)))).code == "bad_position"
        assert await friends.last() == over, "no event was stored"

        first = await friends.ask(1, commands.PlayOn("r", n), "on")
        again = await friends.ask(0, commands.PlayOn("r", n))
        repeat = await friends.ask(1, commands.PlayOn("r", n), "on")
        assert first.table is not None
        assert first.table == again.table == repeat.table
        assert first.n == again.n == repeat.n == over + 1
        line = (await service.log(friends.who[0]))[-1]
        assert (line.kind, line.seat) == ("played_on", 1)
        assert line.happenings[0].details["table"] == first.table

        old, new = await service.table(friends.table), await service.table(first.table)
        assert new.what_if == payloads.WhatIf(friends.table, n)
        assert [seat.name for seat in new.seats] == [seat.name for seat in old.seats]
        assert new.stage == "gathering", "the others are waited for"
        roles = [await service.identify(first.table, token) for token in friends.tokens]
        assert [(who.seat, who.host) for who in roles] == [(0, False), (1, True)]
        await service.command(roles[1], commands.Begin("begin"))
        there = await service.position(roles[0])
        here = await service.position(friends.who[0], n=n)
        assert there is not None
        assert here is not None
        assert (there.to_move, there.scene.gauges) == (here.to_move, here.scene.gauges)
        other = await friends.ask(0, commands.PlayOn("r", moves[0].n - 1))
        assert other.table != first.table

    asyncio.run(scenario())


def test_the_number_of_what_if_tables_is_limited() -> None:
    async def scenario() -> None:
        service = make_service()
        friends = await Friends.gather(service, 1, 1, game="deep-sea")
        await friends.finish()
        moments = [move.n - 1 for move in (await service.course(friends.table)).moves]
        assert len(moments) > MOST_WHAT_IFS
        for n in moments[:MOST_WHAT_IFS]:
            made = await friends.ask(0, commands.PlayOn("r", n))
            assert made.table is not None
            await service.command(
                await service.identify(made.table, friends.tokens[0]), commands.CloseTable("end")
            )
        late = friends.ask(0, commands.PlayOn("r", moments[MOST_WHAT_IFS]))
        assert (await refusal(late)).code == "too_many_what_ifs"

    asyncio.run(scenario())


def test_it_survives_a_restart() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        made = await service.create(new_table(position=LATE, begin=True))
        before = await position_of(service, made)
        await service.stop()
        again = make_service(store)
        assert (await position_of(again, made)).text == before.text
        assert (await again.table(made.table)).from_position
        assert verify(parse_record(await played_out(again, made))).is_fair

    asyncio.run(scenario())


def test_invalid_origins_and_positions_are_refused() -> None:
    async def scenario() -> None:
        service = make_service()
        playing = await Friends.gather(service, 1, 1, game="deep-sea")
        unfinished = commands.FromMoment(playing.table, 3)
        refused = {
            "not over": new_table(what_if=unfinished),
            "nonsense": new_table(position="air=99"),
            "too many": new_table(position=LATE.replace("seats=2", "seats=3")),
            "ended": new_table(position="seats=2 phase=over"),
            "nowhere": new_table(what_if=commands.FromMoment("nosuchtable", 3)),
        }
        codes = {name: (await refusal(service.create(each))).code for name, each in refused.items()}
        assert codes == {
            "not over": "not_over",
            "nonsense": "bad_position",
            "too many": "bad_position",
            "ended": "bad_position",
            "nowhere": "no_table",
        }
        origin, _ = await finished(service)
        late = new_table(what_if=commands.FromMoment(origin, 10_000))
        assert (await refusal(service.create(late))).code == "no_such_event"
        other = new_table(game="atlantis", what_if=commands.FromMoment(origin, 5))
        assert (await refusal(service.create(other))).code == "no_such_event"

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("line", "why"), [("what if: here", "a table and an event"), ("given: air=99", "air")]
)
def test_a_record_with_a_false_origin_is_refused(line: str, why: str) -> None:
    async def scenario() -> str:
        service = make_service()
        origin, _ = await finished(service)
        return await service.record(origin)

    text = asyncio.run(scenario())
    with pytest.raises(RecordError, match=why):
        parse_record(text.replace("start:", f"{line}\nstart:", 1))
