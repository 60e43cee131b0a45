"""The cards of the expert game (chapter Expert game)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.artefacts import carrier, move_all_artefacts
from archipel.rules.mauna_kea.components import CardKind, Terrain, Tile
from archipel.rules.mauna_kea.knowledge import sort_rejected
from archipel.rules.mauna_kea.moving import arrive
from archipel.rules.mauna_kea.reach import clear_reach, find_way, is_reach_empty
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    QuakeAction,
    State,
    explorers_on_island,
    is_occupied,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import has_empty_space, tiles_in_bag


@rule
def take_from_hand(s: State, seat: int, place: int) -> int:
    card = s.hand[seat][place]
    for later in range(place, box.DEALT - 1):
        s.hand[seat][later] = s.hand[seat][later + 1]
    s.hand[seat][box.DEALT - 1] = NO_CARD
    return card


@rule
def legal_rejections(s: State, actions: list[int]) -> int:
    """MK-X1, MK-C5: any card of the hand, equal ones once."""
    count = 0
    for place in range(box.DEALT):
        card = s.hand[s.to_move][place]
        if card != NO_CARD and (place == 0 or s.hand[s.to_move][place - 1] != card):
            actions[count] = place
            count += 1
    return count


@rule
def reject(s: State, seat: int, place: int) -> bool:
    """MK-X1: a card leaves the game unseen. Return whether it was the seat's last."""
    card = take_from_hand(s, seat, place)
    if s.rejected[seat][0] == NO_CARD:
        s.rejected[seat][0] = card
        return False
    s.rejected[seat][1] = card
    sort_rejected(s, seat)
    return True


@rule
def place_in_hand(s: State, seat: int, card: int) -> int:
    """The first index of a kind of card in a hand, or `NO_CARD`."""
    for place in range(box.DEALT):
        if s.hand[seat][place] == card:
            return place
    return NO_CARD


@rule
def can_play(s: State, seat: int, card: int) -> bool:
    """MK-X4: a card of the hand that has an effect."""
    if place_in_hand(s, seat, card) == NO_CARD:
        return False
    if card == CardKind.EARTHQUAKE:
        return tiles_in_bag(s) > 0 or has_tile_to_turn(s)
    if card == CardKind.HELICOPTER:  # MK-X8: not for the last explorer on the island
        return explorers_on_island(s, seat) > 1
    for explorer in range(box.MOST_EXPLORERS):
        if can_be_moved(s, seat, explorer, card):
            return True
    return False


@rule
def can_be_moved(s: State, seat: int, explorer: int, card: int) -> bool:
    """Whether a moving card leads an explorer anywhere, or a helicopter can lift it."""
    if s.explorer[seat][explorer] < 0:
        return False
    if card == CardKind.HELICOPTER:
        return True
    ground = ground_of(card)
    if not stands_beside(s, s.explorer[seat][explorer], ground):
        return False
    if ground != Terrain.MOUNTAIN:
        return True
    find_way(s, seat, explorer, Terrain.MOUNTAIN)
    found = not is_reach_empty(s)
    clear_reach(s)
    return found


@rule
def ground_of(card: int) -> int:
    if card == CardKind.JUNGLE:
        return Terrain.JUNGLE
    return Terrain.LAKE if card == CardKind.LAKE else Terrain.MOUNTAIN


@rule
def stands_beside(s: State, start: int, ground: int) -> bool:
    """Whether a free cell of this ground is next to a cell."""
    for direction in range(grid.DIRECTIONS):
        cell = grid.NEXT_CELL[direction][start]
        if cell != grid.NOWHERE and terrain_at(s, cell) == ground and not is_occupied(s, cell):
            return True
    return False


@rule
def play_card(s: State, card: int) -> None:
    """MK-X4: the card is shown and leaves the game; its effect follows."""
    take_from_hand(s, s.to_move, place_in_hand(s, s.to_move, card))
    s.played[card] += 1
    s.card = card
    s.resume = s.phase
    s.phase = Phase.QUAKE_SPACE if card == CardKind.EARTHQUAKE else Phase.CARD_EXPLORER


@rule
def finish_card(s: State) -> None:
    """Return to the phase in which the card was played, or to PLAY if the game ends (MK-X3)."""
    s.card = NO_CARD
    s.phase = s.resume if s.ending == Ending.NOT_YET else Phase.PLAY
    s.resume = Phase.PLAY


