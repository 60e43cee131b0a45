"""Bots of two rosters of one game in one: the rule that asks whichever a bot belongs to.

The names here are open: `joined` adopts the rule with two rosters' own (see
`archipel.rules.kit.adoption`).
"""

from __future__ import annotations

import sys
from dataclasses import replace

from archipel.bots.contract import Roster
from archipel.rules.kit import Chance, rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.plugins import PluginError
from archipel.rules.sentence import Sentence
from archipel.rules.slots import GameState

FIRST_OF_SECOND: int = 0


@rule
def choose_of_first(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    raise NotImplementedError


@rule
def choose_of_second(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    raise NotImplementedError


@rule
def choose_of_either(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The action that a bot chooses: those of the second roster are numbered after the first's."""
    if bot < FIRST_OF_SECOND:
        return choose_of_first(s, bot, actions, count, chance)
    return choose_of_second(s, bot - FIRST_OF_SECOND, actions, count, chance)


def joined(first: Roster, second: Roster) -> Roster:
    """The bots of both, under names that are all different; raises `PluginError`."""
    taken = {name for bot in first.players for name in (bot.name, bot.family)}
    for bot in second.players:
        if bot.name in taken:
            raise PluginError(
                Sentence("{game} already has a bot called {bot}", game=bot.game, bot=bot.name)
            )
    own = {
        "FIRST_OF_SECOND": len(first.bots),
        "choose_of_first": first.choose,
        "choose_of_second": second.choose,
    }
    moved = (replace(b, index=b.index + len(first.bots)) for b in second.bots)
    return replace(
        first,
        choose=Adoption(sys.modules[__name__], own)(choose_of_either),
        bots=(*first.bots, *moved),
        levels=(*first.levels, *second.levels),
        former_levels=(*first.former_levels, *second.former_levels),
    )
