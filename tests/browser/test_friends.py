"""Tables on a player's own device: guests connect by WebRTC, on loopback.

The pages are those of a server, told to meet as those of a static site do; guests cannot reach the
server, so all they get comes from the host's page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from tests.browser.conftest import NewUser
from tests.browser.server import run_server
from tests.browser.server_process import ServerOptions
from tests.browser.user_page import SMALL_PHONE, UserPage, play_until_over, wait_until

pytestmark = pytest.mark.browser

#: Gives the page the settings that `archipel site build` writes.
_MEET = """new MutationObserver((_, observer) => {
  if (!document.documentElement) return;
  document.documentElement.dataset.meeting = %s;
  observer.disconnect();
}).observe(document, { childList: true });"""


def meet(user: UserPage, settings: object = None) -> UserPage:
    user.page.add_init_script(_MEET % json.dumps(json.dumps(settings or {})))
    return user


def without_server(user: UserPage) -> list[str]:
    """Keep a guest from the server's tables; returns the requests for them."""
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.abort()

    user.page.route("**/api/tables/**", refuse)

    def close(socket: WebSocketRoute) -> None:
        refused.append(socket.url)
        socket.close()

    user.page.route_web_socket("**/api/tables/**", close)
    return refused


def invite(host: UserPage) -> str:
    host.by_test_id("invite-friend").click()
    return host.page.get_by_label("Send this link to your friend").input_value()


def answer_of(guest: UserPage) -> str:
    return guest.page.get_by_label("Send this answer to your friend").input_value()


def sit_down(guest: UserPage) -> None:
    expect(guest.by_test_id("invitation")).to_be_visible()
    guest.page.get_by_label("Your name").fill(guest.name)
    guest.button("Sit down").click()
    expect(guest.by_test_id("join")).to_have_count(0)


def begin(host: UserPage, guest: UserPage) -> None:
    expect(host.page.get_by_text(guest.name).first).to_be_visible()
    host.by_test_id("begin").click()
    for user in (host, guest):
        user.expect_board()


def start(new_user: NewUser, game: str = "deep-sea") -> tuple[UserPage, UserPage, list[str]]:
    """A game of two, connected by two links."""
    ana = meet(new_user("Ana"))
    ben = meet(new_user("Ben", size=SMALL_PHONE))
    refused = without_server(ben)
    ana.set_up_table(game=game)
    ben.open(invite(ana))
    ana.by_test_id("answer").fill(answer_of(ben))
    sit_down(ben)
    begin(ana, ben)
    return ana, ben, refused


def take_turns(count: int, *users: UserPage) -> None:
    """Play some decisions, unless the game ends."""
    for _ in range(count):

        def mover() -> UserPage | None:
            return next((user for user in users if user.table_state().actions), None)

        wait_until(
            lambda: mover() is not None or any(user.table_state().over for user in users),
            users[0].page,
            seconds=60,
        )
        found = mover()
        if found is not None:
            found.decide()


@contextmanager
def asleep(user: UserPage) -> Iterator[None]:
    """Stop the scripts of a page, as when its tab sleeps."""
    devtools = user.context.new_cdp_session(user.page)
    devtools.send("Debugger.enable")
    devtools.send("Debugger.pause")
    yield
    devtools.send("Debugger.disable")


def close_dialog(user: UserPage) -> None:
    """Wait for the table after a reload, and close what tells about the time away."""
    user.wait_until(lambda: user.table_state().n > 0)
    wait_until(lambda: not user.table_state().showing, user.page)
    if user.by_test_id("meanwhile").count():
        user.by_test_id("meanwhile").get_by_role("button", name="Close").last.click()


def expect_same_event(*users: UserPage) -> None:
    wait_until(lambda: len({user.table_state().n for user in users}) == 1, users[0].page)


