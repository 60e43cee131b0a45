"""Taking back by consent, leaving, coming back, and what a host may do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from archipel.cli import main as archipel
from tests.browser.axe import must_be_accessible
from tests.browser.conftest import Arrive
from tests.browser.people import PHONE, Person, play_until
from tests.browser.server_process import Difference
from tests.browser.serving import Server, serving
from tests.browser.test_playing import sit_together

pytestmark = pytest.mark.browser


def test_what_others_built_on_is_taken_back_by_consent_only(arrive: Arrive) -> None:
    """On phones, where the question comes before whatever sheet is open."""
    ana, ben = arrive("Ana", size=PHONE), arrive("Ben", size=PHONE)
    ana.sets_up(game="the-island", seats=2)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    asks, other = who_begins(ana, ben)
    before = asks.look().n
    take_turn(asks, other)
    take_turn(other, asks)

    asks.closes_sheet()
    asks.part("undo").click()
    asks.is_asked("You have asked to take it back.")
    asked = other.is_asked(f"{asks.name} would like to take something back.")
    other.button("No").click()
    expect(asked).to_have_count(0)
    asks.is_told_last(f"{other.name} does not agree.")

    asks.closes_sheet()
    asks.part("undo").click()
    other.is_asked(f"{asks.name} would like to take something back.")
    asks.button("Leave it as it is").click()
    expect(asked).to_have_count(0)

    asks.part("undo").click()
    other.button("Agree").click()
    for person in (asks, other):
        person.is_told_last(f"{asks.name} takes it back.")
        person.opens("text")
    asks.wait_until(lambda: can_type(asks) and not can_type(other))
    asks.types_something()
    assert asks.look().n > before


def who_begins(*people: Person) -> tuple[Person, Person]:
    """Whoever is to move first, and the other."""
    ana, ben = people
    for person in people:
        person.opens("text")
    ana.wait_until(lambda: any(can_type(person) for person in people))
    return (ana, ben) if can_type(ana) else (ben, ana)


def take_turn(person: Person, other: Person) -> None:
    """Type moves until it is the other's turn."""
    while not can_type(other):
        person.types_something()
        person.wait_until(lambda: can_type(person) or can_type(other))


def can_type(person: Person) -> bool:
    return person.part("typed-move").count() > 0


def test_who_resigns_is_last_and_the_others_go_on(arrive: Arrive) -> None:
    ana, ben = arrive("Ana"), arrive("Ben")
    ana.sets_up(seats=3, bots=[3], first=1)
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    ben.opens("settings")
    ben.part("sheet").get_by_role("button", name="Resign").click()
    ben.part("dialog").get_by_role("button", name="Cancel").click()
    expect(ben.part("seats")).not_to_contain_text("resigned")
    ben.part("sheet").get_by_role("button", name="Resign").click()
    ben.is_sure("Resign")
    expect(ana.part("seats")).to_contain_text("resigned")
    resigns = "Ben resigns; a bot plays on."
    ana.is_told(resigns)
    expect(ben.button("Take my seat back")).to_have_count(0)
    play_until(lambda: any("Ben " in line for line in ana.log_since(resigns)), ana)

    ana.opens("settings")
    ana.part("sheet").get_by_role("button", name="Resign").click()
    ana.is_sure("Resign")
    lines = [line.split("\n") for line in ben.result()]  # only a bot is left
    assert [name for line in lines for name in ("Ana", "Ben") if name in "".join(line)] == [
        "Ana",
        "Ben",
    ]
    assert "Ben" in "".join(lines[-1])


def test_an_absent_seat_goes_to_a_bot_until_its_owner_returns(
    arrive: Arrive, hurried_server: Server
) -> None:
    ana, ben = arrive("Ana", hurried_server), arrive("Ben", hurried_server)
    ana.sets_up(seats=2, first=2)
    ben.joins(ana.link_here())
    ana.begins()
    assert ben.waits_for_turn().actions
    ben.goes_home()
    expect(ana.part("line")).to_have_text("Ben is away.")
    expect(ana.button("Let a bot play for Ben")).to_have_count(0)
    ana.page.wait_for_timeout(2_200)  # more than two of the server's minutes
    ana.page.reload()
    expect(ana.part("seats").get_by_role("button", name="Let a bot play")).to_be_visible()
    ana.button("Let a bot play for Ben").click()
    assert ana.waits_for_turn().actions
    ana.is_told("plays for Ben")

    ben.page.get_by_role("link", name="Go on").click()
    meanwhile = ben.part("meanwhile")
    expect(meanwhile).to_contain_text("plays for Ben")
    meanwhile.get_by_role("button", name="Close").last.click()
    ben.is_asked("A bot is playing for you.")
    ben.button("Take my seat back").click()
    play_until(lambda: bool(ben.look().actions), ana)
    ana.is_told("Ben is back.")


