"""Duplicate play in real browsers: the deal of the day, and tables of friends with one deal."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from archipel.record import parse_record
from archipel.tables.log.records import verify
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import PHONE, play_until_over

pytestmark = pytest.mark.browser


def test_the_deal_of_the_day(new_user: NewUser, tmp_path: Path) -> None:
    with run_server(tmp_path, ServerOptions(daily=True, usual_bot="greedy")) as server:
        zoe = new_user("Zoé", server, size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
        zoe.open_home()
        zoe.by_test_id("to-daily").tap()
        deal = zoe.by_test_id("deal-deep-sea")
        expect(zoe.page.get_by_role("heading", name="Donne du jour")).to_be_visible()
        expect(deal).to_contain_text("0 table joue cette donne.")
        expect_accessible(zoe, "the deals of the day")
        deal.get_by_test_id("play-deal").tap()
        play_until_over(zoe)
        zoe.by_test_id("compare").tap()
        row = zoe.by_test_id("seat-0").get_by_role("row").nth(1)
        expect(row).to_contain_text("50")
        expect(row.get_by_role("link")).to_have_count(1)
        expect_accessible(zoe, "the results of a deal")

        # Somebody else sees the result but not the game, until they have played it.
        ben = new_user("Ben", server, language="en-GB")
        ben.open(f"{server.address}/daily")
        deal = ben.by_test_id("deal-deep-sea")
        expect(deal).to_contain_text("1 table plays this deal.")
        expect(deal.get_by_role("row")).to_have_count(2)
        expect(deal.get_by_role("row").get_by_role("link")).to_have_count(0)
        expect(deal).to_contain_text("when you have finished yours")
        deal.get_by_test_id("play-deal").press("Enter")
        play_until_over(ben)
        ben.by_test_id("compare").click()
        expect(ben.by_test_id("seat-0").get_by_role("link")).to_have_count(2)


def test_the_deal_of_the_day_in_a_club(new_user: NewUser, tmp_path: Path) -> None:
    with run_server(tmp_path, ServerOptions(daily=True, clubs=True, usual_bot="greedy")) as server:
        zoe = new_user("Zoé", server, size=PHONE, touch=True, reduced_motion=True, language="fr-FR")
        zoe.open(f"{server.address}/clubs")
        form = zoe.by_test_id("open-club")
        form.get_by_label("Nom du club").fill("Les Plongeurs")
        form.get_by_label("Votre nom").fill("Zoé")
        form.get_by_role("button").tap()
        deal = zoe.by_test_id("club-deal-deep-sea")
        expect(deal).to_contain_text("Aucun membre n’a encore fini cette donne.")
        club = zoe.page.url
        deal.get_by_test_id("play-club-deal").tap()
        play_until_over(zoe)
        zoe.open(club)
        expect(deal.get_by_test_id("seat-0").get_by_role("row").nth(1)).to_contain_text("Zoé")
        expect(deal.get_by_role("button")).to_have_count(0)
        expect_accessible(zoe, "the deal of the day in a club")


def test_friends_play_one_deal_at_two_tables(new_user: NewUser, tmp_path: Path) -> None:
    modules = engines(tmp_path, "deep-sea.checker", "deep-sea")
    with run_server(tmp_path, ServerOptions(engines=modules)) as server:
        ana = new_user("Ana", server)
        ana.open_home()
        ana.game_card.get_by_test_id("with-friends").click()
        ana.page.get_by_text("Options", exact=True).last.click()
        ana.by_test_id("duplicate").check()
        ana.by_test_id("make-table").click()
        ana.start_game()
        first = ana.table
        ben = new_user("Ben", server)
        ben.open(f"{server.address}/deal/{first}")
        ben.by_test_id("play-deal").click()
        ben.start_game()
        second = ben.table
        assert first != second
        play_until_over(ana)
        expect(ana.by_test_id("compare")).to_be_visible()
        expect(ana.by_test_id("analyse")).to_have_count(0)
        play_until_over(ben)
        # Now the secret is open at both, and the page of each recomputes its dice.
        for user in (ana, ben):
            user.page.reload()
            expect(user.by_test_id("dice")).to_contain_text("recomputed")
            record = parse_record(server.read(f"/api/tables/{user.table}/record"))
            assert verify(record).is_fair
        ben.by_test_id("compare").click()
        expect(ben.page.locator(".hash")).to_have_count(2)

        # The same seat had the same dice at both tables; the page analyses both games.
        ben.by_test_id("compare-luck").click()
        stage = ben.by_test_id("luck-stage")
        expect(stage).to_have_attribute("data-stage", "done", timeout=120_000)
        luck = ben.by_test_id("luck")
        expect(luck.locator("tbody tr")).to_have_count(2)
        starts = luck.get_by_test_id("start").all_text_contents()
        assert starts[0] == starts[1], "the chance of the seat before the first throw"
        expect(luck.get_by_test_id("spread")).to_contain_text("luck differs by up to")
        expect_accessible(ben, "luck and skill at the tables of a deal")
