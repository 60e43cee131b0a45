"""Taking back by consent, leaving, coming back, and the rights of the host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from archipel.cli import main as archipel
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server, run_server
from tests.browser.server_process import ServerOptions
from tests.browser.test_playing import start_game_of_two
from tests.browser.user_page import PHONE, UserPage, play_until

pytestmark = pytest.mark.browser


def test_taking_back_after_another_players_move_needs_consent(new_user: NewUser) -> None:
    """On phones, where the question appears above any open sheet."""
    ana, ben = new_user("Ana", size=PHONE), new_user("Ben", size=PHONE)
    ana.set_up_table(game="the-island", seats=2)
    ben.join(ana.shared_link())
    ana.start_game()
    ben.expect_board()
    asks, other = in_turn_order(ana, ben)
    before = asks.table_state().n
    take_turn(asks, other)
    take_turn(other, asks)

    asks.close_sheet()
    asks.by_test_id("undo").click()
    asks.expect_question("You have asked to take back your move.")
    asked = other.expect_question(f"{asks.name} would like to take back a move.")
    other.button("No").click()
    expect(asked).to_have_count(0)
    asks.expect_last_log_line(f"{other.name} does not agree.")

    asks.close_sheet()
    asks.by_test_id("undo").click()
    other.expect_question(f"{asks.name} would like to take back a move.")
    asks.button("Withdraw my request").click()
    expect(asked).to_have_count(0)

    asks.by_test_id("undo").click()
    other.button("Agree").click()
    for user in (asks, other):
        user.expect_last_log_line(f"{asks.name} takes back a move.")
        user.open_tab("text")
    asks.wait_until(lambda: can_type(asks) and not can_type(other))
    asks.type_any_move()
    assert asks.table_state().n > before


def in_turn_order(*users: UserPage) -> tuple[UserPage, UserPage]:
    """The user who moves first, and the other."""
    ana, ben = users
    for user in users:
        user.open_tab("text")
    ana.wait_until(lambda: any(can_type(user) for user in users))
    return (ana, ben) if can_type(ana) else (ben, ana)


def take_turn(user: UserPage, other: UserPage) -> None:
    """Type moves until it is the other user's turn."""
    while not can_type(other):
        user.type_any_move()
        user.wait_until(lambda: can_type(user) or can_type(other))


def can_type(user: UserPage) -> bool:
    return user.by_test_id("typed-move").count() > 0


