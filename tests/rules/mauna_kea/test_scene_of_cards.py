"""Whose cards a scene shows follows from the view alone, whoever is to move."""

from __future__ import annotations

import pytest

from archipel.game import Game


@pytest.mark.rule("MK-X1", "MK-V1")
def test_cards_put_away_are_shown_to_whoever_put_them_away() -> None:
    game = Game.new("mauna-kea", seats=2, seed=3, first=1, expert=True)
    for _ in range(3):  # two by the first player, one by the second
        game.play(game.legal[0])
    state, definition = game.position.state, game.definition
    for seat, count in ((0, 2), (1, 1)):
        seen = definition.seen(state, seat)
        pieces = definition.scene(seen, seat).pieces
        assert pieces == definition.scene(seen, 1 - seat).pieces
        away = [piece for piece in pieces if piece.kind == "rejected"]
        assert [piece.seat for piece in away] == [seat] * count
        assert all(piece.properties["card"] for piece in away)
