"""A whole game that a strong player throws away on purpose in one move: the analysis names it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archipel import Game
from archipel.analysis import analyse
from archipel.analysis.evaluation import usual_budget
from archipel.analysis.programs import analysis_program
from archipel.bots import roster_of
from archipel.bots.engine.programs import engine_plan
from archipel.bots.search.programs import search_program
from archipel.bots.search.searcher import Searcher
from archipel.rules.kit.loading import can_compile, load_backend

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
    plan = replace(engine_plan(roster), simulations=400)
    searcher = Searcher(roster, plan, load_backend(search_program("deep-sea")))
    game: Game = Game.new("deep-sea", 2, seed=seed)
    thrown = None
    for decision in game:
        view = game.definition.recalled(game.state, decision.seat)
        thought = searcher.think(view, seed=len(game.moves))
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
