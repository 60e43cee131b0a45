"""Weighing candidates in equal worlds, as a rule: what each is worth to every seat.

All candidates are played in the same worlds with the same chance, so that what they differ by is
known far better than what they are worth.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.kernel import (
    CHANCE,
    CHOICES,
    DEALING,
    DEALT,
    ROOT,
    WORLD,
    simulate,
    use_stream,
)
from archipel.bots.search.thinking import Thinking
from archipel.rules.kit import Stream, rule
from archipel.rules.kit.copying import copy_state
from archipel.rules.slots import GameState, deal_unseen

# Parts of a row of sums, each with a column for every seat.
SHARES: Final = 0
SQUARES: Final = 1
GAPS: Final = 2  # squares of what lies between a candidate and the first
PARTS: Final = 3


@rule
def weigh(
    states: list[GameState],
    actions: list[int],
    features: list[float],
    strands: list[Thinking],
    numbers: list[int],
    count: int,
    chance: Stream,
    choices: Stream,
    first: int,
    worlds: int,
    sums: list[list[float]],
) -> None:
    """Add up what the candidates of these numbers came to in some worlds, a row for each; one row
    more is room for the first one's shares.

    What is at ROOT, a view or a whole position, is dealt what it lacks; `begin` comes before this.
    """
    t = strands[0]
    for world in range(first, first + worlds):
        use_stream(chance, t, world, DEALING)
        copy_state(states, ROOT, DEALT)
        deal_unseen(states[DEALT], chance)
        for place in range(count):
            use_stream(chance, t, world, CHANCE)
            use_stream(choices, t, world, CHOICES)
            copy_state(states, DEALT, WORLD)
            simulate(states, actions, features, t, numbers[place], chance, choices)
            for seat in range(t.seats):
                share = t.share[seat]
                if place == 0:
                    sums[count][seat] = share
                gap = share - sums[count][seat]
                sums[place][SHARES * t.seats + seat] += share
                sums[place][SQUARES * t.seats + seat] += share * share
                sums[place][GAPS * t.seats + seat] += gap * gap
