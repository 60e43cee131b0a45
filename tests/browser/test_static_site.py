"""A static site, built once, in a folder of Python's plain file server: tables in the browser."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

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
    """A visitor of the site; fails if a page reports an error or asks another origin."""
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE, touch=True))
    foreign: list[str] = []

    def check(route: Route) -> None:
        if not route.request.url.startswith(site):
            foreign.append(route.request.url)
        route.continue_()

    user.context.route("**/*", check)
    yield user
    user.context.close()
    assert not foreign
    assert not user.errors


def test_a_game_against_a_bot_is_played_to_its_end_in_the_browser(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    play_until_over(visitor)
    visitor.expect_result()


def test_a_table_is_still_there_after_a_reload(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    visitor.wait_for_turn()
    visitor.decide()
    before = visitor.wait_for_turn().n
    visitor.page.reload()
    visitor.expect_board()
    assert visitor.wait_for_turn().n == before


def test_a_second_tab_sees_the_same_tables(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    address = visitor.page.url
    other = visitor.context.new_page()
    other.goto(address)
    expect(other.get_by_test_id("board")).to_be_visible()
    visitor.page.close()
    other.reload()
    expect(other.get_by_test_id("board")).to_be_visible()
    visitor.page = other


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
