"""careful-1: a fixed yardstick, the rule of a careful player who knows the odds of getting home.

It dives without treasure to a certain depth, takes treasure there, and turns back when another dive
would leave too small a chance to get home. On the way home it takes what raises its expected points
and leaves the chance to get home large enough, and it puts treasure down in danger. Behind in the
last round, it accepts more risk. The chances to cover a distance before the air is gone are
exact (`HOME_CHANCE`) for the air that the opponents are expected to use.

Frozen: results refer to it by name, so a bot that plays differently gets another name. Thresholds
were chosen by matches against greedy-1 and against other thresholds with two, three and four seats.
Chances are in thousandths.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.greedy_1 import (
    AIR,
    CERTAIN,
    HOME_CHANCE,
    MEAN_SUM,
    air_others_use,
    distance_home,
    hand_worth,
    home_value,
    least_unit,
    rival_of,
    throws_left,
    unit_worth,
)
from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.state import DISC, Action, Phase, State
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

# The thresholds: one row per number of seats, from 0.
SHALLOWEST: Final = 0  # the first space, from 0, where an empty-handed diver takes treasure
TAKE_FIRST: Final = 1  # the least chance to get home with the first unit
TAKE_MORE: Final = 2  # with another unit on the way out
DIVE_ON: Final = 3  # with another unit from one dive farther out: otherwise turn back
TAKE_BACK: Final = 4  # with another unit on the way home
PUT_DOWN: Final = 5  # below this chance, put a unit down
MOST_OUT: Final = 6  # turn back with so many units
MOST_BACK: Final = 7  # take no more on the way home with so many units
BEHIND: Final = 8  # thresholds are multiplied by this in the last round when behind
LEAST_OUT: Final = 9  # twice the least points of another unit on the way out
LEAST_BACK: Final = 10  # on the way home
THRESHOLDS: Final = (
    (0,) * 11,
    (0,) * 11,
    (12, 500, 600, 500, 250, 400, 1, 5, 300, 0, 0),
    (8, 300, 700, 700, 200, 400, 1, 3, 500, 0, 2),
    (8, 200, 750, 700, 200, 200, 1, 3, 500, 0, 0),
    (8, 200, 750, 700, 200, 200, 1, 3, 500, 0, 0),
    (8, 200, 750, 700, 200, 200, 1, 3, 500, 0, 0),
)


@rule
def chance_home(s: State, me: int, space: int, load: int, air: int, turn: int) -> int:
    """The chance to get home from a space with a load, while this air lasts."""
    if load == 0 or load > box.MOST_UNITS_HELD or air <= 0:
        return 0
    throws = throws_left(s, me, load, air, turn)
    return HOME_CHANCE[load][distance_home(s, me, space)][throws]


@rule
def least_chance(s: State, me: int, worth: int, threshold: int) -> int:
    """A threshold; lower in the last round for a diver who is behind with this treasure."""
    chance = THRESHOLDS[s.seats][threshold]
    if s.round_number == box.ROUNDS - 1 and worth <= rival_of(s, me):
        return chance * THRESHOLDS[s.seats][BEHIND] // CERTAIN
    return chance


@rule_apart
def choose_carefully_1(s: State, actions: list[int], count: int) -> int:
    if count == 1:
        return actions[0]
    if s.phase == Phase.THROW:
        return direction(s, s.to_move)
    if s.phase == Phase.LAY:
        return Action.LAY_DOWN + least_unit(s, s.to_move)
    if s.air == 0:
        return Action.NOTHING  # the round is over
    if s.line[s.place[s.to_move]] == DISC:
        return putting_down(s, s.to_move)
    return taking(s, s.to_move)


@rule
def direction(s: State, me: int) -> int:
    """Turn back unless one more mean dive, with a unit from there, leaves a good chance."""
    load = s.load[me]
    space = min(s.line_length - 1, s.place[me] + max(0, MEAN_SUM - load))
    if load >= THRESHOLDS[s.seats][MOST_OUT] or space == s.place[me]:
        return Action.TURN_BACK
    air = AIR * (s.air - load) - air_others_use(s, me, 1)
    chance = chance_home(s, me, space, load + 1, air, 1)
    enough = chance >= least_chance(s, me, hand_worth(s, me), DIVE_ON)
    return Action.DIVE if enough else Action.TURN_BACK


@rule
def putting_down(s: State, me: int) -> int:
    load = s.load[me]
    air = AIR * s.air - air_others_use(s, me, 0)
    chance = chance_home(s, me, s.place[me], load, air, 0)
    in_danger = chance < least_chance(s, me, hand_worth(s, me), PUT_DOWN)
    if load > 1 and in_danger and chance_home(s, me, s.place[me], load - 1, air, 0) > chance:
        return Action.PUT + least_unit(s, me)
    return Action.NOTHING


@rule
def gain(s: State, me: int, worth: int, air: int) -> int:
    """The expected treasure with the unit here, less that without it (see `home_value`)."""
    load = s.load[me]
    rival = rival_of(s, me)
    more = worth + unit_worth(s.line[s.place[me]])
    throws = throws_left(s, me, load + 1, air, 0)
    found = home_value(s, me, s.place[me], load + 1, more, throws, rival)
    if load > 0:
        throws = throws_left(s, me, load, air, 0)
        found -= home_value(s, me, s.place[me], load, worth, throws, rival)
    return found


@rule
def taking(s: State, me: int) -> int:
    load = s.load[me]
    space = s.place[me]
    worth = hand_worth(s, me)
    unit = unit_worth(s.line[space])
    air = AIR * s.air - air_others_use(s, me, 0)
    chance = chance_home(s, me, space, load + 1, air, 0)
    take = False
    if s.turned[me] != 0:
        enough = chance >= THRESHOLDS[s.seats][TAKE_BACK]
        worthwhile = unit >= THRESHOLDS[s.seats][LEAST_BACK] and gain(s, me, worth, air) > 0
        take = load < THRESHOLDS[s.seats][MOST_BACK] and enough and worthwhile
    elif load == 0:
        deep = space >= THRESHOLDS[s.seats][SHALLOWEST] or space + MEAN_SUM >= s.line_length
        take = deep and chance >= least_chance(s, me, 0, TAKE_FIRST)
    else:
        enough = chance >= THRESHOLDS[s.seats][TAKE_MORE]
        worthwhile = unit >= THRESHOLDS[s.seats][LEAST_OUT] and gain(s, me, worth, air) > 0
        take = load < THRESHOLDS[s.seats][MOST_OUT] and enough and worthwhile
    return Action.TAKE if take else Action.NOTHING
