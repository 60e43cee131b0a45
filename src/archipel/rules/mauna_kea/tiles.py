"""Tiles: the bag, the tiles in front of the players, laying and spending (chapter The turn)."""

from __future__ import annotations

from archipel.rules.kit import Chance, draw, rule
from archipel.rules.mauna_kea.components import (
    BAG_KINDS,
    EMPTY,
    FIRST_LAVA,
    LAVA_KINDS,
    LEAST_TURN,
    MOST_TILES,
    NO_TILE,
    ORIENTATIONS,
    POINTS,
)
from archipel.rules.mauna_kea.geometry import NOWHERE, SPACES
from archipel.rules.mauna_kea.state import JUST_STIRRED, State


@rule
def tiles_in_bag(s: State) -> int:
    count = 0
    for kind in range(BAG_KINDS):
        count += s.bag[kind]
    return count


@rule
def kind_in_bag(s: State, number: int) -> int:
    """The kind of the tile with this number, counted through the bag from 0, kind by kind."""
    kind = 0
    while number >= s.bag[kind]:
        number -= s.bag[kind]
        kind += 1
    return kind


@rule
def draw_from_bag(s: State, chance: Chance) -> int:
    """MK-V1: only the order of the bag is unknown, so it is decided at the moment of drawing."""
    return draw_of(s, tiles_in_bag(s), chance)


@rule
def draw_of(s: State, tiles: int, chance: Chance) -> int:
    """The same where it is known how many there are."""
    kind = kind_in_bag(s, draw(chance, tiles))
    s.bag[kind] -= 1
    return kind


@rule
def set_aside(s: State, kind: int) -> None:
    """MK-S3, MK-L7: lava that waits beside the board."""
    s.aside[kind - FIRST_LAVA] += 1


@rule
def put_lava_back(s: State) -> None:
    """MK-S3, MK-L7: what was set aside goes back in the bag."""
    for lava in range(LAVA_KINDS):
        s.bag[FIRST_LAVA + lava] += s.aside[lava]
        s.aside[lava] = 0


@rule
def points_in_front(s: State, seat: int) -> int:
    points = 0
    for place in range(MOST_TILES):
        if s.front[seat][place] != NO_TILE:
            points += POINTS[s.front[seat][place]]
    return points


@rule
def put_in_front(s: State, seat: int, kind: int) -> None:
    """MK-S3: face up before its owner, alike tiles side by side."""
    place = MOST_TILES - 1
    while place > 0 and (s.front[seat][place - 1] == NO_TILE or s.front[seat][place - 1] > kind):
        s.front[seat][place] = s.front[seat][place - 1]
        place -= 1
    s.front[seat][place] = kind


@rule
def take_from_front(s: State, seat: int, place: int) -> int:
    kind = s.front[seat][place]
    for later in range(place, MOST_TILES - 1):
        s.front[seat][later] = s.front[seat][later + 1]
    s.front[seat][MOST_TILES - 1] = NO_TILE
    return kind


@rule
def is_first_of_its_kind(s: State, seat: int, place: int) -> bool:
    """MK-C5: whether a place in front holds a tile, and no alike one comes before it."""
    kind = s.front[seat][place]
    return kind != NO_TILE and (place == 0 or s.front[seat][place - 1] != kind)


@rule
def spend_tile(s: State, seat: int, place: int) -> int:
    """MK-T3, MK-X2: a tile used for its points goes back in the bag, or out of the game."""
    kind = take_from_front(s, seat, place)
    if s.expert != 0:
        s.out[kind] += 1
    else:
        s.bag[kind] += 1
    return POINTS[kind]


@rule
def has_empty_space(s: State) -> bool:
    for space in range(SPACES):
        if s.tile[space] == EMPTY:
            return True
    return False


@rule
def lay_held_tile(s: State, turn: int) -> None:
    """MK-T2: onto the chosen space."""
    s.tile[s.chosen] = s.held
    s.turn[s.chosen] = turn
    s.held = NO_TILE
    s.chosen = NOWHERE
    s.stirred = JUST_STIRRED


@rule
def needs_turning(s: State) -> bool:
    """MK-C5: whether the held tile looks different one way round from another."""
    return ORIENTATIONS[s.held] > 1


@rule
def legal_spaces(s: State, actions: list[int]) -> int:
    """MK-T2: every empty space, whatever is next to it."""
    count = 0
    for space in range(SPACES):
        if s.tile[space] == EMPTY:
            actions[count] = space
            count += 1
    return count


@rule
def legal_turns(s: State, actions: list[int]) -> int:
    """MK-C5: one action for each look of the held tile."""
    count = 0
    for turn in range(4):
        if LEAST_TURN[s.held][turn] == turn:
            actions[count] = turn
            count += 1
    return count