def test_a_clock_that_runs_out_hands_the_seat_to_a_bot(
    arrive: Arrive, hurried_server: Server
) -> None:
    ana, ben = arrive("Ana", hurried_server, size=PHONE, touch=True), arrive("Ben", hurried_server)
    ana.sets_up(seats=2, first=2, clock="5 minutes each, 10 seconds more per decision")
    ben.joins(ana.link_here())
    ana.begins()
    assert ben.waits_for_turn().actions
    expect(ana.page.get_by_role("timer")).to_be_visible()  # whose time runs, on a phone
    expect(ben.part("seats").locator(".clock")).to_have_count(2)
    ben.is_asked("A bot is playing for you.")  # five minutes, that is seconds, later
    ben.is_told("The time of Ben is up.")
    assert ana.waits_for_turn().actions
    ben.button("Take my seat back").click()
    expect(ben.button("Take my seat back")).to_have_count(0)


def test_a_clock_by_days_gives_its_time_to_each_decision(arrive: Arrive, tmp_path: Path) -> None:
    """On a server whose days last four seconds, or so it seems to those who wait."""
    with serving(tmp_path, Difference(hurry=20_000)) as server:
        ana, luc = arrive("Ana", server), arrive("Luc", server, language="fr-FR")
        ana.sets_up(seats=2, first=1, clock="three days for each decision")
        luc.joins(ana.link_here())
        ana.begins()
        expect(ana.part("seats").locator(".clock").first).to_have_text(
            re.compile("^[23] days left$")
        )
        expect(luc.part("seats").locator(".clock").last).to_have_text("encore 3 jours")
        ana.is_asked("A bot is playing for you.")  # some thirteen seconds later
        luc.is_told("Ana n’a plus de temps.")
        assert luc.waits_for_turn().actions


def test_the_host_frees_the_seat_of_who_has_gone_and_somebody_else_goes_on(
    arrive: Arrive, hurried_server: Server
) -> None:
    ana, ben = arrive("Ana", hurried_server), arrive("Ben", hurried_server)
    ana.sets_up(seats=2, first=1)
    ben.joins(ana.link_here())
    ana.begins()
    ben.sees_board()
    cleo = arrive("Cleo", hurried_server, size=PHONE, touch=True)
    ana.opens("settings")
    seat_of_ben = ana.part("sheet").get_by_role("button", name="Free the seat of Ben")
    expect(ana.button("Close the table")).to_be_visible()
    expect(seat_of_ben).to_have_count(0)  # who is here keeps their seat
    ben.goes_home()

    def is_offered() -> bool:
        ana.page.reload()
        ana.sees_board()
        ana.opens("settings")
        expect(ana.button("Close the table")).to_be_visible()
        return seat_of_ben.count() > 0

    ana.wait_until(is_offered)  # two minutes later, or so it seems
    seat_of_ben.click()
    ana.is_sure("Free this seat")
    free = "Seat 2 is free."
    ana.is_told_last(free)
    play_until(lambda: any("Seat 2" in line for line in ana.log_since(free)), ana)

    link = ana.page.get_by_label("A seat is free: the link for whoever takes it").input_value()
    assert link.rsplit("/", 1)[-1] == ana.link_here().rsplit("/", 1)[-1]
    cleo.goes_to(ana.link_here())
    cleo.sees_board()
    cleo.button("Sit down").click()
    form = cleo.part("join")
    expect(form).to_be_visible()
    must_be_accessible(cleo, "taking a free seat")
    form.get_by_role("textbox").fill("Ana")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_have_text("Somebody at this table has that name already.")
    form.get_by_role("textbox").fill("Cleo")
    form.get_by_role("button").click()
    cleo.is_asked("The others are being asked.")
    assert cleo.look().actions == ()
    ana.is_asked("Cleo would like to sit down in seat 2 and will then see its hand.")
    must_be_accessible(ana, "somebody who would like to sit down")
    ana.button("Agree").click()
    expect(ana.part("seats")).to_contain_text("Cleo")
    expect(cleo.button("Sit down")).to_have_count(0)
    play_until(lambda: bool(cleo.look().actions), ana)
    cleo.decides()


