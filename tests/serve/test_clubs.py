"""The HTTP API of clubs, and that there is none unless the host offers it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from archipel.notices.settings import PeopleSettings
from archipel.serve.api.openapi import describe
from tests.serve.running import RELAXED, make_application


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_application(settings=replace(RELAXED, clubs=True))) as client:
        yield client


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def opened(client: TestClient) -> dict[str, Any]:
    answer = client.post("/api/clubs", json={"name": "Divers", "my_name": "Ana"})
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def test_there_are_no_clubs_unless_the_host_offers_them() -> None:
    with TestClient(make_application()) as plain:
        assert plain.get("/api/offers").json() == {"clubs": False, "previews": False}
        answer = plain.post("/api/clubs", json={"name": "Divers", "my_name": "Ana"})
        assert (answer.status_code, answer.json()["code"]) == (405, "method")


def test_a_club_is_opened_joined_used_and_closed(client: TestClient) -> None:
    assert client.get("/api/offers").json() == {"clubs": True, "previews": False}
    made = opened(client)
    club, own = f"/api/clubs/{made['club']}", bearer(made["token"])
    shown = client.get(club, headers=own).json()
    wish = {"name": "Ben", "invitation": shown["invitation"]}
    joined = client.post(f"{club}/join", json=wish)
    assert joined.status_code == 201
    theirs = bearer(joined.json()["token"])
    command = {"type": "propose", "game": "deep-sea", "seats": 2}
    answer = client.post(f"{club}/commands", json=command, headers=own)
    assert (answer.status_code, len(answer.json()["proposals"])) == (200, 1)
    table = client.post(f"{club}/tables", json={"proposal": 1}, headers=own)
    assert table.status_code == 201
    address = f"{club}/tables/{table.json()['table']}/join"
    assert client.post(address, json={}, headers=theirs).json()["seat"] == 1
    exported = client.get(f"{club}/export", headers=theirs)
    assert exported.json()["club"]["name"] == "Divers"
    results = client.get(f"{club}/results", headers=theirs)
    assert results.text.startswith("time,season,game")
    assert "attachment" in results.headers["content-disposition"]
    command = {"type": "close", "name": "Divers"}
    refused = client.post(f"{club}/commands", json=command, headers=theirs)
    assert (refused.status_code, refused.json()["code"]) == (409, "club_role")
    assert client.post(f"{club}/commands", json=command, headers=own).json() is None
    assert client.get(club, headers=own).json()["code"] == "no_club"


def test_names_that_the_host_does_not_allow_are_refused(client: TestClient) -> None:
    people = PeopleSettings(refused_names=("rude",))
    with TestClient(make_application(settings=replace(RELAXED, clubs=True, people=people))) as own:
        for names in (("Rude club", "Ana"), ("Divers", "so RUDE")):
            answer = own.post("/api/clubs", json={"name": names[0], "my_name": names[1]})
            assert (answer.status_code, answer.json()["code"]) == (422, "refused_name")
        made = opened(own)
        shown = own.get(f"/api/clubs/{made['club']}", headers=bearer(made["token"])).json()
        joining = {"name": "Rude", "invitation": shown["invitation"]}
        answer = own.post(f"/api/clubs/{made['club']}/join", json=joining)
        assert answer.json()["code"] == "refused_name"


@pytest.mark.parametrize(
    ("headers", "status"), [({}, 401), (bearer("x" * 43), 401), ({"Authorization": "Basic x"}, 401)]
)
def test_only_members_see_a_club(client: TestClient, headers: dict[str, str], status: int) -> None:
    made = opened(client)
    for path in ("", "/export", "/results"):
        answer = client.get(f"/api/clubs/{made['club']}{path}", headers=headers)
        assert answer.status_code == status
        assert "Divers" not in answer.text


def test_refusals_are_in_the_language_of_the_caller(client: TestClient) -> None:
    answer = client.get(
        "/api/clubs/no-such-club",
        headers={**bearer("x" * 43), "Accept-Language": "fr"},
    )
    assert (answer.status_code, answer.json()["code"]) == (404, "no_club")
    assert answer.json()["message"].startswith("Ce club")


def test_the_routes_are_described() -> None:
    application = make_application(settings=replace(RELAXED, clubs=True))
    paths = describe(application.routes.table, application.bots_of)["paths"]
    assert "/api/clubs/{id}/commands" in paths
    assert paths["/api/clubs/{id}"]["get"]["security"]
