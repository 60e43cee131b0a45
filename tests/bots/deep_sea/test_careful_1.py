"""careful-1, a yardstick: frozen choices and the odds that it knows."""

from __future__ import annotations

import hashlib
from itertools import islice

from archipel import Game
from archipel.bots import Bot, bots_of, offered_bots
from archipel.rules.all_games import game_named
from archipel.study import simulate
from tests.bots.positions import decisions

# Hash of its choices in some hundreds of fixed positions.
CHOICES = "6e7ae9842a60ab4b299a"


def test_frozen() -> None:
    """If this fails, restore careful-1 and call the new bot careful-2."""
    definition = game_named("deep-sea")
    bot = Bot.named("deep-sea", "careful-1")
    chosen = bytearray()
    for s, legal in islice(decisions(definition, 1), 0, 3000, 5):
        view = definition.seen(s, definition.to_move(s))
        action = bot.choose(view, legal)
        assert action in legal
        assert view == definition.seen(s, definition.to_move(s)), "the view is unchanged"
        chosen.append(action)
    assert hashlib.sha256(chosen).hexdigest()[:20] == CHOICES


def chosen_in(**words: object) -> str:
    position = " ".join(f"{word}={value}" for word, value in words.items())
    game = Game.from_position("deep-sea", position, seats=2, turn=1, seed=1)
    chosen = Bot.named("deep-sea", "careful-1").choose(game.view(0).state, game.legal)
    return game.definition.action_text(game.state, chosen)


def test_is_for_studies() -> None:
    assert "careful-1" in [bot.name for bot in bots_of("deep-sea")]
    assert "careful-1" not in [bot.name for bot in offered_bots("deep-sea")]


def test_takes_nothing_near_the_submarine_when_it_sets_off() -> None:
    assert chosen_in(phase="search", air=25, diver1="3>") == "nothing"
    assert chosen_in(phase="search", air=25, diver1="18>") == "take"


def test_turns_back_while_there_is_air() -> None:
    assert chosen_in(phase="throw", air=8, diver1="12>[b5]") == "turn back"


def test_takes_on_the_way_home_what_it_can_carry() -> None:
    assert chosen_in(phase="search", air=5, diver1="5<[c3]") == "nothing"
    assert chosen_in(phase="search", air=20, diver1="2<[c3]", diver2="home") == "take"


def test_puts_treasure_down_in_danger() -> None:
    danger = {"phase": "search", "line": "a1-a4,o,a6-c2,o,c4-d8", "diver1": "5<[c3,a5]"}
    assert chosen_in(**danger, air=25) == "nothing"
    assert chosen_in(**danger, air=4) == "put 2"


def test_beats_random() -> None:
    result = simulate("deep-sea", ["careful-1", "random"], 200, seed=1, compiled=False)
    assert result["careful-1"].won.rate >= 0.9
