"""Notices of games by days, from the move to real receivers, on both databases."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from archipel.notices.channels import Channel, Channels, Details, Habits
from archipel.notices.courier import Courier
from archipel.notices.outbox import MOST_FAILURES
from archipel.notices.push import public_key
from archipel.notices.settings import MailSettings, PeopleSettings
from archipel.profiles.messages import Session
from archipel.profiles.profiles import DAY, HOUR, MINUTE, ProfileRefused, Profiles, Signed
from archipel.store.postgresql.store import PostgresqlStore
from archipel.store.sql_store import Statement
from archipel.store.sqlite.store import SqliteStore
from archipel.tables import TableService, commands
from archipel.tables.keys import hash_of
from tests.notices.receivers import (
    HttpReceiver,
    MailReceiver,
    PushSubscription,
    Received,
    claims_of,
    http_receiver,
    mail_receiver,
)
from tests.profiles.devices import TestDevice
from tests.support.postgresql import database
from tests.tables.people import Friends, HandClock, make_service, refusal

BY_DAYS = commands.Clock("days", 2 * 86_400)
ORIGIN = "https://play.example.org"


@dataclass
class World:
    """Two friends at a table by days; the second one has a profile."""

    service: TableService
    profiles: Profiles
    channels: Channels
    courier: Courier
    clock: HandClock
    friends: Friends
    session: Session
    http: HttpReceiver
    mail: MailReceiver

    @property
    def signed(self) -> Signed:
        return Signed(self.session.profile, self.session.device)

    async def webhook(self, form: str = "json", path: str = "") -> Channel:
        details = Details(ORIGIN, form)
        return await self.channels.add(
            self.signed, "webhook", f"{self.http.address}/{path}", details
        )

    async def whole_turn(self, person: int) -> None:
        """Play until it is another person's turn."""
        while (await self.friends.view(person)).to_move == person:
            choice = (await self.friends.view(person)).scene.choices[-1]
            await self.friends.play(person, choice.action)

    async def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and send what is due."""
        self.clock.now += milliseconds
        await self.service.tick()
        while await self.courier.step():
            pass

    async def taken(self) -> list[str]:
        """The bodies of the webhook so far."""
        return [json.loads(each.body)["body"] for each in self.http.received]


Scenario = Callable[[World], Awaitable[None]]
SCENARIOS: list[Scenario] = []


def scenario(check: Scenario) -> Scenario:
    SCENARIOS.append(check)
    return check


@asynccontextmanager
async def world(
    store: SqliteStore | PostgresqlStore, clock: HandClock, http: HttpReceiver, mail: MailReceiver
) -> AsyncIterator[World]:
    clock.now = 1_790_000_000_000
    service = make_service(store, clock=clock)
    profiles = Profiles(store, clock)
    smtp = MailSettings("127.0.0.1", "Archipel <games@example.org>", mail.port, "none")
    settings = PeopleSettings(True, "mailto:host@example.org", True, True, smtp)
    channels = Channels(profiles, settings)
    courier = Courier(profiles, channels)
    service.ask_for_vacations(profiles.vacation_of)
    friends = await Friends.gather(service, 2, game="deep-sea", clock=BY_DAYS)
    session = await TestDevice().create(profiles)
    await profiles.claim(session.profile, friends.table, hash_of(friends.tokens[1]))
    made = World(service, profiles, channels, courier, clock, friends, session, http, mail)
    if (await friends.view(0)).to_move == 1:
        await made.whole_turn(1)
    try:
        yield made
    finally:
        await courier.stop()
        await service.stop()
        await store.close()


@scenario
async def a_turn_is_told_once_and_reminded_twice(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    await world.pass_time(1_000)
    assert world.http.received == []  # time to take the move back
    for _ in range(3):
        await world.pass_time(MINUTE)
    (told,) = world.http.received
    content = json.loads(told.body)
    assert content["body"] == "Deep Sea Adventure: it is your turn."
    assert content["link"] == f"{ORIGIN}/t/{world.friends.table}"
    assert content["turns"][0]["kind"] == "turn"
    assert not any(token in told.body.decode() for token in world.friends.tokens)
    for _ in range(40):
        await world.pass_time(HOUR)
    assert [text.partition(": ")[2][:12] for text in await world.taken()] == [
        "it is your t",
        "half of your",
    ]
    for _ in range(7):
        await world.pass_time(HOUR)
    assert len(world.http.received) == 3
    assert "tenth" in (await world.taken())[-1]
    assert len({each.id for each in world.http.received}) == 3
    await world.pass_time(DAY)  # a bot plays now
    assert len(world.http.received) == 3


@scenario
async def nobody_is_told_of_a_turn_that_is_over(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    await world.whole_turn(1)
    await world.pass_time(10 * MINUTE)
    assert world.http.received == []
    # Also if it ends between the making of a delivery and the sending.
    await world.whole_turn(0)
    world.clock.now += MINUTE
    assert await world.courier.outbox.address(world.clock.now) == 1
    await world.whole_turn(1)
    await world.pass_time(MINUTE)
    assert world.http.received == []


@scenario
async def a_move_that_was_taken_back_tells_once(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    await world.whole_turn(1)
    await world.pass_time(MINUTE)
    await world.whole_turn(0)
    before = len(world.http.received)
    for _ in range(5):
        await world.pass_time(MINUTE)
    assert len(world.http.received) == before + 1


@scenario
async def a_failing_address_is_tried_again(world: World) -> None:
    statuses = [500, 429, 302, 404]
    world.http.status_of = lambda received: statuses.pop(0) if statuses else 200
    await world.webhook()
    await world.whole_turn(0)
    for _ in range(20):
        await world.pass_time(10 * MINUTE)
    assert statuses == []
    (told,) = world.http.received
    assert told.path == "/"  # redirects are not followed
    assert world.courier.counts["webhook", "failed"] == 4
    assert world.courier.counts["webhook", "sent"] == 1
    (channel,) = await world.channels.of(world.session.profile)
    assert channel.failures == 0


@scenario
async def a_dead_address_is_forgotten(world: World) -> None:
    world.http.status_of = lambda received: 410
    await world.webhook()
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert await world.channels.of(world.session.profile) == []
    world.http.status_of = lambda received: 500
    await world.webhook(path="always-failing")
    at = world.profiles.store.schema
    await world.profiles.store.transact(
        Statement(f"UPDATE {at}channel SET failures = ?1", (MOST_FAILURES - 2,))
    )
    await world.whole_turn(1)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert len(await world.channels.of(world.session.profile)) == 1
    await world.pass_time(HOUR)
    assert await world.channels.of(world.session.profile) == []


@scenario
async def push_is_encrypted_for_the_browser(world: World) -> None:
    browser = PushSubscription()
    details = Details(ORIGIN, point=browser.point, auth=browser.auth)
    await world.channels.add(world.signed, "push", f"{world.http.address}/push/1", details)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    (told,) = world.http.received
    assert told.path == "/push/1"
    content = browser.decrypt(told.body)
    assert content["web_push"] == 8030
    notification = content["notification"]
    assert notification["title"] == "Your turn"
    assert notification["navigate"] == f"{ORIGIN}/t/{world.friends.table}"
    assert notification["body"] == "Deep Sea Adventure: it is your turn."
    assert not set(told.headers) & {"cookie", "referer"}
    assert told.headers["content-encoding"] == "aes128gcm"
    assert int(told.headers["ttl"]) > 3600
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", told.headers["topic"])
    key = public_key(await world.channels.server_key())
    claims = claims_of(told.headers["authorization"], key)
    assert claims["aud"] == world.http.address
    assert claims["sub"] == "mailto:host@example.org"
    assert 0 < claims["exp"] - world.clock.now / 1000 <= 24 * 3600
    # Another worker has the same key.
    assert await Channels(world.profiles, world.channels.settings).server_key() == (
        await world.channels.server_key()
    )
    # A device that is revoked gets nothing more.
    code, _ = await world.profiles.new_code(world.session.profile, "move")
    other = TestDevice()
    await world.profiles.add_device(await other.answer(world.profiles), code)
    await world.profiles.revoke(world.session.profile, world.session.device)
    assert await world.channels.of(world.session.profile) == []


@scenario
async def mail_is_confirmed_and_stopped_with_one_click(world: World) -> None:
    channel = await world.channels.add(world.signed, "mail", "ana@example.org", Details(ORIGIN))
    await world.courier.confirm(channel, "fr")
    (asked,) = world.mail.mails
    code = asked.get_content().split("#confirm=")[1].split()[0]
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert len(world.mail.mails) == 1  # not confirmed yet
    for wrong in (f"{channel.id}.wrong-wrong-wrong-wrong", "nobody.x", code + "x"):
        with pytest.raises(Exception, match="no_channel"):
            await world.channels.confirm(wrong)
    await world.channels.confirm(code)
    await world.whole_turn(1)
    await world.whole_turn(0)
    world.mail.refusals.append("451 try again later")
    await world.pass_time(MINUTE)
    assert len(world.mail.mails) == 1
    await world.pass_time(5 * MINUTE)
    mail = world.mail.mails[1]
    assert mail["To"] == "ana@example.org"
    assert mail["Subject"] == "Deep Sea Adventure: it is your turn."
    assert f"{ORIGIN}/t/{world.friends.table}" in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = mail["List-Unsubscribe"].strip("<>").rpartition("/")[2]
    assert f"#stop={stop}" in mail.get_content()
    with pytest.raises(Exception, match="no_channel"):
        await world.channels.stop(code)  # the code to confirm does not stop
    await world.channels.stop(stop)
    assert await world.channels.of(world.session.profile) == []
    channel = await world.channels.add(world.signed, "mail", "gone@example.org", Details(ORIGIN))
    await world.channels.confirm(f"{channel.id}.{channel.details.confirm}")
    world.mail.refusals.append("550 no such user")
    await world.whole_turn(1)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert await world.channels.of(world.session.profile) == []


@scenario
async def forms_of_chat_systems(world: World) -> None:
    for form in ("discord", "slack", "ntfy"):
        await world.webhook(form, form)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    told = {each.path: each for each in world.http.received}
    text = "Deep Sea Adventure: it is your turn."
    discord = json.loads(told["/discord"].body)
    assert text in discord["content"]
    assert discord["allowed_mentions"] == {"parse": []}
    assert text in json.loads(told["/slack"].body)["text"]
    assert told["/ntfy"].body.decode() == f"Your turn\n{text}"
    assert told["/ntfy"].headers["click"] == f"{ORIGIN}/t/{world.friends.table}"


@scenario
async def quiet_hours_are_quiet(world: World) -> None:
    world.clock.now = 1_790_000_000_000 // DAY * DAY + 22 * HOUR  # ten in the evening
    await world.whole_turn(0)
    await world.whole_turn(1)
    await world.webhook()
    habits = Habits("UTC", 21 * 60, 7 * 60 + 30)
    await world.channels.set_habits(world.session.profile, habits)
    await world.whole_turn(0)
    for _ in range(9):
        await world.pass_time(HOUR)
    assert world.http.received == []
    await world.pass_time(HOUR)
    assert len(world.http.received) == 1


@scenario
async def a_muted_table_is_silent(world: World) -> None:
    await world.webhook()
    profile, table = world.session.profile, world.friends.table
    await world.channels.set_habits(profile, Habits("UTC", muted=(table,)))
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert world.http.received == []
    await world.channels.set_habits(profile, Habits("UTC", muted=("another-table",)))
    await world.whole_turn(1)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert len(world.http.received) == 1


@scenario
async def a_table_is_muted_on_one_channel(world: World) -> None:
    await world.webhook(path="here")
    await world.webhook(path="there")
    profile, table = world.session.profile, world.friends.table
    here, _ = sorted(await world.channels.of(profile), key=lambda each: each.address)
    await world.channels.mute(profile, here.id, table, muted=True)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert [each.path for each in world.http.received] == ["/there"]
    await world.channels.mute(profile, here.id, table, muted=False)
    await world.whole_turn(1)
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    assert sorted(each.path for each in world.http.received[1:]) == ["/here", "/there"]
    with pytest.raises(ProfileRefused, match="no_channel"):
        await world.channels.mute("another-profile", here.id, table, muted=True)


@scenario
async def a_digest_is_one_message_for_many_tables(world: World) -> None:
    world.clock.now = 1_790_000_000_000 // DAY * DAY + 9 * HOUR
    await world.whole_turn(0)
    await world.whole_turn(1)
    await world.webhook()
    await world.channels.set_habits(world.session.profile, Habits("UTC", digest=18))
    await world.whole_turn(0)
    token, first = world.friends.tokens[1], world.friends
    for game in ("the-island", "mauna-kea"):
        other = await Friends.gather(world.service, 2, game=game, clock=BY_DAYS)
        await world.profiles.claim(world.session.profile, other.table, hash_of(other.tokens[1]))
        world.friends = other
        if (await other.view(0)).to_move == 0:
            await world.whole_turn(0)
    world.friends = first
    assert token
    for _ in range(8):
        await world.pass_time(HOUR)
    assert world.http.received == []
    await world.pass_time(2 * HOUR)
    (told,) = world.http.received
    content = json.loads(told.body)
    assert content["title"] == "3 games wait for you"
    assert content["link"] == f"{ORIGIN}/you"
    assert len(content["turns"]) == 3


@scenario
async def what_is_sent_again_has_the_same_id(world: World) -> None:
    """Also if more is due by then: its receiver may have taken the first attempt."""
    attempts: list[str] = []

    def refuse_the_first(received: Received) -> int:
        attempts.append(received.id)
        return 500 if len(attempts) == 1 else 201

    world.http.status_of = refuse_the_first
    await world.webhook()
    first, others = world.friends, []
    for game in ("the-island", "mauna-kea"):
        other = await Friends.gather(world.service, 2, game=game, clock=BY_DAYS)
        await world.profiles.claim(world.session.profile, other.table, hash_of(other.tokens[1]))
        others.append(other)
    for friends in (first, others[0]):
        world.friends = friends
        if (await friends.view(0)).to_move == 0:
            await world.whole_turn(0)
    await world.pass_time(16_000)
    assert len(attempts) == 1
    world.friends = others[1]
    if (await others[1].view(0)).to_move == 0:
        await world.whole_turn(0)
    for _ in range(3):
        await world.pass_time(MINUTE)
    assert attempts[0] in [each.id for each in world.http.received]
    told = [
        turn["table"] for each in world.http.received for turn in json.loads(each.body)["turns"]
    ]
    assert sorted(told) == sorted(each.table for each in (first, *others))


@scenario
async def a_nudge_is_gentle(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    await world.pass_time(MINUTE)
    friends = world.friends
    assert (await refusal(friends.ask(0, commands.Nudge("r")))).code == "too_early_to_nudge"
    assert (await refusal(friends.ask(1, commands.Nudge("r")))).code == "nobody_to_nudge"
    await world.pass_time(12 * HOUR)
    await friends.ask(0, commands.Nudge("r"))
    assert (await refusal(friends.ask(0, commands.Nudge("r")))).code == "nudged_already"
    await world.pass_time(MINUTE)
    assert [text.partition(": ")[2] for text in await world.taken()] == [
        "it is your turn.",
        "the others are waiting for you.",
    ]
    await world.whole_turn(1)
    await world.whole_turn(0)
    assert (await refusal(friends.ask(0, commands.Nudge("r")))).code == "too_early_to_nudge"


@scenario
async def on_vacation_no_clock_runs_and_no_notice_comes(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    friends, profile = world.friends, world.session.profile
    start = world.clock.now
    until = await world.profiles.take_vacation(profile, 5)
    assert until == start + 5 * DAY
    for table, holder in await world.profiles.turns(profile):
        await world.service.take_vacation(table, holder, until)
    for _ in range(6 * 24):
        await world.pass_time(HOUR)
    assert (await world.service.table(friends.table)).seats[1].bot is None
    assert len(world.http.received) >= 1
    assert world.http.received[0]
    told_at = [json.loads(each.body)["turns"][0]["kind"] for each in world.http.received]
    assert told_at[0] in ("turn", "half")
    # A turn that begins during a vacation: the clock is stopped when it would run out.
    await world.whole_turn(1)
    until = await world.profiles.take_vacation(profile, 10)
    await world.whole_turn(0)
    await world.pass_time(9 * DAY)
    assert (await world.service.table(friends.table)).seats[1].bot is None
    left = (await world.profiles.vacation(profile))[1]
    assert left == 15
    with pytest.raises(Exception, match="too_much_vacation"):
        await world.profiles.take_vacation(profile, 31)
    await world.profiles.take_vacation(profile, 0)  # the last whole day is given back
    assert (await world.profiles.vacation(profile))[1] >= 15
    await world.pass_time(4 * DAY)
    assert (await world.service.table(friends.table)).seats[1].bot is not None


@scenario
async def two_workers_send_once(world: World) -> None:
    await world.webhook()
    others = [Courier(world.profiles, world.channels) for _ in range(3)]
    await world.whole_turn(0)
    world.clock.now += MINUTE
    await asyncio.gather(*(courier.step() for courier in [world.courier, *others]))
    await asyncio.gather(*(courier.step() for courier in [world.courier, *others]))
    assert len(world.http.received) == 1
    for courier in others:
        await courier.stop()


@scenario
async def a_worker_that_dies_leaves_its_deliveries(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    world.clock.now += MINUTE
    await world.courier.outbox.address(world.clock.now)
    assert len(await world.courier.outbox.take(world.clock.now)) == 1  # and then it dies
    await world.pass_time(1_000)
    assert world.http.received == []
    await world.pass_time(2 * MINUTE)
    assert len(world.http.received) == 1
    assert await world.courier.outbox.lag(world.clock.now) == 0


@scenario
async def a_deleted_profile_gets_nothing(world: World) -> None:
    await world.webhook()
    await world.whole_turn(0)
    await world.profiles.delete(world.session.profile)
    await world.pass_time(MINUTE)
    assert world.http.received == []
    at = world.profiles.store.schema
    for name in ("profile_key", "profile_seat", "channel", "profile_session", "delivery"):
        assert not await world.profiles.store.fetch(f"SELECT 1 FROM {at}{name}")


async def run(check: Scenario, store: SqliteStore | PostgresqlStore, clock: HandClock) -> None:
    with http_receiver() as http, mail_receiver() as mail:
        async with world(store, clock, http, mail) as made:
            await check(made)


@pytest.mark.promise("notices")
@pytest.mark.parametrize("check", SCENARIOS, ids=lambda check: check.__name__)
def test_on_sqlite(check: Scenario, tmp_path: Path) -> None:
    async def scenario() -> None:
        clock = HandClock()
        await run(check, await SqliteStore.open(tmp_path / "tables.db", clock=clock), clock)

    asyncio.run(scenario())


@pytest.mark.promise("notices")
@pytest.mark.parametrize("check", SCENARIOS, ids=lambda check: check.__name__)
def test_on_postgresql(check: Scenario) -> None:
    with database() as address:

        async def scenario() -> None:
            clock = HandClock()
            await run(check, await PostgresqlStore.open(address, clock=clock), clock)

        asyncio.run(scenario())
