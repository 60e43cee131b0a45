"""The format of the data files, and the reading and checking of each part.

Data that does not fit the rules raises `BoxError`: where it is, what is wrong, what would be right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue
from archipel.rules.data_files import DataFileError, shown
from archipel.rules.mauna_kea import grid
from archipel.rules.sentence import Sentence

PACKAGE: Final = "archipel.rules.mauna_kea"

LAYOUTS: Final = ("orthogonal", "diagonal")
COLOURS: Final = ("white", "grey", "black")
ACTION_CARDS: Final = ("jungle", "lake", "mountain", "earthquake", "helicopter")
ARROWS: Final = ("single", "double", "hollow", "curved")

# Component counts (MK-C1, MK-C2).
COVES: Final = 8
CELLS_OF_A_COVE: Final = 4
START_SPACES: Final = 24
EXPLORER_SPACES: Final = 4
ARTEFACTS_OF: Final = (17, 7, 1)
TERRAIN_TILES: Final = 70
LAVA_TILES: Final = 24
ACTION_CARDS_OF_A_KIND: Final = 3
OBJECTIVES: Final = 15
CANCELLING_CARDS: Final = 2
MOST_OBJECTIVE_POINTS: Final = 20
MIDDLE: Final = grid.SPACES // 2

_NAME: Final = re.compile(r"[a-z][a-z0-9]*")
_SHAPE: Final = re.compile(r"[a-z]+")

T = TypeVar("T")


@dataclass(frozen=True)
class Flow:
    name: str
    arrow: str
    first: int
    heading: int


@dataclass(frozen=True)
class Board:
    """``spaces`` has a letter per space: S start tile, E printed start space, V volcano, . free."""

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
    """``exits`` has the arm with the dot first."""

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
    """An action card, or an objective with its requirements and points."""

    name: str
    count: int
    points: int = 0
    needs: tuple[tuple[str, int], ...] = ()
    boat: str = ""
    cancels: bool = False


@dataclass(frozen=True)
class Box:
    """All boards, tiles, boats and cards."""

    boards: tuple[Board, ...]
    terrain: tuple[TerrainTile, ...]
    start: tuple[StartTile, ...]
    lava: tuple[LavaTile, ...]
    boats: tuple[Boat, ...]
    cards: tuple[Card, ...]


class BoxError(DataFileError):
    """Data that does not fit the rules."""


@dataclass(frozen=True)
class Source:
    """Where data comes from; its checks raise `BoxError` that say so."""

    where: str

    def part(self, name: str) -> Source:
        return Source(f"{self.where}: {name}")

    def read(self, read: Callable[[Source, Any], T], data: Any) -> T:
        """Read data; values that are missing or of a wrong type raise `BoxError`, too."""
        try:
            return read(self, data)
        except BoxError:
            raise
        except KeyError as error:
            missing = Sentence("{where}: {name} is missing", where=self.where, name=error.args[0])
            raise BoxError(missing) from error
        except (TypeError, AttributeError, IndexError, ValueError, RecursionError) as error:
            wrong_type = (
                "{where}: a list, a text or a number stands where something else should: compare "
                "it with ours"
            )
            raise BoxError(Sentence(wrong_type, where=self.where)) from error

    def require(self, condition: bool, wrong: str, /, **parts: object) -> None:
        if not condition:
            why = Sentence(wrong, **parts)
            raise BoxError(Sentence("{where}: {wrong}", where=self.where, wrong=why))

    def require_count(
        self, what: str, found: int, expected: int, rule: str, /, **parts: object
    ) -> None:
        counts = {"found": found, "what": Sentence(what, **parts), "expected": expected}
        wrong = "{found} {what}, but there are {expected} ({rule})"
        self.require(found == expected, wrong, **counts, rule=rule)

    def whole(self, value: Any, low: int, high: int, rule: str) -> int:
        """A whole number within bounds."""
        fits = type(value) is int and low <= value <= high
        wrong = "{value} is not a whole number from {low} to {high} ({rule})"
        self.require(fits, wrong, value=shown(value), low=low, high=high, rule=rule)
        return int(value)

    def one_of(self, value: Any, known: Collection[str], rule: str) -> str:
        fits, names = isinstance(value, str) and value in known, ", ".join(known)
        wrong = "{value} is none of {known} ({rule})"
        self.require(fits, wrong, value=shown(value), known=names, rule=rule)
        return str(value)

    def name(self, value: Any, pattern: re.Pattern[str] = _NAME) -> str:
        """A name that positions and records can contain."""
        fits = isinstance(value, str) and pattern.fullmatch(value) is not None
        wrong = "{name}: a name is made of small letters and digits, a letter first"
        self.require(fits, wrong, name=shown(value))
        return str(value)

    def pattern(self, value: Any) -> str:
        """The terrain of a tile's four quarters."""
        fits = isinstance(value, str) and len(value) == grid.QUARTERS and set(value) <= set("JLM")
        wrong = "a pattern is four of J, L and M, not {pattern} (MK-C2)"
        self.require(fits, wrong, pattern=shown(value))
        return str(value)


