"""greedy-2: plays like greedy-1, and uses all that the game offers.

It exchanges a cheap artefact for a precious one when it can carry no more, and plays its cards: the
moving ones where they save a good part of the way, the earthquake where a tile beside the explorer
lies badly or is missing, the helicopter before it is too late.

Frozen: results refer to it by name, so a bot that plays otherwise gets another name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea import greedy_1
from archipel.bots.mauna_kea.greedy_1 import (
    choose_greedily_1,
    last_resort,
    next_of_plan,
    objective_worth,
    offers,
    something_at_hand,
    ticks_with,
)
from archipel.bots.mauna_kea.ways import (
    ANY_BOAT,
    ARTEFACT,
    FAR,
    NO_PLAN,
    best_plan,
    clear_wave,
    in_danger,
    load_of,
    mark_goals,
    plan_cell,
    plan_explorer,
    spread_wave,
    survey,
    survey_line,
    ticks_from,
)
from archipel.rules.kit import rule
from archipel.rules.kit.adoption import Adoption
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.artefacts import COLOURS, colours_at, colours_to_put
from archipel.rules.mauna_kea.box import BOX
from archipel.rules.mauna_kea.cards import can_turn, ground_of
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    BOATS,
    COST,
    EARTHQUAKE,
    EMPTY,
    HELICOPTER,
    LAKE_CARD,
    LEAST_TURN,
    MOUNTAIN,
    NO_TILE,
    PLACES,
)
from archipel.rules.mauna_kea.geometry import (
    COLUMNS,
    DIRECTIONS,
    NEXT_CELL,
    NEXT_SPACE,
    NOWHERE,
    QUARTERS,
)
from archipel.rules.mauna_kea.reach import clear_reach, is_marked
from archipel.rules.mauna_kea.state import (
    CARD,
    CHOOSE,
    DRAW_NOW,
    END_PLAY,
    EXPLORER,
    NOBODY,
    OWNED,
    PLAY,
    PUT,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    STOP,
    State,
    is_occupied,
    terrain_at,
)

# A card is worth so many ticks of the way, an earthquake less.
GAIN: Final = 3
QUAKE_GAIN: Final = 2

# A place to turn, and how far: both in one number.
NO_TURN: Final = -1


def card_worth(kind: int) -> int:
    """What a card is worth keeping, in tenths of a point."""
    if kind == HELICOPTER:
        return 12
    if kind == EARTHQUAKE:
        return 8
    if kind < ACTION_KINDS:
        return 11
    return objective_worth(kind)


CARD_WORTH: Final = [card_worth(kind) for kind in range(len(BOX.cards))]


#: The card to do without, by what this bot keeps cards for.
choose_rejection_2 = Adoption(greedy_1, {"CARD_WORTH": CARD_WORTH})(greedy_1.choose_rejection)


@rule_apart
def choose_greedily_2(s: State, actions: list[int], count: int) -> int:
    """The choice of greedy-2: that of greedy-1 but in the play, for its cards, and in earthquakes,
    which greedy-1 does not make."""
    if count == 1:
        return actions[0]
    if s.phase == PLAY or s.phase == EXPLORER:
        return choose_in_play_2(s, actions, count)
    if s.phase == CHOOSE:
        return choose_rejection_2(s, actions, count)
    if s.phase == QUAKE_SPACE:
        space = find_quake(s) // 4
        return space if offers(actions, count, space) else actions[count - 1]
    if s.phase == QUAKE_DRAW:
        return STOP if in_danger(s) != 0 else DRAW_NOW
    if s.phase == QUAKE_TURN:
        wanted = find_turn(s) & 3
        return wanted if offers(actions, count, wanted) else actions[0]
    return choose_greedily_1(s, actions, count)


# ---- the play -----------------------------------------------------------------------------------


@rule_apart
def choose_in_play_2(s: State, actions: list[int], count: int) -> int:
    exchanged = colour_to_exchange(s, actions, count)
    if exchanged != NO_PLAN:
        return PUT + exchanged
    at_hand = something_at_hand(s, actions, count)
    if at_hand != NO_PLAN:
        return at_hand
    survey(s)
    plan = best_plan(s)
    wanted = next_of_plan(s, plan, actions, count)
    if wanted == NO_PLAN:
        wanted = last_card(s, plan, actions, count)
    clear_reach(s)
    return wanted


@rule
def colour_to_exchange(s: State, actions: list[int], count: int) -> int:
    """What the explorer named last puts down for something better that lies here, if it carries as
    much as any boat takes; or `NO_PLAN`."""
    if s.active == NOBODY or load_of(s, s.active) < most_places(s):
        return NO_PLAN
    here = colours_at(s, s.explorer[s.to_move][s.active]) & ~(s.handled[s.active] >> COLOURS)
    held = colours_to_put(s, s.to_move, s.active)
    for colour in range(COLOURS):
        if held >> colour & 1 != 0:
            better = here >> (colour + 1) != 0
            return colour if better and offers(actions, count, PUT + colour) else NO_PLAN
    return NO_PLAN


@rule
def most_places(s: State) -> int:
    """Of the boats that are left, the places of the largest."""
    most = 1
    for boat in range(BOATS):
        if s.boat[boat] < OWNED:
            most = max(most, PLACES[boat])
    return most


@rule
def last_card(s: State, plan: int, actions: list[int], count: int) -> int:
    """A card before the play ends, or the end of it: more cards than greedy-1 plays."""
    action = last_resort(s, plan, actions, count)
    if action != END_PLAY:
        return action
    if plan != NO_PLAN and load_of(s, plan_explorer(plan)) > 0:
        for card in range(LAKE_CARD, EARTHQUAKE):
            if offers(actions, count, CARD + card) and saves_way(s, plan, ground_of(card)):
                return CARD + card
    if plan != NO_PLAN and offers(actions, count, CARD + EARTHQUAKE):
        if best_quake(s, plan) != NO_TURN or lacks_a_tile(s, plan):
            return CARD + EARTHQUAKE
    return END_PLAY


@rule
def lacks_a_tile(s: State, plan: int) -> bool:
    """Whether only a tile is missing, none is left to lay, and lava would do no harm."""
    is_missing = s.tile[plan_cell(s, plan) // QUARTERS] == EMPTY
    return is_missing and s.front[s.to_move][0] == NO_TILE and in_danger(s) == 0


@rule
def ticks_to_goal(s: State, explorer: int) -> int:
    """How far it is for an explorer to what it wants."""
    load = load_of(s, explorer)
    start = s.explorer[s.to_move][explorer]
    return ticks_from(s, ANY_BOAT if load > 0 else ARTEFACT, load, start, FAR)


@rule_apart
def saves_way(s: State, plan: int, ground: int) -> bool:
    """Whether a card leads to a cell within two steps from which the way is much shorter: one that
    the wave reaches so much earlier."""
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
    for direction in range(DIRECTIONS):
        first = NEXT_CELL[direction][start]
        if first == NOWHERE or terrain_at(s, first) != ground or is_occupied(s, first):
            continue
        if ground != MOUNTAIN and is_marked(s, first):
            return True
        for next_direction in range(DIRECTIONS):
            second = NEXT_CELL[next_direction][first]
            if second == NOWHERE or is_occupied(s, second):
                continue
            cost = COST[terrain_at(s, second)]
            fits = cost > 0 if ground == MOUNTAIN else terrain_at(s, second) == ground
            if fits and is_marked(s, second):
                return True
    return False


# ---- the earthquake -----------------------------------------------------------------------------


@rule_apart
def find_quake(s: State) -> int:
    survey(s)
    found = best_quake(s, best_plan(s))
    clear_reach(s)
    return found


@rule_apart
def find_turn(s: State) -> int:
    survey(s)
    found = best_turn(s, best_plan(s), s.chosen)
    clear_reach(s)
    return found


@rule_apart
def best_quake(s: State, plan: int) -> int:
    """Which tile beside the explorer of the plan to turn and how far, if that saves enough."""
    if plan == NO_PLAN:
        return NO_TURN
    explorer = plan_explorer(plan)
    start = s.explorer[s.to_move][explorer]
    least = ticks_to_goal(s, explorer) - QUAKE_GAIN
    best = NO_TURN
    for direction in range(DIRECTIONS):
        space = NEXT_SPACE[direction][start // QUARTERS]
        if space != NOWHERE and can_turn(s, space):
            found = best_turn(s, plan, space)
            if found >> 2 <= least:
                least = (found >> 2) - 1
                best = space * 4 + (found & 3)
    return best


@rule_apart
def best_turn(s: State, plan: int, space: int) -> int:
    """The quarter turns of a tile that make the way of the plan shortest, and its ticks times 4."""
    if plan == NO_PLAN:
        return FAR * 4 + 1
    tile = s.tile[space]
    turn = s.turn[space]
    best = FAR * 4 + 1
    for turns in range(1, 4):
        turned = LEAST_TURN[tile][(turn + turns) & 3]
        if turned != turn:
            ticks = ticks_with(s, plan, space, tile, turned, (best >> 2) - 1)
            s.tile[space] = tile
            s.turn[space] = turn
            if ticks < best >> 2:
                best = ticks * 4 + turns
    survey_line(s, space // COLUMNS)
    return best
