"""What a simulation came to for each seat: first place at the end, or the chance of it before."""

from __future__ import annotations

from typing import Final

from archipel.bots.search.thinking import Thinking
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.numbers import decay
from archipel.rules.slots import GameState, appraise, rank, score

#: A lead in what speaks for a seat that counts in full: e to that power are its odds.
PLAIN_LEAD: Final = 6.0


@rule_apart
def points_of(s: GameState, seat: int) -> int:
    return score(s, seat)


@rule_apart
def features_of(s: GameState, seat: int, features: list[float]) -> int:
    return appraise(s, seat, features)


@rule
def lead_of(s: GameState, seat: int, seats: int) -> int:
    """Points ahead of the best of the others, or behind."""
    best = -1_000_000
    for other in range(seats):
        if other != seat:
            best = max(best, points_of(s, other))
    return points_of(s, seat) - best


@rule
def margin_of(s: GameState, t: Thinking, seat: int) -> float:
    """A lead as a number from 0 to 1: in the middle for level, at the ends from ``scale`` on."""
    lead = lead_of(s, seat, t.seats) / (2.0 * t.scale)
    return min(1.0, max(0.0, 0.5 + lead))


@rule_apart
def reward_ending(s: GameState, t: Thinking) -> None:
    """At the end of a game: a share of first place, and a part for the margin."""
    winners = 0
    for seat in range(t.seats):
        if rank(s, seat) == 0:
            winners += 1
    for seat in range(t.seats):
        t.share[seat] = 1.0 / winners if rank(s, seat) == 0 else 0.0
        t.reward[seat] = t.share[seat]
        if t.margin > 0.0:
            t.reward[seat] += t.margin * (margin_of(s, t, seat) - t.share[seat])


@rule
def expected_margin(t: Thinking, seat: int) -> float:
    """Likewise by what speaks for the seats, as it is noted in `share`."""
    best = -1.0e9
    for other in range(t.seats):
        if other != seat:
            best = max(best, t.share[other])
    return min(1.0, max(0.0, 0.5 + (t.share[seat] - best) / (2.0 * PLAIN_LEAD)))


@rule_apart
def reward_prospects(s: GameState, t: Thinking, features: list[float]) -> bool:
    """In the middle of a game: the chance of first place, by what speaks for each seat; or by the
    points alone, where the plan knows nothing else.  False where there is nothing to be said yet.
    """
    if t.features == 0:
        for seat in range(t.seats):
            t.share[seat] = margin_of(s, t, seat)
            t.reward[seat] = t.share[seat]
        return True
    most = -1.0e9
    for seat in range(t.seats):
        known = features_of(s, seat, features)
        if known == 0:
            return False
        speaks = 0.0
        for feature in range(known):
            speaks += t.weights[feature] * features[feature]
        t.share[seat] = speaks
        most = max(most, speaks)
    if t.margin > 0.0:
        for seat in range(t.seats):
            t.reward[seat] = expected_margin(t, seat)
    whole = 0.0
    for seat in range(t.seats):
        t.share[seat] = decay(most - t.share[seat])
        whole += t.share[seat]
    for seat in range(t.seats):
        t.share[seat] /= whole
        if t.margin > 0.0:
            t.reward[seat] = t.share[seat] + t.margin * (t.reward[seat] - t.share[seat])
        else:
            t.reward[seat] = t.share[seat]
    return True
