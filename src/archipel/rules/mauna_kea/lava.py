"""Lava: the place of the next tile of a flow, and the pieces it buries (chapter Lava).

A flow is a tree of tiles in the order they came, each with its predecessor. The arms of a fork have
different headings, so the heading of its first tile identifies an arm.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import carrier, move_all_artefacts
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.grid import NEXT_SPACE, NOWHERE, QUARTERS
from archipel.rules.mauna_kea.state import NOBODY, ArtefactPlace, ExplorerPlace, State

SOURCE: Final = -1  # the volcano, before the first tile of a flow
NO_END: Final = -2


@rule
def is_lava(tile: int) -> bool:
    return Tile.FIRST_LAVA <= tile < Tile.FIRST_START


@rule
def heading_of(s: State, flow: int, node: int) -> int:
    return s.turn[s.flow_space[flow][node]]


@rule
def exit_of(s: State, flow: int, node: int, number: int) -> int:
    """MK-L1: the direction of an exit of a flow's tile, or `NO_EXIT`."""
    space = s.flow_space[flow][node]
    out = box.EXITS[s.tile[space] - Tile.FIRST_LAVA][number]
    return box.NO_EXIT if out == box.NO_EXIT else (s.turn[space] + out) & 3


# An end is where a flow can continue: a tile (or the source) and a direction out of it.


@rule
def end_at(node: int, direction: int) -> int:
    return (node + 1) * 4 + direction


@rule
def landing(s: State, flow: int, end: int) -> int:
    """MK-L1, MK-L4: the space of a tile placed at this end; lava passes under other lava."""
    node = end // 4 - 1
    direction = end & 3
    if node == SOURCE:
        space = box.FIRST_SPACE[s.layout][flow]
    else:
        space = NEXT_SPACE[direction][s.flow_space[flow][node]]
    while space != NOWHERE and is_lava(s.tile[space]):
        space = NEXT_SPACE[direction][space]
    if space != NOWHERE and s.tile[space] == Tile.VOLCANO:
        return NOWHERE
    return space


@rule
def points_at_volcano(s: State, space: int, direction: int) -> bool:
    """MK-L2: whether the volcano lies straight ahead at any distance."""
    while space != NOWHERE:
        if s.tile[space] == Tile.VOLCANO:
            return True
        space = NEXT_SPACE[direction][space]
    return False


@rule
def can_take(s: State, kind: int, end: int) -> bool:
    """MK-L2, MK-L4, MK-L6: whether a lava tile can be placed at an end."""
    lava = kind - Tile.FIRST_LAVA
    space = landing(s, box.FLOW_OF[lava], end)
    if space == NOWHERE:
        return False
    for number in range(2):
        out = box.EXITS[lava][number]
        if out != box.NO_EXIT and points_at_volcano(s, space, (end + out) & 3):
            return False
    return True


@rule
def is_in_arm(s: State, flow: int, node: int, fork: int, direction: int) -> bool:
    """Whether a tile lies beyond a fork, in the arm that leaves it in a direction."""
    while node > fork:
        before = s.flow_from[flow][node]
        if before == fork:
            return heading_of(s, flow, node) == direction
        node = before
    return False


@rule
def arm_length(s: State, flow: int, fork: int, direction: int) -> int:
    """MK-L5: the number of tiles beyond a fork in an arm, including its branches."""
    length = 0
    for node in range(s.flow_length[flow]):
        if is_in_arm(s, flow, node, fork, direction):
            length += 1
    return length


@rule
def next_in_arm(s: State, flow: int, node: int, direction: int) -> int:
    """The tile that follows a tile (or the source) in a direction, or `NO_END`."""
    for later in range(node + 1, s.flow_length[flow]):
        if s.flow_from[flow][later] == node and heading_of(s, flow, later) == direction:
            return later
    return NO_END


@rule
def arm_can_take(s: State, kind: int, fork: int, direction: int) -> bool:
    """Whether any end of an arm can take a tile."""
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    for node in range(fork, s.flow_length[flow]):
        for number in range(2):
            out = exit_of(s, flow, node, number)
            if node == fork:
                belongs = out == direction
            else:
                belongs = out != box.NO_EXIT and is_in_arm(s, flow, node, fork, direction)
            if belongs and next_in_arm(s, flow, node, out) == NO_END:
                if can_take(s, kind, end_at(node, out)):
                    return True
    return False


@rule
def arm_to_follow(s: State, kind: int, node: int) -> int:
    """MK-L5: at a fork the shorter arm, at equal length the one with the dot; the other arm if it
    cannot take the tile."""
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    first = exit_of(s, flow, node, 0)
    second = exit_of(s, flow, node, 1)
    if second == box.NO_EXIT:
        return first
    if arm_length(s, flow, node, second) < arm_length(s, flow, node, first):
        dotted = first
        first = second
        second = dotted
    return first if arm_can_take(s, kind, node, first) else second


@rule
def next_end(s: State, kind: int) -> int:
    """MK-L5: the end that a lava tile extends, from the volcano outwards, or `NO_END`."""
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    node = SOURCE
    direction = box.FIRST_HEADING[s.layout][flow]
    while True:
        later = next_in_arm(s, flow, node, direction)
        if later == NO_END:
            break
        node = later
        direction = arm_to_follow(s, kind, node)
    end = end_at(node, direction)
    return end if can_take(s, kind, end) else NO_END


@rule_apart
def erupt(s: State, kind: int) -> None:
    """MK-L1 to MK-L6: place a lava tile where it must go, or remove it from the game."""
    end = next_end(s, kind)
    if end == NO_END:
        s.out[kind] += 1
        return
    flow = box.FLOW_OF[kind - Tile.FIRST_LAVA]
    space = landing(s, flow, end)
    bury(s, space)
    s.tile[space] = kind
    s.turn[space] = end & 3
    node = s.flow_length[flow]
    s.flow_space[flow][node] = space
    s.flow_from[flow][node] = end // 4 - 1
    s.flow_length[flow] = node + 1


@rule
def bury(s: State, space: int) -> None:
    """MK-L3: the tile, explorers with their loads and artefacts on a space leave the game."""
    if s.tile[space] < box.KINDS:
        s.out[s.tile[space]] += 1
    first = space * QUARTERS
    for artefact in range(box.ARTEFACTS):
        if first <= s.artefact[artefact] < first + QUARTERS:
            s.artefact[artefact] = ArtefactPlace.GONE
    for seat in range(s.seats):
        for explorer in range(box.MOST_EXPLORERS):
            if first <= s.explorer[seat][explorer] < first + QUARTERS:
                s.explorer[seat][explorer] = ExplorerPlace.LOST
                move_all_artefacts(s, carrier(seat, explorer), ArtefactPlace.GONE)
                if seat == s.to_move and explorer == s.active:
                    s.active = NOBODY
