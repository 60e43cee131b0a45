"""Hidden information: shared devices, spectators, and every frame on the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from archipel.chaos.following import with_full_state
from archipel.game import Game
from archipel.record import parse_record
from archipel.rules.contract import SPECTATOR
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.user_page import Message, UserPage, play_until, play_until_over

pytestmark = pytest.mark.browser

#: Sends a request as a spectator on a socket of its own; returns the answer.
_ASK = """([table, wish]) => new Promise((resolve) => {
  const address = `${location.origin.replace("http", "ws")}/api/tables/${table}/socket`;
  const socket = new WebSocket(address);
  socket.onopen = () => socket.send('{"type": "hello", "protocol": 2}');
  socket.onmessage = ({data}) => {
    const message = JSON.parse(data);
    if (message.type === "welcome") socket.send(JSON.stringify({id: "intruder", ...wish}));
    else if (message.id === "intruder") { socket.close(); resolve(message); }
  };
})"""


def test_a_shared_device_hides_secrets(new_user: NewUser) -> None:
    friends = new_user("Ana and Ben")
    friends.set_up_table(way="device", seats=2, names=["Ana", "Ben"], first=1)
    expect(friends.by_test_id("line")).to_contain_text("It is Ana’s turn.")
    play_until(lambda: "is back in the submarine" in " ".join(friends.log_lines()), friends)
    back = next(line for line in friends.log_lines() if "is back in the submarine" in line).split()[
        0
    ]
    assert_seen(friends, back, secret=False)

    friends.button(f"What {back} may see").click()
    expect(friends.by_test_id("pass-device")).to_contain_text(f"Pass the device to {back}.")
    expect(friends.by_test_id("board")).to_have_count(0)
    assert_seen(friends, back, secret=False)
    friends.button(f"I am {back}").click()
    friends.expect_board()
    assert_seen(friends, back, secret=True)
    friends.button("Hide again").click()
    assert_seen(friends, back, secret=False)

    play_until_over(friends)
    assert len(friends.result_lines()) == 2


def assert_seen(friends: UserPage, who: str, *, secret: bool) -> None:
    """Check whether the text board shows the value of a player's treasure."""
    friends.open_tab("text")
    row = friends.by_test_id("text-board").get_by_role("row", name=who)
    expect(row).to_contain_text("home, holds level")
    if secret:
        expect(row).to_contain_text("worth")
    else:
        expect(row).not_to_contain_text("worth")


@pytest.mark.promise("secrecy", "authority")
def test_a_spectator_sees_no_secret_and_cannot_act(new_user: NewUser) -> None:
    ana, ben, watcher = new_user("Ana"), new_user("Ben"), new_user("Wes")
    ana.set_up_table(seats=2, first=1, public=True)
    ben.join(ana.shared_link())
    ana.start_game()
    watcher.open_home()
    line = watcher.page.locator("li", has_text="Ana, Ben").last
    line.get_by_role("link", name="Watch").click()
    watcher.expect_board()
    expect(watcher.page.get_by_text("You are watching.")).to_be_visible()
    expect(ana.page.get_by_text("1 person is watching")).to_be_visible()
    assert watcher.table_state().actions == ()

    play = {"type": "play", "n": ana.table_state().n, "action": 0}
    for wish in (play, {"type": "begin"}, {"type": "say", "phrase": "bye"}, {"type": "resign"}):
        answer = watcher.page.evaluate(_ASK, [ana.table, wish])
        assert answer["type"] == "refused", answer
    look = {"type": "look_at", "n": 0, "seat": 0}
    assert watcher.page.evaluate(_ASK, [ana.table, look])["type"] == "refused"

    ana.decide()
    watcher.wait_until(lambda: watcher.table_state().n == ana.table_state().n)
    assert watcher.table_state().actions == ()


def test_no_frame_contains_a_secret_of_another_seat(new_user: NewUser, server: Server) -> None:
    ana, ben, watcher = new_user("Ana"), new_user("Ben"), new_user("Wes")
    ana.set_up_table(seats=3, bots=[3])
    ben.join(ana.shared_link())
    ana.start_game()
    watcher.open(f"{server.address}/t/{ana.table}")
    watcher.expect_board()
    play_until_over(ana, ben)
    watcher.expect_result()

    game = parse_record(server.read(f"/api/tables/{ana.table}/record")).game
    truth = ReferenceGame(game, watcher.messages("welcome", "update"))
    for user, seat in ((ana, 0), (ben, 1), (watcher, SPECTATOR)):
        checked = sum(truth.check(message, seat) for message in decoded(user))
        assert checked > len(game.moves)  # every position and every line of the log
    assert truth.seats_ever_differ(0, 1)


def decoded(user: UserPage) -> list[Message]:
    return with_full_state(json.loads(frame) for frame in user.received)


class ReferenceGame:
    """The complete game, to check the frames that browsers received."""

    def __init__(self, game: Game, messages: list[Message]) -> None:
        self._definition = game.definition
        played = {
            entry["n"]: None
            for message in messages
            for entry in message["log"]
            if entry["kind"] == "played"
        }
        self._numbers = sorted(played)
        assert len(self._numbers) == len(game.moves)
        replayed = Game.from_position(game.name, game.start.text)
        self._states = [replayed.position.state]
        for move in game.moves:
            replayed.replay(move.action, move.outcomes)
            self._states.append(replayed.position.state)
        self._told = [replayed.events(index) for index in range(len(game.moves))]

    def check(self, message: Message, seat: int) -> int:
        """Fail if a message tells a seat more than it may know; returns the number of checks."""
        if message["type"] not in ("welcome", "update", "looked"):
            return 0
        position = message["position"]
        if position is not None:
            self._check_position(position, seat)
        entries = [entry for entry in message.get("log", ()) if entry["kind"] == "played"]
        for entry in entries:
            index = self._numbers.index(entry["n"])
            allowed = [event.key for event in self._told[index] if event.visible_to(seat)]
            assert [happening["key"] for happening in entry["happenings"]] == allowed
        return len(entries) + (position is not None)

    def _check_position(self, position: Message, seat: int) -> None:
        state = self._states[sum(number <= position["n"] for number in self._numbers)]
        seen = self._definition.seen(state, seat)
        if "text" in position:
            assert position["text"] == self._definition.position_text(seen)
        scene = self._definition.scene(seen, seat)
        assert pieces_of(position) == [
            {"id": piece.id, "cell": piece.cell, "properties": plain(piece.properties)}
            for piece in scene.pieces
        ]

    def seats_ever_differ(self, one: int, other: int) -> bool:
        """Whether two seats ever had different views."""
        text, seen = self._definition.position_text, self._definition.seen
        return any(text(seen(state, one)) != text(seen(state, other)) for state in self._states)


def pieces_of(position: Message) -> list[Message]:
    return [
        {name: piece[name] for name in ("id", "cell", "properties")}
        for piece in position["scene"]["pieces"]
    ]


def plain(value: Any) -> Any:
    """The value after a round trip through JSON."""
    return json.loads(json.dumps(dict(value)))
