"""The OpenAPI description is complete and correct."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient

from archipel.rules.all_games import games
from archipel.serve.api import messages, openapi
from archipel.serve.api.openapi import describe
from tests.serve.running import make_application

APPLICATION = make_application()
DESCRIPTION: dict[str, Any] = describe(APPLICATION.routes.table, APPLICATION.bots_of)

#: What answers everything that nothing else does; there is nothing to describe.
CATCH_ALL = ("/api/{rest:path}", "/{path:path}")
#: Pages for people to read.
DOCUMENTS = ("/docs", "/docs/{path:path}", "/embed/t/{id}")
#: Pictures that pages name.
CARDS = (
    "/cards/t/{id}.png",
    "/cards/t/{id}/{n:int}.png",
    "/cards/puzzles/{game}/{number:int}.png",
)


def test_no_route_is_missing() -> None:
    served = {
        (route.path, method.lower())
        for route in APPLICATION.starlette.routes
        if isinstance(route, Route) and route.path not in CATCH_ALL + DOCUMENTS + CARDS
        for method in route.methods or ()
        if method != "HEAD"
    }
    served |= {
        (route.path, "get")
        for route in APPLICATION.starlette.routes
        if isinstance(route, WebSocketRoute)
    }
    described = {(path, method) for path, item in DESCRIPTION["paths"].items() for method in item}
    assert described == served


def test_every_message_is_described() -> None:
    schemas = set(DESCRIPTION["components"]["schemas"])
    for union in (messages.FromBrowser, messages.ToBrowser):
        assert {kind.__name__ for kind in union.__args__} <= schemas


def test_every_reference_resolves() -> None:
    schemas = DESCRIPTION["components"]["schemas"]
    found = 0
    waiting: list[Any] = [DESCRIPTION]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if "$ref" in item:
                assert item["$ref"].removeprefix("#/components/schemas/") in schemas
                found += 1
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    assert found > 50


@pytest.mark.parametrize("path", list(DESCRIPTION["paths"]))
def test_operations_are_named_and_explained(path: str) -> None:
    for operation in DESCRIPTION["paths"][path].values():
        assert operation["operationId"]
        assert operation["summary"].endswith(".")
        assert {part["name"] for part in operation.get("parameters", ())} == {
            piece.strip("{}") for piece in path.split("/") if piece.startswith("{")
        }


def test_it_is_served() -> None:
    answer = TestClient(APPLICATION).get("/api/openapi.json")
    assert answer.json() == msgspec.json.decode(msgspec.json.encode(DESCRIPTION))
    assert answer.json()["openapi"] == "3.1.0"


def test_it_is_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Counter[str]()

    def count(*given: Any) -> dict[str, Any]:
        calls["describe"] += 1
        return describe(*given)

    monkeypatch.setattr(openapi, "describe", count)
    client = TestClient(make_application())
    first = client.get("/api/openapi.json")
    assert client.get("/api/openapi.json").content == first.content
    same = client.get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert same.status_code == 304
    assert calls.total() == 1


def test_every_example_makes_a_table() -> None:
    new_table = DESCRIPTION["components"]["schemas"]["NewTable"]
    assert new_table["properties"]["game"]["enum"] == [game.name for game in games()]
    with TestClient(APPLICATION) as client:
        for example in new_table["examples"]:
            made = client.post("/api/tables", json=example)
            assert made.status_code == 201, made.text
            for name, link in DESCRIPTION["paths"]["/api/tables"]["post"]["responses"]["201"][
                "links"
            ].items():
                assert link["operationId"] == name
    assert len(new_table["examples"]) == len(list(games()))
