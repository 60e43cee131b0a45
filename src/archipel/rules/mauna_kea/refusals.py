"""Why an action is not legal: the rule it breaks."""

from __future__ import annotations

from archipel.rules.contract import Refusal
from archipel.rules.mauna_kea.artefacts import COLOURS, artefacts_at, carrier, colours_at
from archipel.rules.mauna_kea.cards import is_terrain_tile, place_in_hand
from archipel.rules.mauna_kea.components import (
    COST,
    EMPTY,
    EXPLORER_SPACE,
    HELICOPTER,
    MOST_CARRIED,
    MOST_TILES,
    MOUNTAIN_CARD,
    NO_TILE,
    SPACE_KIND,
)
from archipel.rules.mauna_kea.geometry import NEXT_CELL, NOWHERE, QUARTERS, SPACES
from archipel.rules.mauna_kea.moving import NO_BOAT, boat_at
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
    NO_CARD,
    NOBODY,
    OVER,
    PLACE,
    PLAY_ACTIONS,
    PUT,
    QUAKE_DRAW,
    QUAKE_SKIP_TO_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SPACE,
    SPEND,
    STEP,
    TAKE,
    TILE,
    TURN,
    State,
    is_occupied,
    terrain_at,
)

GROUNDS = ("jungle", "lake", "mountain", "no_tile", "lava", "volcano")


def refusal(s: State, action: int) -> Refusal:
    """For an action that is not legal in a position."""
    if s.phase == OVER:
        return Refusal("MK-G1", "refuse.over")
    if s.phase in _BY_PHASE:
        return _BY_PHASE[s.phase](s, action)
    if action >= PLAY_ACTIONS:
        return Refusal("MK-T1", "refuse.no_such_action")
    if s.phase == EXPLORER and not STEP <= action < CARD:
        return Refusal("MK-T1", "refuse.explorer_first")
    if action in (END_PLAY, DRAW, END_TURN):
        return _refused_end(s, action)
    if action < NAME:
        return _refused_tile(s, action)
    if action < STEP:
        return _refused_name(s, action - NAME)
    if action >= CARD:
        return _refused_card(s, action - CARD)
    if s.active == NOBODY:
        return Refusal("MK-T1", "refuse.name_first")
    return _refused_act(s, action)


# ---- in the turn --------------------------------------------------------------------------------


def _refused_end(s: State, action: int) -> Refusal:
    if action == END_PLAY:
        return Refusal("MK-T4", "refuse.play_over")
    if s.phase != REFILL:
        rule = "MK-X4" if s.expert else "MK-T4"
        return Refusal(rule, "refuse.still_playing")
    return Refusal("MK-T4", "refuse.enough" if action == DRAW else "refuse.not_enough")


def _refused_tile(s: State, action: int) -> Refusal:
    if s.phase == REFILL:
        return Refusal("MK-T4", "refuse.play_over")
    place = (action - TILE) % MOST_TILES
    if s.front[s.to_move][place] == NO_TILE:
        return Refusal("MK-T1", "refuse.no_such_tile")
    if place > 0 and s.front[s.to_move][place - 1] == s.front[s.to_move][place]:
        return Refusal("MK-C5", "refuse.same_tile")
    assert action < SPEND, "any tile may be spent"
    return Refusal("MK-T2", "refuse.board_full")


def _refused_name(s: State, explorer: int) -> Refusal:
    if s.explorer[s.to_move][explorer] < 0:
        return Refusal("MK-M1", "refuse.not_on_island")
    if explorer == s.active:
        return Refusal("MK-T1", "refuse.already_named")
    return Refusal("MK-M1", "refuse.nothing_to_do")


def _refused_act(s: State, action: int) -> Refusal:
    if action < TAKE:
        return _refused_step(s, action - STEP)
    place = s.explorer[s.to_move][s.active]
    with_it = carrier(s.to_move, s.active)
    if action < PUT:
        colour = action - TAKE
        if not colours_at(s, place) >> colour & 1:
            return Refusal("MK-A1", "refuse.nothing_to_take")
        if artefacts_at(s, with_it) >= MOST_CARRIED:
            return Refusal("MK-A1", "refuse.carries_three")
        return Refusal("MK-A2", "refuse.put_down_here")
    if action < BOARD:
        if not colours_at(s, with_it) >> (action - PUT) & 1:
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
    if COST[ground] == 0:
        return Refusal("MK-M1", f"refuse.ground.{GROUNDS[ground]}")
    if is_occupied(s, cell):
        return Refusal("MK-M1", "refuse.occupied")
    return Refusal("MK-M2", "refuse.points", {"cost": COST[ground], "pool": s.pool})


def _refused_card(s: State, card: int) -> Refusal:
    if not s.expert:
        return Refusal("MK-X4", "refuse.base_game")
    if place_in_hand(s, s.to_move, card) == NO_CARD:
        return Refusal("MK-X4", "refuse.no_such_card")
    if card == HELICOPTER:
        return Refusal("MK-X8", "refuse.last_explorer")
    return Refusal("MK-X4", "refuse.no_effect")


# ---- in the other phases ------------------------------------------------------------------------


def _refused_rejection(s: State, action: int) -> Refusal:
    hand = s.hand[s.to_move]
    if action >= len(hand) or hand[action] == NO_CARD:
        return Refusal("MK-X1", "refuse.no_such_card")
    return Refusal("MK-C5", "refuse.same_card")


def _refused_placing(s: State, action: int) -> Refusal:
    if SPACE_KIND[s.layout][action // QUARTERS] != EXPLORER_SPACE:
        return Refusal("MK-S2", "refuse.no_start_cell")
    return Refusal("MK-S2", "refuse.occupied")


def _refused_space(s: State, action: int) -> Refusal:
    if action >= SPACES:
        return Refusal("MK-T2", "refuse.no_such_space")
    assert s.tile[action] != EMPTY
    return Refusal("MK-T2", "refuse.not_empty")


def _refused_turn(s: State, action: int) -> Refusal:
    return Refusal("MK-C5", "refuse.same_turn" if action < 4 else "refuse.no_such_turn")


def _refused_leaving(s: State, action: int) -> Refusal:
    key = "refuse.nothing_to_leave" if action < COLOURS else "refuse.no_such_action"
    return Refusal("MK-B1", key)


def _refused_card_explorer(s: State, action: int) -> Refusal:
    rule = "MK-X6" if s.card == MOUNTAIN_CARD else "MK-X5"
    places = s.explorer[s.to_move]
    if action >= len(places) or places[action] < 0:
        return Refusal("MK-X8" if s.card == HELICOPTER else rule, "refuse.not_on_island")
    return Refusal(rule, "refuse.card_leads_nowhere")


def _refused_card_cell(s: State, action: int) -> Refusal:
    return Refusal("MK-X6" if s.card == MOUNTAIN_CARD else "MK-X5", "refuse.card_does_not_lead")


def _refused_quake_space(s: State, action: int) -> Refusal:
    if action > QUAKE_SKIP_TO_DRAW:
        return Refusal("MK-X7", "refuse.no_such_space")
    if action == QUAKE_SKIP_TO_DRAW:
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
    CHOOSE: _refused_rejection,
    PLACE: _refused_placing,
    SPACE: _refused_space,
    TURN: _refused_turn,
    LEAVE: _refused_leaving,
    CARD_EXPLORER: _refused_card_explorer,
    CARD_CELL: _refused_card_cell,
    QUAKE_SPACE: _refused_quake_space,
    QUAKE_TURN: _refused_quake_turn,
    QUAKE_DRAW: _refused_quake_draw,
}
