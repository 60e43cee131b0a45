"""greedy-1: brings its explorers to safety by the shortest way and sends creatures to opponents.

It looks one action ahead and compares estimated chances to be saved (`rescue_chances`). It uses the
values of its explorers if its view has them, and hides the valuable ones by placing some at random.

Frozen: results refer to it by name, so a bot that plays differently gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island import creatures, moves
from archipel.bots.the_island import rescue_chances as chances
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
        # The best explorer while good tiles are left, but not always, which would reveal it.
        return actions[draw(chance, count) if draw(chance, 3) == 0 else count - 1]
    boats = chances.roomy_boats(s)
    known = known_of_phase(s, boats)
    best = moves.WORST
    chosen = actions[0]
    for index in range(count):
        luck = draw(chance, 4)  # decides between equal actions
        value = value_of(s, boats, known, actions[index], (best - luck) // 4) * 4 + luck
        if value > best:
            best = value
            chosen = actions[index]
    return chosen


@rule
def known_of_phase(s: State, boats: int) -> int:
    """Compute once what the values of all actions of a phase need.

    The foremost boat, the explorers that the actions can affect as a bit set, or the worth of the
    chosen piece.
    """
    if s.phase == Phase.MOVE:
        return moves.foremost(s, boats)
    if s.phase == Phase.REMOVE:
        return creatures.exposed(s, True, True)
    if s.phase == Phase.CREATURE:
        return creatures.exposed_to(s, s.die)
    if s.phase == Phase.CREATURE_STEP:
        creature = s.chosen - Action.CREATURE
        return creatures.in_reach(s, creatures.exposed_to(s, KIND_OF[creature]), creature)
    if s.phase == Phase.TILE_STEP and s.chosen >= Action.CREATURE:
        return creatures.exposed_to(s, KIND_OF[s.chosen - Action.CREATURE])
    if s.phase == Phase.TILE_STEP or s.phase == Phase.MOVE_TO:
        return moves.worth_of_chosen(s, boats)
    return 0


@rule_apart
def value_of(s: State, boats: int, known: int, action: int, enough: int) -> int:
    """The value of an action in its phase; a move may be WORST if it cannot exceed ``enough``."""
    if s.phase == Phase.MOVE:
        return moves.value_of_piece(s, boats, known, action, enough)
    if s.phase == Phase.REMOVE:
        return value_of_removal(s, known, action)
    if s.phase == Phase.CREATURE:
        return creatures.value_of_creature(s, known, action)
    if s.phase == Phase.CREATURE_STEP:
        creature = s.chosen - Action.CREATURE
        return creatures.value_of_creature_step(s, known, creature, action, s.steps)
    if s.phase == Phase.MOVE_TO:
        return moves.value_of_destination(s, boats, known, action)
    if s.phase == Phase.PLAY_TILE:
        if action == Action.STOP:
            return LEAST_TILE_GAIN  # keeps tiles of little value
        return value_for_symbol(s, s.back[TILE_OF[action]])
    if s.phase == Phase.TILE_PIECE:
        return value_for_tile(s, s.playing, action)
    if s.phase == Phase.TILE_STEP:
        # Nearer to safety, or for a creature a larger threat to opponents.
        if s.chosen >= Action.CREATURE:
            kind = KIND_OF[s.chosen - Action.CREATURE]
            threat = creatures.threat_of(s, s.to_move, kind, known, action)
            return 10 * threat - chances.TO_EXIT[action]
        if action == Action.STOP:
            return moves.LEAST_GAIN
        return moves.value_of_destination(s, boats, known, action)
    if s.phase == Phase.FILL_BOAT:
        return chances.side(s, s.to_move, action - Action.EXPLORER)
    if s.phase == Phase.PLACE_BOAT:
        return value_of_boat_start(s, action)
    return value_of_home(s, action)


# ---- set-up -------------------------------------------------------------------------------------


@rule
def value_of_home(s: State, space: int) -> int:
    """The value of a start tile: near the sea and an exit, sinking late, not beside one's own."""
    value = 12 * s.terrain[TILE_OF[space]] - 4 * chances.TO_EXIT[space]
    if s.terrain[TILE_OF[space]] == len(TERRAINS) - 1:
        value -= 8  # the volcano and the whirlpools are under mountains
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            value += 7
    return value


@rule
def value_of_boat_start(s: State, space: int) -> int:
    """The value of a space for a boat: near one's best people, few opponents, and an exit."""
    value = -6 * chances.TO_EXIT[space]
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if place < SPACES and chances.distance(place, space) <= 1:
            side = chances.side(s, s.to_move, explorer)
            value += side if side > 0 else -9
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
            value -= chances.side(s, me, explorer) * 10
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        if people != 0 and is_sea(s, there):
            value -= creatures.stakes_at(s, me, people, there)
            if boat_in(s, there) != NO_BOAT:
                value -= creatures.stakes_at(s, me, people, ABOARD + boat_in(s, there)) * 2
    return value


# ---- step 1 -------------------------------------------------------------------------------------


@rule_apart
def value_for_symbol(s: State, symbol: int) -> int:
    """The value of the best use of a tile."""
    best = moves.WORST
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
        covered = min(3, chances.TO_EXIT[space])
        fear = chances.danger(s, space, False)
        return chances.worth(s, action - Action.EXPLORER) * (60 * covered + fear // 3)
    if symbol == WIND:
        space = s.boat[action - Action.BOAT]
        covered = min(3, chances.TO_EXIT[space])
        fear = chances.danger(s, space, True)
        aboard = creatures.exposed(s, False, True)
        stakes = creatures.stakes_at(s, me, aboard, ABOARD + action - Action.BOAT)
        return stakes // 2 * (34 * covered + fear // 4)
    kind = symbol - MOVE_SERPENT
    space = s.creature[action - Action.CREATURE]
    guards = 700 if SHORE_OF[space] >= 0 else 0
    return guards - 30 * creatures.threat_of(s, me, kind, creatures.exposed_to(s, kind), space)
