"""After the game: looking at it again, and showing somebody a moment of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import play_until, play_until_over

pytestmark = pytest.mark.browser


def test_a_game_is_looked_at_again_and_a_moment_is_shared(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.context.grant_permissions(["clipboard-write"])
    ana.plays_now()
    play_until_over(ana)
    ana.result()
    ana.part("replay").click()
    bar = ana.part("replay-bar")
    slider = bar.get_by_role("slider")
    expect(slider).to_have_value("0")
    expect(ana.part("line")).to_contain_text("The game begins")
    last = int(slider.get_attribute("max") or 0)

    bar.get_by_role("button", name="One step on").click()
    expect(slider).to_have_value("1")
    slider.fill(str(last // 2))
    expect(slider).to_have_attribute("aria-valuetext", f"Step {last // 2 + 1} of {last + 1}")
    ana.wait_until(lambda: "#" in ana.page.url)
    told = without_secrets(ana.line())
    ana.opens("text")
    board = without_secrets(ana.part("text-board").inner_text())

    bar.get_by_role("button", name="Copy a link to this moment").click()
    expect(bar.get_by_text("Copied")).to_be_visible()
    link = ana.page.url  # the same; no page may read the clipboard
    assert re.search(r"/t/[\w-]+#\d+$", link)
    ben = arrive("Ben")
    ben.goes_to(link)
    expect(ben.part("replay-bar").get_by_role("slider")).to_have_value(str(last // 2))
    expect(ben.part("line")).to_have_text(told)
    ben.opens("text")
    assert without_secrets(ben.part("text-board").inner_text()) == board

    bar.get_by_role("button", name="To the end").click()
    expect(slider).to_have_value(str(last))
    bar.get_by_role("button", name="Back to now").click()
    expect(bar).to_have_count(0)
    assert "#" not in ana.page.url


def without_secrets(told: str) -> str:
    """Ana sees again what she alone saw then."""
    return re.sub(r", worth \d+| For your eyes only: .*", "", told)


def test_a_line_of_the_log_shows_its_position(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    play_until(lambda: len(ana.log()) > 14, ana)
    line = ana.part("log").get_by_role("button").first
    told = line.inner_text().split("\n")
    line.click()
    expect(line).to_have_attribute("aria-current", "step")
    expect(ana.part("line")).to_have_text(" ".join(told))
    assert ana.look().actions == ()
    ana.button("Back to now").click()
    ana.waits_for_turn()
