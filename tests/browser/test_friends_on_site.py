"""Friends at a table of the host's tab, on a static site, over WebRTC on loopback."""

from __future__ import annotations

import base64
import html
import json
import random
import socket
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect

from archipel.rules.kit.core.loading import can_compile
from archipel.tables.log import events
from tests.browser.server import engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.static_site import (
    FOLDER,
    Host,
    copied_site,
    foreign_requests,
    running_host,
)
from tests.browser.test_friends import (
    answer_of,
    asleep,
    begin,
    expect_same_event,
    invite,
    sit_down,
    take_turns,
)
from tests.browser.user_page import (
    Device,
    UserPage,
    open_user_page,
    play_until_over,
    wait_until,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]

Friends = tuple[UserPage, UserPage]


def start(browser: Browser, site: str, game: str) -> Friends:
    """The host of a game of two, and the friend, connected by two links."""
    ana, ben = (open_user_page(browser, site, name, Device()) for name in ("Ana", "Ben"))
    ana.set_up_table(game=game)
    ben.open(invite(ana))
    ana.by_test_id("answer").fill(answer_of(ben))
    sit_down(ben)
    begin(ana, ben)
    return ana, ben


def end(*users: UserPage) -> None:
    """Close the browsers; fails if a page has reported an error."""
    for user in users:
        user.context.close()
    assert not [error for user in users for error in user.errors]


#: What one can type as a move; nothing unless it is one's turn.
_MOVES = "[...document.querySelectorAll('#moves option')].map((each) => each.value)"


def moves_of(user: UserPage) -> list[str]:
    """The moves that a user can type now; not all moves of The Island have buttons."""
    tab = user.by_test_id("tab-text")
    if tab.count() and tab.get_attribute("aria-expanded") != "true":
        tab.evaluate("each => each.click()")  # a dialog may cover it
    moves: list[str] = user.page.evaluate(_MOVES)
    return moves


def type_move(user: UserPage, moves: list[str]) -> None:
    """Type a random move, without waiting for what becomes of it."""
    user.by_test_id("typed-move").fill(random.choice(moves))
    user.by_test_id("typed-move").press("Enter")


def settle(*users: UserPage) -> None:
    """Wait until all pages show the same event and somebody can move, or the game is over."""

    def is_settled() -> bool:
        for user in users:
            meanwhile = user.by_test_id("meanwhile")
            if meanwhile.count():
                meanwhile.get_by_role("button", name="Close").last.evaluate("each => each.click()")
        states = [user.table_state() for user in users]
        return (
            len({state.n for state in states}) == 1
            and not any(state.showing for state in states)
            and any(state.over or moves_of(user) for state, user in zip(states, users, strict=True))
        )

    wait_until(is_settled, users[0].page, seconds=180)


def move(count: int, *users: UserPage) -> None:
    """Let whoever is to move play, some times."""
    for _ in range(count):
        settle(*users)
        before = users[0].table_state().n
        for user in users:
            if moves := moves_of(user):
                type_move(user, moves)
                user.wait_for_event_after(before)
                break
    settle(*users)


def expect_fair_dice(*users: UserPage) -> None:
    for user in users:
        expect(user.by_test_id("dice")).to_contain_text("The dice were fair")


@pytest.mark.parametrize("seconds", [0, pytest.param(60, marks=pytest.mark.soak)])
def test_a_game_with_a_reload_of_each_page_and_a_sleeping_host(
    chromium: Browser, site_host: Host, seconds: int
) -> None:
    """``seconds``: how long the host sleeps after the friend has noticed it. The short game ends
    when Ben resigns."""
    ana, ben = start(chromium, site_host.address, "the-island")
    foreign = [foreign_requests(user, site_host.address) for user in (ana, ben)]
    for user in (ben, ana):
        move(3, ana, ben)
        user.page.reload()
        move(2, ana, ben)
    with asleep(ana):
        ben.wait_until(lambda: ben.by_test_id("offline").count() > 0, seconds=90)
        expect(ben.by_test_id("offline")).to_contain_text(
            "Your friend’s device does not answer", timeout=90_000
        )
        ben.page.wait_for_timeout(1000 * seconds)
    expect(ben.by_test_id("offline")).to_have_count(0, timeout=90_000)
    move(4, ana, ben)
    if seconds:
        for user in (ana, ben):  # bots play the rest
            user.open_tab("settings")
            user.button("Let a bot play for me").click()
        for user in (ana, ben):
            expect(user.by_test_id("result")).to_be_visible(timeout=900_000)
    else:
        ben.open_tab("settings")
        ben.by_test_id("sheet").get_by_role("button", name="Resign").click()
        ben.confirm("Resign")
    results = [[line.replace(", you", "") for line in user.result_lines()] for user in (ana, ben)]
    assert results[0] == results[1]
    expect_fair_dice(ana, ben)
    end(ana, ben)
    assert foreign == [[], []]


def naming(folder: Path, server: str) -> None:
    """Let the page of a site name a server, as `archipel site build --continue-on` does."""
    path = folder / FOLDER / "index.html"
    page = path.read_text("utf-8")
    meeting = html.escape(json.dumps({"server": server}), quote=True)
    named = page.replace('data-meeting="{}"', f'data-meeting="{meeting}"')
    named = named.replace("connect-src &#x27;self&#x27;", f"connect-src &#x27;self&#x27; {server}")
    assert named.count(server) == 2
    path.unlink()  # equal files of the two hosts are one
    path.write_text(named, "utf-8")


