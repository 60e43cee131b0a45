"""Turns by days on several workers over PostgreSQL, while workers are killed, the database is
restarted and the receiving endpoints fail, are slow or gone: no notice is lost, none is sent to
somebody whose turn it no longer is, and whoever compares ids sees each once."""

from __future__ import annotations

import asyncio
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import asyncpg
import msgspec
import pytest
from websockets.exceptions import WebSocketException

from archipel.chaos.servers import OwnServer as OwnWorker
from archipel.notices.channels import Channels, Details
from archipel.notices.settings import PeopleSettings
from archipel.profiles.messages import Session
from archipel.profiles.profiles import Profiles, Signed
from archipel.store.clock import unix_milliseconds
from archipel.store.postgresql.store import PostgresqlStore
from archipel.tables import Settings as TableSettings
from archipel.tables import TableService, commands
from archipel.tables.keys import hash_of
from tests.notices.receivers import HttpReceiver, Received, http_receiver
from tests.profiles.devices import TestDevice
from tests.serve.people import Person
from tests.support.postgresql import OwnServer as OwnDatabase
from tests.tables.people import Friends, FunctionBots, choose_seeded

WORKERS = 3
#: The time that a notice may take, whatever fails.
PATIENCE = 300.0
_TROUBLE = (OSError, TimeoutError, AssertionError, WebSocketException, asyncpg.PostgresError)


class Worker(OwnWorker):
    """A worker that sends notices."""

    people = ""

    def start(self) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "archipel", "serve", "--local", "--no-browser"),
                *("--port", str(self._port), "--log-level", "error", "--people", self.people),
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
    #: Arrivals by table, event and kind of notice, with the ids of the notices.
    arrived: Counter[tuple[str, int, str]] = field(default_factory=Counter)
    ids: dict[tuple[str, int, str], set[str]] = field(default_factory=dict)
    over: dict[tuple[str, int], float] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    lost: list[tuple[str, int]] = field(default_factory=list)
    stale: list[tuple[str, int, str]] = field(default_factory=list)
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
        for turn in msgspec.json.decode(received.body)["turns"]:
            key = turn["table"], turn["n"], turn["kind"]
            self.arrived[key] += 1
            self.ids.setdefault(key, set()).add(received.id)
            # A request may be under way while the last move of the turn is made.
            if time.monotonic() - self.over.get(key[:2], time.monotonic()) > 5:
                self.stale.append(key)
        return 201

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
            began, key = time.monotonic(), (table, n, "turn")
            if self.chance.random() < 0.8:  # else the turn is over before anybody is told
                await self.await_arrival(key)
                if not self.arrived[key]:
                    self.lost.append((table, n))
                self.waited.append(time.monotonic() - began)
            await self.play(table, tokens[holder])
            while await self.turn_of(table) == turn:
                await self.play(table, tokens[holder])
            self.over[table, n] = time.monotonic()
            self.played += 1

    async def await_arrival(self, key: tuple[str, int, str]) -> None:
        """Wait for a notice, which a thread of the receiver counts; at most `PATIENCE`."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.arrived[key]:
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


async def gather(
    database: str, tables: int, receiver: HttpReceiver
) -> list[tuple[str, dict[str, str]]]:
    """Tables by days of two people each, who have profiles and webhooks."""
    store = await PostgresqlStore.open(database)
    service = TableService(
        store,
        settings=TableSettings(),
        clock=unix_milliseconds,
        bot_executor=FunctionBots(choose_seeded),
    )
    profiles = Profiles(store)
    settings = PeopleSettings(webhooks=True, private_targets=True)
    channels = Channels(profiles, settings)
    made = []

    async def person(path: str) -> Session:
        session = await TestDevice().create(profiles)
        signed = Signed(session.profile, session.device)
        address = f"{receiver.address}/{path}"
        await channels.add(signed, "webhook", address, Details("https://play.example.org"))
        return session

    for number in range(tables):
        friends = await Friends.gather(
            service, 2, game="deep-sea", clock=commands.Clock("days", 3_600)
        )
        tokens = {}
        for seat, token in enumerate(friends.tokens):
            session = await person("gone" if number == 0 and seat == 1 else f"{number}/{seat}")
            await profiles.claim(session.profile, friends.table, hash_of(token))
            tokens[hash_of(token)] = token
        if number > 0:  # the first table has an endpoint that is gone
            made.append((friends.table, tokens))
    await service.stop()
    await store.close()
    return made


@pytest.mark.soak
@pytest.mark.parametrize(("tables", "turns"), [(63, 16)])
def test_no_notice_is_lost(tables: int, turns: int, tmp_path: Path) -> None:
    people = tmp_path / "people.toml"
    people.write_text("webhooks = true\nprivate_targets = true\n")
    Worker.people = str(people)
    database = OwnDatabase()
    workers: list[Worker] = []
    chance = random.Random(28)
    try:
        with http_receiver() as receiver:
            made = asyncio.run(gather(database.address, tables, receiver))
            for _ in range(WORKERS):
                workers.append(Worker(database.address))
                workers[-1].await_ready()
            soak = Soak(database, workers, turns, chance)
            receiver.status_of = soak.receive

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
    repeats = sum(soak.arrived.values()) - len(soak.arrived)
    waited = sorted(soak.waited)
    figures = {
        "turns": soak.played,
        "notices": len(soak.arrived),
        "lost": len(soak.lost),
        "stale": len(soak.stale),
        "repeated": repeats,
        "seconds, median and longest": (waited[len(waited) // 2], waited[-1]),
        **soak.strikes,
    }
    print(figures)
    (tmp_path / "figures.txt").write_text(str(figures))
    assert not soak.lost, figures
    assert not soak.stale, figures
    # Only a worker that dies between the answer and its note of it sends again, under the same id.
    assert all(len(ids) == 1 for ids in soak.ids.values())
    assert repeats <= soak.strikes["worker"] + soak.strikes["database"], figures
    assert soak.strikes["worker"] > 0
    assert soak.strikes["database"] > 0
