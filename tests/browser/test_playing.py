"""Several users play together, each in a browser of their own."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from archipel.cli import main as archipel
from archipel.record import parse_record
from archipel.rules.kit.core.loading import can_compile
from archipel.tables.log.records import verify
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.user_page import PHONE, UserPage, play_until, play_until_over

pytestmark = pytest.mark.browser

FAIR = (
    "The dice were fair: this browser recomputed the deal and every outcome from what was sealed "
    "before the game."
)


def start_game_of_two(new_user: NewUser, server: Server | None = None) -> tuple[UserPage, UserPage]:
    """Ana creates a table for two, Ben joins, and it is Ana's turn."""
    ana = new_user("Ana", server)
    ben = new_user("Ben", server, size=PHONE, touch=True)
    ana.set_up_table(seats=2, first=1)
    ben.join(ana.shared_link())
    ana.start_game()
    ben.expect_board()
    return ana, ben


#: Taps twice at a position; returns the milliseconds between the taps.
_TAP_TWICE = """([x, y, pause]) => new Promise((resolve) => {
  const tap = () => document.elementFromPoint(x, y)?.click();
  const began = performance.now();
  tap();
  setTimeout(() => { tap(); resolve(performance.now() - began); }, pause);
})"""


def moves_of(user: UserPage) -> list[str]:
    """The ids of the moves that this user has sent."""
    sent = [json.loads(frame) for frame in user.sent]
    return [message["id"] for message in sent if message["type"] == "play"]


def test_two_users_finish_a_game(new_user: NewUser, server: Server) -> None:
    ana = new_user("Ana")
    ben = new_user("Ben", size=PHONE, touch=True)
    ana.set_up_table(seats=4, bots=[3, 4])
    ben.join(ana.seat_link(2))
    expect(ana.page.get_by_text("Ben", exact=True)).to_be_visible()
    ana.start_game()
    ben.expect_board()

    play_until_over(ana, ben)

    shown = [line.split("\n") for line in ana.result_lines()]
    theirs = [line.split("\n") for line in ben.result_lines()]
    winners = ana.by_test_id("winners")
    expect(winners).to_contain_text(re.compile("win|share"))
    assert ("You" in winners.inner_text()) == any(
        "First" in line and "you" in line[1] for line in shown
    )
    assert [line[-1] for line in shown] == [line[-1] for line in theirs]
    record = parse_record(server.read(f"/api/tables/{ana.table}/record"))
    assert record.players[:2] == ("Ana", "Ben")
    verdict = verify(record)
    assert verdict.is_fair
    assert verdict.shares == (0, 1), "both browsers sealed a share of the dice"
    for user in (ana, ben):
        expect(user.by_test_id("dice")).to_have_text(FAIR)
    outcome = record.game.outcome
    assert outcome is not None
    assert sorted(int(line[-1]) for line in shown) == sorted(outcome.scores)


