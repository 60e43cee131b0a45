"""What the engine adds to search: how it begins and what it tells, in plain numbers.

Whoever runs it need not know how a search keeps its records: it is given room, a view, a budget and
a seed, and tells sums that can be added up over seeds.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.engine.own import (
    BY_HABIT,
    DEPTH,
    EXPLORE,
    FEATURES,
    HORIZON,
    IDEAS,
    MARGIN,
    OTHERS,
    PLAYOUT,
    POLICY,
    RIVALS,
    SCALE,
    SHORTLIST,
    SURE,
    TRUST,
    WEIGHTS,
    WIDEN,
    any_bot,
)
from archipel.bots.search.kernel import begin
from archipel.bots.search.thinking import Thinking
from archipel.rules.kit import U64, Chance, Stream, rule
from archipel.rules.slots import GameState

# Columns of what is told of each candidate.
ACTION: Final = 0
VISITS: Final = 1
WON: Final = 2  # the sum of shares of first place
WORTH: Final = 3  # the sum of rewards...
SQUARES: Final = 4  # ...and of their squares
COLUMNS: Final = 5


@rule
def choose_as_policy(s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
    """The engine knows the bots of its plan, so that no other comes along."""
    if bot == PLAYOUT:
        return any_bot(s, PLAYOUT, actions, count, chance)
    if bot == OTHERS:
        return any_bot(s, OTHERS, actions, count, chance)
    if bot == IDEAS:
        return any_bot(s, IDEAS, actions, count, chance)
    return any_bot(s, POLICY, actions, count, chance)


@rule
def begin_thinking(
    states: list[GameState],
    actions: list[int],
    strands: list[Thinking],
    seats: int,
    simulations: int,
    seed: U64,
    choices: Stream,
) -> None:
    """Begin a search of one strand, by the game's plan, from the view in the first state."""
    t = strands[0]
    t.simulations = simulations
    t.policy = POLICY
    t.playout = PLAYOUT
    t.others = OTHERS
    t.horizon = HORIZON
    t.depth = DEPTH
    t.ideas = IDEAS
    t.rivals = RIVALS
    t.habit = BY_HABIT
    t.explore = EXPLORE
    t.widen = WIDEN
    t.shortlist = SHORTLIST
    t.trust = TRUST
    t.margin = MARGIN
    t.scale = SCALE
    t.sure = SURE
    t.overlook = 0
    t.features = FEATURES
    for feature in range(FEATURES):
        t.weights[feature] = WEIGHTS[seats][feature]
    t.seed = seed
    t.seats = seats
    begin(states, actions, strands, 1, choices)


@rule
def tell(strands: list[Thinking], found: list[list[float]]) -> int:
    """Fill in what was found out about each candidate, the best first; how many there are."""
    t = strands[0]
    for place in range(t.count):
        number = t.order[place]
        found[place][ACTION] = t.candidate[number]
        found[place][VISITS] = t.visits[number]
        found[place][WON] = t.won[number]
        found[place][WORTH] = t.worth[number]
        found[place][SQUARES] = t.squares[number]
    return t.count
