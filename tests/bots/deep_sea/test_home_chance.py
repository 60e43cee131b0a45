"""The table of chances to cover a distance."""

from __future__ import annotations

from itertools import product

from archipel.bots.deep_sea.greedy_1 import CERTAIN, FARTHEST, HOME_CHANCE, MOST_THROWS


def enumerated(load: int, distance: int, throws: int) -> int:
    """The chance by enumerating all throws."""
    home = 0
    for dice in product(range(1, 4), repeat=2 * throws):
        pairs = zip(dice[::2], dice[1::2], strict=True)
        home += sum(max(0, one + other - load) for one, other in pairs) >= distance
    return CERTAIN * home // int(9**throws)


def test_agrees_with_an_enumeration_of_all_throws() -> None:
    for load, distance, throws in product(range(1, 7), range(1, 12), range(4)):
        chance = HOME_CHANCE[load][distance][throws]
        assert abs(chance - enumerated(load, distance, throws)) <= 1


def test_a_diver_with_six_units_never_moves() -> None:
    assert HOME_CHANCE[6][1][MOST_THROWS] == 0


def test_falls_with_load_and_distance_and_rises_with_throws() -> None:
    for load, distance, throws in product(range(6), range(1, FARTHEST + 1), range(MOST_THROWS)):
        chance = HOME_CHANCE[load][distance][throws]
        assert chance <= HOME_CHANCE[load][distance][throws + 1]
        assert chance <= HOME_CHANCE[load][distance - 1][throws]
        assert chance >= HOME_CHANCE[load + 1][distance][throws]