def test_the_record_can_be_downloaded(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until_over(ana)
    expect(ana.by_test_id("dice")).to_have_text(FAIR)
    with ana.page.expect_download() as download:
        ana.by_test_id("result").get_by_role("link", name="Download the record").click()
    assert parse_record(download.value.path().read_text()).game.is_over
    assert archipel(["verify", str(download.value.path())]) == 0


@pytest.mark.parametrize("pause", [0, 60, 200])
def test_a_double_tap_is_one_move(new_user: NewUser, pause: int) -> None:
    """Whether the second tap comes before or after the answer to the first."""
    for _ in range(30):
        ana, _ = start_game_of_two(new_user)
        button = ana.page.locator('[data-action="dive"]')
        button.click(trial=True)  # wait until it is ready
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


def test_one_tap_on_the_board_plays(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ana.choose("dive")
    ana.by_test_id("board").get_by_role("button", name="Take it").click(force=True)
    ben.wait_for_turn()
    assert len(moves_of(ana)) == 2


def test_every_move_on_the_board_can_be_confirmed(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ana.open_tab("settings")
    ana.by_test_id("confirm-moves").check()
    ana.choose("dive")
    target = ana.by_test_id("board").get_by_role("button", name="Take it")
    target.click(force=True)  # the board receives taps near the target
    expect(target).to_have_attribute("aria-pressed", "true")
    expect(ana.button("Confirm: Take it")).to_be_visible()
    assert len(moves_of(ana)) == 1
    target.click(force=True)
    ben.wait_for_turn()
    assert len(moves_of(ana)) == 2


def test_turning_back_must_be_confirmed(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    play_until(lambda: "turn back" in ana.table_state().actions, ana, ben)
    before = ana.table_state().n
    ana.page.locator('[data-action="turn back"]').click()
    expect(ana.button("Sure? Turn back")).to_be_visible()
    ana.page.keyboard.press("Escape")
    expect(ana.button("Sure? Turn back")).to_have_count(0)
    assert ana.table_state().n == before
    ana.choose("turn back")
    ana.expect_log("turns back")


def test_a_choice_can_be_taken_back(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ana.choose("dive")
    expect(ana.by_test_id("undo")).to_have_count(0)  # dice were thrown
    ana.choose("take")
    assert "dive" in ben.wait_for_turn().actions
    ana.by_test_id("undo").click()
    expect(ana.page.locator('[data-action="take"]')).to_be_visible()
    ben.wait_until(lambda: not ben.table_state().actions)
    ben.expect_last_log_line("Ana takes back a move.")
    ana.choose("nothing")
    ben.wait_for_turn()


def test_a_refusal_names_the_rule(new_user: NewUser) -> None:
    ana = new_user("Ana")
    meddling = True

    def meddle(socket: WebSocketRoute) -> None:
        """Replace a move by an illegal one: take before the throw."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            wish = json.loads(message)
            if meddling and wish["type"] == "play":
                wish["action"] = 4
            server.send(json.dumps(wish))

        socket.on_message(pass_on)

    ana.page.route_web_socket("**/socket", meddle)
    ana.play_now()
    assert "dive" in ana.wait_for_turn().actions
    before = ana.table_state().n
    ana.page.locator('[data-action="dive"]').click()
    refused = ana.page.get_by_role("alert")
    expect(refused).to_have_text("Roll the dice first, then search (DS-T10)")
    assert ana.table_state().n == before
    meddling = False
    ana.choose("dive")
    expect(refused).to_have_count(0)


def test_help_explains_which_rule_forbids_an_action(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until(lambda: "take" in ana.table_state().actions, ana)
    ana.open_tab("help")
    expect(ana.by_test_id("can-do")).to_contain_text("Take it")
    impossible = ana.by_test_id("cannot-do")
    expect(impossible).to_contain_text("the dice have been rolled; now you search")
    impossible.get_by_role("button", name="Rules about this").first.click()
    expect(ana.page.locator("#rule-DS-T6").first).to_be_visible()


@pytest.mark.skipif(not can_compile(), reason="Numba makes the engine")
def test_the_odds_name_their_method(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    ana.wait_for_turn()
    ana.open_tab("help")
    ana.by_test_id("ask-odds").click()
    expect(ana.by_test_id("sheet")).to_contain_text("bot in every seat")
    expect(ana.by_test_id("sheet")).to_contain_text("%")


def test_a_phrase_is_shown_in_each_users_language(new_user: NewUser) -> None:
    ana = new_user("Ana")
    luc = new_user("Luc", language="fr-FR")
    ana.set_up_table(seats=2, first=1)
    luc.join(ana.shared_link())
    ana.start_game()
    luc.expect_board()
    ana.open_tab("talk")
    ana.button("Good luck!").click()
    luc.open_tab("talk")
    expect(luc.by_test_id("sheet")).to_contain_text("Ana")
    expect(luc.by_test_id("sheet").locator("li")).to_contain_text("Bonne chance")
    expect(luc.by_test_id("seats").locator(".phrase")).to_contain_text("Bonne chance")


def test_a_rematch_seats_the_same_players(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    first_table = ana.table
    play_until_over(ana, ben)
    ana.result_lines()
    ben.result_lines()
    ana.by_test_id("rematch").click()
    expect(ana.by_test_id("begin")).to_be_visible()
    assert ana.table != first_table
    expect(ben.by_test_id("rematch")).to_have_text("Go to the new table")
    ben.by_test_id("rematch").click()
    expect(ben.page.get_by_text("The host starts the game.")).to_be_visible()
    assert ben.table == ana.table
    ana.start_game()
    ben.expect_board()
    play_until(lambda: bool(ben.table_state().actions), ana, ben)
    ben.decide()


def test_the_title_shows_whose_turn_it_is(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    icon = ana.page.locator('link[rel="icon"]')
    expect(ana.page).to_have_title("● Your turn. Deep Sea Adventure")
    expect(icon).to_have_attribute("href", "/icon-turn.svg")
    expect(ben.page).to_have_title("Deep Sea Adventure")
    ana.decide()
    ana.decide()
    expect(ben.page).to_have_title("● Your turn. Deep Sea Adventure")
    expect(ana.page).to_have_title("Deep Sea Adventure")
    expect(icon).to_have_attribute("href", "/icon.svg")


def test_a_seat_can_be_given_to_a_bot_and_taken_back(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ana.open_tab("settings")
    ana.button("Let a bot play for me").click()
    expect(ana.page.get_by_text("A bot is playing for you.")).to_be_visible()
    play_until(lambda: "A bot (" in " ".join(ben.log_lines()), ben)
    ana.button("Take my seat back").click()
    expect(ana.page.get_by_text("A bot is playing for you.")).to_have_count(0)
    play_until(lambda: bool(ana.table_state().actions), ben)
