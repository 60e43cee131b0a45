"""People play together, each in a browser of their own."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import WebSocketRoute, expect

from archipel.cli import main as archipel
from archipel.record import parse_record
from archipel.rules.kit.core.loading import can_compile
from archipel.tables.log.records import verify
from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person, play_until, play_until_over
from tests.browser.serving import Server

pytestmark = pytest.mark.browser


def sit_together(arrive: Arrive, server: Server | None = None) -> tuple[Person, Person]:
    """Ana has set up a table for two, Ben has joined, and it is Ana's turn."""
    ana = arrive("Ana", server)
    ben = arrive("Ben", server, size=PHONE, touch=True)
    ana.sets_up(seats=2, first=1)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    return ana, ben


#: Two taps on whatever takes them at a spot; how many milliseconds there were between them.
_TAP_TWICE = """([x, y, pause]) => new Promise((resolve) => {
  const tap = () => document.elementFromPoint(x, y)?.click();
  const began = performance.now();
  tap();
  setTimeout(() => { tap(); resolve(performance.now() - began); }, pause);
})"""


def moves_of(person: Person) -> list[str]:
    """What this person has asked to play, by the ids of the requests."""
    sent = [json.loads(frame) for frame in person.sent]
    return [message["id"] for message in sent if message["type"] == "play"]


def test_two_people_finish_a_game(arrive: Arrive, server: Server) -> None:
    ana = arrive("Ana")
    ben = arrive("Ben", size=PHONE, touch=True)
    ana.sets_up(seats=4, bots=[3, 4])
    ben.joins(ana.link_for_seat(2))
    expect(ana.page.get_by_text("Ben")).to_be_visible()
    ana.begins()
    ben.sees_board()

    play_until_over(ana, ben)

    shown = [line.split("\n") for line in ana.result()]
    theirs = [line.split("\n") for line in ben.result()]
    assert [line[-1] for line in shown] == [line[-1] for line in theirs]
    record = parse_record(server.read(f"/api/tables/{ana.table}/record"))
    assert record.players[:2] == ("Ana", "Ben")
    verdict = verify(record)
    assert verdict.is_fair
    assert verdict.shares == (0, 1), "both browsers sealed a share of the dice"
    for person in (ana, ben):
        fair = "Chance was fair: everything is as it was sealed before the game."
        expect(person.part("dice")).to_have_text(fair)
    outcome = record.game.outcome
    assert outcome is not None
    assert sorted(int(line[-1]) for line in shown) == sorted(outcome.scores)


