"""The log is JSON, and contains no secrets, names or table ids."""

import asyncio
import io
import json
import logging
from urllib import error, request

import pytest

from archipel.serve.logs import log, set_up_logging
from archipel.store.errors import StoreFailed
from tests.serve.people import Person, make_table
from tests.serve.running import running


@pytest.fixture
def stream() -> io.StringIO:
    stream = io.StringIO()
    set_up_logging("debug", stream)
    return stream


def test_nothing_secret_is_logged(stream: io.StringIO) -> None:
    with running() as server:
        made = make_table(server.http, my_name="Zebulon", begin=True)
        table, token = made["table"], made["token"]

        async def admission() -> None:
            async with Person(server.socket_of(table), token) as person:
                await person.ask("say", phrase="hello")
                await person.socket.send('{"type":"say","id":"a","phrase":"my secret"}')
                await person.next("refused")
                written = await person.ask("write", text="between us alone")
                assert written["type"] == "done"
            # Somebody puts the secret where it does not belong.
            async with Person(f"{server.socket_of(table)}?token={token}", token):
                pass

        asyncio.run(admission())
        for path, headers in (
            (f"/api/tables/{table}/position?token={token}", {"Authorization": f"Bearer {token}"}),
            (f"/api/tables/{table}/position", {"Authorization": f"Bearer {token}x"}),
            (f"/t/{table}", {}),
        ):
            with pytest.MonkeyPatch.context():
                try:
                    request.urlopen(request.Request(server.http + path, headers=headers)).close()
                except error.HTTPError as refused:
                    refused.close()
    text = stream.getvalue()
    assert text.count("\n") > 5
    for line in text.splitlines():
        json.loads(line)
    for secret in (token, table, "Zebulon", "my secret", "between us alone"):
        assert secret not in text


def test_an_unexpected_error_is_logged_without_its_text(stream: io.StringIO) -> None:
    for problem in (ValueError("Zebulon said no"), StoreFailed("the disk is full")):
        try:
            raise problem
        except (ValueError, StoreFailed) as raised:
            log.error("a request failed", exc_info=raised, extra={"facts": {"table": "abc"}})
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first["event"] == "a request failed"
    assert first["table"] == "abc"
    assert first["error"]["kind"] == "ValueError"
    assert "test_logs.py" in first["error"]["where"][-1]
    assert "Zebulon" not in json.dumps(first)
    assert second["error"]["text"] == "the disk is full"


def test_errors_of_the_event_loop_are_logged_as_json(
    stream: io.StringIO,
) -> None:
    for number in range(100):
        try:
            raise OSError(24, "Too many open files")
        except OSError as raised:
            logging.getLogger("asyncio").error(
                "socket.accept() out of system resource\nsocket: <%d>", number, exc_info=raised
            )
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert 1 <= len(lines) <= 20
    assert {line["event"] for line in lines} == {"socket.accept() out of system resource"}
    assert lines[0]["error"]["kind"] == "OSError"


@pytest.fixture(scope="module")
def handlers_before() -> list[logging.Handler]:
    return logging.getLogger("archipel").handlers


@pytest.mark.parametrize("server", ["first", "second"])
def test_logging_is_restored_between_tests(
    server: str, handlers_before: list[logging.Handler]
) -> None:
    assert logging.getLogger("archipel").handlers is handlers_before
    set_up_logging("info", io.StringIO())
