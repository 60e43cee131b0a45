"""greedy-1: brings its explorers to safety by the shortest way and sends creatures to opponents.

It looks one action ahead and compares estimated chances to be saved (`rescue_chances`). It uses the
values of its explorers if its view has them, and hides the valuable ones by placing some at random.

Frozen: results refer to it by name, so a bot that plays differently gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island.creatures import (
    exposed_to,
    in_reach,
    passengers,
    stakes_at,
    swimmers,
    threat_of,
    value_of_creature,
    value_of_creature_step,
)
from archipel.bots.the_island.moves import (
    LEAST_GAIN,
    WORST,
    choose_destination,
    choose_piece,
    value_of_course,
)
from archipel.bots.the_island.rescue_chances import (
    TO_EXIT,
    chance_in_water,
    danger,
    distance,
    roomy_boats,
    side,
    stakes_in_boat,
    worth,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.components import (
    DOLPHIN,
    EXPLORERS,
    FIRST_OF_KIND,
    KIND_OF,
    MOVE_SERPENT,
    PER_COLOUR,
    TERRAINS,
    WIND,
)
from archipel.rules.the_island.state import Action, Phase, State, colours_in_play

LEAST_TILE_GAIN: Final = 1500


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    if count == 1:
        return actions[0]
    if s.phase == Phase.DEFEND:
        return Action.YES  # there is a choice only with the right tile
    if s.phase == Phase.NAME_VALUE:
        return name_an_explorer(actions, count, chance)
    if s.phase == Phase.MOVE:
        return choose_piece(s, actions, count, chance)
    if s.phase == Phase.MOVE_TO:
        return choose_destination(s, actions, count, chance)
    people = people_concerned(s)
    boats = roomy_boats(s)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        value = value_of(s, boats, people, actions[index]) * 4 + draw(chance, 4)
        if value > best:
            best = value
            chosen = actions[index]
    return chosen


@rule
def name_an_explorer(actions: list[int], count: int, chance: Chance) -> int:
    """Place the best explorer while good tiles are left, but not always, which would reveal it."""
    if draw(chance, 3) == 0:
        return actions[draw(chance, count)]
    return actions[count - 1]


@rule
def people_concerned(s: State) -> int:
    """The explorers that the actions of a phase can affect, as a bit set."""
    if s.phase == Phase.REMOVE:
        return swimmers(s) | passengers(s)
    if s.phase == Phase.CREATURE:
        return exposed_to(s, s.die)
    if s.phase == Phase.CREATURE_STEP:
        creature = s.chosen - Action.CREATURE
        return in_reach(s, exposed_to(s, KIND_OF[creature]), creature)
    if s.phase == Phase.TILE_STEP and s.chosen >= Action.CREATURE:
        return exposed_to(s, KIND_OF[s.chosen - Action.CREATURE])
    return 0


@rule_apart
def value_of(s: State, boats: int, people: int, action: int) -> int:
    """The value of an action in its phase; doing nothing has value 0."""
    if s.phase == Phase.REMOVE:
        return value_of_removal(s, people, action)
    if s.phase == Phase.CREATURE:
        return value_of_creature(s, people, action)
    if s.phase == Phase.CREATURE_STEP:
        return value_of_creature_step(s, people, s.chosen - Action.CREATURE, action, s.steps)
    if s.phase == Phase.PLAY_TILE:
        return value_of_tile(s, action)
    if s.phase == Phase.TILE_PIECE:
        return value_for_tile(s, s.playing, action)
    if s.phase == Phase.TILE_STEP:
        return value_of_tile_step(s, boats, people, action)
    if s.phase == Phase.FILL_BOAT:
        return side(s, s.to_move, action - Action.EXPLORER)
    if s.phase == Phase.PLACE_BOAT:
        return value_of_boat_start(s, action)
    return value_of_home(s, action)


# ---- set-up -------------------------------------------------------------------------------------


@rule
def value_of_home(s: State, space: int) -> int:
    """The value of a start tile: near the sea and an exit, sinking late, not beside one's own."""
    value = 12 * s.terrain[TILE_OF[space]] - 4 * TO_EXIT[space]
    if s.terrain[TILE_OF[space]] == len(TERRAINS) - 1:
        value -= 8  # the volcano and the whirlpools are under mountains
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            value += 7
    return value


