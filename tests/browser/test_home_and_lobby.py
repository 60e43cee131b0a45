"""The home page, the history, the lobby, chat and the log."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.user_page import PHONE, play_until, play_until_over

pytestmark = pytest.mark.browser


def test_the_home_page_offers_bots_and_remembers_results(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.open_home()
    expect(ana.by_test_id("open-history")).to_have_count(0)  # no game was played yet
    # The number and the strength of the bots can be changed before.
    ana.game_card.get_by_test_id("opponents").select_option("1")
    ana.game_card.get_by_test_id("strength").select_option("first-game-1")
    ana.game_card.get_by_test_id("play-now").click()
    ana.expect_board()
    seats = ana.by_test_id("seats").get_by_role("listitem")
    expect(seats).to_have_count(2)
    expect(seats.last).to_contain_text("bot (first game)")
    ana.wait_for_turn()  # else the bot moves while the page is away
    ana.open_home()
    line = ana.by_test_id("my-table")
    expect(line).to_contain_text(re.compile(r"turn"))
    expect(line).to_contain_text("with ")
    expect(ana.game_card.get_by_test_id("opponents")).to_have_value("1")

    line.get_by_role("link", name="Go on").click()
    play_until_over(ana)
    mine = next(text for text in ana.result_lines() if "you" in text)
    ana.open_home()
    expect(line).to_contain_text("Your result: ")
    rank = "First" if mine.startswith("First") else "Second"
    expect(line).to_contain_text(rank)
    ana.by_test_id("open-history").click()
    row = ana.by_test_id("history").get_by_role("row").last
    expect(row).to_contain_text("Deep Sea Adventure")
    expect(row.get_by_role("cell").first).to_have_text("1")
    expect(row.get_by_role("cell").nth(1)).to_have_text("1" if rank == "First" else "0")
    expect(ana.by_test_id("history").locator("li")).to_have_count(1)


def test_about_pages_have_pictures_without_words(new_user: NewUser) -> None:
    ana = new_user("Ana", size=PHONE, touch=True)
    ana.open_home()
    for game in ("deep-sea", "the-island", "atlantis", "mauna-kea"):
        ana.by_test_id(f"game-{game}").get_by_test_id("what-is-it").click()
        about = ana.by_test_id("about")
        expect(about.get_by_role("heading")).to_have_count(6)
        expect(about.locator("svg")).to_have_count(6)
        # No picture falls back to the name of a piece.
        written = about.locator("svg text").all_text_contents()
        assert all(re.fullmatch(r"\d*", each) for each in written), written
        assert about.evaluate("part => part.scrollWidth <= part.clientWidth")
        if game == "atlantis":
            ana.by_test_id("to-rules").click()
            # Each rule shows the letter of its source.
            expect(ana.page.locator("#rule-AT-C1 .id")).to_have_text("AT-C1 (R)")
            assert "swimmers_land" not in ana.by_test_id("dialog").inner_text()
        ana.by_test_id("dialog").get_by_role("button", name="Close").click()


def test_the_lobby_shows_options_and_chat(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben", size=PHONE, touch=True)
    ana.set_up_table(seats=2, first=2, clock="a day for each decision")
    ben.open(ana.shared_link())
    game = ben.by_test_id("this-game")
    expect(game).to_contain_text("Who begins")
    expect(game).to_contain_text("seat 2")
    expect(game).to_contain_text("a day for each decision")
    game.get_by_role("button", name="Rules").click()
    expect(ben.page.locator("#rule-DS-C1")).to_be_visible()
    ben.by_test_id("dialog").get_by_role("button", name="Close").click()
    ben.join(ana.shared_link())
    ana.by_test_id("lobby-talk").get_by_role("button", name="Hello").click()
    expect(ben.by_test_id("lobby-talk")).to_contain_text("Ana: Hello!")

    ana.start_game()
    ben.expect_board()
    ana.open_tab("talk")
    ana.by_test_id("sheet").get_by_role("button", name="Good luck").click()
    # On a phone the list of seats is hidden, so the tab counts unread phrases.
    expect(ben.by_test_id("unheard")).to_have_text("1")
    ben.open_tab("talk")
    expect(ben.by_test_id("sheet")).to_contain_text("Ana: Good luck!")
    expect(ben.by_test_id("unheard")).to_have_count(0)
    ben.close_sheet()

    ana.open_tab("log")
    play_until(lambda: ana.by_test_id("turn").count() > 2, ana, ben)
    assert ana.by_test_id("turn").all_inner_texts()[:3] == ["Ben", "Ana", "Ben"]
