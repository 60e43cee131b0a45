"""Attacks by the host of a table or of the server, over the wire."""

import asyncio
import hashlib
import json
import random
from pathlib import Path
from urllib import request
from urllib.error import HTTPError

import pytest

from archipel.cli import main as archipel
from archipel.tables import Settings as TableSettings
from tests.serve.people import Person, join_table, make_table, post
from tests.serve.running import Running, running

NONCES = {"Ana": "nonce-of-ana-0123", "Ben": "nonce-of-ben-4567"}


def seal_of(name: str) -> str:
    return hashlib.sha256(NONCES[name].encode()).hexdigest()


def seated(server: Running) -> tuple[str, str, str]:
    """A table of two sealed seats; returns the table and both tokens."""
    made = make_table(server.http, seats=[{}, {}], seal=seal_of("Ana"))
    joined = join_table(server.http, made["table"], seal=seal_of("Ben"))
    return made["table"], made["token"], joined["token"]


async def opened(*people: tuple[Person, str]) -> None:
    """Begin the game, check the commitments and open the nonces."""
    host = people[0][0]
    assert (await host.ask("begin"))["type"] == "done"
    for person, name in people:
        await person.until(lambda p: bool(p.table["drawing"]))
        assert person.table["commitment"]
        assert seal_of(name) in person.table["seals"]
    for person, name in people:
        assert (await person.ask("open_nonce", nonce=NONCES[name]))["type"] == "done"


@pytest.mark.promise("fair")
def test_nobody_chooses_the_dice_and_everybody_can_verify(tmp_path: Path) -> None:
    async def scenario(server: Running) -> tuple[str, str]:
        table, ana_token, ben_token = seated(server)
        async with (
            Person(server.socket_of(table), ana_token) as ana,
            Person(server.socket_of(table), ben_token) as ben,
        ):
            assert ana.table["commitment"] == ""
            await opened((ana, "Ana"), (ben, "Ben"))
            seen = ben.table["commitment"]
            # The commitments are final: a new seal or another nonce is refused.
            for attempt in (
                ana.ask("seal_nonce", seal=hashlib.sha256(b"better").hexdigest()),
                ana.ask("open_nonce", nonce="better"),
            ):
                assert (await attempt)["type"] == "refused"
            chooser = random.Random(1)
            await asyncio.gather(ana.play_until_over(chooser), ben.play_until_over(chooser))
            assert hashlib.sha256(bytes.fromhex(ben.table["secret"])).hexdigest() == seen
            assert ben.table["nonces"] == list(NONCES.values())
        return table, seen

    with running() as server:
        table, seen = asyncio.run(scenario(server))
        with request.urlopen(f"{server.http}/api/tables/{table}/record", timeout=20) as answer:
            record = tmp_path / "game.txt"
            record.write_bytes(answer.read())
    assert archipel(["verify", str(record), "--commitment", seen]) == 0
    assert archipel(["verify", str(record), "--commitment", seal_of("Ben")]) == 0
    assert archipel(["verify", str(record), "--commitment", "0" * 64]) == 1
    assert archipel(["verify", str(record), "--commitment", "3f9a"]) == 2


@pytest.mark.promise("consent")
async def test_a_host_cannot_see_a_hand_or_end_a_game() -> None:
    with running() as server:
        table, ana_token, ben_token = seated(server)
        address = server.socket_of(table)
        async with Person(address, ana_token) as ana, Person(address, ben_token) as ben:
            await opened((ana, "Ana"), (ben, "Ben"))
            for bot in (None, "random"):
                taken = await ana.ask("set_seat", seat=1, bot=bot)
                assert taken["problem"]["code"] == "not_away"
            assert (await ana.ask("close_table"))["type"] == "done"
            await ben.until(lambda p: p.table["proposal"] is not None)
            assert ben.table["proposal"]["kind"] == "close"
            assert ben.table["stage"] == "playing"
            n = ben.table["proposal"]["n"]
            assert (await ben.ask("answer_proposal", n=n, agree=False))["type"] == "done"
            await ana.until(lambda p: p.table["proposal"] is None)
            assert (ana.table["stage"], ana.table["secret"]) == ("playing", None)


@pytest.mark.promise("consent")
async def test_a_host_cannot_take_a_freed_seat_without_consent() -> None:
    """Ben has left; the host frees his seat and tries to join it as Zoe."""
    with running(tables=TableSettings(bot_delay=0, away=0)) as server:
        table, ana_token, ben_token = seated(server)
        address = server.socket_of(table)
        async with Person(address, ana_token) as ana:
            async with Person(address, ben_token) as ben:
                await opened((ana, "Ana"), (ben, "Ben"))
            await ana.until(lambda p: not p.table["seats"][1]["here"])
            assert (await ana.ask("set_seat", seat=1))["type"] == "done"
            zoe = join_table(server.http, table, "Zoe")
            assert (zoe["seat"], zoe["asked"]) == (None, True)
            async with Person(address, zoe["token"]) as alias:
                assert alias.welcome["seat"] is None
                assert alias.welcome["position"]["seat"] is None
                refused = await alias.ask("look_at", n=alias.after, seat=1)
                assert refused["problem"]["code"] == "not_yours"
                played = await alias.ask("play", n=alias.after, action=0)
                assert played["problem"]["code"] == "not_seated"


async def test_a_long_log_is_read_in_pages() -> None:
    with running(tables=TableSettings(bot_delay=0, log_page=4, phrases=100)) as server:
        made = make_table(server.http, seats=[{}, {"bot": "random"}], begin=True)
        async with Person(server.socket_of(made["table"]), made["token"]) as ana:
            for phrase in ("hello", "thanks", "oops", "wait", "bye", "again"):
                assert (await ana.ask("say", phrase=phrase))["type"] == "done"
            end = ana.after
        async with Person(server.socket_of(made["table"])) as watcher:
            assert watcher.welcome["log_from"] == watcher.after - 4 >= end - 4
            lines, log_from = watcher.welcome["log"], watcher.welcome["log_from"]
            while log_from:
                page = await watcher.ask("read_log", before=log_from + 1)
                assert (page["type"], len(page["log"]) <= 4) == ("log_page", True)
                lines, log_from = page["log"] + lines, page["log_from"]
            numbers = [line["n"] for line in lines]
            assert numbers == sorted(set(numbers))
            assert [line["kind"] for line in lines].count("chat") == 6


def test_an_unsealed_nonce_is_refused_with_a_reason() -> None:
    """An accepted one would silently have no effect."""
    body = {"game": "deep-sea", "seats": [{}, {}], "my_name": "Ana", "nonce": "x"}
    with running() as server, pytest.raises(HTTPError) as refused:
        post(f"{server.http}/api/tables", body)
    assert refused.value.code == 400
    assert "nonce" in json.load(refused.value)["message"]
