"""The inputs of Deep Sea Adventure's evaluation net: what each diver has, and may still get home.

Points are divided by 40, and leads are capped. Treasure that is not home counts with its expected
value, by the levels of its chips.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.evaluation import LARGE_LEAD, MIDDLE_LEAD, SMALL_LEAD, within
from archipel.bots.deep_sea.greedy_1 import (
    AIR,
    CERTAIN,
    HOME_CHANCE,
    air_others_use,
    distance_home,
    hand_worth,
    throws_left,
    unit_worth,
)
from archipel.bots.net_inputs import NetInputs
from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.state import DISC, NOBODY, SUBMARINE, Phase, State
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

POINTS: Final = 40.0
NEAR: Final = 6  # spaces: what one or two throws reach


# ---- slots --------------------------------------------------------------------------------------


@rule
def own(s: State, seat: int) -> int:
    return seat


@rule
def claim(s: State, diver: int) -> int:
    """Twice the points that a diver has if all treasure gets home."""
    return 2 * s.points[diver] + hand_worth(s, diver)


@rule
def strongest(s: State, seat: int, without: int) -> int:
    """The opponent with the largest claim, except one; the first in turn order wins ties."""
    found = NOBODY
    most = -1
    for step in range(1, s.seats):
        other = (seat + step) % s.seats
        if other != without and claim(s, other) > most:
            found = other
            most = claim(s, other)
    return found


@rule_apart
def rival(s: State, seat: int) -> int:
    return strongest(s, seat, NOBODY)


@rule_apart
def second(s: State, seat: int) -> int:
    return strongest(s, seat, rival(s, seat)) if s.seats > 2 else NOBODY


# ---- quantities ---------------------------------------------------------------------------------


@rule_apart
def held(s: State, who: int) -> int:
    """Twice the points of the treasure in a diver's hand: its values at home, else expected."""
    if s.home[who] == 0:
        return hand_worth(s, who)
    worth = 0
    for slot in range(s.load[who]):
        unit = s.hand[who][slot]
        for chip in range(box.CHIPS):
            if unit >> chip & 1 != 0:
                worth += 2 * s.value[chip] if s.value[chip] >= 0 else unit_worth(1 << chip)
    return worth


@rule_apart
def throws(s: State, who: int) -> int:
    """The number of throws that the air lasts for a diver, with the present load."""
    if s.home[who] != 0 or s.air == 0:
        return 0
    return throws_left(s, who, max(1, s.load[who]), AIR * s.air, 0)


@rule_apart
def safe(s: State, who: int, throws: int) -> int:
    """The chance, in thousandths, to get home with the present load."""
    if s.home[who] != 0:
        return CERTAIN
    if s.load[who] == 0 or s.place[who] == SUBMARINE:
        return 0
    return HOME_CHANCE[s.load[who]][distance_home(s, who, s.place[who])][throws]


@rule_apart
def safe_with_more(s: State, who: int) -> int:
    """The chance, in thousandths, to get home with one more unit."""
    if s.home[who] != 0 or s.load[who] >= box.MOST_UNITS_HELD or s.place[who] == SUBMARINE:
        return 0
    if s.air == 0:
        return 0
    more = s.load[who] + 1
    left = throws_left(s, who, more, AIR * s.air - air_others_use(s, who, 0), 0)
    return HOME_CHANCE[more][distance_home(s, who, s.place[who])][left]


# ---- inputs of a diver --------------------------------------------------------------------------


@rule
def secured(s: State, who: int, held: int) -> float:
    """Points that are certain, of 40: treasure, and what came home this round."""
    own = 2 * s.points[who] + (held if s.home[who] != 0 else 0)
    return own / (2.0 * POINTS)


@rule
def at_home(s: State, who: int) -> float:
    """1 if home this round."""
    return 1.0 if s.home[who] != 0 else 0.0


@rule
def heading_back(s: State, who: int) -> float:
    """1 on the way home."""
    return 1.0 if s.home[who] == 0 and s.turned[who] != 0 else 0.0


@rule
def has_load(s: State, who: int) -> float:
    """1 if in the water with treasure."""
    return 1.0 if s.home[who] == 0 and s.load[who] > 0 else 0.0


@rule
def weight(s: State, who: int) -> float:
    """Units held in the water, of 4."""
    return 0.25 * s.load[who] if s.home[who] == 0 else 0.0


