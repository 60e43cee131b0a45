"""Server crashes and network failures: nothing is lost, and no page must be reloaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from archipel.tables.administration import back_up, restore
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.test_playing import start_game_of_two
from tests.browser.user_page import TableState, UserPage, play_until, play_until_over

pytestmark = pytest.mark.browser

MARK = "window.neverReloaded = true"
MARKED = "window.neverReloaded === true"
#: Changes the base of the next update, as if an update had been lost.
SKIP_ONE_UPDATE = """() => {
  const parse = JSON.parse;
  JSON.parse = (text) => {
    const message = parse(text);
    if (message.type !== "update") return message;
    JSON.parse = parse;
    return { ...message, base: message.base - 1 };
  };
}"""
#: Waits until a module of the page has loaded and run.
MODULE_LOADED = "(part) => import(part).then(() => new Promise(requestAnimationFrame))"
#: Presses "Show me" and returns the number of enabled choices, while the page fetches the replay.
CHOICES_RIGHT_AFTER_SHOW_ME = """async () => {
  document.querySelector('[data-testid="meanwhile"] .button.main').click();
  await new Promise((resolve) => setTimeout(resolve));
  return document.querySelectorAll('[data-testid="choices"] [data-action]:enabled').length;
}"""


def are_synchronized(*users: UserPage) -> bool:
    """Whether all pages show the same last event and no animation runs."""
    looks = [user.table_state() for user in users]
    return len({look.n for look in looks}) == 1 and not any(look.showing for look in looks)


def test_the_server_is_killed_in_the_middle_of_a_game(
    new_user: NewUser, own_server: Server
) -> None:
    ana, ben = start_game_of_two(new_user, own_server)
    for user in (ana, ben):
        user.page.evaluate(MARK)
    for _ in range(3):
        play_until(lambda: "dive" in ana.table_state().actions, ana, ben)
        before = ana.table_state().n
        # Kill the server together with the move: the move is stored or sent again, never lost.
        ana.page.keyboard.press("1")
        own_server.kill()
        for user in (ana, ben):
            expect(user.by_test_id("offline")).to_be_visible()
        own_server.start()
        for user in (ana, ben):
            expect(user.by_test_id("offline")).to_have_count(0)
        ana.wait_for_event_after(before)
        ana.wait_until(lambda: are_synchronized(ana, ben))
        assert ana.table_state().n == before + 1
    play_until_over(ana, ben)
    assert ana.page.evaluate(MARKED)
    assert ben.page.evaluate(MARKED)


def log_lines_of_ana(user: UserPage) -> list[str]:
    """The lines of the log about Ana."""
    return [line for line in user.log_lines() if line.startswith("Ana")]


def test_a_phone_without_network_catches_up(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ben.page.evaluate(MARK)
    ben.context.set_offline(True)
    expect(ben.by_test_id("offline")).to_be_visible()
    ana.decide()
    ana.decide()
    assert ben.table_state().n < ana.table_state().n

    ben.context.set_offline(False)
    ben.wait_until(lambda: are_synchronized(ana, ben))
    expect(ben.by_test_id("offline")).to_have_count(0)
    assert ben.page.evaluate(MARKED)
    assert "dive" in ben.wait_for_turn().actions
    ben.wait_until(lambda: log_lines_of_ana(ben) == log_lines_of_ana(ana))
    play_until_over(ana, ben)


@pytest.mark.parametrize("language", ["en-GB", "fr-FR"])
@pytest.mark.promise("truth")
def test_the_page_finds_out_whether_a_move_was_saved(new_user: NewUser, language: str) -> None:
    """The server says that it does not know; the page says so and asks again by itself."""
    ana = new_user("Ana", language=language)
    doubting = False

    def meddle(socket: WebSocketRoute) -> None:
        """Replace the answers to moves."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            answer = json.loads(message)
            if doubting and answer["type"] == "done":
                problem = {"code": "unknown", "message": "perhaps", "rule": None}
                answer = {"type": "unknown", "id": answer["id"], "problem": problem}
            socket.send(json.dumps(answer))

        server.on_message(pass_on)

    ana.page.route_web_socket("**/socket", meddle)
    ana.play_now()
    ana.wait_for_turn()
    doubting = True
    before = ana.table_state().n
    ana.page.locator('[data-action="dive"]').click()
    unsure = {"en-GB": "It is not certain", "fr-FR": "On ne sait pas"}[language]
    expect(ana.by_test_id("unsure")).to_contain_text(unsure)
    doubting = False
    expect(ana.by_test_id("unsure")).to_have_count(0)
    ana.wait_for_event_after(before)
    ids = [frame["id"] for frame in map(json.loads, ana.sent) if frame["type"] == "play"]
    assert len(ids) > len(set(ids)) == 1, "asked again, with the same id"


