"""Atlantis in real browsers, in French: touch only, keyboard only, with bots."""

from __future__ import annotations

import pytest

from tests.browser.boards import (
    BoardPlayer,
    KeyboardPlayer,
    WeightedChoice,
    finish,
    play_boards_until,
    start_french_game,
)
from tests.browser.conftest import NewUser
from tests.browser.server import Server
from tests.browser.user_page import SMALL_PHONE

pytestmark = pytest.mark.browser

#: A short game: few moves, and ashore as soon as possible.
HASTY = {"action.enough_moving": 60, "action.no_animal": 20, "action.ashore": 600}


def test_two_users_and_two_bots_finish_a_game(new_user: NewUser, server: Server) -> None:
    ana = new_user("Ana", reduced_motion=True)
    ben = new_user("Ben", size=SMALL_PHONE, touch=True, reduced_motion=True)
    start_french_game(ana, ben, "atlantis", bots=[3, 4])
    by_keys, with_phone = (
        KeyboardPlayer(ana, WeightedChoice(1, HASTY)),
        BoardPlayer(ben, WeightedChoice(2, HASTY)),
    )

    finish(server, by_keys, with_phone)

    assert by_keys.lost == 0
    assert with_phone.steps < 1.5 * with_phone.decisions


#: The bottom of the status line, and the top and bottom of the strip of sentences, if visible.
_STRIP = """() => {
  const box = (part) => document.querySelector(`[data-testid="${part}"]`)?.getBoundingClientRect();
  const strip = box("told");
  return strip ? [box("line").bottom, strip.top, strip.bottom] : [];
}"""


def test_in_landscape_sentences_stay_on_the_screen(new_user: NewUser) -> None:
    luc = new_user("Luc", size=(844, 390), touch=True, reduced_motion=True)
    luc.set_up_table(game="atlantis", seats=3, bots=[2, 3], options={"Who begins": "seat 1"})
    luc.start_game()
    seen: list[float] = []
    # The page polls itself, because the sentences may disappear before the test asks.
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

    def has_sentences() -> bool:
        seen[:] = luc.page.evaluate("window.told")
        return bool(seen)

    play_boards_until(has_sentences, BoardPlayer(luc, WeightedChoice(1, HASTY)))

    line, top, bottom = seen
    assert line < top < bottom < 390
