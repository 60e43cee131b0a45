"""Atlantis in real browsers: two people, on a phone and at a desk, with a bot."""

from __future__ import annotations

import pytest

from tests.browser.boards import Likely, Player, finish, set_up
from tests.browser.conftest import Arrive
from tests.browser.people import PHONE
from tests.browser.serving import Server

pytestmark = pytest.mark.browser

#: A short game: few moves, and ashore as soon as can be.
HASTY = {"action.enough_moving": 60, "action.no_animal": 20, "action.ashore": 600}


def test_two_people_and_a_bot_finish_a_game(arrive: Arrive, server: Server) -> None:
    ana, ben = arrive("Ana", still=True), arrive("Ben", size=PHONE, touch=True, still=True)
    set_up(ana, "atlantis", seats=3, bots=[3])
    ben.joins(ana.link_for_everyone())
    ana.begins()
    ben.sees_board()
    at_desk, with_phone = Player(ana, Likely(1, HASTY)), Player(ben, Likely(2, HASTY))

    finish(server, at_desk, with_phone)

    assert at_desk.confirmed > 10
    assert with_phone.confirmed > 10
