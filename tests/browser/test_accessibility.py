"""Every page passes axe, in both themes, on a desktop and on a phone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrive
from tests.browser.people import DESKTOP, PHONE, Person, play_until, play_until_over

pytestmark = pytest.mark.browser

AXE = Path(__file__).parents[2] / "client" / "node_modules" / "axe-core" / "axe.min.js"
SHEETS = ("log", "help", "rules", "talk", "text", "settings")

_RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\\n` +
    nodes.slice(0, 5).map(({ html, failureSummary }) =>
      `    ${html.slice(0, 200)}\\n    ${failureSummary.replaceAll("\\n", " ")}`).join("\\n"));
}"""


def must_be_accessible(person: Person, where: str) -> None:
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(_RUN)
    assert not found, "\n".join([f"on {where}:", *found])


@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param("light", DESKTOP, id="desktop-light"),
        pytest.param("dark", PHONE, id="phone-dark"),
        pytest.param("dark", DESKTOP, id="desktop-dark", marks=pytest.mark.soak),
        pytest.param("light", PHONE, id="phone-light", marks=pytest.mark.soak),
    ],
)
def test_every_page(
    arrive: Arrive, scheme: Literal["light", "dark"], size: tuple[int, int]
) -> None:
    ana = arrive("Ana", scheme=scheme, size=size, touch=size == PHONE)
    ben = arrive("Ben", scheme=scheme, size=size, touch=size == PHONE)
    ana.goes_home()
    must_be_accessible(ana, "the home page")
    ana.button("Settings").click()
    must_be_accessible(ana, "the settings on the home page")
    ana.page.keyboard.press("Escape")
    for way in ("with-friends", "on-this-device"):
        ana.game.get_by_test_id(way).click()
        ana.part("dialog").get_by_text("Options").click()
        must_be_accessible(ana, f"the dialog {way}")
        ana.page.keyboard.press("Escape")

    ana.sets_up(seats=3, first=1)
    expect(ana.part("qr")).to_be_visible()
    must_be_accessible(ana, "the gathering, as the host")
    ben.goes_to(ana.link_for_everyone())
    expect(ben.part("join")).to_be_visible()
    must_be_accessible(ben, "the gathering, before joining")
    ben.joins(ana.link_for_everyone())
    ana.begins()
    play_until(lambda: "take" in ana.look().actions, ana, ben)
    must_be_accessible(ana, "the table on my turn")
    must_be_accessible(ben, "the table on another's turn")
    for sheet in SHEETS:
        ana.opens(sheet)
        if sheet == "rules":
            expect(ana.page.get_by_text(re.compile("DS-T1"))).not_to_have_count(0)
        must_be_accessible(ana, f"the sheet {sheet}")
    play_until_over(ana, ben)
    ana.result()
    must_be_accessible(ana, "the end of the game")
    ana.part("replay").click()
    expect(ana.part("replay-bar")).to_be_visible()
    must_be_accessible(ana, "the replay")
