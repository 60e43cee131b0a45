"""Duplicate play: several tables, one deal and one chance, which nobody can choose."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from archipel.record import RecordError, parse_record
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Tape
from archipel.store.errors import NoSuchTable
from archipel.tables import Settings, TableService, commands
from archipel.tables.commands import Begin, Join, NewTable, OpenNonce, SealNonce, SeatWish
from archipel.tables.duplicates import compare
from archipel.tables.log import events
from archipel.tables.log.fair_chance import DuplicateChance, chance_key, commitment, seal_of
from archipel.tables.log.records import verify
from archipel.tables.log.table_state import TableState
from archipel.tables.settings import DAY
from tests.support.memory_store import MemoryStore
from tests.tables.people import Friends, HandClock, make_service, refusal, settle

NONCES = ("nonce-of-ana-0123", "nonce-of-ben-4567")
GAMES = ("atlantis", "deep-sea", "mauna-kea", "the-island")


async def origin_of(service: TableService, game: str = "deep-sea") -> Friends:
    """A first table of two people and a bot whose nonces fixed the deal."""
    friends = await Friends.gather(service, 2, 1, game=game, begin=False, duplicate=True)
    for person in range(2):
        service.arrived(friends.who[person])
        await friends.ask(person, SealNonce("r", seal_of(NONCES[person])))
    await friends.ask(0, Begin("r"))
    for person in range(2):
        await friends.ask(person, OpenNonce("r", NONCES[person]))
    return friends


async def duplicate_of(origin: Friends, game: str = "deep-sea", **given: Any) -> Friends:
    service = origin.service
    wanted = NewTable(game, [SeatWish()] * 3, "Q0", duplicate_of=origin.table, **given)
    made = await service.create(wanted)
    friends = Friends(service, made.table, [made.token])
    friends.tokens.append((await service.join(made.table, Join("Q1", seat=1))).token)
    friends.who = [await service.identify(made.table, token) for token in friends.tokens]
    await friends.ask(0, Begin("r"))
    return friends


def state_of(friends: Friends) -> TableState:
    return friends.service._live_tables[friends.table].table


def played(friends: Friends) -> list[tuple[int, int, tuple[int, ...]]]:
    moves = state_of(friends).moves
    return [(move.event.seat, move.event.action, tuple(move.event.outcomes)) for move in moves]


async def play_out(friends: Friends, choose: Callable[[Sequence[int]], int], most: int = 0) -> None:
    """Let people choose until the end, or for ``most`` decisions of theirs."""
    service, done = friends.service, 0
    while not (most and done == most):
        await settle(service)
        if (await service.table(friends.table)).stage != "playing":
            return
        mover = (await friends.view(0)).to_move
        if mover is not None and mover < 2:
            choices = (await friends.view(mover)).scene.choices
            await friends.play(mover, choose([choice.action for choice in choices]))
            done += 1


async def opened(friends: Friends) -> str:
    """The published secret, once the tables have been settled."""
    for _ in range(100):
        await asyncio.sleep(0)
    secret = (await friends.service.table(friends.table)).secret
    assert secret is not None
    return secret


@pytest.mark.promise("duplicate")
def test_four_tables_with_equal_decisions_are_equal() -> None:
    async def scenario() -> None:
        service = make_service()
        tables = [await origin_of(service)]
        tables += [await duplicate_of(tables[0]) for _ in range(3)]
        starts = {str(state_of(table).start.unpack()) for table in tables}  # type: ignore[union-attr]
        assert len(starts) == 1, "the deals are identical"
        assert len({state_of(table).commitment for table in tables}) == 1
        for table in tables:
            await play_out(table, lambda legal: legal[-1])
        assert all(played(table) == played(tables[0]) for table in tables)
        secret = await opened(tables[0])
        assert {await opened(table) for table in tables} == {secret}
        shown = await service.duplicates(tables[3].table, tables[3].tokens[0])
        assert [row.points for row in shown.results] == [[0.5] * 3] * 4
        assert shown.tables == 4

    asyncio.run(scenario())


#: What a game of two seats draws for, besides the deal.
PURPOSES = {
    "atlantis": (1, 2),  # the spinner of a seat
    "deep-sea": (1, 2, 7, 8, 13, 14),  # the dice of a diver in a round
    "mauna-kea": (1,),  # the bag
    "the-island": (1, 2),  # the die of a seat
}


class Noted:
    """A chance that notes what the rules ask for: purpose, how often for it, and of how many."""

    def __init__(self, key: bytes) -> None:
        self.chance = DuplicateChance(key)
        self.outcomes: dict[tuple[int, int, int], int] = {}

    def draw(self, n: int, /) -> int:
        return self.draw_for(0, n)

    def draw_for(self, purpose: int, n: int, /) -> int:
        place = purpose, self.chance.drawn[purpose], n
        outcome = self.outcomes[place] = self.chance.draw_for(purpose, n)
        return outcome


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.promise("duplicate")
def test_draws_for_the_same_purpose_agree_after_tables_diverge(game: str) -> None:
    definition = game_named(game)
    key = chance_key(bytes(range(32)), NONCES, duplicate=True)
    outcomes: dict[tuple[int, int, int], int] = {}
    shared = 0
    for table in range(4):
        policy, noted = random.Random(table), Noted(key)
        state = definition.new(definition.make_options(2), noted)
        while definition.to_move(state) >= 0:
            definition.apply(state, policy.choice(definition.legal_actions(state)), noted)
        shared += sum(place[0] > 0 for place in noted.outcomes.keys() & outcomes.keys())
        for place, outcome in noted.outcomes.items():
            assert outcomes.setdefault(place, outcome) == outcome
        own = {place[0] for place in noted.outcomes}
        assert own == {0, *PURPOSES[game]}, "each die of each seat is a purpose of its own"
    assert shared >= 20, "the tables drew for the same purposes"


def test_tables_that_diverge_are_replayed_and_verified() -> None:
    async def scenario() -> None:
        service = make_service()
        first = await origin_of(service)
        noted = state_of(first).commitment
        others = [await duplicate_of(first) for _ in range(3)]
        for number, table in enumerate([first, *others]):
            policy = random.Random(number)
            await play_out(table, policy.choice)
        assert len({str(played(table)) for table in (first, *others)}) == 4
        await opened(first)
        for table in (first, *others):
            text = await service.record(table.table)
            record = parse_record(text)
            verdict = verify(record, [noted, seal_of(NONCES[0])])
            assert verdict.is_fair, verdict
            assert verdict.shares == (0, 1), "of the seats of the first table"
            assert f"\nduplicate: {first.table}\n" in text
            assert str(parse_record(str(record))) == text
            for old, new in (
                (f"secret: {record.fairness.secret}", f"secret: {'00' * 32}"),  # type: ignore[union-attr]
                (f"nonce 1: {NONCES[0]}", "nonce 1: chosen-by-the-operator"),
                (f"duplicate: {first.table}\n", ""),
            ):
                assert old in text
                assert not verify(parse_record(text.replace(old, new)), [noted]).is_fair
        with pytest.raises(RecordError, match="expected a table"):
            parse_record(text.replace(f"duplicate: {first.table}", "duplicate: ?"))

    asyncio.run(scenario())


@pytest.mark.promise("duplicate")
def test_the_secret_stays_shut_while_a_table_of_the_deal_plays() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        first = await origin_of(service)
        other = await duplicate_of(first)
        secret = state_of(first), await store.get_private(first.table, "secret")
        assert secret[1] is not None
        assert await store.get_private(other.table, "secret") == secret[1]
        await play_out(first, lambda legal: legal[0])
        for _ in range(100):
            await asyncio.sleep(0)
        assert (await service.table(first.table)).stage == "over"
        bodies = [event.body for table in (first, other) for event in await store.read(table.table)]
        assert secret[1].hex().encode() not in b"".join(bodies)
        assert (await service.table(first.table)).secret is None
        assert (await refusal(service.record(first.table))).code == "not_over"
        assert (await refusal(service.draws(first.table))).code == "not_over"
        shown = await service.duplicates(first.table, first.tokens[0])
        assert (shown.secret, len(shown.results), shown.tables) == (None, 1, 2)
        assert shown.results[0].table == first.table, "to somebody who has played the deal"
        for token in (None, other.tokens[0]):
            asked = await service.duplicates(other.table, token)
            assert asked.results[0].table is None, "it would show the deal"
        await play_out(other, lambda legal: legal[0])
        assert await opened(first) == await opened(other) == secret[1].hex()
        with_all = await service.duplicates(other.table, None)
        assert [row.table for row in with_all.results] == [first.table, other.table]
        wanted = NewTable("deep-sea", [SeatWish()] * 3, "Late", duplicate_of=first.table)
        assert (await refusal(service.create(wanted))).code == "duplicates_ended"

    asyncio.run(scenario())


def test_after_a_restart_the_tables_go_on_with_the_same_chance() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        first = await origin_of(service)
        other = await duplicate_of(first)
        for table in (first, other):
            await play_out(table, lambda legal: legal[-1], 6)
        before = played(other)
        again = make_service(store, seed="after the restart")
        for table in (first, other):
            table.service = again
            table.who = [await again.identify(table.table, token) for token in table.tokens]
            await play_out(table, lambda legal: legal[-1])
        assert played(other)[: len(before)] == before
        assert played(first) == played(other)
        await opened(other)
        assert verify(parse_record(await again.record(other.table))).is_fair

    asyncio.run(scenario())


def test_a_lost_message_about_the_end_is_made_up_for() -> None:
    """Whoever looks at the results settles what a stopped server left undone."""

    async def scenario() -> None:
        service = make_service()
        service._registry.deal_done = lambda origin: None
        first = await origin_of(service)
        other = await duplicate_of(first)
        for table in (first, other):
            await play_out(table, lambda legal: legal[0])
        assert (await service.table(first.table)).secret is None
        shown = await service.duplicates(other.table, None)
        assert shown.secret is not None
        assert (await service.table(other.table)).secret == shown.secret

    asyncio.run(scenario())


def test_a_table_that_nobody_begins_does_not_keep_the_secret_for_ever() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        first = await origin_of(service)
        wanted = NewTable("deep-sea", [SeatWish()] * 3, "Q0", duplicate_of=first.table)
        waiting = await service.create(wanted)
        await play_out(first, lambda legal: legal[0])
        assert (await service.duplicates(first.table, None)).secret is None
        clock.now += DAY + 1
        assert (await service.duplicates(first.table, None)).secret is not None
        assert (await service.table(waiting.table)).stage == "closed"

    asyncio.run(scenario())


def test_a_table_that_was_announced_but_never_stored_does_not_either() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        first = await origin_of(service)
        async with service._registry.lock(first.table) as live:
            lost = service._registry.follow(live, [events.DuplicateAdded("never-stored")])
            await service._registry.commit(live, lost)
        await play_out(first, lambda legal: legal[0])
        assert (await service.duplicates(first.table, None)).secret is None, "it may still come"
        clock.now += 61_000
        assert (await service.duplicates(first.table, None)).secret is not None

    asyncio.run(scenario())


def test_what_cannot_be_duplicated_is_refused() -> None:
    async def scenario() -> None:
        service = make_service()
        ordinary = await Friends.gather(service, 2, game="deep-sea")
        seats = [SeatWish()] * 3
        cases = [
            (NewTable("deep-sea", seats, "A", duplicate_of=ordinary.table), "no_duplicate"),
            (NewTable("deep-sea", seats, "A", duplicate_of="no-such-table"), "no_table"),
            (NewTable("deep-sea", seats, "A", duplicate=True, public=True), "no_duplicate"),
        ]
        waiting = await Friends.gather(service, 2, game="deep-sea", begin=False, duplicate=True)
        cases.append((NewTable("deep-sea", seats, "A", duplicate_of=waiting.table), "not_begun"))
        first = await origin_of(service)
        cases.append((NewTable("atlantis", seats, "A", duplicate_of=first.table), "no_duplicate"))
        for wanted, code in cases:
            assert (await refusal(service.create(wanted))).code == code
        assert (await refusal(service.duplicates(ordinary.table, None))).code == "no_duplicate"
        wanted = NewTable("deep-sea", seats, "Q0", duplicate_of=first.table)
        made = await service.create(wanted)
        host = await service.identify(made.table, made.token)
        change = commands.SetOptions("r1", options={}, seats=2)
        assert (await refusal(service.command(host, change))).code == "fixed_by_duplicate"

    asyncio.run(scenario())


def test_ordinary_tables_are_as_before() -> None:
    """Neither the format of their logs nor their draws know of duplicates."""

    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        friends = await Friends.gather(service, 2, game="deep-sea")
        await friends.finish()
        table = state_of(friends)
        assert (table.created.format, table.origin, table.drawn) == (2, "", ())
        bodies = b"".join([event.body for event in await store.read(friends.table)])
        assert b"duplicate" not in bodies
        assert "duplicate" not in await service.record(friends.table)

    asyncio.run(scenario())


def test_seats_are_compared_as_in_duplicate_bridge() -> None:
    compared = compare([[10, 4], [6, 4], [5, 1]])
    assert [[seat.points for seat in row] for row in compared] == [[1, 0.75], [0.5, 0.75], [0, 0]]
    assert [row[0].over_average for row in compared] == [4.5, -1.5, -3]
    assert compare([[3, 5]])[0][0].points == 0.5
    assert compare([]) == []


# ---- the deal of the day ------------------------------------------------------------------------


def daily_service(store: MemoryStore, clock: HandClock, seed: str = "") -> TableService:
    settings = Settings(bot_delay=0, late=10**9, too_late=10**9, daily=True)
    return make_service(store, clock=clock, settings=settings, seed=seed)


async def begun(service: TableService, deal: str, name: str) -> Friends:
    wanted = NewTable("deep-sea", [SeatWish()], name, duplicate_of=deal, begin=True)
    made = await service.create(wanted)
    friends = Friends(service, made.table, [made.token])
    friends.who = [await service.identify(made.table, made.token)]
    return friends


@pytest.mark.promise("duplicate")
def test_everybody_plays_the_deal_of_the_day_against_the_same_bots() -> None:
    async def scenario() -> None:
        clock, store = HandClock(20_000 * DAY + 5), MemoryStore()
        service = daily_service(store, clock)
        deals = service.daily_deals()
        assert set(deals) >= set(GAMES)
        deal = deals["deep-sea"]
        assert deal == "daily-2024-10-04-deep-sea"
        people = [await begun(service, deal, name) for name in ("Ana", "Ben", "Cy")]
        await play_out(people[0], lambda legal: legal[-1])
        # Other events in between change neither the dice nor the seeds of the bots.
        await people[1].ask(0, commands.Say("r", "hello"))
        await play_out(people[1], lambda legal: legal[-1])
        assert played(people[0]) == played(people[1]), "the bots answer alike"
        await play_out(people[2], lambda legal: legal[0])
        shown = await service.duplicates(deal, None)
        assert (len(shown.results), shown.secret, shown.tables) == (3, None, 3)
        assert [row.table for row in shown.results] == [None] * 3
        assert shown.results[0].people == [0]
        mine = await service.duplicates(people[2].table, people[2].tokens[0])
        assert [row.table for row in mine.results] == [each.table for each in people]
        left = await begun(service, deal, "Dee")
        clock.now += DAY
        wanted = NewTable("deep-sea", [SeatWish()], "Late", duplicate_of=deal, begin=True)
        assert (await refusal(service.create(wanted))).code == "duplicates_ended"
        assert (await service.duplicates(deal, None)).secret is None, "Dee still plays"
        clock.now += DAY
        shown = await service.duplicates(deal, None)
        assert shown.secret is not None
        assert (await service.table(left.table)).stage == "closed"
        for each in people:
            assert verify(
                parse_record(await service.record(each.table)), [shown.commitment]
            ).is_fair

    asyncio.run(scenario())


@pytest.mark.promise("duplicate")
def test_the_days_form_a_chain_that_the_operator_cannot_change() -> None:
    async def scenario() -> None:
        clock, store = HandClock(20_000 * DAY), MemoryStore()
        service = daily_service(store, clock)
        secrets: list[str] = []
        for day in range(4):
            if day == 2:  # a restart
                service = daily_service(store, clock, "restarted")
            deal = service.daily_deals()["deep-sea"]
            before = await service.duplicates(deal, None)
            if secrets:
                assert before.commitment == secrets[-1], "the secret of the day before"
            clock.now += 2 * DAY
            after = await service.duplicates(deal, None)
            assert after.secret is not None
            assert commitment(bytes.fromhex(after.secret)) == after.commitment
            secrets.append(after.secret)
            clock.now -= DAY
        chain = f"daily-chain-deep-sea-{20_000 // 4096}"
        assert (await service.table(chain)).secret is None
        assert (await refusal(service.duplicates(chain, None))).code == "no_duplicate"
        assert (await service.table(chain)).commitment, "the anchor is public"

    asyncio.run(scenario())


def test_there_is_no_deal_of_the_day_unless_the_host_offers_it() -> None:
    async def scenario() -> None:
        clock, store = HandClock(20_000 * DAY), MemoryStore()
        service = make_service(store, clock=clock)
        assert service.daily_deals() == {}
        problem = await refusal(service.duplicates("daily-2024-10-04-deep-sea", None))
        assert problem.code == "no_table"
        with pytest.raises(NoSuchTable):
            await store.last("daily-2024-10-04-deep-sea")
        offering = daily_service(store, clock)
        for other in ("daily-2024-10-05-deep-sea", "daily-2024-99-99-deep-sea"):
            assert (await refusal(offering.duplicates(other, None))).code == "no_table"

    asyncio.run(scenario())


@pytest.mark.parametrize("game", [game.name for game in games() if game.name in GAMES])
def test_the_tape_tells_what_an_outcome_is_for(game: str) -> None:
    definition = game_named(game)
    tape = Tape((), DuplicateChance(bytes(32)))
    definition.new(definition.make_options(2), tape)
    assert set(tape.purposes) == {0}
    again = Tape(tape.outcomes)
    definition.new(definition.make_options(2), again)
    assert again.purposes == tape.purposes
