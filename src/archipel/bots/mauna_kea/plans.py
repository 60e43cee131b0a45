"""Plans: which explorer goes where next, by the distance to its goal.

Distances come from a wave that spreads from the goals, in ticks of about one point each. It enters
jungle on every tick, lake and empty spaces on every second one. The wave runs in `State.reach` of a
view, next to the terrain that it may enter: `survey` writes the terrain once for all waves of a
decision, and `clear_reach` restores the view.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import namespace, rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import (
    artefacts_at,
    carrier,
)
from archipel.rules.mauna_kea.box_format import CELLS_OF_A_COVE
from archipel.rules.mauna_kea.components import RowGround, Terrain, Tile
from archipel.rules.mauna_kea.lava import NO_END, is_lava, landing, next_end
from archipel.rules.mauna_kea.reach import is_marked, mark
from archipel.rules.mauna_kea.state import NOBODY, OWNED, Phase, State, is_occupied, terrain_at


@namespace
class Style:
    """The bots that choose by plans."""

    GREEDY_1: Final = 0
    GREEDY_2: Final = 1
    STEADY_1: Final = 2


# Goals of an explorer.
FITTING_BOAT: Final = 0  # a boat with at most one free place
ANY_BOAT: Final = 1
ARTEFACT: Final = 2

FAR: Final = 100  # in ticks: unreachable

# steady-1 fetches an artefact before it goes to a boat that is this many ticks farther away.
MUCH_NEARER: Final = 5

NO_PLAN: Final = -1
EVERYBODY: Final = (1 << box.MOST_EXPLORERS) - 1


# Bits of a row of `State.reach`: the wave, jungle, and all open terrain.
WIDTH: Final = grid.ROWS_OF_CELLS
CELLS_OF_ROW: Final = (1 << WIDTH) - 1
JUNGLE_AT: Final = WIDTH
OPEN_AT: Final = 2 * WIDTH

# Jungle and open terrain by tile and rotation, two bits each, the southern half above.
HALF: Final = 3 | 3 << WIDTH
GROUNDS: Final = [
    [
        sum(
            (
                box.ROW_BITS[Terrain.JUNGLE][tile][2 * turn + half]
                | box.ROW_BITS[RowGround.OPEN][tile][2 * turn + half] << WIDTH
            )
            << 2 * half
            for half in range(2)
        )
        for turn in range(4)
    ]
    for tile in range(Tile.EMPTY + 1)
]

BITS_OF_A_LOAD: Final = 4


# ---- waves --------------------------------------------------------------------------------------


@rule
def survey_line(s: State, line: int) -> None:
    """Write the terrain of a line of spaces, without a wave."""
    north = 0
    south = 0
    for column in range(grid.COLUMNS):
        space = line * grid.COLUMNS + column
        ground = GROUNDS[s.tile[space]][s.turn[space]]
        north |= (ground & HALF) << 2 * column
        south |= (ground >> 2 & HALF) << 2 * column
    s.reach[2 * line] = north << WIDTH
    s.reach[2 * line + 1] = south << WIDTH


@rule_apart
def survey(s: State) -> None:
    for line in range(grid.COLUMNS):
        survey_line(s, line)


@rule
def clear_wave(s: State) -> None:
    """Remove the wave and keep the terrain."""
    for row in range(grid.ROWS_OF_CELLS):
        s.reach[row] = s.reach[row] >> WIDTH << WIDTH


@rule_apart
def mark_goals(s: State, goal: int, load: int) -> None:
    """Mark the goals, from which the wave starts."""
    if goal == ARTEFACT:  # on cells without an explorer
        for artefact in range(box.ARTEFACTS):
            if 0 <= s.artefact[artefact] < grid.CELLS:
                mark(s, s.artefact[artefact])
        for seat in range(s.seats):
            for explorer in range(box.MOST_EXPLORERS):
                cell = s.explorer[seat][explorer]
                if cell >= 0:
                    s.reach[grid.CELL_ROW[cell]] &= ~(1 << grid.CELL_COLUMN[cell])
        return
    for boat in range(box.BOATS):
        if s.boat[boat] < OWNED and (goal == ANY_BOAT or box.PLACES[boat] <= load + 1):
            for number in range(CELLS_OF_A_COVE):
                cell = box.COVE_CELLS[s.layout][s.boat[boat]][number]
                ground = terrain_at(s, cell)
                if ground == Terrain.JUNGLE or ground == Terrain.LAKE or ground == Terrain.EMPTY:
                    mark(s, cell)


@rule_apart
def spread_wave(s: State, tick: int) -> bool:
    """Advance the wave by one tick; return whether it reached a new cell."""
    ground = OPEN_AT if tick & 1 != 0 else JUNGLE_AT
    spreading = 0
    above = 0
    here = s.reach[0]
    for row in range(grid.ROWS_OF_CELLS):
        below = s.reach[row + 1] if row + 1 < grid.ROWS_OF_CELLS else 0
        wave = here & CELLS_OF_ROW
        bits = (wave << 1 | wave >> 1 | above | below) & here >> ground & CELLS_OF_ROW & ~wave
        s.reach[row] = here | bits
        spreading |= bits
        above = wave
        here = below
    return spreading != 0


@rule_apart
def ticks_from(s: State, goal: int, load: int, cell: int, most: int) -> int:
    """Ticks from a cell to a goal over surveyed terrain; `FAR` if more than ``most``."""
    mark_goals(s, goal, load)
    ticks = 0
    idle = 0
    while ticks < most and idle < 2 and not is_marked(s, cell):
        idle = 0 if spread_wave(s, ticks) else idle + 1
        ticks += 1
    found = is_marked(s, cell)
    clear_wave(s)
    return ticks if found else FAR


@rule_apart
def nearest_of(s: State, goal: int, load: int, cells: list[int], count: int) -> int:
    """The first cell that is nearest to a goal, or `NOWHERE` if all are `FAR`."""
    mark_goals(s, goal, load)
    nearest = grid.NOWHERE
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and nearest == grid.NOWHERE:
        for number in range(count):
            if nearest == grid.NOWHERE and is_marked(s, cells[number]):
                nearest = cells[number]
        idle = 0 if spread_wave(s, ticks) else idle + 1
        ticks += 1
    clear_wave(s)
    return nearest


# A plan packs the ticks, the explorer and the direction of its next step into one int.


@rule
def explorer_of(plan: int) -> int:
    return plan // grid.DIRECTIONS % box.MOST_EXPLORERS


@rule
def direction_of(plan: int) -> int:
    return plan % grid.DIRECTIONS


@rule
def ticks_of(plan: int) -> int:
    return plan // (grid.DIRECTIONS * box.MOST_EXPLORERS)


@rule
def cell_of(s: State, plan: int) -> int:
    """The cell that the step leads to."""
    return grid.NEXT_CELL[direction_of(plan)][s.explorer[s.to_move][explorer_of(plan)]]


@rule
def load_of(s: State, explorer: int) -> int:
    return artefacts_at(s, carrier(s.to_move, explorer))


@rule
def loads_of(s: State) -> int:
    """The loads of all explorers of the seat to move, packed into one int."""
    loads = 0
    first = carrier(s.to_move, 0)
    for artefact in range(box.ARTEFACTS):
        explorer = s.artefact[artefact] - first
        if 0 <= explorer < box.MOST_EXPLORERS:
            loads += 1 << BITS_OF_A_LOAD * explorer
    return loads


@rule
def own_explorers_on(s: State, space: int) -> int:
    """The number of one's own explorers on a space."""
    count = 0
    for explorer in range(box.MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place >= 0 and place // grid.QUARTERS == space:
            count += 1
    return count


@rule
def is_beside_lava(s: State, space: int) -> bool:
    """Whether lava can reach a space next: some is next to it, or a flow begins on it."""
    for direction in range(grid.DIRECTIONS):
        beside = grid.NEXT_SPACE[direction][space]
        if beside != grid.NOWHERE and is_lava(s.tile[beside]):
            return True
    for flow in range(box.FLOWS):
        if box.FIRST_SPACE[s.layout][flow] == space:
            return True
    return False


@rule_apart
def in_danger(s: State) -> int:
    """The explorers that the next lava tile could bury, as a bit set.

    The first kind of tile left in the bag stands for all kinds of its flow.
    """
    beside = 0
    for explorer in range(box.MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place >= 0 and is_beside_lava(s, place >> 2):
            beside |= 1 << explorer
    if beside == 0:
        return 0
    found = 0
    done = 0
    for lava in range(box.LAVA_KINDS):
        flow = box.FLOW_OF[lava]
        if s.bag[Tile.FIRST_LAVA + lava] > 0 and done >> flow & 1 == 0:
            done |= 1 << flow
            end = next_end(s, Tile.FIRST_LAVA + lava)
            if end != NO_END:
                space = landing(s, flow, end)
                for explorer in range(box.MOST_EXPLORERS):
                    place = s.explorer[s.to_move][explorer]
                    if beside >> explorer & 1 != 0 and place >> 2 == space:
                        found |= 1 << explorer
    return found


@rule_apart
def shortest(s: State, loads: int, goal: int, least: int, most: int, among: int) -> int:
    """The plan of the explorer nearest to its goal, among those with a load in a range."""
    meant = 0
    for explorer in range(box.MOST_EXPLORERS):
        if among >> explorer & 1 != 0 and s.explorer[s.to_move][explorer] >= 0:
            load = loads >> BITS_OF_A_LOAD * explorer & ((1 << BITS_OF_A_LOAD) - 1)
            if least <= load <= most:
                meant |= 1 << explorer
    if meant == 0:
        return NO_PLAN
    mark_goals(s, goal, least)
    plan = NO_PLAN
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and plan == NO_PLAN:
        for explorer in range(box.MOST_EXPLORERS):
            if plan == NO_PLAN and meant >> explorer & 1 != 0:
                direction = way_on(s, explorer)
                if direction != grid.NOWHERE:
                    named = ticks * box.MOST_EXPLORERS + explorer
                    plan = named * grid.DIRECTIONS + direction
        if plan == NO_PLAN:
            idle = 0 if spread_wave(s, ticks) else idle + 1
            ticks += 1
    clear_wave(s)
    return plan


@rule
def way_on(s: State, explorer: int) -> int:
    """The direction from an explorer to a free cell that the wave has reached, or `NOWHERE`."""
    place = s.explorer[s.to_move][explorer]
    for direction in range(grid.DIRECTIONS):
        cell = grid.NEXT_CELL[direction][place]
        if cell != grid.NOWHERE and is_marked(s, cell) and not is_occupied(s, cell):
            return direction
    return grid.NOWHERE


@rule_apart
def plan_among(s: State, loads: int, among: int, steady: bool) -> int:
    """The plan to bring a load to a boat, or to fetch an artefact if no explorer has a load.

    For steady-1, an artefact that is much nearer comes before a boat.
    """
    plan = shortest(s, loads, FITTING_BOAT, 2, box.MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, loads, FITTING_BOAT, 1, box.MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, loads, ANY_BOAT, 1, box.MOST_CARRIED, among)
    if plan == NO_PLAN or (steady and ticks_of(plan) >= MUCH_NEARER):
        more = shortest(s, loads, ARTEFACT, 0, box.MOST_CARRIED - 1, among)
        if plan == NO_PLAN or (more != NO_PLAN and ticks_of(more) + MUCH_NEARER <= ticks_of(plan)):
            return more
    return plan


@rule_apart
def choose_plan(s: State, steady: bool) -> int:
    """The plan of the greedy bots or of steady-1: explorers in danger first, then all.

    steady-1 plans for the named explorer alone. With nothing to fetch, an explorer goes to a boat
    without a load.
    """
    loads = loads_of(s)
    everybody = EVERYBODY
    plan = NO_PLAN
    if steady and s.phase == Phase.EXPLORER and s.active != NOBODY:
        everybody = 1 << s.active
    else:
        endangered = in_danger(s)
        if endangered != 0:
            plan = plan_among(s, loads, endangered, steady)
    if plan == NO_PLAN:
        plan = plan_among(s, loads, everybody, steady)
    if plan == NO_PLAN:
        plan = shortest(s, loads, ANY_BOAT, 0, box.MOST_CARRIED, everybody)
    return plan


# ---- distances with another tile -----------------------------------------------------------------


@rule
def offers(actions: list[int], count: int, action: int) -> bool:
    for number in range(count):
        if actions[number] == action:
            return True
    return False


@rule
def ticks_over(s: State, plan: int, space: int, tile: int, most: int) -> int:
    """Ticks of the plan with a tile in its best rotation; `FAR` if more than ``most``."""
    least = FAR
    for turn in range(4):
        if box.LEAST_TURN[tile][turn] == turn:
            enough = min(most, least - 1)
            least = min(least, ticks_with(s, plan, space, tile, turn, enough))
    return least


@rule_apart
def ticks_with(s: State, plan: int, space: int, tile: int, turn: int, most: int) -> int:
    """Ticks of the plan with a tile on an empty space; `FAR` if more than ``most``."""
    explorer = explorer_of(plan)
    load = load_of(s, explorer)
    start = s.explorer[s.to_move][explorer]
    s.tile[space] = tile
    s.turn[space] = turn
    survey_line(s, space // grid.COLUMNS)
    ticks = ticks_from(s, ANY_BOAT if load > 0 else ARTEFACT, load, start, most)
    s.tile[space] = Tile.EMPTY
    s.turn[space] = 0
    survey_line(s, space // grid.COLUMNS)
    return ticks
