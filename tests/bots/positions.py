"""Fixed positions with a choice, as the seat to move sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from archipel.bots import Bot, offered_bots
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.options import Options
from archipel.study.soak import all_options


def decisions(
    definition: Definition[Any], seed: int, options: Sequence[Options] = ()
) -> Iterator[tuple[Any, list[int]]]:
    """Full positions with more than one legal action, from games between all offered bots.

    The games have the given options, or else all options in turn.
    """
    bots = [Bot(info) for info in offered_bots(definition.name)]
    tables = options or list(all_options(definition))
    number = 0
    while True:
        chance = Stream(stream_key(seed, number))
        # A stride through the list, so that the first few games already differ in their seats.
        s = definition.new(tables[number * 7 % len(tables)], chance)
        moves = 0
        while (seat := definition.to_move(s)) >= 0:
            legal = definition.legal_actions(s)
            if len(legal) > 1:
                yield clone(s), legal
            bot = bots[(seat + number) % len(bots)]
            view = definition.seen(s, seat)
            definition.apply(s, bot.choose(view, legal, seed=seed + moves), chance)
            moves += 1
        number += 1
