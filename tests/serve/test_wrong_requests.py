"""Wrong requests: two lengths of a body, floods of unknown addresses, repeated costs."""

import io
import json
import socket

import pytest
from starlette.testclient import TestClient

from archipel.record import Record
from archipel.serve.logs import set_up_logging
from archipel.serve.settings import Rate
from archipel.tables import service
from archipel.tables.log.records import record_of
from archipel.tables.log.table_state import TableState
from tests.serve.running import make_application, running, stricter


def exchange(port: int, request: str) -> bytes:
    """Send a request, and read until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(request.encode())
        answer = b""
        while received := connection.recv(65_536):
            answer += received
        return answer


@pytest.mark.parametrize("path", ["/api/tables", "/", "/docs/"])
def test_a_request_with_two_lengths_is_refused_and_its_connection_closed(path: str) -> None:
    with running() as server:
        answer = exchange(
            server.port,
            f"POST {path} HTTP/1.1\r\nHost: testserver\r\nContent-Type: application/json\r\n"
            "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
            "0\r\n\r\nGET /live HTTP/1.1\r\nHost: testserver\r\n\r\n",
        )
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert answer.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize("path", ["/", "/docs/", "/nowhere", "/api/nowhere", "/t/abcdefgh"])
def test_pages_and_unknown_addresses_are_limited(path: str) -> None:
    settings = stricter(pages=Rate(burst=30, per_second=0.001))
    with TestClient(make_application(settings)) as client:
        statuses = [client.get(path).status_code for _ in range(31)]
    assert statuses[0] != 429
    assert statuses[-1] == 429
    expected = 3 if "nowhere" in path else 30
    assert statuses.index(429) == expected


def test_a_flood_of_wrong_requests_writes_few_lines() -> None:
    stream = io.StringIO()
    set_up_logging("info", stream)
    with TestClient(make_application()) as client:
        for number in range(100):
            client.get(f"/nowhere/{number}")
            client.get(f"/api/nowhere/{number}")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    refused = [line for line in lines if line.get("status", 0) >= 400]
    assert 2 <= len(refused) < 30


def test_a_record_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[TableState] = []

    def count(table: TableState) -> Record:
        calls.append(table)
        return record_of(table)

    monkeypatch.setattr(service, "record_of", count)
    body = {"game": "deep-sea", "seats": [{"bot": "random"}] * 2, "my_name": "Ana", "begin": True}
    with TestClient(make_application()) as client:
        table = client.post("/api/tables", json={**body, "my_seat": None}).json()["table"]
        while client.get(f"/api/tables/{table}").json()["stage"] != "over":
            pass
        texts = {client.get(f"/api/tables/{table}/record").text for _ in range(5)}
    assert len(texts) == 1
    assert len(calls) == 1
