"""greedy-1 of Deep Sea Adventure: frozen choices and sensible play."""

from __future__ import annotations

from itertools import islice

import pytest

from archipel import Game
from archipel.bots import Bot
from archipel.rules.all_games import game_named
from archipel.study import simulate
from archipel.study.soak import all_options
from tests.bots.positions import decisions

# Its choices in fixed positions, a letter each: a for action 0 (dive), b for 1 (turn back), ...
CHOICES = (
    "debdddddeeaeddeedbdddebdddedbdddeededeeebbebdedeedbddeededdadbgdebedddebeddbeaeb"
    "ededebbbdebdddddeebdddddaedfedddebeddeabdbddededbdmeebeedbedddebdebeeddddeedbdee"
    "ddlddbdddabddebbededbddaedbddebbeddeebdddddebbbbdaebdddeebdddaebdedebbdbbdaebbdd"
    "debedbddebedbdbbebbdfdeedddedddedddeddbddedededdbddbdgaedddmdebbddeeedddebbdgbde"
    "dbddddabebddededddebbdddaebddeedbbdgddeebddeebeebdeebbbdddeeedbbdlebeddebddddddd"
)


def test_frozen() -> None:
    """If this fails, restore greedy-1 and call the new bot greedy-2."""
    definition = game_named("deep-sea")
    bot = Bot.named("deep-sea", "greedy-1")
    chosen = ""
    # The options of the rules version that it was frozen under.
    options = [each for each in all_options(definition) if each["drop_order"] != "piled"]
    for s, legal in islice(decisions(definition, 1, options), 0, 2000, 5):
        action = bot.choose(definition.seen(s, definition.to_move(s)), legal)
        chosen += chr(ord("a") + action)
    assert chosen == CHOICES


def chosen_in(**words: object) -> str:
    position = " ".join(f"{word}={value}" for word, value in words.items())
    game = Game.from_position("deep-sea", position, seats=2, turn=1, seed=1)
    assert game.to_move == 0
    chosen = Bot.named("deep-sea", "greedy-1").choose(game.view(0).state, game.legal)
    return game.definition.action_text(game.state, chosen)


def test_turns_back_while_there_is_air() -> None:
    assert chosen_in(phase="throw", air=25, diver1="4>[a4]") == "dive"
    assert chosen_in(phase="throw", air=8, diver1="12>[b5]") == "turn back"


def test_counts_the_air_that_opponents_use() -> None:
    alone = {"phase": "throw", "air": 14, "diver1": "9>[b2]"}
    assert chosen_in(**alone, diver2="home") == "dive"
    assert chosen_in(**alone, diver2="14>[b4,b5,b6,b7]") == "turn back"


def test_takes_treasure_that_is_worth_its_air() -> None:
    assert chosen_in(phase="search", air=25, diver1="3>") == "nothing"
    assert chosen_in(phase="search", air=25, diver1="18>") == "take"
    assert chosen_in(phase="search", air=5, diver1="5<[c3]") == "nothing"
    assert chosen_in(phase="search", air=20, diver1="2<[c3]", diver2="home") == "take"


def test_never_waits_at_the_end_of_the_line() -> None:
    assert chosen_in(phase="search", air=25, diver1="32>", diver2="home") == "take"


def test_puts_down_the_least_unit_in_danger() -> None:
    danger = {"phase": "search", "line": "a1-a4,o,a6-c2,o,c4-d8", "diver1": "5<[c3,a5]"}
    assert chosen_in(**danger, air=25) == "nothing"
    assert chosen_in(**danger, air=6) == "put 2"


def test_lays_down_the_least_unit_first() -> None:
    drowned = {"phase": "lay", "drop_order": "chosen", "air": 0, "diver2": "home"}
    assert chosen_in(**drowned, diver1="12>[c3,a1,d4]") == "lay 2"


# ---- strength -----------------------------------------------------------------------------------


def test_beats_random() -> None:
    result = simulate("deep-sea", ["greedy-1", "random"], 2000, seed=1)
    assert result["greedy-1"].won.rate >= 0.95


@pytest.mark.parametrize("seats", range(3, 7))
def test_beats_random_at_larger_tables(seats: int) -> None:
    """It wins at least two and a half times its fair share."""
    bots = ["greedy-1"] + ["random"] * (seats - 1)
    won = simulate("deep-sea", bots, 1000, seed=2)["greedy-1"].won
    assert won.interval.low > 2.5 / seats


@pytest.mark.parametrize("seats", range(2, 7))
def test_comes_home_in_self_play(seats: int) -> None:
    result = simulate("deep-sea", ["greedy-1"] * seats, 500, seed=3)["greedy-1"]
    assert result.mean_score > 22
    assert result.scores.get(0, 0) / result.won.games < 0.01, "they rarely score nothing"
