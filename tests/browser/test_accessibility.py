"""Every page passes axe, in both themes, on a desktop and on a phone."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.user_page import DESKTOP, PHONE, play_until, play_until_over

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
    new_user: NewUser, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    ana = new_user("Ana", scheme=scheme, size=size, touch=size == PHONE)
    ben = new_user("Ben", scheme=scheme, size=size, touch=size == PHONE)
    ana.open_home()
    expect_accessible(ana, "the home page")
    ana.button("Settings").click()
    expect_accessible(ana, "the settings on the home page")
    ana.page.keyboard.press("Escape")
    for way in ("with-friends", "on-this-device"):
        ana.game_card.get_by_test_id(way).click()
        ana.by_test_id("dialog").get_by_text("Options").click()
        expect_accessible(ana, f"the dialog {way}")
        ana.page.keyboard.press("Escape")
    ana.game_card.get_by_role("button", name="About the game").click()
    expect(ana.by_test_id("about")).to_be_visible()
    expect_accessible(ana, "a game in a minute")
    ana.by_test_id("to-rules").click()
    expect(ana.page.locator("#rule-DS-T1").first).to_be_visible()
    expect_accessible(ana, "the rules on the home page")
    ana.page.keyboard.press("Escape")

    ana.set_up_table(seats=3, first=1)
    expect(ana.by_test_id("qr")).to_be_visible()
    expect_accessible(ana, "the gathering, as the host")
    ben.open(ana.shared_link())
    expect(ben.by_test_id("join")).to_be_visible()
    expect_accessible(ben, "the gathering, before joining")
    ben.join(ana.shared_link())
    ana.start_game()
    play_until(lambda: "take" in ana.table_state().actions, ana, ben)
    expect_accessible(ana, "the table on my turn")
    expect_accessible(ben, "the table on another's turn")
    for sheet in SHEETS:
        ana.open_tab(sheet)
        if sheet == "rules":
            expect(ana.page.locator("#rule-DS-T1")).not_to_have_count(0)
        expect_accessible(ana, f"the sheet {sheet}")
    if can_compile():  # needed for the engine
        ana.open_tab("help")
        ana.by_test_id("ask-odds").click()
        expect(ana.by_test_id("sheet")).to_contain_text("%")
        expect_accessible(ana, "the odds")
    ana.open_tab("settings")
    ana.by_test_id("sheet").get_by_role("button", name="Resign").click()
    expect_accessible(ana, "the confirmation dialog")
    ana.by_test_id("dialog").get_by_role("button", name="Cancel").click()
    ben.open_home()
    expect_accessible(ben, "the home page with a table of one's own")
    ana.decide()
    ben.page.get_by_role("link", name="Continue").click()
    expect(ben.by_test_id("meanwhile")).to_be_visible()
    expect_accessible(ben, "the summary of missed events")
    ben.by_test_id("meanwhile").get_by_role("button", name="Show me").click()
    play_until_over(ana, ben)
    ana.result_lines()
    expect_accessible(ana, "the end of the game")
    ana.by_test_id("replay").click()
    expect(ana.by_test_id("replay-bar")).to_be_visible()
    expect_accessible(ana, "the replay")
    ana.open(f"{ana.home}/t/nothing-is-here")
    expect(ana.page.get_by_role("link", name="Back to the home page").last).to_be_visible()
    expect_accessible(ana, "an unknown table")


@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param("dark", DESKTOP, id="desktop-dark"),
        pytest.param("light", PHONE, id="phone-light"),
    ],
)
def test_pages_on_a_shared_device(
    new_user: NewUser, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    friends = new_user("Ana and Ben", scheme=scheme, size=size, touch=size == PHONE)
    friends.set_up_table(way="device", seats=2, names=["Ana", "Ben"], first=1)
    if size == PHONE:
        friends.open_tab("seats")
        expect_accessible(friends, "the seats on a phone")
    friends.button("What Ben may see").click()
    expect(friends.by_test_id("pass-device")).to_be_visible()
    expect_accessible(friends, "the hand-over of the device")
