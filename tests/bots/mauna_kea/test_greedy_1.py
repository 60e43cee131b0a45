"""greedy-1 of Mauna Kea: frozen choices and sensible play."""

from __future__ import annotations

import pytest

from archipel.bots.mauna_kea.roster import GREEDY_2, MAUNA_KEA_BOTS
from archipel.bots.random_play import GREEDY_1
from archipel.rules.mauna_kea.definition import MAUNA_KEA
from archipel.study import simulate
from tests.bots.mauna_kea.choices import check_contract, choice, hash_of_choices
from tests.rules.mauna_kea.tables import expert, play, table

# Hash of its choices in some hundreds of fixed positions.
CHOICES = "3c8e97df3ec39f8d43ff"


def test_frozen() -> None:
    """If this fails, restore greedy-1 and give the new bot another name."""
    assert hash_of_choices(GREEDY_1, 8) == CHOICES


def test_contract() -> None:
    check_contract(GREEDY_1, 8)


BESIDE = {"board": "b1:jjjj3,b2:jjjj3", "explorers1": "b2nw,e4nw", "white": "1.1,1.1"}


def test_boards_if_possible() -> None:
    words = BESIDE | {"explorers1": "b1nw,e4nw", "pool": 1}
    game = table(**words)
    assert choice(GREEDY_1, game) == "explorer 1"
    assert choice(GREEDY_1, play(game, "explorer 1")) == "board"


def test_carries_its_load_to_a_boat() -> None:
    game = table(**BESIDE, pool=3)
    assert choice(GREEDY_1, game) == "explorer 1"
    assert choice(GREEDY_1, play(game, "explorer 1")) == "north"


def test_spends_a_tile_on_an_open_way() -> None:
    assert choice(GREEDY_1, table(**BESIDE, front1="jjjj3,jjll2")) == "spend 1"


def test_lays_a_tile_on_an_empty_space() -> None:
    words = {"board": "b3:jjjj3", "explorers1": "b3nw,e4nw", "white": "1.1,1.1"}
    game = table(**words, front1="jjjj3,jmmm1")
    assert choice(GREEDY_1, game) == "tile 1"
    assert choice(GREEDY_1, play(game, "tile 1")) in ("at b2", "at a3")


def test_takes_the_most_precious_artefact_first() -> None:
    game = table(explorers1="e4nw,d5nw", white="e4nw", grey="e4nw")
    assert choice(GREEDY_1, game) == "explorer 1"
    assert choice(GREEDY_1, play(game, "explorer 1")) == "take grey"


def test_leaves_the_cheapest_artefact_behind() -> None:
    boats = "n2,e1,e2,n1,s1,s2,w1,w2"
    words = {"board": "b1:jjjj3", "explorers1": "b1nw,e4nw", "pool": 1, "boats": boats}
    game = play(table(**words, white="1.1", grey="1.1"), "explorer 1", "board")
    assert choice(GREEDY_1, game) == "leave white"


def test_rejects_cards_that_it_does_not_use() -> None:
    cards = "jungle,earthquake,helicopter,2white,no-penalty,brown-boat"
    game = expert(phase="choose", explorers1="-", explorers2="-", cards1=cards)
    assert choice(GREEDY_1, game) == "reject earthquake"


# ---- strength -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["greedy-1", "greedy-2", "steady-1"])
@pytest.mark.parametrize("is_expert", [False, True])
@pytest.mark.parametrize("layout", ["orthogonal", "diagonal"])
def test_beats_random(bot: str, is_expert: bool, layout: str) -> None:
    options = MAUNA_KEA.make_options(2, expert=is_expert, layout=layout)
    result = simulate("mauna-kea", [bot, "random"], 500, seed=1, options=options, compiled=True)
    assert result[bot].won.rate >= 0.9


def test_roster() -> None:
    names = ["random", "greedy-1", "greedy-2", "quick-1", "steady-1"]
    assert [str(bot) for bot in MAUNA_KEA_BOTS.bots] == names
    assert MAUNA_KEA_BOTS.named("greedy-1").index == GREEDY_1
    assert MAUNA_KEA_BOTS.named("greedy").index == GREEDY_2
