"""greedy-1: fetches the nearest artefact and runs for the nearest boat, laying tiles on the way.

It looks at nothing but its own next step: which explorer is nearest to what it wants, those first
whom the next lava would bury, and whether a tile is better spent or laid there.  The others and
most cards it ignores.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea.ways import (
    ANY_BOAT,
    ARTEFACT,
    FAR,
    NO_PLAN,
    best_plan,
    load_of,
    nearest_of,
    plan_cell,
    plan_direction,
    plan_explorer,
    plan_ticks,
    survey,
    survey_line,
    ticks_from,
)
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.artefacts import COLOURS, colours_to_take
from archipel.rules.mauna_kea.box import BOX
from archipel.rules.mauna_kea.cards import ground_of
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    CANCELS_PENALTIES,
    COST,
    EARTHQUAKE,
    EMPTY,
    EMPTY_GROUND,
    HELICOPTER,
    JUNGLE_CARD,
    LEAST_TURN,
    MOST_EXPLORERS,
    MOST_TILES,
    NO_TILE,
    POINTS,
)
from archipel.rules.mauna_kea.geometry import COLUMNS, NOWHERE, QUARTERS
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.reach import clear_reach, find_way
from archipel.rules.mauna_kea.state import (
    BOARD,
    CARD,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    DRAW,
    END_PLAY,
    END_TURN,
    EXPLORER,
    LEAVE,
    NAME,
    NOBODY,
    NOT_YET,
    PLACE,
    PLAY,
    REFILL,
    SPACE,
    SPEND,
    STEP,
    TAKE,
    TILE,
    TURN,
    State,
    explorers_on_island,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import tiles_in_bag

# A tick of the way is worth this many points of a tile that is laid instead of spent.
POINTS_PER_TICK: Final = 2

# With so few tiles in the bag a helicopter is called before it is too late.
LAST_TILES: Final = 8

# A jungle card is not wasted on a shorter way than this.
LONG_WAY: Final = 6


def card_worth(kind: int) -> int:
    """What a card is worth keeping, in tenths of a point."""
    if kind == HELICOPTER:
        return 12
    if kind == JUNGLE_CARD:
        return 14
    if kind == EARTHQUAKE:
        return 1
    if kind < ACTION_KINDS:
        return 2
    return objective_worth(kind)


def objective_worth(kind: int) -> int:
    """What an objective is worth keeping: the more, the less it asks for."""
    if CANCELS_PENALTIES[kind]:
        return 15
    card = BOX.cards[kind]
    needed = sum(count for _, count in card.needs) + (2 if card.boat else 0)
    return 10 * card.points // max(1, needed) + 1


CARD_WORTH: Final = [card_worth(kind) for kind in range(len(BOX.cards))]


@rule_apart
def choose_greedily_1(s: State, actions: list[int], count: int) -> int:
    """The choice of greedy-1."""
    if count == 1:
        return actions[0]
    if s.phase == PLAY or s.phase == EXPLORER:
        return choose_in_play(s, actions, count)
    if s.phase == SPACE or s.phase == TURN:
        return choose_laying(s, actions, count)
    if s.phase == REFILL:
        return choose_in_refill(actions, count)
    if s.phase == PLACE:
        return choose_start(s, actions, count)
    if s.phase == CHOOSE:
        return choose_rejection(s, actions, count)
    if s.phase == LEAVE:
        return actions[0]  # white before grey before black
    if s.phase == CARD_EXPLORER:
        return choose_for_card(s, actions, count)
    if s.phase == CARD_CELL:
        return choose_card_cell(s, actions, count)
    return actions[count - 1]


@rule
def offers(actions: list[int], count: int, action: int) -> bool:
    for number in range(count):
        if actions[number] == action:
            return True
    return False


# ---- set-up -------------------------------------------------------------------------------------


@rule
def choose_rejection(s: State, actions: list[int], count: int) -> int:
    worst = actions[0]
    for number in range(count):
        worth = CARD_WORTH[s.hand[s.to_move][actions[number]]]
        if worth < CARD_WORTH[s.hand[s.to_move][worst]]:
            worst = actions[number]
    return worst


@rule_apart
def choose_start(s: State, actions: list[int], count: int) -> int:
    """Near an artefact, but not all on one space."""
    survey(s)
    best = actions[0]
    least = 10 * FAR
    for number in range(count):
        cell = actions[number]
        shared = FAR * beside_own(s, cell)
        if shared < least:
            ticks = shared + ticks_from(s, ARTEFACT, 0, cell, min(FAR, least - shared - 1))
            if ticks < least:
                least = ticks
                best = cell
    clear_reach(s)
    return best


@rule
def beside_own(s: State, cell: int) -> int:
    """How many of one's own stand on the space of a cell."""
    count = 0
    for explorer in range(MOST_EXPLORERS):
        place = s.explorer[s.to_move][explorer]
        if place >= 0 and place // QUARTERS == cell // QUARTERS:
            count += 1
    return count


