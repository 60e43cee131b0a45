"""greedy-1: weighs what it could bring home by the chance of getting there.

It looks one throw ahead, and a few more as if each brought the mean; it knows how likely a diver is
to cover a distance before the air is gone, and guesses how much of it the others will use.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.

Worths are in half points (a chip's expected points are not whole), air is in hundredths, chances
and values in thousandths.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.getting_home import (
    CERTAIN,
    FARTHEST,
    HOME_CHANCE,
    LEAST_SUM,
    MOST_THROWS,
    THROWS,
    WAYS,
)
from archipel.rules.deep_sea.components import (
    CHIPS_PER_LEVEL,
    LEVELS,
    MOST_UNITS_HELD,
    ROUNDS,
    VALUES_PER_LEVEL,
)
from archipel.rules.deep_sea.state import (
    DISC,
    DIVE,
    LAY,
    LAY_DOWN,
    NOTHING,
    PUT,
    SUBMARINE,
    TAKE,
    THROW,
    TURN_BACK,
    State,
)
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

AIR: Final = 100  # hundredths
MEAN_SUM: Final = 4

# The numbers that follow were found by playing versions against random and against each other, with
# two to six seats. What is said of them was seen over 20,000 games each, all else being equal.

# What a diver on the way out is expected to add to the hand in a turn. At 20 it wins 79 % against
# three random players instead of 84 %; at 60 it wins a tenth less among four of its kind.
TAKEN_PER_TURN: Final = 40

# More than this it expects in nobody's hand. At 200 it wins a little more among its kind and less
# against random; from 300 on it hardly matters.
HEAVIEST_EXPECTED: Final = 400

# What a plan loses with every throw it puts off. Without, it waits at the end of the line for an
# even better moment to take what lies there, and wins 93 % against random instead of 97 %.
IMPATIENCE: Final = 40

# In the last round, what treasure is worth that does not bring the lead, in hundredths. At 0 it
# wins less against everybody; at 100 a little more against random, but a quarter less among four of
# its kind, where coming home beaten is no use.
CONSOLATION: Final = 25

# How many throws out it plans for at most: seven reach the end of the line.
THROWS_PLANNED: Final = 7
MOST_LOAD_TO_DIVE_WITH: Final = 3  # beyond, the mean throw brings nobody farther out

NOBODY_TO_BEAT: Final = -1_000_000

CHIPS_AMONG: Final = tuple(bits.bit_count() for bits in range(1 << CHIPS_PER_LEVEL))


# ---- what things are worth ----------------------------------------------------------------------


@rule
def unit_worth(unit: int) -> int:
    """Twice the points to expect of a unit, by the levels of its chips."""
    worth = 0
    for level in range(LEVELS):
        chips = CHIPS_AMONG[unit >> level * CHIPS_PER_LEVEL & ((1 << CHIPS_PER_LEVEL) - 1)]
        worth += chips * (2 * level * VALUES_PER_LEVEL + VALUES_PER_LEVEL - 1)
    return worth


@rule
def hand_worth(s: State, diver: int) -> int:
    worth = 0
    for slot in range(s.load[diver]):
        worth += unit_worth(s.hand[diver][slot])
    return worth


@rule
def rival_of(s: State, me: int) -> int:
    """In the last round twice the points that the best of the others would have, all going well for
    them; before that there is no need to beat anybody yet."""
    if s.round_number < ROUNDS - 1:
        return NOBODY_TO_BEAT
    to_beat = 0
    for other in range(s.seats):
        if other != me:
            to_beat = max(to_beat, 2 * s.points[other] + hand_worth(s, other))
    return to_beat - 2 * s.points[me]


@rule
def prize(worth: int, rival: int) -> int:
    """What bringing this home is good for: in the last round above all for taking the lead."""
    return worth if worth > rival else worth * CONSOLATION // 100


@rule
def worth_around(s: State, space: int) -> int:
    """What lies on a space and its neighbours, on average: a throw seldom brings just the mean."""
    worth = 0
    spaces = 0
    for near in range(max(0, space - 1), min(s.line_length, space + 2)):
        worth += unit_worth(s.line[near])
        spaces += 1
    return worth // max(1, spaces)


# ---- air and distance ---------------------------------------------------------------------------


@rule
def air_others_use(s: State, me: int, turn: int) -> int:
    """The air all others breathe in one of their turns from now, this one being number 0."""
    used = 0
    for other in range(s.seats):
        held = AIR * s.load[other]
        if other == me or s.home[other] != 0:
            continue
        if s.turned[other] == 0:
            used += max(held, min(HEAVIEST_EXPECTED, held + turn * TAKEN_PER_TURN))
        elif s.place[other] - SUBMARINE > (turn - 1) * (MEAN_SUM - s.load[other]):
            used += held
    return used


@rule
def throws_left(s: State, me: int, load: int, air: int, turn: int) -> int:
    """How many throws the air lasts: the one that empties the tank is still made (DS-E1)."""
    throws = 0
    while air > 0 and throws < MOST_THROWS:
        throws += 1
        air -= AIR * load + air_others_use(s, me, turn + throws)
    return throws


@rule
def distance_home(s: State, me: int, space: int) -> int:
    """Steps from a space into the submarine; divers on the way are jumped (DS-T3)."""
    distance = space - SUBMARINE
    for other in range(s.seats):
        if other != me and s.place[other] != SUBMARINE and s.place[other] < space:
            distance -= 1
    return min(max(1, distance), FARTHEST)


# ---- prospects, for the diver about to throw ----------------------------------------------------


@rule
def home_value(
    s: State, me: int, space: int, load: int, worth: int, throws: int, rival: int
) -> int:
    """The value of swimming home from a space with a hand, if the air lasts so many throws."""
    if load == 0 or load > MOST_UNITS_HELD:
        return 0
    return prize(worth, rival) * HOME_CHANCE[load][distance_home(s, me, space)][throws]


@rule_apart
def heading_home(
    s: State, me: int, space: int, load: int, worth: int, air: int, turn: int, rival: int
) -> int:
    """The value of swimming home from a space with a hand, as it is."""
    if load == 0 or load > MOST_UNITS_HELD:
        return 0
    return home_value(s, me, space, load, worth, throws_left(s, me, load, air, turn), rival)


@rule_apart
def diving_on(s: State, me: int, load: int, worth: int, air: int, turn: int, rival: int) -> int:
    """The value of the best plan that begins with another throw outwards: one throw, then home with
    or without what lies there; or more throws, then home with something from thereabouts."""
    best = 0
    for throws in range(1, THROWS_PLANNED + 1):
        air -= AIR * load + air_others_use(s, me, turn + throws)
        if throws == 1:
            mean = mean_landing(s, me, load, worth, air, turn + 1, rival)
            best = mean // THROWS * (CERTAIN - IMPATIENCE) // CERTAIN
        elif load <= MOST_LOAD_TO_DIVE_WITH and air > 0:
            space = min(s.line_length - 1, s.place[me] + throws * (MEAN_SUM - load))
            richer = worth + worth_around(s, space)
            value = heading_home(s, me, space, load + 1, richer, air, turn + throws, rival)
            best = max(best, value * (CERTAIN - throws * IMPATIENCE) // CERTAIN)
    return best


@rule
def mean_landing(s: State, me: int, load: int, worth: int, air: int, turn: int, rival: int) -> int:
    """The value of heading home from where the next throw leads, with what lies there or without,
    as is better: the sum over all throws.  The air lasts as long wherever that is."""
    mean = 0
    without = throws_left(s, me, load, air, turn) if load > 0 else 0
    taking = throws_left(s, me, load + 1, air, turn)
    for extra in range(len(WAYS)):
        space = min(s.line_length - 1, s.place[me] + max(0, LEAST_SUM + extra - load))
        if space != SUBMARINE:
            richer = worth + unit_worth(s.line[space])
            value = home_value(s, me, space, load, worth, without, rival)
            value = max(value, home_value(s, me, space, load + 1, richer, taking, rival))
            mean += WAYS[extra] * value
    return mean


@rule
def prospects(s: State, me: int, load: int, worth: int, air: int, rival: int) -> int:
    """The value of holding a hand where one is, whichever way one then swims."""
    value = heading_home(s, me, s.place[me], load, worth, air, 0, rival)
    if s.turned[me] == 0:
        value = max(value, diving_on(s, me, load, worth, air, 0, rival))
    return value


# ---- choices ------------------------------------------------------------------------------------


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int) -> int:
    """The choice of greedy-1."""
    if count == 1:
        return actions[0]
    if s.phase == THROW:
        return choose_direction(s, s.to_move)
    if s.phase == LAY:
        return LAY_DOWN + least_unit(s, s.to_move)
    return choose_search(s, s.to_move)


@rule
def choose_direction(s: State, me: int) -> int:
    worth = hand_worth(s, me)
    air = AIR * s.air
    rival = rival_of(s, me)
    back = heading_home(s, me, s.place[me], s.load[me], worth, air, 0, rival)
    return TURN_BACK if back >= diving_on(s, me, s.load[me], worth, air, 0, rival) else DIVE


@rule
def choose_search(s: State, me: int) -> int:
    """Nothing, unless taking or putting down something is better."""
    if s.air == 0:
        return NOTHING  # the round is over: nothing matters any more
    air = AIR * s.air - air_others_use(s, me, 0)
    load = s.load[me]
    worth = hand_worth(s, me)
    rival = rival_of(s, me)
    here = s.line[s.place[me]]
    if here != DISC:
        other = TAKE
        other_value = prospects(s, me, load + 1, worth + unit_worth(here), air, rival)
    else:
        # If any unit is to go, it is the least one.
        slot = least_unit(s, me)
        other = PUT + slot
        less = worth - unit_worth(s.hand[me][slot])
        other_value = prospects(s, me, load - 1, less, air, rival)
    return other if other_value > prospects(s, me, load, worth, air, rival) else NOTHING


@rule
def least_unit(s: State, diver: int) -> int:
    """The place in the hand of the unit worth least. Laid first, it ends nearest the submarine."""
    least = 0
    for slot in range(s.load[diver]):
        if unit_worth(s.hand[diver][slot]) < unit_worth(s.hand[diver][least]):
            least = slot
    return least
