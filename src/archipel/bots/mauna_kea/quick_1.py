"""quick-1: what can be seen of an action at a glance, weighed as greedy-2 would have it.

How far things are is counted in cells as the crow flies: no wave is spread.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea.ways import BITS_OF_A_LOAD, loads_of
from archipel.bots.quick import NO_TRAIT, quick_choice, together
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.artefacts import COLOURS, colours_to_take
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    ARTEFACTS,
    BOATS,
    CARD_KINDS,
    COVE_CELLS,
    MOST_CARRIED,
    MOST_EXPLORERS,
    NO_TILE,
    POINTS,
    TERRAIN,
)
from archipel.rules.mauna_kea.geometry import (
    CELL_COLUMN,
    CELL_ROW,
    CELLS,
    DIRECTIONS,
    NEXT_CELL,
    NEXT_SPACE,
    NOWHERE,
    QUARTERS,
)
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.state import (
    BOARD,
    CARD,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    END_PLAY,
    EXPLORER,
    LEAVE,
    NAME,
    OWNED,
    PLACE,
    PLAY,
    PUT,
    QUAKE_DRAW,
    REFILL,
    SPACE,
    SPEND,
    STEP,
    TAKE,
    TILE,
    TURN,
    State,
    terrain_at,
)

FAR: Final = 15  # cells: beyond, all is alike
WAYS: Final = FAR + 1
LOADS: Final = 4
WORTHS: Final = 8  # points of a tile, or of the pool
GROUNDS: Final = 6

# Traits, each counted on by what is said of it.
ENDED: Final = 1  # whether tiles are left, the pool
LAYING: Final = ENDED + 2 * WORTHS  # points of the tile
LAYING_WITH: Final = LAYING + WORTHS  # what bars the way of whoever is named last
SPENT: Final = LAYING_WITH + GROUNDS + 1  # points of the tile
SPENT_WITH: Final = SPENT + WORTHS  # the pool, what is on the way
NAMED: Final = SPENT_WITH + WORTHS * (GROUNDS + 1)  # load, how far it is
NAMED_FOR: Final = NAMED + 2 * WAYS  # something to take, a boat, and whether it was named last
NAMED_ON: Final = NAMED_FOR + 8  # what is on its way
STEPPED: Final = NAMED_ON + GROUNDS + 1  # loaded or not, nearer or farther, ground
STEPPED_TO: Final = STEPPED + 6 * GROUNDS  # loaded or not, how far it then is
TAKEN: Final = STEPPED_TO + 2 * WAYS  # colour, load
PUT_DOWN: Final = TAKEN + COLOURS * LOADS
BOARDED: Final = PUT_DOWN + COLOURS * LOADS
CARD_PLAYED: Final = BOARDED + LOADS
DRAWN: Final = CARD_PLAYED + ACTION_KINDS  # draw, end of the turn
LAID: Final = DRAWN + 2  # beside whom: nobody, loaded or not, on the way or off it
LAID_WAY: Final = LAID + 5
TURNED: Final = LAID_WAY + WAYS  # what an explorer then faces on its way, and otherwise
STARTED: Final = TURNED + 2 * GROUNDS  # how far it is
STARTED_WITH: Final = STARTED + WAYS  # how many of one's own are there
REJECTED: Final = STARTED_WITH + 4
LEFT: Final = REJECTED + CARD_KINDS
LIFTED: Final = LEFT + COLOURS  # load
LED: Final = LIFTED + LOADS  # how far it then is
QUAKE: Final = LED + WAYS
TRAITS: Final = QUAKE + 8


@rule
def cells_between(one: int, other: int) -> int:
    rows = abs(CELL_ROW[one] - CELL_ROW[other])
    return rows + abs(CELL_COLUMN[one] - CELL_COLUMN[other])


@rule_apart
def goal_from(s: State, cell: int, loaded: bool) -> int:
    """The cell of the nearest boat with something to bring there, else of the nearest artefact; or
    `NOWHERE`."""
    goal = NOWHERE
    least = CELLS
    if loaded:
        for boat in range(BOATS):
            if s.boat[boat] < OWNED:
                cove = COVE_CELLS[s.layout][s.boat[boat]][0]
                if cells_between(cell, cove) < least:
                    least = cells_between(cell, cove)
                    goal = cove
        return goal
    for artefact in range(ARTEFACTS):
        place = s.artefact[artefact]
        if 0 <= place < CELLS and cells_between(cell, place) < least:
            least = cells_between(cell, place)
            goal = place
    return goal


@rule
def way_to(cell: int, goal: int) -> int:
    return FAR if goal == NOWHERE else min(FAR, cells_between(cell, goal))


@rule
def way_from(s: State, cell: int, loaded: bool) -> int:
    return way_to(cell, goal_from(s, cell, loaded))


@rule
def ground_ahead(s: State, place: int, goal: int) -> int:
    """The ground that leads nearer to a goal, the best where there are two ways: jungle before lake
    before mountains before what is still empty."""
    best = GROUNDS
    if goal == NOWHERE:
        return best
    way = cells_between(place, goal)
    for direction in range(DIRECTIONS):
        cell = NEXT_CELL[direction][place]
        if cell != NOWHERE and cells_between(cell, goal) < way:
            best = min(best, terrain_at(s, cell))
    return best


# What is seen at a glance: the loads of all explorers, and of the one named last what is ahead on
# its way and where that leads.
AHEAD_AT: Final = BITS_OF_A_LOAD * MOST_EXPLORERS
GOAL_AT: Final = AHEAD_AT + 3


@rule_apart
def glance_1(s: State) -> int:
    loads = loads_of(s)
    ahead = GROUNDS
    goal = NOWHERE
    if s.active >= 0 and s.explorer[s.to_move][s.active] >= 0:
        place = s.explorer[s.to_move][s.active]
        goal = goal_from(s, place, load_in(loads, s.active) > 0)
        ahead = ground_ahead(s, place, goal)
    return loads | ahead << AHEAD_AT | goal + 1 << GOAL_AT


@rule
def load_in(seen: int, explorer: int) -> int:
    return min(LOADS - 1, seen >> BITS_OF_A_LOAD * explorer & (1 << BITS_OF_A_LOAD) - 1)


@rule
def describe_1(s: State, seen: int, action: int) -> int:
    """The traits of an action in its phase."""
    if s.phase == PLAY or s.phase == EXPLORER or s.phase == REFILL:
        return describe_play(s, seen, action)
    return describe_rest(s, seen, action)


# ---- the play -----------------------------------------------------------------------------------


@rule_apart
def describe_play(s: State, seen: int, action: int) -> int:
    ahead = seen >> AHEAD_AT & 7
    if action == END_PLAY:
        left = 0 if s.front[s.to_move][0] == NO_TILE else WORTHS
        return ENDED + left + min(WORTHS - 1, s.pool)
    if action < SPEND:
        points = LAYING + POINTS[s.front[s.to_move][action - TILE]]
        return together(points, LAYING_WITH + ahead, NO_TRAIT, NO_TRAIT)
    if action < NAME:
        points = SPENT + POINTS[s.front[s.to_move][action - SPEND]]
        pool = min(WORTHS - 1, s.pool) * (GROUNDS + 1)
        return together(points, SPENT_WITH + pool + ahead, NO_TRAIT, NO_TRAIT)
    if action < STEP:
        return describe_naming(s, seen, action - NAME)
    if action < TAKE:
        return describe_step(s, seen, action - STEP)
    if action < BOARD:
        load = load_in(seen, s.active)
        if action < PUT:
            return TAKEN + (action - TAKE) * LOADS + load
        return PUT_DOWN + (action - PUT) * LOADS + load
    if action == BOARD:
        return BOARDED + load_in(seen, s.active)
    if action < CARD + ACTION_KINDS:
        return CARD_PLAYED + action - CARD
    return DRAWN + action - CARD - ACTION_KINDS


@rule
def describe_naming(s: State, seen: int, explorer: int) -> int:
    place = s.explorer[s.to_move][explorer]
    load = load_in(seen, explorer)
    loaded = load > 0
    goal = goal_from(s, place, loaded)
    way = way_to(place, goal)
    at_hand = 1 if s.active == explorer else 0
    if loaded and boat_at(s, place) != NO_BOAT:
        at_hand += 2
    # Without a load the goal is the nearest artefact: if that is not here, none is.
    if load < MOST_CARRIED and (loaded or way == 0):
        if colours_to_take(s, s.to_move, explorer) != 0:
            at_hand += 4
    return together(
        NAMED + (WAYS if loaded else 0) + way,
        NAMED_FOR + at_hand,
        NAMED_ON + ground_ahead(s, place, goal),
        NO_TRAIT,
    )


@rule
def describe_step(s: State, seen: int, direction: int) -> int:
    place = s.explorer[s.to_move][s.active]
    cell = NEXT_CELL[direction][place]
    goal = (seen >> GOAL_AT) - 1
    loaded = 1 if load_in(seen, s.active) > 0 else 0
    change = max(-1, min(1, way_to(cell, goal) - way_to(place, goal))) + 1
    stepped = STEPPED + (3 * loaded + change) * GROUNDS + terrain_at(s, cell)
    return together(stepped, STEPPED_TO + WAYS * loaded + way_to(cell, goal), NO_TRAIT, NO_TRAIT)


# ---- stages, cards and set-up -------------------------------------------------------------------


@rule_apart
def describe_rest(s: State, seen: int, action: int) -> int:
    if s.phase == SPACE:
        return describe_laying(s, seen, action)
    if s.phase == TURN:
        return describe_turn(s, seen, action)
    if s.phase == PLACE:
        started = STARTED + way_from(s, action, False)
        return together(started, STARTED_WITH + own_on(s, action // QUARTERS), NO_TRAIT, NO_TRAIT)
    if s.phase == CHOOSE:
        return REJECTED + s.hand[s.to_move][action]
    if s.phase == LEAVE:
        return LEFT + action
    if s.phase == CARD_EXPLORER:
        return LIFTED + load_in(seen, action)
    if s.phase == CARD_CELL:
        return LED + way_from(s, action, load_in(seen, s.active) > 0)
    if s.phase == QUAKE_DRAW:
        return QUAKE + action
    return QUAKE + 2 + min(5, action)


@rule
def own_on(s: State, space: int) -> int:
    count = 0
    for explorer in range(MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place >= 0 and place // QUARTERS == space:
            count += 1
    return min(3, count)


@rule
def describe_laying(s: State, seen: int, space: int) -> int:
    """Beside which of one's own a tile comes to lie, and whether on its way."""
    best = 0
    least = FAR
    for direction in range(DIRECTIONS):
        beside = NEXT_SPACE[direction][space]
        if beside == NOWHERE:
            continue
        for explorer in range(MOST_EXPLORERS):
            place = s.explorer[s.to_move][explorer]
            if place >= 0 and place // QUARTERS == beside:
                loaded = load_in(seen, explorer) > 0
                goal = goal_from(s, place, loaded)
                way = way_to(space * QUARTERS, goal)
                ahead = way < way_to(beside * QUARTERS, goal)
                best = max(best, 1 + (2 if ahead else 0) + (1 if loaded else 0))
                least = min(least, way)
    if best == 0:
        return LAID
    return together(LAID + best, LAID_WAY + least, NO_TRAIT, NO_TRAIT)


@rule
def describe_turn(s: State, seen: int, turn: int) -> int:
    """What those beside the tile would face: the one whose way leads there first."""
    faced = NO_TRAIT
    faced_too = NO_TRAIT
    for explorer in range(MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place < 0:
            continue
        for direction in range(DIRECTIONS):
            cell = NEXT_CELL[direction][place]
            if cell != NOWHERE and cell // QUARTERS == s.chosen:
                ground = TERRAIN[s.held][turn * QUARTERS + cell % QUARTERS]
                loaded = load_in(seen, explorer) > 0
                goal = goal_from(s, place, loaded)
                if way_to(cell, goal) < way_to(place, goal):
                    faced = TURNED + ground
                else:
                    faced_too = TURNED + GROUNDS + ground
    return together(faced, faced_too, NO_TRAIT, NO_TRAIT)


choose_quickly_1 = quick_choice("mauna-kea", "quick_1", describe_1, TRAITS, glance_1)
