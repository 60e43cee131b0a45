"""Cards: which to keep and when to play them, for the greedy bots and steady-1."""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea.plans import (
    ANY_BOAT,
    ARTEFACT,
    FAR,
    NO_PLAN,
    clear_wave,
    in_danger,
    load_of,
    mark_goals,
    nearest_of,
    offers,
    plan_by,
    plan_cell,
    plan_explorer,
    plan_ticks,
    spread_wave,
    survey,
    survey_line,
    ticks_from,
    ticks_with,
)
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


def objective_value(kind: int) -> int:
    """The value of keeping an objective: the more, the less it asks for."""
    if box.CANCELS_PENALTIES[kind]:
        return 15
    card = BOX.cards[kind]
    needed = sum(count for _, count in card.needs) + (2 if card.boat else 0)
    return 10 * card.points // max(1, needed) + 1


def card_value(kind: int, values: dict[int, int], other: int) -> int:
    """The value of keeping a card, in tenths of a point."""
    if kind < box.ACTION_KINDS:
        return values.get(kind, other)
    return objective_value(kind)


#: By bot (0: greedy-1; 1: greedy-2 and steady-1) and kind of card.
CARD_VALUE: Final = [
    [
        card_value(kind, {CardKind.HELICOPTER: 12, CardKind.JUNGLE: 14, CardKind.EARTHQUAKE: 1}, 2)
        for kind in range(len(BOX.cards))
    ],
    [
        card_value(kind, {CardKind.HELICOPTER: 12, CardKind.EARTHQUAKE: 8}, 11)
        for kind in range(len(BOX.cards))
    ],
]


@rule
def choose_rejection(s: State, actions: list[int], count: int, values: int) -> int:
    """Choose the card of least value, by a row of `CARD_VALUE`."""
    worst = actions[0]
    for number in range(count):
        value = CARD_VALUE[values][s.hand[s.to_move][actions[number]]]
        if value < CARD_VALUE[values][s.hand[s.to_move][worst]]:
            worst = actions[number]
    return worst


@rule
def last_resort(s: State, plan: int, actions: list[int], count: int) -> int:
    """Play a card before the end of the play, or end it."""
    last = s.ending != Ending.NOT_YET or tiles_in_bag(s) <= LAST_TILES
    if last and offers(actions, count, Action.CARD + CardKind.HELICOPTER):
        if explorers_on_island(s, s.to_move) > 1 and heaviest(s, actions, 0) != NOBODY:
            return Action.CARD + CardKind.HELICOPTER
    if plan != NO_PLAN and plan_ticks(plan) > LONG_WAY:
        if load_of(s, plan_explorer(plan)) > 0 and offers(
            actions, count, Action.CARD + CardKind.JUNGLE
        ):
            return Action.CARD + CardKind.JUNGLE
    return Action.END_PLAY


@rule
def last_card(s: State, plan: int, actions: list[int], count: int) -> int:
    """Like `last_resort`, with the cards that greedy-1 does not play."""
    action = last_resort(s, plan, actions, count)
    if action != Action.END_PLAY:
        return action
    if plan != NO_PLAN and load_of(s, plan_explorer(plan)) > 0:
        for card in range(CardKind.LAKE, CardKind.EARTHQUAKE):
            if offers(actions, count, Action.CARD + card) and saves_way(s, plan, ground_of(card)):
                return Action.CARD + card
    if plan != NO_PLAN and offers(actions, count, Action.CARD + CardKind.EARTHQUAKE):
        if best_quake(s, plan) != NO_TURN or lacks_a_tile(s, plan):
            return Action.CARD + CardKind.EARTHQUAKE
    return Action.END_PLAY


@rule
def lacks_a_tile(s: State, plan: int) -> bool:
    """Whether the plan needs a tile, the seat has none, and lava would do no harm."""
    is_missing = s.tile[plan_cell(s, plan) // grid.QUARTERS] == Tile.EMPTY
    return is_missing and s.front[s.to_move][0] == Tile.NONE and in_danger(s) == 0


@rule
def ticks_to_goal(s: State, explorer: int) -> int:
    """Ticks from an explorer to its goal."""
    load = load_of(s, explorer)
    start = s.explorer[s.to_move][explorer]
    return ticks_from(s, ANY_BOAT if load > 0 else ARTEFACT, load, start, FAR)


@rule_apart
def saves_way(s: State, plan: int, ground: int) -> bool:
    """Whether a card leads within two steps to a cell that is `GAIN` ticks nearer to the goal."""
    explorer = plan_explorer(plan)
    load = load_of(s, explorer)
    enough = ticks_to_goal(s, explorer) - GAIN
    if enough < 0:
        return False
    mark_goals(s, ANY_BOAT if load > 0 else ARTEFACT, load)
    for tick in range(enough):
        spread_wave(s, tick)
    found = leads_to_wave(s, s.explorer[s.to_move][explorer], ground)
    clear_wave(s)
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
        if s.explorer[s.to_move][explorer] >= 0 and load_of(s, explorer) > most:
            if count == 0 or offers(actions, count, explorer):
                best = explorer
                most = load_of(s, explorer)
    return best


@rule
def choose_for_card(s: State, actions: list[int], count: int, steady: bool) -> int:
    if s.card != CardKind.HELICOPTER:
        survey(s)
        plan = plan_by(s, steady)
        clear_reach(s)
        if plan != NO_PLAN and offers(actions, count, plan_explorer(plan)):
            return plan_explorer(plan)
    explorer = heaviest(s, actions, count)
    return actions[0] if explorer == NOBODY else explorer


@rule_apart
def choose_card_cell(s: State, actions: list[int], count: int) -> int:
    """Choose the cell nearest to the explorer's goal.

    The wave overwrites the marks of the reachable cells, so they are marked again afterwards.
    """
    load = load_of(s, s.active)
    survey(s)
    best = nearest_of(s, ANY_BOAT if load > 0 else ARTEFACT, load, actions, count)
    clear_reach(s)
    find_way(s, s.to_move, s.active, ground_of(s.card))
    return actions[0] if best == grid.NOWHERE else best


# ---- the earthquake ------------------------------------------------------------------------------


@rule_apart
def find_quake(s: State, steady: bool) -> int:
    survey(s)
    found = best_quake(s, plan_by(s, steady))
    clear_reach(s)
    return found


@rule_apart
def find_turn(s: State, steady: bool) -> int:
    survey(s)
    found = best_turn(s, plan_by(s, steady), s.chosen)
    clear_reach(s)
    return found


@rule_apart
def best_quake(s: State, plan: int) -> int:
    """The tile next to the plan's explorer to turn, and how far, or `NO_TURN`."""
    if plan == NO_PLAN:
        return NO_TURN
    explorer = plan_explorer(plan)
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
    if plan == NO_PLAN:
        return FAR * 4 + 1
    tile = s.tile[space]
    turn = s.turn[space]
    best = FAR * 4 + 1
    for turns in range(1, 4):
        turned = box.LEAST_TURN[tile][(turn + turns) & 3]
        if turned != turn:
            ticks = ticks_with(s, plan, space, tile, turned, (best >> 2) - 1)
            s.tile[space] = tile
            s.turn[space] = turn
            if ticks < best >> 2:
                best = ticks * 4 + turns
    survey_line(s, space // grid.COLUMNS)
    return best