@rule
def depth(s: State, who: int) -> float:
    """Spaces from the submarine, of 32."""
    return (s.place[who] - SUBMARINE) / 32.0 if s.home[who] == 0 else 0.0


@rule
def at_stake(s: State, who: int, held: int) -> float:
    """Expected points in the hand in the water, of 40."""
    return held / (2.0 * POINTS) if s.home[who] == 0 else 0.0


@rule
def safety(s: State, who: int, safe: int) -> float:
    """The chance to get the present load home from here; 0 if home."""
    return safe / 1000.0 if s.home[who] == 0 else 0.0


@rule
def expected(s: State, who: int, held: int, safe: int) -> float:
    """Expected points to be got home if the diver turns now, of 40."""
    return held * safe / (2000.0 * POINTS) if s.home[who] == 0 else 0.0


@rule
def safety_with_more(s: State, who: int, safe_with_more: int) -> float:
    """The chance to get one more unit home from here."""
    return safe_with_more / 1000.0


@rule
def time_left(s: State, who: int, throws: int) -> float:
    """Throws that the air lasts, of 8."""
    return min(8, throws) / 8.0


@rule
def slack(s: State, who: int, throws: int) -> float:
    """Steps of the mean throws left, less the distance home, of 16."""
    if s.home[who] != 0:
        return 0.0
    steps = throws * max(0, 4 - s.load[who]) - (s.place[who] - SUBMARINE)
    return within(float(steps), 16.0)


@rule
def waits(s: State, who: int) -> float:
    """Turns until this diver moves, of the number of opponents."""
    if s.home[who] != 0:
        return 0.0
    return (who - s.to_move + s.seats) % s.seats / (s.seats - 1.0)


@rule
def searches(s: State, who: int) -> float:
    """1 for a diver who has moved and now searches."""
    return 1.0 if s.phase == Phase.SEARCH and s.to_move == who else 0.0


@rule
def worth_here(s: State, who: int) -> float:
    """Expected points of the unit on a searching diver's space, of 20."""
    if s.phase != Phase.SEARCH or s.to_move != who or s.line[s.place[who]] == DISC:
        return 0.0
    return unit_worth(s.line[s.place[who]]) / 40.0


@rule_apart
def worth_between(s: State, first: int, last: int) -> int:
    worth = 0
    for space in range(max(0, first), min(s.line_length, last + 1)):
        if s.line[space] != DISC:
            worth += unit_worth(s.line[space])
    return worth


# ---- inputs of the position ---------------------------------------------------------------------


@rule
def ahead(s: State, seat: int) -> float:
    """Expected points on the six spaces farther out, of 80."""
    if s.home[seat] != 0 or s.turned[seat] != 0:
        return 0.0
    return worth_between(s, s.place[seat] + 1, s.place[seat] + NEAR) / (4.0 * POINTS)


@rule
def on_the_way(s: State, seat: int) -> float:
    """Expected points on the six spaces nearer to the submarine, of 80."""
    if s.home[seat] != 0:
        return 0.0
    return worth_between(s, s.place[seat] - NEAR, s.place[seat] - 1) / (4.0 * POINTS)


@rule
def near_worth(s: State, seat: int) -> float:
    """Expected points on the first ten spaces, of 80."""
    return worth_between(s, 0, 9) / (4.0 * POINTS)


@rule
def far_worth(s: State, seat: int) -> float:
    """Expected points on the last eight spaces, of 160."""
    return worth_between(s, s.line_length - 8, s.line_length - 1) / (8.0 * POINTS)


@rule
def line(s: State, seat: int) -> float:
    """Spaces of the line, of 32."""
    return s.line_length / 32.0


@rule
def air(s: State, seat: int) -> float:
    """Air left, of 25."""
    return s.air / 25.0


@rule
def little_air(s: State, seat: int) -> float:
    """Air left up to 8, of 8."""
    return min(8, s.air) / 8.0


@rule
def breath(s: State, seat: int) -> float:
    """Air that all divers use in a turn each, of 8."""
    loads = 0
    for diver in range(s.seats):
        if s.home[diver] == 0:
            loads += s.load[diver]
    return loads / 8.0


@rule
def in_the_water(s: State, seat: int) -> float:
    """The share of divers who are not home."""
    divers = 0
    for diver in range(s.seats):
        if s.home[diver] == 0:
            divers += 1
    return divers / (1.0 * s.seats)