@rule
def legal_card_explorers(s: State, actions: list[int]) -> int:
    count = 0
    for explorer in range(box.MOST_EXPLORERS):
        if can_be_moved(s, s.to_move, explorer, s.card):
            actions[count] = explorer
            count += 1
    return count


@rule
def name_for_card(s: State, explorer: int) -> None:
    """Choose the explorer. MK-X8: a helicopter lifts it and its load onto the card at once; other
    cards still need a cell."""
    if s.card == CardKind.HELICOPTER:
        on_card = ArtefactPlace.ON_CARD + s.to_move
        move_all_artefacts(s, carrier(s.to_move, explorer), on_card)
        s.explorer[s.to_move][explorer] = ExplorerPlace.LIFTED
        if s.active == explorer:
            s.active = NOBODY
        finish_card(s)
        return
    s.active = explorer
    find_way(s, s.to_move, explorer, ground_of(s.card))
    s.phase = Phase.CARD_CELL


@rule
def move_by_card(s: State, cell: int) -> None:
    """MK-X5, MK-X6: move to the end of the way in one action."""
    arrive(s, s.to_move, s.active, cell)
    clear_reach(s)
    finish_card(s)


@rule
def look_of(s: State, space: int) -> int:
    """MK-C5: what a space shows, quarter by quarter: terrain, and artefacts by colour."""
    look = 0
    for quarter in range(grid.QUARTERS):
        look |= terrain_at(s, space * grid.QUARTERS + quarter) << (12 * quarter)
    for artefact in range(box.ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < grid.CELLS and cell >> 2 == space:
            # Bits above the terrain, for up to 17 white, 7 grey and 1 black artefact.
            colour = box.COLOUR[artefact]
            shift = 3 if colour == 0 else (8 if colour == 1 else 11)
            look += 1 << (12 * (cell & 3) + shift)
    return look


@rule
def turned_look(look: int, turns: int) -> int:
    """MK-C5: a look after some quarter turns."""
    result = 0
    for quarter in range(grid.QUARTERS):
        result |= (look >> (12 * quarter) & 0xFFF) << (12 * grid.QUARTER_AFTER[turns][quarter])
    return result


@rule
def is_terrain_tile(tile: int) -> bool:
    """MK-X7: a terrain or start tile, not lava and not a printed space."""
    return tile < Tile.FIRST_LAVA or Tile.FIRST_START <= tile < box.KINDS


@rule
def can_turn(s: State, space: int) -> bool:
    """MK-X7: a tile without explorers that looks different when turned."""
    if not is_terrain_tile(s.tile[space]):
        return False
    for quarter in range(grid.QUARTERS):
        if is_occupied(s, space * grid.QUARTERS + quarter):
            return False
    if box.LEAST_TURN[s.tile[space]][1] != 0:
        return True
    look = look_of(s, space)
    return turned_look(look, 1) != look


@rule
def has_tile_to_turn(s: State) -> bool:
    for space in range(grid.SPACES):
        if can_turn(s, space):
            return True
    return False


@rule
def legal_quake_spaces(s: State, actions: list[int]) -> int:
    """MK-X7: a tile to turn, or a draw without turning."""
    count = 0
    for space in range(grid.SPACES):
        if can_turn(s, space):
            actions[count] = space
            count += 1
    if tiles_in_bag(s) > 0:
        actions[count] = QuakeAction.SKIP_TO_DRAW
        count += 1
    return count


@rule
def legal_quake_turns(s: State, actions: list[int]) -> int:
    """MK-C5: one, two or three quarter turns, equal results once."""
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
    """MK-X7: artefacts turn with their tile. Then a tile may be drawn, if the bag has one."""
    space = s.chosen
    tile = s.tile[space]
    s.turn[space] = box.LEAST_TURN[tile][(s.turn[space] + turns) & 3]
    for artefact in range(box.ARTEFACTS):
        cell = s.artefact[artefact]
        if 0 <= cell < grid.CELLS and cell >> 2 == space:
            s.artefact[artefact] = space * grid.QUARTERS + grid.QUARTER_AFTER[turns][cell & 3]
    s.chosen = grid.NOWHERE
    if tiles_in_bag(s) > 0:
        s.phase = Phase.QUAKE_DRAW
    else:
        finish_card(s)


@rule
def place_drawn_terrain(s: State, kind: int) -> None:
    """MK-X7: the tile goes on any empty space; if there is none, it leaves the game."""
    if has_empty_space(s):
        s.held = kind
        s.phase = Phase.SPACE
    else:
        s.out[kind] += 1
        finish_card(s)