def test_a_player_who_resigns_is_last_and_the_others_go_on(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben")
    ana.set_up_table(seats=3, bots=[3], first=1)
    ben.join(ana.shared_link())
    ana.start_game()
    ben.expect_board()
    ben.open_tab("settings")
    ben.by_test_id("sheet").get_by_role("button", name="Resign").click()
    ben.by_test_id("dialog").get_by_role("button", name="Cancel").click()
    expect(ben.by_test_id("seats")).not_to_contain_text("resigned")
    ben.by_test_id("sheet").get_by_role("button", name="Resign").click()
    ben.confirm("Resign")
    expect(ana.by_test_id("seats")).to_contain_text("resigned")
    resigns = "Ben resigns; a bot takes over."
    ana.expect_log(resigns)
    expect(ben.button("Take my seat back")).to_have_count(0)
    play_until(lambda: any("Ben " in line for line in ana.log_lines_after(resigns)), ana)

    ana.open_tab("settings")
    ana.by_test_id("sheet").get_by_role("button", name="Resign").click()
    ana.confirm("Resign")
    lines = [line.split("\n") for line in ben.result_lines()]  # only a bot is left
    assert [name for line in lines for name in ("Ana", "Ben") if name in "".join(line)] == [
        "Ana",
        "Ben",
    ]
    assert "Ben" in "".join(lines[-1])


def test_an_absent_seat_goes_to_a_bot_until_its_owner_returns(
    new_user: NewUser, fast_clock_server: Server
) -> None:
    ana, ben = new_user("Ana", fast_clock_server), new_user("Ben", fast_clock_server)
    ana.set_up_table(seats=2, first=2)
    ben.join(ana.table_link())
    ana.start_game()
    assert ben.wait_for_turn().actions
    ben.open_home()
    expect(ana.by_test_id("line")).to_have_text("Ben is away.")
    expect(ana.button("Let a bot play for Ben")).to_have_count(0)
    ana.page.wait_for_timeout(2_200)  # more than two of the server's minutes
    ana.page.reload()
    expect(ana.by_test_id("seats").get_by_role("button", name="Let a bot play")).to_be_visible()
    ana.button("Let a bot play for Ben").click()
    assert ana.wait_for_turn().actions
    ana.expect_log("plays for Ben")

    ben.page.get_by_role("link", name="Continue").click()
    meanwhile = ben.by_test_id("meanwhile")
    expect(meanwhile).to_contain_text("plays for Ben")
    meanwhile.get_by_role("button", name="Close").last.click()
    ben.expect_question("A bot is playing for you.")
    ben.button("Take my seat back").click()
    play_until(lambda: bool(ben.table_state().actions), ana)
    ana.expect_log("Ben is back.")


def test_a_bot_takes_over_when_the_clock_runs_out(
    new_user: NewUser, fast_clock_server: Server
) -> None:
    ana, ben = (
        new_user("Ana", fast_clock_server, size=PHONE, touch=True),
        new_user("Ben", fast_clock_server),
    )
    ana.set_up_table(seats=2, first=2, clock="5 minutes each, plus 10 seconds per move")
    ben.join(ana.table_link())
    ana.start_game()
    assert ben.wait_for_turn().actions
    expect(ana.page.get_by_role("timer")).to_be_visible()  # the running clock, on a phone
    expect(ben.by_test_id("seats").locator(".clock")).to_have_count(2)
    ben.expect_question("A bot is playing for you.")  # after five of the server's minutes
    ben.expect_log("Ben has run out of time.")
    assert ana.wait_for_turn().actions
    ben.button("Take my seat back").click()
    expect(ben.button("Take my seat back")).to_have_count(0)


def test_a_clock_in_days_is_per_decision(new_user: NewUser, tmp_path: Path) -> None:
    """With a clock that runs 20,000 times faster: a day takes four seconds."""
    with run_server(tmp_path, ServerOptions(clock_speed=20_000)) as server:
        ana, luc = new_user("Ana", server), new_user("Luc", server, language="fr-FR")
        ana.set_up_table(seats=2, first=1, clock="three days per move")
        luc.join(ana.table_link())
        ana.start_game()
        expect(ana.by_test_id("seats").locator(".clock").first).to_have_text(
            re.compile("^[23] days left$")
        )
        expect(luc.by_test_id("seats").locator(".clock").last).to_have_text("encore 3 jours")
        ana.expect_question("A bot is playing for you.")  # after about thirteen seconds
        luc.expect_log("Ana n’a plus de temps.")
        assert luc.wait_for_turn().actions


def test_the_host_frees_an_absent_players_seat_and_another_user_takes_it(
    new_user: NewUser, fast_clock_server: Server
) -> None:
    ana, ben = new_user("Ana", fast_clock_server), new_user("Ben", fast_clock_server)
    ana.set_up_table(seats=2, first=1)
    ben.join(ana.table_link())
    ana.start_game()
    ben.expect_board()
    cleo = new_user("Cleo", fast_clock_server, size=PHONE, touch=True)
    ana.open_tab("settings")
    seat_of_ben = ana.by_test_id("sheet").get_by_role("button", name="Free Ben’s seat")
    expect(ana.button("Close the table")).to_be_visible()
    expect(seat_of_ben).to_have_count(0)  # a present player keeps the seat
    ben.open_home()
    expect(ana.by_test_id("seats")).to_contain_text("away for")
    expect(ana.button("Free this seat")).to_have_count(0)  # not before it is allowed

    def is_offered() -> bool:
        ana.page.reload()
        ana.expect_board()
        ana.open_tab("settings")
        expect(ana.button("Close the table")).to_be_visible()
        return seat_of_ben.count() > 0

    ana.wait_until(is_offered)  # after two of the server's minutes
    expect(ana.by_test_id("seats").get_by_role("button", name="Free this seat")).to_be_visible()
    seat_of_ben.click()
    ana.confirm("Free this seat")
    free = "Seat 2 is free."
    ana.expect_last_log_line(free)
    play_until(lambda: any("Seat 2" in line for line in ana.log_lines_after(free)), ana)

    link = ana.page.get_by_label("A seat is free: link for the new player").input_value()
    assert link.rsplit("/", 1)[-1] == ana.table_link().rsplit("/", 1)[-1]
    cleo.open(ana.table_link())
    cleo.expect_board()
    cleo.button("Sit down").click()
    form = cleo.by_test_id("join")
    expect(form).to_be_visible()
    expect_accessible(cleo, "taking a free seat")
    form.get_by_role("textbox").fill("Ana")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_have_text("Somebody at this table has that name already.")
    form.get_by_role("textbox").fill("Cleo")
    form.get_by_role("button").click()
    cleo.expect_question("The others are being asked.")
    assert cleo.table_state().actions == ()
    ana.expect_question("Cleo would like to take seat 2 and would then see its hand.")
    expect_accessible(ana, "somebody who would like to sit down")
    ana.button("Agree").click()
    expect(ana.by_test_id("seats")).to_contain_text("Cleo")
    expect(cleo.button("Sit down")).to_have_count(0)
    play_until(lambda: bool(cleo.table_state().actions), ana)
    cleo.decide()


def test_the_record_of_a_closed_table_can_be_downloaded(new_user: NewUser, tmp_path: Path) -> None:
    ana, ben = start_game_of_two(new_user)
    ana.decide()
    ana.open_tab("settings")
    ana.by_test_id("sheet").get_by_role("button", name="Close the table").click()
    ana.confirm("Close the table")
    ana.expect_question("The others are being asked.")
    assert ben.table_state().actions == ()
    ben.expect_question("Ana would like to end the game and close the table.")
    ben.button("No").click()
    ana.expect_last_log_line("Ben does not agree.")
    ana.open_tab("settings")
    ana.by_test_id("sheet").get_by_role("button", name="Close the table").click()
    ana.confirm("Close the table")
    ben.button("Agree").click()
    for user in (ana, ben):
        expect(user.by_test_id("line")).to_have_text("This table is closed.")
        assert user.table_state().actions == ()
    with ben.page.expect_download() as download:
        ben.by_test_id("choices").get_by_role("link", name="Download the record").click()
    kept = tmp_path / "record.txt"
    download.value.save_as(kept)
    assert archipel(["verify", str(kept)]) == 0
    ben.open_home()
    expect(ben.page.get_by_role("link", name="View")).to_be_visible()


def test_the_host_closes_a_table_before_the_game(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben", language="fr-FR")
    ana.set_up_table(seats=3)
    ben.join(ana.shared_link())
    ana.button("Close the table").click()
    ana.confirm("Close the table")
    expect(ana.page.get_by_role("main")).to_contain_text("This table is closed.")
    expect(ben.page.get_by_role("main")).to_contain_text("Cette table est fermée.")
    expect_accessible(ben, "a table that was closed before its game")
    ana.page.get_by_role("main").get_by_role("link", name="Back to the home page").click()
    expect(ana.game_card).to_be_visible()


def test_an_invitation_opens_one_seat_once(new_user: NewUser) -> None:
    ana, ben = new_user("Ana"), new_user("Ben")
    luc = new_user("Luc", language="fr-FR")
    ana.set_up_table(seats=3)
    invitation = ana.seat_link(3)
    ben.join(invitation)
    assert "#" not in ben.page.url  # the invitation is used up and no longer in the URL
    expect(ana.page.get_by_label("Link for seat 3")).to_have_count(0)
    expect(ana.page.locator("ol > li").nth(2)).to_contain_text("Ben")

    luc.open(invitation)
    form = luc.by_test_id("join")
    form.get_by_role("textbox").fill("Luc")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_have_text(
        "Cette invitation n’est pas valable, ou ne l’est plus."
    )

    ben.button("Leave the seat").click()
    expect(ben.by_test_id("join")).to_be_visible()
    expect(ana.page.get_by_text("Ben")).to_have_count(0)


def test_a_lost_response_creates_no_second_table(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.open_home()
    made: list[str] = []

    def lose(route: Route) -> None:
        """The server creates the table, but the response is lost."""
        made.append(route.fetch().json()["table"])
        route.abort()

    ana.page.route("**/api/tables", lose)
    ana.game_card.get_by_test_id("with-friends").click()
    ana.by_test_id("make-table").click()
    expect(ana.by_test_id("dialog").get_by_role("alert")).to_contain_text(
        "The server does not answer"
    )
    ana.page.unroute("**/api/tables")
    ana.by_test_id("make-table").click()
    expect(ana.by_test_id("begin")).to_be_visible()
    assert made == [ana.table]


def test_shared_links_use_the_public_address(new_user: NewUser, fast_clock_server: Server) -> None:
    ana = new_user("Ana", fast_clock_server)
    ana.home = f"http://localhost:{fast_clock_server.port}"
    ana.set_up_table(seats=3)
    shared = f"http://192.0.2.7:8000/t/{ana.table}"
    expect(ana.page.get_by_label("One link for everyone")).to_have_value(shared)
    for_seat = re.compile(f"^{re.escape(shared)}#seat=")
    expect(ana.page.get_by_label("Link for seat 2")).to_have_value(for_seat)


def test_sounds_and_notifications_are_opt_in(new_user: NewUser) -> None:
    ana = new_user("Ana", speed="fast")
    ana.page.add_init_script(
        """window.sounds = 0; window.asked = 0;
        const ramp = AudioParam.prototype.linearRampToValueAtTime;
        AudioParam.prototype.linearRampToValueAtTime = function (value, time) {
          window.loudest = value;
          return ramp.call(this, value, time);
        };
        const Real = AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.sounds += 1; } };
        Notification.requestPermission = async () => { window.asked += 1; return "denied"; };"""
    )
    ana.play_now()
    ana.decide()
    ana.wait_for_turn()
    assert ana.page.evaluate("[window.sounds, window.asked]") == [0, 0]
    ana.open_tab("settings")
    ana.page.get_by_label("Sounds").check()
    ana.wait_until(lambda: bool(ana.page.evaluate("window.sounds === 1")))
    loud = ana.page.evaluate("window.loudest")
    ana.by_test_id("volume").fill("0.1")
    ana.wait_until(lambda: bool(ana.page.evaluate("window.loudest") < loud / 2))
    expect_accessible(ana, "the settings")
    ana.page.get_by_label("Notify me when it is my turn").click()
    expect(ana.page.get_by_text("The browser blocks notifications.")).to_be_visible()
    assert ana.page.evaluate("window.asked") == 1
