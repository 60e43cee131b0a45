"""Why an action is illegal: the rule that it breaks."""

from __future__ import annotations

from archipel.rules.contract import Refusal
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import COLOURS, artefacts_at, carrier, colours_at
from archipel.rules.mauna_kea.cards import is_terrain_tile, place_in_hand
from archipel.rules.mauna_kea.components import CardKind, SpaceKind, Tile
from archipel.rules.mauna_kea.grid import NEXT_CELL, NOWHERE, QUARTERS, SPACES
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    Action,
    Phase,
    QuakeAction,
    State,
    is_occupied,
    terrain_at,
)

GROUNDS = ("jungle", "lake", "mountain", "no_tile", "lava", "volcano")


def refusal(s: State, action: int) -> Refusal:
    """Return why an action is illegal in a position."""
    match s.phase:
        case Phase.OVER:
            return Refusal("MK-G1", "refuse.over")
        case Phase.CHOOSE:
            hand = s.hand[s.to_move]
            if action >= len(hand) or hand[action] == NO_CARD:
                return Refusal("MK-X1", "refuse.no_such_card")
            return Refusal("MK-C5", "refuse.same_card")
        case Phase.PLACE:
            starts = box.SPACE_KIND[s.layout][action // QUARTERS] == SpaceKind.EXPLORER
            return Refusal("MK-S2", "refuse.occupied" if starts else "refuse.no_start_cell")
        case Phase.SPACE:
            known = action < SPACES
            return Refusal("MK-T2", "refuse.not_empty" if known else "refuse.no_such_space")
        case Phase.TURN:
            return Refusal("MK-C5", "refuse.same_turn" if action < 4 else "refuse.no_such_turn")
        case Phase.LEAVE:
            key = "refuse.nothing_to_leave" if action < COLOURS else "refuse.no_such_action"
            return Refusal("MK-B1", key)
        case Phase.PLAY | Phase.EXPLORER | Phase.REFILL:
            return _refused_in_turn(s, action)
        case _:
            return _refused_by_card(s, action)


def _refused_in_turn(s: State, action: int) -> Refusal:
    if action >= Action.COUNT:
        return Refusal("MK-T1", "refuse.no_such_action")
    if s.phase == Phase.EXPLORER and not Action.STEP <= action < Action.CARD:
        return Refusal("MK-T1", "refuse.explorer_first")
    if action in (Action.DRAW, Action.END_TURN):
        if s.phase != Phase.REFILL:
            return Refusal("MK-X4" if s.expert else "MK-T4", "refuse.still_playing")
        return Refusal("MK-T4", "refuse.enough" if action == Action.DRAW else "refuse.not_enough")
    if action < Action.NAME:
        return _refused_tile(s, action)
    if action < Action.STEP:
        return _refused_name(s, action - Action.NAME)
    if action >= Action.CARD:
        return _refused_card(s, action - Action.CARD)
    if s.active == NOBODY:
        return Refusal("MK-T1", "refuse.name_first")
    return _refused_act(s, action)


def _refused_tile(s: State, action: int) -> Refusal:
    if action == Action.END_PLAY or s.phase == Phase.REFILL:
        return Refusal("MK-T4", "refuse.play_over")
    front, place = s.front[s.to_move], (action - Action.TILE) % box.MOST_TILES
    if front[place] == Tile.NONE:
        return Refusal("MK-T1", "refuse.no_such_tile")
    if place > 0 and front[place - 1] == front[place]:
        return Refusal("MK-C5", "refuse.same_tile")
    assert action < Action.SPEND, "any tile may be spent"
    return Refusal("MK-T2", "refuse.board_full")


def _refused_name(s: State, explorer: int) -> Refusal:
    if s.explorer[s.to_move][explorer] < 0:
        return Refusal("MK-M1", "refuse.not_on_island")
    if explorer == s.active:
        return Refusal("MK-T1", "refuse.already_named")
    return Refusal("MK-M1", "refuse.nothing_to_do")


def _refused_act(s: State, action: int) -> Refusal:
    if action < Action.TAKE:
        return _refused_step(s, action - Action.STEP)
    place = s.explorer[s.to_move][s.active]
    with_it = carrier(s.to_move, s.active)
    if action < Action.PUT:
        colour = action - Action.TAKE
        if not colours_at(s, place) >> colour & 1:
            return Refusal("MK-A1", "refuse.nothing_to_take")
        if artefacts_at(s, with_it) >= box.MOST_CARRIED:
            return Refusal("MK-A1", "refuse.carries_three")
        return Refusal("MK-A2", "refuse.put_down_here")
    if action < Action.BOARD:
        if not colours_at(s, with_it) >> (action - Action.PUT) & 1:
            return Refusal("MK-A1", "refuse.nothing_to_put")
        return Refusal("MK-A2", "refuse.taken_here")
    if boat_at(s, place) == NO_BOAT:
        return Refusal("MK-B1", "refuse.no_boat")
    return Refusal("MK-B1", "refuse.board_points")


def _refused_step(s: State, direction: int) -> Refusal:
    cell = NEXT_CELL[direction][s.explorer[s.to_move][s.active]]
    if cell == NOWHERE:
        return Refusal("MK-M1", "refuse.edge")
    ground = terrain_at(s, cell)
    if box.COST[ground] == 0:
        return Refusal("MK-M1", f"refuse.ground.{GROUNDS[ground]}")
    if is_occupied(s, cell):
        return Refusal("MK-M1", "refuse.occupied")
    return Refusal("MK-M2", "refuse.points", {"cost": box.COST[ground], "pool": s.pool})


def _refused_card(s: State, card: int) -> Refusal:
    if not s.expert:
        return Refusal("MK-X4", "refuse.base_game")
    if place_in_hand(s, s.to_move, card) == NO_CARD:
        return Refusal("MK-X4", "refuse.no_such_card")
    if card == CardKind.HELICOPTER:
        return Refusal("MK-X8", "refuse.last_explorer")
    return Refusal("MK-X4", "refuse.no_effect")


def _refused_by_card(s: State, action: int) -> Refusal:
    rule = "MK-X6" if s.card == CardKind.MOUNTAIN else "MK-X5"
    match s.phase:
        case Phase.CARD_EXPLORER:
            places = s.explorer[s.to_move]
            if action < len(places) and places[action] >= 0:
                return Refusal(rule, "refuse.card_leads_nowhere")
            rule = "MK-X8" if s.card == CardKind.HELICOPTER else rule
            return Refusal(rule, "refuse.not_on_island")
        case Phase.CARD_CELL:
            return Refusal(rule, "refuse.card_does_not_lead")
        case Phase.QUAKE_SPACE:
            return _refused_quake_space(s, action)
        case Phase.QUAKE_TURN if action == 0:
            return Refusal("MK-X4", "refuse.no_effect")
        case Phase.QUAKE_TURN:
            return Refusal("MK-C5", "refuse.same_turn" if action < 4 else "refuse.no_such_turn")
        case _:
            return Refusal("MK-X7", "refuse.draw_or_stop")


def _refused_quake_space(s: State, action: int) -> Refusal:
    if action > QuakeAction.SKIP_TO_DRAW:
        return Refusal("MK-X7", "refuse.no_such_space")
    if action == QuakeAction.SKIP_TO_DRAW:
        return Refusal("MK-X7", "refuse.empty_bag")
    if not is_terrain_tile(s.tile[action]):
        return Refusal("MK-X7", "refuse.no_terrain_tile")
    if any(is_occupied(s, action * QUARTERS + quarter) for quarter in range(QUARTERS)):
        return Refusal("MK-X7", "refuse.explorer_on_tile")
    return Refusal("MK-X4", "refuse.no_effect")
