"""Rollouts depend on the view and the seed alone, interpreted or compiled."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from archipel.bots import Bot, bot_named, bots_of
from archipel.bots.rollouts import GOALS, WIN, WINS, rollout_program
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.loading import can_compile
from tests.bots.positions import decisions
from tests.bots.rollout_counts import rollout_counts

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def some_views(definition: Definition[Any], every: int) -> list[tuple[int, Any, Any]]:
    """Seats, their views, and the full positions."""
    found = []
    for number, (s, _) in enumerate(islice(decisions(definition, 5), 0, 8 * every, every)):
        seat = number % definition.read_options(s).seats
        found.append((seat, definition.seen(s, seat), s))
    return found


@every_game
def test_equal_views_give_equal_results(definition: Definition[Any]) -> None:
    for number, (seat, view, s) in enumerate(some_views(definition, every=31)):
        bot = bots_of(definition.name)[0]
        before = clone(view)
        world = definition.seen(definition.resample(s, seat, Stream(number)), seat)
        counts = rollout_counts(bot, view, 2, seed=number)
        assert counts == rollout_counts(bot, world, 2, seed=number)
        assert view == before, "rollouts must not change the view"


@every_game
def test_every_rollout_has_winners(definition: Definition[Any]) -> None:
    for bot in bots_of(definition.name):
        ((_, view, _), *_) = some_views(definition, every=1)
        counts = rollout_counts(bot, view, 3, seed=1)
        assert len(counts[WINS]) == definition.read_options(view).seats
        assert sum(counts[WINS]) == 3 * WIN
        assert all(0 <= count <= 3 for goal in counts[GOALS:] for count in goal)


def test_the_seed_decides() -> None:
    bot = bot_named("deep-sea", "random")
    (_, view, _), *_ = some_views(DEEP_SEA, every=1)
    counts = rollout_counts(bot, view, 12, seed=7)
    assert counts == rollout_counts(bot, view, 12, seed=7)
    assert counts != rollout_counts(bot, view, 12, seed=8)


def test_a_rollout_may_begin_with_an_action() -> None:
    """The bot's own choice as the opening changes nothing; another action does."""
    bot = bot_named("deep-sea", "greedy")
    found = 0
    for _, view, _ in some_views(DEEP_SEA, every=2):
        legal = DEEP_SEA.legal_actions(view)
        if len(legal) > 1:
            own = Bot(bot).choose(view, legal)
            by_opening = {
                each: rollout_counts(bot, view, 8, seed=7, opening=each) for each in legal
            }
            assert by_opening[own] == rollout_counts(bot, view, 8, seed=7)
            found += any(counts != by_opening[own] for counts in by_opening.values())
    assert found > 3


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
@every_game
def test_compiled_rollouts_give_equal_results(definition: Definition[Any]) -> None:
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import CHECKED, compile_program

    program = rollout_program(definition.name)
    compiled = compile_program(program, CHECKED, default_cache())
    for number, (_, view, _) in enumerate(some_views(definition, every=31)):
        for bot in bots_of(definition.name):
            counts = rollout_counts(bot, view, 2, seed=number, backend=compiled)
            assert counts == rollout_counts(bot, view, 2, seed=number)
