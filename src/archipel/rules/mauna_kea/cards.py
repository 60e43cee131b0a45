"""The cards of the expert game (chapter Expert game)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea.artefacts import carrier, move_all_artefacts
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    COLOUR,
    DEALT,
    EARTHQUAKE,
    FIRST_LAVA,
    FIRST_START,
    HELICOPTER,
    JUNGLE,
    JUNGLE_CARD,
    KINDS,
    LAKE,
    LAKE_CARD,
    LEAST_TURN,
    MOST_EXPLORERS,
    MOUNTAIN,
)
from archipel.rules.mauna_kea.geometry import (
    CELLS,
    DIRECTIONS,
    NEXT_CELL,
    NOWHERE,
    QUARTER_AFTER,
    QUARTERS,
    SPACES,
)
from archipel.rules.mauna_kea.knowledge import sort_rejected
from archipel.rules.mauna_kea.moving import arrive
from archipel.rules.mauna_kea.reach import (
    clear_reach,
    find_way,
    is_reach_empty,
)
from archipel.rules.mauna_kea.state import (
    CARD_CELL,
    CARD_EXPLORER,
    LIFTED,
    NO_CARD,
    NOBODY,
    NOT_YET,
    ON_CARD,
    PLAY,
    QUAKE_DRAW,
    QUAKE_SKIP_TO_DRAW,
    QUAKE_SPACE,
    SPACE,
    State,
    explorers_on_island,
    is_occupied,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import has_empty_space, tiles_in_bag

# ---- the hand -----------------------------------------------------------------------------------


@rule
def take_from_hand(s: State, seat: int, place: int) -> int:
    card = s.hand[seat][place]
    for later in range(place, DEALT - 1):
        s.hand[seat][later] = s.hand[seat][later + 1]
    s.hand[seat][DEALT - 1] = NO_CARD
    return card


@rule
def legal_rejections(s: State, actions: list[int]) -> int:
    """MK-X1, MK-C5: any card of the hand, alike ones once."""
    count = 0
    for place in range(DEALT):
        card = s.hand[s.to_move][place]
        if card != NO_CARD and (place == 0 or s.hand[s.to_move][place - 1] != card):
            actions[count] = place
            count += 1
    return count


@rule
def reject(s: State, seat: int, place: int) -> bool:
    """MK-X1: a card goes out of the game unseen; whether that was the last."""
    card = take_from_hand(s, seat, place)
    if s.rejected[seat][0] == NO_CARD:
        s.rejected[seat][0] = card
        return False
    s.rejected[seat][1] = card
    sort_rejected(s, seat)
    return True


@rule
def place_in_hand(s: State, seat: int, card: int) -> int:
    """Where a card of this kind is first in a hand, or `NO_CARD`."""
    for place in range(DEALT):
        if s.hand[seat][place] == card:
            return place
    return NO_CARD


# ---- what can be played -------------------------------------------------------------------------


@rule
def can_play(s: State, seat: int, card: int) -> bool:
    """MK-X4: a card of one's hand that changes something."""
    if place_in_hand(s, seat, card) == NO_CARD:
        return False
    if card == EARTHQUAKE:
        return tiles_in_bag(s) > 0 or has_tile_to_turn(s)
    if card == HELICOPTER:  # MK-X8: not with the last one on the island
        return explorers_on_island(s, seat) > 1
    for explorer in range(MOST_EXPLORERS):
        if can_be_moved(s, seat, explorer, card):
            return True
    return False


@rule
def can_be_moved(s: State, seat: int, explorer: int, card: int) -> bool:
    """Whether a jungle, lake or mountain card leads an explorer anywhere, or a helicopter can
    lift it."""
    if s.explorer[seat][explorer] < 0:
        return False
    if card == HELICOPTER:
        return True
    ground = ground_of(card)
    if not stands_beside(s, s.explorer[seat][explorer], ground):
        return False
    if ground != MOUNTAIN:
        return True
    find_way(s, seat, explorer, MOUNTAIN)
    found = not is_reach_empty(s)
    clear_reach(s)
    return found


@rule
def ground_of(card: int) -> int:
    if card == JUNGLE_CARD:
        return JUNGLE
    return LAKE if card == LAKE_CARD else MOUNTAIN


@rule
def stands_beside(s: State, start: int, ground: int) -> bool:
    """Whether a free cell of this ground is next to a cell."""
    for direction in range(DIRECTIONS):
        cell = NEXT_CELL[direction][start]
        if cell != NOWHERE and terrain_at(s, cell) == ground and not is_occupied(s, cell):
            return True
    return False


@rule
def play_card(s: State, card: int) -> None:
    """MK-X4: shown, and out of the game; what it does comes next."""
    take_from_hand(s, s.to_move, place_in_hand(s, s.to_move, card))
    s.played[card] += 1
    s.card = card
    s.resume = s.phase
    s.phase = QUAKE_SPACE if card == EARTHQUAKE else CARD_EXPLORER


