"""Hints: the engine thinks in the browser, on what its seat sees, where the table allows it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import must_be_accessible
from tests.browser.conftest import Arrive
from tests.browser.people import Person, play_until
from tests.browser.server_process import Difference
from tests.browser.serving import Server, engines, serving

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engine"),
]

HIDE = """hidden => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def until_there_is_a_choice(*people: Person) -> Person:
    """Whoever has a choice to make first."""
    play_until(lambda: any(len(each.look().actions) > 1 for each in people), *people)
    return next(each for each in people if len(each.look().actions) > 1)


def test_a_hint_is_thought_out_in_the_browser(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    until_there_is_a_choice(ana)
    ana.part("hint").click()
    found = ana.part("hint-found")
    expect(found).to_contain_text(re.compile(r"\d+% to win"))
    first = int(found.get_attribute("data-simulations") or 0)
    expect(found).to_have_attribute("data-finished", "")
    assert int(found.get_attribute("data-simulations") or 0) > first, "it got better"
    status = ana.part("choices").get_by_role("status")
    expect(status).to_contain_text(re.compile(r"\d+% to win"))
    shown = ana.page.locator("[data-mark], .choice b")
    assert all("%" in text for text in shown.all_text_contents())
    assert shown.count() >= 1
    must_be_accessible(ana, "a hint")
    asked = [json.loads(text) for text in ana.sent if "ask_view" in text]
    assert [message["purpose"] for message in asked] == ["hint"], "the server sent the view, once"

    ana.part("hint").click()
    expect(found).to_have_count(0)
    expect(shown).to_have_count(0)
    ana.part("hint").click()
    expect(shown.first).to_be_visible()
    ana.decides()
    expect(found).to_have_count(0)


def test_it_sleeps_while_nobody_looks(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    until_there_is_a_choice(ana)
    ana.page.evaluate(HIDE, True)
    ana.part("hint").click()
    found = ana.part("hint-found")
    expect(found).to_have_attribute("data-simulations", "0")
    for _ in range(30):  # round trips through the page, during which it would have found something
        ana.page.evaluate("() => fetch('/api/games').then((answer) => answer.text())")
    assert found.get_attribute("data-simulations") == "0"
    ana.page.evaluate(HIDE, False)
    expect(found).to_contain_text("%")


def test_people_are_helped_only_if_all_agree(arrive: Arrive) -> None:
    ana, ben = arrive("Ana"), arrive("Ben")
    ana.sets_up(seats=2, first=1)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    until_there_is_a_choice(ana, ben)
    expect(ana.part("hint")).to_have_count(0)
    expect(ben.part("hint")).to_have_count(0)
    ana.opens("settings")
    ana.part("allow-hints").click()
    expect(ben.part("choices")).to_contain_text("Ana would like everybody to be given hints.")
    ben.part("choices").get_by_role("button", name="Agree", exact=True).click()
    expect(ana.part("allow-hints")).to_have_count(0)
    expect(until_there_is_a_choice(ana, ben).part("hint")).to_be_visible()


def test_without_an_engine_nothing_is_offered(arrive: Arrive, own_server: Server) -> None:
    ana = arrive("Ana", own_server)
    ana.plays_now()
    until_there_is_a_choice(ana)
    ana.opens("help")
    expect(ana.part("can-do")).to_be_visible()
    expect(ana.part("ask-odds")).to_have_count(0)
    expect(ana.part("hint")).to_have_count(0)


@pytest.fixture
def island_server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, Difference(engines=engines(tmp_path, "the-island"))) as running:
        yield running


def test_on_a_board_the_best_places_are_marked(arrive: Arrive, island_server: Server) -> None:
    luc = arrive("Luc", island_server, language="fr-FR")
    luc.goes_home()
    luc.part("game-the-island").get_by_test_id("play-now").click()
    luc.sees_board()
    luc.part("hint").click()
    marks = luc.page.locator("[data-mark]")
    expect(marks.first).to_be_visible()
    expect(luc.part("hint-found")).to_contain_text("de chances de gagner")
    assert 1 <= marks.count() <= 3
