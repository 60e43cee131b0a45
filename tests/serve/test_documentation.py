"""The documents about the server are complete, and their example runs."""

import asyncio
import re
from pathlib import Path
from typing import get_args

import pytest

from archipel.cli import build_parser
from archipel.serve.api import messages
from archipel.tables.commands import Command
from tests.serve.people import make_table
from tests.serve.running import make_application, running

DOCS = Path(__file__).parents[2] / "docs"
API = (DOCS / "api.md").read_text("utf-8")
HOSTING = (DOCS / "hosting.md").read_text("utf-8")


def test_every_route_is_mentioned() -> None:
    for route in make_application().routes.table:
        assert f"`{route.method} {route.path}`" in API


def test_every_request_and_close_code_is_mentioned() -> None:
    for kind in get_args(Command):
        assert f"`{kind.__struct_config__.tag}`" in API
    for code, reason in messages.CLOSE_CODES.items():
        assert re.search(rf"\| {code} \| ", API), reason


def test_every_option_is_mentioned(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_parser().parse_args(["serve", "--help"])
    for option in re.findall(r"^  (--[a-z-]+)", capsys.readouterr().out, re.MULTILINE):
        if option != "--lang":
            assert f"`{option}" in HOSTING


def test_the_example_player_plays(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", API, re.DOTALL)
    names: dict[str, object] = {}
    exec(code, names)
    with running() as server:
        made = make_table(server.http, seats=[{}, {"bot": "random"}], begin=True)
        play = names["play"]
        assert callable(play)
        address = f"127.0.0.1:{server.port}"
        asyncio.run(asyncio.wait_for(play(address, made["table"], made["token"]), 60))
    assert "scores" in capsys.readouterr().out
