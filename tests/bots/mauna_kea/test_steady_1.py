"""steady-1: frozen choices and sensible play; it continues the turn that was begun."""

from __future__ import annotations

from archipel.bots.mauna_kea.roster import GREEDY_2, STEADY_1
from tests.bots.mauna_kea.choices import check_contract, choice, hash_of_choices
from tests.rules.mauna_kea.tables import play, table

# Hash of its choices in some hundreds of fixed positions.
CHOICES = "d5c285c88e1fc4e2d59d"


def test_frozen() -> None:
    """If this fails, restore steady-1 and call the new bot steady-2."""
    assert hash_of_choices(STEADY_1, 8) == CHOICES


def test_contract() -> None:
    check_contract(STEADY_1, 8)


def test_a_named_explorer_moves_by_its_own_plan() -> None:
    """The first explorer goes north to a boat; the second wants an artefact to its west."""
    words = {"board": "b1:jjjj3,b2:jjjj3,e2:jjjj3", "explorers1": "b2nw,e2se", "pool": 3}
    game = table(**words, white="1.1,1.1,e2sw")
    assert choice(STEADY_1, game) == choice(GREEDY_2, game) == "explorer 1"
    play(game, "explorer 2")
    assert choice(GREEDY_2, game) == "north"
    assert choice(STEADY_1, game) == "west"


def test_uses_points_for_another_explorer_if_they_do_not_suffice() -> None:
    """The first explorer faces a lake, which costs two points."""
    words = {"board": "b1:llll1,b2:jjjj3,e2:jjjj3", "explorers1": "b2nw,e2se", "front1": "-"}
    game = table(**words, white="1.1,1.1,e2nw", pool=1)
    assert choice(GREEDY_2, game) == "end play"
    assert choice(STEADY_1, game) == "explorer 2"
    assert choice(STEADY_1, table(**words, white="1.1,1.1,e2nw", pool=2)) == "explorer 1"


def test_fetches_a_near_artefact_before_a_distant_boat() -> None:
    """With one artefact and a distant boat, a near artefact comes first."""
    words = {"board": "e3:jjjj3", "explorers1": "e3nw", "pool": 3, "active": 1}
    game = table(**words, white="1.1,e3sw")
    assert choice(GREEDY_2, game) != "south"
    assert choice(STEADY_1, game) == "south"