def test_a_closed_table_gives_its_record_away(arrive: Arrive, tmp_path: Path) -> None:
    ana, ben = sit_together(arrive)
    ana.decides()
    ana.opens("settings")
    ana.part("sheet").get_by_role("button", name="Close the table").click()
    ana.is_sure("Close the table")
    ana.is_asked("The others are being asked.")
    assert ben.look().actions == ()
    ben.is_asked("Ana would like to end the game and close the table.")
    ben.button("No").click()
    ana.is_told_last("Ben does not agree.")
    ana.opens("settings")
    ana.part("sheet").get_by_role("button", name="Close the table").click()
    ana.is_sure("Close the table")
    ben.button("Agree").click()
    for person in (ana, ben):
        expect(person.part("line")).to_have_text("This table is closed.")
        assert person.look().actions == ()
    with ben.page.expect_download() as download:
        ben.part("choices").get_by_role("link", name="Download the record").click()
    kept = tmp_path / "record.txt"
    download.value.save_as(kept)
    assert archipel(["verify", str(kept)]) == 0
    ben.goes_home()
    expect(ben.page.get_by_role("link", name="Look")).to_be_visible()


def test_the_host_closes_a_table_before_the_game(arrive: Arrive) -> None:
    ana, ben = arrive("Ana"), arrive("Ben", language="fr-FR")
    ana.sets_up(seats=3)
    ben.joins(ana.link_for_everyone())
    ana.button("Close the table").click()
    ana.is_sure("Close the table")
    expect(ana.page.get_by_role("main")).to_contain_text("This table is closed.")
    expect(ben.page.get_by_role("main")).to_contain_text("Cette table est fermée.")
    must_be_accessible(ben, "a table that was closed before its game")
    ana.page.get_by_role("main").get_by_role("link", name="To the home page").click()
    expect(ana.game).to_be_visible()


def test_an_invitation_opens_one_seat_once(arrive: Arrive) -> None:
    ana, ben = arrive("Ana"), arrive("Ben")
    luc = arrive("Luc", language="fr-FR")
    ana.sets_up(seats=3)
    invitation = ana.link_for_seat(3)
    ben.joins(invitation)
    assert "#" not in ben.page.url  # used up, and nothing to hand on by mistake
    expect(ana.page.get_by_label("Link for seat 3")).to_have_count(0)
    expect(ana.page.locator("ol > li").nth(2)).to_contain_text("Ben")

    luc.goes_to(invitation)
    form = luc.part("join")
    form.get_by_role("textbox").fill("Luc")
    form.get_by_role("button").click()
    expect(form.get_by_role("alert")).to_have_text(
        "Cette invitation n’est pas valable, ou ne l’est plus."
    )

    ben.button("Leave the seat").click()
    expect(ben.part("join")).to_be_visible()
    expect(ana.page.get_by_text("Ben")).to_have_count(0)


def test_a_lost_answer_makes_no_second_table(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.goes_home()
    made: list[str] = []

    def lose(route: Route) -> None:
        """The server does as it is asked, and nobody hears of it."""
        made.append(route.fetch().json()["table"])
        route.abort()

    ana.page.route("**/api/tables", lose)
    ana.game.get_by_test_id("with-friends").click()
    ana.part("make-table").click()
    expect(ana.part("dialog").get_by_role("alert")).to_contain_text("The server does not answer")
    ana.page.unroute("**/api/tables")
    ana.part("make-table").click()
    expect(ana.part("begin")).to_be_visible()
    assert made == [ana.table]


def test_links_for_others_lead_to_where_others_reach_the_server(
    arrive: Arrive, hurried_server: Server
) -> None:
    ana = arrive("Ana", hurried_server)
    ana.home = f"http://localhost:{hurried_server.port}"
    ana.sets_up(seats=3)
    shared = f"http://192.0.2.7:8000/t/{ana.table}"
    expect(ana.page.get_by_label("One link for everyone")).to_have_value(shared)
    for_seat = re.compile(f"^{re.escape(shared)}#seat=")
    expect(ana.page.get_by_label("Link for seat 2")).to_have_value(for_seat)


def test_nobody_hears_or_is_told_anything_unasked(arrive: Arrive) -> None:
    ana = arrive("Ana", speed="fast")
    ana.page.add_init_script(
        """window.sounds = 0; window.asked = 0;
        const Real = AudioContext;
        window.AudioContext = class extends Real { constructor() { super(); window.sounds += 1; } };
        Notification.requestPermission = async () => { window.asked += 1; return "denied"; };"""
    )
    ana.plays_now()
    ana.decides()
    ana.waits_for_turn()
    assert ana.page.evaluate("[window.sounds, window.asked]") == [0, 0]
    ana.opens("settings")
    ana.page.get_by_label("Sounds").check()
    ana.wait_until(lambda: bool(ana.page.evaluate("window.sounds === 1")))
    ana.page.get_by_label("Tell me when it is my turn").click()
    expect(ana.page.get_by_text("The browser does not allow it.")).to_be_visible()
    assert ana.page.evaluate("window.asked") == 1
