"""quick-1: tables by load, air and place, weighed as greedy-1 would have it.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.deep_sea.greedy_1 import unit_worth
from archipel.bots.quick import NO_TRAIT, quick_choice, together
from archipel.rules.deep_sea.components import FULL_AIR, LONGEST_LINE, ROUNDS
from archipel.rules.deep_sea.state import (
    LAY_DOWN,
    PUT,
    TAKE,
    TURN_BACK,
    State,
)
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart

LOADS: Final = 5  # more are all alike
AIRS: Final = FULL_AIR // 2 + 1  # two of it are alike
PLACES: Final = LONGEST_LINE // 2 + 1  # as are two spaces
BURDENS: Final = 10  # what the others hold
WORTHS: Final = 10  # of a unit
WORTH_STEP: Final = 4

# Traits, each counted on by what is said of it.
BACK: Final = 1  # load, air, place: turning back rather than diving on
BACK_BURDEN: Final = BACK + LOADS * AIRS * PLACES  # load, what the others hold
BACK_ROUND: Final = BACK_BURDEN + LOADS * BURDENS  # round, load
TAKEN: Final = BACK_ROUND + ROUNDS * LOADS  # turned or not, load, worth
TAKEN_AT: Final = TAKEN + 2 * LOADS * WORTHS  # turned or not, air, place
TAKEN_BURDEN: Final = TAKEN_AT + 2 * AIRS * PLACES  # turned or not, load, what the others hold
TAKEN_AIR: Final = TAKEN_BURDEN + 2 * LOADS * BURDENS  # turned or not, load, air
PUT_BACK: Final = TAKEN_AIR + 2 * LOADS * AIRS  # load, air
PUT_WORTH: Final = PUT_BACK + LOADS * AIRS
LAID: Final = PUT_WORTH + WORTHS
TRAITS: Final = LAID + WORTHS


@rule
def worth_of(unit: int) -> int:
    return min(WORTHS - 1, unit_worth(unit) // WORTH_STEP)


@rule
def burden_of_others(s: State) -> int:
    burden = 0
    for diver in range(s.seats):
        if diver != s.to_move and s.home[diver] == 0:
            burden += s.load[diver]
    return min(BURDENS - 1, burden)


@rule_apart
def describe_1(s: State, seen: int, action: int) -> int:
    """The traits of an action in its phase: what is usual, to dive on or do nothing, has none."""
    me = s.to_move
    load = min(LOADS - 1, s.load[me])
    air = s.air // 2
    if action >= LAY_DOWN:
        return LAID + worth_of(s.hand[me][action - LAY_DOWN])
    if action >= PUT:
        put = PUT_BACK + load * AIRS + air
        return together(put, PUT_WORTH + worth_of(s.hand[me][action - PUT]), NO_TRAIT, NO_TRAIT)
    place = max(0, s.place[me]) // 2
    if action == TAKE:
        way = s.turned[me]
        held = way * LOADS + load
        return together(
            TAKEN + held * WORTHS + worth_of(s.line[s.place[me]]),
            TAKEN_AT + (way * AIRS + air) * PLACES + place,
            TAKEN_BURDEN + held * BURDENS + burden_of_others(s),
            TAKEN_AIR + held * AIRS + air,
        )
    if action == TURN_BACK:
        return together(
            BACK + (load * AIRS + air) * PLACES + place,
            BACK_BURDEN + load * BURDENS + burden_of_others(s),
            BACK_ROUND + s.round_number * LOADS + load,
            NO_TRAIT,
        )
    return NO_TRAIT


choose_quickly_1 = quick_choice("deep-sea", "quick_1", describe_1, TRAITS)