@rule
def value_of_boat_start(s: State, space: int) -> int:
    """The value of a space for a boat: near one's best people, few opponents, and an exit."""
    value = -6 * TO_EXIT[space]
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if place < SPACES and distance(place, space) <= 1:
            value += side(s, s.to_move, explorer) if side(s, s.to_move, explorer) > 0 else -9
    return value


# ---- step 3 -------------------------------------------------------------------------------------


@rule_apart
def value_of_removal(s: State, people: int, space: int) -> int:
    """The value of removing a tile: under opponents, not one's own, no whirlpool near one's own.

    ``people`` are those at sea.
    """
    me = s.to_move
    value = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == space:
            value -= side(s, me, explorer) * 10
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        if people != 0 and is_sea(s, there):
            value -= stakes_at(s, me, people, there)
            if boat_in(s, there) != NO_BOAT:
                value -= stakes_at(s, me, people, ABOARD + boat_in(s, there)) * 2
    return value


# ---- step 1 -------------------------------------------------------------------------------------


@rule
def value_of_tile(s: State, action: int) -> int:
    """The value of playing a tile from the hand; low ones are kept."""
    if action == Action.STOP:
        return LEAST_TILE_GAIN
    return value_for_symbol(s, s.back[TILE_OF[action]])


@rule_apart
def value_for_symbol(s: State, symbol: int) -> int:
    """The value of the best use of a tile."""
    best = WORST
    if symbol == DOLPHIN:
        for colour in range(s.to_move, colours_in_play(s), s.seats):
            for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
                place = s.place[explorer]
                if place < SPACES and is_sea(s, place):
                    best = max(best, value_for_tile(s, symbol, Action.EXPLORER + explorer))
    elif symbol == WIND:
        for boat in range(len(s.boat)):
            if s.aboard[boat][s.to_move] > 0:
                best = max(best, value_for_tile(s, symbol, Action.BOAT + boat))
    else:
        kind = symbol - MOVE_SERPENT
        for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
            if s.creature[creature] < SPACES:
                best = max(best, value_for_tile(s, symbol, Action.CREATURE + creature))
    return best


@rule_apart
def value_for_tile(s: State, symbol: int, action: int) -> int:
    """The value of a tile for a piece: steps for swimmers and boats, or a creature removed."""
    me = s.to_move
    if symbol == DOLPHIN:
        space = s.place[action - Action.EXPLORER]
        covered = min(3, TO_EXIT[space])
        fear = danger(s, space, False)
        return worth(s, action - Action.EXPLORER) * (60 * covered + fear // 3)
    if symbol == WIND:
        space = s.boat[action - Action.BOAT]
        covered = min(3, TO_EXIT[space])
        fear = danger(s, space, True)
        return stakes_in_boat(s, me, action - Action.BOAT) // 2 * (34 * covered + fear // 4)
    kind = symbol - MOVE_SERPENT
    space = s.creature[action - Action.CREATURE]
    guards = 700 if SHORE_OF[space] >= 0 else 0
    return guards - 30 * threat_of(s, me, kind, exposed_to(s, kind), space)


@rule_apart
def value_of_tile_step(s: State, boats: int, people: int, action: int) -> int:
    """The value of a space: nearer to safety, or for a creature a larger threat to opponents."""
    me = s.to_move
    if s.chosen >= Action.CREATURE:
        kind = KIND_OF[s.chosen - Action.CREATURE]
        return 10 * threat_of(s, me, kind, people, action) - TO_EXIT[action]
    if action == Action.STOP:
        return LEAST_GAIN
    if s.chosen >= Action.BOAT:
        return value_of_course(s, boats, s.chosen - Action.BOAT, action)
    explorer = s.chosen - Action.EXPLORER
    here = s.place[explorer]
    before = chance_in_water(s, boats, here)
    return worth(s, explorer) * (chance_in_water(s, boats, action) - before)
