"""Bots at a live table."""

from __future__ import annotations

import pytest

from archipel import Game
from archipel.bots import Bot, bots_of
from archipel.rules.kit import Tape


@pytest.mark.parametrize("name", [bot.name for bot in bots_of("deep-sea")])
def test_plays_a_whole_game(name: str) -> None:
    bot = Bot.named("deep-sea", name)
    game = Game.new("deep-sea", seats=3, seed=5)
    for decision in game:
        chosen = bot.choose(decision.view.state, decision.legal, seed=len(game.moves))
        assert chosen in decision.legal
        game.play(chosen)
    assert game.outcome is not None


def test_equal_seeds_give_equal_choices() -> None:
    bot = Bot.named("deep-sea", "random")
    legal = list(range(7))
    chosen = [bot.choose(None, legal, seed=seed) for seed in range(50)]
    assert chosen == [bot.choose(None, legal, seed=seed) for seed in range(50)]
    assert set(chosen) == set(legal)


def test_chance_can_be_scripted() -> None:
    assert Bot.named("deep-sea", "random").choose(None, [3, 4, 7], chance=Tape([2])) == 7


def test_no_legal_action_is_an_error() -> None:
    with pytest.raises(ValueError, match="over"):
        Bot.named("deep-sea", "greedy").choose(None, [])


def test_name_and_representation() -> None:
    bot = Bot.named("deep-sea", "greedy")
    assert bot.name == "greedy-1"
    assert repr(bot) == "<Bot greedy-1 of deep-sea>"
