"""The analysis of a finished game, by the engine in the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import must_be_accessible
from tests.browser.conftest import Arrive
from tests.browser.people import play_until
from tests.browser.serving import Server
from tests.serve.people import make_table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engine"),
]


def test_a_game_is_analysed_on_the_device(arrive: Arrive, server: Server) -> None:
    ana = arrive("Ana")
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    made = make_table(server.address, seats=seats, my_seat=None, begin=True)
    ana.goes_to(f"{server.address}/t/{made['table']}")
    ana.sees_result()
    ana.part("analyse").click()
    expect(ana.part("chances").locator("polyline")).to_have_count(2)
    slider = ana.part("chance-slider")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("100%"))
    stage = ana.part("analysis-stage")
    expect(stage).to_have_attribute("data-stage", "done")
    analysis = ana.part("analysis")
    rows = analysis.locator("tbody tr")
    expect(rows).to_have_count(2)

    # A turning point opens: what was decided there, or that it was chance, and both positions.
    turning = ana.part("turning-point").first
    turning.locator("summary").click()
    expect(turning.locator("dd, p").first).not_to_be_empty()
    expect(turning.get_by_role("button")).to_have_count(2)

    # One who plays at random makes mistakes; the first of them is shown on the board.
    mistake = ana.part("mistake").first
    expect(mistake).to_contain_text("Better")
    expect(mistake.locator("dd").nth(1)).not_to_be_empty()
    must_be_accessible(ana, "the analysis")
    mistake.get_by_role("button", name="Show on the board").click()
    expect(analysis).to_have_count(0)
    expect(ana.part("replay-bar")).to_be_visible()
    ana.part("replay-bar").get_by_role("button", name="Analyse the game").click()
    expect(stage).to_have_attribute("data-stage", "done")  # kept, not weighed again

    # What if? From this moment on she plays herself, at a table that says what it is.
    ana.part("analysis").get_by_role("button", name="Close").click()
    ana.part("what-if").click()
    ana.part("alone").click()
    mark = ana.part("from-position")
    expect(mark).to_contain_text("What if")
    expect(mark.locator("a")).to_have_attribute("href", re.compile(rf"/t/{made['table']}#\d+"))
    expect(ana.part("line")).not_to_be_empty()
    assert made["table"] not in ana.page.url


def test_the_same_people_play_on(arrive: Arrive, server: Server) -> None:
    """What if, together: everybody is led to a table where they have their seats."""
    ana, ben = arrive("Ana"), arrive("Ben", language="fr-FR")
    ana.sets_up(seats=2, first=1)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    play_until(lambda: any(len(each.look().actions) > 1 for each in (ana, ben)), ana, ben)
    over = ana.page.url
    ben.opens("settings")
    ben.page.get_by_role("button", name="Abandonner", exact=True).click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Abandonner", exact=True).click()
    ana.sees_result()
    ana.part("replay").click()
    ana.part("what-if").click()
    ana.part("same-people").click()
    ana.page.wait_for_url(lambda url: url != over)
    expect(ana.part("from-position")).to_contain_text("What if")
    ben.sees_result()
    ben.part("result").get_by_test_id("played-on").click()
    expect(ben.part("from-position")).to_contain_text("Et si")
    assert ben.page.url == ana.page.url
    ana.begins()
    play_until(lambda: any(len(each.look().actions) > 1 for each in (ana, ben)), ana, ben)
