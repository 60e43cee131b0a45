"""After the game: the replay, and links to a moment of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user_page import play_until, play_until_over

pytestmark = pytest.mark.browser


def test_a_game_is_replayed_and_a_moment_is_shared(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.context.grant_permissions(["clipboard-write"])
    ana.play_now()
    play_until_over(ana)
    ana.result_lines()
    ana.by_test_id("replay").click()
    bar = ana.by_test_id("replay-bar")
    slider = bar.get_by_role("slider")
    expect(slider).to_have_value("0")
    expect(ana.by_test_id("line")).to_contain_text("The game begins")
    last = int(slider.get_attribute("max") or 0)

    bar.get_by_role("button", name="One step on").click()
    expect(slider).to_have_value("1")
    slider.fill(str(last // 2))
    expect(slider).to_have_attribute("aria-valuetext", f"Step {last // 2 + 1} of {last + 1}")
    ana.wait_until(lambda: "#" in ana.page.url)
    text = without_secrets(ana.status_line())
    ana.open_tab("text")
    board = without_secrets(ana.by_test_id("text-board").inner_text())

    bar.get_by_role("button", name="Copy a link to this moment").click()
    expect(bar.get_by_text("Copied")).to_be_visible()
    link = ana.page.url  # the same link; a page may not read the clipboard
    assert re.search(r"/t/[\w-]+#\d+$", link)
    ben = new_user("Ben")
    ben.open(link)
    expect(ben.by_test_id("replay-bar").get_by_role("slider")).to_have_value(str(last // 2))
    expect(ben.by_test_id("line")).to_have_text(text)
    ben.open_tab("text")
    assert without_secrets(ben.by_test_id("text-board").inner_text()) == board

    bar.get_by_role("button", name="To the end").click()
    expect(slider).to_have_value(str(last))
    bar.get_by_role("button", name="Back to now").click()
    expect(bar).to_have_count(0)
    assert "#" not in ana.page.url


def without_secrets(text: str) -> str:
    """Remove the secrets that only Ana saw."""
    return re.sub(r", worth \d+| For your eyes only: .*", "", text)


def test_a_line_of_the_log_shows_its_position(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until(lambda: len(ana.log_lines()) > 14, ana)
    line = ana.by_test_id("log").get_by_role("button").first
    text = line.inner_text().split("\n")
    line.click()
    expect(line).to_have_attribute("aria-current", "step")
    expect(ana.by_test_id("line")).to_have_text(" ".join(text))
    assert ana.table_state().actions == ()
    ana.button("Back to now").click()
    ana.wait_for_turn()
