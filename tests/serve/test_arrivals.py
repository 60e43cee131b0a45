"""Tables that pages of static sites send, to continue on a server."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from archipel.serve.settings import Rate
from archipel.tab.authority import Authority
from archipel.tab.browser_store import BrowserStore
from archipel.tables.arrivals import LARGEST_FILE
from tests.serve.running import make_application, stricter
from tests.store.key_values import MemoryKeyValues
from tests.tables.people import QUICK, Friends, make_service
from tests.tables.people import running as run_service

#: A page of another site.
ELSEWHERE = {"Origin": "https://games.example"}


async def table_of_a_device() -> tuple[str, str]:
    """The id of a table of Deep Sea Adventure, and its file in base64."""
    store = await BrowserStore.open(MemoryKeyValues({}))
    service = make_service(store, settings=replace(QUICK, on_device=True))
    async with run_service(service):
        friends = await Friends.gather(service, game="deep-sea", begin=False)
        _, file = await Authority(service, store).pack_table(friends.table)
        return friends.table, base64.b64encode(file).decode()


def server(**limits: object) -> TestClient:
    return TestClient(make_application(stricter(takes_tables=True, **limits)))


def send(client: TestClient, file: str) -> tuple[int, str]:
    """Send a file as a page of another site; returns the status, and the table or problem."""
    answer = client.post("/api/arrivals", json={"file": file}, headers=ELSEWHERE)
    assert answer.headers["access-control-allow-origin"] == "*"
    return answer.status_code, answer.json().get("code") or answer.json()["table"]


async def test_a_page_of_any_site_can_send_a_table() -> None:
    table, file = await table_of_a_device()
    with server() as client:
        asking = {
            **ELSEWHERE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        }
        asked = client.options("/api/arrivals", headers=asking)
        assert asked.status_code == 200
        assert asked.headers["access-control-allow-origin"] == "*"
        assert send(client, file) == (201, table)
        shown = client.get(f"/api/tables/{table}").json()
        assert (shown["stage"], shown["on_device"]) == ("gathering", True)
        # Nothing else is open to other sites.
        other = client.post("/api/tables", json={}, headers=ELSEWHERE)
        assert other.status_code == 403
        assert "access-control-allow-origin" not in other.headers


async def test_a_server_takes_no_tables_unless_told_to() -> None:
    _, file = await table_of_a_device()
    with TestClient(make_application()) as client:
        assert send(client, file) == (403, "takes_no_tables")


@pytest.mark.parametrize(
    ("file", "refused"),
    [
        ("AAAA", (422, "bad_arrival")),
        ("not base64!", (400, "malformed")),
        ("AAAA" * (LARGEST_FILE // 3 + 1), (413, "too_large")),
    ],
)
def test_other_files_are_refused(file: str, refused: tuple[int, str]) -> None:
    with server() as client:
        assert send(client, file) == refused


def test_they_count_as_new_tables() -> None:
    with server(tables=Rate(1, 0.001)) as client:
        assert send(client, "AAAA") == (422, "bad_arrival")
        assert send(client, "AAAA") == (429, "too_many")
