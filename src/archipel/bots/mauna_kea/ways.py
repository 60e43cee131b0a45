"""How far it is: a wave that spreads from where one wants to go, in ticks of about a point each.

The wave enters jungle on every tick, lake and empty spaces on every second one.  It runs in
`State.reach` of a view, beside the ground that it may enter: `survey` draws that once for all the
waves of a decision, and `clear_reach` leaves everything as it was.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.box_parts import CELLS_OF_A_COVE
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    BOATS,
    COVE_CELLS,
    EMPTY,
    EMPTY_GROUND,
    FIRST_LAVA,
    FIRST_SPACE,
    FLOW_OF,
    FLOWS,
    JUNGLE,
    LAKE,
    LAVA_KINDS,
    MOST_CARRIED,
    MOST_EXPLORERS,
    OPEN,
    PLACES,
    ROW_BITS,
)
from archipel.rules.mauna_kea.geometry import (
    CELL_COLUMN,
    CELL_ROW,
    CELLS,
    COLUMNS,
    DIRECTIONS,
    NEXT_CELL,
    NEXT_SPACE,
    NOWHERE,
    ROWS_OF_CELLS,
)
from archipel.rules.mauna_kea.lava import NO_END, is_lava, landing, next_end
from archipel.rules.mauna_kea.reach import is_marked, mark
from archipel.rules.mauna_kea.state import OWNED, State, is_occupied, terrain_at

# What an explorer may want.
FITTING_BOAT: Final = 0  # one that its load all but fills
ANY_BOAT: Final = 1
ARTEFACT: Final = 2

FAR: Final = 100  # ticks: as good as never
NO_PLAN: Final = -1
EVERYBODY: Final = (1 << MOST_EXPLORERS) - 1


# A row of `State.reach`: where the wave is, the jungle, and all ground that is open to it.
WIDTH: Final = ROWS_OF_CELLS
CELLS_OF_ROW: Final = (1 << WIDTH) - 1
JUNGLE_AT: Final = WIDTH
OPEN_AT: Final = 2 * WIDTH

# Jungle and open ground of a tile as it lies, each in two bits, its southern half above.
HALF: Final = 3 | 3 << WIDTH
GROUNDS: Final = [
    [
        sum(
            (
                ROW_BITS[JUNGLE][tile][2 * turn + half]
                | ROW_BITS[OPEN][tile][2 * turn + half] << WIDTH
            )
            << 2 * half
            for half in range(2)
        )
        for turn in range(4)
    ]
    for tile in range(EMPTY + 1)
]

BITS_OF_A_LOAD: Final = 4


# ---- waves --------------------------------------------------------------------------------------


@rule
def survey_line(s: State, line: int) -> None:
    """Draw the ground of a line of spaces, and no wave."""
    north = 0
    south = 0
    for column in range(COLUMNS):
        space = line * COLUMNS + column
        ground = GROUNDS[s.tile[space]][s.turn[space]]
        north |= (ground & HALF) << 2 * column
        south |= (ground >> 2 & HALF) << 2 * column
    s.reach[2 * line] = north << WIDTH
    s.reach[2 * line + 1] = south << WIDTH


@rule_apart
def survey(s: State) -> None:
    for line in range(COLUMNS):
        survey_line(s, line)


@rule
def clear_wave(s: State) -> None:
    """Only the ground is left."""
    for row in range(ROWS_OF_CELLS):
        s.reach[row] = s.reach[row] >> WIDTH << WIDTH


@rule
def is_way(ground: int) -> bool:
    return ground == JUNGLE or ground == LAKE or ground == EMPTY_GROUND


@rule_apart
def mark_goals(s: State, goal: int, load: int) -> None:
    """Where the wave starts."""
    if goal == ARTEFACT:
        mark_artefacts(s)
        return
    for boat in range(BOATS):
        if s.boat[boat] < OWNED and (goal == ANY_BOAT or PLACES[boat] <= load + 1):
            for number in range(CELLS_OF_A_COVE):
                cell = COVE_CELLS[s.layout][s.boat[boat]][number]
                if is_way(terrain_at(s, cell)):
                    mark(s, cell)


@rule
def mark_artefacts(s: State) -> None:
    """Those that lie where nobody stands."""
    for artefact in range(ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < CELLS:
            mark(s, cell)
    for seat in range(s.seats):
        for explorer in range(MOST_EXPLORERS):
            cell = s.explorer[seat][explorer]
            if cell >= 0:
                s.reach[CELL_ROW[cell]] &= ~(1 << CELL_COLUMN[cell])


@rule_apart
def spread_wave(s: State, tick: int) -> bool:
    """One tick; whether the wave got anywhere."""
    ground = OPEN_AT if tick & 1 != 0 else JUNGLE_AT
    spreading = 0
    above = 0
    here = s.reach[0]
    for row in range(ROWS_OF_CELLS):
        below = s.reach[row + 1] if row + 1 < ROWS_OF_CELLS else 0
        wave = here & CELLS_OF_ROW
        bits = (wave << 1 | wave >> 1 | above | below) & here >> ground & CELLS_OF_ROW & ~wave
        s.reach[row] = here | bits
        spreading |= bits
        above = wave
        here = below
    return spreading != 0


@rule_apart
def ticks_from(s: State, goal: int, load: int, cell: int, most: int) -> int:
    """How many ticks it is from a cell to a goal over surveyed ground; more than this is `FAR`."""
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
    """Of some cells the first that is nearest to a goal, or `NOWHERE` if all are `FAR`."""
    mark_goals(s, goal, load)
    nearest = NOWHERE
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and nearest == NOWHERE:
        nearest = first_marked(s, cells, count)
        if nearest == NOWHERE:
            idle = 0 if spread_wave(s, ticks) else idle + 1
            ticks += 1
    clear_wave(s)
    return nearest


@rule
def first_marked(s: State, cells: list[int], count: int) -> int:
    for number in range(count):
        if is_marked(s, cells[number]):
            return cells[number]
    return NOWHERE


# A plan is the next step of some explorer: its number and a direction, and the ticks from there.


@rule
def plan_of(explorer: int, direction: int, ticks: int) -> int:
    return (ticks * MOST_EXPLORERS + explorer) * DIRECTIONS + direction


@rule
def plan_explorer(plan: int) -> int:
    return plan // DIRECTIONS % MOST_EXPLORERS


@rule
def plan_direction(plan: int) -> int:
    return plan % DIRECTIONS


@rule
def plan_ticks(plan: int) -> int:
    return plan // (DIRECTIONS * MOST_EXPLORERS)


@rule
def plan_cell(s: State, plan: int) -> int:
    """Where the step leads."""
    return NEXT_CELL[plan_direction(plan)][s.explorer[s.to_move][plan_explorer(plan)]]


@rule
def load_of(s: State, explorer: int) -> int:
    return artefacts_at(s, carrier(s.to_move, explorer))


@rule
def loads_of(s: State) -> int:
    """How many artefacts each explorer of the seat to move carries, all in one number."""
    loads = 0
    first = carrier(s.to_move, 0)
    for artefact in range(ARTEFACTS):
        explorer = s.artefact[artefact] - first
        if 0 <= explorer < MOST_EXPLORERS:
            loads += 1 << BITS_OF_A_LOAD * explorer
    return loads


@rule
def is_beside_lava(s: State, space: int) -> bool:
    """Whether lava may come next to a space: beside it lies some, or a flow begins on it."""
    for direction in range(DIRECTIONS):
        beside = NEXT_SPACE[direction][space]
        if beside != NOWHERE and is_lava(s.tile[beside]):
            return True
    for flow in range(FLOWS):
        if FIRST_SPACE[s.layout][flow] == space:
            return True
    return False


@rule_apart
def in_danger(s: State) -> int:
    """The explorers, as a set of bits, that the next tile of some flow would bury; of each flow the
    first kind of tile that is left in the bag stands for all."""
    beside = 0
    for explorer in range(MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place >= 0 and is_beside_lava(s, place >> 2):
            beside |= 1 << explorer
    return beside if beside == 0 else in_danger_among(s, beside)


@rule_apart
def in_danger_among(s: State, among: int) -> int:
    found = 0
    done = 0
    for lava in range(LAVA_KINDS):
        flow = FLOW_OF[lava]
        if s.bag[FIRST_LAVA + lava] > 0 and done >> flow & 1 == 0:
            done |= 1 << flow
            end = next_end(s, FIRST_LAVA + lava)
            if end != NO_END:
                space = landing(s, flow, end)
                for explorer in range(MOST_EXPLORERS):
                    place = s.explorer[s.to_move][explorer]
                    if among >> explorer & 1 != 0 and place >> 2 == space:
                        found |= 1 << explorer
    return found


@rule_apart
def shortest(s: State, loads: int, goal: int, least: int, most: int, among: int) -> int:
    """The plan for whichever of some explorers, with a load in this range, is nearest its goal."""
    meant = those_meant(s, loads, least, most, among)
    if meant == 0:
        return NO_PLAN
    mark_goals(s, goal, least)
    plan = NO_PLAN
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and plan == NO_PLAN:
        for explorer in range(MOST_EXPLORERS):
            if plan == NO_PLAN and meant >> explorer & 1 != 0:
                direction = way_on(s, explorer)
                if direction != NOWHERE:
                    plan = plan_of(explorer, direction, ticks)
        if plan == NO_PLAN:
            idle = 0 if spread_wave(s, ticks) else idle + 1
            ticks += 1
    clear_wave(s)
    return plan


@rule
def those_meant(s: State, loads: int, least: int, most: int, among: int) -> int:
    """Of some explorers those on the island with a load in this range."""
    meant = 0
    for explorer in range(MOST_EXPLORERS):
        if among >> explorer & 1 != 0 and s.explorer[s.to_move][explorer] >= 0:
            load = loads >> BITS_OF_A_LOAD * explorer & ((1 << BITS_OF_A_LOAD) - 1)
            if least <= load <= most:
                meant |= 1 << explorer
    return meant


@rule
def way_on(s: State, explorer: int) -> int:
    """The direction in which the wave has come to an explorer, over a cell it may enter one day."""
    place = s.explorer[s.to_move][explorer]
    for direction in range(DIRECTIONS):
        cell = NEXT_CELL[direction][place]
        if cell != NOWHERE and is_marked(s, cell) and not is_occupied(s, cell):
            return direction
    return NOWHERE


@rule_apart
def plan_among(s: State, loads: int, among: int) -> int:
    """Of some explorers, one who carries something goes to a boat; if none does, one goes for an
    artefact."""
    plan = shortest(s, loads, FITTING_BOAT, 2, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, loads, FITTING_BOAT, 1, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, loads, ANY_BOAT, 1, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, loads, ARTEFACT, 0, MOST_CARRIED - 1, among)
    return plan


@rule_apart
def best_plan(s: State) -> int:
    """Whoever is in danger goes first, then anybody; over surveyed ground."""
    loads = loads_of(s)
    plan = NO_PLAN
    endangered = in_danger(s)
    if endangered != 0:
        plan = plan_among(s, loads, endangered)
    if plan == NO_PLAN:
        plan = plan_among(s, loads, EVERYBODY)
    if plan == NO_PLAN:
        plan = shortest(s, loads, ANY_BOAT, 0, MOST_CARRIED, EVERYBODY)
    return plan
