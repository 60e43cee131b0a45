"""Hints: the engine searches in the browser, on the view of its seat, if the table allows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server, engines, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import SMALL_PHONE, UserPage, play_until

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engine"),
]

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def play_until_a_choice(*users: UserPage) -> UserPage:
    """Play until a user has several actions; returns that user."""
    play_until(lambda: any(len(each.table_state().actions) > 1 for each in users), *users)
    return next(each for each in users if len(each.table_state().actions) > 1)


def test_a_hint_is_computed_in_the_browser(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until_a_choice(ana)
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_contain_text(re.compile(r"It wins about \d+% of games"))
    first = int(found.get_attribute("data-simulations") or 0)
    expect(found).to_have_attribute("data-finished", "")
    assert int(found.get_attribute("data-simulations") or 0) > first, "the search went on"
    status = ana.by_test_id("choices").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"wins about \d+% of games"))
    shown = ana.page.locator("[data-mark], .choice b")
    assert all("%" in text for text in shown.all_text_contents())
    assert shown.count() >= 1
    expect_accessible(ana, "a hint")
    asked = [json.loads(text) for text in ana.sent if "ask_view" in text]
    assert [message["purpose"] for message in asked] == ["hint"], "the server sent the view once"

    ana.by_test_id("hint").click()
    expect(found).to_have_count(0)
    expect(shown).to_have_count(0)
    ana.by_test_id("hint").click()
    expect(shown.first).to_be_visible()
    ana.decide()
    expect(found).to_have_count(0)

    # After a bot's turn: why it did so, as far as Ana can see.
    play_until(lambda: ana.by_test_id("ask-why").count() > 0, ana)
    ana.by_test_id("ask-why").click()
    reason = ana.by_test_id("why").get_by_role("status")
    expect(reason).to_have_text(
        re.compile(
            "There was only one possible choice|from what you can see|goes by rules of thumb"
        )
    )
    assert [message["type"] for message in map(json.loads, ana.sent)].count("ask_why") <= 6
    expect_accessible(ana, "the reason of a bot")


def test_a_hint_gives_a_reason_and_is_in_view_on_a_phone(new_user: NewUser) -> None:
    """To turn back with one cheap chip, with nearly all the air left, costs points."""
    ana = new_user("Ana", size=SMALL_PHONE, touch=True)
    there = "seats=2 air=25 diver1=4>[a4?] diver2=3> turn=1 phase=throw"

    def start_there(route: Route) -> None:
        sent = route.request.post_data
        position = {"options": {}, "position": there}
        route.continue_(post_data=sent and json.dumps({**json.loads(sent), **position}))

    ana.page.route("**/api/tables", start_there)
    ana.set_up_table(seats=2, bots=[2])
    ana.start_game()
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_contain_text(
        re.compile(r"because you then score [\d.]+ points on average, against [\d.]+ after")
    )
    expect(found.locator("li")).to_contain_text(re.compile(r"Next best, \d+%"))
    box, choices = found.bounding_box(), ana.by_test_id("choices").bounding_box()
    assert box is not None
    assert choices is not None
    assert choices["y"] - 1 <= box["y"] < choices["y"] + choices["height"] / 2


def test_the_page_says_that_the_engine_is_being_built(new_user: NewUser) -> None:
    """It asks again by itself; no reload and no further move is needed."""
    ana = new_user("Ana", language="fr-FR")
    ready = False

    def answer(route: Route) -> None:
        response = route.fetch()
        games = response.json()
        for game in games:
            if not ready and game["name"] in ("deep-sea", "atlantis"):
                game.update(engine=None, engine_coming=True)
        route.fulfill(response=response, json=games)

    ana.page.route("**/api/games", answer)
    ana.play_now()
    play_until_a_choice(ana)
    building = ana.by_test_id("engine-building")
    expect(building).to_have_text("Le serveur prépare les conseils\xa0: 0 jeu est prêt sur 2.")
    expect(ana.by_test_id("hint")).to_have_count(0)
    ready = True
    expect(ana.by_test_id("hint")).to_be_visible()
    expect(building).to_have_count(0)


def test_the_search_pauses_while_the_page_is_hidden(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until_a_choice(ana)
    ana.page.evaluate(HIDE, True)
    ana.by_test_id("hint").click()
    found = ana.by_test_id("hint-found")
    expect(found).to_have_attribute("data-simulations", "0")
    for _ in range(30):  # round trips, long enough for a result
        ana.page.evaluate("() => fetch('/api/games').then((answer) => answer.text())")
    assert found.get_attribute("data-simulations") == "0"
    ana.page.evaluate(HIDE, False)
    expect(found).to_contain_text("%")


def test_hints_among_people_need_consent(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben")
    ana.set_up_table(seats=2, first=1)
    ben.join(ana.shared_link())
    ana.start_game()
    play_until_a_choice(ana, ben)
    expect(ana.by_test_id("hint")).to_have_count(0)
    expect(ben.by_test_id("hint")).to_have_count(0)
    ana.open_tab("settings")
    ana.by_test_id("allow-hints").click()
    expect(ben.by_test_id("choices")).to_contain_text("Ana would like to allow hints for everyone.")
    ben.by_test_id("choices").get_by_role("button", name="Agree", exact=True).click()
    expect(ana.by_test_id("allow-hints")).to_have_count(0)
    expect(play_until_a_choice(ana, ben).by_test_id("hint")).to_be_visible()


def test_without_an_engine_nothing_is_offered(new_user: NewUser, own_server: Server) -> None:
    ana = new_user("Ana", own_server)
    ana.play_now()
    play_until_a_choice(ana)
    ana.open_tab("help")
    expect(ana.by_test_id("can-do")).to_be_visible()
    expect(ana.by_test_id("ask-odds")).to_have_count(0)
    expect(ana.by_test_id("hint")).to_have_count(0)


@pytest.fixture
def island_server(tmp_path: Path) -> Iterator[Server]:
    with run_server(tmp_path, ServerOptions(engines=engines(tmp_path, "the-island"))) as running:
        yield running


def test_the_best_targets_are_marked_on_the_board(new_user: NewUser, island_server: Server) -> None:
    luc = new_user("Luc", island_server, language="fr-FR")
    luc.open_home()
    luc.by_test_id("game-the-island").get_by_test_id("play-now").click()
    luc.expect_board()
    luc.by_test_id("hint").click()
    marks = luc.page.locator("[data-mark]")
    expect(marks.first).to_be_visible()
    found = luc.by_test_id("hint-found")
    expect(found).to_contain_text(re.compile(r"gagne environ \d+\s% des parties"))
    assert 1 <= marks.count() <= 3
    expect(luc.by_test_id("hint-arrow")).to_have_count(1)
    # Placing an explorer is one turn: the tile, and which explorer.
    expect(found.locator("p")).to_contain_text(re.compile(r"un explorateur en \w\d+\s: .*\d"))
    expect(found).to_have_attribute("data-finished", "")
    turns = [found.locator("p").inner_text(), *found.locator("li").all_inner_texts()]
    assert len(set(turns)) == len(turns)
    assert "de pourcentage" in turns[0]
