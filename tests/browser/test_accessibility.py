"""Every page passes axe, in both themes, on a desktop and on a phone."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import must_be_accessible
from tests.browser.conftest import Arrive
from tests.browser.people import DESKTOP, PHONE, play_until, play_until_over

pytestmark = pytest.mark.browser

SHEETS = ("log", "help", "rules", "talk", "text", "settings")


@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param("light", DESKTOP, id="desktop-light"),
        pytest.param("dark", PHONE, id="phone-dark"),
        pytest.param("dark", DESKTOP, id="desktop-dark", marks=pytest.mark.soak),
        pytest.param("light", PHONE, id="phone-light", marks=pytest.mark.soak),
    ],
)
def test_every_page(
    arrive: Arrive, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    ana = arrive("Ana", scheme=scheme, size=size, touch=size == PHONE)
    ben = arrive("Ben", scheme=scheme, size=size, touch=size == PHONE)
    ana.goes_home()
    must_be_accessible(ana, "the home page")
    ana.button("Settings").click()
    must_be_accessible(ana, "the settings on the home page")
    ana.page.keyboard.press("Escape")
    for way in ("with-friends", "on-this-device"):
        ana.game.get_by_test_id(way).click()
        ana.part("dialog").get_by_text("Options").click()
        must_be_accessible(ana, f"the dialog {way}")
        ana.page.keyboard.press("Escape")
    ana.game.get_by_role("button", name="What is it?").click()
    expect(ana.part("about")).to_be_visible()
    must_be_accessible(ana, "a game in a minute")
    ana.part("to-rules").click()
    expect(ana.page.get_by_text("DS-T1").first).to_be_visible()
    must_be_accessible(ana, "the rules on the home page")
    ana.page.keyboard.press("Escape")

    ana.sets_up(seats=3, first=1)
    expect(ana.part("qr")).to_be_visible()
    must_be_accessible(ana, "the gathering, as the host")
    ben.goes_to(ana.link_for_everyone())
    expect(ben.part("join")).to_be_visible()
    must_be_accessible(ben, "the gathering, before joining")
    ben.joins(ana.link_for_everyone())
    ana.begins()
    play_until(lambda: "take" in ana.look().actions, ana, ben)
    must_be_accessible(ana, "the table on my turn")
    must_be_accessible(ben, "the table on another's turn")
    for sheet in SHEETS:
        ana.opens(sheet)
        if sheet == "rules":
            expect(ana.page.get_by_text(re.compile("DS-T1"))).not_to_have_count(0)
        must_be_accessible(ana, f"the sheet {sheet}")
    if can_compile():  # which makes the engine
        ana.opens("help")
        ana.part("ask-odds").click()
        expect(ana.part("sheet")).to_contain_text("%")
        must_be_accessible(ana, "the odds")
    ana.opens("settings")
    ana.part("sheet").get_by_role("button", name="Resign").click()
    must_be_accessible(ana, "the question whether one is sure")
    ana.part("dialog").get_by_role("button", name="Cancel").click()
    ben.goes_home()
    must_be_accessible(ben, "the home page with a table of one's own")
    ana.decides()
    ben.page.get_by_role("link", name="Go on").click()
    expect(ben.part("meanwhile")).to_be_visible()
    must_be_accessible(ben, "what happened meanwhile")
    ben.part("meanwhile").get_by_role("button", name="Show me").click()
    play_until_over(ana, ben)
    ana.result()
    must_be_accessible(ana, "the end of the game")
    ana.part("replay").click()
    expect(ana.part("replay-bar")).to_be_visible()
    must_be_accessible(ana, "the replay")
    ana.goes_to(f"{ana.home}/t/nothing-is-here")
    expect(ana.page.get_by_role("link", name="To the home page").last).to_be_visible()
    must_be_accessible(ana, "a table that is not there")


@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param("dark", DESKTOP, id="desktop-dark"),
        pytest.param("light", PHONE, id="phone-light"),
    ],
)
def test_the_pages_of_one_device(
    arrive: Arrive, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    friends = arrive("Ana and Ben", scheme=scheme, size=size, touch=size == PHONE)
    friends.sets_up(way="device", seats=2, names=["Ana", "Ben"], first=1)
    if size == PHONE:
        friends.opens("seats")
        must_be_accessible(friends, "the seats on a phone")
    friends.button("What Ben may see").click()
    expect(friends.part("pass-device")).to_be_visible()
    must_be_accessible(friends, "passing the device on")
