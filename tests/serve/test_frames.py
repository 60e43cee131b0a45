"""Messages read and written, and the commands that requests become."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import fields

from archipel.serve import messages, requests
from archipel.serve.frames import decode, request_id
from archipel.serve.problems import Denied
from archipel.tables import commands


def test_every_request_has_its_command() -> None:
    wanted = {kind.__name__ for kind in commands.Command.__args__}
    offered = {kind.__name__ for kind in requests.Request.__args__}
    assert offered == wanted


@pytest.mark.parametrize("kind", requests.Request.__args__, ids=lambda kind: kind.__name__)
def test_a_request_becomes_the_command_of_its_name(kind: Any) -> None:
    values: dict[str, Any] = {
        "id": "a", "n": 5, "action": 6, "agree": True, "seat": 2, "bot": "random",
        "phrase": "hello", "options": {"first": 1}, "nonce": "x",
        "seal": "0" * 64, "answer": 1,
    }  # fmt: skip
    given = {field.name: values[field.name] for field in fields(kind)}
    command = requests.command_of(kind(**given))
    assert type(command).__name__ == kind.__name__
    for field in fields(command):
        assert getattr(command, field.name) == given[field.name]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"id":"abc","type":7}', "abc"),
        ('{"id":7}', None),
        ('{"id":"' + "x" * 41 + '"}', None),
        ("nonsense", None),
        ("[" * 3000, None),
        (None, None),
    ],
)
def test_the_id_of_a_malformed_message(text: str | None, found: str | None) -> None:
    assert request_id(text) == found


def test_unknown_fields_are_passed_over_so_that_clients_may_be_newer() -> None:
    assert decode('{"type":"ping","new":1}') == messages.Ping()


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(Denied) as denied:
        decode('{"type":"play","id":"a","n":1.5,"action":2}')
    assert "$.n" in denied.value.problem.message
