"""greedy-1: maximises the expected treasure, by the chance to bring it home.

It looks one throw ahead, and a few more as if each had the mean. It knows the chance to cover a
distance before the air is gone, and estimates how much air the opponents will use.

Frozen: results refer to it by name, so a bot that plays differently gets another name.

Points are in halves (a chip's expected points are not whole), air is in hundredths, chances and
values in thousandths.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.state import DISC, SUBMARINE, Action, Phase, State
from archipel.rules.kit import Chance, rule
from archipel.rules.kit.core.decorators import rule_apart

# ---- the chance to cover a distance -------------------------------------------------------------

CERTAIN: Final = 1000  # chances are in thousandths
FARTHEST: Final = box.LONGEST_LINE  # steps from the outermost space into the submarine

# Enough for one unit from the far end of the line; longer ways count as lost.
MOST_THROWS: Final = 16

# DS-C2: the number of the nine throws of two dice for each sum from 2.
LEAST_SUM: Final = 2
WAYS: Final = (1, 2, 3, 2, 1)
THROWS: Final = 9


def chances_with(load: int) -> tuple[tuple[int, ...], ...]:
    """Return the chance by distance and number of throws."""
    # By throws, then distance: without a throw, only distance 0 is covered.
    rows = [[1.0] + [0.0] * FARTHEST]
    for _ in range(MOST_THROWS):
        before, row = rows[-1], [1.0]
        for distance in range(1, FARTHEST + 1):
            chance = 0.0
            for extra, ways in enumerate(WAYS):
                steps = max(0, LEAST_SUM + extra - load)
                chance += ways * before[max(0, distance - steps)]
            row.append(chance / THROWS)
        rows.append(row)
    return tuple(
        tuple(int(CERTAIN * row[distance]) for row in rows) for distance in range(FARTHEST + 1)
    )


#: ``HOME_CHANCE[load][distance][throws]``
HOME_CHANCE: Final = tuple(chances_with(load) for load in range(box.MOST_UNITS_HELD + 1))


AIR: Final = 100  # hundredths
MEAN_SUM: Final = 4

# The constants below were tuned by games against random and against other versions, with two to six
# seats. The effects were measured in 20,000 games each, with all else equal.

# Expected gain in load per turn of a diver on the way out. With 20 it wins 79 % against three
# random players instead of 84 %; with 60 it wins a tenth less among four equal bots.
TAKEN_PER_TURN: Final = 40

# Cap of the expected load of any diver. With 200 it wins slightly more among equals and less
# against random; above 300 the value hardly matters.
HEAVIEST_EXPECTED: Final = 400

# Discount of a plan per postponed throw. Without it, the diver waits at the end of the line instead
# of taking treasure, and wins 93 % against random instead of 97 %.
IMPATIENCE: Final = 40

# Value, in hundredths, of treasure that does not bring the lead in the last round. With 0 it wins
# less against everybody; with 100 slightly more against random, but a quarter less among four equal
# bots.
CONSOLATION: Final = 25

# Planning depth in outward throws: seven reach the end of the line.
THROWS_PLANNED: Final = 7
MOST_LOAD_TO_DIVE_WITH: Final = 3  # with more, a mean throw does not move the diver

NOBODY_TO_BEAT: Final = -1_000_000

CHIPS_AMONG: Final = tuple(bits.bit_count() for bits in range(1 << box.CHIPS_PER_LEVEL))


# ---- values -------------------------------------------------------------------------------------


@rule
def unit_worth(unit: int) -> int:
    """Twice the expected points of a unit, by the levels of its chips."""
    worth = 0
    for level in range(box.LEVELS):
        chips = CHIPS_AMONG[unit >> level * box.CHIPS_PER_LEVEL & ((1 << box.CHIPS_PER_LEVEL) - 1)]
        worth += chips * (2 * level * box.VALUES_PER_LEVEL + box.VALUES_PER_LEVEL - 1)
    return worth


@rule
def hand_worth(s: State, diver: int) -> int:
    worth = 0
    for slot in range(s.load[diver]):
        worth += unit_worth(s.hand[diver][slot])
    return worth


@rule
def rival_of(s: State, me: int) -> int:
    """In the last round, twice the best opponent's points if all its treasure gets home; else 0."""
    if s.round_number < box.ROUNDS - 1:
        return NOBODY_TO_BEAT
    to_beat = 0
    for other in range(s.seats):
        if other != me:
            to_beat = max(to_beat, 2 * s.points[other] + hand_worth(s, other))
    return to_beat - 2 * s.points[me]


