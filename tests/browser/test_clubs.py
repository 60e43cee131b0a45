"""Clubs in real browsers: opening and joining, a proposal, a table, results, a tournament."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import PHONE, play_until_over

pytestmark = pytest.mark.browser


def test_a_club(new_user: NewUser, tmp_path: Path) -> None:
    with run_server(tmp_path, ServerOptions(clubs=True)) as server:
        zoe = new_user("Zoé", server, size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
        zoe.open_home()
        zoe.by_test_id("to-clubs").tap()
        form = zoe.by_test_id("open-club")
        form.get_by_label("Nom du club").fill("Les Plongeurs")
        form.get_by_label("Votre nom").fill("Zoé")
        expect_accessible(zoe, "the page to open a club")
        form.get_by_role("button").tap()
        expect(zoe.page.get_by_role("heading", name="Les Plongeurs")).to_be_visible()
        zoe.by_test_id("club-members").tap()
        link = zoe.by_test_id("club-link").input_value()
        expect_accessible(zoe, "the members of a club")

        ben = new_user("Ben", server, language="en-GB")
        ben.open(link)
        ben.page.get_by_label("Your name").fill("Ben")
        ben.page.get_by_label("Your name").press("Enter")
        propose = ben.by_test_id("propose")
        ben.by_test_id("propose-game").select_option("deep-sea")
        propose.get_by_label("Seats").select_option("2")
        propose.get_by_label("Note").fill("after dinner")
        propose.get_by_role("button", name="Propose", exact=True).press("Enter")
        expect(ben.by_test_id("proposal-1")).to_contain_text("after dinner")
        expect_accessible(ben, "the proposals of a club")

        zoe.page.reload()
        zoe.by_test_id("proposal-1").get_by_role("button", name="Je viens").tap()
        expect(zoe.by_test_id("proposal-1")).to_contain_text("Zoé")
        ben.by_test_id("open-club-table").click()
        expect(ben.by_test_id("begin")).to_be_visible()
        zoe.page.reload()
        zoe.by_test_id("sit-down").tap()
        expect(zoe.page).to_have_url(f"{server.address}/t/{ben.table}")
        expect(ben.page.get_by_text("Zoé").first).to_be_visible()
        ben.start_game()
        play_until_over(ben, zoe)

        ben.open(link.partition("#")[0])
        ben.by_test_id("club-results").click()
        results = ben.by_test_id("results-deep-sea")
        expect(results.get_by_role("row")).to_have_count(3)
        expect(results).to_contain_text("–")
        expect_accessible(ben, "the results of a club")

        # A tournament: the organiser draws rounds and enters a result.
        zoe.open(link.partition("#")[0])
        zoe.by_test_id("club-tournaments").tap()
        form = zoe.by_test_id("open-tournament")
        form.get_by_label("Nom du tournoi").fill("Coupe")
        form.get_by_role("button").tap()
        zoe.by_test_id("enter").tap()
        ben.by_test_id("club-tournaments").click()
        ben.page.reload()
        ben.by_test_id("club-tournaments").click()
        ben.by_test_id("enter").click()
        expect(ben.by_test_id("enter")).to_contain_text("Withdraw")
        zoe.page.reload()
        zoe.by_test_id("club-tournaments").tap()
        zoe.by_test_id("draw-round").tap()
        expect(zoe.by_test_id("play-round")).to_be_visible()
        zoe.by_test_id("give-result").select_option(label="Victoire\N{NO-BREAK SPACE}: Ben")
        standings = zoe.by_test_id("standings")
        expect(standings.get_by_role("row").nth(1)).to_contain_text("Ben")
        expect_accessible(zoe, "a tournament")

        # Closing deletes it.
        zoe.by_test_id("club-members").tap()
        close = zoe.by_test_id("close-club")
        close.get_by_role("textbox").fill("Les Plongeurs")
        close.get_by_role("button").tap()
        expect(zoe.by_test_id("open-club")).to_be_visible()
