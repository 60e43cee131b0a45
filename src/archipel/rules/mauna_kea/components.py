"""The components (chapter Components), as numbers and tables for the rules.

MK-C4: the flows, their tiles and the boats; MK-C3: the two boards.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import namespace
from archipel.rules.mauna_kea import grid
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.box_format import ACTION_CARDS, COLOURS
from archipel.rules.mauna_kea.grid import Direction

FEWEST_SEATS: Final = 2
MOST_SEATS: Final = 4
EXPLORERS_EACH: Final = [0, 0, 5, 4, 3]  # by the number of players (MK-C1)
MOST_EXPLORERS: Final = 5

DRAW_UNTIL: Final = 5  # points (MK-S3, MK-T4)
MOST_TILES: Final = 5  # in front of a player: four tiles of 1 point each, and one more
BOARDING_COST: Final = 1
MOST_CARRIED: Final = 3
CLOCK_ROUNDS: Final = 12  # MK-E3


@namespace
class Terrain:
    """The terrain of a cell."""

    JUNGLE: Final = 0
    LAKE: Final = 1
    MOUNTAIN: Final = 2
    EMPTY: Final = 3  # no tile
    LAVA: Final = 4
    CRATER: Final = 5


COST: Final = [1, 2, 0, 0, 0, 0]  # of entering a cell (MK-M2); 0: impassable (MK-M1)

# ---- tiles: terrain kinds first, then lava, then the start tiles, each by number ----------------

TERRAIN_KINDS: Final = len(BOX.terrain)
LAVA_KINDS: Final = len(BOX.lava)
BAG_KINDS: Final = TERRAIN_KINDS + LAVA_KINDS
START_TILES: Final = len(BOX.start)
KINDS: Final = BAG_KINDS + START_TILES


@namespace
class Tile:
    """The first kind of each group of tiles, and what else a space can hold."""

    NONE: Final = -1  # a free place in front of a player
    FIRST_TERRAIN: Final = 0
    FIRST_LAVA: Final = TERRAIN_KINDS
    FIRST_START: Final = BAG_KINDS
    PRINTED: Final = KINDS
    VOLCANO: Final = KINDS + 1
    EMPTY: Final = KINDS + 2


TILE_NAMES: Final = (
    *(f"{tile.pattern.lower()}{tile.points}" for tile in BOX.terrain),
    *(f"{tile.flow}-{tile.shape}" for tile in BOX.lava),
    *(tile.name for tile in BOX.start),
)
TILE_NUMBERS: Final = {name: number for number, name in enumerate(TILE_NAMES)}
COUNT: Final = [
    *(tile.count for tile in BOX.terrain),
    *(tile.count for tile in BOX.lava),
    *(1 for _ in BOX.start),
]
POINTS: Final = [*(tile.points for tile in BOX.terrain), *(0 for _ in range(KINDS - TERRAIN_KINDS))]

_LETTERS: Final = {"J": Terrain.JUNGLE, "L": Terrain.LAKE, "M": Terrain.MOUNTAIN}
_PATTERNS: Final = (
    *(tile.pattern for tile in BOX.terrain),
    *("" for _ in BOX.lava),
    *(tile.pattern for tile in BOX.start),
    BOX.boards[0].printed,
)


def pattern_of(tile: int, turn: int) -> str:
    """The terrain letters of a tile as it lies; empty for lava, the volcano and empty spaces."""
    pattern = _PATTERNS[tile] if tile < len(_PATTERNS) else ""
    return grid.turned_pattern(pattern, turn) if pattern else ""


def _ground(tile: int, turn: int) -> list[int]:
    if tile == Tile.VOLCANO:
        return [Terrain.CRATER] * grid.QUARTERS
    if tile == Tile.EMPTY:
        return [Terrain.EMPTY] * grid.QUARTERS
    pattern = pattern_of(tile, turn)
    return [_LETTERS[letter] for letter in pattern] if pattern else [Terrain.LAVA] * grid.QUARTERS


_LOOKS: Final = [[_ground(tile, turn) for turn in range(4)] for tile in range(Tile.EMPTY + 1)]
# The terrain of each quarter of each tile: TERRAIN[tile][4 * turn + quarter].
TERRAIN: Final = [[ground for look in looks for ground in look] for looks in _LOOKS]
# MK-C5: the first orientation that looks the same, and the number of different ones.
LEAST_TURN: Final = [[looks.index(look) for look in looks] for looks in _LOOKS]
ORIENTATIONS: Final = [len(set(turns)) for turns in LEAST_TURN]


@namespace
class RowGround:
    """Grounds of `ROW_BITS`; the first three are those of `Terrain`."""

    OPEN: Final = 3  # jungle, lake and empty spaces: cells that may become passable (MK-E1)
    JUNGLE_OR_LAKE: Final = 4


_GROUNDS: Final = (
    (Terrain.JUNGLE,),
    (Terrain.LAKE,),
    (Terrain.MOUNTAIN,),
    (Terrain.JUNGLE, Terrain.LAKE, Terrain.EMPTY),
    (Terrain.JUNGLE, Terrain.LAKE),
)


def _row_bits(cells: list[int], grounds: tuple[int, ...]) -> list[int]:
    """Pairs of cells as bits, the west cell in the low bit: which have one of the grounds."""
    found = [int(ground in grounds) for ground in cells]
    return [west | east << 1 for west, east in zip(found[::2], found[1::2], strict=True)]


# Rows of cells as bits: ROW_BITS[ground][tile][2 * turn + half].
ROW_BITS: Final = [[_row_bits(cells, grounds) for cells in TERRAIN] for grounds in _GROUNDS]

# ---- lava ---------------------------------------------------------------------------------------

FLOWS: Final = len(BOX.boards[0].flows)
FLOW_NAMES: Final = tuple(flow.name for flow in BOX.boards[0].flows)
MOST_LAVA: Final = max(
    sum(tile.count for tile in BOX.lava if tile.flow == name) for name in FLOW_NAMES
)
FLOW_OF: Final = [FLOW_NAMES.index(tile.flow) for tile in BOX.lava]
NO_EXIT: Final = -1
# For a flow that is heading north.
_EXITS: Final = {"F": Direction.NORTH, "R": Direction.EAST, "L": Direction.WEST}
# MK-L1, MK-L5: exits relative to the heading; a fork's arm with the dot comes first.
EXITS: Final = [([_EXITS[exit] for exit in tile.exits] + [NO_EXIT])[:2] for tile in BOX.lava]

# ---- the boards, by layout ----------------------------------------------------------------------


@namespace
class SpaceKind:
    """What is printed on a space of the board."""

    FREE: Final = 0
    START: Final = 1
    EXPLORER: Final = 2
    VOLCANO: Final = 3


SPACE_KIND: Final = [[".SEV".index(letter) for letter in board.spaces] for board in BOX.boards]
FIRST_SPACE: Final = [[flow.first for flow in board.flows] for board in BOX.boards]
FIRST_HEADING: Final = [[flow.heading for flow in board.flows] for board in BOX.boards]
COVES: Final = len(BOX.boards[0].coves)
NO_COVE: Final = -1
COVE_NAMES: Final = tuple(tuple(name for name, _ in board.coves) for board in BOX.boards)
COVE_CELLS: Final = [[list(cells) for _, cells in board.coves] for board in BOX.boards]
COVE_AT: Final = [
    [
        next((cove for cove in range(COVES) if cell in board.coves[cove][1]), NO_COVE)
        for cell in range(grid.CELLS)
    ]
    for board in BOX.boards
]

# ---- artefacts, boats and cards -----------------------------------------------------------------

COLOUR_NAMES: Final = COLOURS
_SPOTS: Final = sorted(
    (COLOURS.index(colour), number, quarter)
    for number, tile in enumerate(BOX.start)
    for quarter, colour in tile.spots
)
ARTEFACTS: Final = len(_SPOTS)
COLOUR: Final = [colour for colour, _, _ in _SPOTS]
SPOT_TILE: Final = [Tile.FIRST_START + number for _, number, _ in _SPOTS]
SPOT_QUARTER: Final = [quarter for _, _, quarter in _SPOTS]
EXPLORER_VALUE: Final = 3  # MK-G1
ARTEFACT_VALUE: Final = [1, 2, 3]
EMPTY_PLACE_PENALTY: Final = 1

BOATS: Final = len(BOX.boats)
PLACES: Final = [boat.places for boat in BOX.boats]
BOAT_COLOURS: Final = tuple(dict.fromkeys(boat.colour for boat in BOX.boats))
BOAT_COLOUR: Final = [BOAT_COLOURS.index(boat.colour) for boat in BOX.boats]

DEALT: Final = 6
KEPT: Final = 4
REJECTED: Final = DEALT - KEPT


@namespace
class CardKind:
    """The action cards; the objectives follow them."""

    JUNGLE: Final = 0
    LAKE: Final = 1
    MOUNTAIN: Final = 2
    EARTHQUAKE: Final = 3
    HELICOPTER: Final = 4


ACTION_KINDS: Final = len(ACTION_CARDS)
CARD_KINDS: Final = len(BOX.cards)
CARD_NAMES: Final = tuple(card.name for card in BOX.cards)
CARD_COUNT: Final = [card.count for card in BOX.cards]
CARDS: Final = sum(CARD_COUNT)
OBJECTIVE_POINTS: Final = [card.points for card in BOX.cards]
CANCELS_PENALTIES: Final = [int(card.cancels) for card in BOX.cards]
# Requirements of objectives: artefacts by colour, explorers, boats by colour (MK-X9).
EXPLORERS_NEEDED: Final = len(COLOURS)
BOATS_NEEDED: Final = EXPLORERS_NEEDED + 1
NEED_KINDS: Final = BOATS_NEEDED + len(BOAT_COLOURS)
NEEDS: Final = [
    [
        *(dict(card.needs).get(need, 0) for need in (*COLOURS, "explorers")),
        *(int(card.boat == colour) for colour in BOAT_COLOURS),
    ]
    for card in BOX.cards
]
