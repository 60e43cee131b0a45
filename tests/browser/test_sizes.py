"""Everything that may be chosen can be touched, on every size of screen: measured in the browser.

A *place* is what a finger aims at: all that can be chosen on one space, or one thing beside the
field. Its size is the distance on the screen from its middle to the middle of the nearest other
place, since a tap goes to the nearest one. What is smaller than needed must not be chosen by a tap:
the tap has to come closer (the place is then measured again), or to offer the things under the
finger as buttons, which are measured themselves.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.boards import set_up, speak_french
from tests.browser.conftest import Arrive
from tests.browser.people import Message
from tests.browser.staging import Play, Stage, crowd, places

pytestmark = pytest.mark.browser

#: Width and height in the pixels of the page. The last is a page of 1366 by 768 enlarged to 200 %.
SIZES = (
    (320, 568),
    (360, 640),
    (375, 667),
    (390, 664),
    (390, 844),
    (844, 390),
    (820, 1180),
    (1366, 768),
    (683, 384),
)
SMALL, LARGE = 24, 44


def needed(size: tuple[int, int]) -> int:
    """How large a place has to be: more from 390 by 664 up, whichever way a screen is held."""
    return LARGE if min(size) >= 390 and max(size) >= 664 else SMALL


#: Tries every choice as a finger would, and returns what is wrong, with how many were tried.
MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")

PLAYS = {
    "deep-sea": Play("deep-sea", 6, {}),
    "the-island": Play("the-island", 2, {"two_colours": True, "crowded": True}),
    "atlantis": Play("atlantis", 2, {}),
    "mauna-kea": Play("mauna-kea", 2, {"expert": True}),
}

#: Who begins, so that the page waits for whoever sits there.
FIRST = {
    "deep-sea": {"Who begins": "seat 1"},
    "the-island": {"Who begins": "seat 1"},
    "atlantis": {"Who begins": "seat 1"},
    "mauna-kea": {"First player": "seat 1"},
}


def positions(game: str) -> dict[str, Message]:
    """Of one game: its set-up, its middle, where most is to choose on one space, and in words."""
    moments = list(PLAYS[game].scenes())
    middle = moments[len(moments) // 3 : 2 * len(moments) // 3]
    found = {
        "set-up": max(moments[:20], key=lambda moment: places(moment["scene"])),
        "middle": max(middle, key=lambda moment: places(moment["scene"])),
        "crowded": max(
            moments, key=lambda moment: (crowd(moment["scene"]), places(moment["scene"]))
        ),
        "in words": max(moments, key=lambda moment: words(moment["scene"])),
    }
    return {name: moment for name, moment in found.items() if moment["scene"]["choices"]}


def words(scene: Message) -> int:
    """How many buttons there have to be."""
    return sum(not choice["targets"] for choice in scene["choices"])


@pytest.mark.parametrize("most", [6, pytest.param(999, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", list(PLAYS))
def test_everything_can_be_touched_on_every_screen(arrive: Arrive, game: str, most: int) -> None:
    """At most so many of the places on the board are tried out, spread over all of them."""
    ana = arrive("Ana", size=SIZES[0], touch=True, still=True)
    stage = Stage(ana)
    seats = PLAYS[game].seats
    set_up(ana, game, seats=seats, bots=range(2, seats + 1), options=FIRST[game])
    speak_french(ana)
    ana.begins()
    wrong: list[str] = []
    for name, moment in positions(game).items():
        stage.show(moment)
        for size in SIZES:
            ana.page.set_viewport_size({"width": size[0], "height": size[1]})
            choices = moment["scene"]["choices"]
            found = ana.page.evaluate(MEASURE, [needed(size), choices, most])
            wrong += [f"{name}, {size[0]} x {size[1]}: {each}" for each in found["problems"]]
    assert not wrong, "\n".join(["", *wrong])
    # On a large screen all of the board is to be seen, whatever the screen was before.
    stage.show(positions(game)["set-up"])
    for width, height in (SIZES[2], (1366, 768)):
        ana.page.set_viewport_size({"width": width, "height": height})
        ana.page.evaluate("new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)))")
    expect(ana.part("board")).to_have_attribute("data-zoom", "1.00")
