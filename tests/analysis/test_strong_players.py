"""The analysis finds the blunder in a game of strong players."""

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

#: Least loss of a blunder, by the player's own search, and least visits of its candidates.
LEAST_LOSS = 0.3
LEAST_VISITS = 20


def game_with_blunder(seed: int) -> tuple[Game, int | None]:
    """Deep Sea Adventure between two masters with a small budget, and the number of the blunder.

    The first master once plays its worst candidate where that loses much.
    """
    roster = roster_of("deep-sea")
    config = replace(engine_config(roster), simulations=400)
    searcher = Searcher(roster, config, load_backend(search_program("deep-sea")))
    game: Game = Game.new("deep-sea", 2, seed=seed)
    blunder = None
    for decision in game:
        view = game.definition.recalled(game.state, decision.seat)
        result = searcher.search(view, seed=len(game.moves))
        action = result.action
        tried = [each for each in result.candidates if each.visits >= LEAST_VISITS]
        if blunder is None and decision.seat == 0 and tried:
            worst = min(tried, key=lambda each: each.chance)
            best = max(each.chance for each in tried)
            if best - worst.chance >= LEAST_LOSS:
                blunder, action = len(game.moves), worst.action
        game.play(game.definition.action_text(game.state, action))
    return game, blunder


@pytest.mark.parametrize("seed", [1, 2])
def test_finds_the_blunder_of_a_master(seed: int) -> None:
    game, blunder = game_with_blunder(seed)
    assert blunder is not None
    backend = load_backend(analysis_program("deep-sea"))
    found = analyse(game, budget=usual_budget(), seed=1, backend=backend)
    assert found.measures.turns[found.mistakes[0]].first == blunder