@rule
def finish_card(s: State) -> None:
    """Back to where the card was played; a game that ends gives its player the tiles (MK-X3)."""
    s.card = NO_CARD
    s.phase = s.resume if s.ending == NOT_YET else PLAY
    s.resume = PLAY


# ---- moving cards and helicopter ----------------------------------------------------------------


@rule
def legal_card_explorers(s: State, actions: list[int]) -> int:
    count = 0
    for explorer in range(MOST_EXPLORERS):
        if can_be_moved(s, s.to_move, explorer, s.card):
            actions[count] = explorer
            count += 1
    return count


@rule
def name_for_card(s: State, explorer: int) -> None:
    """Whom the card is for: a helicopter leaves at once, the others are told where to."""
    if s.card == HELICOPTER:
        lift(s, s.to_move, explorer)
        finish_card(s)
        return
    s.active = explorer
    find_way(s, s.to_move, explorer, ground_of(s.card))
    s.phase = CARD_CELL


@rule
def lift(s: State, seat: int, explorer: int) -> None:
    """MK-X8: the explorer and what it carries leave the island onto the card."""
    move_all_artefacts(s, carrier(seat, explorer), ON_CARD + seat)
    s.explorer[seat][explorer] = LIFTED
    if s.active == explorer:
        s.active = NOBODY


@rule
def move_by_card(s: State, cell: int) -> None:
    """MK-X5, MK-X6: in one action, to the end of the way."""
    arrive(s, s.to_move, s.active, cell)
    clear_reach(s)
    finish_card(s)


# ---- earthquake ---------------------------------------------------------------------------------


@rule
def look_of(s: State, space: int) -> int:
    """What a space shows, quarter by quarter: terrain, and artefacts by colour (MK-C5)."""
    look = 0
    for quarter in range(QUARTERS):
        look |= terrain_at(s, space * QUARTERS + quarter) << (12 * quarter)
    for artefact in range(ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < CELLS and cell >> 2 == space:
            # Room for 17 white, 7 grey and 1 black artefact above the terrain.
            colour = COLOUR[artefact]
            shift = 3 if colour == 0 else (8 if colour == 1 else 11)
            look += 1 << (12 * (cell & 3) + shift)
    return look


@rule
def turned_look(look: int, turns: int) -> int:
    """MK-C5: a look after so many quarter turns."""
    result = 0
    for quarter in range(QUARTERS):
        result |= (look >> (12 * quarter) & 0xFFF) << (12 * QUARTER_AFTER[turns][quarter])
    return result


@rule
def is_terrain_tile(tile: int) -> bool:
    """MK-X7: a terrain or start tile; no lava, no printed space."""
    return tile < FIRST_LAVA or FIRST_START <= tile < KINDS


@rule
def can_turn(s: State, space: int) -> bool:
    """MK-X7: a tile with no explorer on it that looks different when it is turned."""
    if not is_terrain_tile(s.tile[space]):
        return False
    for quarter in range(QUARTERS):
        if is_occupied(s, space * QUARTERS + quarter):
            return False
    if LEAST_TURN[s.tile[space]][1] != 0:
        return True
    look = look_of(s, space)
    return turned_look(look, 1) != look


@rule
def has_tile_to_turn(s: State) -> bool:
    for space in range(SPACES):
        if can_turn(s, space):
            return True
    return False


@rule
def legal_quake_spaces(s: State, actions: list[int]) -> int:
    """MK-X7: a tile to turn, or no turning and a draw at once."""
    count = 0
    for space in range(SPACES):
        if can_turn(s, space):
            actions[count] = space
            count += 1
    if tiles_in_bag(s) > 0:
        actions[count] = QUAKE_SKIP_TO_DRAW
        count += 1
    return count


@rule
def legal_quake_turns(s: State, actions: list[int]) -> int:
    """MK-C5: one, two or three quarter turns, alike results once."""
    look = look_of(s, s.chosen)
    count = 0
    for turns in range(1, 4):
        result = turned_look(look, turns)
        if result != look and (turns != 3 or result != turned_look(look, 1)):
            actions[count] = turns
            count += 1
    return count


@rule
def turn_tile(s: State, turns: int) -> None:
    """MK-X7: the artefacts on a tile turn with it. Then a tile may be drawn, if there is one."""
    space = s.chosen
    tile = s.tile[space]
    s.turn[space] = LEAST_TURN[tile][(s.turn[space] + turns) & 3]
    for artefact in range(ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < CELLS and cell >> 2 == space:
            s.artefact[artefact] = space * QUARTERS + QUARTER_AFTER[turns][cell & 3]
    s.chosen = NOWHERE
    if tiles_in_bag(s) > 0:
        s.phase = QUAKE_DRAW
    else:
        finish_card(s)


@rule
def place_drawn_terrain(s: State, kind: int) -> None:
    """MK-X7: on any empty space; if there is none, the tile leaves the game."""
    if has_empty_space(s):
        s.held = kind
        s.phase = SPACE
    else:
        s.out[kind] += 1
        finish_card(s)
