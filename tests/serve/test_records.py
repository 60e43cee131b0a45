"""Opening a record: shown as at a finished table, stored nowhere, and refused in plain words."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from archipel.game import Game
from archipel.record import Record
from archipel.serve.settings import Rate
from archipel.tables.publishing import opened_records, payloads
from archipel.tables.publishing.opened_records import open_record, show_record
from tests.serve.running import make_application, stricter
from tests.support.memory_store import MemoryStore

GAMES = {"deep-sea": 3, "atlantis": 2, "the-island": 2, "mauna-kea": 4}


@cache
def played(game_name: str = "deep-sea", moves: int | None = None) -> Game:
    """A game by random players, at most so many moves of it."""
    chooser = random.Random(3)
    game = Game.new(game_name, seats=GAMES[game_name], seed=4)
    for decision in game:
        if len(game.moves) == moves:
            break
        game.play(chooser.choice(decision.legal))
    return game


@pytest.fixture
def client() -> TestClient:
    return TestClient(make_application())


def opened(client: TestClient, text: str, path: str = "", **headers: str) -> Any:
    return client.post(f"/api/records{path}", json={"record": text}, headers=headers)


@pytest.mark.parametrize("name", GAMES)
def test_every_position_of_a_record_is_shown(name: str) -> None:
    game = played(name, None if name in ("deep-sea", "mauna-kea") else 60)
    table = open_record(str(Record(game, tuple(f"P{seat}" for seat in range(game.seats)))))
    shown = show_record(table)
    welcome = shown.welcome
    assert [seat.name for seat in welcome.table.seats] == [f"P{seat}" for seat in range(game.seats)]
    assert all(seat.here and seat.bot is None for seat in welcome.table.seats)
    assert len(shown.steps) == len(game.moves)
    assert shown.steps[-1].text == game.position.text
    assert shown.first.text == game.start.text
    outcome = game.outcome
    if outcome is None:
        assert welcome.table.stage == "closed"
        assert welcome.table.result is None
    else:
        assert welcome.table.stage == "over"
        assert welcome.table.result is not None
        assert welcome.table.result.scores == list(outcome.scores)
        assert welcome.table.result.ranks == list(outcome.ranks)
    lines = [line for line in welcome.log if line.kind == "played"]
    assert [line.seat for line in lines] == [move.seat for move in game.moves]
    assert [line.n for line in lines] == [step.n for step in shown.steps]


def test_the_api_shows_and_analyses_a_record_and_stores_nothing() -> None:
    store = MemoryStore()
    client = TestClient(make_application(store=store))
    game = played()
    text = str(Record(game, ("Ana", "Ben", "Cleo"), resigned=(1,)))
    answer = opened(client, text)
    assert answer.status_code == 200
    shown = msgspec.json.decode(answer.content, type=payloads.OpenedRecord)
    result = shown.welcome.table.result
    assert result is not None
    assert result.ranks[1] == 2, "who resigned is last"
    course = msgspec.json.decode(opened(client, text, "/course").content, type=payloads.Course)
    assert [move.action for move in course.moves] == [int(move.action) for move in game.moves]
    first = course.moves[0]
    labels = opened(client, text, f"/lines/{first.n}/{first.action}").json()
    assert [label["action"] for label in labels] == [first.action]
    assert client.get("/api/tables/record").status_code == 404
    wrong = client.get("/api/records")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert client.get("/api/tables").json() == []


@pytest.mark.parametrize(
    ("text", "english", "french"),
    [
        ("a shopping list", "not a record", "enregistrement"),
        ("archipel record 1\ngame: chess\n", "line 2", "ligne 2"),
        ("archipel record 1\ngame: deep-sea\nrules: 0\n", "played by rules version 0", "version 0"),
        ("archipel record 1\n" + "# no\n" * 5_000, "too large", "trop grand"),
    ],
)
def test_a_bad_file_is_refused_in_the_language_of_the_reader(
    client: TestClient, text: str, english: str, french: str
) -> None:
    for language, expected in (("en", english), ("fr", french)):
        answer = opened(client, text, **{"Accept-Language": language})
        assert answer.status_code == 422
        assert answer.json()["code"] == "bad_record"
        assert expected in answer.json()["message"]


def test_a_changed_move_is_refused(client: TestClient) -> None:
    text = str(Record(played()))
    cheated = text.replace("end:", "  1 take\nend:")
    assert "already over" in opened(client, cheated).json()["message"]
    scores = text[: text.index("end:")] + "end: 99 0 0\n"
    assert "the rules give" in opened(client, scores).json()["message"]


def test_limits_of_size_and_rate() -> None:
    settings = stricter(tables=Rate(burst=3, per_second=1e-6))
    client = TestClient(make_application(settings))
    long = "x" * (opened_records.MOST_CHARACTERS + 1)
    assert opened(client, long).status_code == 422
    assert opened(client, long * 2).status_code == 413
    first, second = str(Record(played())), str(Record(played(moves=10)))
    for _ in range(3):  # a record that is known costs nothing
        assert opened(client, first).status_code == 200
    assert opened(client, second).status_code == 200
    assert opened(client, str(Record(played(moves=5)))).status_code == 429
    assert opened(client, first).status_code == 200


def test_long_runs_of_spaces_take_no_time(client: TestClient) -> None:
    """The pattern of moves would be cubic in them; this test would not end."""
    text = str(Record(played()))
    slow = text.replace("end:", f"1{' ' * 60_000}]\nend:")
    assert "found '1 ]'" in opened(client, slow).json()["message"]
