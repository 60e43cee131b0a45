"""The scene warns of a choice that would put all explorers in the path of the lava."""

from __future__ import annotations

import pytest

from archipel.game import Game


def warned(game: Game) -> set[str]:
    """The start cells with a warning for the seat to move."""
    seat = game.to_move
    assert seat is not None
    scene = game.definition.scene(game.view(seat).state, seat)
    return {choice.text for choice in scene.choices if "warning" in choice.details}


@pytest.mark.rule("MK-S4", "MK-L1", "MK-L3")
def test_putting_all_explorers_on_one_space_beside_the_volcano_warns() -> None:
    game = Game.new("mauna-kea", seats=2, seed=1, first=1)
    assert warned(game) == set()
    game.play("at e4nw")
    assert warned(game) == set()  # the other player has no explorer there
    game.play("at d5nw")
    assert warned(game) == {"at e4ne", "at e4sw", "at e4se"}
    game.play("at e4ne")
    assert warned(game) == {"at d5ne", "at d5sw", "at d5se"}
    game.play("at f5nw")
    assert warned(game) == {"at e4sw", "at e4se"}
    game.play("at f5ne")
    assert warned(game) == set()  # explorers on two spaces already


@pytest.mark.rule("MK-C3", "MK-L1")
def test_diagonal_start_spaces_give_no_warning() -> None:
    game = Game.new("mauna-kea", seats=2, seed=1, first=1, layout="diagonal")
    first = game.legal[0].text
    game.play(first)
    game.play(game.legal[-1])
    assert warned(game) == set()
