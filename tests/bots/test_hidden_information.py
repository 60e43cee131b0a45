"""Hidden information does not change a bot's choice."""

from __future__ import annotations

from itertools import islice

import pytest

from archipel.bots import Bot, BotInfo, bots_of
from archipel.rules.all_games import game_named, games
from archipel.rules.kit import Stream
from tests.bots.positions import decisions

BOTS = [bot for definition in games() for bot in bots_of(definition.name)]


@pytest.mark.parametrize("info", BOTS, ids=str)
def test_equal_views_give_equal_choices(info: BotInfo) -> None:
    definition = game_named(info.game)
    bot = Bot(info)
    for number, (s, legal) in enumerate(islice(decisions(definition, 77), 0, 1500, 7)):
        seat = definition.to_move(s)
        view = definition.seen(s, seat)
        world = definition.resample(s, seat, Stream(number))
        chosen = bot.choose(view, legal, seed=number)
        assert chosen == bot.choose(definition.seen(world, seat), legal, seed=number)
        assert view == definition.seen(s, seat), "a bot must not change its view"
