"""A plug-in game in the browser: a board of cells, its sentences, and the text board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.server import Server, run_server
from tests.plugins.site import build_example

pytestmark = pytest.mark.browser


@pytest.fixture
def server_with_low_tide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PYTHONPATH", str(build_example(tmp_path)))
    with run_server(tmp_path) as running:
        yield running


def test_a_plugin_game(server_with_low_tide: Server, new_user: NewUser) -> None:
    ana = new_user("Ana", server_with_low_tide)
    ana.open_home()
    card = ana.by_test_id("game-low-tide")
    expect(card).to_contain_text("Low Tide")
    expect(card).to_contain_text("the tide comes in")
    card.get_by_test_id("play-now").click()
    ana.expect_board()
    expect(ana.by_test_id("board")).to_contain_text("Spot 8")
    expect(ana.by_test_id("line")).to_contain_text("Look at a shell, or take one?")
    ana.page.locator('[data-target="shell8"]').first.click()
    ana.by_test_id("several").get_by_role("button", name="Look at shell 8").click()
    ana.expect_log("For your eyes only: shell 8 is worth")
    ana.open_tab("text")
    expect(ana.by_test_id("text-board")).to_contain_text("Spot 1")
    moves = ana.page.locator("#moves option")
    while not ana.table_state().over:
        ana.wait_until(lambda: ana.table_state().over or moves.count() > 0)
        if not ana.table_state().over:
            ana.type_any_move()
    expect(ana.by_test_id("result")).to_be_visible()
