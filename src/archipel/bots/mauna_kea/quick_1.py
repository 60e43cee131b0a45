"""quick-1: a linear policy fitted to the choices of greedy-2.

Distances are straight lines in cells; no wave is computed.

Frozen: results refer to it by name, so a bot that plays differently gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.linear_policy import ALIKE, BITS, MOST_TRAITS, NO_TRAIT, policy_weights, together
from archipel.bots.mauna_kea.plans import BITS_OF_A_LOAD, loads_of, own_explorers_on
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import COLOURS, colours_to_take
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.state import OWNED, Action, Phase, State, terrain_at

FAR: Final = 15  # distances in cells are capped here
WAYS: Final = FAR + 1
LOADS: Final = 4
WORTHS: Final = 8  # points of a tile, or of the pool
GROUNDS: Final = 6

WORST: Final = -(1 << 40)

# Features: the first number of each group, and what the numbers in the group stand for.
ENDED: Final = 1  # whether tiles are left, the pool
LAYING: Final = ENDED + 2 * WORTHS  # points of the tile
LAYING_WITH: Final = LAYING + WORTHS  # terrain ahead of the active explorer
SPENT: Final = LAYING_WITH + GROUNDS + 1  # points of the tile
SPENT_WITH: Final = SPENT + WORTHS  # the pool, terrain ahead
NAMED: Final = SPENT_WITH + WORTHS * (GROUNDS + 1)  # loaded or not, distance
NAMED_FOR: Final = NAMED + 2 * WAYS  # artefact here, boat here, already active
NAMED_ON: Final = NAMED_FOR + 8  # terrain ahead
STEPPED: Final = NAMED_ON + GROUNDS + 1  # loaded or not, nearer or farther, terrain
STEPPED_TO: Final = STEPPED + 6 * GROUNDS  # loaded or not, new distance
TAKEN: Final = STEPPED_TO + 2 * WAYS  # colour, load
PUT_DOWN: Final = TAKEN + COLOURS * LOADS
BOARDED: Final = PUT_DOWN + COLOURS * LOADS
CARD_PLAYED: Final = BOARDED + LOADS
DRAWN: Final = CARD_PLAYED + box.ACTION_KINDS  # draw, end of the turn
LAID: Final = DRAWN + 2  # next to nobody, or an explorer: loaded or not, ahead or not
LAID_WAY: Final = LAID + 5
TURNED: Final = LAID_WAY + WAYS  # terrain that an explorer faces, ahead and elsewhere
STARTED: Final = TURNED + 2 * GROUNDS  # distance
STARTED_WITH: Final = STARTED + WAYS  # number of own explorers on the space
REJECTED: Final = STARTED_WITH + 4
LEFT: Final = REJECTED + box.CARD_KINDS
LIFTED: Final = LEFT + COLOURS  # load
LED: Final = LIFTED + LOADS  # new distance
QUAKE: Final = LED + WAYS
TRAITS: Final = QUAKE + 8


@rule
def cells_between(one: int, other: int) -> int:
    rows = abs(grid.CELL_ROW[one] - grid.CELL_ROW[other])
    return rows + abs(grid.CELL_COLUMN[one] - grid.CELL_COLUMN[other])


@rule_apart
def goal_from(s: State, cell: int, loaded: bool) -> int:
    """The cell of the nearest boat for a loaded explorer, else of the nearest artefact, or
    `NOWHERE`."""
    goal = grid.NOWHERE
    least = grid.CELLS
    if loaded:
        for boat in range(box.BOATS):
            if s.boat[boat] < OWNED:
                cove = box.COVE_CELLS[s.layout][s.boat[boat]][0]
                if cells_between(cell, cove) < least:
                    least = cells_between(cell, cove)
                    goal = cove
        return goal
    for artefact in range(box.ARTEFACTS):
        place = s.artefact[artefact]
        if 0 <= place < grid.CELLS and cells_between(cell, place) < least:
            least = cells_between(cell, place)
            goal = place
    return goal


@rule
def way_to(cell: int, goal: int) -> int:
    return FAR if goal == grid.NOWHERE else min(FAR, cells_between(cell, goal))


@rule
def way_from(s: State, cell: int, loaded: bool) -> int:
    return way_to(cell, goal_from(s, cell, loaded))


@rule
def ground_ahead(s: State, place: int, goal: int) -> int:
    """The terrain of the best step towards a goal: jungle, lake, mountain, then an empty space."""
    best = GROUNDS
    if goal == grid.NOWHERE:
        return best
    way = cells_between(place, goal)
    for direction in range(grid.DIRECTIONS):
        cell = grid.NEXT_CELL[direction][place]
        if cell != grid.NOWHERE and cells_between(cell, goal) < way:
            best = min(best, terrain_at(s, cell))
    return best


# What `glance_1` computes: the loads of all explorers; of the active one the terrain ahead and the
# next cell.
AHEAD_AT: Final = BITS_OF_A_LOAD * box.MOST_EXPLORERS
GOAL_AT: Final = AHEAD_AT + 3


@rule_apart
def glance_1(s: State) -> int:
    loads = loads_of(s)
    ahead = GROUNDS
    goal = grid.NOWHERE
    if s.active >= 0 and s.explorer[s.to_move][s.active] >= 0:
        place = s.explorer[s.to_move][s.active]
        goal = goal_from(s, place, load_in(loads, s.active) > 0)
        ahead = ground_ahead(s, place, goal)
    return loads | ahead << AHEAD_AT | goal + 1 << GOAL_AT


@rule
def load_in(seen: int, explorer: int) -> int:
    return min(LOADS - 1, seen >> BITS_OF_A_LOAD * explorer & (1 << BITS_OF_A_LOAD) - 1)


# ---- the play -----------------------------------------------------------------------------------


@rule_apart
def describe_play(s: State, seen: int, action: int) -> int:
    ahead = seen >> AHEAD_AT & 7
    if action == Action.END_PLAY:
        left = 0 if s.front[s.to_move][0] == Tile.NONE else WORTHS
        return ENDED + left + min(WORTHS - 1, s.pool)
    if action < Action.SPEND:
        points = LAYING + box.POINTS[s.front[s.to_move][action - Action.TILE]]
        return together(points, LAYING_WITH + ahead)
    if action < Action.NAME:
        points = SPENT + box.POINTS[s.front[s.to_move][action - Action.SPEND]]
        pool = min(WORTHS - 1, s.pool) * (GROUNDS + 1)
        return together(points, SPENT_WITH + pool + ahead)
    if action < Action.STEP:
        return describe_naming(s, seen, action - Action.NAME)
    if action < Action.TAKE:
        return describe_step(s, seen, action - Action.STEP)
    if action < Action.BOARD:
        load = load_in(seen, s.active)
        if action < Action.PUT:
            return TAKEN + (action - Action.TAKE) * LOADS + load
        return PUT_DOWN + (action - Action.PUT) * LOADS + load
    if action == Action.BOARD:
        return BOARDED + load_in(seen, s.active)
    if action < Action.CARD + box.ACTION_KINDS:
        return CARD_PLAYED + action - Action.CARD
    return DRAWN + action - Action.CARD - box.ACTION_KINDS


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
    # Without a load the goal is the nearest artefact; if it is not here, there is none here.
    if load < box.MOST_CARRIED and (loaded or way == 0):
        if colours_to_take(s, s.to_move, explorer) != 0:
            at_hand += 4
    named_on = NAMED_ON + ground_ahead(s, place, goal)
    named = NAMED + (WAYS if loaded else 0) + way
    return together(named, together(NAMED_FOR + at_hand, named_on))


@rule
def describe_step(s: State, seen: int, direction: int) -> int:
    place = s.explorer[s.to_move][s.active]
    cell = grid.NEXT_CELL[direction][place]
    goal = (seen >> GOAL_AT) - 1
    loaded = 1 if load_in(seen, s.active) > 0 else 0
    change = max(-1, min(1, way_to(cell, goal) - way_to(place, goal))) + 1
    stepped = STEPPED + (3 * loaded + change) * GROUNDS + terrain_at(s, cell)
    return together(stepped, STEPPED_TO + WAYS * loaded + way_to(cell, goal))


# ---- stages, cards and set-up -------------------------------------------------------------------


@rule_apart
def describe_1(s: State, seen: int, action: int) -> int:
    """The features of an action in its phase."""
    if s.phase == Phase.PLAY or s.phase == Phase.EXPLORER or s.phase == Phase.REFILL:
        return describe_play(s, seen, action)
    if s.phase == Phase.SPACE:
        return describe_laying(s, seen, action)
    if s.phase == Phase.TURN:
        return describe_turn(s, seen, action)
    if s.phase == Phase.PLACE:
        others = min(3, own_explorers_on(s, action // grid.QUARTERS))
        return together(STARTED + way_from(s, action, False), STARTED_WITH + others)
    if s.phase == Phase.CHOOSE:
        return REJECTED + s.hand[s.to_move][action]
    if s.phase == Phase.LEAVE:
        return LEFT + action
    if s.phase == Phase.CARD_EXPLORER:
        return LIFTED + load_in(seen, action)
    if s.phase == Phase.CARD_CELL:
        return LED + way_from(s, action, load_in(seen, s.active) > 0)
    if s.phase == Phase.QUAKE_DRAW:
        return QUAKE + action
    return QUAKE + 2 + min(5, action)


@rule
def describe_laying(s: State, seen: int, space: int) -> int:
    """Features of laying a tile: the explorer next to it, and whether it is on its way."""
    best = 0
    least = FAR
    for direction in range(grid.DIRECTIONS):
        beside = grid.NEXT_SPACE[direction][space]
        if beside == grid.NOWHERE:
            continue
        for explorer in range(box.MOST_EXPLORERS):
            place = s.explorer[s.to_move][explorer]
            if place >= 0 and place // grid.QUARTERS == beside:
                loaded = load_in(seen, explorer) > 0
                goal = goal_from(s, place, loaded)
                way = way_to(space * grid.QUARTERS, goal)
                ahead = way < way_to(beside * grid.QUARTERS, goal)
                best = max(best, 1 + (2 if ahead else 0) + (1 if loaded else 0))
                least = min(least, way)
    if best == 0:
        return LAID
    return together(LAID + best, LAID_WAY + least)


@rule
def describe_turn(s: State, seen: int, turn: int) -> int:
    """Features of turning a tile: the terrain that the explorers next to it would face."""
    faced = NO_TRAIT
    faced_too = NO_TRAIT
    for explorer in range(box.MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place < 0:
            continue
        for direction in range(grid.DIRECTIONS):
            cell = grid.NEXT_CELL[direction][place]
            if cell != grid.NOWHERE and cell // grid.QUARTERS == s.chosen:
                ground = box.TERRAIN[s.held][turn * grid.QUARTERS + cell % grid.QUARTERS]
                loaded = load_in(seen, explorer) > 0
                goal = goal_from(s, place, loaded)
                if way_to(cell, goal) < way_to(place, goal):
                    faced = TURNED + ground
                else:
                    faced_too = TURNED + GROUNDS + ground
    return together(faced, faced_too)


WEIGHTS: Final = list(policy_weights("mauna-kea", "quick_1", TRAITS))


@rule_apart
def choose_quickly_1(s: State, actions: list[int], count: int, chance: Chance) -> int:
    """Choose the action with the highest score."""
    if count == 1:
        return actions[0]
    seen = glance_1(s)
    best = WORST
    chosen = actions[0]
    for index in range(count):
        description = describe_1(s, seen, actions[index])
        value = draw(chance, ALIKE)
        while description != 0:
            value += WEIGHTS[description & (MOST_TRAITS - 1)]
            description = description >> BITS
        if value > best:
            best = value
            chosen = actions[index]
    return chosen
