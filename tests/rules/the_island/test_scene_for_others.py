"""Scenes of the player to move, drawn from the views of other seats."""

from __future__ import annotations

import random

from archipel.game import Game
from archipel.rules.the_island.definition import THE_ISLAND
from tests.rules.the_island.tables import state_of, table


def test_every_seat_has_a_scene_while_another_seat_moves() -> None:
    """IS-S5, IS-I2: the values and hand of the player to move are unknown in that view."""
    chooser = random.Random(3)
    game = Game.new("the-island", 2, seed=3)
    for _ in range(200):
        mover = game.to_move
        if mover is None:
            break
        for seat in (0, 1, -1):
            THE_ISLAND.scene(THE_ISLAND.seen(state_of(game), seat), mover)
        game.play(chooser.choice(game.legal))


def test_a_hidden_hand_offers_no_choices() -> None:
    state = state_of(table(hand1="d4b:wind", white="boat1", boats="e3", phase="play_tile"))
    assert THE_ISLAND.scene(THE_ISLAND.seen(state, 0), 0).choices
    assert not THE_ISLAND.scene(THE_ISLAND.seen(state, 1), 0).choices
