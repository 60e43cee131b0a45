"""The home page, the history, the lobby, chat and the log."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.test_lessons import LessonPlayer, first_dive
from tests.browser.user_page import PHONE, SMALL_PHONE, UserPage, play_until, play_until_over

pytestmark = pytest.mark.browser


def test_the_home_page_offers_bots_and_remembers_results(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.open_home()
    expect(ana.by_test_id("open-history")).to_have_count(0)  # no game was played yet
    # The number and the strength of the bots can be changed before.
    ana.game_card.get_by_test_id("opponents").select_option("1")
    ana.game_card.get_by_test_id("strength").select_option("first-game-1")
    options = ana.game_card.get_by_test_id("play-now-options")
    options.get_by_text("Options").click()
    options.get_by_label("Who begins").select_option("1")
    expect(options.locator("summary")).to_have_text("Options: 1 changed")
    ana.game_card.get_by_test_id("play-now").click()
    ana.expect_board()
    seats = ana.by_test_id("seats").get_by_role("listitem")
    expect(seats).to_have_count(2)
    expect(seats.last).to_contain_text("bot (first game)")
    assert ana.last_table()["options"]["first"] == 1
    ana.wait_for_turn()  # else the bot moves while the page is away
    ana.open_home()
    line = ana.by_test_id("my-table")
    expect(line).to_contain_text(re.compile(r"turn"))
    expect(line).to_contain_text("with ")
    expect(ana.game_card.get_by_test_id("opponents")).to_have_value("1")
    expect(options.locator("summary")).to_have_text("Options: 1 changed")

    check_tables_that_wait_come_first(ana)
    line.first.get_by_role("link", name="Continue").click()
    play_until_over(ana)
    mine = next(text for text in ana.result_lines() if "you" in text)
    ana.open_home()
    expect(line.last).to_contain_text("Your result: ")  # nothing is left to do there
    expect(line.first).to_contain_text("waiting for players")
    rank = "First" if mine.startswith("First") else "Second"
    expect(line.last).to_contain_text(rank)
    ana.by_test_id("open-history").click()
    row = ana.by_test_id("history").get_by_role("row").last
    expect(row).to_contain_text("Deep Sea Adventure")
    expect(row.get_by_role("cell").first).to_have_text("1")
    expect(row.get_by_role("cell").nth(1)).to_have_text("1" if rank == "First" else "0")
    expect(ana.by_test_id("history").locator("li")).to_have_count(1)


def test_wrong_addresses_and_one_list_of_games(new_user: NewUser) -> None:
    luc = new_user("Luc", language="fr-FR", size=PHONE, touch=True)
    fetched: list[str] = []

    def note(address: str) -> None:
        if address.endswith("/api/games"):
            fetched.append(address)

    luc.page.on("request", lambda request: note(request.url))
    answer = luc.page.goto(f"{luc.home}/t/a/link/cut/short")
    assert answer is not None
    assert answer.status == 404
    luc.errors.clear()  # the browser reports the status
    expect(luc.by_test_id("missing")).to_contain_text("Cette page n’existe pas")
    expect(luc.page).to_have_title("Cette page n’existe pas")
    assert not fetched
    luc.page.get_by_role("link", name="Retour à l’accueil").click()
    expect(luc.game_card).to_be_visible()
    description = luc.page.locator('meta[name="description"]')
    expect(description).to_have_attribute("content", re.compile("Des jeux de société"))
    luc.game_card.get_by_test_id("puzzles").click()
    luc.by_test_id("go-on-puzzle").click()
    luc.expect_board()
    expect(luc.page).to_have_title(re.compile("Deep Sea Adventure"))
    assert len(fetched) == 1


def check_tables_that_wait_come_first(ana: UserPage) -> None:
    """Above newer tables where nobody waits for Ana; lessons are no games."""
    ana.set_up_table(seats=2)
    ana.open_home()
    ana.game_card.get_by_test_id("learn").click()
    expect(ana.by_test_id("said")).to_be_visible()
    ana.open_home()
    lines = ana.by_test_id("my-table")
    expect(lines.first).to_contain_text("Your turn.")
    expect(lines.last).to_contain_text("waiting for players")
    expect(lines).to_have_count(2)


def test_about_pages_have_pictures_without_words(new_user: NewUser) -> None:
    ana = new_user("Ana", size=PHONE, touch=True)
    ana.open_home()
    for game in ("deep-sea", "the-island", "atlantis", "mauna-kea"):
        ana.by_test_id(f"game-{game}").get_by_test_id("what-is-it").click()
        about = ana.by_test_id("about")
        # Aim, turn, dangers and end; a turn has as many parts as the board counts.
        panels = 7 if game == "the-island" else 6
        expect(about.get_by_role("heading")).to_have_count(panels)
        expect(about.locator("svg")).to_have_count(panels)
        # No picture falls back to the name of a piece.
        written = about.locator("svg text").all_text_contents()
        assert all(re.fullmatch(r"\d*", each) for each in written), written
        assert about.evaluate("part => part.scrollWidth <= part.clientWidth")
        if game == "atlantis":
            ana.by_test_id("to-rules").click()
            # Numbers and sources of rules are shown on request.
            dialog = ana.by_test_id("dialog")
            expect(ana.page.locator("#rule-AT-C1")).to_be_visible()
            assert not re.search(r"\bAT-|\([RFD]\b", dialog.inner_text())
            number = ana.page.locator("#rule-AT-C1 .id")
            expect(number).to_have_count(0)
            ana.by_test_id("rule-numbers").tap()
            expect(number).to_have_text("C1\u00a0(rulebook)")
            # A rule that another one mentions is one tap away.
            dialog.get_by_role("button", name="X1", exact=True).first.tap()
            expect(ana.page.locator("#rule-AT-X1")).to_be_in_viewport()
            assert "swimmers_land" not in ana.by_test_id("dialog").inner_text()
        ana.by_test_id("dialog").get_by_role("button", name="Close").click()


def test_the_lobby_shows_options_and_chat(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben", size=PHONE, touch=True)
    ana.set_up_table(seats=2, first=2, clock="one day per move")
    ben.open(ana.shared_link())
    game = ben.by_test_id("this-game")
    expect(game).to_contain_text("Who begins")
    expect(game).to_contain_text("seat 2")
    expect(game).to_contain_text("one day per move")
    game.get_by_role("button", name="Rules").click()
    expect(ben.page.locator("#rule-DS-C1")).to_be_visible()
    ben.by_test_id("dialog").get_by_role("button", name="Close").click()
    ben.join(ana.shared_link())
    ana.by_test_id("lobby-talk").get_by_role("button", name="Hello").click()
    expect(ben.by_test_id("lobby-talk")).to_contain_text("Ana: Hello!")
    write(ben, "d1, w3 & <b>{seat}</b>")
    expect(ana.by_test_id("lobby-talk").get_by_role("log")).to_contain_text(
        "Ben: d1, w3 & <b>{seat}</b>"
    )

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

    check_texts_mute_and_switch(ana, ben, new_user("Eve", size=PHONE, touch=True))
    ana.open_tab("log")
    play_until(lambda: ana.by_test_id("turn").count() > 2, ana, ben)
    assert ana.by_test_id("turn").all_inner_texts()[:3] == ["Ben", "Ana", "Ben"]


def write(user: UserPage, text: str) -> None:
    form = user.by_test_id("write")
    form.get_by_role("textbox").fill(text)
    form.get_by_role("button").click()
    expect(form.get_by_role("textbox")).to_have_value("")


def check_texts_mute_and_switch(ana: UserPage, ben: UserPage, eve: UserPage) -> None:
    """Ana hosts, Ben plays on a phone, Eve watches."""
    eve.open(ana.table_link())
    eve.expect_board()
    eve.open_tab("talk")
    expect_accessible(ana, "chat")
    write(ana, "only for Ben")
    ben.open_tab("talk")
    chat = ben.by_test_id("sheet").get_by_role("log")
    expect(chat).to_contain_text("Ana: only for Ben")
    expect(eve.by_test_id("sheet")).to_contain_text("Ana: Good luck!")
    assert "only for Ben" not in eve.by_test_id("sheet").inner_text()
    assert not any("only for Ben" in frame for frame in eve.received)
    expect(eve.by_test_id("write")).to_have_count(0)

    ben.button("Mute Ana").click()
    expect(chat).not_to_contain_text("Ana")
    ben.page.reload()
    ben.open_tab("talk")
    expect(chat).to_contain_text("Ben: d1, w3")
    expect(chat).not_to_contain_text("Ana")
    ben.button("Hear Ana again").click()
    expect(chat).to_contain_text("Ana: only for Ben")

    ana.by_test_id("allow-chat").uncheck()
    for user in (ana, ben):
        expect(user.by_test_id("write")).to_have_count(0)
    ben.close_sheet()
    ana.expect_log("Players can no longer write to each other.")


def test_the_host_changes_the_game_and_late_friends_take_the_seats_of_bots(
    new_user: NewUser,
) -> None:
    ana, ben = new_user("Ana"), new_user("Ben", size=SMALL_PHONE, touch=True)
    ana.set_up_table(seats=3)
    link, invitation = ana.shared_link(), ana.seat_link(3)
    ben.open(link)
    expect(ben.by_test_id("invitation")).to_contain_text("2 to 6 players")
    expect(ben.by_test_id("learn-first")).to_be_visible()
    expect_accessible(ben, "an invitation")
    ben.join(link)
    for user in (ana, ben):
        expect_invitation_first(user)

    ana.by_test_id("to-change").click()
    dialog = ana.by_test_id("dialog")
    expect(dialog.get_by_label("Who begins")).to_be_visible()
    expect_accessible(ana, "changing the game")
    dialog.get_by_role("radio", name="4", exact=True).check(force=True)
    dialog.get_by_label("Who begins").select_option("2")
    dialog.get_by_label("Time to think").select_option(label="a clock of your own")
    dialog.get_by_role("spinbutton", name="Minutes each").fill("301")
    dialog.get_by_role("spinbutton", name="Seconds more").fill("3")
    ana.by_test_id("change-game").click()
    expect(dialog).to_have_count(1)  # the browser names the limit
    dialog.get_by_role("spinbutton", name="Minutes each").fill("7")
    ana.by_test_id("change-game").click()
    expect(dialog).to_have_count(0)
    for user in (ana, ben):
        expect(user.by_test_id("this-game")).to_contain_text("seat 2")
        expect(user.by_test_id("this-game")).to_contain_text(
            "7 minutes each, plus 3 seconds per move"
        )
        expect(user.page.locator("ol > li")).to_have_count(4)
    ana.page.get_by_label("Seat 4", exact=True).select_option(label="bot: casual, plays for fun")
    expect(ben.page.locator("ol > li").last).to_contain_text("bot (casual)")
    ana.by_test_id("to-change").click()
    expect(dialog.get_by_role("radio", name="4", exact=True)).to_be_checked()
    expect(dialog.get_by_label("Who begins")).to_have_value("2")
    expect(dialog.get_by_role("spinbutton", name="Minutes each")).to_have_value("7")
    ana.page.keyboard.press("Escape")

    ana.by_test_id("begin").click()
    expect(dialog).to_contain_text("One seat is still open")
    dialog.get_by_role("button", name="Wait for friends").click()
    expect(dialog).to_have_count(0)
    expect(ana.by_test_id("begin")).to_be_visible()
    ana.start_game()
    ben.expect_board()

    cleo = new_user("Cleo", size=SMALL_PHONE, touch=True)
    cleo.open(invitation)
    cleo.expect_board()
    ask_for_seat(cleo)
    ana.expect_question("Cleo would like to take seat 3 and would then see its hand.")
    ana.button("Agree").click()
    ben.button("Agree").click()
    expect(ana.by_test_id("seats").get_by_role("listitem").nth(2)).to_contain_text("Cleo")
    assert "#" not in cleo.page.url

    dan = new_user("Dan", size=PHONE, touch=True)
    dan.open(link)
    ask_for_seat(dan)
    ana.expect_question("Dan would like to take seat 4 and would then see its hand.")
    ana.button("No").click()
    dan.expect_question("You can take over a bot’s seat.")


def expect_invitation_first(user: UserPage) -> None:
    """Above everything else, and whole on the first screen."""
    link = user.page.get_by_label("One link for everyone").bounding_box()
    title = user.page.get_by_role("heading", name="Waiting for players").bounding_box()
    size = user.page.viewport_size
    assert link is not None
    assert title is not None
    assert size is not None
    assert link["y"] + link["height"] < min(title["y"], size["height"])
    assert user.page.locator("h2").first.inner_text() == "Invite friends"


def ask_for_seat(user: UserPage) -> None:
    user.expect_question("You can take over a bot’s seat.")
    user.button("Ask for a seat").tap()
    form = user.by_test_id("join")
    form.get_by_role("textbox").fill(user.name)
    form.get_by_role("button").tap()
    user.expect_question("The others are being asked.")


def test_an_invitation_leads_to_a_lesson_and_back(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben", reduced_motion=True)
    ana.set_up_table(seats=3)
    invitation = ana.seat_link(3)
    ben.open(invitation)
    learn = ben.by_test_id("learn-first")
    expect(learn).to_have_text("Learn it in three minutes")
    learn.click()
    expect(ben.by_test_id("said")).to_be_visible()
    ben.page.get_by_role("link", name="Back to the invitation").click()
    assert ben.page.url == invitation
    learn.click()
    expect(ben.by_test_id("said")).to_be_visible()
    LessonPlayer(ben, first_dive(), "en").complete()
    ben.by_test_id("back-to-invitation").click()
    expect(ben.by_test_id("invitation")).to_be_visible()
    ben.join(ben.page.url)
    expect(ana.page.locator("ol > li").last).to_contain_text("Ben")