def test_a_table_continues_on_a_server_and_friends_follow(
    chromium: Browser, site_host: Host, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    folder = copied_site(site_host.folder, tmp_path / "host")
    naming(folder, f"http://127.0.0.1:{port}")
    with running_host(folder) as host:
        _continue_on_server(*start(chromium, host.address, "deep-sea"), tmp_path, port)


def _continue_on_server(ana: UserPage, ben: UserPage, tmp_path: Path, port: int) -> None:
    take_turns(4, ana, ben)
    expect_same_event(ana, ben)
    ana.by_test_id("friends-here").locator("summary").first.click()
    ana.by_test_id("move-table").get_by_text("Continue on a server").click()
    ana.by_test_id("move-now").click()
    expect(ana.by_test_id("move-table")).to_contain_text("The game is still here")
    ana.errors.clear()  # nobody answered
    options = ServerOptions(takes_tables=True, engines=engines(tmp_path, "deep-sea.checker"))
    with run_server(tmp_path, options, port) as server:
        ana.by_test_id("move-now").click()
        for user in (ana, ben):
            expect(user.by_test_id("moved")).to_contain_text(f"127.0.0.1:{port}")
        ben.by_test_id("follow").click()
        with ana.context.expect_page() as opened:
            ana.by_test_id("follow").click()
        ana.page = opened.value
        for user in (ana, ben):
            user.expect_board()
            assert user.page.url == f"{server.address}/t/{user.table}"
        take_turns(2, ana, ben)
        expect_same_event(ana, ben)
        play_until_over(ana, ben)
        expect_fair_dice(ana, ben)
        ben.page.reload()
        ben.expect_result()
        end(ana, ben)


# ---- random faults ------------------------------------------------------------------------------

FAULTS = 50

#: Notes the moves that a page sends and those that are acknowledged, and keeps the connections so
#: that a test can break them.
_WATCH = """{
  const { parse, stringify } = JSON;
  JSON.stringify = (value, ...rest) => {
    if (value?.type === "play") note("sent", value.id, value.n);
    return stringify.call(JSON, value, ...rest);
  };
  JSON.parse = (text, ...rest) => {
    const value = parse.call(JSON, text, ...rest);
    if (value?.type === "done") note("done", value.id, value.n);
    return value;
  };
  const made = (window.connections = []);
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...given) {
      super(...given);
      made.push(this);
    }
  };
}"""
_BREAK = """for (const each of connections)
  if (each.connectionState === "connected") each.close();"""
#: The stored events of a table, in base64.
_EVENTS = """async (table) => {
  const known = await indexedDB.databases();
  const opening = indexedDB.open(known.find(({ name }) => name.startsWith("archipel http")).name);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const range = IDBKeyRange.bound(`event/${table}/`, `event/${table}/~`);
  const all = opening.result.transaction("rows").objectStore("rows").getAll(range);
  await new Promise((resolve) => (all.onsuccess = resolve));
  opening.result.close();
  return all.result.map((row) => btoa(String.fromCharCode(...row)));
}"""


class Watched:
    """A page of which every sent and every acknowledged move is known, across reloads."""

    def __init__(self, user: UserPage) -> None:
        self.user = user
        self.sent: set[str] = set()
        self.done: dict[str, int] = {}
        user.context.expose_binding("note", lambda source, *given: self._note(*given))
        user.context.add_init_script(_WATCH)

    def _note(self, kind: str, request: str, n: int) -> None:
        if kind == "sent":
            self.sent.add(request)
        else:
            self.done[request] = n

    def reload(self) -> None:
        self.user.page.reload()

    def close_and_return(self) -> None:
        address = self.user.page.url
        self.user.page.close()
        self.user.page = self.user.context.new_page()
        self.user.page.goto(address)

    def break_connections(self) -> None:
        self.user.page.evaluate(_BREAK)

    def sleep(self) -> None:
        with asleep(self.user):
            self.user.page.wait_for_timeout(1_500)


@pytest.mark.soak
def test_no_acknowledged_move_is_lost_or_doubled_in_random_faults(
    chromium: Browser, site_host: Host
) -> None:
    random.seed(26)
    ana, ben = start(chromium, site_host.address, "the-island")
    pages = [Watched(ana), Watched(ben)]
    for page in pages:
        page.reload()
        settle(ana, ben)
    faults = [Watched.reload, Watched.close_and_return, Watched.break_connections, Watched.sleep]
    injected: Counter[str] = Counter()
    while injected.total() < FAULTS:
        assert not ana.table_state().over, f"the game was over after {injected.total()} faults"
        fault, page = random.choice(faults), random.choice(pages)
        for user in (ana, ben):
            if moves := moves_of(user):
                type_move(user, moves)
                user.page.wait_for_timeout(random.choice((0, 0, 20, 100, 300)))
        fault(page)
        injected[fault.__name__] += 1
        move(random.randrange(2), ana, ben)
    log = [
        msgspec.msgpack.decode(base64.b64decode(row))[1]
        for row in ana.page.evaluate(_EVENTS, ana.table)
    ]
    requests: dict[str, int] = {}
    for n, body in enumerate(log, 1):
        entry = events.decode(n, body)
        if isinstance(entry.event, events.Played):
            assert entry.request is not None
            request = entry.request.partition(":")[2]
            assert request not in requests, f"{request} was played in {requests[request]} and {n}"
            requests[request] = n
    done = pages[0].done | pages[1].done
    sent = pages[0].sent | pages[1].sent
    acknowledged = {request: n for request, n in done.items() if request in sent}
    assert len(acknowledged) > FAULTS / 2
    assert {request: requests.get(request) for request in acknowledged} == acknowledged
    print(f"{dict(injected)}: {len(requests)} moves, {len(acknowledged)} of them acknowledged")
    end(ana, ben)
