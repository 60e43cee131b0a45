"""Weighing candidates in equal worlds, as a rule: what each is worth to every seat.

All candidates are played in the same worlds with the same chance, so that what they differ by is
known far better than what they are worth.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.engine.own import FEATURES, POLICY, SCALE, WEIGHTS
from archipel.bots.search.kernel import (
    CHANCE,
    CHOICES,
    DEALING,
    DEALT,
    ROOT,
    WORLD,
    begin,
    simulate,
    use_stream,
)
from archipel.bots.search.thinking import Thinking
from archipel.rules.kit import U64, Stream, rule
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


# What `begin_weighing` tells: how many candidates there are, which is the policy's, then actions.
COUNT: Final = 0
ADVICE: Final = 1
ACTIONS: Final = 2


@rule
def begin_weighing(
    states: list[GameState],
    actions: list[int],
    strands: list[Thinking],
    seats: int,
    horizon: int,
    seed: U64,
    choices: Stream,
    told: list[int],
) -> None:
    """Find the candidates in the view at ROOT; a horizon below 0 has all played to its end."""
    t = strands[0]
    t.simulations = 1
    t.policy = POLICY
    t.playout = POLICY
    t.others = POLICY
    t.horizon = max(0, horizon)
    t.depth = 0
    t.rivals = 0
    t.shortlist = 0
    t.trust = 0.0
    t.margin = 0.0
    t.scale = SCALE
    t.sure = 0.0
    t.overlook = 0
    t.features = FEATURES if horizon >= 0 else 0
    for feature in range(t.features):
        t.weights[feature] = WEIGHTS[seats][feature]
    t.seed = seed
    t.seats = seats
    begin(states, actions, strands, 1, choices)
    told[COUNT] = t.count
    told[ADVICE] = t.advice
    for number in range(t.count):
        told[ACTIONS + number] = t.candidate[number]
