"""Impossible positions are refused with a specific reason."""

from __future__ import annotations

import pytest

from archipel.rules.contract import NotationError
from archipel.rules.deep_sea.definition import DEEP_SEA
from tests.rules.deep_sea.tables import state_of, table


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ({"diver1": "4>", "diver2": "4>"}, "both on space 4"),
        ({"diver1": "33>"}, "space 33, beyond the end of the line"),
        ({"diver1": "4<"}, "diver 1 has turned back on space 4 with nothing"),
        ({"diver1": "home[a1]"}, "turn=1: diver 1 is home"),
        ({"diver1": "sub>[a1]"}, "in the submarine, but not home"),
        ({"diver1": "sub<"}, "in the submarine, but not home"),
        ({"diver1": "sub<[a1]"}, "in the submarine, but not home"),
        ({"diver1": "9>[a1,a2,a3,a4,a5,a6]"}, "is on a seventh"),
        ({"diver1": "9>[a1,a2,a3,a4,a5,a6,a7]"}, "up to 6 chips"),
        ({"diver1": "4>", "line": "o,o,o,o,...", "phase": "search"}, "nothing to search"),
        ({"diver1": "sub>", "phase": "search"}, "nothing to search"),
    ],
)
def test_impossible_positions_are_refused(words: dict[str, object], reason: str) -> None:
    with pytest.raises(NotationError, match=reason):
        table(**words)


@pytest.mark.rule("DS-T11")
def test_a_diver_with_six_units_cannot_take_a_seventh() -> None:
    game = table(line="o,...", diver1="1>[a1,a2,a3,a4,a5,a6]", phase="search")
    assert "take" not in [action.text for action in game.legal]
    assert DEEP_SEA.fault(game.state) == 0
    state_of(game).line[0], state_of(game).line[1] = state_of(game).line[1], 0
    assert DEEP_SEA.faults[DEEP_SEA.fault(game.state)].endswith("(DS-T11)")


def test_a_diver_with_all_units_laid_down_is_back_in_the_submarine() -> None:
    game = table(
        seats=3, drop_order="chosen", phase="lay", air=0, turn=2, diver1="sub<", diver2="9>[a1,a2]"
    )
    assert DEEP_SEA.fault(game.state) == 0
