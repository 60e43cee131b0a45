"""Planning the next turn of a game by days, on a phone and by keyboard, in both languages."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.user_page import PHONE, UserPage

pytestmark = pytest.mark.browser


def sit(user: UserPage, table: str, token: str) -> None:
    kept = json.dumps({table: {"token": token, "game": "deep-sea", "seen": 0}})
    user.page.goto(user.home)
    user.page.evaluate("(kept) => localStorage.setItem('archipel.tables', kept)", kept)
    user.page.goto(f"{user.home}/t/{table}")


def test_a_turn_is_planned_and_played(new_user: NewUser) -> None:
    ana = new_user("Ana", size=PHONE, touch=True, language="fr-FR", reduced_motion=True)
    ben = new_user("Ben", language="en-GB", reduced_motion=True)
    ask = ana.page.request
    new = {
        "game": "deep-sea",
        "seats": [{}, {}],
        "my_name": "Ben",
        "clock": {"kind": "days", "seconds": 86_400},
        "options": {"first": 1},
    }
    made = ask.post(f"{ana.home}/api/tables", data=new).json()
    table = made["table"]
    joined = ask.post(f"{ana.home}/api/tables/{table}/join", data={"name": "Ana"}).json()
    sit(ben, table, made["token"])
    sit(ana, table, joined["token"])
    ben.start_game()
    ben.wait_for_turn()

    plan = ana.by_test_id("plan")
    expect(plan).to_have_text("Prévoir mon prochain tour")
    plan.tap()
    expect_accessible(ana, "the plan of a turn")
    ana.by_test_id("plan-throw").select_option("action.dive")
    ana.by_test_id("plan-search").select_option("action.take")
    ana.by_test_id("dialog").get_by_role("button", name="Enregistrer").tap()
    expect(plan).to_contain_text("Prévu\N{NO-BREAK SPACE}: Lancer les dés et plonger")
    expect(ben.by_test_id("plan")).to_have_count(0)

    # Ben's turn ends; Ana's is played without her, and it is Ben's turn again.
    for _ in range(2):
        if ben.last_position()["to_move"] == 0:
            ben.decide()
    expect(plan).to_have_text("Prévoir mon prochain tour", timeout=30_000)
    played = [line for sent in ana.messages("update") for line in sent["log"]]
    assert any(line["kind"] == "played" and line["seat"] == 1 for line in played)
    ben.wait_for_turn()
