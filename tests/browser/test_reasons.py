"""After the game: the candidates that a bot considered."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewUser
from tests.browser.server import Server, run_server
from tests.browser.server_process import ServerOptions
from tests.serve.people import make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def server_with_program(tmp_path: Path) -> Iterator[Server]:
    program = str(Path(__file__).with_name("candidates_bot.py"))
    options = ServerOptions(programs=(f"owl={shlex.join([sys.executable, program])}",))
    with run_server(tmp_path, options) as running:
        yield running


def test_the_candidates_of_a_bot_are_shown(new_user: NewUser, server_with_program: Server) -> None:
    ana = new_user("Ana", server_with_program)
    seats = [{"bot": "owl"}, {"bot": "greedy"}]
    options = {"first": 1}
    made = make_table(
        server_with_program.address, seats=seats, my_seat=None, begin=True, options=options
    )
    ana.open(f"{server_with_program.address}/t/{made['table']}")
    ana.expect_result()
    expect(ana.by_test_id("result")).to_contain_text("Alba")
    ana.by_test_id("replay").click()
    bar, why = ana.by_test_id("replay-bar"), ana.by_test_id("why")
    expect(why).to_have_count(0)  # no move yet

    bar.get_by_role("button", name="One step forward").click()
    ana.by_test_id("ask-why").click()
    expect(why).to_contain_text("There was only one possible choice.")  # the first action is forced

    bar.get_by_role("button", name="One step forward").click()
    expect(ana.by_test_id("ask-why")).to_have_text("Why did Alba do this?")
    ana.by_test_id("ask-why").click()
    expect(why).to_contain_text("The choices that the bot (owl) considered")
    rows = why.get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("60%")
    expect(rows.first).to_contain_text("chosen")
    expect(rows.last).to_contain_text("30%")

    slider = bar.get_by_role("slider")

    def of_the_greedy_one() -> bool:
        slider.press("ArrowRight")
        return ana.by_test_id("ask-why").inner_text().startswith("Why did Bruno")

    ana.wait_until(of_the_greedy_one)
    slider.press("ArrowRight")

    def is_explained() -> bool:  # asked again if the page had not yet shown the next moment
        ask = ana.by_test_id("ask-why")
        if ask.count() > 0 and ask.is_enabled():
            ask.click()
        return "This bot (steady) follows simple rules" in why.inner_text()

    ana.wait_until(is_explained)
