"""Turns by days on several workers over PostgreSQL, while workers are killed, the database is
restarted and the receiving endpoints fail, are slow or gone: no notice is lost, none is sent to
somebody whose turn it no longer is, and whoever compares ids sees each once."""

from __future__ import annotations

import asyncio
import email
import email.policy
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import msgspec
import pytest
from msgspec import structs
from websockets.exceptions import WebSocketException

from archipel.chaos.servers import OwnServer as OwnWorker
from archipel.notices.channels import Channels, Details
from archipel.notices.message import Part, compose
from archipel.notices.settings import ChannelKind, MailSettings, PeopleSettings
from archipel.profiles.messages import Session
from archipel.profiles.profiles import Profiles, Signed
from archipel.store.clock import unix_milliseconds
from archipel.store.postgresql.store import PostgresqlStore
from archipel.tables import Settings as TableSettings
from archipel.tables import TableService, commands
from archipel.tables.keys import hash_of
from tests.notices.receivers import (
    HttpReceiver,
    MailReceiver,
    PushSubscription,
    Received,
    http_receiver,
    mail_receiver,
)
from tests.profiles.devices import TestDevice
from tests.serve.people import Person
from tests.support.postgresql import OwnServer as OwnDatabase
from tests.tables.people import Friends, FunctionBots, choose_seeded

WORKERS = 3
KINDS: tuple[ChannelKind, ...] = ("webhook", "push", "mail")
#: The time that a notice may take, whatever fails.
PATIENCE = 300.0
_TROUBLE = (OSError, TimeoutError, AssertionError, WebSocketException, asyncpg.PostgresError)


class Worker(OwnWorker):
    """A worker that sends notices. It runs no bots, since people play every seat: a bot's search
    takes a minute to compile, longer than most workers live here."""

    people = ""

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "archipel", "serve", "--local", "--no-browser"),
                *("--port", str(self._port), "--log-level", "error", "--no-bots"),
                *("--people", self.people),
            ],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@dataclass
