"""Atlantis in real browsers, in French: by touch alone on a phone, by keys alone, with bots."""

from __future__ import annotations

import pytest

from tests.browser.boards import KeyPlayer, Likely, Player, finish, sit_down_in_french
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
