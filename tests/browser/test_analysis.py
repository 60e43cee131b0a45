"""Analysis of a finished game by the engine in the page."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.user_page import play_until
from tests.serve.people import make_table

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engine"),
]


def test_a_game_is_analysed_in_the_browser(new_user: NewUser, server: Server) -> None:
    ana = new_user("Ana")
    seats = [{"bot": "greedy"}, {"bot": "random"}]
    made = make_table(server.address, seats=seats, my_seat=None, begin=True)
    ana.open(f"{server.address}/t/{made['table']}")
    ana.expect_result()
    ana.by_test_id("analyse").click()
    expect(ana.by_test_id("curve")).to_have_count(2)
    slider = ana.by_test_id("chance-slider")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("100%"))
    stage = ana.by_test_id("analysis-stage")
    expect(stage).to_have_attribute("data-stage", "done")
    analysis = ana.by_test_id("analysis")
    rows = analysis.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(ana.by_test_id("verdict")).to_have_text(
        re.compile(r"\w+ won\.\s+Luck .+;\s+(no mistake|.+ most costly turn)")
    )

    # Chart and table start with the same number.
    slider.press("Home")
    charted = re.findall(r"(\d+)%", slider.get_attribute("aria-valuetext") or "")
    assert charted == [cell.strip() for cell in ana.by_test_id("start").all_text_contents()]

    # A turning point shows the decision or the chance outcome, and both positions.
    turning = ana.by_test_id("turning-point").first
    turning.locator("summary").click()
    expect(turning.locator("dd, p").first).not_to_be_empty()
    expect(turning.get_by_role("button")).to_have_count(2)

    # The random bot makes mistakes; show the first of them on the board.
    mistake = ana.by_test_id("mistake").first
    expect(mistake).to_contain_text("Better")
    expect(mistake.locator("dd").nth(1)).not_to_be_empty()
    expect_accessible(ana, "the analysis")
    mistake.get_by_role("button", name="Show on the board").click()
    expect(analysis).to_have_count(0)
    expect(ana.by_test_id("replay-bar")).to_be_visible()
    ana.by_test_id("replay-bar").get_by_role("button", name="Analyse the game").click()
    expect(stage).to_have_attribute("data-stage", "done")  # cached

    # "What if?" starts a table from this position.
    ana.by_test_id("analysis").get_by_role("button", name="Close").click()
    ana.by_test_id("what-if").click()
    ana.by_test_id("alone").click()
    mark = ana.by_test_id("from-position")
    expect(mark).to_contain_text("What if")
    expect(mark.locator("a")).to_have_attribute("href", re.compile(rf"/t/{made['table']}#\d+"))
    expect(ana.by_test_id("line")).not_to_be_empty()
    assert made["table"] not in ana.page.url


def test_what_if_with_the_same_players(new_user: NewUser, server: Server) -> None:
    """All players are led to a new table where they keep their seats."""
    ana, ben = new_user("Ana"), new_user("Ben", language="fr-FR")
    ana.set_up_table(seats=2, first=1)
    ben.join(ana.shared_link())
    ana.start_game()
    play_until(lambda: any(len(each.table_state().actions) > 1 for each in (ana, ben)), ana, ben)
    over = ana.page.url
    ben.open_tab("settings")
    ben.page.get_by_role("button", name="Abandonner", exact=True).click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Abandonner", exact=True).click()
    ana.expect_result()
    ana.by_test_id("replay").click()
    ana.by_test_id("what-if").click()
    ana.by_test_id("same-people").click()
    ana.page.wait_for_url(lambda url: url != over)
    expect(ana.by_test_id("from-position")).to_contain_text("What if")
    ben.expect_result()
    ben.by_test_id("result").get_by_test_id("played-on").click()
    expect(ben.by_test_id("from-position")).to_contain_text("Et si")
    assert ben.page.url == ana.page.url
    ana.start_game()
    play_until(lambda: any(len(each.table_state().actions) > 1 for each in (ana, ben)), ana, ben)