class Soak:
    database: OwnDatabase
    workers: list[Worker]
    turns: int
    chance: random.Random
    #: The subscriptions of browsers, by the paths of their addresses.
    browsers: dict[str, PushSubscription] = field(default_factory=dict)
    #: Arrivals: the channel's kind, its address, the notice's id and the time.
    arrivals: list[tuple[str, str, str, float]] = field(default_factory=list)
    arrived: set[str] = field(default_factory=set)
    #: When each turn ended.
    over: dict[tuple[str, int], float] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    lost: list[tuple[str, int]] = field(default_factory=list)
    strikes: Counter[str] = field(default_factory=Counter)
    played: int = 0

    def receive(self, received: Received) -> int:
        """The answer of an endpoint: most work, some fail, some are slow."""
        if received.path == "/gone":
            return 410
        luck = random.random()
        if luck < 0.15:
            return random.choice((429, 500, 503))
        if luck < 0.25:
            time.sleep(2.0)
        if received.path in self.browsers:
            told = self.browsers[received.path].decrypt(received.body)
            assert told["web_push"] == 8030
            self.note("push", received.path, received.id)
        else:
            assert len(msgspec.json.decode(received.body)["turns"]) == 1
            self.note("webhook", received.path, received.id)
        return 201

    def note(self, kind: str, address: str, notice: str) -> None:
        self.arrivals.append((kind, address, notice, time.monotonic()))
        self.arrived.add(notice)

    def answer_to_mail(self, address: str) -> str:
        """The mail server is busy now and then."""
        return "451 try again later" if random.random() < 0.15 else "250 OK"

    def stale(self) -> list[tuple[str, int]]:
        """The turns of which somebody was told after they had ended."""
        turns = {notice_of(*turn): turn for turn in self.over}
        # A request may be under way while the last move of the turn is made.
        return [
            turns[notice]
            for _, _, notice, at in self.arrivals
            if notice in turns and at - self.over[turns[notice]] > 5
        ]

    async def turn_of(self, table: str) -> tuple[int, str] | None:
        """The turn of a table as it is stored."""
        while True:
            try:
                connection = await asyncpg.connect(self.database.address, timeout=5)
                try:
                    row = await connection.fetchrow(
                        "SELECT n, holder FROM archipel.turn WHERE table_id = $1", table
                    )
                finally:
                    await connection.close()
            except _TROUBLE:
                await asyncio.sleep(0.3)
            else:
                return None if row is None else (row["n"], row["holder"])

    async def play(self, table: str, token: str) -> None:
        """Play until it is another seat's turn, through any worker."""
        while True:
            worker = self.chance.choice(self.workers).address.replace("http", "ws")
            person = Person(f"{worker}/api/tables/{table}/socket", token)
            try:
                async with person:
                    while person.choices and person.position is not None:
                        action, n = self.chance.choice(person.choices), person.position["n"]
                        answer = await person.ask("play", n=n, action=action)
                        while answer["type"] == "done" and person.after < answer["n"]:
                            await person.next()
                    return
            except _TROUBLE:
                await asyncio.sleep(0.3)

    async def at_table(self, table: str, tokens: dict[str, str]) -> None:
        for _ in range(self.turns):
            turn = await self.turn_of(table)
            if turn is None:
                return
            n, holder = turn
            began, notice = time.monotonic(), notice_of(table, n)
            if self.chance.random() < 0.8:  # else the turn is over before anybody is told
                await self.await_arrival(notice)
                if notice not in self.arrived:
                    self.lost.append((table, n))
                self.waited.append(time.monotonic() - began)
            await self.play(table, tokens[holder])
            while await self.turn_of(table) == turn:
                await self.play(table, tokens[holder])
            self.over[table, n] = time.monotonic()
            self.played += 1

    async def await_arrival(self, notice: str) -> None:
        """Wait for a notice, which a thread of a receiver notes; at most `PATIENCE`."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if notice in self.arrived:
                return
            await asyncio.sleep(0.2)

    async def strike(self) -> None:
        """Kill a worker every few seconds, and the database now and then."""
        number = 0
        while True:
            await asyncio.sleep(self.chance.uniform(6, 14))
            number += 1
            if number % 7 == 0:
                await asyncio.to_thread(self.database.stop, "immediate")
                await asyncio.to_thread(self.database.start)
                self.strikes["database"] += 1
                continue
            worker = self.chance.choice(self.workers)
            await asyncio.to_thread(worker.end, signal.SIGKILL)
            worker.start()
            await asyncio.to_thread(worker.await_ready)
            self.strikes["worker"] += 1


def notice_of(table: str, n: int) -> str:
    """The id of the notice of a turn, the same on every channel and at every attempt."""
    return compose([Part(table, n, "turn", "deep-sea", "")], "", "en").id


class BusyMailReceiver(MailReceiver):
    """Notes the mails that arrive, and is busy now and then."""

    soak: Soak | None = None

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        answer = "250 OK" if self.soak is None else self.soak.answer_to_mail(address)
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        if self.soak is not None:
            self.soak.note("mail", mail["To"], mail["Message-ID"].strip("<>").partition(".")[0])
        return "250 OK"


async def gather(
    database: str,
    tables: int,
    receiver: HttpReceiver,
    mail_port: int,
    browsers: dict[str, PushSubscription],
) -> list[tuple[str, dict[str, str]]]:
    """Tables by days of two people each, who have profiles and a channel: a webhook, push or
    mail."""
    store = await PostgresqlStore.open(database)
    service = TableService(
        store,
        settings=TableSettings(),
        clock=unix_milliseconds,
        bot_executor=FunctionBots(choose_seeded),
    )
    profiles = Profiles(store)
    smtp = MailSettings("127.0.0.1", "games@example.org", mail_port, "none")
    settings = PeopleSettings(push=True, webhooks=True, private_targets=True, mail=smtp)
    channels = Channels(profiles, settings)
    made = []

    async def person(path: str, kind: ChannelKind) -> Session:
        session = await TestDevice().create(profiles)
        signed = Signed(session.profile, session.device)
        address, details = f"{receiver.address}/{path}", Details("https://play.example.org")
        if kind == "push":
            browser = browsers[f"/{path}"] = PushSubscription()
            details = structs.replace(details, point=browser.point, auth=browser.auth)
        elif kind == "mail":
            address = f"{path.replace('/', '-')}@example.org"
        channel = await channels.add(signed, kind, address, details)
        if kind == "mail":
            await channels.confirm(f"{channel.id}.{channel.details.confirm}")
        return session

    for number in range(tables):
        friends = await Friends.gather(
            service, 2, game="deep-sea", clock=commands.Clock("days", 3_600)
        )
        tokens = {}
        for seat, token in enumerate(friends.tokens):
            is_gone = number == 0 and seat == 1
            kind: ChannelKind = "webhook" if is_gone else KINDS[(number + seat) % len(KINDS)]
            session = await person("gone" if is_gone else f"{number}/{seat}", kind)
            await profiles.claim(session.profile, friends.table, hash_of(token))
            tokens[hash_of(token)] = token
        if number > 0:  # the first table has an endpoint that is gone
            made.append((friends.table, tokens))
    await service.stop()
    await store.close()
    return made


@pytest.mark.promise("notices")
@pytest.mark.soak
@pytest.mark.parametrize(("tables", "turns"), [(64, 16)])
def test_no_notice_is_lost(tables: int, turns: int, tmp_path: Path) -> None:
    people = tmp_path / "people.toml"
    Worker.people = str(people)
    database = OwnDatabase()
    workers: list[Worker] = []
    chance, browsers = random.Random(28), dict[str, PushSubscription]()
    try:
        with http_receiver() as receiver, mail_receiver(BusyMailReceiver) as mail:
            people.write_text(
                "push = true\nwebhooks = true\nprivate_targets = true\n"
                f'[mail]\nserver = "127.0.0.1"\nport = {mail.port}\nsecurity = "none"\n'
                'sender = "games@example.org"\n'
            )
            made = asyncio.run(gather(database.address, tables, receiver, mail.port, browsers))
            soak = Soak(database, workers, turns, chance, browsers)
            receiver.status_of = soak.receive
            assert isinstance(mail, BusyMailReceiver)
            mail.soak = soak
            # From here on: the first worker sends notices while the others start.
            for _ in range(WORKERS):
                workers.append(Worker(database.address))
                workers[-1].await_ready()

            async def run() -> None:
                striking = asyncio.create_task(soak.strike())
                await asyncio.gather(*(soak.at_table(*each) for each in made))
                striking.cancel()
                await asyncio.gather(striking, return_exceptions=True)

            asyncio.run(run())
    finally:
        for worker in workers:
            worker.end(signal.SIGKILL)
        database.end()
    arrivals = Counter((kind, address, notice) for kind, address, notice, _ in soak.arrivals)
    repeats, stale = len(soak.arrivals) - len(arrivals), soak.stale()
    waited = sorted(soak.waited)
    figures = {
        "turns": soak.played,
        "notices": len(arrivals),
        "by channel": dict(Counter(kind for kind, _, _ in arrivals)),
        "lost": len(soak.lost),
        "of turns that were over": len(stale),
        "sent again under the same id": repeats,
        "seconds, median and longest": (waited[len(waited) // 2], waited[-1]),
        "strikes": dict(soak.strikes),
    }
    print(figures)
    (tmp_path / "figures.txt").write_text(str(figures))
    assert soak.played >= 1_000, figures
    assert not soak.lost, figures
    assert not stale, figures
    # Only a worker that dies between the answer and its note of it sends again, under the same id.
    assert repeats <= soak.strikes["worker"] + soak.strikes["database"], figures
    assert {kind for kind, _, _ in arrivals} == set(KINDS)
    assert soak.strikes["worker"] > 0
    assert soak.strikes["database"] > 0
