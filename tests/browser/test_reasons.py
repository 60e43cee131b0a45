"""After the game: why a bot moved as it did."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.server_process import Difference
from tests.browser.serving import Server, serving
from tests.serve.people import make_table

pytestmark = pytest.mark.browser


@pytest.fixture
def thoughtful_server(tmp_path: Path) -> Iterator[Server]:
    program = str(Path(__file__).with_name("thoughtful_bot.py"))
    difference = Difference(programs=(f"owl={shlex.join([sys.executable, program])}",))
    with serving(tmp_path, difference) as running:
        yield running


def test_a_bot_tells_what_it_considered(arrive: Arrive, thoughtful_server: Server) -> None:
    ana = arrive("Ana", thoughtful_server)
    seats = [{"bot": "owl"}, {"bot": "greedy"}]
    options = {"first": 1}
    made = make_table(
        thoughtful_server.address, seats=seats, my_seat=None, begin=True, options=options
    )
    ana.goes_to(f"{thoughtful_server.address}/t/{made['table']}")
    ana.sees_result()
    expect(ana.part("result")).to_contain_text("Alba")
    ana.part("replay").click()
    bar, why = ana.part("replay-bar"), ana.part("why")
    expect(why).to_have_count(0)  # the game begins: nobody has moved

    bar.get_by_role("button", name="One step on").click()
    ana.part("ask-why").click()
    expect(why).to_contain_text("There was nothing to choose.")  # everybody dives at first

    bar.get_by_role("button", name="One step on").click()
    expect(ana.part("ask-why")).to_have_text("Why did Alba do this?")
    ana.part("ask-why").click()
    expect(why).to_contain_text("What the bot (owl) considered")
    rows = why.get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("60%")
    expect(rows.first).to_contain_text("chosen")
    expect(rows.last).to_contain_text("30%")

    slider = bar.get_by_role("slider")

    def of_the_greedy_one() -> bool:
        slider.press("ArrowRight")
        return ana.part("ask-why").inner_text().startswith("Why did Bruno")

    ana.wait_until(of_the_greedy_one)
    slider.press("ArrowRight")
    ana.part("ask-why").click()
    expect(why.get_by_role("status")).to_contain_text("This bot (steady) goes by rules of thumb")
