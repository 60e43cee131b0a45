"""Cards: which to keep and when to play them, for the greedy bots and steady-1."""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea import plans
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.cards import can_turn, ground_of
from archipel.rules.mauna_kea.components import CardKind, Terrain, Tile
from archipel.rules.mauna_kea.reach import clear_reach, find_way, is_marked
from archipel.rules.mauna_kea.state import (
    NOBODY,
    Action,
    Ending,
    Phase,
    State,
    explorers_on_island,
    is_occupied,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import tiles_in_bag

# greedy-1 plays a jungle card only on a way that is longer than this.
LONG_WAY: Final = 6

# With this few tiles in the bag it is time to call a helicopter.
LAST_TILES: Final = 8

# Ticks that a card must save, and an earthquake.
GAIN: Final = 3
QUAKE_GAIN: Final = 2

# A space to turn and the quarter turns, in one number.
NO_TURN: Final = -1


def card_value(kind: int, action_values: dict[int, int], other: int) -> int:
    """The value of keeping a card, in tenths of a point; objectives: the less they ask for."""
    if kind < box.ACTION_KINDS:
        return action_values.get(kind, other)
    if box.CANCELS_PENALTIES[kind]:
        return 15
    card = BOX.cards[kind]
    needed = sum(count for _, count in card.needs) + (2 if card.boat else 0)
    return 10 * card.points // max(1, needed) + 1


#: By `plans.Style` and kind of card.
CARD_VALUE: Final = [
    [card_value(kind, values, other) for kind in range(len(BOX.cards))]
    for values, other in (
        ({CardKind.HELICOPTER: 12, CardKind.JUNGLE: 14, CardKind.EARTHQUAKE: 1}, 2),
        *(({CardKind.HELICOPTER: 12, CardKind.EARTHQUAKE: 8}, 11),) * 2,
    )
]


@rule
def choose_rejection(s: State, actions: list[int], count: int, style: int) -> int:
    """Choose the card of least value."""
    worst = actions[0]
    for number in range(count):
        value = CARD_VALUE[style][s.hand[s.to_move][actions[number]]]
        if value < CARD_VALUE[style][s.hand[s.to_move][worst]]:
            worst = actions[number]
    return worst


@rule
def last_card(s: State, plan: int, actions: list[int], count: int, style: int) -> int:
    """Play a card before the end of the play, or end it."""
    last = s.ending != Ending.NOT_YET or tiles_in_bag(s) <= LAST_TILES
    if last and plans.offers(actions, count, Action.CARD + CardKind.HELICOPTER):
        if explorers_on_island(s, s.to_move) > 1 and heaviest(s, actions, 0) != NOBODY:
            return Action.CARD + CardKind.HELICOPTER
    if plan == plans.NO_PLAN:
        return Action.END_PLAY
    loaded = plans.load_of(s, plans.explorer_of(plan)) > 0
    if loaded and plans.ticks_of(plan) > LONG_WAY:
        if plans.offers(actions, count, Action.CARD + CardKind.JUNGLE):
            return Action.CARD + CardKind.JUNGLE
    if style == plans.Style.GREEDY_1:  # plays no other cards
        return Action.END_PLAY
    for card in range(CardKind.LAKE, CardKind.EARTHQUAKE):
        if loaded and plans.offers(actions, count, Action.CARD + card):
            if saves_way(s, plan, ground_of(card)):
                return Action.CARD + card
    if plans.offers(actions, count, Action.CARD + CardKind.EARTHQUAKE):
        # Also for a tile that the plan needs, if the seat has none and lava would do no harm.
        is_missing = s.tile[plans.cell_of(s, plan) // grid.QUARTERS] == Tile.EMPTY
        lacks_a_tile = is_missing and s.front[s.to_move][0] == Tile.NONE
        if best_quake(s, plan) != NO_TURN or (lacks_a_tile and plans.in_danger(s) == 0):
            return Action.CARD + CardKind.EARTHQUAKE
    return Action.END_PLAY


@rule
def ticks_to_goal(s: State, explorer: int) -> int:
    """Ticks from an explorer to its goal."""
    load = plans.load_of(s, explorer)
    start = s.explorer[s.to_move][explorer]
    return plans.ticks_from(
        s, plans.ANY_BOAT if load > 0 else plans.ARTEFACT, load, start, plans.FAR
    )


@rule_apart
def saves_way(s: State, plan: int, ground: int) -> bool:
    """Whether a card leads within two steps to a cell that is `GAIN` ticks nearer to the goal."""
    explorer = plans.explorer_of(plan)
    load = plans.load_of(s, explorer)
    enough = ticks_to_goal(s, explorer) - GAIN
    if enough < 0:
        return False
    plans.mark_goals(s, plans.ANY_BOAT if load > 0 else plans.ARTEFACT, load)
    for tick in range(enough):
        plans.spread_wave(s, tick)
    found = leads_to_wave(s, s.explorer[s.to_move][explorer], ground)
    plans.clear_wave(s)
    return found


@rule
def leads_to_wave(s: State, start: int, ground: int) -> bool:
    for direction in range(grid.DIRECTIONS):
        first = grid.NEXT_CELL[direction][start]
        if first == grid.NOWHERE or terrain_at(s, first) != ground or is_occupied(s, first):
            continue
        if ground != Terrain.MOUNTAIN and is_marked(s, first):
            return True
        for next_direction in range(grid.DIRECTIONS):
            second = grid.NEXT_CELL[next_direction][first]
            if second == grid.NOWHERE or is_occupied(s, second):
                continue
            cost = box.COST[terrain_at(s, second)]
            fits = cost > 0 if ground == Terrain.MOUNTAIN else terrain_at(s, second) == ground
            if fits and is_marked(s, second):
                return True
    return False


@rule
def heaviest(s: State, actions: list[int], count: int) -> int:
    """The explorer with the largest load, among ``actions`` if ``count`` is not 0."""
    best = NOBODY
    most = 0
    for explorer in range(box.MOST_EXPLORERS):
        if s.explorer[s.to_move][explorer] >= 0 and plans.load_of(s, explorer) > most:
            if count == 0 or plans.offers(actions, count, explorer):
                best = explorer
                most = plans.load_of(s, explorer)
    return best


@rule
def choose_for_card(s: State, actions: list[int], count: int, steady: bool) -> int:
    if s.card != CardKind.HELICOPTER:
        plans.survey(s)
        plan = plans.choose_plan(s, steady)
        clear_reach(s)
        if plan != plans.NO_PLAN and plans.offers(actions, count, plans.explorer_of(plan)):
            return plans.explorer_of(plan)
    explorer = heaviest(s, actions, count)
    return actions[0] if explorer == NOBODY else explorer


@rule_apart
def choose_card_cell(s: State, actions: list[int], count: int) -> int:
    """Choose the cell nearest to the explorer's goal.

    The wave overwrites the marks of the reachable cells, so they are marked again afterwards.
    """
    load = plans.load_of(s, s.active)
    plans.survey(s)
    best = plans.nearest_of(s, plans.ANY_BOAT if load > 0 else plans.ARTEFACT, load, actions, count)
    clear_reach(s)
    find_way(s, s.to_move, s.active, ground_of(s.card))
    return actions[0] if best == grid.NOWHERE else best


# ---- the earthquake ------------------------------------------------------------------------------


@rule_apart
def choose_in_quake(s: State, actions: list[int], count: int, steady: bool) -> int:
    """Choose the tile to turn, or how far to turn it."""
    plans.survey(s)
    plan = plans.choose_plan(s, steady)
    if s.phase == Phase.QUAKE_SPACE:
        wanted = best_quake(s, plan) // 4
        other = actions[count - 1]
    else:
        wanted = best_turn(s, plan, s.chosen) & 3
        other = actions[0]
    clear_reach(s)
    return wanted if plans.offers(actions, count, wanted) else other


@rule_apart
def best_quake(s: State, plan: int) -> int:
    """The tile next to the plan's explorer to turn, and how far, or `NO_TURN`."""
    if plan == plans.NO_PLAN:
        return NO_TURN
    explorer = plans.explorer_of(plan)
    start = s.explorer[s.to_move][explorer]
    least = ticks_to_goal(s, explorer) - QUAKE_GAIN
    best = NO_TURN
    for direction in range(grid.DIRECTIONS):
        space = grid.NEXT_SPACE[direction][start // grid.QUARTERS]
        if space != grid.NOWHERE and can_turn(s, space):
            found = best_turn(s, plan, space)
            if found >> 2 <= least:
                least = (found >> 2) - 1
                best = space * 4 + (found & 3)
    return best


@rule_apart
def best_turn(s: State, plan: int, space: int) -> int:
    """The best quarter turns of a tile for the plan, plus 4 times its ticks."""
    if plan == plans.NO_PLAN:
        return plans.FAR * 4 + 1
    tile = s.tile[space]
    turn = s.turn[space]
    best = plans.FAR * 4 + 1
    for turns in range(1, 4):
        turned = box.LEAST_TURN[tile][(turn + turns) & 3]
        if turned != turn:
            ticks = plans.ticks_with(s, plan, space, tile, turned, (best >> 2) - 1)
            s.tile[space] = tile
            s.turn[space] = turn
            if ticks < best >> 2:
                best = ticks * 4 + turns
    plans.survey_line(s, space // grid.COLUMNS)
    return best
