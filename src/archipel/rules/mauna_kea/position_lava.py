"""The lava flows in a position: ``north=straight@e4n^0,left@e3n^1``.

The tiles of a flow come in their order, each with its space, its heading and the number of the tile
before it (0: the volcano).
"""

from __future__ import annotations

import re
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.kit import clone
from archipel.rules.mauna_kea.components import (
    EMPTY,
    FIRST_HEADING,
    FIRST_SPACE,
    FLOW_NAMES,
    FLOWS,
    KINDS,
    MOST_LAVA,
    TILE_NAMES,
    TILE_NUMBERS,
    VOLCANO,
)
from archipel.rules.mauna_kea.geometry import NEXT_SPACE, NOWHERE, space_name
from archipel.rules.mauna_kea.lava import can_take, end_at, exit_of, is_lava, next_in_arm
from archipel.rules.mauna_kea.position_names import listed, parts_of, read_space, require
from archipel.rules.mauna_kea.state import State
from archipel.rules.sentence import Sentence

_HEADINGS: Final = "nesw"
_FLOWED: Final = re.compile(r"([a-z]+)@([a-i][1-9])([nesw])\^(\d{1,2})")


def flow_text(s: State, flow: int) -> str:
    tiles = []
    for node in range(s.flow_length[flow]):
        space = s.flow_space[flow][node]
        shape = TILE_NAMES[s.tile[space]].partition("-")[2]
        heading = _HEADINGS[s.turn[space]]
        tiles.append(f"{shape}@{space_name(space)}{heading}^{s.flow_from[flow][node] + 1}")
    return listed(tiles)


def read_flow(s: State, flow: int, value: str) -> None:
    name = FLOW_NAMES[flow]
    for node, part in enumerate(parts_of(value)):
        match = _FLOWED.fullmatch(part)
        if not match or node == MOST_LAVA:
            raise NotationError(
                Sentence(
                    "{name}: {part!r}: write a lava tile as straight@e4n^0", name=name, part=part
                )
            )
        tile = TILE_NUMBERS.get(f"{name}-{match[1]}", KINDS)
        space = read_space(name, match[2])
        before = int(match[4]) - 1
        taken = s.tile[space] == VOLCANO or is_lava(s.tile[space])
        require(
            tile != KINDS and before < node and not taken,
            "{name}: {part}: no such lava tile can lie there (MK-L1)",
            name=name,
            part=part,
        )
        require(
            s.tile[space] >= KINDS,
            "{name}: {part}: lava covers the tile there: list only the lava",
            name=name,
            part=part,
        )
        s.tile[space] = tile
        s.turn[space] = _HEADINGS.index(match[3])
        s.flow_space[flow][node] = space
        s.flow_from[flow][node] = before
        s.flow_length[flow] = node + 1


def check_flows(s: State) -> None:
    """MK-L1, MK-L4: each lava tile lies where the flow could have brought it. Each is taken away in
    turn, the last first, and must be able to come back."""
    world = clone(s)
    for flow in range(FLOWS):
        for node in reversed(range(world.flow_length[flow])):
            space = world.flow_space[flow][node]
            kind, heading = world.tile[space], world.turn[space]
            before = world.flow_from[flow][node]
            world.tile[space] = EMPTY
            world.flow_length[flow] = node
            end = end_at(before, heading)
            exits = [exit_of(world, flow, before, number) for number in range(2) if before >= 0]
            fits = before < 0 or heading in exits
            ahead = _is_ahead(world, flow, before, heading, space)
            taken = next_in_arm(world, flow, before, heading) >= 0
            require(
                fits and ahead and not taken and can_take(world, kind, end),
                "{flow}: the tile on {space} does not prolong the flow (MK-L1, MK-L4)",
                flow=FLOW_NAMES[flow],
                space=space_name(space),
            )
            world.tile[space] = kind


def _is_ahead(s: State, flow: int, before: int, heading: int, space: int) -> bool:
    """Whether a space lies straight ahead of a tile of a flow, with nothing but lava between."""
    if before < 0:
        if FIRST_HEADING[s.layout][flow] != heading:
            return False
        place = FIRST_SPACE[s.layout][flow]
    else:
        place = NEXT_SPACE[heading][s.flow_space[flow][before]]
    while place not in (NOWHERE, space) and is_lava(s.tile[place]):
        place = NEXT_SPACE[heading][place]
    return place == space
