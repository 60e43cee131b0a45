"""What speaks for a diver: treasure brought home, and what is still in the hand, by the chance of
getting it there.

Each round has features of its own, since a lead weighs more the fewer rounds are left.  Worths are
in points.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.getting_home import CERTAIN, HOME_CHANCE
from archipel.bots.deep_sea.greedy_1 import AIR, distance_home, hand_worth, throws_left
from archipel.rules.deep_sea.components import MOST_UNITS_HELD, ROUNDS
from archipel.rules.deep_sea.state import SUBMARINE, State
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

PER_ROUND: Final = 13
FEATURES: Final = PER_ROUND * ROUNDS

# Leads beyond these count no more.
SMALL_LEAD: Final = 6.0
LARGE_LEAD: Final = 24.0


@rule_apart
def chance_of_coming_home(s: State, diver: int) -> float:
    """As if the diver turned back now."""
    if s.home[diver] != 0:
        return 0.0
    load = s.load[diver]
    if load > MOST_UNITS_HELD or s.place[diver] == SUBMARINE:
        return 0.0
    throws = throws_left(s, diver, load, AIR * s.air, 0)
    return HOME_CHANCE[load][distance_home(s, diver, s.place[diver])][throws] / CERTAIN


@rule
def haul_of(s: State, diver: int) -> float:
    """The points that a diver may expect to bring home in this round, of what is in the hand."""
    return 0.5 * hand_worth(s, diver) * chance_of_coming_home(s, diver)


@rule
def within(lead: float, most: float) -> float:
    return max(-most, min(most, lead)) / most


@rule
def best_of_the_others(s: State, seat: int) -> float:
    best = 0.0
    for other in range(s.seats):
        if other != seat:
            best = max(best, s.points[other] + haul_of(s, other))
    return best


@rule_apart
def appraise_1(s: State, seat: int, features: list[float]) -> int:
    """See `archipel.rules.slots.appraise`."""
    for feature in range(FEATURES):
        features[feature] = 0.0
    at = PER_ROUND * min(s.round_number, ROUNDS - 1)
    haul = haul_of(s, seat)
    worth = 0.5 * hand_worth(s, seat)
    lead = s.points[seat] + haul - best_of_the_others(s, seat)
    depth = 0.1 * (s.place[seat] - SUBMARINE)
    features[at] = 1.0 if s.to_move == seat else 0.0
    features[at + 1] = 0.05 * s.points[seat]
    features[at + 2] = 0.05 * haul
    features[at + 3] = within(lead, SMALL_LEAD)
    features[at + 4] = within(lead, LARGE_LEAD)
    if s.home[seat] != 0:
        features[at + 5] = 1.0
    elif s.turned[seat] != 0:
        features[at + 6] = 1.0
        features[at + 7] = depth
        features[at + 8] = 0.05 * worth
    else:
        features[at + 9] = depth
        features[at + 10] = 0.05 * worth
        features[at + 11] = depth * s.air / 25.0
        features[at + 12] = 0.25 * s.load[seat]
    return FEATURES
