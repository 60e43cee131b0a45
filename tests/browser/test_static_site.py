"""A static site, built once, in a folder of Python's plain file server: tables in the browser."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Route, expect

from archipel.rules.kit.core.loading import can_compile
from archipel.site.build import build_site
from archipel.site.meeting import Meeting
from tests.browser.test_friends import (
    answer_of,
    begin,
    close_dialog,
    expect_same_event,
    invite,
    sit_down,
    take_turns,
)
from tests.browser.user_page import PHONE, Device, UserPage, open_user_page, play_until_over

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]

FOLDER = "some/folder"


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site in a folder of a plain file server."""
    top = tmp_path_factory.mktemp("host")
    build_site(top / FOLDER, None, lambda step: None, Meeting())
    handler = functools.partial(QuietHandler, directory=str(top))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{FOLDER}/"
        server.shutdown()


@pytest.fixture
def visitor(chromium: Browser, site: str) -> Iterator[UserPage]:
    """A visitor of the site; fails if a page or the tables report an error, or if a page asks
    another origin."""
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE, touch=True))
    foreign: list[str] = []

    def check(route: Route) -> None:
        if not route.request.url.startswith(site):
            foreign.append(route.request.url)
        route.continue_()

    user.context.route("**/*", check)
    failed: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.text.startswith("a request failed"):  # of Python's log
            failed.append(message.text)

    user.context.on("console", hear)
    yield user
    user.context.close()
    assert not failed
    assert not foreign
    assert not user.errors


def authorities(page: Page) -> int:
    """How many workers of the page have the tables."""
    return sum("authority_worker" in worker.url for worker in page.workers)


#: The worker may not open a database, as in some private windows.
NO_STORAGE = """Object.defineProperty(self, "indexedDB", {
  value: { open() { throw new DOMException("denied", "SecurityError"); } },
});"""
#: Writes fail as soon as a page says so.
FULL_STORAGE = """new BroadcastChannel("full").onmessage = () => {
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
};"""


def change_worker(user: UserPage, script: str) -> None:
    """Run a script in the worker of the tables before its own."""

    def answer(route: Route) -> None:
        own = route.fetch()
        route.fulfill(response=own, body=script + own.text())

    user.context.route("**/authority_worker-*.js", answer)


def test_a_game_against_a_bot_is_played_to_its_end_in_the_browser(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    play_until_over(visitor)
    visitor.expect_result()


def test_a_reload_keeps_every_acknowledged_move(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    for _ in range(3):
        visitor.wait_for_turn()
        visitor.decide()
        before = visitor.wait_for_turn()
        visitor.page.reload()
        visitor.expect_board()
        assert visitor.wait_for_turn() == before


def test_a_second_tab_plays_through_the_first_and_then_takes_over(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    first, second = visitor.page, visitor.context.new_page()
    second.goto(first.url)
    expect(second.get_by_test_id("board")).to_be_visible()
    visitor.page = second
    assert visitor.wait_for_turn().actions
    assert (authorities(first), authorities(second)) == (1, 0)
    visitor.decide()
    n = visitor.wait_for_turn().n
    visitor.page = first
    visitor.wait_until(lambda: visitor.table_state().n == n)
    visitor.page = second
    first.close()
    visitor.wait_until(lambda: authorities(second) == 1)
    visitor.decide()
    assert visitor.wait_for_turn().n > n


def test_full_storage_is_reported_and_no_acknowledged_move_is_lost(visitor: UserPage) -> None:
    change_worker(visitor, FULL_STORAGE)
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    before = visitor.wait_for_turn()
    visitor.page.evaluate("new BroadcastChannel('full').postMessage(true)")
    visitor.page.keyboard.press("1")
    expect(visitor.by_test_id("site-failure")).to_contain_text("storage is full")
    visitor.page.reload()
    visitor.expect_board()
    assert visitor.wait_for_turn() == before
    assert any("no tables: full" in error for error in visitor.errors)
    visitor.errors.clear()


@pytest.mark.parametrize(
    ("language", "text"), [("en", "does not let the page store"), ("fr", "ne permet pas")]
)
def test_a_browser_without_storage_is_told_so(
    chromium: Browser, site: str, language: str, text: str
) -> None:
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE, language=language))
    change_worker(user, NO_STORAGE)
    user.page.goto(site)
    expect(user.by_test_id("site-failure")).to_contain_text(text)
    user.context.close()


def test_the_page_shows_that_the_runtime_loads(visitor: UserPage) -> None:
    held: list[Route] = []
    visitor.context.route("**/archipel.zip.gz", lambda route: held.append(route))
    visitor.page.goto(visitor.home)
    progress = visitor.page.get_by_role("progressbar", name="The games are loading")
    expect(progress).to_be_visible()
    visitor.wait_until(lambda: bool(held) and float(progress.evaluate("each => each.value")) > 0.5)
    for route in held:
        route.continue_()
    expect(visitor.by_test_id("site-loading")).to_have_count(0)


def test_a_friend_plays_at_a_table_of_the_hosts_tab(
    chromium: Browser, visitor: UserPage, site: str
) -> None:
    """Over WebRTC, with a reload of each page."""
    friend = open_user_page(chromium, site, "Ben", Device(size=PHONE, touch=True))
    visitor.set_up_table()
    friend.open(invite(visitor))
    visitor.by_test_id("answer").fill(answer_of(friend))
    visitor.by_test_id("take-answer").click()
    sit_down(friend)
    begin(visitor, friend)
    for reloaded in (friend, visitor):
        take_turns(2, visitor, friend)
        reloaded.page.reload()
        close_dialog(reloaded)
        take_turns(2, visitor, friend)
        expect_same_event(visitor, friend)
    assert not friend.errors
    friend.context.close()
