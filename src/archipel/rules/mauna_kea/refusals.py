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
    if s.phase == Phase.OVER:
        return Refusal("MK-G1", "refuse.over")
    if s.phase in _BY_PHASE:
        return _BY_PHASE[s.phase](s, action)
    if action >= Action.COUNT:
        return Refusal("MK-T1", "refuse.no_such_action")
    if s.phase == Phase.EXPLORER and not Action.STEP <= action < Action.CARD:
        return Refusal("MK-T1", "refuse.explorer_first")
    if action in (Action.END_PLAY, Action.DRAW, Action.END_TURN):
        return _refused_end(s, action)
    if action < Action.NAME:
        return _refused_tile(s, action)
    if action < Action.STEP:
        return _refused_name(s, action - Action.NAME)
    if action >= Action.CARD:
        return _refused_card(s, action - Action.CARD)
    if s.active == NOBODY:
        return Refusal("MK-T1", "refuse.name_first")
    return _refused_act(s, action)


# ---- in the turn --------------------------------------------------------------------------------


def _refused_end(s: State, action: int) -> Refusal:
    if action == Action.END_PLAY:
        return Refusal("MK-T4", "refuse.play_over")
    if s.phase != Phase.REFILL:
        rule = "MK-X4" if s.expert else "MK-T4"
        return Refusal(rule, "refuse.still_playing")
    return Refusal("MK-T4", "refuse.enough" if action == Action.DRAW else "refuse.not_enough")


def _refused_tile(s: State, action: int) -> Refusal:
    if s.phase == Phase.REFILL:
        return Refusal("MK-T4", "refuse.play_over")
    place = (action - Action.TILE) % box.MOST_TILES
    if s.front[s.to_move][place] == Tile.NONE:
        return Refusal("MK-T1", "refuse.no_such_tile")
    if place > 0 and s.front[s.to_move][place - 1] == s.front[s.to_move][place]:
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


# ---- in the other phases ------------------------------------------------------------------------


def _refused_rejection(s: State, action: int) -> Refusal:
    hand = s.hand[s.to_move]
    if action >= len(hand) or hand[action] == NO_CARD:
        return Refusal("MK-X1", "refuse.no_such_card")
    return Refusal("MK-C5", "refuse.same_card")


def _refused_placing(s: State, action: int) -> Refusal:
    if box.SPACE_KIND[s.layout][action // QUARTERS] != SpaceKind.EXPLORER:
        return Refusal("MK-S2", "refuse.no_start_cell")
    return Refusal("MK-S2", "refuse.occupied")


def _refused_space(s: State, action: int) -> Refusal:
    if action >= SPACES:
        return Refusal("MK-T2", "refuse.no_such_space")
    assert s.tile[action] != Tile.EMPTY
    return Refusal("MK-T2", "refuse.not_empty")


def _refused_turn(s: State, action: int) -> Refusal:
    return Refusal("MK-C5", "refuse.same_turn" if action < 4 else "refuse.no_such_turn")


def _refused_leaving(s: State, action: int) -> Refusal:
    key = "refuse.nothing_to_leave" if action < COLOURS else "refuse.no_such_action"
    return Refusal("MK-B1", key)


def _refused_card_explorer(s: State, action: int) -> Refusal:
    rule = "MK-X6" if s.card == CardKind.MOUNTAIN else "MK-X5"
    places = s.explorer[s.to_move]
    if action >= len(places) or places[action] < 0:
        return Refusal("MK-X8" if s.card == CardKind.HELICOPTER else rule, "refuse.not_on_island")
    return Refusal(rule, "refuse.card_leads_nowhere")


def _refused_card_cell(s: State, action: int) -> Refusal:
    return Refusal("MK-X6" if s.card == CardKind.MOUNTAIN else "MK-X5", "refuse.card_does_not_lead")


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


def _refused_quake_turn(s: State, action: int) -> Refusal:
    key = "refuse.same_turn" if action < 4 else "refuse.no_such_turn"
    return Refusal("MK-C5" if action else "MK-X4", key if action else "refuse.no_effect")


def _refused_quake_draw(s: State, action: int) -> Refusal:
    return Refusal("MK-X7", "refuse.draw_or_stop")


_BY_PHASE = {
    Phase.CHOOSE: _refused_rejection,
    Phase.PLACE: _refused_placing,
    Phase.SPACE: _refused_space,
    Phase.TURN: _refused_turn,
    Phase.LEAVE: _refused_leaving,
    Phase.CARD_EXPLORER: _refused_card_explorer,
    Phase.CARD_CELL: _refused_card_cell,
    Phase.QUAKE_SPACE: _refused_quake_space,
    Phase.QUAKE_TURN: _refused_quake_turn,
    Phase.QUAKE_DRAW: _refused_quake_draw,
}