def read_board(source: Source, data: Any) -> Board:
    rows = data["spaces"]
    size = grid.COLUMNS
    square = len(rows) == size and all(len(row) == size for row in rows)
    source.require(square, "spaces: expected {count} rows of {count} letters (MK-C2)", count=size)
    spaces = "".join(rows)
    source.require(set(spaces) <= set("SEV."), "spaces: the letters are S, E, V and .")
    source.require_count("volcanoes (V)", spaces.count("V"), 1, "MK-C2")
    wrong = "spaces: the volcano is in the middle, on {space} (MK-C2)"
    source.require(spaces[MIDDLE] == "V", wrong, space=grid.space_name(MIDDLE))
    source.require_count("printed start spaces (E)", spaces.count("E"), EXPLORER_SPACES, "MK-C2")
    source.require_count("spaces for start tiles (S)", spaces.count("S"), START_SPACES, "MK-C2")
    for row, column in (
        divmod(space, size) for space in range(grid.SPACES) if spaces[space] == "E"
    ):
        beside = max(abs(row - size // 2), abs(column - size // 2)) <= 1
        name = grid.space_name(row * size + column)
        source.require(beside, "spaces: {space} is not next to the volcano (MK-C2)", space=name)
    source.part("printed").pattern(data["printed"])
    source.require("M" not in data["printed"], "printed: an explorer cannot start on a mountain")
    coves = tuple(_read_cove(source, cove) for cove in data["coves"])
    source.require_count("coves", len({name for name, _ in coves}), COVES, "MK-C2")
    touched = Counter(cell for _, cells in coves for cell in cells)
    source.require(set(touched.values()) == {1}, "a cell touches two coves (MK-C2)")
    flows = tuple(_read_flow(source, flow) for flow in data["flows"])
    source.require_count("flows", len({flow.name for flow in flows}), grid.DIRECTIONS, "MK-C4")
    layout = source.part("layout").one_of(data["layout"], LAYOUTS, "MK-C3")
    return Board(layout, spaces, data["printed"], coves, flows)


def _read_cove(source: Source, cove: Any) -> tuple[str, tuple[int, ...]]:
    name = source.part("cove").name(cove["name"])
    for cell in cove["cells"]:
        known = isinstance(cell, str) and cell in grid.CELL_NUMBERS
        source.require(known, "cove {name}: {cell} is not a cell", name=name, cell=shown(cell))
    cells = tuple(grid.CELL_NUMBERS[cell] for cell in cove["cells"])
    found = len(set(cells))
    source.require_count("cells at cove {name}", found, CELLS_OF_A_COVE, "MK-C2", name=name)
    beside = {cell: {onto[cell] for onto in grid.NEXT_CELL} for cell in cells}
    at_edge = all(grid.NOWHERE in beside[cell] for cell in cells)
    source.require(at_edge, "cove {name}: not all its cells are at the edge (MK-C2)", name=name)
    joined = {cells[0]}
    for _ in cells:
        joined |= {cell for cell in cells if beside[cell] & joined}
    connected = len(joined) == len(cells)
    source.require(connected, "cove {name}: its cells do not lie side by side (MK-C2)", name=name)
    return name, cells


def _read_flow(source: Source, flow: Any) -> Flow:
    """MK-C4: a flow is named after its side of the volcano, and has an arrow."""
    name = source.part("flow").one_of(flow["name"], grid.DIRECTION_NAMES, "MK-C4")
    source.require(flow["heading"] == name, "flow {name}: its heading is {name} (MK-L1)", name=name)
    heading = grid.DIRECTION_NAMES.index(name)
    first = grid.NEXT_SPACE[heading][MIDDLE]
    fits, space = grid.SPACE_NUMBERS.get(flow["first"]) == first, grid.space_name(first)
    source.require(fits, "flow {name}: its first space is {space} (MK-L1)", name=name, space=space)
    arrow = source.part(f"flow {name}: arrow").one_of(flow["arrow"], ARROWS, "MK-C4")
    return Flow(name, arrow, first, heading)


def read_terrain_tiles(source: Source, data: Any) -> tuple[TerrainTile, ...]:
    found: dict[tuple[str, int], str] = {}
    tiles = []
    for tile in data["tiles"]:
        pattern = source.part("tile").pattern(tile["pattern"])
        points = source.part(f"{pattern}: points").whole(tile["points"], 1, 3, "MK-C4")
        count = source.part(f"{pattern}: count").whole(tile["count"], 1, TERRAIN_TILES, "MK-C1")
        same = (min(grid.turned_pattern(pattern, turns) for turns in range(4)), points)
        wrong = "{pattern} is {other} turned: give them one count (MK-C5)"
        source.require(same not in found, wrong, pattern=pattern, other=found.get(same))
        found[same] = pattern
        tiles.append(TerrainTile(pattern, points, count))
    total = sum(tile.count for tile in tiles)
    source.require_count("terrain tiles", total, TERRAIN_TILES, "MK-C1")
    return tuple(tiles)


def read_start_tiles(source: Source, data: Any) -> tuple[StartTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        name = source.part("name").name(tile["name"])
        pattern = source.part(name).pattern(tile["pattern"])
        spots = []
        for quarter, colour in tile["artefacts"].items():
            known = quarter in grid.QUARTER_NAMES and colour in COLOURS
            wrong = "{name}: spot {quarter}: {colour} is not one (MK-S1)"
            source.require(known, wrong, name=name, quarter=quarter, colour=colour)
            spots.append((grid.QUARTER_NAMES.index(quarter), colour))
            wrong = "{name}: nobody could take an artefact on a mountain (MK-M1)"
            source.require(pattern[spots[-1][0]] != "M", wrong, name=name)
        tiles.append(StartTile(name, pattern, tuple(spots)))
    source.require_count("start tiles", len({tile.name for tile in tiles}), START_SPACES, "MK-C1")
    source.require_count("start tiles", len(tiles), START_SPACES, "MK-C1")
    spots_of = Counter(colour for tile in tiles for _, colour in tile.spots)
    for colour, count in zip(COLOURS, ARTEFACTS_OF, strict=True):
        what, said = "spots for {colour} artefacts", Sentence(colour)
        source.require_count(what, spots_of[colour], count, "MK-C1", colour=said)
    return tuple(tiles)


def read_lava_tiles(source: Source, data: Any) -> tuple[LavaTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        flow = source.part("flow").one_of(tile["flow"], grid.DIRECTION_NAMES, "MK-C4")
        shape = source.part("shape").name(tile["shape"], _SHAPE)
        name = f"{flow}-{shape}"
        exits = tile["exits"]
        fits = 1 <= len(exits) <= 2 and len(set(exits)) == len(exits) and set(exits) <= set("FLR")
        wrong = "{name}: exits are one or two of F, L and R (MK-L1, MK-L5)"
        source.require(isinstance(exits, str) and fits, wrong, name=name)
        dot = tile.get("dot", exits if len(exits) == 1 else "")
        on_exit = dot != "" and dot in exits
        source.require(on_exit, "{name}: a fork has its dot on an exit (MK-L5)", name=name)
        count = source.part(f"{name}: count").whole(tile["count"], 1, LAVA_TILES, "MK-C1")
        tiles.append(LavaTile(flow, shape, dot + exits.replace(dot, ""), count))
    names = {(tile.flow, tile.shape) for tile in tiles}
    source.require_count("names of lava tiles", len(names), len(tiles), "MK-C4")
    total = sum(tile.count for tile in tiles)
    source.require_count("lava tiles", total, LAVA_TILES, "MK-C1")
    for flow in grid.DIRECTION_NAMES:
        found = any(tile.flow == flow for tile in tiles)
        source.require(found, "flow {flow} has no tile (MK-C4)", flow=flow)
    return tuple(tiles)


def _translated(prefix: str) -> tuple[str, ...]:
    """The catalogue keys with this prefix that every language has, without the prefix."""
    catalogues = [load_catalogue(PACKAGE, language).sentences for language in LANGUAGES]
    return tuple(
        key.removeprefix(prefix)
        for key in catalogues[0]
        if key.startswith(prefix) and all(key in catalogue for catalogue in catalogues)
    )


def read_boats(source: Source, data: Any) -> tuple[Boat, ...]:
    colours = _translated("colour.")
    boats = []
    for boat in data["boats"]:
        name = source.part("name").name(boat["name"])
        colour = source.part(f"{name}: colour").one_of(boat["colour"], colours, "MK-C4")
        places = source.part(f"{name}: places").whole(boat["places"], 1, 3, "MK-C4")
        boats.append(Boat(name, colour, places))
    source.require_count("boats", len({boat.name for boat in boats}), COVES, "MK-C1")
    source.require_count("boats", len(boats), COVES, "MK-C1")
    return tuple(boats)


def read_cards(source: Source, data: Any) -> tuple[Card, ...]:
    known, colours = _translated("card_name."), _translated("colour.")
    cards = tuple(_read_card(source, card, known, colours) for card in data["cards"])
    names = [card.name for card in cards]
    source.require_count("names of cards", len(set(names)), len(names), "MK-C1")
    actions, objectives = cards[: len(ACTION_CARDS)], cards[len(ACTION_CARDS) :]
    in_order, names_of_actions = [card.name for card in actions], ", ".join(ACTION_CARDS)
    complete = tuple(in_order) == ACTION_CARDS
    source.require(complete, "{cards} come first (MK-X4)", cards=names_of_actions)
    for card in actions:
        count, rules = ACTION_CARDS_OF_A_KIND, "MK-X5 to MK-X8"
        source.require_count("{card} cards", card.count, count, rules, card=card.name)
    total = sum(card.count for card in objectives)
    source.require_count("objectives", total, OBJECTIVES, "MK-X9")
    cancelling = sum(card.count for card in objectives if card.cancels)
    source.require_count("cards that cancel penalties", cancelling, CANCELLING_CARDS, "MK-X10")
    return cards


def _read_card(source: Source, card: Any, known: Collection[str], colours: Collection[str]) -> Card:
    name = source.part("card").one_of(card["card"], known, "MK-X9")
    needs = dict(card.get("needs", {}))
    boat = needs.pop("boat", "")
    wrong = "{name}: there is no {boat} boat (MK-C4)"
    source.require(boat in ("", *colours), wrong, name=name, boat=shown(boat))
    at = source.part(name)
    for need, count in needs.items():
        at.part("needs").one_of(need, (*COLOURS, "explorers", "boat"), "MK-X9")
        at.part(need).whole(count, 1, sum(ARTEFACTS_OF), "MK-X9")
    cancels = card.get("cancels_penalties", False)
    wrong = "{name}: cancels_penalties is true or false"
    source.require(isinstance(cancels, bool), wrong, name=name)
    points = at.part("points").whole(card.get("points", 0), 0, MOST_OBJECTIVE_POINTS, "MK-X9")
    count = at.part("count").whole(card["count"], 1, OBJECTIVES, "MK-X9")
    # The name that the catalogues have for an objective with these requirements.
    parts = [f"{needs[need]}{need}" for need in (*COLOURS, "explorers") if need in needs]
    parts += [f"{boat}-boat"] * (boat != "") + ["no-penalty"] * cancels
    called = "-".join(parts)
    fits = name == called or (name in ACTION_CARDS and called == "" and points == 0)
    wrong = "{name}: an objective like this is called {called!r} (MK-X9)"
    source.require(fits, wrong, name=name, called=called)
    return Card(name, count, points, tuple(needs.items()), boat, cancels)