@rule
def second_round(s: State, seat: int) -> float:
    """1 in the second round."""
    return 1.0 if s.round_number == 1 else 0.0


@rule
def last_round(s: State, seat: int) -> float:
    """1 in the last round."""
    return 1.0 if s.round_number == box.ROUNDS - 1 else 0.0


@rule
def round_over(s: State, seat: int) -> float:
    """1 if the air is used up."""
    return 1.0 if s.air == 0 else 0.0


@rule
def secured_lead(s: State, seat: int, own_held: int, rival_held: int, rival: int) -> float:
    """Certain points ahead of the strongest opponent."""
    lead = secured(s, seat, own_held) - secured(s, rival, rival_held)
    return POINTS * lead


@rule
def lead_small(
    s: State, seat: int, own_held: int, own_safe: int, rival_held: int, rival_safe: int, rival: int
) -> float:
    """Expected lead, capped at 5 points."""
    return within(
        expected_lead(s, seat, own_held, own_safe, rival, rival_held, rival_safe), SMALL_LEAD
    )


@rule
def lead_middle(
    s: State, seat: int, own_held: int, own_safe: int, rival_held: int, rival_safe: int, rival: int
) -> float:
    """Expected lead, capped at 15 points."""
    return within(
        expected_lead(s, seat, own_held, own_safe, rival, rival_held, rival_safe), MIDDLE_LEAD
    )


@rule
def lead_large(
    s: State, seat: int, own_held: int, own_safe: int, rival_held: int, rival_safe: int, rival: int
) -> float:
    """Expected lead, capped at 40 points."""
    return within(
        expected_lead(s, seat, own_held, own_safe, rival, rival_held, rival_safe), LARGE_LEAD
    )


@rule
def lead_at_the_end(
    s: State, seat: int, own_held: int, own_safe: int, rival_held: int, rival_safe: int, rival: int
) -> float:
    """Expected lead in the last round, capped at 15 points."""
    if s.round_number < box.ROUNDS - 1:
        return 0.0
    return within(
        expected_lead(s, seat, own_held, own_safe, rival, rival_held, rival_safe), MIDDLE_LEAD
    )


@rule
def lead_if_home(s: State, seat: int, own_held: int, rival_held: int, rival: int) -> float:
    """The lead in the last round if all treasure in hands gets home, capped at 15 points."""
    if s.round_number < box.ROUNDS - 1:
        return 0.0
    lead = s.points[seat] - s.points[rival] + (own_held - rival_held) / 2.0
    return within(lead, MIDDLE_LEAD)


@rule
def safe_at_the_end(s: State, seat: int, own_held: int, rival_held: int, rival: int) -> float:
    """The certain lead in the last round, capped at 15 points."""
    if s.round_number < box.ROUNDS - 1:
        return 0.0
    return within(secured_lead(s, seat, own_held, rival_held, rival), MIDDLE_LEAD)


@rule
def certain_lead(s: State, seat: int, own_held: int, rival_held: int, rival: int) -> float:
    """The certain lead, capped at 40 points."""
    return within(secured_lead(s, seat, own_held, rival_held, rival), LARGE_LEAD)


@rule
def expected_lead(
    s: State, seat: int, own_held: int, own_safe: int, other: int, held: int, safe: int
) -> float:
    mine = s.points[seat] + own_held * own_safe / 2000.0
    return mine - s.points[other] - held * safe / 2000.0


DEEP_SEA_INPUTS: Final = NetInputs(
    State,
    slots={"own": own, "rival": rival, "second": second},
    quantities=(held, throws, safe, safe_with_more),
    of_slot=(
        secured,
        at_home,
        heading_back,
        has_load,
        weight,
        depth,
        at_stake,
        safety,
        expected,
        safety_with_more,
        time_left,
        slack,
        waits,
        searches,
        worth_here,
    ),
    of_position=(
        ahead,
        on_the_way,
        near_worth,
        far_worth,
        line,
        air,
        little_air,
        breath,
        in_the_water,
        second_round,
        last_round,
        round_over,
        lead_small,
        lead_middle,
        lead_large,
        certain_lead,
        lead_at_the_end,
        lead_if_home,
        safe_at_the_end,
    ),
)

net_inputs: Final = DEEP_SEA_INPUTS.make_rule()
