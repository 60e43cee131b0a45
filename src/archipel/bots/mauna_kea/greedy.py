"""greedy-1, greedy-2 and steady-1: fetch the nearest artefact, then run for the nearest boat.

greedy-1 looks only at its own next step: the explorer nearest to its goal, those first that the
next lava would bury, and whether a tile is better laid or spent. It plays few cards.

greedy-2 also exchanges a cheap artefact for a precious one when it can carry no more, and plays all
cards: those that move an explorer where they save enough of the way, the earthquake to turn or
replace a tile next to the explorer, the helicopter before it is too late.

steady-1 plays like greedy-2 with other plans, made for rollouts: an explorer that was named moves
by its own plan. greedy-2 moves every explorer in the direction of its favourite one, so a search
with greedy-2 as its rollout policy learns nothing about naming another explorer. steady-1 fetches
what is much nearer than a boat first, uses points that do not suffice for one explorer for another,
and starts near boats as well as artefacts.

All three are frozen: results refer to them by name, so a bot that plays differently gets another
name.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea import card_play, plans
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import (
    COLOURS,
    colours_at,
    colours_to_put,
    colours_to_take,
)
from archipel.rules.mauna_kea.components import Terrain, Tile
from archipel.rules.mauna_kea.grid import (
    QUARTERS,
)
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.reach import clear_reach
from archipel.rules.mauna_kea.state import (
    NOBODY,
    OWNED,
    Action,
    Phase,
    QuakeAction,
    State,
    terrain_at,
)

# Points of a tile that one tick less to the goal is worth, if the tile is laid instead of spent.
POINTS_PER_TICK: Final = 2


@rule_apart
def choose_greedily(s: State, actions: list[int], count: int, style: int) -> int:
    """Choose as greedy-1, greedy-2 or steady-1 (see `plans.Style`)."""
    steady = style == plans.Style.STEADY_1
    if count == 1:
        return actions[0]
    if s.phase == Phase.PLAY or s.phase == Phase.EXPLORER:
        return choose_in_play(s, actions, count, style)
    if s.phase == Phase.CHOOSE:
        return card_play.choose_rejection(s, actions, count, style)
    if s.phase == Phase.SPACE or s.phase == Phase.TURN:
        return choose_laying(s, actions, count, steady)
    if s.phase == Phase.REFILL:
        return Action.DRAW if plans.offers(actions, count, Action.DRAW) else Action.END_TURN
    if s.phase == Phase.PLACE:
        return choose_start(s, actions, count, steady)
    if s.phase == Phase.LEAVE:
        return actions[0]  # white before grey before black
    if s.phase == Phase.CARD_EXPLORER:
        return card_play.choose_for_card(s, actions, count, steady)
    if s.phase == Phase.CARD_CELL:
        return card_play.choose_card_cell(s, actions, count)
    if style == plans.Style.GREEDY_1:
        return actions[count - 1]
    if s.phase == Phase.QUAKE_DRAW:
        return QuakeAction.STOP if plans.in_danger(s) != 0 else QuakeAction.DRAW
    return card_play.choose_in_quake(s, actions, count, steady)


# ---- set-up --------------------------------------------------------------------------------------


@rule_apart
def choose_start(s: State, actions: list[int], count: int, steady: bool) -> int:
    """Choose a start cell near an artefact, but not with all explorers on one space.

    For steady-1, the distance to a boat counts half as much as that to an artefact.
    """
    plans.survey(s)
    best = actions[0]
    least = 10 * plans.FAR
    weight = 2 if steady else 1
    for number in range(count):
        cell = actions[number]
        ticks = plans.FAR * plans.own_explorers_on(s, cell // QUARTERS)
        if ticks < least:
            enough = min(plans.FAR, (least - ticks - 1) // weight)
            ticks += weight * plans.ticks_from(s, plans.ARTEFACT, 0, cell, enough)
        if steady and ticks < least:
            ticks += plans.ticks_from(s, plans.ANY_BOAT, 0, cell, plans.FAR)
        if ticks < least:
            least = ticks
            best = cell
    clear_reach(s)
    return best


# ---- the play ------------------------------------------------------------------------------------


@rule_apart
def choose_in_play(s: State, actions: list[int], count: int, style: int) -> int:
    if style != plans.Style.GREEDY_1:
        exchanged = colour_to_exchange(s, actions, count)
        if exchanged != plans.NO_PLAN:
            return Action.PUT + exchanged
    at_hand = something_at_hand(s, actions, count)
    if at_hand != plans.NO_PLAN:
        return at_hand
    plans.survey(s)
    plan = plans.choose_plan(s, style == plans.Style.STEADY_1)
    wanted = next_of_plan(s, plan, actions, count)
    if wanted == plans.NO_PLAN and plan != plans.NO_PLAN and style == plans.Style.STEADY_1:
        wanted = next_of_another(s, plan, actions, count)
    if wanted == plans.NO_PLAN:
        wanted = card_play.last_card(s, plan, actions, count, style)
    clear_reach(s)
    return wanted


@rule
def colour_to_exchange(s: State, actions: list[int], count: int) -> int:
    """The colour that the active explorer puts down for a better artefact here, or `plans.NO_PLAN`.

    It exchanges only if it carries as much as any boat takes.
    """
    most_places = 1
    for boat in range(box.BOATS):
        if s.boat[boat] < OWNED:
            most_places = max(most_places, box.PLACES[boat])
    if s.active == NOBODY or plans.load_of(s, s.active) < most_places:
        return plans.NO_PLAN
    here = colours_at(s, s.explorer[s.to_move][s.active]) & ~(s.handled[s.active] >> COLOURS)
    held = colours_to_put(s, s.to_move, s.active)
    for colour in range(COLOURS):
        if held >> colour & 1 != 0:
            better = here >> (colour + 1) != 0
            return (
                colour
                if better and plans.offers(actions, count, Action.PUT + colour)
                else plans.NO_PLAN
            )
    return plans.NO_PLAN


@rule
def next_of_plan(s: State, plan: int, actions: list[int], count: int) -> int:
    """The next action of the plan, or `plans.NO_PLAN`."""
    if s.phase == Phase.EXPLORER:
        wanted = Action.STEP + plans.direction_of(plan) if plan != plans.NO_PLAN else plans.NO_PLAN
        return wanted if plans.offers(actions, count, wanted) else actions[0]
    return plans.NO_PLAN if plan == plans.NO_PLAN else follow(s, plan, actions, count)


@rule
def next_of_another(s: State, plan: int, actions: list[int], count: int) -> int:
    """The next action for another explorer, the nearest to its goal first, or `plans.NO_PLAN`."""
    loads = plans.loads_of(s)
    others = plans.EVERYBODY & ~(1 << plans.explorer_of(plan))
    wanted = plans.NO_PLAN
    while others != 0 and wanted == plans.NO_PLAN:
        other = plans.plan_among(s, loads, others, True)
        if other == plans.NO_PLAN:
            return plans.NO_PLAN
        wanted = follow(s, other, actions, count)
        others &= ~(1 << plans.explorer_of(other))
    return wanted


@rule
def something_at_hand(s: State, actions: list[int], count: int) -> int:
    """Board, take the most precious artefact here, or name an explorer who can."""
    if plans.offers(actions, count, Action.BOARD):
        return Action.BOARD
    for below in range(COLOURS):
        action = Action.TAKE + COLOURS - 1 - below
        if plans.offers(actions, count, action):
            return action
    for explorer in range(box.MOST_EXPLORERS):
        if plans.offers(actions, count, Action.NAME + explorer):
            place = s.explorer[s.to_move][explorer]
            if s.pool > 0 and boat_at(s, place) != NO_BOAT and plans.load_of(s, explorer) > 0:
                return Action.NAME + explorer
            if colours_to_take(s, s.to_move, explorer) != 0:
                return Action.NAME + explorer
    return plans.NO_PLAN


@rule
def follow(s: State, plan: int, actions: list[int], count: int) -> int:
    """The step of the plan, or the points that it costs, or the tile that it needs."""
    explorer = plans.explorer_of(plan)
    ground = terrain_at(s, plans.cell_of(s, plan))
    if ground == Terrain.EMPTY:
        place = best_tile(s, plan, actions, count)
        return plans.NO_PLAN if place == Tile.NONE else Action.TILE + place
    if box.COST[ground] > s.pool:  # spend the tile with most points
        best = Tile.NONE
        for place in range(box.MOST_TILES):
            tile = s.front[s.to_move][place]
            if tile != Tile.NONE:
                if best == Tile.NONE or box.POINTS[tile] > box.POINTS[s.front[s.to_move][best]]:
                    best = place
        return plans.NO_PLAN if best == Tile.NONE else Action.SPEND + best
    action = (
        Action.STEP + plans.direction_of(plan) if s.active == explorer else Action.NAME + explorer
    )
    return action if plans.offers(actions, count, action) else plans.NO_PLAN


@rule
def best_tile(s: State, plan: int, actions: list[int], count: int) -> int:
    """The tile with the best trade-off of distance saved and points given up."""
    space = plans.cell_of(s, plan) // QUARTERS
    best = Tile.NONE
    least = 0
    for place in range(box.MOST_TILES):
        if plans.offers(actions, count, Action.TILE + place):
            tile = s.front[s.to_move][place]
            most = plans.FAR
            if best != Tile.NONE:  # farther than this it is no better
                most = min(plans.FAR, (least - box.POINTS[tile] - 1) // POINTS_PER_TICK)
            worth = (
                POINTS_PER_TICK * plans.ticks_over(s, plan, space, tile, most) + box.POINTS[tile]
            )
            if best == Tile.NONE or worth < least:
                best = place
                least = worth
    return best


# ---- laying --------------------------------------------------------------------------------------


@rule_apart
def choose_laying(s: State, actions: list[int], count: int, steady: bool) -> int:
    """Choose the space that the plan needs, or the best rotation of the tile."""
    plans.survey(s)
    # The space is still empty, as the plan assumes.
    plan = plans.choose_plan(s, steady)
    best = actions[0]
    if plan != plans.NO_PLAN and s.phase == Phase.TURN:
        least = plans.FAR + 1
        for number in range(count):
            turn = actions[number]
            ticks = plans.ticks_with(s, plan, s.chosen, s.held, turn, least - 1)
            if ticks < least:
                least = ticks
                best = turn
    elif plan != plans.NO_PLAN:
        space = plans.cell_of(s, plan) // QUARTERS
        best = space if plans.offers(actions, count, space) else best
    clear_reach(s)
    return best
