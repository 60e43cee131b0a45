"""The cards in a scene depend only on the view, not on the seat to move."""

from __future__ import annotations

import pytest

from archipel.game import Game
from archipel.rules.mauna_kea.box_files import BOX


@pytest.mark.rule("MK-X1", "MK-V1")
def test_rejected_cards_are_shown_to_their_seat() -> None:
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


@pytest.mark.rule("MK-X9", "MK-V1")
def test_a_visible_objective_shows_its_points() -> None:
    game = Game.new("mauna-kea", seats=2, seed=3, first=1, expert=True)
    state, definition = game.position.state, game.definition
    worth = {card.name: card.points for card in BOX.cards if card.points > 0}
    shown = definition.scene(definition.seen(state, 0), 0).pieces
    hands = {seat: [p for p in shown if p.kind == "card" and p.seat == seat] for seat in (0, 1)}
    assert any(card.properties["card"] in worth for card in hands[0])
    for card in hands[0]:
        assert card.properties.get("points") == worth.get(str(card.properties["card"]))
    assert all("points" not in card.properties for card in hands[1])
