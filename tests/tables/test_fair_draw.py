"""Commit and reveal: neither the server nor a player can choose the outcomes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as replace_struct

from archipel.record import parse_record
from archipel.rules.all_games import game_named
from archipel.rules.kit import Tape
from archipel.store.protocol import EventStore
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import Settings, TableService, commands
from archipel.tables.commands import Begin, NewTable, OpenNonce, SealNonce, SeatWish
from archipel.tables.decisions.participation import due
from archipel.tables.decisions.seating import join
from archipel.tables.keys import Keys, hash_of
from archipel.tables.log import events
from archipel.tables.log.events import Entry, encode
from archipel.tables.log.fair_chance import FairChance, chance_key, commitment, seal_of
from archipel.tables.log.records import verify
from archipel.tables.publishing import payloads
from tests.support.memory_store import MemoryStore
from tests.tables.people import Bare, Friends, HandClock, make_service, refusal, settle

NONCES = ("nonce-of-ana-0123", "nonce-of-ben-4567", "nonce-of-cy-89ab")


async def sealed(service: TableService, people: int = 2, bots: int = 0, **given: Any) -> Friends:
    """Present people who have each sealed a nonce; the game has not begun."""
    friends = await Friends.gather(service, people, bots, begin=False, **given)
    for person in range(people):
        service.arrived(friends.who[person])
        await friends.ask(person, SealNonce("r", seal_of(NONCES[person])))
    return friends


async def shown_table(friends: Friends) -> payloads.Table:
    return await friends.service.table(friends.table)


def kinds(friends: Friends) -> list[str]:
    log = friends.service._live_tables[friends.table].table.log
    return [str(logged.event.__struct_config__.tag) for logged in log]


# ---- attacks ------------------------------------------------------------------------------------


@pytest.mark.promise("fair")
def test_the_secret_is_fixed_after_the_seals_and_before_the_nonces() -> None:
    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        friends = await sealed(service)
        assert await store.get_private(friends.table, "secret") is None, "nothing to grind with yet"
        table = await shown_table(friends)
        assert (table.commitment, table.drawing) == ("", False)
        assert table.seals == [seal_of(nonce) for nonce in NONCES[:2]]
        await friends.ask(0, Begin("r"))
        table = await shown_table(friends)
        assert (table.stage, table.drawing) == ("gathering", True)
        secret = await store.get_private(friends.table, "secret")
        assert secret is not None
        assert table.commitment == commitment(secret)
        assert table.nonces == ["", ""]
        everything = b"".join([event.body for event in await store.read(friends.table)])
        for nonce in NONCES[:2]:
            assert nonce.encode() not in everything, "known to nobody when the secret is fixed"
        await friends.ask(1, OpenNonce("r", NONCES[1]))
        assert (await shown_table(friends)).stage == "gathering"
        await friends.ask(0, OpenNonce("r", NONCES[0]))
        table = await shown_table(friends)
        assert (table.stage, table.drawing, table.nonces) == ("playing", False, list(NONCES[:2]))
        order = [kind for kind in kinds(friends) if "nonce" in kind or kind in DRAW]
        assert order == [*["nonce_sealed"] * 2, "draw_begun", *["nonce_opened"] * 2, "begun"]
        # The deal depends on all nonces.
        state = service._live_tables[friends.table].table.start
        assert state is not None
        definition = game_named("secret-cards")
        options = service._live_tables[friends.table].table.options
        key = chance_key(secret, NONCES[:2])
        assert state.unpack() == definition.new(options, FairChance(key, 0))

    asyncio.run(scenario())


DRAW = ("draw_begun", "begun")


@pytest.mark.promise("fair")
def test_a_reader_of_the_secret_cannot_choose_a_matching_nonce() -> None:
    """The attack of a host who plays: read the secret in the database, then try nonces."""

    async def scenario() -> None:
        store = MemoryStore()
        service = make_service(store)
        friends = await sealed(service)
        await friends.ask(0, Begin("r"))
        await friends.ask(1, OpenNonce("r", NONCES[1]))
        secret = await store.get_private(friends.table, "secret")
        assert secret is not None
        table = service._live_tables[friends.table].table

        def card(nonce: str) -> int:
            chance = FairChance(chance_key(secret, (nonce, NONCES[1])), 0)
            dealt: int = table.definition.new(table.options, chance).card[0]
            return dealt

        best = max((f"try-{number}" for number in range(50)), key=card)
        assert card(best) > card(NONCES[0])
        assert (await refusal(friends.ask(0, OpenNonce("r", best)))).code == "wrong_nonce"
        assert (await refusal(friends.ask(0, SealNonce("r", seal_of(best))))).code == "drawing"
        assert (await refusal(friends.ask(0, Begin("r")))).code == "drawing"
        assert (await refusal(friends.ask(0, commands.SetSeat("r", 1)))).code == "drawing"
        assert (await refusal(friends.ask(0, commands.SetOptions("r", {})))).code == "drawing"
        assert (await refusal(friends.ask(1, OpenNonce("r", NONCES[0])))).code == "wrong_nonce"
        assert (await refusal(friends.ask(1, OpenNonce("r", NONCES[1])))).code == "wrong_nonce"
        await friends.ask(0, OpenNonce("r", NONCES[0]))
        assert service._live_tables[friends.table].table.state.card[0] == card(NONCES[0])

    asyncio.run(scenario())


@pytest.mark.promise("lapse")
def test_a_player_who_does_not_open_forces_a_new_draw_without_their_nonce() -> None:
    """The attack of the last to open: compute the deal and stay silent if it is bad."""

    async def scenario() -> None:
        clock, store = HandClock(), MemoryStore()
        service = make_service(store, clock=clock)
        friends = await sealed(service, 3)
        await friends.ask(0, Begin("r"))
        first = (await shown_table(friends)).commitment
        for person in (1, 2):
            await friends.ask(person, OpenNonce("r", NONCES[person]))
        clock.now += Settings().draw - 1
        await service.tick()
        assert (await shown_table(friends)).drawing
        clock.now += 1
        await service.tick()
        table = await shown_table(friends)
        assert (table.stage, table.drawing, table.commitment) == ("gathering", False, "")
        assert table.seals == ["", "", ""], "what was opened must not count again"
        line = (await service.log(friends.who[1]))[-1]
        assert (line.kind, line.seat) == ("draw", 0), "everybody sees who it was"
        assert (await refusal(friends.ask(0, OpenNonce("r", NONCES[0])))).code == "not_drawing"
        for person in range(3):
            await friends.ask(person, SealNonce("r", seal_of(f"again-{person}")))
        await friends.ask(0, Begin("r"))
        table = await shown_table(friends)
        assert table.commitment not in ("", first), "another secret"
        assert table.seals == ["", seal_of("again-1"), seal_of("again-2")]
        assert (await refusal(friends.ask(0, OpenNonce("r", "again-0")))).code == "wrong_nonce"
        for person in (1, 2):
            await friends.ask(person, OpenNonce("r", f"again-{person}"))
        assert (await shown_table(friends)).stage == "playing"

    asyncio.run(scenario())


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.promise("lapse")
def test_leaving_does_not_allow_another_lapse(moved: bool) -> None:
    """The attack: stay silent, leave, sit down again in this seat or another, and repeat."""
    bare = Bare(2, 1)
    for person in (0, 1):
        bare.do(person, SealNonce("r", seal_of(NONCES[person])))
    bare.do(0, Begin("r"))
    bare.do(0, OpenNonce("r", NONCES[0]))
    bare.log += due(bare.table, replace_struct(bare.context, now=1000 + Settings().draw))
    bare.do(1, commands.SetSeat("r", 1))
    bare.do(0, commands.SetSeat("r", 2))
    bare.log += join(bare.table, commands.Join("Zoe", seat=2 if moved else 1), None)
    seat = 2 if moved else 1
    bare.do(seat, SealNonce("r", seal_of("again")))
    bare.do(0, SealNonce("r", seal_of("ours")))
    decided = bare.do(0, Begin("r"))
    assert isinstance(decided, list)
    begun = decided[-1]
    assert isinstance(begun, events.DrawBegun)
    assert (begun.seals[seat], begun.without) == ("", {seat: "late"})
    bare.do(0, OpenNonce("r", "ours"))
    assert bare.table.stage == "playing", "nobody else has to open anything"


@pytest.mark.promise("fair")
def test_a_guest_who_was_here_a_moment_ago_has_a_share() -> None:
    """The attack: begin in the moment in which a guest is disconnected."""

    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await sealed(service, 2)
        service.departed(friends.who[1])
        clock.now += Settings().draw_return - 1
        await friends.ask(0, Begin("r"))
        assert (await shown_table(friends)).seals == [seal_of(nonce) for nonce in NONCES[:2]]
        await friends.ask(0, OpenNonce("r", NONCES[0]))
        assert (await shown_table(friends)).drawing
        service.arrived(friends.who[1])
        await friends.ask(1, OpenNonce("r", NONCES[1]))
        table = await shown_table(friends)
        assert (table.stage, table.nonces) == ("playing", list(NONCES[:2]))
        assert not [line for line in await service.log(friends.who[0]) if line.kind == "draw"]

    asyncio.run(scenario())


@pytest.mark.promise("lapse")
def test_the_log_says_whose_share_is_missing_and_why() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await sealed(service, 3)
        await friends.ask(0, Begin("r"))
        for person in (0, 2):
            await friends.ask(person, OpenNonce("r", NONCES[person]))
        clock.now += Settings().draw
        await service.tick()
        service.departed(friends.who[2])
        clock.now += Settings().draw_return
        await friends.ask(1, SealNonce("r", seal_of("again")))
        await friends.ask(0, Begin("r"))
        lines = [line for line in await service.log(friends.who[0]) if line.kind == "draw"]
        told = [(each.key, each.details["seat"]) for each in lines[-1].happenings]
        assert told == [
            ("table.no_share_none", 0),
            ("table.no_share_late", 1),
            ("table.no_share_away", 2),
        ]

    asyncio.run(scenario())


def test_bots_and_absent_players_contribute_no_nonce() -> None:
    async def scenario() -> None:
        clock = HandClock()
        service = make_service(clock=clock)
        friends = await sealed(service, 2, 1)
        service.departed(friends.who[1])
        clock.now += Settings().draw_return
        await friends.ask(0, Begin("r"))
        assert (await shown_table(friends)).seals == [seal_of(NONCES[0]), "", ""]
        await friends.ask(0, OpenNonce("r", NONCES[0]))
        await settle(service)
        table = await shown_table(friends)
        assert (table.stage, table.nonces) == ("playing", [NONCES[0], "", ""])

    asyncio.run(scenario())


def test_a_player_who_leaves_takes_the_seal_away() -> None:
    bare = Bare(2)
    bare.do(1, SealNonce("r", seal_of("x")))
    bare.do(1, commands.SetSeat("r", 1))
    assert bare.table.seats[1].seal == ""
    bare.do(0, SealNonce("r", seal_of("y")))
    bare.do(0, SealNonce("r", seal_of("z")))
    assert bare.table.seats[0].seal == seal_of("z")


def test_a_hot_seat_table_seals_once_for_all_seats() -> None:
    bare = Bare(2, hot_seat=True, names=["Ana", "Ben"])
    bare.do(0, SealNonce("r", seal_of("ours")))
    bare.do(0, Begin("r"))
    bare.do(0, OpenNonce("r", "ours"))
    assert bare.table.nonces == ("ours", "ours")


@pytest.mark.parametrize("again", [False, True])
def test_a_single_person_can_begin_at_once(again: bool) -> None:
    """The nonce counts, in a rematch too."""

    async def scenario() -> None:
        service = make_service()
        new = NewTable(
            "secret-cards",
            [SeatWish(), SeatWish("random")],
            "Ana",
            begin=True,
            seal=seal_of("mine"),
        )
        made = await service.create(new)
        who = await service.identify(made.table, made.token)
        await service.command(who, OpenNonce("open", "mine"))
        if again:
            await service.command(who, commands.Resign("resign"))
            more = await service.command(who, commands.Rematch("more", seal_of("more")))
            assert more.table is not None
            who = await service.identify(more.table, made.token)
            await service.command(who, OpenNonce("open", "more"))
        await settle(service)
        table = await service.table(who.table)
        assert table.stage == "playing"
        assert sorted(table.nonces) == ["", "more" if again else "mine"]

    asyncio.run(scenario())


def test_a_draw_continues_after_a_restart(tmp_path: Path) -> None:
    async def scenario() -> None:
        path = tmp_path / "tables.db"
        store: EventStore = await SqliteStore.open(path)
        service = make_service(store)
        friends = await sealed(service)
        await friends.ask(0, Begin("r"))
        await friends.ask(0, OpenNonce("r", NONCES[0]))
        before = await shown_table(friends)
        await service.stop()
        await store.close()
        store = await SqliteStore.open(path)
        service = friends.service = make_service(store, seed="another")
        table = await shown_table(friends)
        assert (table.commitment, table.nonces) == (before.commitment, before.nonces)
        await friends.ask(1, OpenNonce("r", NONCES[1]))
        assert (await shown_table(friends)).stage == "playing"
        secret = await store.get_private(friends.table, "secret")
        assert secret is not None
        assert commitment(secret) == before.commitment
        await store.close()

    asyncio.run(scenario())


# ---- verification -------------------------------------------------------------------------------


def finished() -> tuple[str, payloads.Table]:
    async def scenario() -> tuple[str, payloads.Table]:
        service = make_service()
        friends = await sealed(service, game="deep-sea")
        await friends.ask(0, Begin("r"))
        begun = await shown_table(friends)
        for person in (0, 1):
            await friends.ask(person, OpenNonce("r", NONCES[person]))
        await friends.finish()
        return await service.record(friends.table), begun

    return asyncio.run(scenario())


def test_a_record_contains_the_published_commitment_and_seals() -> None:
    text, begun = finished()
    record = parse_record(text)
    assert str(record) == text
    verdict = verify(record, [begun.commitment, *begun.seals])
    assert verdict.is_fair, verdict
    assert verdict.shares == (0, 1)
    other = verify(record, [begun.commitment, "0" * 64])
    assert other.faults == (f"The record does not open the commitment {'0' * 64}.",)
    assert record.fairness is not None
    for changed, word in (
        ({"seals": (seal_of("else"), record.fairness.seals[1])}, "seat 1 is not the one"),
        ({"seals": ("", record.fairness.seals[1])}, "seat 1 is not the one"),
        ({"nonces": ("", record.fairness.nonces[1])}, "seat 1 is not the one"),
    ):
        forged = replace(record, fairness=replace(record.fairness, **changed))  # type: ignore[arg-type]
        assert any(word in fault for fault in verify(forged).faults)


@pytest.mark.promise("fair")
def test_a_forged_game_does_not_match_the_published_commitment() -> None:
    """The secret, the nonces, the deal and every outcome are consistent."""
    text, begun = finished()
    again, other = finished_elsewhere()
    assert verify(parse_record(again)).is_fair
    assert not verify(parse_record(again), [begun.commitment]).is_fair
    assert verify(parse_record(text), [begun.commitment]).is_fair
    assert other.commitment != begun.commitment


def finished_elsewhere() -> tuple[str, payloads.Table]:
    async def scenario() -> tuple[str, payloads.Table]:
        service = make_service(seed="elsewhere")
        friends = await Friends.gather(service, game="deep-sea")
        begun = await shown_table(friends)
        await friends.finish()
        return await service.record(friends.table), begun

    return asyncio.run(scenario())


def test_the_verdict_names_the_seats_that_contributed() -> None:
    text, _ = finished_elsewhere()
    assert verify(parse_record(text)).shares == ()


# ---- log format 1 -------------------------------------------------------------------------------

SECRET = bytes(range(32))


def old_log(*, begun: bool) -> list[events.Event]:
    """A log of format 1: the secret is committed to at once, nonces are added openly."""
    definition = game_named("deep-sea")
    log: list[events.Event] = [
        events.Created(
            1,
            "old-table-0001",
            "deep-sea",
            definition.rules_version,
            2,
            dict(definition.make_options(2).values),
            commands.Clock(),
            False,
            False,
            [],
            commitment(SECRET),
            None,
        ),
        events.PersonSeated(0, "P0", "sky", "hare"),
        events.PersonSeated(1, "P1", "white", ""),
        events.NonceAdded(1, "rabbit"),
    ]
    if begun:
        tape = Tape((), FairChance(chance_key(SECRET, ("hare", "rabbit")), 0))
        definition.new(definition.make_options(2), tape)
        log.append(events.Begun(["hare", "rabbit"], tape.outcomes))
    return log


@pytest.mark.parametrize("begun", [False, True])
def test_a_table_of_log_format_1_continues(begun: bool) -> None:
    async def scenario() -> None:
        store = MemoryStore()
        tokens = ["a" * 43, "b" * 43]
        keys = Keys(hash_of(tokens[0]), tuple(map(hash_of, tokens)), (None, None))
        # As stored by that version: without fields added since.
        stripped = msgspec.json.decode(msgspec.json.encode(keys))
        del stripped["asking"]
        await store.create_table(
            "old-table-0001",
            b"{}",
            private={"secret": SECRET, "keys": msgspec.json.encode(stripped)},
        )
        bodies = []
        for event in old_log(begun=begun):
            body = msgspec.json.decode(encode(Entry(1000, event)))
            if body["event"]["type"] == "seated":
                del body["event"]["seal"]
            bodies.append(msgspec.json.encode(body))
        await store.append("old-table-0001", 0, bodies)
        service = make_service(store)
        friends = Friends(service, "old-table-0001", tokens)
        friends.who = [await service.identify("old-table-0001", token) for token in tokens]
        assert (await shown_table(friends)).commitment == commitment(SECRET)
        if not begun:
            await friends.ask(0, Begin("r"))
        table = await shown_table(friends)
        assert (table.stage, table.nonces) == ("playing", ["hare", "rabbit"])
        await friends.finish()
        text = await service.record("old-table-0001")
        assert "seal" not in text
        record = parse_record(text)
        assert str(record) == text
        assert verify(record, [commitment(SECRET)]).is_fair
        assert record.fairness is not None
        assert record.fairness.secret == SECRET.hex()

    asyncio.run(scenario())
