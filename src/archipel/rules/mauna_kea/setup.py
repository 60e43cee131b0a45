"""Setting up the game (chapter Set-up)."""

from __future__ import annotations

from archipel.rules.kit import Chance, draw, rule
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    BAG_KINDS,
    BOATS,
    COUNT,
    DEALT,
    DRAW_UNTIL,
    EMPTY,
    EXPLORER_SPACE,
    FIRST_START,
    LEAST_TURN,
    PRINTED,
    SPACE_KIND,
    SPOT_QUARTER,
    SPOT_TILE,
    START_SPACE,
    START_TILES,
    VOLCANO,
    VOLCANO_SPACE,
)
from archipel.rules.mauna_kea.geometry import QUARTER_AFTER, QUARTERS, SPACES
from archipel.rules.mauna_kea.knowledge import deal_unseen
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.state import (
    CHOOSE,
    NOBODY,
    PLACE,
    UNKNOWN,
    UNPLACED,
    State,
    clockwise,
    counter_clockwise,
    explorers_each,
    is_occupied,
)
from archipel.rules.mauna_kea.tiles import (
    draw_of,
    points_in_front,
    put_in_front,
    put_lava_back,
    set_aside,
    tiles_in_bag,
)


@rule
def set_up(s: State, chance: Chance) -> None:
    """MK-S1: the board, the start tiles and their artefacts, the boats; MK-X1: the cards."""
    for kind in range(BAG_KINDS):
        s.bag[kind] = COUNT[kind]
    lay_start_tiles(s, chance)
    moor_boats(s, chance)
    if s.expert != 0:
        for seat in range(s.seats):
            for place in range(DEALT):
                s.hand[seat][place] = UNKNOWN
        deal_unseen(s, chance)
    if s.first == NOBODY:
        s.first = draw(chance, s.seats)
    s.to_move = s.first
    s.phase = CHOOSE if s.expert != 0 else PLACE


@rule
def lay_start_tiles(s: State, chance: Chance) -> None:
    """MK-S1: on each marked space one of the tiles left, turned at random."""
    unused = (1 << START_TILES) - 1
    remaining = START_TILES
    for space in range(SPACES):
        kind = SPACE_KIND[s.layout][space]
        s.tile[space] = EMPTY
        if kind == VOLCANO_SPACE:
            s.tile[space] = VOLCANO
        elif kind == EXPLORER_SPACE:
            s.tile[space] = PRINTED
        elif kind == START_SPACE:
            number = nth_bit(unused, draw(chance, remaining))
            unused ^= 1 << number
            remaining -= 1
            lay_start_tile(s, space, FIRST_START + number, draw(chance, 4))


@rule
def lay_start_tile(s: State, space: int, tile: int, turn: int) -> None:
    s.tile[space] = tile
    s.turn[space] = LEAST_TURN[tile][turn]
    for artefact in range(ARTEFACTS):
        if SPOT_TILE[artefact] == tile:
            quarter = QUARTER_AFTER[turn][SPOT_QUARTER[artefact]]
            s.artefact[artefact] = space * QUARTERS + quarter


@rule
def moor_boats(s: State, chance: Chance) -> None:
    """MK-S1: one boat a cove."""
    free = (1 << BOATS) - 1
    for boat in range(BOATS):
        cove = nth_bit(free, draw(chance, BOATS - boat))
        free ^= 1 << cove
        s.boat[boat] = cove


@rule
def nth_bit(bits: int, n: int) -> int:
    """The position of the n-th set bit, counted from 0 at the low end."""
    position = 0
    while True:
        if bits >> position & 1 != 0:
            if n == 0:
                return position
            n -= 1
        position += 1


@rule
def pass_cards_on(s: State) -> None:
    """MK-X1: the next in placement order chooses; after the last, explorers are placed."""
    s.to_move = counter_clockwise(s, s.to_move)
    if s.to_move == s.first:
        s.phase = PLACE


# ---- placing explorers --------------------------------------------------------------------------


@rule
def legal_placings(s: State, actions: list[int]) -> int:
    """MK-S2: the free start cells."""
    count = 0
    for space in range(SPACES):
        if SPACE_KIND[s.layout][space] == EXPLORER_SPACE:
            for quarter in range(QUARTERS):
                cell = space * QUARTERS + quarter
                if not is_occupied(s, cell):
                    actions[count] = cell
                    count += 1
    return count


@rule
def place_explorer(s: State, cell: int) -> bool:
    """MK-S2: one explorer at a time, counter-clockwise; whether that was the last."""
    number = 0
    while s.explorer[s.to_move][number] != UNPLACED:
        number += 1
    s.explorer[s.to_move][number] = cell
    s.to_move = counter_clockwise(s, s.to_move)
    return s.to_move == s.first and number + 1 == explorers_each(s)


@rule
def deal_tiles(s: State, chance: Chance) -> None:
    """MK-S3: one tile each in rotation until all have 5 points; lava is redrawn at once."""
    seat = s.first
    stopped = 0
    left = tiles_in_bag(s)
    while stopped < s.seats:
        if points_in_front(s, seat) < DRAW_UNTIL and left > 0:
            stopped = 0
            kind = draw_of(s, left, chance)
            left -= 1
            if is_lava(kind):
                set_aside(s, kind)
                continue
            put_in_front(s, seat, kind)
        else:
            stopped += 1
        seat = counter_clockwise(s, seat)
    put_lava_back(s)


@rule
def last_to_place(s: State) -> int:
    """MK-S4: who begins, the first player's clockwise neighbour."""
    return clockwise(s, s.first)