def test_the_record_can_be_downloaded(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    play_until_over(ana)
    fair = "Chance was fair: everything is as it was sealed before the game."
    expect(ana.part("dice")).to_have_text(fair)
    with ana.page.expect_download() as download:
        ana.part("result").get_by_role("link", name="Download the record").click()
    assert parse_record(download.value.path().read_text()).game.is_over
    assert archipel(["verify", str(download.value.path())]) == 0


@pytest.mark.parametrize("pause", [0, 60, 200])
def test_a_double_tap_is_one_move(arrive: Arrive, pause: int) -> None:
    """Whether the second tap comes before the answer to the first or after it."""
    for _ in range(30):
        ana, _ = sit_together(arrive)
        button = ana.page.locator('[data-action="dive"]')
        button.click(trial=True)  # is there, and ready
        box = button.bounding_box()
        assert box is not None
        spot = [box["x"] + box["width"] / 4, box["y"] + box["height"] / 2]
        took = ana.page.evaluate(_TAP_TWICE, [*spot, pause])
        if took < pause + 100:
            break
    else:
        pytest.fail("this machine is too busy for anybody to tap twice in quick succession")
    expect(ana.page.locator('[data-action="take"]')).to_be_visible()
    assert len(moves_of(ana)) == 1


def test_two_taps_on_the_board_choose_and_confirm(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ana.chooses("dive")
    target = ana.part("board").get_by_role("button", name="Take what lies here")
    target.click(force=True)  # the board itself takes the tap, wherever it falls near the target
    expect(target).to_have_attribute("aria-pressed", "true")
    expect(ana.button("Confirm: Take what lies here")).to_be_visible()
    assert len(moves_of(ana)) == 1
    target.click(force=True)
    ben.waits_for_turn()
    assert len(moves_of(ana)) == 2


def test_turning_back_is_asked_about_twice(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    play_until(lambda: "turn back" in ana.look().actions, ana, ben)
    before = ana.look().n
    ana.page.locator('[data-action="turn back"]').click()
    expect(ana.button("Sure? Turn back")).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.button("Sure? Turn back")).to_have_count(0)
    assert ana.look().n == before
    ana.chooses("turn back")
    ana.is_told("turns back")


def test_a_choice_can_be_taken_back(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ana.chooses("dive")
    expect(ana.part("undo")).to_have_count(0)  # the dice are thrown
    ana.chooses("take")
    assert "dive" in ben.waits_for_turn().actions
    ana.part("undo").click()
    expect(ana.page.locator('[data-action="take"]')).to_be_visible()
    ben.wait_until(lambda: not ben.look().actions)
    ben.is_told_last("Ana takes it back.")
    ana.chooses("nothing")
    ben.waits_for_turn()


def test_a_refusal_names_the_rule(arrive: Arrive) -> None:
    ana = arrive("Ana")
    meddling = True

    def meddle(socket: WebSocketRoute) -> None:
        """Ask for something that the page never offers: to take before the dice are thrown."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            wish = json.loads(message)
            if meddling and wish["type"] == "play":
                wish["action"] = 4
            server.send(json.dumps(wish))

        socket.on_message(pass_on)

    ana.page.route_web_socket("**/socket", meddle)
    ana.plays_now()
    assert "dive" in ana.waits_for_turn().actions
    before = ana.look().n
    ana.page.locator('[data-action="dive"]').click()
    refused = ana.page.get_by_role("alert")
    expect(refused).to_have_text("The dice come first, the search after the swim (DS-T10)")
    assert ana.look().n == before
    meddling = False
    ana.chooses("dive")
    expect(refused).to_have_count(0)


def test_help_says_what_is_not_possible_and_by_which_rule(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    play_until(lambda: "take" in ana.look().actions, ana)
    ana.opens("help")
    expect(ana.part("can-do")).to_contain_text("Take what lies here")
    impossible = ana.part("cannot-do")
    expect(impossible).to_contain_text("the dice have been thrown, so now it is time to search")
    impossible.get_by_role("button", name="DS-T6").first.click()
    expect(ana.page.locator("#rule-DS-T6").first).to_be_visible()


@pytest.mark.skipif(not can_compile(), reason="Numba makes the engine")
def test_the_odds_are_told_with_how_they_were_found(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.plays_now()
    ana.waits_for_turn()
    ana.opens("help")
    ana.part("ask-odds").click()
    expect(ana.part("sheet")).to_contain_text("bot in every seat")
    expect(ana.part("sheet")).to_contain_text("%")


def test_a_phrase_is_read_in_the_language_of_each(arrive: Arrive) -> None:
    ana = arrive("Ana")
    luc = arrive("Luc", language="fr-FR")
    ana.sets_up(seats=2, first=1)
    luc.joins(ana.link_for_everyone())
    ana.begins()
    luc.sees_board()
    ana.opens("talk")
    ana.button("Good luck!").click()
    luc.opens("talk")
    expect(luc.part("sheet")).to_contain_text("Ana")
    expect(luc.part("sheet").locator("li")).to_contain_text("Bonne chance")
    expect(luc.part("seats").locator(".phrase")).to_contain_text("Bonne chance")


def test_a_rematch_seats_the_same_people(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    first_table = ana.table
    play_until_over(ana, ben)
    ana.result()
    ben.result()
    ana.part("rematch").click()
    expect(ana.part("begin")).to_be_visible()
    assert ana.table != first_table
    expect(ben.part("rematch")).to_have_text("To the new table")
    ben.part("rematch").click()
    expect(ben.page.get_by_text("The host starts the game.")).to_be_visible()
    assert ben.table == ana.table
    ana.begins()
    ben.sees_board()
    play_until(lambda: bool(ben.look().actions), ana, ben)
    ben.decides()


def test_the_title_tells_whose_turn_it_is(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    icon = ana.page.locator('link[rel="icon"]')
    expect(ana.page).to_have_title("● Your turn. Deep Sea Adventure")
    expect(icon).to_have_attribute("href", "/icon-turn.svg")
    expect(ben.page).to_have_title("Deep Sea Adventure")
    ana.decides()
    ana.decides()
    expect(ben.page).to_have_title("● Your turn. Deep Sea Adventure")
    expect(ana.page).to_have_title("Deep Sea Adventure")
    expect(icon).to_have_attribute("href", "/icon.svg")


def test_a_table_can_be_left_to_a_bot_and_taken_back(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ana.opens("settings")
    ana.button("Let a bot play for me").click()
    expect(ana.page.get_by_text("A bot is playing for you.")).to_be_visible()
    play_until(lambda: "A bot (" in " ".join(ben.log()), ben)
    ana.button("Take my seat back").click()
    expect(ana.page.get_by_text("A bot is playing for you.")).to_have_count(0)
    play_until(lambda: bool(ana.look().actions), ben)