# ---- the play -----------------------------------------------------------------------------------


@rule_apart
def choose_in_play(s: State, actions: list[int], count: int) -> int:
    at_hand = something_at_hand(s, actions, count)
    if at_hand != NO_PLAN:
        return at_hand
    survey(s)
    plan = best_plan(s)
    wanted = next_of_plan(s, plan, actions, count)
    clear_reach(s)
    return last_resort(s, plan, actions, count) if wanted == NO_PLAN else wanted


@rule
def next_of_plan(s: State, plan: int, actions: list[int], count: int) -> int:
    """What the plan asks for next; or nothing."""
    if s.phase == EXPLORER:
        wanted = STEP + plan_direction(plan) if plan != NO_PLAN else NO_PLAN
        return wanted if offers(actions, count, wanted) else actions[0]
    return NO_PLAN if plan == NO_PLAN else follow(s, plan, actions, count)


@rule
def something_at_hand(s: State, actions: list[int], count: int) -> int:
    """Board, or take the most precious artefact here; or name somebody who can."""
    if offers(actions, count, BOARD):
        return BOARD
    for below in range(COLOURS):
        action = TAKE + COLOURS - 1 - below
        if offers(actions, count, action):
            return action
    for explorer in range(MOST_EXPLORERS):
        if offers(actions, count, NAME + explorer):
            place = s.explorer[s.to_move][explorer]
            if s.pool > 0 and boat_at(s, place) != NO_BOAT and load_of(s, explorer) > 0:
                return NAME + explorer
            if colours_to_take(s, s.to_move, explorer) != 0:
                return NAME + explorer
    return NO_PLAN


@rule
def follow(s: State, plan: int, actions: list[int], count: int) -> int:
    """The step of the plan, or the points for it, or a tile to step onto."""
    explorer = plan_explorer(plan)
    ground = terrain_at(s, plan_cell(s, plan))
    if ground == EMPTY_GROUND:
        place = best_tile(s, plan, actions, count)
        return NO_PLAN if place == NO_TILE else TILE + place
    if COST[ground] > s.pool:
        place = richest_tile(s)
        return NO_PLAN if place == NO_TILE else SPEND + place
    action = STEP + plan_direction(plan) if s.active == explorer else NAME + explorer
    return action if offers(actions, count, action) else NO_PLAN


@rule
def richest_tile(s: State) -> int:
    """The place of the tile in front with most points."""
    best = NO_TILE
    for place in range(MOST_TILES):
        tile = s.front[s.to_move][place]
        if tile != NO_TILE:
            if best == NO_TILE or POINTS[tile] > POINTS[s.front[s.to_move][best]]:
                best = place
    return best


