"""The server dies and comes back, the network goes away: nobody loses anything, nobody reloads."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from archipel.tables.administration import back_up, restore
from tests.browser.conftest import Arrive
from tests.browser.people import Look, Person, play_until, play_until_over
from tests.browser.serving import Server
from tests.browser.test_playing import sit_together

pytestmark = pytest.mark.browser

MARK = "window.neverReloaded = true"
MARKED = "window.neverReloaded === true"
#: The next update does not begin where the last one ended, as if one were lost in between.
MISSES_ONE = """() => {
  const parse = JSON.parse;
  JSON.parse = (text) => {
    const message = parse(text);
    if (message.type !== "update") return message;
    JSON.parse = parse;
    return { ...message, base: message.base - 1 };
  };
}"""
#: Whether every style sheet is there; one that did not come cannot be read.
STYLED = "[...document.styleSheets].every((sheet) => sheet.cssRules.length > 0)"
#: Until a part of the page is there, and has been put to use.
ARRIVED = "(part) => import(part).then(() => new Promise(requestAnimationFrame))"
#: Nothing may be chosen by mistake while the page still fetches what it is to show.
CHOICES_RIGHT_AFTER_SHOW_ME = """async () => {
  document.querySelector('[data-testid="meanwhile"] .button.main').click();
  await new Promise((resolve) => setTimeout(resolve));
  return document.querySelectorAll('[data-testid="choices"] [data-action]:enabled').length;
}"""


def in_step(*people: Person) -> bool:
    """Whether all see the same event as the last one, and nothing is still being shown."""
    looks = [person.look() for person in people]
    return len({look.n for look in looks}) == 1 and not any(look.showing for look in looks)


def test_the_server_is_killed_in_the_middle_of_a_game(arrive: Arrive, own_server: Server) -> None:
    ana, ben = sit_together(arrive, own_server)
    for person in (ana, ben):
        person.page.evaluate(MARK)
    for _ in range(3):
        play_until(lambda: "dive" in ana.look().actions, ana, ben)
        before = ana.look().n
        # The move and the end of the server at once: it is kept or sent again, never lost.
        ana.page.keyboard.press("1")
        own_server.kill()
        for person in (ana, ben):
            expect(person.part("offline")).to_be_visible()
        own_server.start()
        for person in (ana, ben):
            expect(person.part("offline")).to_have_count(0)
        ana.waits_for_news(before)
        ana.wait_until(lambda: in_step(ana, ben))
        assert ana.look().n == before + 1
    play_until_over(ana, ben)
    assert ana.page.evaluate(MARKED)
    assert ben.page.evaluate(MARKED)


def what_ana_did(person: Person) -> list[str]:
    """As the log tells it."""
    return [line for line in person.log() if line.startswith("Ana")]


def test_a_phone_without_network_catches_up(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ben.page.evaluate(MARK)
    ben.context.set_offline(True)
    expect(ben.part("offline")).to_be_visible()
    ana.decides()
    ana.decides()
    assert ben.look().n < ana.look().n

    ben.context.set_offline(False)
    ben.wait_until(lambda: in_step(ana, ben))
    expect(ben.part("offline")).to_have_count(0)
    assert ben.page.evaluate(MARKED)
    assert "dive" in ben.waits_for_turn().actions
    ben.wait_until(lambda: what_ana_did(ben) == what_ana_did(ana))
    play_until_over(ana, ben)


def test_who_missed_something_asks_for_the_whole(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ben.page.evaluate(MARK)
    ben.page.evaluate(MISSES_ONE)
    welcomed = len(ben.messages("welcome"))
    ana.decides()
    ben.wait_until(lambda: len(ben.messages("welcome")) == welcomed + 1)
    ben.wait_until(lambda: in_step(ana, ben))
    ana.decides()
    ben.wait_until(lambda: in_step(ana, ben))
    assert len(ben.messages("welcome")) == welcomed + 1
    ben.wait_until(lambda: what_ana_did(ben) == what_ana_did(ana))
    assert ben.page.evaluate(MARKED)


def test_who_comes_back_is_told_what_happened_meanwhile(arrive: Arrive) -> None:
    ana, ben = sit_together(arrive)
    ben.goes_home()
    ana.decides()
    ana.decides()
    told = what_ana_did(ana)[-3:]

    ben.page.get_by_role("link", name="Go on").click()
    meanwhile = ben.part("meanwhile")
    expect(meanwhile).to_contain_text("This happened while you were away:")
    expect(meanwhile.locator("li").last).to_have_text(told[-1])
    assert meanwhile.locator("li").all_inner_texts()[-3:] == told
    assert ben.page.evaluate(CHOICES_RIGHT_AFTER_SHOW_ME) == 0
    expect(meanwhile).to_have_count(0)
    assert "dive" in ben.waits_for_turn().actions


def test_a_backup_is_put_in_place_while_people_play(
    arrive: Arrive, own_server: Server, tmp_path: Path
) -> None:
    """Everybody goes back to that moment, is told so, and plays on from there."""
    ana, ben = sit_together(arrive, own_server)
    ana.decides()
    then = ana.look().n
    back_up(own_server.database, tmp_path / "backup.db")
    ana.decides()
    assert ben.waits_for_turn().n > then
    own_server.kill()
    restore(tmp_path / "backup.db", own_server.database, force=True)
    own_server.start()
    for person in (ana, ben):
        expect(person.page.get_by_role("alert")).to_contain_text(
            "The host has put a backup in place"
        )
    ana.wait_until(lambda: ana.look().n == ben.look().n == then)
    assert not ben.look().actions
    assert what_ana_did(ben) == what_ana_did(ana)
    ana.decides()
    ben.decides()
    ben.page.reload()
    play_until_over(ana, ben)


def test_the_page_opens_without_a_network_and_says_so(arrive: Arrive, own_server: Server) -> None:
    """Somebody comes back to the home page while the server is away, and then it is there again."""
    ana = arrive("Ana", own_server)
    ana.goes_home()
    ana.game.get_by_test_id("with-friends").click()
    own_server.kill()
    ana.part("make-table").click()
    expect(ana.part("dialog").get_by_role("alert")).to_contain_text("The server does not answer")
    own_server.start()
    ana.part("make-table").click()
    expect(ana.part("begin")).to_be_visible()


def test_a_part_of_the_page_that_does_not_come_is_fetched_again(arrive: Arrive) -> None:
    """The network goes away between the page and one of its parts; the rest goes on meanwhile."""
    ana = arrive("Ana")
    ana.goes_home()
    ana.page.route("**/assets/*", lambda route: route.abort())
    ana.game.get_by_test_id("with-friends").click()
    expect(ana.part("trouble")).to_contain_text("has not arrived yet")
    expect(ana.part("make-table")).to_be_visible()
    ana.page.unroute("**/assets/*")
    expect(ana.part("trouble")).to_have_count(0)
    ana.part("make-table").click()
    expect(ana.part("begin")).to_be_visible()


def test_what_a_part_of_the_page_looks_like_is_fetched_again_too(arrive: Arrive) -> None:
    """A page that has its words but not its style is one that nobody can use."""
    ana = arrive("Ana")
    ana.goes_home()
    ana.page.route("**/assets/About-*.css", lambda route: route.abort())
    ana.game.get_by_test_id("what-is-it").click()
    expect(ana.part("trouble")).to_contain_text("has not arrived yet")
    ana.page.unroute("**/assets/About-*.css")
    expect(ana.part("about")).to_be_visible()
    expect(ana.part("trouble")).to_have_count(0)
    assert ana.page.evaluate(STYLED)


def press_too_early(ana: Person) -> tuple[Look, Route]:
    """A number, before what the keys do has come; how things stand, and what is still to come."""
    held: list[Route] = []
    ana.page.route("**/assets/keys-*", lambda route: held.append(route))
    ana.plays_now()
    seen = ana.waits_for_turn()
    ana.wait_until(lambda: len(held) > 0)
    ana.page.keyboard.press("1")
    return seen, held[0]


def test_a_key_pressed_before_the_page_knows_its_keys_counts(arrive: Arrive) -> None:
    ana = arrive("Ana")
    seen, keys = press_too_early(ana)
    keys.continue_()
    ana.waits_for_news(seen.n)


def test_a_key_pressed_for_what_is_gone_does_not_count(arrive: Arrive) -> None:
    """The button was quicker; the number would now choose something else."""
    ana = arrive("Ana")
    seen, keys = press_too_early(ana)
    ana.chooses(seen.actions[0])
    now = ana.waits_for_turn()
    assert now.n > seen.n
    keys.continue_()
    ana.page.evaluate(ARRIVED, keys.request.url)
    assert ana.look() == now
    expect(ana.part("choices").locator(".warm")).to_have_count(0)


def test_what_nobody_thought_of_is_told(arrive: Arrive) -> None:
    ana = arrive("Ana")
    ana.goes_home()
    ana.page.evaluate("void Promise.reject(new Error('nobody thought of it'))")
    expect(ana.part("trouble")).to_contain_text("Something on this page went wrong")
    assert any("nobody thought of it" in complaint for complaint in ana.complaints)
    ana.complaints.clear()
