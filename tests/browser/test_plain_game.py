"""A game of another package in the browser: a board of cells, its words, and the board as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.serving import Server, serving
from tests.plugins.site import build_example

pytestmark = pytest.mark.browser


@pytest.fixture
def server_with_low_tide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("PYTHONPATH", str(build_example(tmp_path)))
    with serving(tmp_path) as running:
        yield running


def test_a_game_of_another_package(server_with_low_tide: Server, arrive: Arrive) -> None:
    ana = arrive("Ana", server_with_low_tide)
    ana.goes_home()
    card = ana.part("game-low-tide")
    expect(card).to_contain_text("Low Tide")
    expect(card).to_contain_text("the tide comes in")
    card.get_by_test_id("play-now").click()
    ana.sees_board()
    expect(ana.part("board")).to_contain_text("Spot 8")
    expect(ana.part("line")).to_contain_text("Look at a shell, or take one?")
    ana.page.locator('[data-target="shell8"]').first.click()
    ana.part("several").get_by_role("button", name="Look at shell 8").click()
    ana.chooses("look 8")
    ana.is_told("For your eyes only: shell 8 is worth")
    ana.opens("text")
    expect(ana.part("text-board")).to_contain_text("Spot 1")
    moves = ana.page.locator("#moves option")
    while not ana.look().over:
        ana.wait_until(lambda: ana.look().over or moves.count() > 0)
        if not ana.look().over:
            ana.types_something()
    expect(ana.part("result")).to_be_visible()
