"""Profiles over HTTP and WebSocket: a session opens the seats, a revoked device is out at once."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib import error, request

import msgspec
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed

from archipel.notices.settings import PeopleSettings
from archipel.serve.cluster_worker import table_settings
from archipel.serve.settings import Rate
from tests.profiles.devices import TestDevice
from tests.serve.people import Message, Person, join_table, make_table
from tests.serve.running import Running, make_application, running, stricter


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(database=tmp_path_factory.mktemp("profiles") / "tables.db") as server:
        yield server


def ask(server: Running, path: str, body: object = None, session: str = "", **headers: str) -> Any:
    """The answer to a POST request, which must succeed."""
    sent = request.Request(
        f"{server.http}{path}",
        msgspec.json.encode(body),
        {"Content-Type": "application/json", "Archipel-Session": session, **headers},
    )
    with request.urlopen(sent, timeout=20) as answer:
        return json.load(answer)


def show(server: Running, session: str) -> Message:
    sent = request.Request(f"{server.http}/api/profile", headers={"Archipel-Session": session})
    with request.urlopen(sent, timeout=20) as answer:
        own: Message = json.load(answer)
        return own


def status_of(call: Any) -> tuple[int, str]:
    with pytest.raises(error.HTTPError) as caught:
        call()
    problem = json.load(caught.value)
    assert problem["message"]
    return caught.value.code, problem["code"]


def proof(server: Running, device: TestDevice) -> Any:
    return device.proof(ask(server, "/api/profile/challenge")["challenge"])


def profile(server: Running, device: TestDevice, name: str = "Ana") -> Message:
    body = {"proof": proof(server, device), "name": name, "colour": "sky", "language": "en"}
    made: Message = ask(server, "/api/profile", body)
    return made


def move(server: Running, session: str, device: TestDevice, kind: str = "move") -> Message:
    code = ask(server, f"/api/profile/{kind}", session=session)["code"]
    body = {"proof": proof(server, device), "code": code, "label": "Phone"}
    moved: Message = ask(server, "/api/profile/device", body)
    return moved


class Profiled(Person):
    """A person at a table who shows the session of a profile."""

    session = ""

    async def send(self, message: object) -> None:
        if isinstance(message, dict) and message["type"] == "hello":
            message = {**message, "session": self.session}
        await super().send(message)


def test_a_profile_is_made_and_moved(server: Running) -> None:
    laptop, phone, tablet = TestDevice(), TestDevice(), TestDevice()
    first = profile(server, laptop)
    moved = move(server, first["token"], phone)
    recovered = move(server, moved["token"], tablet, "recovery")
    assert first["profile"] == moved["profile"] == recovered["profile"]
    shown = show(server, recovered["token"])
    assert shown["profile"]["name"] == "Ana"
    assert [device["label"] for device in shown["devices"]] == ["", "Phone", "Phone"]
    changed = {"name": "Béa", "colour": "black", "language": "fr"}
    assert ask(server, "/api/profile/change", changed, first["token"])["profile"]["name"] == "Béa"
    ask(server, "/api/profile/delete", session=moved["token"])
    assert status_of(lambda: show(server, first["token"])) == (401, "not_signed_in")


def test_a_session_opens_the_seats_of_its_profile(server: Running) -> None:
    device, phone = TestDevice(), TestDevice()
    session = profile(server, device)["token"]
    made = make_table(server.http)
    joined = join_table(server.http, made["table"])
    claim = {"table": made["table"], "token": joined["token"]}
    ask(server, "/api/profile/seat", claim, session)
    other = move(server, session, phone)["token"]

    async def run() -> None:
        address = server.socket_of(made["table"])
        for token, shown, seat in (
            (None, other, joined["seat"]),
            ("x" * 43, session, joined["seat"]),
            (made["token"], session, made["seat"]),  # the token goes first
            (None, "x" * 43, None),
        ):
            person = Profiled(address, token)
            person.session = shown
            async with person:
                assert person.welcome["seat"] == seat
        # A rematch is the profile's table too: the same secrets open it.
        host, guest = Person(address, made["token"]), Person(address, joined["token"])
        async with host, guest:
            await host.ask("begin")
            await asyncio.gather(
                host.play_until_over(random.Random(1)), guest.play_until_over(random.Random(2))
            )
            rematch = (await host.ask("rematch"))["table"]
        person = Profiled(server.socket_of(rematch))
        person.session = other
        async with person:
            assert person.welcome["seat"] is not None

    asyncio.run(run())


@pytest.mark.promise("devices")
def test_a_revoked_device_is_out_at_once(server: Running) -> None:
    lost, kept = TestDevice(), TestDevice()
    old = profile(server, lost)
    made = make_table(server.http)
    claim = {"table": made["table"], "token": made["token"]}
    ask(server, "/api/profile/seat", claim, old["token"])
    new = move(server, old["token"], kept)["token"]

    async def run() -> None:
        address = server.socket_of(made["table"])
        finder, thief, owner = Person(address, made["token"]), Profiled(address), Profiled(address)
        thief.session, owner.session = old["token"], new
        async with finder, thief:
            revoked = await asyncio.to_thread(
                ask, server, "/api/profile/revoke", {"device": old["device"]}, new
            )
            assert [device["id"] for device in revoked["devices"]] != [old["device"]]
            for person in (finder, thief):  # without any further request
                await asyncio.wait_for(person.socket.wait_closed(), 20)
                assert person.socket.close_code == 4401
        async with owner:
            assert owner.welcome["seat"] == made["seat"]
            assert owner.welcome["host"]
            await owner.ask("begin")
        refused = Person(address, made["token"])
        with pytest.raises((ConnectionClosed, AssertionError)):
            await refused.connect()
        thief = Profiled(address)
        thief.session = old["token"]
        async with thief:
            assert thief.welcome["seat"] is None

    asyncio.run(run())
    assert status_of(lambda: show(server, old["token"])) == (401, "not_signed_in")
    assert status_of(
        lambda: ask(server, "/api/profile/session", {"proof": proof(server, lost)})
    ) == (401, "unknown_device")


def test_wrong_requests_are_refused_in_both_languages(server: Running) -> None:
    session = profile(server, TestDevice())["token"]
    claim = {"table": make_table(server.http)["table"], "token": "x" * 43}
    assert status_of(lambda: ask(server, "/api/profile/seat", claim, session)) == (
        401,
        "not_seated",
    )
    assert status_of(lambda: ask(server, "/api/profile/move")) == (401, "not_signed_in")
    for language, words in (("en", "not valid"), ("fr", "pas valable")):
        body = {"proof": proof(server, TestDevice()), "code": "A" * 24}
        with pytest.raises(error.HTTPError) as caught:
            ask(server, "/api/profile/device", body, **{"Accept-Language": language})
        assert caught.value.code == 422
        assert words in json.load(caught.value)["message"]


def test_a_server_without_a_database_keeps_no_profiles() -> None:
    with running() as server:
        assert status_of(lambda: ask(server, "/api/profile/challenge")) == (404, "no_profiles")


def test_new_profiles_are_limited_per_address(tmp_path: Path) -> None:
    settings = stricter(profiles=Rate(burst=2, per_second=1e-9))
    with running(settings, database=tmp_path / "tables.db") as server:
        profile(server, TestDevice())
        profile(server, TestDevice())
        assert status_of(lambda: profile(server, TestDevice())) == (429, "too_many")


def test_the_host_deletes_and_renames_on_request(tmp_path: Path) -> None:
    password = "a long password"
    people = PeopleSettings(operator=password, refused_names=("rude",))
    with running(stricter(people=people), database=tmp_path / "tables.db") as server:
        device = TestDevice()
        session = profile(server, device, "Ana")["token"]
        own = show(server, session)["profile"]["id"]

        def host(path: str, body: object, password: str = password) -> Any:
            return ask(server, f"/api/operator/{path}", body, **{"Archipel-Operator": password})

        for path, body in (
            ("find", {"name": "Ana"}),
            ("rename", {"profile": own, "name": "X"}),
            ("delete", {"kind": "profile", "id": own}),
        ):
            wrong = (401, "not_operator")
            assert status_of(lambda p=path, b=body: host(p, b, "a wrong password")) == wrong
        assert host("find", {"name": "Ben"}) == []
        (found,) = host("find", {"name": "Ana"})
        assert (found["id"], found["devices"], found["seats"]) == (own, 1, 0)
        renaming = {"profile": own, "name": "rude again"}
        assert status_of(lambda: host("rename", renaming)) == (422, "refused_name")
        host("rename", {"profile": own, "name": "Somebody"})
        assert show(server, session)["profile"]["name"] == "Somebody"

        table = make_table(server.http)["table"]
        host("delete", {"kind": "table", "id": table})
        gone = status_of(lambda: request.urlopen(f"{server.http}/api/tables/{table}", timeout=20))
        assert gone == (404, "no_table")
        assert status_of(lambda: host("delete", {"kind": "table", "id": table}))[0] == 404
        host("delete", {"kind": "profile", "id": own})
        assert status_of(lambda: show(server, session)) == (401, "not_signed_in")


def test_names_that_the_host_does_not_allow_are_refused_at_tables(tmp_path: Path) -> None:
    settings = table_settings(stricter(people=PeopleSettings(refused_names=("Rude",))))
    with TestClient(make_application(tables=settings)) as client:
        new = {"game": "deep-sea", "seats": [{}, {}], "my_name": "so rude"}
        for body in (new, {**new, "my_name": "Ana", "hot_seat": True, "names": ["A", "RUDE"]}):
            answer = client.post("/api/tables", json=body)
            assert (answer.status_code, answer.json()["code"]) == (422, "refused_name")
        table = client.post("/api/tables", json={**new, "my_name": "Ana"}).json()["table"]
        answer = client.post(f"/api/tables/{table}/join", json={"name": "Rude Ben"})
        assert answer.json()["code"] == "refused_name"