@rule
def best_tile(s: State, plan: int, actions: list[int], count: int) -> int:
    """The tile that makes the way of the plan short for the points it costs."""
    space = plan_cell(s, plan) // QUARTERS
    best = NO_TILE
    least = 0
    for place in range(MOST_TILES):
        if offers(actions, count, TILE + place):
            tile = s.front[s.to_move][place]
            most = FAR
            if best != NO_TILE:  # farther than this it is no better
                most = min(FAR, (least - POINTS[tile] - 1) // POINTS_PER_TICK)
            worth = POINTS_PER_TICK * ticks_over(s, plan, space, tile, most) + POINTS[tile]
            if best == NO_TILE or worth < least:
                best = place
                least = worth
    return best


@rule
def ticks_over(s: State, plan: int, space: int, tile: int, most: int) -> int:
    """How far it is with a tile on a space, turned as is best; more than this is `FAR`."""
    least = FAR
    for turn in range(4):
        if LEAST_TURN[tile][turn] == turn:
            enough = min(most, least - 1)
            least = min(least, ticks_with(s, plan, space, tile, turn, enough))
    return least


@rule_apart
def ticks_with(s: State, plan: int, space: int, tile: int, turn: int, most: int) -> int:
    """How far it is with a tile on a space that is, or is to be, empty; more than this is `FAR`."""
    explorer = plan_explorer(plan)
    load = load_of(s, explorer)
    start = s.explorer[s.to_move][explorer]
    s.tile[space] = tile
    s.turn[space] = turn
    survey_line(s, space // COLUMNS)
    ticks = ticks_from(s, ANY_BOAT if load > 0 else ARTEFACT, load, start, most)
    s.tile[space] = EMPTY
    s.turn[space] = 0
    survey_line(s, space // COLUMNS)
    return ticks


@rule
def last_resort(s: State, plan: int, actions: list[int], count: int) -> int:
    """A card before the play ends, or the end of it."""
    last = s.ending != NOT_YET or tiles_in_bag(s) <= LAST_TILES
    if last and offers(actions, count, CARD + HELICOPTER):
        if explorers_on_island(s, s.to_move) > 1 and heaviest(s, actions, 0) != NOBODY:
            return CARD + HELICOPTER
    if plan != NO_PLAN and plan_ticks(plan) > LONG_WAY:
        if load_of(s, plan_explorer(plan)) > 0 and offers(actions, count, CARD + JUNGLE_CARD):
            return CARD + JUNGLE_CARD
    return END_PLAY


@rule
def choose_in_refill(actions: list[int], count: int) -> int:
    return DRAW if offers(actions, count, DRAW) else END_TURN


# ---- laying -------------------------------------------------------------------------------------


@rule_apart
def choose_laying(s: State, actions: list[int], count: int) -> int:
    """The space that the plan needs, and the way round that makes it shortest."""
    survey(s)
    # The plan is made as if the space were still empty, which it is.
    plan = best_plan(s)
    best = actions[0]
    if plan != NO_PLAN and s.phase == TURN:
        best = best_way_round(s, plan, actions, count)
    elif plan != NO_PLAN:
        space = plan_cell(s, plan) // QUARTERS
        best = space if offers(actions, count, space) else best
    clear_reach(s)
    return best


@rule
def best_way_round(s: State, plan: int, actions: list[int], count: int) -> int:
    best = actions[0]
    least = FAR + 1
    for number in range(count):
        ticks = ticks_with(s, plan, s.chosen, s.held, actions[number], least - 1)
        if ticks < least:
            least = ticks
            best = actions[number]
    return best


# ---- cards --------------------------------------------------------------------------------------


@rule
def heaviest(s: State, actions: list[int], count: int) -> int:
    """The explorer with the largest load (among some, if they are given), or nobody."""
    best = NOBODY
    most = 0
    for explorer in range(MOST_EXPLORERS):
        if s.explorer[s.to_move][explorer] >= 0 and load_of(s, explorer) > most:
            if count == 0 or offers(actions, count, explorer):
                best = explorer
                most = load_of(s, explorer)
    return best


@rule
def choose_for_card(s: State, actions: list[int], count: int) -> int:
    if s.card != HELICOPTER:
        survey(s)
        plan = best_plan(s)
        clear_reach(s)
        if plan != NO_PLAN and offers(actions, count, plan_explorer(plan)):
            return plan_explorer(plan)
    explorer = heaviest(s, actions, count)
    return actions[0] if explorer == NOBODY else explorer


@rule_apart
def choose_card_cell(s: State, actions: list[int], count: int) -> int:
    """The cell nearest to what the explorer wants. The wave needs the room in which the cells are
    marked, so they are marked again afterwards."""
    load = load_of(s, s.active)
    survey(s)
    best = nearest_of(s, ANY_BOAT if load > 0 else ARTEFACT, load, actions, count)
    clear_reach(s)
    find_way(s, s.to_move, s.active, ground_of(s.card))
    return actions[0] if best == NOWHERE else best
