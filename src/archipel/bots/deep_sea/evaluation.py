"""Evaluation features of a diver between two rounds: treasure at home and the lead.

Within a round too much depends on the air, so only the start of a round is evaluated. Each round
has its own features, because a lead counts more in later rounds.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea.components import FULL_AIR, ROUNDS
from archipel.rules.deep_sea.state import SUBMARINE, Phase, State
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

PER_ROUND: Final = 7
FEATURES: Final = PER_ROUND * (ROUNDS - 1)  # before the first round all divers are equal

# Leads are capped at these values, in points.
SMALL_LEAD: Final = 5.0
MIDDLE_LEAD: Final = 15.0
LARGE_LEAD: Final = 40.0


@rule
def is_start_of_round(s: State) -> bool:
    if s.phase != Phase.THROW or s.air != FULL_AIR or s.round_number == 0:
        return False
    for diver in range(s.seats):
        if s.place[diver] != SUBMARINE or s.home[diver] != 0:
            return False
    return True


@rule
def within(lead: float, most: float) -> float:
    return max(-most, min(most, lead)) / most


@rule_apart
def evaluate_1(s: State, seat: int, features: list[float]) -> int:
    """See `archipel.bots.contract.BotRules.evaluate`."""
    if not is_start_of_round(s):
        return 0
    for feature in range(FEATURES):
        features[feature] = 0.0
    best = 0
    second = 0
    for other in range(s.seats):
        if other != seat:
            points = s.points[other]
            second = max(second, min(best, points))
            best = max(best, points)
    lead = s.points[seat] - best
    at = PER_ROUND * (s.round_number - 1)
    features[at] = (seat - s.to_move) % s.seats / (s.seats - 1.0)  # divers before this one
    features[at + 1] = 0.02 * s.points[seat]
    features[at + 2] = within(lead, SMALL_LEAD)
    features[at + 3] = within(lead, MIDDLE_LEAD)
    features[at + 4] = within(lead, LARGE_LEAD)
    features[at + 5] = within(s.points[seat] - second, LARGE_LEAD)
    features[at + 6] = within(lead, LARGE_LEAD) * s.line_length / 32.0
    return FEATURES
