"""Search finds the best action and its chance where both can be computed exactly."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from archipel.bots import levels_of, roster_of
from archipel.bots.search.search import Searcher, SearchResult, search_program
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.deep_sea.state import Action
from tests.bots.search.exact import Exact
from tests.rules.deep_sea.tables import state_of, table

THROW = {"phase": "throw"}

#: Last rounds of two divers, and the best action. In some of them the policy chooses another
#: action, and so does a search that assumes the policy for its opponent.
POSITIONS = [
    ({"air": 5, "diver1": "6<[b1]", "diver2": "home", "treasure2": "b8"}, "nothing"),
    ({"air": 4, "diver1": "6>[a2]", "diver2": "home", "treasure2": "a8"}, "nothing"),
    ({"air": 5, "diver1": "4<[b1]", "diver2": "7<[b2]"}, "nothing"),
    ({"air": 4, "diver1": "5<[b1,a1]", "diver2": "3<[b2]", "line": "a2-a5,o,..."}, "put 2"),
    ({"air": 4, "diver1": "9>[b1]", "diver2": "5<[b2]", "treasure1": "a8"} | THROW, "dive"),
    ({"air": 5, "diver1": "5>[a2]", "diver2": "3<[a3]"} | THROW, "turn back"),
]


def searched(view: Any, **changed: Any) -> SearchResult:
    master = levels_of("deep-sea")[-1].config
    to_the_end: dict[str, Any] = {"horizon": 0, "lookahead": 0, "evaluation": ""}
    deep: dict[str, Any] = {"depth": 8, "opponent_nodes": True, "exploration": 0.3}
    config = dataclasses.replace(master, **{**to_the_end, **deep, **changed})
    searcher = Searcher(roster_of("deep-sea"), config, search_program("deep-sea").interpreted())
    return searcher.search(view, seed=1)


@pytest.mark.parametrize(("words", "best"), POSITIONS)
def test_finds_the_action_with_the_highest_win_chance(words: dict[str, object], best: str) -> None:
    s = state_of(table(**({"round": 3, "phase": "search", "stirred": 1} | words)))
    view = DEEP_SEA.seen(s, DEEP_SEA.to_move(s))
    exact = {DEEP_SEA.action_text(s, a): chance for a, chance in Exact(view).by_action().items()}
    assert max(exact, key=lambda action: exact[action]) == best
    result = searched(view, simulations=800)
    assert DEEP_SEA.action_text(s, result.action) == best
    chosen = result.candidates[0]
    assert chosen.chance == pytest.approx(exact[best], abs=0.05 + 3 * chosen.error)


def test_outcome_nodes_choose_by_where_the_dice_led() -> None:
    """Having turned back, the diver takes or leaves by where the throw led."""
    words: dict[str, object] = POSITIONS[4][0]
    s = state_of(table(**({"round": 3, "phase": "search", "stirred": 1} | words)))
    view = DEEP_SEA.seen(s, DEEP_SEA.to_move(s))
    exact = Exact(view).by_action()
    by_outcome = searched(view, simulations=800, outcome_nodes=True, elimination_z=0.0)
    assert len(by_outcome.candidates) == len(exact) == 2
    for candidate in by_outcome.candidates:
        assert candidate.chance == pytest.approx(exact[candidate.action], abs=0.08)
    # A node for all outcomes has one choice for all of them, which fits most of them badly.
    for_all = searched(view, simulations=800, outcome_nodes=False, elimination_z=0.0)
    (turned,) = (c for c in for_all.candidates if c.action == Action.TURN_BACK)
    assert turned.chance < exact[Action.TURN_BACK] - 0.2
