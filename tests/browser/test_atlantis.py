"""Atlantis in real browsers, in French: by touch alone on a phone, by keys alone, with bots."""

from __future__ import annotations

import pytest

from tests.browser.boards import (
    KeyPlayer,
    Likely,
    Player,
    finish,
    play_on,
    set_up,
    sit_down_in_french,
)
from tests.browser.conftest import Arrive
from tests.browser.people import SMALL_PHONE
from tests.browser.serving import Server

pytestmark = pytest.mark.browser

#: A short game: few moves, and ashore as soon as can be.
HASTY = {"action.enough_moving": 60, "action.no_animal": 20, "action.ashore": 600}


def test_two_people_and_two_bots_finish_a_game(arrive: Arrive, server: Server) -> None:
    ana = arrive("Ana", still=True)
    ben = arrive("Ben", size=SMALL_PHONE, touch=True, still=True)
    sit_down_in_french(ana, ben, "atlantis", bots=[3, 4])
    by_keys, with_phone = KeyPlayer(ana, Likely(1, HASTY)), Player(ben, Likely(2, HASTY))

    finish(server, by_keys, with_phone)

    assert by_keys.confirmed > 10
    assert by_keys.lost == 0
    assert with_phone.confirmed > 10


#: Where the line ends, and where the strip of what was told begins and ends, while there is one.
_STRIP = """() => {
  const box = (part) => document.querySelector(`[data-testid="${part}"]`)?.getBoundingClientRect();
  const strip = box("told");
  return strip ? [box("line").bottom, strip.top, strip.bottom] : [];
}"""


def test_on_a_phone_held_sideways_what_is_told_stays_on_the_screen(arrive: Arrive) -> None:
    luc = arrive("Luc", size=(844, 390), touch=True, still=True)
    set_up(luc, "atlantis", seats=3, bots=[2, 3], options={"Who begins": "seat 1"})
    luc.begins()
    seen: list[float] = []
    # The page looks itself: what is told may be gone again before we ask.
    luc.page.evaluate(
        f"""() => {{
          const strip = {_STRIP};
          window.told = [];
          const look = () => {{
            if (window.told.length === 0) window.told = strip();
            requestAnimationFrame(look);
          }};
          look();
        }}"""
    )

    def is_told() -> bool:
        seen[:] = luc.page.evaluate("window.told")
        return bool(seen)

    play_on(is_told, Player(luc, Likely(1, HASTY)))

    line, top, bottom = seen
    assert line < top < bottom < 390
