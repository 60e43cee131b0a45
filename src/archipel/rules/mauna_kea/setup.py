"""Setting up the game (chapter Set-up)."""

from __future__ import annotations

from archipel.rules.bits import nth_bit
from archipel.rules.kit import Chance, draw, rule
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea import tiles
from archipel.rules.mauna_kea.components import SPACE_KIND, SpaceKind, Tile
from archipel.rules.mauna_kea.grid import QUARTER_AFTER, QUARTERS, SPACES
from archipel.rules.mauna_kea.knowledge import deal_unseen
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.state import (
    NOBODY,
    UNKNOWN,
    ExplorerPlace,
    Phase,
    State,
    counter_clockwise,
    explorers_each,
    is_occupied,
)


@rule
def set_up(s: State, chance: Chance) -> None:
    """MK-S1: lay the start tiles with their artefacts and moor the boats; MK-X1: deal the cards."""
    for kind in range(box.BAG_KINDS):
        s.bag[kind] = box.COUNT[kind]
    lay_start_tiles(s, chance)
    moor_boats(s, chance)
    if s.expert != 0:
        for seat in range(s.seats):
            for place in range(box.DEALT):
                s.hand[seat][place] = UNKNOWN
        deal_unseen(s, chance)
    if s.first == NOBODY:
        s.first = draw(chance, s.seats)
    s.to_move = s.first
    s.phase = Phase.CHOOSE if s.expert != 0 else Phase.PLACE


@rule
def lay_start_tiles(s: State, chance: Chance) -> None:
    """MK-S1: put a random start tile, randomly turned, on each marked space."""
    unused = (1 << box.START_TILES) - 1
    remaining = box.START_TILES
    for space in range(SPACES):
        kind = SPACE_KIND[s.layout][space]
        s.tile[space] = Tile.EMPTY
        if kind == SpaceKind.VOLCANO:
            s.tile[space] = Tile.VOLCANO
        elif kind == SpaceKind.EXPLORER:
            s.tile[space] = Tile.PRINTED
        elif kind == SpaceKind.START:
            number = nth_bit(unused, draw(chance, remaining))
            unused ^= 1 << number
            remaining -= 1
            lay_start_tile(s, space, Tile.FIRST_START + number, draw(chance, 4))


@rule
def lay_start_tile(s: State, space: int, tile: int, turn: int) -> None:
    s.tile[space] = tile
    s.turn[space] = box.LEAST_TURN[tile][turn]
    for artefact in range(box.ARTEFACTS):
        if box.SPOT_TILE[artefact] == tile:
            quarter = QUARTER_AFTER[turn][box.SPOT_QUARTER[artefact]]
            s.artefact[artefact] = space * QUARTERS + quarter


@rule
def moor_boats(s: State, chance: Chance) -> None:
    """MK-S1: one boat per cove."""
    free = (1 << box.BOATS) - 1
    for boat in range(box.BOATS):
        cove = nth_bit(free, draw(chance, box.BOATS - boat))
        free ^= 1 << cove
        s.boat[boat] = cove


@rule
def pass_cards_on(s: State) -> None:
    """MK-X1: the next in placement order chooses; after the last, explorers are placed."""
    s.to_move = counter_clockwise(s, s.to_move)
    if s.to_move == s.first:
        s.phase = Phase.PLACE


@rule
def legal_placings(s: State, actions: list[int]) -> int:
    """MK-S2: the free start cells."""
    count = 0
    start_space = SpaceKind.EXPLORER
    for space in range(SPACES):
        if SPACE_KIND[s.layout][space] == start_space:
            for quarter in range(QUARTERS):
                cell = space * QUARTERS + quarter
                if not is_occupied(s, cell):
                    actions[count] = cell
                    count += 1
    return count


@rule
def place_explorer(s: State, cell: int) -> bool:
    """MK-S2: place one explorer, counter-clockwise. Return whether it was the last."""
    number = 0
    while s.explorer[s.to_move][number] != ExplorerPlace.UNPLACED:
        number += 1
    s.explorer[s.to_move][number] = cell
    s.to_move = counter_clockwise(s, s.to_move)
    return s.to_move == s.first and number + 1 == explorers_each(s)


@rule
def deal_tiles(s: State, chance: Chance) -> None:
    """MK-S3: deal one tile each in rotation until all have 5 points; lava is redrawn at once."""
    seat = s.first
    stopped = 0
    left = tiles.tiles_in_bag(s)
    while stopped < s.seats:
        if tiles.points_in_front(s, seat) < box.DRAW_UNTIL and left > 0:
            stopped = 0
            kind = tiles.draw_of(s, left, chance)
            left -= 1
            if is_lava(kind):
                s.aside[kind - Tile.FIRST_LAVA] += 1
                continue
            tiles.put_in_front(s, seat, kind)
        else:
            stopped += 1
        seat = counter_clockwise(s, seat)
    tiles.put_lava_back(s)
