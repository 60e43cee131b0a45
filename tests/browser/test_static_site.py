"""A static site, built once, in a folder of Python's plain file server: tables in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.conftest import NewUser
from tests.browser.user_page import PHONE, Device, UserPage, open_user_page, play_until_over

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]


@pytest.fixture
def visitor(new_visitor: NewUser) -> UserPage:
    return new_visitor("Ana", size=PHONE, touch=True)


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
