"""Around a game: what the home page offers and remembers, the gathering, what is said, the log."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, play_until, play_until_over

pytestmark = pytest.mark.browser


def test_the_home_page_offers_bots_and_remembers_results(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.goes_home()
    expect(ana.part("open-history")).to_have_count(0)  # nothing was played here yet
    # One tap would do; how many bots there are and how they play can be changed before.
    ana.game.get_by_test_id("opponents").select_option("1")
    ana.game.get_by_test_id("strength").select_option("first-game-1")
    ana.game.get_by_test_id("play-now").click()
    ana.sees_board()
    seats = ana.part("seats").get_by_role("listitem")
    expect(seats).to_have_count(2)
    expect(seats.last).to_contain_text("bot (first game)")
    ana.waits_for_turn()  # or the bot plays while she is away, and she is told first
    ana.goes_home()
    line = ana.part("my-table")
    expect(line).to_contain_text(re.compile(r"turn"))
    expect(line).to_contain_text("with ")
    expect(ana.game.get_by_test_id("opponents")).to_have_value("1")

    line.get_by_role("link", name="Go on").click()
    play_until_over(ana)
    mine = next(text for text in ana.result() if "you" in text)
    ana.goes_home()
    expect(line).to_contain_text("Your result: ")
    rank = "First" if mine.startswith("First") else "Second"
    expect(line).to_contain_text(rank)
    ana.part("open-history").click()
    row = ana.part("history").get_by_role("row").last
    expect(row).to_contain_text("Deep Sea Adventure")
    expect(row.get_by_role("cell").first).to_have_text("1")
    expect(row.get_by_role("cell").nth(1)).to_have_text("1" if rank == "First" else "0")
    expect(ana.part("history").locator("li")).to_have_count(1)


def test_what_is_it_is_a_page_of_pictures_before_the_rules(arrive: Arrive) -> None:
    ana = arrive("Ana", size=PHONE, touch=True)
    ana.goes_home()
    for game in ("deep-sea", "the-island", "atlantis", "mauna-kea"):
        ana.part(f"game-{game}").get_by_test_id("what-is-it").click()
        about = ana.part("about")
        expect(about.get_by_role("heading")).to_have_count(6)
        expect(about.locator("svg")).to_have_count(6)
        # Pictures: no words in them, such as the name of something that cannot be drawn.
        written = about.locator("svg text").all_text_contents()
        assert all(re.fullmatch(r"\d*", each) for each in written), written
        assert about.evaluate("part => part.scrollWidth <= part.clientWidth")
        if game == "atlantis":
            ana.part("to-rules").click()
            # Each rule shows the letter that says where it comes from.
            expect(ana.page.locator("#rule-AT-C1 .id")).to_have_text("AT-C1 (R)")
            assert "swimmers_land" not in ana.part("dialog").inner_text()
        ana.part("dialog").get_by_role("button", name="Close").click()


def test_the_gathering_tells_what_is_played_and_what_is_said_is_seen(arrive: Arrive) -> None:
    ana, ben = arrive("Ana"), arrive("Ben", size=PHONE, touch=True)
    ana.sets_up(seats=2, first=2, clock="a day for each decision")
    ben.goes_to(ana.link_for_everyone())
    game = ben.part("this-game")
    expect(game).to_contain_text("Who begins")
    expect(game).to_contain_text("seat 2")
    expect(game).to_contain_text("a day for each decision")
    game.get_by_role("button", name="Rules").click()
    expect(ben.page.locator("#rule-DS-C1")).to_be_visible()
    ben.part("dialog").get_by_role("button", name="Close").click()
    ben.joins(ana.link_for_everyone())
    ana.part("lobby-talk").get_by_role("button", name="Hello").click()
    expect(ben.part("lobby-talk")).to_contain_text("Ana: Hello!")

    ana.begins()
    ben.sees_board()
    ana.opens("talk")
    ana.part("sheet").get_by_role("button", name="Good luck").click()
    # On a phone no list of seats is in sight: the tab counts what was said.
    expect(ben.part("unheard")).to_have_text("1")
    ben.opens("talk")
    expect(ben.part("sheet")).to_contain_text("Ana: Good luck!")
    expect(ben.part("unheard")).to_have_count(0)
    ben.closes_sheet()

    ana.opens("log")
    play_until(lambda: ana.part("turn").count() > 2, ana, ben)
    assert ana.part("turn").all_inner_texts()[:3] == ["Ben", "Ana", "Ben"]
