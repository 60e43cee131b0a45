"""Tables that move from a player's device to a server, and what the server refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from archipel.record import parse_record
from archipel.store.table_copy import TableCopy
from archipel.store.table_file import read_table_file, write_table_file
from archipel.tab.authority import Authority
from archipel.tab.browser_store import BrowserStore
from archipel.tables import TableService, arrivals, commands
from archipel.tables.log.fair_chance import seal_of
from archipel.tables.log.records import verify
from tests.store.key_values import MemoryKeyValues
from tests.tables.people import QUICK, Friends, make_service, refusal, running, settle
from tests.tables.secret_cards import PASS, PEEK, THINK, THROW

SERVER = "https://play.example.org"


@dataclass
class Move:
    """A table on a device, and a server."""

    friends: Friends
    authority: Authority
    server: TableService

    @property
    def table(self) -> str:
        return self.friends.table

    async def pack(self) -> tuple[int, bytes]:
        return await self.authority.pack_table(self.table)

    async def send(self) -> int:
        """Send the table to the server; returns the number of its last event."""
        n, file = await self.pack()
        assert await self.server.take_over(file) == self.table
        return n

    async def finish(self) -> Friends:
        """Close the table on the device, and return the same people at the server."""
        await self.friends.ask(0, commands.MoveAway("r", await self.send()))
        there = Friends(self.server, self.table, self.friends.tokens)
        there.who = [await self.server.identify(self.table, token) for token in there.tokens]
        return there


@asynccontextmanager
async def moving(*, bots: int = 0, begin: bool = True, **given: Any) -> AsyncIterator[Move]:
    store = await BrowserStore.open(MemoryKeyValues({}))
    settings = replace(QUICK, on_device=True, moves_to=SERVER)
    device = make_service(store, settings=settings, seed="device")
    async with running(device), running(make_service(seed="server")) as server:
        friends = await Friends.gather(device, 2, bots, begin=False, **given)
        for person, nonce in enumerate(("a", "b")):
            device.arrived(friends.who[person])
            await friends.ask(person, commands.SealNonce("r", seal=seal_of(nonce)))
        if begin:
            await friends.ask(0, commands.Begin("r"))
            for person, nonce in enumerate(("a", "b")):
                await friends.ask(person, commands.OpenNonce("r", nonce=nonce))
        yield Move(friends, Authority(device, store), server)


async def play_some(friends: Friends) -> None:
    for person, action in ((0, PEEK), (0, THROW), (1, THINK), (1, PASS), (0, THROW)):
        await friends.play(person, action)


async def test_a_game_goes_on_at_the_server_with_the_same_people() -> None:
    async with moving() as move:
        await play_some(move.friends)
        seen = [(await move.friends.view(person)).scene for person in range(2)]
        there = await move.finish()
        assert [(await there.view(person)).scene for person in range(2)] == seen
        table = await there.service.table(there.table)
        assert (table.stage, table.on_device, table.moved_to) == ("playing", True, None)
        await there.finish()
        record = parse_record(await there.service.record(there.table))
        assert verify(record).is_fair


async def test_the_table_on_the_device_is_closed_and_names_the_server() -> None:
    async with moving() as move:
        await play_some(move.friends)
        await move.finish()
        here = await move.friends.service.table(move.table)
        assert (here.stage, here.moved_to, here.secret) == ("closed", SERVER, None)
        problem = await refusal(move.friends.play(1, PASS))
        assert problem.code == "closed"
        view = await move.friends.view(1)
        assert view.to_move is None


async def test_a_table_without_a_game_moves_too() -> None:
    async with moving(begin=False) as move:
        there = await move.finish()
        await there.ask(0, commands.Begin("r"))
        assert (await there.service.table(there.table)).drawing is False
        assert (await there.service.table(there.table)).stage in ("gathering", "playing")


async def test_moves_between_the_copy_and_the_end_are_not_lost() -> None:
    async with moving() as move:
        n = await move.send()
        await move.friends.play(0, THROW)
        problem = await refusal(move.friends.ask(0, commands.MoveAway("r", n)))
        assert problem.code == "stale"
        before = await move.friends.view(1)
        there = await move.finish()
        assert (await there.view(1)).n == before.n > n
        assert (await there.view(1)).scene == before.scene


async def test_a_repeat_changes_nothing_and_a_table_that_went_on_stays() -> None:
    async with moving() as move:
        _, file = await move.pack()
        for _ in range(2):
            assert await move.server.take_over(file) == move.table
        await move.friends.play(0, THROW)
        _, longer = await move.pack()
        who = await move.server.identify(move.table, move.friends.tokens[0])
        there = Friends(move.server, move.table, move.friends.tokens)
        there.who = [who]
        await there.play(0, PASS)
        problem = await refusal(move.server.take_over(longer))
        assert problem.code == "arrived"


async def test_bots_wait_until_somebody_opens_the_table() -> None:
    async with moving(bots=1, begin=False) as move:
        await move.friends.ask(0, commands.Begin("r"))
        for person, nonce in enumerate(("a", "b")):
            await move.friends.ask(person, commands.OpenNonce("r", nonce=nonce))
        await move.friends.play(0, PASS)
        n, file = await move.pack()
        await move.friends.play(1, PASS)  # and the bot
        await settle(move.friends.service)
        await move.server.take_over(file)
        for _ in range(50):
            await asyncio.sleep(0)
        there = await move.finish()
        assert (await there.service.table(there.table)).stage == "playing"
        assert n < (await there.view(0)).n


async def test_only_the_host_moves_a_table_and_only_where_there_is_a_server() -> None:
    async with moving() as move:
        n = await move.send()
        problem = await refusal(move.friends.ask(1, commands.MoveAway("r", n)))
        assert problem.code == "not_host"
    async with running(make_service()) as service:
        friends = await Friends.gather(service)
        problem = await refusal(friends.ask(0, commands.MoveAway("r", await friends.last())))
        assert problem.code == "no_server"


# ---- what a device must not send ----------------------------------------------------------------

Log = list[dict[str, Any]]


def forged(file: bytes, change: Callable[[Log, dict[str, Any]], None]) -> bytes:
    """The file with a changed log, or changed private values."""
    (copy,) = read_table_file(file).tables
    log = [msgspec.json.decode(body) for _, _, _, body in copy.rows["event"]]
    private = {key: value for _, key, value in copy.rows["private"]}
    change(log, private)
    table = copy.table_id
    rows = {
        **copy.rows,
        "event": [(table, n, 1, msgspec.json.encode(body)) for n, body in enumerate(log, 1)],
        "private": [(table, key, value) for key, value in sorted(private.items())],
    }
    return write_table_file([TableCopy(copy.row, rows)])


def find(log: Log, kind: str) -> dict[str, Any]:
    """The last event of a type."""
    return next(entry["event"] for entry in reversed(log) if entry["event"]["type"] == kind)


def change(kind: str, **values: Any) -> Callable[[Log, dict[str, Any]], None]:
    return lambda log, private: find(log, kind).update(values)


def insert(at: int, **event: Any) -> Callable[[Log, dict[str, Any]], None]:
    return lambda log, private: log.insert(at % (len(log) + 1), {"at": 1, "event": event})


def change_keys(**values: Any) -> Callable[[Log, dict[str, Any]], None]:
    def changed(log: Log, private: dict[str, Any]) -> None:
        keys = {**msgspec.json.decode(private["keys"]), **values}
        private["keys"] = msgspec.json.encode(keys)

    return changed


FORGERIES: dict[str, tuple[Callable[[Log, dict[str, Any]], None], str]] = {
    "an outcome": (change("played", outcomes=[5]), "not those of the secret"),
    "another draw": (change("played", first_draw=0), "not those of the secret"),
    "an illegal action": (change("played", action=4), "not legal"),
    "out of turn": (change("played", seat=1), "not legal"),
    "played by a bot": (change("played", by="bot"), "somebody else"),
    "a deal": (change("begun", outcomes=[1, 2]), "the deal"),
    "a nonce": (change("nonce_opened", nonce="c"), "cannot stand here"),
    "a seal of nobody": (change("draw_begun", seals=["0" * 64, ""]), "cannot stand here"),
    "a commitment": (change("draw_begun", commitment="0" * 64), "not the one committed to"),
    "a secret": (lambda log, private: private.update(secret=bytes(32)), "the deal"),
    "no secret": (lambda log, private: private.pop("secret"), "the deal"),
    "not free": (insert(-1, type="taken_back", seat=0, moves=2), "cannot stand here"),
    "a result": (
        insert(-1, type="ended", ranks=[0, 1], scores=[9, 0], reason="end", secret="ab"),
        "not possible before the game is over",
    ),
    "a second creation": (lambda log, private: log.insert(3, log[0]), "creates the table again"),
    "a name": (change("seated", name="Ben\u202e"), "cannot stand here"),
    "a long name": (change("seated", name="B" * 25), "24"),
    "a text": (insert(-1, type="wrote", seat=0, text="a\nb"), "cannot stand here"),
    "a seat": (insert(-1, type="said", seat=7, phrase="hello"), "no seat 7"),
    "a strange bot": (insert(-1, type="handed_over", seat=0, bot="x", by=0), "cannot stand here"),
    "a strange game": (change("created", game="chess"), "chess"),
    "another table": (change("created", table="another-table"), "not that of this table"),
    "not on a device": (change("created", on_device=False), "not created on a device"),
    "an old format": (change("created", format=1), "not created on a device"),
    "a position": (change("created", position="seats=x", format=3), "does not hold together"),
    "a clock": (change("created", clock={"kind": "live", "seconds": 0}), "cannot stand here"),
    "the future": (lambda log, private: log[-1].update(at=10**13), "from the future"),
    "a request": (lambda log, private: log[-1].update(request="a b"), "no id"),
    "keys of others": (change_keys(seats=[None, "ab"]), "cannot stand here"),
    "too few keys": (change_keys(seats=[]), "keys of other seats"),
    "no keys": (lambda log, private: private.pop("keys"), "does not hold together"),
    "too long": (
        lambda log, private: log.extend([log[1]] * arrivals.MOST_EVENTS),
        "events",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
async def test_a_forged_table_is_refused(name: str) -> None:
    forge, why = FORGERIES[name]
    async with moving() as move:
        await play_some(move.friends)
        _, file = await move.pack()
        problem = await refusal(move.server.take_over(forged(file, forge)))
        assert problem.code == "bad_arrival"
        assert why in problem.message
        missing = await refusal(move.server.table(move.table))
        assert missing.code == "no_table"
        await move.finish()  # the true one is taken


@pytest.mark.parametrize("file", [b"", b"not a file", write_table_file([])])
async def test_other_files_are_refused(file: bytes) -> None:
    async with running(make_service()) as server:
        assert (await refusal(server.take_over(file))).code == "bad_arrival"
