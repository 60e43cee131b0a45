"""greedy-1: brings its own to safety by the shortest way it sees, and sends the creatures to the
others.

It looks one action ahead, by its idea of how likely everyone is to be saved (`prospects`).  It
remembers the values of its own explorers where its view tells them, and keeps the rest of the table
guessing where the valuable ones stand.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island.distances import TO_EXIT, distance
from archipel.bots.the_island.prospects import (
    MEAN_WORTH,
    NOBODY,
    SAVED,
    chance_after_sailing,
    chance_at,
    chance_in_boat,
    chance_in_water,
    chance_of,
    danger,
    prey_value,
    side,
    stakes_in_boat,
    stakes_in_water,
    worth,
)
from archipel.rules.hex_sea.boats import boat_in, is_sea, load
from archipel.rules.hex_sea.places import ABOARD, NO_BOAT
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.the_island.board import FIRST_NEAR, NEAR, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.components import (
    CREATURE_STEPS,
    DOLPHIN,
    EXPLORERS,
    FIRST_OF_KIND,
    KIND_OF,
    MOVE_SERPENT,
    PER_COLOUR,
    SERPENT,
    SHARK,
    TERRAINS,
    WIND,
)
from archipel.rules.the_island.moving import is_open_to_boats
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    EXPLORER,
    FILL_BOAT,
    ISLAND,
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

# A move has to be worth a little, or it would wander about.
LEAST_GAIN: Final = 150
LEAST_TILE_GAIN: Final = 1500

WORST: Final = -1_000_000_000


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    """The choice of greedy-1."""
    if count == 1:
        return actions[0]
    if s.phase == DEFEND:
        return YES  # there is a choice only with the right tile
    if s.phase == NAME_VALUE:
        return name_an_explorer(actions, count, chance)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        value = value_of(s, actions[index]) * 4 + draw(chance, 4)
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


@rule_apart
def value_of(s: State, action: int) -> int:
    """What an action is worth in its phase; nothing done is worth 0."""
    if s.phase == MOVE:
        return value_of_piece(s, action)
    if s.phase == MOVE_TO:
        return value_of_destination(s, s.chosen, action)
    if s.phase == REMOVE:
        return value_of_removal(s, action)
    if s.phase == CREATURE:
        return value_of_creature(s, action)
    if s.phase == CREATURE_STEP:
        return value_of_creature_step(s, s.chosen - CREATURE_PIECE, action, s.steps)
    if s.phase == PLAY_TILE:
        return value_of_tile(s, action)
    if s.phase == TILE_PIECE:
        return value_for_tile(s, s.playing, action)
    if s.phase == TILE_STEP:
        return value_of_tile_step(s, action)
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


# ---- step 2 -------------------------------------------------------------------------------------


@rule_apart
def value_of_piece(s: State, action: int) -> int:
    """The best that can be done with a piece."""
    if action == STOP:
        return LEAST_GAIN
    if action >= BOAT:
        space = s.boat[action - BOAT]
        best = WORST
        for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
            if is_open_to_boats(s, NEAR[near]):
                best = max(best, value_of_course(s, action - BOAT, NEAR[near]))
        return best
    return value_of_explorer(s, action - EXPLORER)


@rule
def value_of_explorer(s: State, explorer: int) -> int:
    """As `moving.legal_destinations` lists them, without listing them."""
    place = s.place[explorer]
    afloat = place >= ABOARD
    space = s.boat[place - ABOARD] if afloat else place
    swimming = not afloat and is_sea(s, space)
    piece = EXPLORER + explorer
    best = WORST
    if SHORE_OF[space] >= 0 and (afloat or swimming):
        best = value_of_destination(s, piece, ISLAND + SHORE_OF[space])
    may_step = s.sea_stepped >> explorer & 1 == 0
    if afloat and may_step:
        best = max(best, value_of_destination(s, piece, space))
    if swimming and boat_in(s, space) != NO_BOAT and load(s, boat_in(s, space)) < 3:
        best = max(best, value_of_destination(s, piece, BOAT + boat_in(s, space)))
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        boat = boat_in(s, there)
        if not swimming and boat != NO_BOAT and load(s, boat) < 3:
            best = max(best, value_of_destination(s, piece, BOAT + boat))
        if afloat or (swimming and (not may_step or not is_sea(s, there))):
            continue
        best = max(best, value_of_destination(s, piece, there))
    return best


@rule_apart
def value_of_destination(s: State, piece: int, action: int) -> int:
    """How much better off one's people are for a move."""
    if piece >= BOAT:
        return value_of_course(s, piece - BOAT, action)
    explorer = piece - EXPLORER
    before = chance_of(s, explorer)
    if action >= BOAT:
        after = chance_if_aboard(s, explorer, action - BOAT)
    elif action >= ISLAND:
        after = SAVED + 200  # nothing is better than a bird in the hand
    else:
        after = chance_at(s, action)
    return worth(s, explorer) * (after - before)


@rule
def chance_if_aboard(s: State, explorer: int, boat: int) -> int:
    """In a boat that it would command with this one aboard, or not."""
    me = s.to_move
    s.aboard[boat][me] += 1
    after = chance_in_boat(s, me, boat, s.boat[boat])
    s.aboard[boat][me] -= 1
    return after


