"""How far it is: a wave that spreads from where one wants to go, in ticks of about a point each.

The wave enters jungle on every tick, lake and empty spaces on every second one.  It runs in
`State.reach` of a view and leaves it as it was.
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
    EMPTY_GROUND,
    FIRST_LAVA,
    FLOW_OF,
    JUNGLE,
    LAKE,
    LAVA_KINDS,
    MOST_CARRIED,
    MOST_EXPLORERS,
    OPEN,
    PLACES,
)
from archipel.rules.mauna_kea.geometry import (
    CELLS,
    DIRECTIONS,
    NEXT_CELL,
    NOWHERE,
    ROWS_OF_CELLS,
)
from archipel.rules.mauna_kea.lava import NO_END, landing, next_end
from archipel.rules.mauna_kea.reach import clear_reach, ground_in_row, is_marked, is_near, mark
from archipel.rules.mauna_kea.state import OWNED, State, is_occupied, terrain_at

# What an explorer may want.
FITTING_BOAT: Final = 0  # one that its load all but fills
ANY_BOAT: Final = 1
ARTEFACT: Final = 2

FAR: Final = 100  # ticks: as good as never
NO_PLAN: Final = -1
EVERYBODY: Final = (1 << MOST_EXPLORERS) - 1


@rule
def is_way(ground: int) -> bool:
    return ground == JUNGLE or ground == LAKE or ground == EMPTY_GROUND


@rule
def mark_goals(s: State, goal: int, load: int) -> None:
    """Where the wave starts."""
    if goal == ARTEFACT:
        for artefact in range(ARTEFACTS):
            cell = s.artefact[artefact]
            if 0 <= cell < CELLS and not is_occupied(s, cell):
                mark(s, cell)
        return
    for boat in range(BOATS):
        if s.boat[boat] < OWNED and (goal == ANY_BOAT or PLACES[boat] <= load + 1):
            for number in range(CELLS_OF_A_COVE):
                cell = COVE_CELLS[s.layout][s.boat[boat]][number]
                if is_way(terrain_at(s, cell)):
                    mark(s, cell)


@rule
def spread_wave(s: State, tick: int) -> bool:
    """One tick; whether the wave got anywhere."""
    ground = OPEN if tick & 1 != 0 else JUNGLE
    spreading = False
    above = 0
    for row in range(ROWS_OF_CELLS):
        here = s.reach[row]
        if is_near(s, row) or above != 0:
            bits = here << 1 | here >> 1 | above
            if row + 1 < ROWS_OF_CELLS:
                bits |= s.reach[row + 1]
            bits &= ground_in_row(s, ground, row)
            if bits & ~here != 0:
                s.reach[row] = here | bits
                spreading = True
        above = here
    return spreading


@rule_apart
def ticks_from(s: State, goal: int, load: int, cell: int) -> int:
    """How many ticks it is from a cell to a goal, or `FAR`."""
    mark_goals(s, goal, load)
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and not is_marked(s, cell):
        idle = 0 if spread_wave(s, ticks) else idle + 1
        ticks += 1
    found = is_marked(s, cell)
    clear_reach(s)
    return ticks if found else FAR


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


@rule_apart
def in_danger(s: State) -> int:
    """The explorers, as a set of bits, that the next tile of some flow would bury; of each flow the
    first kind of tile that is left in the bag stands for all."""
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
                    if place >= 0 and place >> 2 == space:
                        found |= 1 << explorer
    return found


@rule_apart
def shortest(s: State, goal: int, least: int, most: int, among: int) -> int:
    """The plan for whichever of some explorers, with a load in this range, is nearest its goal."""
    if not is_any_loaded(s, least, most, among):
        return NO_PLAN
    mark_goals(s, goal, least)
    plan = NO_PLAN
    ticks = 0
    idle = 0
    while ticks < FAR and idle < 2 and plan == NO_PLAN:
        for explorer in range(MOST_EXPLORERS):
            if plan == NO_PLAN and is_meant(s, explorer, least, most, among):
                direction = way_on(s, explorer)
                if direction != NOWHERE:
                    plan = plan_of(explorer, direction, ticks)
        if plan == NO_PLAN:
            idle = 0 if spread_wave(s, ticks) else idle + 1
            ticks += 1
    clear_reach(s)
    return plan


@rule
def is_meant(s: State, explorer: int, least: int, most: int, among: int) -> bool:
    if among >> explorer & 1 == 0 or s.explorer[s.to_move][explorer] < 0:
        return False
    return least <= load_of(s, explorer) <= most


@rule
def is_any_loaded(s: State, least: int, most: int, among: int) -> bool:
    for explorer in range(MOST_EXPLORERS):
        if is_meant(s, explorer, least, most, among):
            return True
    return False


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
def plan_among(s: State, among: int) -> int:
    """Of some explorers, one who carries something goes to a boat; if none does, one goes for an
    artefact."""
    plan = shortest(s, FITTING_BOAT, 2, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, FITTING_BOAT, 1, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, ANY_BOAT, 1, MOST_CARRIED, among)
    if plan == NO_PLAN:
        plan = shortest(s, ARTEFACT, 0, MOST_CARRIED - 1, among)
    return plan


@rule_apart
def best_plan(s: State) -> int:
    """Whoever is in danger goes first, then anybody."""
    plan = plan_among(s, in_danger(s))
    if plan == NO_PLAN:
        plan = plan_among(s, EVERYBODY)
    if plan == NO_PLAN:
        plan = shortest(s, ANY_BOAT, 0, MOST_CARRIED, EVERYBODY)
    return plan