def test_a_game_over_a_data_channel_with_a_reload_of_each_page(new_user: NewUser) -> None:
    ana, ben, refused = start(new_user)
    for user in (ben, ana):
        take_turns(3, ana, ben)
        user.page.reload()
        close_dialog(user)
        take_turns(2, ana, ben)
        expect_same_event(ana, ben)
    play_until_over(ana, ben)
    results = [[line.replace(", you", "") for line in user.result_lines()] for user in (ana, ben)]
    assert results[0] == results[1]
    assert refused == []


def test_one_tab_of_the_host_has_the_guests_and_another_takes_over(new_user: NewUser) -> None:
    ana, ben, refused = start(new_user)
    take_turns(2, ana, ben)
    first, second = ana.page, ana.context.new_page()
    second.add_init_script(_MEET % json.dumps("{}"))
    second.goto(first.url)
    expect(second.get_by_test_id("other-tab")).to_be_visible()
    first.close()
    ana.page = second
    expect(ana.by_test_id("invite-friends")).to_have_attribute("data-connected", "1")
    take_turns(2, ana, ben)
    # Without any page of the host the guest waits.
    address = second.url
    second.close()
    ben.wait_until(lambda: ben.by_test_id("offline").count() > 0, seconds=90)
    expect(ben.by_test_id("offline")).to_contain_text("The game waits")
    ana.page = ana.context.new_page()
    ana.page.add_init_script(_MEET % json.dumps("{}"))
    ana.page.goto(address)
    close_dialog(ana)
    expect(ben.by_test_id("offline")).to_have_count(0, timeout=60_000)
    take_turns(2, ana, ben)
    expect_same_event(ana, ben)
    assert refused == []


def test_an_answer_opened_on_the_host_device_reaches_the_table(new_user: NewUser) -> None:
    ana = meet(new_user("Ana"))
    ben = meet(new_user("Ben", language="fr-FR"))
    refused = without_server(ben)
    ana.set_up_table()
    ben.open(invite(ana))
    answer = ben.page.get_by_label("Envoyez cette réponse à votre ami").input_value()
    page = ana.context.new_page()
    page.goto(answer)
    expect(page.get_by_test_id("handed-over")).to_contain_text("Done.")
    expect(ben.by_test_id("invitation")).to_be_visible()
    expect(ana.by_test_id("friends-connected")).to_contain_text("1 friend")
    # The answer of one invitation is taken once, and only by the table it belongs to.
    page.reload()
    expect(page.get_by_test_id("handed-over")).to_contain_text("No page in this browser")
    ana.by_test_id("invite-friend").click()
    ana.by_test_id("answer").fill(answer)
    ana.by_test_id("take-answer").click()
    expect(ana.by_test_id("invite-friends")).to_contain_text("not an answer")
    ben.open(answer.partition("#")[0] + "#offer=AAAAAAAA.AAAA")
    ben.page.reload()
    expect(ben.by_test_id("bad-link")).to_be_visible()
    assert refused == []


def test_friends_meet_through_a_rendezvous(new_user: NewUser, tmp_path: Path) -> None:
    with run_server(tmp_path, ServerOptions(rendezvous=True)) as signalling:
        settings = {"signalling": signalling.address}
        ana = meet(new_user("Ana", bypass_csp=True), settings)
        ben = meet(new_user("Ben", bypass_csp=True), settings)
        refused = without_server(ben)
        ana.set_up_table()
        expect(ana.page.get_by_label("One link for everyone")).to_be_visible()
        link = ana.shared_link()
        ben.open(link)
        sit_down(ben)
        begin(ana, ben)
        take_turns(2, ana, ben)
        # Both pages are gone at once: no door is left, but the room is.
        ben.open(ben.home)
        ana.page.reload()
        close_dialog(ana)
        ben.open(link.partition("#")[0])
        close_dialog(ben)
        take_turns(4, ana, ben)
        expect_same_event(ana, ben)
        assert refused == []
        sent = [frame for user in (ana, ben) for frame in user.sent if '"sealed"' in frame]
        assert sent
        assert not any("candidate" in frame or "ufrag" in frame for frame in sent)
