"""Players at one table over real sockets: a whole game, reconnecting, repeated and late moves."""

import asyncio
import base64
import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any
from urllib import request

import msgspec
import pytest

from archipel.record import parse_record
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit.core.machine_record import from_bytes
from archipel.serve.api import messages
from archipel.store.errors import StoreFailed
from archipel.tables.publishing.finished_games import corrections_for
from tests.serve.people import Person, join_table, make_table
from tests.serve.running import Running, running

DECODER = msgspec.json.Decoder(messages.ToBrowser)


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running() as server:
        yield server


def get(server: Running, path: str) -> str:
    with request.urlopen(server.http + path) as answer:
        text: str = answer.read().decode()
        return text


def seated(server: Running) -> tuple[Person, Person]:
    """Two people at a table with a bot, not connected yet."""
    made = make_table(server.http, seats=[{}, {"bot": "random"}, {}], options={"first": 1})
    joined = join_table(server.http, made["table"])
    address = server.socket_of(made["table"])
    return Person(address, made["token"]), Person(address, joined["token"])


@asynccontextmanager
async def at_play(server: Running) -> AsyncIterator[tuple[Person, Person]]:
    """Both connected, at the first decision of Ana."""
    ana, ben = seated(server)
    async with ana, ben:
        await ana.ask("begin")
        await ana.until(lambda person: bool(person.choices))
        yield ana, ben


async def test_two_people_and_a_bot_finish_a_game(server: Running) -> None:
    ana, ben = seated(server)
    async with ana, ben, Person(ana.address) as watcher:
        assert ana.welcome["host"]
        assert not ben.welcome["host"]
        assert (await ana.ask("begin"))["type"] == "done"
        await asyncio.gather(
            ana.play_until_over(random.Random(1)),
            ben.play_until_over(random.Random(2)),
            watcher.until(lambda person: person.is_over),
        )
        for person in (ana, ben, watcher):
            assert person.position is not None
            assert person.position["result"] is not None
            numbers = [entry["n"] for entry in person.log]
            assert numbers == sorted(set(numbers))
            for frame in person.frames:
                DECODER.decode(frame)  # every frame fits the protocol
        assert ana.position is not None
        scores = ana.position["result"]["scores"]
        table = ana.table["id"]
    record = parse_record(await asyncio.to_thread(get, server, f"/api/tables/{table}/record"))
    assert record.game.outcome is not None
    assert list(record.game.outcome.scores) == scores


async def test_reconnecting_sends_each_missed_event_once(server: Running) -> None:
    async with at_play(server) as (ana, ben):
        await ben.until(lambda person: person.after >= ana.after)
        seen = ben.after
        await ben.socket.close()
        assert ana.position is not None
        await ana.ask("play", n=ana.position["n"], action=ana.choices[0])
        ben.log.clear()
        await ben.connect()
        assert [entry["n"] for entry in ben.log] == [
            n for n in sorted({e["n"] for e in ana.log}) if n > seen
        ][: len(ben.log)]
        assert ben.after > seen
        assert ben.position is not None


