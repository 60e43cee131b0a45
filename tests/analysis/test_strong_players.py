"""The analysis finds the move in which a strong player throws a game away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archipel import Game
from archipel.analysis import analyse
from archipel.analysis.decision_analysis import analysis_program
from archipel.analysis.evaluation_settings import usual_budget
from archipel.bots import roster_of
from archipel.bots.engine.engine_program import engine_config
from archipel.bots.search.search import Searcher, search_program
from archipel.rules.kit.core.loading import can_compile, load_backend

pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not can_compile(), reason="strong players are compiled"),
]

#: A move is thrown away where it costs at least so much, as the player itself sees it...
MUCH = 0.3
#: ...among choices that it has tried so often.
TRIED = 20


def thrown_away(seed: int) -> tuple[Game, int | None]:
    """Deep Sea Adventure between two of the strongest, thinking a little less than they might. Once
    the first of them does the worst that it can think of, where that costs much: which move."""
    roster = roster_of("deep-sea")
    plan = replace(engine_config(roster), simulations=400)
    searcher = Searcher(roster, plan, load_backend(search_program("deep-sea")))
    game: Game = Game.new("deep-sea", 2, seed=seed)
    thrown = None
    for decision in game:
        view = game.definition.recalled(game.state, decision.seat)
        thought = searcher.search(view, seed=len(game.moves))
        action = thought.action
        tried = [each for each in thought.candidates if each.visits >= TRIED]
        if thrown is None and decision.seat == 0 and tried:
            worst = min(tried, key=lambda each: each.chance)
            best = max(each.chance for each in tried)
            if best - worst.chance >= MUCH:
                thrown, action = len(game.moves), worst.action
        game.play(game.definition.action_text(game.state, action))
    return game, thrown


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_that_was_thrown_away(seed: int) -> None:
    game, thrown = thrown_away(seed)
    assert thrown is not None
    backend = load_backend(analysis_program("deep-sea"))
    found = analyse(game, budget=usual_budget(), seed=1, backend=backend)
    assert found.mistakes[0] == thrown
