"""A static site in a folder of Python's plain file server: tables in the browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route, expect

from archipel.cli import main
from archipel.rules.kit.core.loading import can_compile
from archipel.site.offline import write_service_worker
from archipel.store.table_file import read_table_file
from tests.browser.static_site import FOLDER, Host, foreign_requests, running_host
from tests.browser.test_lessons import first_dive, start_lesson
from tests.browser.user_page import PHONE, Device, UserPage, open_user_page, play_until_over

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not can_compile(), reason="Numba makes the engines"),
]


@pytest.fixture
def site(site_host: Host) -> str:
    """The address of the site."""
    return site_host.address


@pytest.fixture
def visitor(chromium: Browser, site: str) -> Iterator[UserPage]:
    """A visitor of the site; fails if a page or the tables report an error, or if a page asks
    another origin."""
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE, touch=True))
    foreign = foreign_requests(user, site)
    failed: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.text.startswith("a request failed"):  # of Python's log
            failed.append(message.text)

    user.context.on("console", hear)
    yield user
    user.context.close()
    assert not failed
    assert not foreign
    assert not user.errors


def authorities(page: Page) -> int:
    """How many workers of the page have the tables."""
    return sum("authority_worker" in worker.url for worker in page.workers)


#: The worker may not open a database, as in some private windows.
NO_STORAGE = """Object.defineProperty(self, "indexedDB", {
  value: { open() { throw new DOMException("denied", "SecurityError"); } },
});"""
#: Writes fail as soon as a page says so.
FULL_STORAGE = """new BroadcastChannel("full").onmessage = () => {
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
};"""


RECORD = Path(__file__).parents[1] / "rules" / "deep_sea" / "records" / "two-divers.txt"
#: Sends a file to the share target, as a form does, and goes where the answer leads.
SHARE = """async (text) => {
  const form = new FormData();
  form.append("record", new File([text], "game.txt", { type: "text/plain" }));
  const answer = await fetch("share", { method: "POST", body: form });
  location.assign(answer.url);
}"""


def change_worker(user: UserPage, script: str) -> None:
    """Run a script in the worker of the tables before its own."""

    def answer(route: Route) -> None:
        own = route.fetch()
        route.fulfill(response=own, body=script + own.text())

    user.context.route("**/authority_worker-*.js", answer)


def test_a_game_against_a_bot_is_played_to_its_end_in_the_browser(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    play_until_over(visitor)
    visitor.expect_result()


def test_a_reload_keeps_every_acknowledged_move(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    for _ in range(2):
        visitor.wait_for_turn()
        visitor.decide()
        before = visitor.wait_for_turn()
        visitor.page.reload()
        visitor.expect_board()
        assert visitor.wait_for_turn() == before


def test_a_second_tab_plays_through_the_first_and_then_takes_over(visitor: UserPage) -> None:
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    first, second = visitor.page, visitor.context.new_page()
    second.goto(first.url)
    expect(second.get_by_test_id("board")).to_be_visible()
    visitor.page = second
    assert visitor.wait_for_turn().actions
    assert (authorities(first), authorities(second)) == (1, 0)
    visitor.decide()
    n = visitor.wait_for_turn().n
    visitor.page = first
    visitor.wait_until(lambda: visitor.table_state().n == n)
    visitor.page = second
    first.close()
    visitor.wait_until(lambda: authorities(second) == 1)
    visitor.decide()
    assert visitor.wait_for_turn().n > n


def test_full_storage_is_reported_and_no_acknowledged_move_is_lost(visitor: UserPage) -> None:
    change_worker(visitor, FULL_STORAGE)
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    before = visitor.wait_for_turn()
    visitor.page.evaluate("new BroadcastChannel('full').postMessage(true)")
    visitor.page.keyboard.press("1")
    expect(visitor.by_test_id("site-failure")).to_contain_text("storage is full")
    visitor.page.reload()
    visitor.expect_board()
    assert visitor.wait_for_turn() == before
    assert any("no tables: full" in error for error in visitor.errors)
    visitor.errors.clear()


@pytest.mark.parametrize(
    ("language", "text"), [("en", "does not let the page store"), ("fr", "ne permet pas")]
)
def test_a_browser_without_storage_is_told_so(
    chromium: Browser, site: str, language: str, text: str
) -> None:
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE, language=language))
    change_worker(user, NO_STORAGE)
    user.page.goto(site)
    expect(user.by_test_id("site-failure")).to_contain_text(text)
    user.context.close()


def test_the_page_shows_that_the_runtime_loads(visitor: UserPage) -> None:
    held: list[Route] = []
    visitor.context.route("**/archipel.zip.gz", lambda route: held.append(route))
    visitor.page.goto(visitor.home)
    progress = visitor.page.get_by_role("progressbar", name="The games are loading")
    expect(progress).to_be_visible()
    visitor.wait_until(lambda: bool(held) and float(progress.evaluate("each => each.value")) > 0.5)
    visitor.game_card.get_by_test_id("learn").tap()
    said = first_dive().steps[0].said["en"]
    expect(visitor.by_test_id("first-step")).to_contain_text(said)
    for route in held:
        route.continue_()
    expect(visitor.by_test_id("site-loading")).to_have_count(0)
    expect(visitor.by_test_id("said")).to_contain_text(said)


#: Bytes of the runtime. With the page they are a little under the 6 MB of a first visit.
MOST_OF_RUNTIME = 5_800_000


def test_the_runtime_has_only_what_tables_need(site_host: Host) -> None:
    files = [path for path in (site_host.folder / FOLDER / "python").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_OF_RUNTIME


def test_lessons_and_puzzles_start_before_the_bots_are_loaded(visitor: UserPage) -> None:
    visitor.context.route("**/*.wasm", lambda route: None)
    start_lesson(visitor, first_dive())
    visitor.open_home()
    visitor.by_test_id("solve-daily").tap()
    expect(visitor.by_test_id("puzzle")).to_have_attribute("data-state", "open")


#: Tells the page that nobody sees it, or somebody.
HIDE = """hidden => {
  const state = { configurable: true, get: () => hidden ? "hidden" : "visible" };
  Object.defineProperty(document, "visibilityState", state);
  document.dispatchEvent(new Event("visibilitychange"));
}"""
#: A battery that tests can empty.
BATTERY = """window.battery = Object.assign(new EventTarget(), { level: 0.5, charging: false });
navigator.getBattery = async () => battery;"""
EMPTY = "battery.level = 0.1; battery.dispatchEvent(new Event('levelchange'));"


def test_bots_rest_while_nobody_sees_the_page_or_the_battery_is_low(visitor: UserPage) -> None:
    visitor.context.add_init_script(BATTERY)
    visitor.set_up_table(seats=2, bots=[2])
    visitor.start_game()
    visitor.wait_for_turn()
    visitor.page.evaluate(HIDE, True)
    n = expect_rest(visitor)
    visitor.page.evaluate(HIDE, False)
    visitor.wait_for_event_after(n)
    visitor.wait_for_turn()
    visitor.page.evaluate(EMPTY)
    saving = visitor.by_test_id("site-saving")
    expect(saving).to_contain_text("The battery is low")
    n = expect_rest(visitor)
    saving.get_by_role("button", name="Let them play").tap()
    expect(saving).to_have_count(0)
    visitor.wait_for_event_after(n)


def expect_rest(user: UserPage) -> int:
    """Play until the bot has to decide, and see that it does not; returns the last event."""
    while True:
        user.wait_until(lambda: not user.table_state().showing)
        if not user.table_state().actions:
            break
        user.decide()
    user.page.wait_for_timeout(2_000)  # longer than a bot waits for people's sake
    before = user.table_state()
    user.page.wait_for_timeout(500)
    assert user.table_state() == before
    assert not before.actions
    return before.n


def test_nothing_goes_to_another_origin_unnoticed(chromium: Browser, site: str) -> None:
    """The policy stops pages, and the tests see what their workers ask for."""
    user = open_user_page(chromium, site, "Ana", Device(size=PHONE))
    foreign = foreign_requests(user, site)
    change_worker(user, "fetch('http://localhost:9/worker').catch(() => undefined);")
    user.open_home()
    user.wait_until(lambda: foreign == ["http://localhost:9/worker"])
    assert user.page.evaluate(FETCH) == "connect-src"
    user.context.close()


#: Asks another origin; the part of the policy that forbids it.
FETCH = """() => new Promise((resolve) => {
  document.onsecuritypolicyviolation = (event) => resolve(event.effectiveDirective);
  fetch("http://localhost:9/page").catch(() => undefined);
})"""


# ---- what the browser keeps ----------------------------------------------------------------------

#: A device that keeps the site for use without a network.
KEEPING = Device(size=PHONE, touch=True, service_workers="allow")


def keep_site(user: UserPage) -> None:
    """Open the home page, and wait until the site is kept."""
    user.open_home()
    expect(user.by_test_id("offline")).to_have_attribute("data-state", "ready", timeout=120_000)


def test_a_new_version_waits_until_the_visitor_restarts(
    chromium: Browser, site_host: Host, tmp_path: Path
) -> None:
    folder = shutil.copytree(site_host.folder, tmp_path / "host")
    with running_host(folder) as host:
        user = open_user_page(chromium, host.address, "Ana", KEEPING)
        keep_site(user)
        user.play_now()
        page = folder / FOLDER / "index.html"
        newer = page.read_text("utf-8").replace("<title>", '<meta name="newer" /><title>')
        page.write_text(newer, "utf-8")
        write_service_worker(folder / FOLDER)
        user.page.reload()
        update = user.by_test_id("site-update")
        expect(update).to_contain_text("new version")
        user.expect_board()
        assert user.page.locator("meta[name=newer]").count() == 0
        update.get_by_test_id("restart").tap()
        expect(user.page.locator("meta[name=newer]")).to_be_attached()
        user.expect_board()
        expect(update).to_have_count(0)
        assert not user.errors
        user.context.close()


def test_all_tables_go_to_a_file_to_a_server_and_back(
    chromium: Browser, site: str, tmp_path: Path
) -> None:
    """And everything that the site keeps can be removed."""
    user = open_user_page(chromium, site, "Ana", KEEPING)
    keep_site(user)
    user.play_now()
    user.wait_for_turn()
    user.decide()
    user.wait_for_turn()
    table, n = user.page.url, user.table_state().n
    storage = open_storage(user)
    expect(storage.get_by_test_id("storage-used")).to_contain_text("MB")
    with user.page.expect_download() as download:
        storage.get_by_test_id("export-tables").tap()
    file, database, back = (tmp_path / name for name in ("tables.archipel", "db", "back.archipel"))
    download.value.save_as(file)

    assert main(["import", str(file), "--database", str(database)]) == 0
    assert main(["export", str(back), "--database", str(database)]) == 0
    assert (
        read_table_file(back.read_bytes()).tables == read_table_file(file.read_bytes()).tables != []
    )

    storage.get_by_test_id("remove-storage").tap()
    with user.page.expect_navigation():
        storage.get_by_test_id("remove-really").tap()
    expect(user.game_card).to_be_visible()
    expect(user.by_test_id("my-table")).to_have_count(0)
    user.open(table)
    expect(user.by_test_id("board")).to_have_count(0)

    storage = open_storage(user)
    for loaded, message in ((back, "1 table was loaded."), (file, "1 already here")):
        storage.get_by_test_id("import-tables").set_input_files(loaded)
        expect(storage.get_by_test_id("storage-message")).to_contain_text(message)
    user.open(table)
    user.expect_board()
    assert user.wait_for_turn().n == n
    storage = open_storage(user)
    storage.get_by_test_id("import-tables").set_input_files(__file__)
    expect(storage.get_by_test_id("storage-message")).to_contain_text("no tables")
    # The tables said so when they were removed.
    assert user.errors == ["no tables: removed the database was closed"]
    user.context.close()


def open_storage(user: UserPage) -> Locator:
    """The storage in the settings of the home page."""
    user.open_home()
    user.button("Settings").tap()
    return user.by_test_id("storage")


def test_a_shared_record_is_opened(chromium: Browser, site: str) -> None:
    """As the installed app gets it from another app."""
    user = open_user_page(chromium, site, "Ana", KEEPING)
    keep_site(user)
    user.page.evaluate(SHARE, RECORD.read_text("utf-8"))
    user.page.wait_for_url(re.compile("record"))
    expect(user.by_test_id("replay-bar").or_(user.by_test_id("result")).first).to_be_visible()
    user.page.evaluate(SHARE, "a letter")
    expect(user.by_test_id("record-problem")).to_contain_text("not the record")
    user.context.close()