async def test_a_double_tap_is_one_move(server: Running) -> None:
    async with at_play(server) as (ana, _):
        assert ana.position is not None
        move = {"n": ana.position["n"], "action": ana.choices[0], "id": "tap"}
        await ana.send({"type": "play", **move})
        first, second = await ana.next("done"), await ana.ask("play", **move)
        assert first["n"] == second["n"]
        played = [entry for entry in ana.log if entry["n"] == first["n"]]
        assert len(played) == 1


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.promise("truth")
async def test_an_unknown_outcome_is_no_refusal(
    server: Running, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    """The database fails before or after it has stored the move."""
    async with at_play(server) as (ana, _):
        store = server.application.store
        append = store.append

        async def failing(*given: Any, **more: Any) -> Any:
            monkeypatch.setattr(store, "append", append)
            if kept:
                await append(*given, **more)
            raise StoreFailed("the database does not answer")

        assert ana.position is not None
        move = {"n": ana.position["n"], "action": ana.choices[0], "id": "tap"}
        monkeypatch.setattr(store, "append", failing)
        answer = await ana.ask("play", **move)
        assert (answer["type"], answer["problem"]["code"]) == ("unknown", "unknown")
        done = await ana.ask("play", **move)
        assert done["type"] == "done"
        assert [entry["n"] for entry in ana.log].count(done["n"]) == 1


async def test_a_move_for_an_old_position_is_refused(server: Running) -> None:
    async with at_play(server) as (ana, _):
        refused = await ana.ask("play", n=0, action=ana.choices[0])
        assert refused["type"] == "refused"
        assert refused["problem"]["code"] == "stale"


async def test_an_illegal_move_is_refused_with_its_rule(server: Running) -> None:
    async with at_play(server) as (ana, ben):
        assert ana.position is not None
        illegal = next(a for a in range(100) if a not in ana.choices)
        n = ana.position["n"]
        refused = await ana.ask("play", n=n, action=illegal)
        assert refused["problem"]["code"] == "illegal"
        assert refused["problem"]["rule"].startswith("DS-")
        out_of_turn = await ben.ask("play", n=n, action=ana.choices[0])
        assert out_of_turn["problem"]["code"] == "not_your_turn"
        not_host = await ben.ask("close_table")
        assert not_host["problem"]["code"] == "not_host"


async def test_past_positions_engine_views_and_ping(server: Running) -> None:
    async with at_play(server) as (ana, _):
        assert ana.position is not None
        looked = await ana.ask("look_at", n=ana.position["n"])
        text = looked["position"].pop("text")
        assert text.startswith("seats=3 ")
        assert looked["position"] == ana.position
        answer = await ana.ask("ask_view", n=ana.position["n"], purpose="odds")
        assert answer["type"] == "view_seen", answer
        assert (answer["seen"]["seat"], answer["seen"]["seats"]) == (0, 3)
        assert answer["seen"]["corrections"] == corrections_for("deep-sea", 3)
        view = from_bytes(DEEP_SEA.state, base64.b64decode(answer["seen"]["view"]))
        assert DEEP_SEA.position_text(view) == text
        hint = await ana.ask("ask_view", n=ana.position["n"], purpose="hint")
        assert hint["problem"]["code"] == "no_hints"
        await ana.send({"type": "ping"})
        assert (await ana.next("pong"))["server_time"] > 0


async def test_a_hot_seat_shows_the_view_of_the_acting_seat(server: Running) -> None:
    made = make_table(
        server.http,
        seats=[{}, {}],
        hot_seat=True,
        names=["Ana", "Ben"],
        begin=True,
        options={"first": 2},
    )
    async with Person(server.socket_of(made["table"]), made["token"]) as both:
        looked = await both.ask("look_through", seat=1)
        assert looked["position"]["seat"] == 1
        choices = looked["position"]["scene"]["choices"]
        assert choices
        done = await both.ask(
            "play", n=looked["position"]["n"], action=choices[0]["action"], seat=1
        )
        assert done["type"] == "done"


async def test_the_view_of_another_seat_is_refused(server: Running) -> None:
    ana, ben = seated(server)
    async with ana, ben:
        await ana.ask("begin")
        for request_kind in ("look_through", "look_at"):
            refused = await ana.ask(request_kind, seat=2, n=3)
            assert refused["type"] == "refused", request_kind
            assert refused["problem"]["code"] != "internal"


async def test_presence_is_published(server: Running) -> None:
    ana, ben = seated(server)
    async with ana:
        async with ben:
            await ana.until(lambda person: bool(person.table["seats"][2]["here"]))
        await ana.until(lambda person: not person.table["seats"][2]["here"])


async def test_malformed_messages_are_refused_and_the_socket_stays_open(server: Running) -> None:
    ana, _ = seated(server)
    async with ana:
        for sent, words in (
            ("{", "not JSON"),
            ("[]", "object"),
            ("{}", "type"),
            ('{"type":"fly"}', "fly"),
            ('{"type":"play","id":"a"}', "n"),
            ('{"type":"play","id":"a","n":-1,"action":0}', "$.n"),
            ('{"type":"play","id":"a","n":1,"action":"0"}', "$.action"),
            ('{"type":"say","id":"a","phrase":"rude"}', "$.phrase"),
            ("[" * 4000, ""),
            ('{"type":"hello"}', "already"),
        ):
            await ana.socket.send(sent)
            refused = await ana.next("refused")
            assert refused["problem"]["code"] == "malformed"
            assert words in refused["problem"]["message"], refused
            if '"id":"a"' in sent:
                assert refused["id"] == "a"
        await ana.socket.send(b"\x00\x01")
        assert "binary" in (await ana.next("refused"))["problem"]["message"]
        await ana.send({"type": "ping"})
        await ana.next("pong")


async def test_a_rematch_returns_the_new_table(server: Running) -> None:
    ana, ben = seated(server)
    async with ana, ben:
        await ana.ask("begin")
        await asyncio.gather(
            ana.play_until_over(random.Random(3)), ben.play_until_over(random.Random(4))
        )
        answer = await ana.ask("rematch")
        assert answer["type"] == "done"
        assert answer["table"] != ana.table["id"]
        async with Person(server.socket_of(answer["table"]), ana.token) as again:
            assert again.welcome["seat"] is not None
            assert json.dumps(again.table)
