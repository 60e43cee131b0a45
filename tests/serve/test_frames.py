"""Decoding and encoding of WebSocket messages."""

import json
from typing import Any, get_args

import pytest
from msgspec.structs import asdict, fields

from archipel.serve.api import messages
from archipel.serve.api.http_errors import Denied
from archipel.serve.transport.frames import decode, request_id
from archipel.tables import commands
from archipel.tables.decisions import COMMANDS


def test_every_command_has_a_decision_or_creates_a_table() -> None:
    wanted = set(get_args(commands.Command))
    assert wanted == {*COMMANDS, commands.Rematch, commands.PlayOn}


@pytest.mark.parametrize("kind", get_args(commands.Command), ids=lambda kind: kind.__name__)
def test_a_command_is_decoded_from_the_wire(kind: Any) -> None:
    values: dict[str, Any] = {
        "id": "a", "n": 5, "action": 6, "agree": True, "seat": 2, "bot": "random",
        "phrase": "hello", "options": {"first": 1}, "nonce": "x",
        "seal": "0" * 64, "answer": 1, "moves": 2, "text": "well", "allow": False, "seats": 3,
        "clock": None, "answers": {"search": "nothing"},
    }  # fmt: skip
    given = {field.name: values[field.name] for field in fields(kind)}
    command = decode(json.dumps({"type": kind.__struct_config__.tag, **given}))
    assert type(command) is kind
    assert asdict(command) == given


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


def test_unknown_fields_are_ignored() -> None:
    assert decode('{"type":"ping","new":1}') == messages.Ping()


def test_a_malformed_message_is_explained() -> None:
    with pytest.raises(Denied) as denied:
        decode('{"type":"play","id":"a","n":1.5,"action":2}')
    assert "$.n" in denied.value.problem.message
