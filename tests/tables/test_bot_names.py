"""Each bot has a display name of its own and keeps it."""

from __future__ import annotations

import asyncio

from archipel.tables import commands
from archipel.tables.bots.players import BOT_NAMES, bot_name
from archipel.tables.commands import Join, NewTable, SeatWish
from archipel.tables.decisions.context import LONGEST_NAME
from archipel.tables.decisions.seating import join, open_continuation, open_table
from archipel.tables.log import events
from archipel.tables.log.fold import fold_all
from archipel.tables.publishing.views import show_page
from tests.tables.people import Bare, Friends, make_service, running, settle


def names(bare: Bare) -> list[str]:
    return [seat.name for seat in bare.table.seats]


def test_names_of_bots_are_distinct() -> None:
    assert len({name[0] for name in BOT_NAMES}) == len(BOT_NAMES)
    assert all(len(name) <= LONGEST_NAME for name in BOT_NAMES)


def test_first_letters_differ_whatever_their_case_and_accents() -> None:
    assert bot_name([]) == "Alba"
    assert bot_name(["andré", "Bo"]) == "Colette"
    assert bot_name(["Ève", *BOT_NAMES[:4]]) == "Félix"
    assert bot_name(["Zoe", "李", "3", ""]) == "Alba"


def test_bots_get_other_initials_than_people() -> None:
    bare = Bare(2)
    new = NewTable("secret-cards", [SeatWish(), SeatWish("random"), SeatWish("greedy")], "Ana")
    bare.log = open_table("table-of-tests", new, bare.context)
    assert names(bare) == ["Ana", "Bruno", "Colette"]
    assert [seat.bot for seat in bare.table.seats] == [None, "random", "greedy"]
    bare.do(0, commands.SetSeat("r", 1, "greedy"))
    assert names(bare) == ["Ana", "Bruno", "Colette"], "another kind of bot, the same name"
    bare.do(0, commands.SetSeat("r", 1, None))
    bare.do(0, commands.Begin("r"))
    assert names(bare) == ["Ana", "Bruno", "Colette"]
    assert bare.table.seats[1].bot == "greedy"


def test_a_bot_is_renamed_if_a_person_has_its_name() -> None:
    bare = Bare(2)
    new = NewTable("secret-cards", [SeatWish(), SeatWish("random"), SeatWish()], "Ana")
    bare.log = open_table("table-of-tests", new, bare.context)
    assert names(bare) == ["Ana", "Bruno", ""]
    bare.log += join(bare.table, Join("bruno"), None)
    assert names(bare) == ["Ana", "Colette", "bruno"]
    assert bare.table.seats[1].bot == "random"


def test_log_and_rematch_agree() -> None:
    bare = Bare(1, 2)
    lines = [entry.happenings[0] for entry in show_page(bare.table, None, after=1).log]
    assert [line.details["name"] for line in lines if line.key == "table.bot_seated"] == [
        "Alba",
        "Bruno",
    ]
    rematch = commands.Rematch("r")
    again = open_continuation("another-table", bare.table, rematch, bare.who[0], bare.context)
    table = fold_all(events.Entry(1, event) for event in again)
    assert [(seat.name, seat.bot) for seat in table.seats] == [
        ("Bruno", "random"),
        ("P0", None),
        ("Alba", "random"),
    ]


def test_the_record_contains_the_names_of_bots() -> None:
    async def scenario() -> None:
        async with running(make_service()) as service:
            friends = await Friends.gather(service, 1, 1, game="deep-sea", options={"first": 1})
            await friends.ask(0, commands.Resign("r"))
            await settle(service)
            assert "Alba" in await service.record(friends.table)

    asyncio.run(scenario())
