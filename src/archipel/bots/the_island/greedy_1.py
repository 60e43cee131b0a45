"""greedy-1: brings its own to safety by the shortest way it sees, and sends the creatures to the
others.

It looks one action ahead, by its idea of how likely everyone is to be saved (`prospects`).  It
remembers the values of its own explorers where its view tells them, and keeps the rest of the table
guessing where the valuable ones stand.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
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
from archipel.bots.the_island.distances import TO_EXIT, distance
from archipel.bots.the_island.moves import (
    LEAST_GAIN,
    WORST,
    choose_destination,
    choose_piece,
    value_of_course,
)
from archipel.bots.the_island.prospects import (
    chance_in_water,
    danger,
    roomy_boats,
    side,
    stakes_in_boat,
    worth,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.marking import rule_apart
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
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    PLACE_BOAT,
    PLAY_TILE,
    REMOVE,
    STOP,
    TILE_PIECE,
    TILE_STEP,
    YES,
    State,
    colours_in_play,
)

LEAST_TILE_GAIN: Final = 1500


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    """The choice of greedy-1."""
    if count == 1:
        return actions[0]
    if s.phase == DEFEND:
        return YES  # there is a choice only with the right tile
    if s.phase == NAME_VALUE:
        return name_an_explorer(actions, count, chance)
    if s.phase == MOVE:
        return choose_piece(s, actions, count, chance)
    if s.phase == MOVE_TO:
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
    """The good tiles go first, so the best explorers should; but not always, or all would know."""
    if draw(chance, 3) == 0:
        return actions[draw(chance, count)]
    return actions[count - 1]


@rule
def people_concerned(s: State) -> int:
    """The explorers that all actions of a phase are about, as a set of bits."""
    if s.phase == REMOVE:
        return swimmers(s) | passengers(s)
    if s.phase == CREATURE:
        return exposed_to(s, s.die)
    if s.phase == CREATURE_STEP:
        creature = s.chosen - CREATURE_PIECE
        return in_reach(s, exposed_to(s, KIND_OF[creature]), creature)
    if s.phase == TILE_STEP and s.chosen >= CREATURE_PIECE:
        return exposed_to(s, KIND_OF[s.chosen - CREATURE_PIECE])
    return 0


@rule_apart
def value_of(s: State, boats: int, people: int, action: int) -> int:
    """What an action is worth in its phase; nothing done is worth 0."""
    if s.phase == REMOVE:
        return value_of_removal(s, people, action)
    if s.phase == CREATURE:
        return value_of_creature(s, people, action)
    if s.phase == CREATURE_STEP:
        return value_of_creature_step(s, people, s.chosen - CREATURE_PIECE, action, s.steps)
    if s.phase == PLAY_TILE:
        return value_of_tile(s, action)
    if s.phase == TILE_PIECE:
        return value_for_tile(s, s.playing, action)
    if s.phase == TILE_STEP:
        return value_of_tile_step(s, boats, people, action)
    if s.phase == FILL_BOAT:
        return side(s, s.to_move, action - EXPLORER)
    if s.phase == PLACE_BOAT:
        return value_of_boat_start(s, action)
    return value_of_home(s, action)


# ---- set-up -------------------------------------------------------------------------------------


@rule
def value_of_home(s: State, space: int) -> int:
    """A tile near the sea and near an exit that does not sink first, not next to one's own only."""
    value = 12 * s.terrain[TILE_OF[space]] - 4 * TO_EXIT[space]
    if s.terrain[TILE_OF[space]] == len(TERRAINS) - 1:
        value -= 8  # the volcano and the whirlpools are under mountains
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            value += 7
    return value


@rule
def value_of_boat_start(s: State, space: int) -> int:
    """Beside one's best people and few of the others, and not too far from an exit."""
    value = -6 * TO_EXIT[space]
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if place < SPACES and distance(place, space) <= 1:
            value += side(s, s.to_move, explorer) if side(s, s.to_move, explorer) > 0 else -9
    return value


# ---- step 3 -------------------------------------------------------------------------------------


@rule_apart
def value_of_removal(s: State, people: int, space: int) -> int:
    """From under the others' feet, away from one's own, and no whirlpool beside one's own; of the
    people those at sea."""
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
    """A tile is kept until it is worth something."""
    if action == STOP:
        return LEAST_TILE_GAIN
    return value_for_symbol(s, s.back[TILE_OF[action]])


@rule_apart
def value_for_symbol(s: State, symbol: int) -> int:
    """The best use of a tile."""
    best = WORST
    if symbol == DOLPHIN:
        for colour in range(s.to_move, colours_in_play(s), s.seats):
            for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
                place = s.place[explorer]
                if place < SPACES and is_sea(s, place):
                    best = max(best, value_for_tile(s, symbol, EXPLORER + explorer))
    elif symbol == WIND:
        for boat in range(len(s.boat)):
            if s.aboard[boat][s.to_move] > 0:
                best = max(best, value_for_tile(s, symbol, BOAT + boat))
    else:
        kind = symbol - MOVE_SERPENT
        for creature in range(FIRST_OF_KIND[kind], FIRST_OF_KIND[kind + 1]):
            if s.creature[creature] < SPACES:
                best = max(best, value_for_tile(s, symbol, CREATURE_PIECE + creature))
    return best


@rule_apart
def value_for_tile(s: State, symbol: int, action: int) -> int:
    """What a tile does for a piece: ground for swimmers and boats that have it to cover, and a
    creature taken from one's own."""
    me = s.to_move
    if symbol == DOLPHIN:
        space = s.place[action - EXPLORER]
        covered = min(3, TO_EXIT[space])
        fear = danger(s, space, False)
        return worth(s, action - EXPLORER) * (60 * covered + fear // 3)
    if symbol == WIND:
        space = s.boat[action - BOAT]
        covered = min(3, TO_EXIT[space])
        fear = danger(s, space, True)
        return stakes_in_boat(s, me, action - BOAT) // 2 * (34 * covered + fear // 4)
    kind = symbol - MOVE_SERPENT
    space = s.creature[action - CREATURE_PIECE]
    guards = 700 if SHORE_OF[space] >= 0 else 0
    return guards - 30 * threat_of(s, me, kind, exposed_to(s, kind), space)


@rule_apart
def value_of_tile_step(s: State, boats: int, people: int, action: int) -> int:
    """Space by space towards safety; a creature to where it threatens the others most."""
    me = s.to_move
    if s.chosen >= CREATURE_PIECE:
        kind = KIND_OF[s.chosen - CREATURE_PIECE]
        return 10 * threat_of(s, me, kind, people, action) - TO_EXIT[action]
    if action == STOP:
        return LEAST_GAIN
    if s.chosen >= BOAT:
        return value_of_course(s, boats, s.chosen - BOAT, action)
    explorer = s.chosen - EXPLORER
    here = s.place[explorer]
    before = chance_in_water(s, boats, here)
    return worth(s, explorer) * (chance_in_water(s, boats, action) - before)
