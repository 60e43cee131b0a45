"""Profiles on both databases: keys, sessions, codes and seats."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from archipel.profiles.messages import Profile
from archipel.profiles.profiles import (
    CHALLENGE_TIME,
    CODE_TIME,
    DAY,
    MOST_KEYS,
    SESSION_TIME,
    NotSignedIn,
    ProfileRefused,
    Profiles,
)
from archipel.store.postgresql.copying import back_up_database, move_to_database
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.protocol import Outlook, Turn
from archipel.store.sql_store import SqlStore, Statement
from archipel.store.sqlite.salvage import salvage
from archipel.store.sqlite.store import SqliteStore
from archipel.store.table_copy import PEOPLE, people_query
from tests.profiles.devices import TestDevice
from tests.store.subjects import ManualClock
from tests.support.postgresql import database

Scenario = Callable[[Profiles, ManualClock], Awaitable[None]]
SCENARIOS: list[Scenario] = []


def scenario(check: Scenario) -> Scenario:
    SCENARIOS.append(check)
    return check


def refusal_of(error: pytest.ExceptionInfo[ProfileRefused]) -> str:
    assert error.value.say("en").message
    assert error.value.say("fr").message
    return error.value.code


@scenario
async def a_device_proves_itself_by_a_signature(profiles: Profiles, clock: ManualClock) -> None:
    device, stranger = TestDevice(), TestDevice()
    session = await device.create(profiles)
    assert await profiles.profile(session.profile) == Profile(session.profile, "Ana", "sky", "en")
    signed = await profiles.verify(session.token)
    assert (signed.profile, signed.device) == (session.profile, session.device)
    again = await profiles.sign_in(await device.answer(profiles))
    assert (again.profile, again.device) == (session.profile, session.device)
    assert again.token != session.token
    with pytest.raises(ProfileRefused) as refused:
        await profiles.sign_in(await stranger.answer(profiles))
    assert refusal_of(refused) == "unknown_device"
    with pytest.raises(ProfileRefused) as refused:
        await device.create(profiles)
    assert refusal_of(refused) == "known_device"


@scenario
async def a_challenge_is_valid_once_and_not_for_long(
    profiles: Profiles, clock: ManualClock
) -> None:
    device, thief = TestDevice(), TestDevice()
    await device.create(profiles)
    proof = await device.answer(profiles)
    await profiles.sign_in(proof)
    for old in (proof, device.proof("A" * 32)):
        with pytest.raises(ProfileRefused) as refused:
            await profiles.sign_in(old)
        assert refusal_of(refused) == "old_challenge"
    late = await device.answer(profiles)
    clock.now += CHALLENGE_TIME
    with pytest.raises(ProfileRefused):
        await profiles.sign_in(late)
    # The key of one device under the signature of another, and of another challenge.
    challenge = await profiles.challenge()
    mixed = thief.proof(challenge)
    for signature in (mixed.signature, device.proof("B" * 32).signature, "A" * 20, "A" * 21):
        challenge = await profiles.challenge()
        forged = type(mixed)(challenge, device.proof(challenge).public, signature)
        with pytest.raises(ProfileRefused) as refused:
            await profiles.sign_in(forged)
        assert refusal_of(refused) == "bad_proof"


@scenario
async def a_session_ends(profiles: Profiles, clock: ManualClock) -> None:
    session = await TestDevice().create(profiles)
    clock.now += SESSION_TIME - 1
    await profiles.verify(session.token)
    clock.now += 1
    with pytest.raises(NotSignedIn):
        await profiles.verify(session.token)
    device = TestDevice()
    session = await device.create(profiles)
    await profiles.sign_out(session.token)
    with pytest.raises(NotSignedIn):
        await profiles.verify(session.token)


@scenario
async def a_code_adds_a_device_once(profiles: Profiles, clock: ManualClock) -> None:
    first = await TestDevice().create(profiles)
    code, until = await profiles.new_code(first.profile, "move")
    assert until == clock.now + CODE_TIME
    clock.now += 1
    phone = TestDevice()
    session = await profiles.add_device(await phone.answer(profiles), code, "Phone")
    assert session.profile == first.profile
    own = await profiles.own(await profiles.verify(session.token))
    assert [(device.label, device.this) for device in own.devices] == [
        ("Laptop", False),
        ("Phone", True),
    ]
    with pytest.raises(ProfileRefused) as refused:
        await profiles.add_device(await TestDevice().answer(profiles), code)
    assert refusal_of(refused) == "bad_code"
    older, _ = await profiles.new_code(first.profile, "move")
    code, _ = await profiles.new_code(first.profile, "move")
    with pytest.raises(ProfileRefused):  # a new code replaces the older one
        await profiles.add_device(await TestDevice().answer(profiles), older)
    clock.now += CODE_TIME
    with pytest.raises(ProfileRefused):
        await profiles.add_device(await TestDevice().answer(profiles), code)


@scenario
async def a_printed_code_is_valid_for_long_and_however_it_is_typed(
    profiles: Profiles, clock: ManualClock
) -> None:
    first = await TestDevice().create(profiles)
    code, until = await profiles.new_code(first.profile, "recovery")
    assert until is None
    assert len(code) == 23
    assert (await profiles.own(await profiles.verify(first.token))).recovery
    clock.now += 1000 * DAY
    typed = code.lower().replace("-", " ")
    session = await profiles.add_device(await TestDevice().answer(profiles), typed)
    assert session.profile == first.profile
    assert not (await profiles.own(await profiles.verify(session.token))).recovery
    with pytest.raises(ProfileRefused):
        await profiles.add_device(await TestDevice().answer(profiles), code)


@scenario
async def a_revoked_device_is_out_at_once(profiles: Profiles, clock: ManualClock) -> None:
    lost, kept = TestDevice(), TestDevice()
    old = await lost.create(profiles)
    with pytest.raises(ProfileRefused) as refused:
        await profiles.revoke(old.profile, old.device)
    assert refusal_of(refused) == "last_device"
    code, _ = await profiles.new_code(old.profile, "move")
    new = await profiles.add_device(await kept.answer(profiles), code)
    known_to_the_lost_one, _ = await profiles.new_code(old.profile, "recovery")
    await profiles.revoke(new.profile, old.device)
    await profiles.revoke(new.profile, old.device)  # a repeat changes nothing
    with pytest.raises(NotSignedIn):
        await profiles.verify(old.token)
    with pytest.raises(ProfileRefused):
        await profiles.sign_in(await lost.answer(profiles))
    with pytest.raises(ProfileRefused):
        await profiles.add_device(await lost.answer(profiles), known_to_the_lost_one)
    await profiles.verify(new.token)


@scenario
async def nobody_revokes_the_devices_of_others(profiles: Profiles, clock: ManualClock) -> None:
    one, two = await TestDevice().create(profiles), await TestDevice().create(profiles, "Ben")
    code, _ = await profiles.new_code(two.profile, "move")
    await profiles.add_device(await TestDevice().answer(profiles), code)
    await profiles.revoke(two.profile, one.device)
    await profiles.verify(one.token)


@scenario
async def a_profile_has_a_limited_number_of_keys(profiles: Profiles, clock: ManualClock) -> None:
    session = await TestDevice().create(profiles)
    for number in range(MOST_KEYS - 1):
        await profiles.add_passkey(session.profile, b"credential %d" % number, b"public", "")
    assert await profiles.passkey(b"credential 0") == (session.profile, b"public", 0)
    await profiles.used_passkey(b"credential 0", 7)
    assert await profiles.passkey(b"credential 0") == (session.profile, b"public", 7)
    with pytest.raises(ProfileRefused) as refused:
        await profiles.add_passkey(session.profile, b"another", b"public", "")
    assert refusal_of(refused) == "too_many_devices"
    assert await profiles.passkey(b"another") is None


@scenario
async def names_are_clean_and_allowed(profiles: Profiles, clock: ManualClock) -> None:
    strict = Profiles(profiles.store, clock, refused_names=["Rude"])
    device = TestDevice()
    with pytest.raises(ProfileRefused) as refused:
        await device.create(strict, "so rude!")
    assert refusal_of(refused) == "refused_name"
    session = await device.create(strict, " Ana\u202e  B ")
    assert (await strict.profile(session.profile)).name == "Ana B"
    await strict.change(session.profile, "Béa", "black", "fr")
    assert await strict.profile(session.profile) == Profile(session.profile, "Béa", "black", "fr")
    with pytest.raises(ProfileRefused):
        await strict.change(session.profile, "RUDE", "black", "fr")


@scenario
async def seats_belong_to_a_profile(profiles: Profiles, clock: ManualClock) -> None:
    store = profiles.store
    for table in ("table-one", "table-two", "rematch-of-one"):
        await store.create_table(table, b"")  # type: ignore[attr-defined]
    ana, ben = await TestDevice().create(profiles), await TestDevice().create(profiles, "Ben")
    await profiles.claim(ana.profile, "table-one", "a" * 64)
    await profiles.claim(ana.profile, "table-one", "a" * 64)
    await profiles.claim(ben.profile, "table-one", "b" * 64)
    await profiles.claim(ana.profile, "table-two", "c" * 64)
    assert await profiles.at_table("table-one") == {"a" * 64: ana.profile, "b" * 64: ben.profile}
    assert sorted(await profiles.seats(ana.profile)) == [
        ("table-one", "a" * 64),
        ("table-two", "c" * 64),
    ]
    assert await profiles.holder(ben.profile, "table-two") is None
    assert await profiles.holder_at("table-one", ben.token) == "b" * 64
    assert await profiles.holder_at("table-one", "nobody") is None
    await profiles.follow("table-one", "rematch-of-one")
    await profiles.follow("table-one", "rematch-of-one")
    assert await profiles.at_table("rematch-of-one") == await profiles.at_table("table-one")
    await profiles.unclaim("table-two", "c" * 64)
    assert await profiles.at_table("table-two") == {}
    await profiles.delete(ana.profile)
    assert await profiles.at_table("table-one") == {"b" * 64: ben.profile}
    with pytest.raises(NotSignedIn):
        await profiles.verify(ana.token)
    assert list(await profiles.of_ids([ana.profile, ben.profile])) == [ben.profile]


@scenario
async def unused_profiles_are_deleted(profiles: Profiles, clock: ManualClock) -> None:
    clock.now = 400 * DAY
    old = await TestDevice().create(profiles)
    device = TestDevice()
    used = await device.create(profiles)
    clock.now += 10 * DAY
    await profiles.sign_in(await device.answer(profiles))
    assert await profiles.delete_unused(5 * DAY) == 1
    assert list(await profiles.of_ids([old.profile, used.profile])) == [used.profile]


@pytest.fixture(scope="module")
def address() -> object:
    with database() as address:
        yield address


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("check", SCENARIOS, ids=lambda check: check.__name__)
def test_profiles(
    kind: str, check: Scenario, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    clock = ManualClock()
    address = request.getfixturevalue("address") if kind == "postgresql" else ""

    async def run() -> None:
        store: SqliteStore | PostgresqlStore
        if kind == "sqlite":
            store = await SqliteStore.open(tmp_path / "tables.db", clock=clock)
        else:
            store = await PostgresqlStore.open(address, clock=clock)
            for table in await store.tables():
                await store.delete(table.table_id)
            await Profiles(store, clock).delete_unused(-(10**15))
        try:
            await check(Profiles(store, clock), clock)
        finally:
            await store.close()

    asyncio.run(run())


async def people_of(store: SqlStore) -> dict[str, list[tuple[object, ...]]]:
    return {
        name: [tuple(row) for row in await store.fetch(people_query(name, store.schema))]
        for name in PEOPLE
    }


async def fill(store: SqliteStore | PostgresqlStore) -> dict[str, list[tuple[object, ...]]]:
    """One row in every database table about people."""
    profiles = Profiles(store)
    session = await TestDevice().create(profiles)
    await profiles.new_code(session.profile, "recovery")
    await store.create_table("table-one", b"", private={"keys": b"{}"})
    turn = Turn(1, "a" * 64, 2000, 0, (("turn", 1500),))
    await store.append("table-one", 0, [b"event"], outlook=Outlook(turn=turn))
    await profiles.claim(session.profile, "table-one", "a" * 64)
    at = store.schema
    await store.transact(
        Statement(
            f"INSERT INTO {at}channel VALUES ('c', ?1, ?2, 'webhook', 'https://a', ?3, 1, 0)",
            (session.profile, session.device, b"{}"),
        ),
        Statement(f"INSERT INTO {at}delivery VALUES ('table-one', 1, 'turn', 'c', 1, 0, 0)"),
        Statement(f"INSERT INTO {at}server_value VALUES ('key', ?1)", (b"secret",)),
    )
    found = await people_of(store)
    assert all(found.values()), found
    return found


def test_copies_have_the_people_too(tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqliteStore.open(tmp_path / "tables.db")
        people = await fill(store)
        await store.close()
        salvage(tmp_path / "tables.db", tmp_path / "salvaged.db")
        await move_to_database(tmp_path / "tables.db", moved)
        copied = await PostgresqlStore.open(moved)
        assert await people_of(copied) == people
        await copied.close()
        await back_up_database(moved, tmp_path / "backup.db")
        for file in ("backup.db", "salvaged.db"):
            store = await SqliteStore.open(tmp_path / file)
            assert await people_of(store) == people, file
            await store.close()

    with database() as moved:
        asyncio.run(run())


def test_salvage_leaves_out_what_belongs_to_a_lost_table(tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqliteStore.open(tmp_path / "tables.db")
        await fill(store)
        await store.create_table("table-two", b"", private={"keys": b"{}"})
        await store.append("table-two", 0, [b"event"])
        await store.close()
        salvage(
            tmp_path / "tables.db",
            tmp_path / "salvaged.db",
            judge=lambda events: 0 if events[0].n == 1 and lost.pop() else 1,
        )
        store = await SqliteStore.open(tmp_path / "salvaged.db")
        found = await people_of(store)
        assert [table.table_id for table in await store.tables()] == ["table-two"]
        assert found["profile"]
        assert found["profile_key"]
        assert found["channel"]
        empty = ("profile_seat", "turn", "notice", "delivery")
        assert [name for name in PEOPLE if not found[name]] == list(empty)
        await store.close()

    lost = [False, True]
    asyncio.run(run())