@rule_apart
def value_of_course(s: State, boat: int, space: int) -> int:
    """Whoever is aboard counts, for or against; an empty boat is for those who could board it."""
    me = s.to_move
    if load(s, boat) == 0:
        return (pull_of(s, me, space) - pull_of(s, me, s.boat[boat])) // 2
    gain = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == ABOARD + boat:
            seat = me if side(s, me, explorer) > 0 else NOBODY
            before = chance_after_sailing(s, me, boat, s.boat[boat])
            after = chance_after_sailing(s, me, boat, space)
            weight = worth(s, explorer) if seat == me else -MEAN_WORTH // 4
            gain += weight * (after - before)
    return gain


@rule
def pull_of(s: State, me: int, space: int) -> int:
    """How much an empty boat in a space is worth to one's people who are in none."""
    best = 0
    for colour in range(me, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            place = s.place[explorer]
            if place < SPACES:
                away = distance(place, space)
                if away == 0 and not is_sea(s, place):
                    continue
                best = max(best, worth(s, explorer) * (420 - 75 * away - 10 * TO_EXIT[space]))
    return best


# ---- step 3 -------------------------------------------------------------------------------------


@rule
def value_of_removal(s: State, space: int) -> int:
    """From under the others' feet, away from one's own, and no whirlpool beside one's own."""
    me = s.to_move
    value = 0
    for explorer in range(EXPLORERS):
        if s.place[explorer] == space:
            value -= side(s, me, explorer) * 10
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        if is_sea(s, there):
            value -= stakes_in_water(s, me, there)
            if boat_in(s, there) != NO_BOAT:
                value -= stakes_in_boat(s, me, boat_in(s, there)) * 2
    return value


# ---- step 4 -------------------------------------------------------------------------------------


@rule
def value_of_creature(s: State, action: int) -> int:
    if action == STOP:
        return 1
    creature = action - CREATURE_PIECE
    space = s.creature[creature]
    best = WORST
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        if is_sea(s, NEAR[near]):
            value = value_of_creature_step(s, creature, NEAR[near], CREATURE_STEPS[s.die])
            best = max(best, value)
    return best


@rule_apart
def value_of_creature_step(s: State, creature: int, action: int, steps: int) -> int:
    """What it does where it comes, or could do next; and whom it threatens from there."""
    kind = KIND_OF[creature]
    me = s.to_move
    here = s.creature[creature]
    if action == STOP:
        return 1
    now = prey_value(s, me, kind, action)
    threat = threat_of(s, me, kind, action, here) - threat_of(s, me, kind, here, here)
    if now != 0 or steps == 1:
        return 10 * now + threat
    best = 0
    for near in range(FIRST_NEAR[action], FIRST_NEAR[action + 1]):
        if is_sea(s, NEAR[near]) and NEAR[near] != here:
            best = max(best, prey_value(s, me, kind, NEAR[near]))
    if steps == 3 and best == 0:
        best = prey_within_two(s, me, kind, action) * 9 // 10
    return 9 * best + threat


@rule_apart
def prey_within_two(s: State, me: int, kind: int, space: int) -> int:
    """The best prey two sea steps from a space."""
    best = 0
    for near in range(FIRST_NEAR[space], FIRST_NEAR[space + 1]):
        there = NEAR[near]
        if is_sea(s, there):
            for next_near in range(FIRST_NEAR[there], FIRST_NEAR[there + 1]):
                if is_sea(s, NEAR[next_near]):
                    best = max(best, prey_value(s, me, kind, NEAR[next_near]))
    return best


@rule_apart
def threat_of(s: State, me: int, kind: int, space: int, start: int) -> int:
    """Whom a creature of a kind would threaten from a space: the others less one's own."""
    threat = 0
    reach = CREATURE_STEPS[kind]
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if place < SPACES:
            if not is_sea(s, place) or kind not in (SERPENT, SHARK):
                continue
            away = distance(place, space)
        elif ABOARD <= place < ABOARD + len(s.boat) and kind != SHARK:
            away = distance(s.boat[place - ABOARD], space)
        else:
            continue
        if away <= reach:
            threat -= side(s, me, explorer)
    return threat


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
        fear = danger(s, space, False, NOBODY)
        return worth(s, action - EXPLORER) * (60 * covered + fear // 3)
    if symbol == WIND:
        space = s.boat[action - BOAT]
        covered = min(3, TO_EXIT[space])
        fear = danger(s, space, True, NOBODY)
        return stakes_in_boat(s, me, action - BOAT) // 2 * (34 * covered + fear // 4)
    kind = symbol - MOVE_SERPENT
    space = s.creature[action - CREATURE_PIECE]
    guards = 700 if SHORE_OF[space] >= 0 else 0
    return guards - 30 * threat_of(s, me, kind, space, space)


@rule_apart
def value_of_tile_step(s: State, action: int) -> int:
    """Space by space towards safety; a creature to where it threatens the others most."""
    me = s.to_move
    if s.chosen >= CREATURE_PIECE:
        kind = KIND_OF[s.chosen - CREATURE_PIECE]
        return 10 * threat_of(s, me, kind, action, action) - TO_EXIT[action]
    if action == STOP:
        return LEAST_GAIN
    if s.chosen >= BOAT:
        return value_of_course(s, s.chosen - BOAT, action)
    explorer = s.chosen - EXPLORER
    here = s.place[explorer]
    return worth(s, explorer) * (chance_in_water(s, action) - chance_in_water(s, here))
