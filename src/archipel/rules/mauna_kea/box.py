"""The files of ``data``: board, tiles, boats and cards as data, checked as they are read.

Someone who has the game can correct them; each file says what is certain and what is
reconstructed.  A file that does not fit the rules is refused with what would be right.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from archipel.rules.mauna_kea.geometry import (
    CELL_NUMBERS,
    COLUMNS,
    DIRECTION_NAMES,
    DIRECTIONS,
    NEXT_CELL,
    NEXT_SPACE,
    NOWHERE,
    QUARTER_NAMES,
    QUARTERS,
    SPACE_NUMBERS,
    SPACES,
    space_name,
    turned_pattern,
)

PACKAGE: Final = "archipel.rules.mauna_kea"
LAYOUTS: Final = ("orthogonal", "diagonal")
COLOURS: Final = ("white", "grey", "black")
ARTEFACTS_OF: Final = (17, 7, 1)  # MK-C1
ACTION_CARDS: Final = ("jungle", "lake", "mountain", "earthquake", "helicopter")
START_SPACES: Final = 24
EXPLORER_SPACES: Final = 4
COVES: Final = 8
CELLS_OF_A_COVE: Final = 4
TERRAIN_TILES: Final = 70
LAVA_TILES: Final = 24
ACTION_CARDS_OF_A_KIND: Final = 3
OBJECTIVES: Final = 15

Reader = Callable[[str], Any]


class DataError(ValueError):
    """A data file that does not fit the rules: which file, what is wrong, what would be right."""


@dataclass(frozen=True)
class Flow:
    name: str
    arrow: str
    first: int
    heading: int


@dataclass(frozen=True)
class Board:
    """``spaces`` is one letter a space: S start tile, E printed start space, V volcano, . free."""

    layout: str
    spaces: str
    printed: str
    coves: tuple[tuple[str, tuple[int, ...]], ...]
    flows: tuple[Flow, ...]


@dataclass(frozen=True)
class TerrainTile:
    pattern: str
    points: int
    count: int


@dataclass(frozen=True)
class StartTile:
    name: str
    pattern: str
    spots: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LavaTile:
    """``exits`` lists the arm with the dot first."""

    flow: str
    shape: str
    exits: str
    count: int


@dataclass(frozen=True)
class Boat:
    name: str
    colour: str
    places: int


@dataclass(frozen=True)
class Card:
    """An action card, or an objective: what it needs and its points."""

    name: str
    count: int
    points: int = 0
    needs: tuple[tuple[str, int], ...] = ()
    boat: str = ""
    cancels: bool = False


@dataclass(frozen=True)
class Box:
    """Everything in the box."""

    boards: tuple[Board, ...]
    terrain: tuple[TerrainTile, ...]
    start: tuple[StartTile, ...]
    lava: tuple[LavaTile, ...]
    boats: tuple[Boat, ...]
    cards: tuple[Card, ...]


def read_file(name: str) -> Any:
    return json.loads((files(PACKAGE) / "data" / name).read_text("utf-8"))


def load_box(read: Reader = read_file) -> Box:
    """The box, checked; raises `DataError`."""
    boats = _guarded("boats.json", read, _boats)
    colours = tuple(dict.fromkeys(boat.colour for boat in boats))
    boards = tuple(_guarded(f"board_{layout}.json", read, _board) for layout in LAYOUTS)
    for layout, board in zip(LAYOUTS, boards, strict=True):
        _require(board.layout == layout, f"board_{layout}.json", f"layout is not {layout!r}")
    flows = tuple(flow.name for flow in boards[0].flows)
    for board in boards[1:]:
        same = tuple(flow.name for flow in board.flows) == flows
        _require(same, f"board_{board.layout}.json", f"flows: expected {', '.join(flows)}")
    return Box(
        boards,
        _guarded("terrain_tiles.json", read, _terrain_tiles),
        _guarded("start_tiles.json", read, _start_tiles),
        _guarded("lava_tiles.json", read, lambda file, data: _lava_tiles(file, data, flows)),
        boats,
        _guarded("cards.json", read, lambda file, data: _cards(file, data, colours)),
    )


def _guarded(file: str, read: Reader, parse: Callable[[str, Any], Any]) -> Any:
    try:
        return parse(file, read(file))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise DataError(f"{file}: missing or malformed: {error!r}") from error
    except json.JSONDecodeError as error:
        raise DataError(f"{file}: not JSON: {error}") from error


def _require(condition: bool, file: str, wrong: str) -> None:
    if not condition:
        raise DataError(f"{file}: {wrong}")


def _count(file: str, what: str, found: int, expected: int, rule: str) -> None:
    _require(found == expected, file, f"{found} {what}, but there are {expected} ({rule})")


# ---- the board ----------------------------------------------------------------------------------


def _board(file: str, data: Any) -> Board:
    rows = data["spaces"]
    square = len(rows) == COLUMNS and all(len(row) == COLUMNS for row in rows)
    _require(square, file, f"spaces: expected {COLUMNS} rows of {COLUMNS} letters (MK-C2)")
    spaces = "".join(rows)
    _require(set(spaces) <= set("SEV."), file, "spaces: the letters are S, E, V and .")
    _count(file, "volcanoes (V)", spaces.count("V"), 1, "MK-C2")
    _count(file, "printed start spaces (E)", spaces.count("E"), EXPLORER_SPACES, "MK-C2")
    _count(file, "spaces for start tiles (S)", spaces.count("S"), START_SPACES, "MK-C2")
    _pattern(file, "printed", data["printed"])
    _require("M" not in data["printed"], file, "printed: an explorer cannot start on a mountain")
    coves = tuple((cove["name"], _cove(file, cove)) for cove in data["coves"])
    _check_coves(file, coves, spaces)
    flows = tuple(_flow(file, flow, spaces) for flow in data["flows"])
    _count(file, "flows", len({flow.name for flow in flows}), DIRECTIONS, "MK-C4")
    _count(file, "flows with a side of their own", len({f.heading for f in flows}), 4, "MK-C4")
    return Board(data["layout"], spaces, data["printed"], coves, flows)


def _cove(file: str, cove: Any) -> tuple[int, ...]:
    for cell in cove["cells"]:
        _require(cell in CELL_NUMBERS, file, f"cove {cove['name']}: {cell!r} is not a cell")
    cells = tuple(CELL_NUMBERS[cell] for cell in cove["cells"])
    _count(file, f"cells at cove {cove['name']}", len(set(cells)), CELLS_OF_A_COVE, "MK-C2")
    for cell in cells:
        edge = any(NEXT_CELL[direction][cell] == NOWHERE for direction in range(DIRECTIONS))
        _require(edge, file, f"cove {cove['name']}: not all its cells are at the edge (MK-C2)")
    return cells


def _check_coves(file: str, coves: tuple[tuple[str, tuple[int, ...]], ...], spaces: str) -> None:
    _count(file, "coves", len({name for name, _ in coves}), COVES, "MK-C2")
    touched = Counter(cell for _, cells in coves for cell in cells)
    _require(max(touched.values()) == 1, file, "a cell touches two coves")
    reached = _connected(spaces)
    for name, cells in coves:
        joined = any(cell // QUARTERS in reached for cell in cells)
        _require(joined, file, f"cove {name} cannot be reached from the start spaces")


def _connected(spaces: str) -> set[int]:
    """The spaces joined to a printed start space without crossing the volcano."""
    reached: set[int] = set()
    waiting = [space for space in range(SPACES) if spaces[space] == "E"]
    while waiting:
        space = waiting.pop()
        if space in reached or spaces[space] == "V":
            continue
        reached.add(space)
        around = (NEXT_SPACE[direction][space] for direction in range(DIRECTIONS))
        waiting += [other for other in around if other != NOWHERE]
    return reached


def _flow(file: str, flow: Any, spaces: str) -> Flow:
    name = flow["name"]
    known = flow["heading"] in DIRECTION_NAMES
    _require(known, file, f"flow {name}: heading is one of {', '.join(DIRECTION_NAMES)}")
    heading = DIRECTION_NAMES.index(flow["heading"])
    expected = NEXT_SPACE[heading][spaces.index("V")]
    right = SPACE_NUMBERS.get(flow["first"]) == expected
    _require(right, file, f"flow {name}: its first space is {space_name(expected)} (MK-L1)")
    return Flow(name, flow["arrow"], expected, heading)


# ---- tiles --------------------------------------------------------------------------------------


def _pattern(file: str, what: str, pattern: Any) -> str:
    fits = isinstance(pattern, str) and len(pattern) == QUARTERS and set(pattern) <= set("JLM")
    _require(fits, file, f"{what}: a pattern is four of J, L and M, not {pattern!r} (MK-C2)")
    return str(pattern)


def _terrain_tiles(file: str, data: Any) -> tuple[TerrainTile, ...]:
    found: dict[tuple[str, int], str] = {}
    tiles = []
    for tile in data["tiles"]:
        pattern = _pattern(file, "tile", tile["pattern"])
        points = tile["points"]
        _require(points in (1, 2, 3), file, f"tile {pattern}: points are 1, 2 or 3 (MK-C4)")
        _require(tile["count"] > 0, file, f"tile {pattern}: count must be at least 1")
        same = (min(turned_pattern(pattern, turns) for turns in range(4)), points)
        _require(
            same not in found,
            file,
            f"tile {pattern} is tile {found.get(same)} turned: give them one count (MK-C5)",
        )
        found[same] = pattern
        tiles.append(TerrainTile(pattern, points, tile["count"]))
    _count(file, "terrain tiles", sum(tile.count for tile in tiles), TERRAIN_TILES, "MK-C1")
    return tuple(tiles)


def _start_tiles(file: str, data: Any) -> tuple[StartTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        pattern = _pattern(file, tile["name"], tile["pattern"])
        spots = []
        for quarter, colour in tile["artefacts"].items():
            known = quarter in QUARTER_NAMES and colour in COLOURS
            _require(known, file, f"{tile['name']}: spot {quarter}: {colour} is not one (MK-S1)")
            number = QUARTER_NAMES.index(quarter)
            dry = pattern[number] != "M"
            _require(dry, file, f"{tile['name']}: nobody could take an artefact on a mountain")
            spots.append((number, colour))
        tiles.append(StartTile(tile["name"], pattern, tuple(spots)))
    _count(file, "start tiles", len({tile.name for tile in tiles}), START_SPACES, "MK-C1")
    spots_of = Counter(colour for tile in tiles for _, colour in tile.spots)
    for colour, count in zip(COLOURS, ARTEFACTS_OF, strict=True):
        _count(file, f"spots for {colour} artefacts", spots_of[colour], count, "MK-C1")
    return tuple(tiles)


def _lava_tiles(file: str, data: Any, flows: Sequence[str]) -> tuple[LavaTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        name = f"{tile['flow']}-{tile['shape']}"
        _require(tile["flow"] in flows, file, f"{name}: the flows are {', '.join(flows)} (MK-C4)")
        exits = tile["exits"]
        fits = 1 <= len(exits) <= 2 and len(set(exits)) == len(exits) and set(exits) <= set("FLR")
        _require(fits, file, f"{name}: exits are one or two of F, L and R (MK-L1, MK-L5)")
        dot = tile.get("dot", exits if len(exits) == 1 else "")
        _require(dot != "" and dot in exits, file, f"{name}: a fork has its dot on an exit (MK-L5)")
        _require(tile["count"] > 0, file, f"{name}: count must be at least 1")
        tiles.append(
            LavaTile(tile["flow"], tile["shape"], dot + exits.replace(dot, ""), tile["count"])
        )
    names = {(tile.flow, tile.shape) for tile in tiles}
    _count(file, "names of lava tiles", len(names), len(tiles), "MK-C4")
    _count(file, "lava tiles", sum(tile.count for tile in tiles), LAVA_TILES, "MK-C1")
    for flow in flows:
        _require(any(tile.flow == flow for tile in tiles), file, f"flow {flow} has no tile (MK-C4)")
    return tuple(tiles)


# ---- boats and cards ----------------------------------------------------------------------------


def _boats(file: str, data: Any) -> tuple[Boat, ...]:
    boats = tuple(Boat(boat["name"], boat["colour"], boat["places"]) for boat in data["boats"])
    _count(file, "boats", len({boat.name for boat in boats}), COVES, "MK-C1")
    for boat in boats:
        _require(boat.places in (1, 2, 3), file, f"{boat.name}: places are 1, 2 or 3 (MK-C4)")
    return boats


def _cards(file: str, data: Any, colours: Sequence[str]) -> tuple[Card, ...]:
    cards = tuple(_card(file, card, colours) for card in data["cards"])
    names = [card.name for card in cards]
    _count(file, "names of cards", len(set(names)), len(names), "MK-C1")
    actions = tuple(names[: len(ACTION_CARDS)])
    _require(actions == ACTION_CARDS, file, f"first come {', '.join(ACTION_CARDS)} (MK-X4)")
    for card in cards[: len(ACTION_CARDS)]:
        _count(file, f"{card.name} cards", card.count, ACTION_CARDS_OF_A_KIND, "MK-X5 to MK-X8")
    objectives = cards[len(ACTION_CARDS) :]
    _count(file, "objectives", sum(card.count for card in objectives), OBJECTIVES, "MK-X9")
    return cards


def _card(file: str, card: Any, colours: Sequence[str]) -> Card:
    name = card["card"]
    needs = dict(card.get("needs", {}))
    boat = needs.pop("boat", "")
    _require(boat in ("", *colours), file, f"{name}: there is no {boat} boat")
    for need, count in needs.items():
        known = need in (*COLOURS, "explorers") and count > 0
        _require(known, file, f"{name}: {need}: {count} cannot be needed (MK-X9)")
    cancels = bool(card.get("cancels_penalties", False))
    points = card.get("points", 0)
    return Card(name, card["count"], points, tuple(needs.items()), boat, cancels)
