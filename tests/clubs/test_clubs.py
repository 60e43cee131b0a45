"""Clubs on every store: members and roles, proposals, tables, results, tournaments, export."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from archipel.clubs import messages as m
from archipel.clubs.service import ClubService
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableRefused, TableService
from archipel.tables.commands import Begin, Clock, CloseTable, NewTable, Play, SeatWish
from archipel.tables.publishing.payloads import Seated
from archipel.tables.settings import DAY, Settings
from tests.store.subjects import Subject, memory_subject, postgresql_subject, sqlite_subject
from tests.support.postgresql import database
from tests.tables.people import QUICK, HandClock, Repeatable, make_service, settle

LADDER = {"deep-sea": {"random": 500.0, "greedy": 1000.0}}
STORES = ("memory", "sqlite", "postgresql")


@contextmanager
def subject_of(kind: str, folder: Path) -> Iterator[Subject]:
    if kind == "postgresql":
        with database() as address:
            yield postgresql_subject(address)
    else:
        yield memory_subject() if kind == "memory" else sqlite_subject(folder)


class Someone:
    """A member with their token."""

    def __init__(self, house: House, membership: m.Membership) -> None:
        self.house, self.me, self.token = house, membership.member, membership.token
        self.club = membership.club

    async def do(self, command: m.ClubCommand) -> m.ClubShown | None:
        return await self.house.clubs.command(self.club, self.token, command)

    async def look(self) -> m.ClubShown:
        return await self.house.clubs.show(self.club, self.token)


class House:
    """A server with clubs, without its HTTP."""

    def __init__(
        self, store: EventStore, clock: HandClock | None = None, settings: Settings = QUICK
    ) -> None:
        self.store, self.clock = store, clock or HandClock()
        self.tables: TableService = make_service(store, clock=self.clock, settings=settings)
        self.clubs = ClubService(
            store, self.tables, clock=self.clock, randomness=Repeatable("clubs"), ladder=LADDER
        )

    async def club(self, *names: str) -> list[Someone]:
        """A club of these people; the first one is its owner."""
        made = await self.clubs.open(m.NewClub("The Divers", names[0]))
        people = [Someone(self, made)]
        link = (await people[0].look()).invitation
        for name in names[1:]:
            joined = await self.clubs.join(made.club, m.JoinClub(name, link))
            people.append(Someone(self, joined))
        return people

    async def deal(self, origin: str, name: str) -> Seated:
        """A begun table of the deal of a day."""
        wanted = NewTable("deep-sea", [SeatWish()], name, duplicate_of=origin, begin=True)
        return await self.tables.create(wanted)

    async def play(self, table: str, tokens: dict[str, int]) -> None:
        """Play to the end: the people with these tokens choose their choice number N."""
        who = {token: await self.tables.identify(table, token) for token in tokens}
        host = next(each for each in who.values() if each.host)
        if (await self.tables.table(table)).stage == "gathering":
            await self.tables.command(host, Begin("begin"))
        while (await self.tables.table(table)).stage == "playing":
            await settle(self.tables)
            for token, each in who.items():
                seen = await self.tables.position(each)
                if seen is not None and seen.scene.choices:
                    choices = seen.scene.choices
                    action = choices[min(tokens[token], len(choices) - 1)].action
                    await self.tables.command(each, Play(f"m{seen.n}", seen.n, action))


async def refusal(call: Awaitable[object]) -> str:
    with pytest.raises(TableRefused) as refused:
        await call
    return refused.value.problem.code


def on_every_store(scenario: Callable[[House], Awaitable[None]], settings: Settings = QUICK) -> Any:
    @pytest.mark.parametrize("kind", STORES)
    def test(kind: str, tmp_path: Path) -> None:
        async def run(subject: Subject) -> None:
            store = await subject.open()
            try:
                await scenario(House(store, settings=settings))
            finally:
                await store.close()

        with subject_of(kind, tmp_path) as subject:
            asyncio.run(run(subject))

    return test


async def _members_and_roles(house: House) -> None:
    ana, ben, cy, dee = await house.club("Ana", "Ben", "Cy", "Dee")
    shown = await cy.look()
    assert [(member.name, member.role) for member in shown.members] == [
        ("Ana", "owner"),
        ("Ben", "member"),
        ("Cy", "member"),
        ("Dee", "member"),
    ]
    assert shown.me == 2
    link = shown.invitation
    joining = m.JoinClub("ben", link)
    assert await refusal(house.clubs.join(ana.club, joining)) == "name_taken"
    wrong = m.JoinClub("Eve", "x" * 43)
    assert await refusal(house.clubs.join(ana.club, wrong)) == "wrong_invitation"
    assert await refusal(house.clubs.show(ana.club, "x" * 43)) == "no_member_here"
    assert await refusal(house.clubs.show("no-such-club", ana.token)) == "no_club"
    # Only the owner gives roles, only higher roles remove.
    assert await refusal(ben.do(m.SetRole(2, "organiser"))) == "club_role"
    assert await refusal(ben.do(m.RemoveMember(2))) == "club_role"
    await ana.do(m.SetRole(1, "organiser"))
    await ben.do(m.RemoveMember(2))
    assert await refusal(cy.look()) == "no_member_here"
    assert [each.name for each in (await ben.look()).members] == ["Ana", "Ben", "", "Dee"]
    assert await refusal(ben.do(m.RemoveMember(0))) == "owner_stays"
    assert await refusal(ana.do(m.RemoveMember(0))) == "owner_stays"
    await ben.do(m.RenewLink())
    assert await refusal(house.clubs.join(ana.club, m.JoinClub("Eve", link))) == "wrong_invitation"
    # The owner hands the club on and leaves.
    await ana.do(m.SetRole(1, "owner"))
    assert await ana.do(m.RemoveMember(0)) is None
    assert await refusal(dee.do(m.CloseClub("The Divers"))) == "club_role"
    assert await refusal(ben.do(m.CloseClub("Divers"))) == "other_name"
    assert await ben.do(m.CloseClub("The Divers")) is None
    assert await refusal(ben.look()) == "no_club"
    assert await house.store.tables(archived=None) == [], "closing deletes"


async def _proposals_and_results(house: House) -> None:
    ana, ben, cy = await house.club("Ana", "Ben", "Cy")
    game = m.Propose(
        "deep-sea", 2, clock=Clock("days", 86_400), starts="2026-11-20", note=" on\nF "
    )
    shown = await ben.do(game)
    assert shown is not None
    proposal = shown.proposals[0]
    assert (proposal.note, proposal.coming, proposal.standing) == ("on F", [1], False)
    await ana.do(m.AnswerClubProposal(proposal.proposal, True))
    await cy.do(m.AnswerClubProposal(proposal.proposal, False))
    answered = (await cy.look()).proposals[0]
    assert (answered.coming, answered.absent) == ([0, 1], [2])
    assert await refusal(cy.do(m.Withdraw(proposal.proposal))) == "club_role"
    for bad, code in (
        (m.Propose("chess", 2), "unknown_game"),
        (m.Propose("deep-sea", 9), "bad_option"),
        (m.Propose("deep-sea", 2, options={"size": 1}), "bad_option"),
    ):
        assert await refusal(ana.do(bad)) == code
    assert await refusal(ben.do(m.Propose("deep-sea", 2, standing=True))) == "club_role"
    opened = await house.clubs.open_table(
        ana.club, ben.token, m.OpenClubTable(proposal=proposal.proposal)
    )
    assert (await ana.look()).proposals == [], "the table replaces it"
    table = opened.table
    seated = await house.clubs.sit_down(ana.club, ana.token, table, m.SitDown())
    assert seated.seat == 1
    assert (
        await refusal(house.clubs.sit_down(ana.club, cy.token, "other-table", m.SitDown()))
        == "no_table"
    )
    await house.play(table, {opened.token: 0, seated.token: 9})
    shown = await cy.look()
    done = shown.tables[0]
    assert (done.open, done.members, sorted(done.ranks)[0]) == (False, [1, 0], 0)
    rated = {rating.member: rating for rating in shown.games[0].all_time}
    assert set(rated) == {0, 1}
    winner = done.members[done.ranks.index(0)]
    assert winner is not None
    assert rated[winner].points >= rated[1 - winner].points
    assert rated[winner].low < rated[winner].points < rated[winner].high
    assert {record.kind for record in shown.games[0].records} >= {"highest", "closest"}
    # A new season begins without results; the results of all time stay.
    await ana.do(m.BeginSeason("Winter"))
    later = (await ana.look()).games[0]
    assert (later.season, len(later.all_time)) == ([], 2)
    # Who leaves takes their name with them, also out of what is derived from their results.
    await ben.do(m.RemoveMember(1))
    left = await ana.look()
    assert [rating.member for rating in left.games[0].all_time] == [0]
    exported = json.loads(await house.clubs.export(ana.club, ana.token))
    assert exported["club"]["members"][1]["name"] == ""
    assert exported["club"]["invitation"] == ""
    text = await house.clubs.export_results(ana.club, ana.token)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["kind"], row["player"], row["seat"]) for row in rows] == [
        ("member", "", "1"),
        ("member", "Ana", "2"),
    ]


async def _tables_with_bots_and_closed_tables(house: House) -> None:
    (ana,) = await house.club("=Ana")
    await ana.do(m.Propose("deep-sea", 3, standing=True))
    first = await house.clubs.open_table(ana.club, ana.token, m.OpenClubTable(proposal=1))
    await house.play(first.table, {first.token: 0})
    second = await house.clubs.open_table(ana.club, ana.token, m.OpenClubTable(proposal=1))
    host = await house.tables.identify(second.table, second.token)
    await house.tables.command(host, CloseTable("c"))
    shown = await ana.look()
    assert len(shown.proposals) == 1, "a standing table stays"
    assert [(table.open, len(table.ranks)) for table in shown.tables] == [(False, 0), (False, 3)]
    assert shown.games[0].games == 1
    (rating,) = shown.games[0].all_time
    assert rating.games == 1, "against bots, which are fixed points"
    text = await house.clubs.export_results(ana.club, ana.token)
    assert "'=Ana" in text, "no spreadsheet takes a name for a formula"


async def _round_robin(house: House) -> None:
    people = await house.club("Ana", "Ben", "Cy")
    ana, ben, _ = people
    plan = m.OpenTournament("Cup", "deep-sea", "round_robin", 2)
    assert await refusal(ben.do(plan)) == "club_role"
    wrong = m.OpenTournament("Cup", "deep-sea", "swiss", 3)
    assert await refusal(ana.do(wrong)) == "bad_tournament"
    await ana.do(plan)
    for person in people:
        await person.do(m.Enter(0))
    assert await refusal(ben.do(m.Enter(0))) == "already_answered"
    assert await refusal(ben.do(m.DrawRound(0))) == "club_role"
    for number in range(3):
        shown = await ana.do(m.DrawRound(0))
        assert shown is not None
        drawn = shown.tournaments[0].rounds[number]
        (group,) = drawn.groups
        assert sorted([*group, *drawn.byes]) == [0, 1, 2]
        assert await refusal(ana.do(m.DrawRound(0))) == "round_not_over"
        assert await refusal(ben.do(m.Enter(0, False))) == "tournament_begun"
        one, other = (people[player] for player in group)
        resting = people[drawn.byes[0]]
        wish = m.OpenClubTable(tournament=0)
        assert await refusal(house.clubs.open_table(ana.club, resting.token, wish)) == "no_player"
        if number == 2:  # played on a real table
            given = m.GiveResult(0, group, [1, 0])
            await ana.do(given)
            assert await refusal(ana.do(given)) == "table_is_open"
            continue
        made = await house.clubs.open_table(ana.club, other.token, wish)
        assert made.seat == 1, "in the seat of the draw"
        assert await refusal(house.clubs.open_table(ana.club, one.token, wish)) == "table_is_open"
        sat = await house.clubs.sit_down(ana.club, one.token, made.table, m.SitDown())
        assert sat.seat == 0
        await house.play(made.table, {made.token: 9, sat.token: 0})
        await ana.look()
    assert await refusal(ana.do(m.DrawRound(0))) == "tournament_over"
    shown = await ben.look()
    cup = shown.tournaments[0]
    assert [len(each.ranks[0]) for each in cup.rounds] == [2, 2, 2]
    assert sum(row.games for row in cup.standings) == 6
    assert sum(row.points for row in cup.standings) == 6, "three games and three byes"
    assert [row.byes for row in cup.standings] == [1, 1, 1]
    records = {record.kind: record.value for record in shown.games[0].records}
    assert records["closest"] > 0, "an entered result has no scores"


async def _the_deal_of_the_day(house: House) -> None:
    ana, ben, cy = await house.club("Ana", "Ben", "Cy")
    deal = house.tables.daily_deals()["deep-sea"]
    tables = [await house.deal(deal, name) for name in ("A", "B", "a stranger", "C")]
    for table, choice in zip(tables[:3], (0, 1, 0), strict=True):
        await house.play(table.table, {table.token: choice})

    def add(number: int) -> m.AddDeal:
        return m.AddDeal(tables[number].table, tables[number].token)

    no_token = m.AddDeal(tables[0].table, tables[1].token)
    assert await refusal(ana.do(no_token)) == "not_seated"
    usual = await house.tables.create(NewTable("deep-sea", [SeatWish()] * 2, "Ana"))
    assert await refusal(ana.do(m.AddDeal(usual.table, usual.token))) == "no_duplicate"
    shown = await ana.do(add(0))
    assert shown is not None
    assert shown.deals[0].results[0].points[0] == 0.5, "compared with members only"
    await ben.do(add(0))  # counts for Ana
    assert not (await ben.look()).deals[0].mine
    await ben.do(add(1))
    await ben.do(add(2))  # Ben's first table counts
    await cy.do(add(3))
    seen = (await cy.look()).deals[0]
    assert (seen.deal, seen.seats, seen.mine) == (deal, 3, True)
    assert [row.names[0] for row in seen.results] == ["Ana", "Ben"], "as in the club"
    assert [row.table for row in seen.results] == [None, None], "Cy has not finished"
    played = (await ben.look()).deals[0].results
    assert [row.table for row in played] == [tables[0].table, tables[1].table]
    assert sum(row.points[0] for row in played) == 1
    assert (await ben.look()).games == [], "a deal counts for no rating"
    await ana.do(m.RemoveMember(1))
    assert [row.names[0] for row in (await ana.look()).deals[0].results] == ["Ana"]
    house.clock.now += 2 * DAY
    assert (await ana.look()).deals == []


test_members_and_roles = on_every_store(_members_and_roles)
test_proposals_and_results = on_every_store(_proposals_and_results)
test_tables_with_bots_and_closed_tables = on_every_store(_tables_with_bots_and_closed_tables)
test_round_robin = on_every_store(_round_robin)
test_the_deal_of_the_day = on_every_store(_the_deal_of_the_day, replace(QUICK, daily=True))


def test_two_workers_share_a_club_and_it_survives_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "archipel.db")
        one, two = House(store), House(store)
        (ana, ben) = await one.club("Ana", "Ben")
        there = Someone(two, m.Membership(ana.club, ben.me, ben.token))
        await ana.look()
        await there.look()
        await asyncio.gather(
            *(ana.do(m.Propose("deep-sea", 2)) for _ in range(5)),
            *(there.do(m.Propose("deep-sea", 3)) for _ in range(5)),
        )
        assert [len(shown.proposals) for shown in (await ana.look(), await there.look())] == [
            10
        ] * 2
        await store.archive(ana.club)
        maker = (ana, there)[(await ana.look()).proposals[0].member]
        await maker.do(m.Withdraw(1))  # an idle club is woken up
        await store.close()
        again = await SqliteStore.open(tmp_path / "archipel.db")
        later = Someone(House(again), m.Membership(ana.club, ana.me, ana.token))
        assert len((await later.look()).proposals) == 9
        await again.close()

    asyncio.run(scenario())


def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = await SqliteStore.open(tmp_path / "archipel.db")
        house = House(store)
        ana, ben = await house.club("Ana", "Ben")
        link = (await ana.look()).invitation
        bodies = b"".join([event.body for event in await store.read(ana.club)])
        exported = await house.clubs.export(ana.club, ben.token)
        keys = await store.get_private(ana.club, "keys")
        assert keys is not None
        for secret in (ana.token, ben.token, link):
            assert secret.encode() not in bodies + exported + keys
        await store.close()

    asyncio.run(scenario())
