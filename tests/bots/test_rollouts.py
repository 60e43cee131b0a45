"""Rollouts depend on the view and the seed alone, interpreted or compiled."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import pytest

from archipel.bots import BotInfo, bot_named, bots_of, roster_of
from archipel.bots.rollouts import RolloutChances, estimate_chances, rollout_program
from archipel.rules.all_games import games
from archipel.rules.contract import Definition
from archipel.rules.deep_sea.definition import DEEP_SEA
from archipel.rules.kit import Stream, clone
from archipel.rules.kit.core.loading import can_compile
from tests.bots.positions import decisions

every_game = pytest.mark.parametrize("definition", list(games()), ids=lambda game: str(game.name))


def interpreted(bot: BotInfo, view: Any, rollouts: int, **given: Any) -> RolloutChances:
    return estimate_chances(rollout_program(bot.game).interpreted(), bot, view, rollouts, **given)


def some_views(definition: Definition[Any], every: int) -> list[tuple[int, Any, Any]]:
    """Seats, their views, and the full positions."""
    found = []
    for number, (s, _) in enumerate(islice(decisions(definition, 5), 0, 8 * every, every)):
        seat = number % definition.read_options(s).seats
        found.append((seat, definition.seen(s, seat), s))
    return found


@every_game
def test_equal_views_give_equal_chances(definition: Definition[Any]) -> None:
    for number, (seat, view, s) in enumerate(some_views(definition, every=31)):
        bot = bots_of(definition.name)[0]
        kept = clone(view)
        world = definition.seen(definition.resample(s, seat, Stream(number)), seat)
        chances = interpreted(bot, view, 2, seed=number)
        assert chances == interpreted(bot, world, 2, seed=number)
        assert view == kept, "rollouts must not change the view"


@every_game
def test_win_chances_add_up_to_one(definition: Definition[Any]) -> None:
    for bot in bots_of(definition.name):
        ((_, view, _), *_) = some_views(definition, every=1)
        chances = interpreted(bot, view, 3, seed=1)
        assert len(chances.wins) == definition.read_options(view).seats
        assert math.isclose(sum(chances.wins), 1)
        assert tuple(chances.goals) == definition.goals
        assert all(0 <= share <= 1 for shares in chances.goals.values() for share in shares)


def test_budget_of_rollouts_and_time() -> None:
    bot = bot_named("deep-sea", "random")
    (_, view, _), *_ = some_views(DEEP_SEA, every=1)
    chances = interpreted(bot, view, 12, seed=7)
    assert chances.rollouts == 12
    assert chances == interpreted(bot, view, 12, seed=7, milliseconds=600_000)
    assert chances != interpreted(bot, view, 12, seed=8)
    assert interpreted(bot, view, 12, seed=7, milliseconds=0).rollouts == 1
    assert interpreted(bot, view, 12, seed=-1) == interpreted(bot, view, 12, seed=2**64 - 1)


def test_a_rollout_may_begin_with_an_action() -> None:
    """The bot's own choice as the opening changes nothing; another action does."""
    bot = bot_named("deep-sea", "greedy")
    found = 0
    for _, view, _ in some_views(DEEP_SEA, every=2):
        legal = DEEP_SEA.legal_actions(view)
        if len(legal) > 1:
            own = bot_choice(view, legal)
            by_opening = {each: interpreted(bot, view, 8, seed=7, opening=each) for each in legal}
            assert by_opening[own] == interpreted(bot, view, 8, seed=7)
            found += any(chances != by_opening[own] for chances in by_opening.values())
    assert found > 3


def bot_choice(view: Any, legal: list[int]) -> int:
    roster = roster_of("deep-sea")
    return roster.choose(view, roster.named("greedy").index, list(legal), len(legal), Stream(0))


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
@every_game
def test_compiled_rollouts_give_equal_chances(definition: Definition[Any]) -> None:
    from archipel.rules.kit.numba.compile_cache import default_cache
    from archipel.rules.kit.numba.compiler import CHECKED, compile_program

    program = rollout_program(definition.name)
    compiled = compile_program(program, CHECKED, default_cache())
    for number, (_, view, _) in enumerate(some_views(definition, every=31)):
        for bot in bots_of(definition.name):
            chances = estimate_chances(compiled, bot, view, 2, seed=number)
            assert chances == interpreted(bot, view, 2, seed=number)
