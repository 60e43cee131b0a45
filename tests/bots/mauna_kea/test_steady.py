"""steady-1: frozen choices, sensible play, and it continues what was begun."""

from __future__ import annotations

from archipel.bots.mauna_kea.roster import GREEDY_2, STEADY_1
from tests.bots.mauna_kea.choices import check_manners, choice, hash_of_choices
from tests.rules.mauna_kea.tables import play, table

# What it chooses in some hundreds of fixed positions, as a hash.
CHOICES = "d5c285c88e1fc4e2d59d"


def test_frozen() -> None:
    """If this fails, restore steady-1 and call the new bot steady-2."""
    assert hash_of_choices(STEADY_1, 8) == CHOICES


def test_manners() -> None:
    check_manners(STEADY_1, 8)


def test_whoever_was_named_goes_its_own_way() -> None:
    """The first explorer goes north to a boat; the second wants an artefact to its west."""
    words = {"board": "b1:jjjj3,b2:jjjj3,e2:jjjj3", "explorers1": "b2nw,e2se", "pool": 3}
    game = table(**words, white="1.1,1.1,e2sw")
    assert choice(STEADY_1, game) == choice(GREEDY_2, game) == "explorer 1"
    play(game, "explorer 2")
    assert choice(GREEDY_2, game) == "north"
    assert choice(STEADY_1, game) == "west"


def test_points_that_do_not_suffice_for_one_are_left_to_another() -> None:
    """The first explorer faces a lake, which costs two points."""
    words = {"board": "b1:llll1,b2:jjjj3,e2:jjjj3", "explorers1": "b2nw,e2se", "front1": "-"}
    game = table(**words, white="1.1,1.1,e2nw", pool=1)
    assert choice(GREEDY_2, game) == "end play"
    assert choice(STEADY_1, game) == "explorer 2"
    assert choice(STEADY_1, table(**words, white="1.1,1.1,e2nw", pool=2)) == "explorer 1"


def test_what_lies_beside_the_way_is_taken_along() -> None:
    """With one artefact and a distant boat, a near artefact comes first."""
    words = {"board": "e3:jjjj3", "explorers1": "e3nw", "pool": 3, "active": 1}
    game = table(**words, white="1.1,e3sw")
    assert choice(GREEDY_2, game) != "south"
    assert choice(STEADY_1, game) == "south"
