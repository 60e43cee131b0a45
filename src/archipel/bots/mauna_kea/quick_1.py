"""quick-1: what can be seen of an action at a glance, weighed as greedy-2 would have it.

How far things are is counted in cells as the crow flies: no wave is spread.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea.ways import load_of
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
def way_from(s: State, cell: int, loaded: bool) -> int:
    """To the nearest boat with something to bring there, else to the nearest artefact."""
    least = FAR
    if loaded:
        for boat in range(BOATS):
            if s.boat[boat] < OWNED:
                least = min(least, cells_between(cell, COVE_CELLS[s.layout][s.boat[boat]][0]))
        return least
    for artefact in range(ARTEFACTS):
        if 0 <= s.artefact[artefact] < CELLS:
            least = min(least, cells_between(cell, s.artefact[artefact]))
    return least


@rule_apart
def ground_ahead(s: State, place: int, loaded: bool) -> int:
    """Of the cells beside one, the ground of that nearest to the goal; the best where several are:
    jungle before lake before mountains before what is still empty."""
    least = FAR + 1
    best = GROUNDS
    for direction in range(DIRECTIONS):
        cell = NEXT_CELL[direction][place]
        if cell != NOWHERE:
            way = way_from(s, cell, loaded)
            ground = terrain_at(s, cell)
            if way < least or (way == least and ground < best):
                least = way
                best = ground
    return best


@rule
def describe_1(s: State, action: int) -> int:
    """The traits of an action in its phase."""
    if s.phase == PLAY or s.phase == EXPLORER or s.phase == REFILL:
        return describe_play(s, action)
    return describe_rest(s, action)


# ---- the play -----------------------------------------------------------------------------------


@rule_apart
def describe_play(s: State, action: int) -> int:
    if action == END_PLAY:
        left = 0 if s.front[s.to_move][0] == NO_TILE else WORTHS
        return ENDED + left + min(WORTHS - 1, s.pool)
    if action < SPEND:
        points = LAYING + POINTS[s.front[s.to_move][action - TILE]]
        return together(points, LAYING_WITH + active_ahead(s), NO_TRAIT, NO_TRAIT)
    if action < NAME:
        points = SPENT + POINTS[s.front[s.to_move][action - SPEND]]
        pool = min(WORTHS - 1, s.pool) * (GROUNDS + 1)
        return together(points, SPENT_WITH + pool + active_ahead(s), NO_TRAIT, NO_TRAIT)
    if action < STEP:
        return describe_naming(s, action - NAME)
    if action < TAKE:
        return describe_step(s, action - STEP)
    if action < BOARD:
        load = min(LOADS - 1, load_of(s, s.active))
        if action < PUT:
            return TAKEN + (action - TAKE) * LOADS + load
        return PUT_DOWN + (action - PUT) * LOADS + load
    if action == BOARD:
        return BOARDED + min(LOADS - 1, load_of(s, s.active))
    if action < CARD + ACTION_KINDS:
        return CARD_PLAYED + action - CARD
    return DRAWN + action - CARD - ACTION_KINDS


@rule
def active_ahead(s: State) -> int:
    """What is on the way of the explorer named last."""
    if s.active < 0:
        return GROUNDS
    return ground_ahead(s, s.explorer[s.to_move][s.active], load_of(s, s.active) > 0)


@rule
def describe_naming(s: State, explorer: int) -> int:
    place = s.explorer[s.to_move][explorer]
    loaded = load_of(s, explorer) > 0
    at_hand = 1 if s.active == explorer else 0
    if loaded and boat_at(s, place) != NO_BOAT:
        at_hand += 2
    if colours_to_take(s, s.to_move, explorer) != 0:
        at_hand += 4
    return together(
        NAMED + (WAYS if loaded else 0) + way_from(s, place, loaded),
        NAMED_FOR + at_hand,
        NAMED_ON + ground_ahead(s, place, loaded),
        NO_TRAIT,
    )


@rule
def describe_step(s: State, direction: int) -> int:
    place = s.explorer[s.to_move][s.active]
    cell = NEXT_CELL[direction][place]
    loaded = load_of(s, s.active) > 0
    way = way_from(s, cell, loaded)
    change = max(-1, min(1, way - way_from(s, place, loaded))) + 1
    kind = 3 + change if loaded else change
    stepped = STEPPED + kind * GROUNDS + terrain_at(s, cell)
    return together(stepped, STEPPED_TO + (WAYS if loaded else 0) + way, NO_TRAIT, NO_TRAIT)


# ---- stages, cards and set-up -------------------------------------------------------------------


@rule_apart
def describe_rest(s: State, action: int) -> int:
    if s.phase == SPACE:
        return describe_laying(s, action)
    if s.phase == TURN:
        return describe_turn(s, action)
    if s.phase == PLACE:
        started = STARTED + way_from(s, action, False)
        return together(started, STARTED_WITH + own_on(s, action // QUARTERS), NO_TRAIT, NO_TRAIT)
    if s.phase == CHOOSE:
        return REJECTED + s.hand[s.to_move][action]
    if s.phase == LEAVE:
        return LEFT + action
    if s.phase == CARD_EXPLORER:
        return LIFTED + min(LOADS - 1, load_of(s, action))
    if s.phase == CARD_CELL:
        return LED + way_from(s, action, load_of(s, s.active) > 0)
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
def describe_laying(s: State, space: int) -> int:
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
                loaded = load_of(s, explorer) > 0
                way = way_from(s, space * QUARTERS, loaded)
                ahead = way < way_from(s, beside * QUARTERS, loaded)
                best = max(best, 1 + (2 if ahead else 0) + (1 if loaded else 0))
                least = min(least, way)
    if best == 0:
        return LAID
    return together(LAID + best, LAID_WAY + least, NO_TRAIT, NO_TRAIT)


@rule
def describe_turn(s: State, turn: int) -> int:
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
                loaded = load_of(s, explorer) > 0
                if way_from(s, cell, loaded) < way_from(s, place, loaded):
                    faced = TURNED + ground
                else:
                    faced_too = TURNED + GROUNDS + ground
    return together(faced, faced_too, NO_TRAIT, NO_TRAIT)


choose_quickly_1 = quick_choice("mauna-kea", "quick_1", describe_1, TRAITS)