@pytest.mark.promise("overload")
def test_a_page_keeps_what_it_shows_when_the_server_is_overloaded(new_user: NewUser) -> None:
    ana = new_user("Ana")
    overloaded = False

    def meddle(socket: WebSocketRoute) -> None:
        """Refuse moves as an overloaded server does."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            sent = json.loads(message)
            if overloaded and sent["type"] == "play":
                problem = {"code": "overloaded", "message": "later", "rule": None}
                refused = {"type": "refused", "id": sent["id"], "problem": problem}
                socket.send(json.dumps(refused))
            else:
                server.send(message)

        socket.on_message(pass_on)

    ana.page.route_web_socket("**/socket", meddle)
    ana.play_now()
    before = ana.wait_for_turn()
    overloaded = True
    ana.page.locator('[data-action="dive"]').click()
    said = ana.page.get_by_role("alert")
    expect(said).to_contain_text("Nothing has changed; try again")
    assert ana.table_state() == before
    overloaded = False
    said.get_by_role("button").click()
    ana.page.locator('[data-action="dive"]').click()
    ana.wait_for_event_after(before.n)


def test_after_a_lost_update_the_client_asks_for_a_complete_state(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ben.page.evaluate(MARK)
    ben.page.evaluate(SKIP_ONE_UPDATE)
    welcomed = len(ben.messages("welcome"))
    ana.decide()
    ben.wait_until(lambda: len(ben.messages("welcome")) == welcomed + 1)
    ben.wait_until(lambda: are_synchronized(ana, ben))
    ana.decide()
    ben.wait_until(lambda: are_synchronized(ana, ben))
    assert len(ben.messages("welcome")) == welcomed + 1
    ben.wait_until(lambda: log_lines_of_ana(ben) == log_lines_of_ana(ana))
    assert ben.page.evaluate(MARKED)


def test_returning_users_see_what_they_missed(new_user: NewUser) -> None:
    ana, ben = start_game_of_two(new_user)
    ben.open_home()
    ana.decide()
    ana.decide()
    shown = log_lines_of_ana(ana)[-3:]

    ben.page.get_by_role("link", name="Continue").click()
    meanwhile = ben.by_test_id("meanwhile")
    expect(meanwhile).to_contain_text("This happened while you were away:")
    expect(meanwhile.locator("li").last).to_have_text(shown[-1])
    assert meanwhile.locator("li").all_inner_texts()[-3:] == shown
    assert ben.page.evaluate(CHOICES_RIGHT_AFTER_SHOW_ME) == 0
    expect(meanwhile).to_have_count(0)
    assert "dive" in ben.wait_for_turn().actions


def test_a_backup_is_restored_during_a_game(
    new_user: NewUser, own_server: Server, tmp_path: Path
) -> None:
    """All users return to the restored position, see a notice, and play on from there."""
    ana, ben = start_game_of_two(new_user, own_server)
    ana.decide()
    then = ana.table_state().n
    back_up(own_server.database, tmp_path / "backup.db")
    ana.decide()
    assert ben.wait_for_turn().n > then
    own_server.kill()
    restore(tmp_path / "backup.db", own_server.database, force=True)
    own_server.start()
    for user in (ana, ben):
        expect(user.page.get_by_role("alert")).to_contain_text("The host has restored a backup")
    ana.wait_until(lambda: ana.table_state().n == ben.table_state().n == then)
    assert not ben.table_state().actions
    assert log_lines_of_ana(ben) == log_lines_of_ana(ana)
    ana.decide()
    ben.decide()
    ben.page.reload()
    play_until_over(ana, ben)


def test_the_dialog_reports_that_the_server_does_not_answer(
    new_user: NewUser, own_server: Server
) -> None:
    ana = new_user("Ana", own_server)
    ana.open_home()
    ana.game_card.get_by_test_id("with-friends").click()
    own_server.kill()
    ana.by_test_id("make-table").click()
    expect(ana.by_test_id("dialog").get_by_role("alert")).to_contain_text(
        "The server does not answer"
    )
    own_server.start()
    ana.by_test_id("make-table").click()
    expect(ana.by_test_id("begin")).to_be_visible()


def test_a_module_that_failed_to_load_is_fetched_again(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.open_home()
    ana.page.route("**/assets/*", lambda route: route.abort())
    ana.game_card.get_by_test_id("with-friends").click()
    expect(ana.by_test_id("trouble")).to_contain_text("could not be loaded")
    expect(ana.by_test_id("make-table")).to_be_visible()
    ana.page.unroute("**/assets/*")
    expect(ana.by_test_id("trouble")).to_have_count(0)
    ana.by_test_id("make-table").click()
    expect(ana.by_test_id("begin")).to_be_visible()


def press_before_keys_load(ana: UserPage) -> tuple[TableState, Route]:
    """Press a number key before the keyboard module has loaded; returns the state and the held
    request."""
    held: list[Route] = []
    ana.page.route("**/assets/keys-*", lambda route: held.append(route))
    ana.play_now()
    seen = ana.wait_for_turn()
    ana.wait_until(lambda: len(held) > 0)
    ana.page.keyboard.press("1")
    return seen, held[0]


def test_a_key_pressed_before_the_keyboard_module_loads_counts(new_user: NewUser) -> None:
    ana = new_user("Ana")
    seen, keys = press_before_keys_load(ana)
    keys.continue_()
    ana.wait_for_event_after(seen.n)


def test_an_early_key_for_an_old_position_does_not_count(new_user: NewUser) -> None:
    """The button was pressed meanwhile, so the number would choose something else."""
    ana = new_user("Ana")
    seen, keys = press_before_keys_load(ana)
    ana.choose(seen.actions[0])
    now = ana.wait_for_turn()
    assert now.n > seen.n
    keys.continue_()
    ana.page.evaluate(MODULE_LOADED, keys.request.url)
    assert ana.table_state() == now
    expect(ana.by_test_id("choices").locator(".warm")).to_have_count(0)


def test_unexpected_errors_are_reported(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.open_home()
    ana.page.evaluate("void Promise.reject(new Error('unexpected'))")
    expect(ana.by_test_id("trouble")).to_contain_text("Something on this page went wrong")
    assert any("unexpected" in error for error in ana.errors)
    ana.errors.clear()
