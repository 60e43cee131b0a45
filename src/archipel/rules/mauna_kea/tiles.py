"""Tiles: the bag, the tiles in front of the players, laying and spending (chapter The turn)."""

from __future__ import annotations

from archipel.rules.kit import Chance, draw_for, rule
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.components import BAG_KINDS, MOST_TILES, POINTS, Tile
from archipel.rules.mauna_kea.grid import SPACES
from archipel.rules.mauna_kea.state import Purpose, State


@rule
def tiles_in_bag(s: State) -> int:
    count = 0
    for kind in range(BAG_KINDS):
        count += s.bag[kind]
    return count


@rule
def kind_in_bag(s: State, number: int) -> int:
    """The kind of the tile with this index, counting the bag kind by kind."""
    kind = 0
    while number >= s.bag[kind]:
        number -= s.bag[kind]
        kind += 1
    return kind


@rule
def draw_of(s: State, tiles: int, chance: Chance) -> int:
    """Draw one of the tiles in the bag. MK-V1: only the order of the bag is unknown, so each draw
    is random."""
    kind = kind_in_bag(s, draw_for(chance, Purpose.BAG, tiles))
    s.bag[kind] -= 1
    return kind


@rule
def put_lava_back(s: State) -> None:
    """MK-S3, MK-L7: lava that was set aside goes back in the bag."""
    for lava in range(box.LAVA_KINDS):
        s.bag[Tile.FIRST_LAVA + lava] += s.aside[lava]
        s.aside[lava] = 0


@rule
def points_in_front(s: State, seat: int) -> int:
    points = 0
    none = Tile.NONE
    for place in range(MOST_TILES):
        tile = s.front[seat][place]
        if tile != none:
            points += POINTS[tile]
    return points


@rule
def put_in_front(s: State, seat: int, kind: int) -> None:
    """MK-S3: put a tile face up in front of its owner, sorted by kind."""
    place = MOST_TILES - 1
    while place > 0 and (s.front[seat][place - 1] == Tile.NONE or s.front[seat][place - 1] > kind):
        s.front[seat][place] = s.front[seat][place - 1]
        place -= 1
    s.front[seat][place] = kind


@rule
def take_from_front(s: State, seat: int, place: int) -> int:
    kind = s.front[seat][place]
    for later in range(place, MOST_TILES - 1):
        s.front[seat][later] = s.front[seat][later + 1]
    s.front[seat][MOST_TILES - 1] = Tile.NONE
    return kind


@rule
def is_first_of_its_kind(s: State, seat: int, place: int) -> bool:
    """MK-C5: whether a place in front holds a tile that differs from the one before."""
    kind = s.front[seat][place]
    return kind != Tile.NONE and (place == 0 or s.front[seat][place - 1] != kind)


@rule
def spend_tile(s: State, seat: int, place: int) -> int:
    """MK-T3, MK-X2: a tile spent for its points goes back in the bag, or out of the game."""
    kind = take_from_front(s, seat, place)
    if s.expert != 0:
        s.out[kind] += 1
    else:
        s.bag[kind] += 1
    return POINTS[kind]


@rule
def has_empty_space(s: State) -> bool:
    empty = Tile.EMPTY
    for space in range(SPACES):
        if s.tile[space] == empty:
            return True
    return False


@rule
def legal_spaces(s: State, actions: list[int]) -> int:
    """MK-T2: every empty space."""
    count = 0
    empty = Tile.EMPTY
    for space in range(SPACES):
        if s.tile[space] == empty:
            actions[count] = space
            count += 1
    return count


@rule
def legal_turns(s: State, actions: list[int]) -> int:
    """MK-C5: one action for each orientation that looks different."""
    count = 0
    for turn in range(4):
        if box.LEAST_TURN[s.held][turn] == turn:
            actions[count] = turn
            count += 1
    return count
