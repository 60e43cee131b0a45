"""After the game: the replay, and links to a moment of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from archipel.rules.kit.core.loading import can_compile
from tests.browser.axe import expect_accessible
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.user_page import SMALL_PHONE, UserPage, play_until, play_until_over
from tests.serve.people import make_table

pytestmark = pytest.mark.browser

DROP = """text => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], "game.txt", { type: "text/plain" }));
  const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  document.body.dispatchEvent(drop);
}"""


def board_in_words(user: UserPage) -> str:
    """The board as text, once its rows have been loaded."""
    user.open_tab("text")
    expect(user.by_test_id("text-board").get_by_role("row").nth(1)).to_be_visible()
    return without_secrets(user.by_test_id("text-board").inner_text())


def test_a_game_is_replayed_and_a_moment_is_shared(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.context.grant_permissions(["clipboard-write"])
    ana.play_now()
    play_until_over(ana)
    ana.result_lines()
    ana.by_test_id("replay").click()
    bar = ana.by_test_id("replay-bar")
    slider = bar.get_by_role("slider")
    expect(slider).to_have_value("0")
    expect(ana.by_test_id("line")).to_contain_text("The game begins")
    last = int(slider.get_attribute("max") or 0)
    expect_still_board(ana, slider, last)

    bar.get_by_role("button", name="One step forward").click()
    expect(slider).to_have_value("1")
    slider.fill(str(last // 2))
    expect(slider).to_have_attribute("aria-valuetext", f"Step {last // 2 + 1} of {last + 1}")
    ana.wait_until(lambda: "#" in ana.page.url)
    text = without_secrets(ana.status_line())
    board = board_in_words(ana)

    bar.get_by_role("button", name="Copy a link to this moment").click()
    expect(bar.get_by_text("Copied")).to_be_visible()
    link = ana.page.url  # the same link; a page may not read the clipboard
    assert re.search(r"/t/[\w-]+#\d+$", link)
    ben = new_user("Ben")
    ben.open(link)
    expect(ben.by_test_id("replay-bar").get_by_role("slider")).to_have_value(str(last // 2))
    expect(ben.by_test_id("line")).to_have_text(text)
    assert board_in_words(ben) == board

    bar.get_by_role("button", name="Go to the end").click()
    expect(slider).to_have_value(str(last))
    bar.get_by_role("button", name="Back to now").click()
    expect(bar).to_have_count(0)
    assert "#" not in ana.page.url


def test_a_downloaded_record_is_opened(new_user: NewUser, server: Server) -> None:
    made = make_table(
        server.address,
        seats=[{"bot": "greedy"}, {"bot": "random"}],
        my_seat=None,
        begin=True,
    )
    ana = new_user("Ana", size=SMALL_PHONE, touch=True)
    ana.open(f"{server.address}/t/{made['table']}")
    ana.expect_result()
    with ana.page.expect_download() as downloading:
        ana.page.get_by_role("link", name="Download the record").click()
    record = downloading.value.path().read_text("utf-8")
    scores = [line.split()[-1] for line in ana.result_lines()]

    # Another device, in French. Bad files are refused in plain words.
    luc = new_user("Luc", language="fr-FR", size=SMALL_PHONE, touch=True)
    luc.open_home()
    file, problem = luc.by_test_id("record-file"), luc.by_test_id("record-problem")

    def give(content: bytes) -> None:
        file.set_input_files({"name": "game.txt", "mimeType": "text/plain", "buffer": content})

    for content, refusal in (
        (b"\x89PNG\r\n\x1a\n", "Ce fichier n’est pas l’enregistrement d’une partie."),
        (b"x" * 500_000, "Ce fichier est trop gros"),
        (record.replace("end:", "end: 9").encode(), "les règles donnent"),
    ):
        give(content)
        expect(problem).to_contain_text(refusal)
    luc.errors.clear()  # the browser reports the status
    expect_accessible(luc, "a refused record")
    luc.page.evaluate(DROP, record)
    expect(luc.page).to_have_url(f"{server.address}/record")
    luc.expect_result()
    assert [line.split()[-1] for line in luc.result_lines()] == scores
    luc.by_test_id("replay").click()
    bar = luc.by_test_id("replay-bar")
    slider = bar.get_by_role("slider")
    expect(slider).to_have_value("0")
    last = int(slider.get_attribute("max") or 0)
    slider.fill(str(last // 2))
    expect(luc.by_test_id("line")).not_to_be_empty()
    expect(bar.get_by_role("button", name="Copier un lien vers ce moment")).to_have_count(0)
    middle = luc.status_line()
    luc.page.reload()  # the record stays in this tab, and so does the moment
    expect(slider).to_have_value(str(last // 2))
    expect(luc.by_test_id("line")).to_have_text(middle)
    if can_compile():
        bar.get_by_role("button", name="Analyser la partie").click()
        stage = luc.by_test_id("analysis-stage")
        expect(stage).to_have_attribute("data-stage", re.compile("measuring|done"))
        expect(luc.by_test_id("chances").locator("polyline").first).to_be_attached()
        luc.by_test_id("analysis").get_by_role("button", name="Fermer").click()
    luc.by_test_id("what-if").click()
    luc.by_test_id("alone").click()
    expect(luc.page).to_have_url(re.compile("/t/"))
    luc.expect_board()

    # A tab without the record says so.
    eva = new_user("Eva")
    eva.open(f"{server.address}/record")
    expect(eva.page.get_by_text("This page no longer has the record.")).to_be_visible()


def expect_still_board(user: UserPage, slider: Locator, last: int) -> None:
    """On a phone, the board keeps its place and size from moment to moment."""
    before = user.page.viewport_size
    user.page.set_viewport_size({"width": SMALL_PHONE[0], "height": SMALL_PHONE[1]})
    boxes = []
    for moment in (1, last // 3, last // 2, last, 0):
        slider.fill(str(moment))
        expect(slider).to_have_attribute("aria-valuetext", f"Step {moment + 1} of {last + 1}")
        boxes.append(user.by_test_id("board").bounding_box())
    assert all(box == boxes[0] for box in boxes), boxes
    if before is not None:
        user.page.set_viewport_size(before)


def without_secrets(text: str) -> str:
    """Remove the secrets that only Ana saw."""
    return re.sub(r", worth \d+| For your eyes only: .*", "", text)


def test_a_line_of_the_log_shows_its_position(new_user: NewUser) -> None:
    ana = new_user("Ana")
    ana.play_now()
    play_until(lambda: len(ana.log_lines()) > 14, ana)
    line = ana.by_test_id("log").get_by_role("button").first
    text = line.inner_text().split("\n")
    line.click()
    expect(line).to_have_attribute("aria-current", "step")
    expect(ana.by_test_id("line")).to_have_text(" ".join(text))
    assert ana.table_state().actions == ()
    ana.button("Back to now").click()
    ana.wait_for_turn()
