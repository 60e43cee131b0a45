"""No frame to a seat or spectator contains hidden information of another seat."""

import asyncio
import base64
import json
import random
from typing import Any

import msgspec
import pytest

from archipel.analysis.evaluation_settings import evaluations_of
from archipel.bots import roster_of
from archipel.chaos.following import with_full_state
from archipel.rules.all_games import games
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import Stream
from archipel.rules.kit.core.machine_record import to_bytes
from archipel.tables.log import events
from archipel.tables.log.table_state import TableState
from archipel.tables.publishing.finished_games import corrections_for
from tests.serve.people import Message, Person, join_table, make_table
from tests.serve.running import Running, running

#: How many views are requested in one game.
VIEWS = 60
#: Options without which nothing is hidden.
HIDING = {"mauna-kea": {"expert": True}}


def true_table(server: Running, table: str) -> TableState:
    """The complete state, which only the server knows."""
    return server.application.service._live_tables[table].table


async def play_and_collect(server: Running) -> tuple[TableState, bytes, list[Person], list[str]]:
    made = make_table(server.http, seats=[{}, {}, {}, {"bot": "random"}])
    joined = [join_table(server.http, made["table"], name) for name in ("Ben", "Cem")]
    address = server.socket_of(made["table"])
    people = [Person(address, one["token"]) for one in (made, *joined)]
    watcher = Person(address)
    for person in (*people, watcher):
        await person.connect()
    await people[0].ask("begin")
    secret = server.application.service._live_tables[made["table"]].secret
    await asyncio.gather(
        *(person.play_until_over(random.Random(n)) for n, person in enumerate(people)),
        watcher.until(lambda person: person.is_over),
    )
    for person in (*people, watcher):
        await person.socket.close()
    secrets = [str(one["token"]) for one in (made, *joined)] + list(made["invitations"])
    return true_table(server, made["table"]), secret, [*people, watcher], secrets


@pytest.mark.promise("secrecy")
def test_no_frame_contains_a_secret_of_another_seat() -> None:
    with running() as server:
        table, secret, people, tokens = asyncio.run(play_and_collect(server))
    assert table.stage == "over"
    spellings = (secret.hex(), secret.hex().upper(), repr(secret)[2:-1])
    for person in people:
        seat = person.welcome["seat"]
        messages = with_full_state(json.loads(frame) for frame in person.frames)
        for frame, message in zip(person.frames, messages, strict=True):
            assert not [token for token in tokens if token in frame]
            if message["type"] in ("welcome", "update") and message["table"]["stage"] != "over":
                assert not [spelling for spelling in spellings if spelling in frame]
                assert message["table"]["secret"] is None
                check_position(table, seat, message["position"])
                check_log(table, seat, message["log"])


async def ask_at_every_position(server: Running, game: str) -> tuple[TableState, Person]:
    """Play against bots, and request the engine's view before each decision and between them."""
    options = HIDING.get(game, {})
    seats: list[dict[str, str]] = [{}, {"bot": "random"}]
    made = make_table(server.http, game=game, seats=seats, options=options, begin=True)
    ana = Person(server.socket_of(made["table"]), made["token"])
    await ana.connect()
    chooser = random.Random(game)
    asked = 0
    while not ana.is_over and asked < VIEWS:
        if ana.position is None:
            await ana.next()
            continue
        n = ana.position["n"]
        answer = await ana.ask("ask_view", n=n, purpose=("hint", "odds")[asked % 2])
        asked += answer["type"] == "view_seen"
        if ana.position["n"] != n or ana.table["stage"] != "playing":
            continue  # the game has continued meanwhile
        if ana.choices:
            answer = await ana.ask("play", n=n, action=chooser.choice(ana.choices))
            while answer["type"] == "done" and ana.after < answer["n"]:
                await ana.next()
        else:
            await ana.next()
    await ana.socket.close()
    return true_table(server, made["table"]), ana


@pytest.mark.parametrize("game", [game.name for game in games()])
@pytest.mark.promise("secrecy")
def test_the_engine_gets_the_view_and_nothing_else(game: str) -> None:
    """The bytes are the seat's view, equal in every world that the seat considers possible, with
    only public information besides."""
    with running() as server:
        table, ana = asyncio.run(ask_at_every_position(server, game))
    definition = table.definition
    sent = [message for message in map(json.loads, ana.frames) if message["type"] == "view_seen"]
    assert len(sent) >= 10
    hidden = 0
    for number, message in enumerate(sent):
        assert message.keys() == {"type", "id", "seen"}
        seen = message["seen"]
        state = table.state_at(seen["n"])
        data = base64.b64decode(seen.pop("view"))
        assert data == to_bytes(definition.seen(state, 0))
        world = definition.resample(state, 0, Stream(number))
        hidden += world != state
        assert data == to_bytes(definition.seen(world, 0))
        assert seen == {
            "n": seen["n"],
            "seat": 0,
            "seats": 2,
            "hopes": list(definition.goals),
            "horizon": evaluations_of(roster_of(game)).decision.horizon,
            "corrections": corrections_for(game, 2),
        }
    assert hidden, "nothing was hidden, so nothing was tested"


def check_position(table: TableState, seat: int | None, position: Any) -> None:
    """The position is exactly the seat's view of the true position."""
    if position is None:
        return
    definition = table.definition
    seen = definition.seen(table.state_at(position["n"]), SPECTATOR if seat is None else seat)
    assert position["seat"] == seat
    decides = seat is not None and seat == definition.to_move(seen)
    scene = definition.scene(seen, definition.to_move(seen) if decides else SPECTATOR)
    shown = msgspec.structs.asdict(scene) | {"gauges": scene.gauges}
    expected = json.loads(msgspec.json.encode(shown))
    for part in ("cells", "pieces", "gauges"):
        assert position["scene"][part] == expected[part]
    if position["scene"]["choices"]:
        assert seat == definition.to_move(seen)
        assert position["scene"]["choices"] == expected["choices"]


def check_log(table: TableState, seat: int | None, log: list[Message]) -> None:
    """The log contains the events that the seat may see."""
    for entry in log:
        logged = table.log[entry["n"] - 1]
        if not isinstance(logged.event, events.Played):
            continue
        narrated = table.definition.narrate(
            table.state_at(logged.n - 1),
            logged.event.action,
            tuple(logged.event.outcomes),
            table.state_at(logged.n),
        )
        allowed = [
            event.key for event in narrated if event.visible_to(-1 if seat is None else seat)
        ]
        assert [happening["key"] for happening in entry["happenings"]] == allowed
