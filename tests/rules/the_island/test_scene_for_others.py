"""The server draws, from each seat's view, the scene of whoever is to move."""

from __future__ import annotations

import random

from archipel.game import Game
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import state_of, table


def test_every_view_can_be_drawn_while_another_seat_decides() -> None:
    """IS-S5, IS-I2: in it, what the mover placed and holds is unknown."""
    chooser = random.Random(3)
    game = Game.new("the-island", 2, seed=3)
    for _ in range(200):
        mover = game.to_move
        if mover is None:
            break
        for seat in (0, 1, -1):
            THE_ISLAND.scene(THE_ISLAND.seen(state_of(game), seat), mover)
        game.play(chooser.choice(game.legal))


def test_a_hand_that_cannot_be_seen_offers_nothing() -> None:
    state = state_of(table(hand1="d4b:wind", white="boat1", boats="e3", phase="play_tile"))
    assert THE_ISLAND.scene(THE_ISLAND.seen(state, 0), 0).choices
    assert not THE_ISLAND.scene(THE_ISLAND.seen(state, 1), 0).choices