@rule
def worth_around(s: State, space: int) -> int:
    """The mean value on a space and its neighbours, because throws vary."""
    worth = 0
    spaces = 0
    for near in range(max(0, space - 1), min(s.line_length, space + 2)):
        worth += unit_worth(s.line[near])
        spaces += 1
    return worth // max(1, spaces)


# ---- air and distance ---------------------------------------------------------------------------


@rule
def air_others_use(s: State, me: int, turn: int) -> int:
    """The air that all opponents use in round number ``turn`` from now, from 0."""
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
    """The number of throws that the air lasts, with the one that empties the tank (DS-E1)."""
    throws = 0
    while air > 0 and throws < MOST_THROWS:
        throws += 1
        air -= AIR * load + air_others_use(s, me, turn + throws)
    return throws


@rule
def distance_home(s: State, me: int, space: int) -> int:
    """Steps from a space into the submarine; other divers are jumped over (DS-T3)."""
    distance = space - SUBMARINE
    for other in range(s.seats):
        if other != me and s.place[other] != SUBMARINE and s.place[other] < space:
            distance -= 1
    return min(max(1, distance), FARTHEST)


# ---- plans of the diver about to throw ----------------------------------------------------------


@rule
def home_value(
    s: State, me: int, space: int, load: int, worth: int, throws: int, rival: int
) -> int:
    """The value of swimming home with a load, if the air lasts this many throws.

    In the last round, treasure counts mostly if it brings the lead.
    """
    if load == 0 or load > box.MOST_UNITS_HELD:
        return 0
    prize = worth if worth > rival else worth * CONSOLATION // 100
    return prize * HOME_CHANCE[load][distance_home(s, me, space)][throws]


@rule_apart
def heading_home(
    s: State, me: int, space: int, load: int, worth: int, air: int, turn: int, rival: int
) -> int:
    """The value of swimming home from a space with a load."""
    throws = 0 if load == 0 else throws_left(s, me, load, air, turn)
    return home_value(s, me, space, load, worth, throws, rival)


@rule_apart
def diving_on(s: State, me: int, load: int, worth: int, air: int, turn: int, rival: int) -> int:
    """The value of the best plan with another throw outwards: one throw and home, with or without
    the treasure there, or more throws and home with treasure from there."""
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
    """The value of turning back after the next throw, summed over all throws, with or without the
    treasure there. The air lasts equally long in all cases."""
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
    """The value of a load in the present space, in the better direction."""
    value = heading_home(s, me, s.place[me], load, worth, air, 0, rival)
    if s.turned[me] == 0:
        value = max(value, diving_on(s, me, load, worth, air, 0, rival))
    return value


# ---- choices ------------------------------------------------------------------------------------


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    if count == 1:
        return actions[0]
    if s.phase == Phase.THROW:
        return choose_direction(s, s.to_move)
    if s.phase == Phase.LAY:
        return Action.LAY_DOWN + least_unit(s, s.to_move)
    return choose_search(s, s.to_move)


@rule
def choose_direction(s: State, me: int) -> int:
    worth = hand_worth(s, me)
    air = AIR * s.air
    rival = rival_of(s, me)
    back = heading_home(s, me, s.place[me], s.load[me], worth, air, 0, rival)
    on = diving_on(s, me, s.load[me], worth, air, 0, rival)
    return Action.TURN_BACK if back >= on else Action.DIVE


@rule
def choose_search(s: State, me: int) -> int:
    """Do nothing, unless taking or putting down a unit is better."""
    if s.air == 0:
        return Action.NOTHING  # the round is over: nothing matters any more
    air = AIR * s.air - air_others_use(s, me, 0)
    load = s.load[me]
    worth = hand_worth(s, me)
    rival = rival_of(s, me)
    here = s.line[s.place[me]]
    if here != DISC:
        other = Action.TAKE
        other_value = prospects(s, me, load + 1, worth + unit_worth(here), air, rival)
    else:
        # Only the least unit can be worth putting down.
        slot = least_unit(s, me)
        other = Action.PUT + slot
        less = worth - unit_worth(s.hand[me][slot])
        other_value = prospects(s, me, load - 1, less, air, rival)
    return other if other_value > prospects(s, me, load, worth, air, rival) else Action.NOTHING


@rule
def least_unit(s: State, diver: int) -> int:
    """The index of the unit of least value."""
    least = 0
    for slot in range(s.load[diver]):
        if unit_worth(s.hand[diver][slot]) < unit_worth(s.hand[diver][least]):
            least = slot
    return least
