"""Each part of the box, read from its data and checked: counts, patterns, what hangs together.

What does not fit the rules is refused in one line: where, what is wrong, what would be right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

from archipel.rules.booklet import LANGUAGES
from archipel.rules.catalogue import load_catalogue
from archipel.rules.data_files import DataFileError, shown
from archipel.rules.mauna_kea.box_parts import (
    ACTION_CARDS,
    CELLS_OF_A_COVE,
    COLOURS,
    COVES,
    LAYOUTS,
    Board,
    Boat,
    Card,
    Flow,
    LavaTile,
    StartTile,
    TerrainTile,
)
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
from archipel.rules.sentence import Sentence

PACKAGE: Final = "archipel.rules.mauna_kea"

START_SPACES: Final = 24  # MK-C1, MK-C2
EXPLORER_SPACES: Final = 4
ARTEFACTS_OF: Final = (17, 7, 1)
TERRAIN_TILES: Final = 70
LAVA_TILES: Final = 24
ACTION_CARDS_OF_A_KIND: Final = 3
OBJECTIVES: Final = 15
CANCELLING_CARDS: Final = 2
MOST_OBJECTIVE_POINTS: Final = 20
MIDDLE: Final = SPACES // 2
ARROWS: Final = ("single", "double", "hollow", "curved")

_NAME: Final = re.compile(r"[a-z][a-z0-9]*")
_SHAPE: Final = re.compile(r"[a-z]+")

T = TypeVar("T")
#: Where something is wrong, for the message, and the data found there.
Part = Callable[[str, Any], T]


class BoxError(DataFileError):
    """Data that does not fit the rules: which file, what is wrong, what would be right."""


def guarded(where: str, parse: Part[T], data: Any) -> T:
    """Read a part; what is missing or of another kind is a `BoxError`, too."""
    try:
        return parse(where, data)
    except BoxError:
        raise
    except KeyError as error:
        raise BoxError(
            Sentence("{where}: {name} is missing", where=where, name=error.args[0])
        ) from error
    except (TypeError, AttributeError, IndexError, ValueError, RecursionError) as error:
        raise BoxError(
            Sentence(
                "{where}: a list, a text or a number stands where something else should: compare "
                "it with ours",
                where=where,
            )
        ) from error


def _require(condition: bool, where: str, wrong: str, /, **parts: object) -> None:
    if not condition:
        raise BoxError(Sentence("{where}: {wrong}", where=where, wrong=Sentence(wrong, **parts)))


def _count(where: str, what: str, found: int, expected: int, rule: str, /, **parts: object) -> None:
    _require(
        found == expected,
        where,
        "{found} {what}, but there are {expected} ({rule})",
        found=found,
        what=Sentence(what, **parts),
        expected=expected,
        rule=rule,
    )


def _whole(where: str, value: Any, low: int, high: int, rule: str) -> int:
    fits = type(value) is int and low <= value <= high
    _require(
        fits,
        where,
        "{value} is not a whole number from {low} to {high} ({rule})",
        value=shown(value),
        low=low,
        high=high,
        rule=rule,
    )
    return int(value)


def _known(where: str, value: Any, known: Collection[str], rule: str) -> str:
    _require(
        isinstance(value, str) and value in known,
        where,
        "{value} is none of {known} ({rule})",
        value=shown(value),
        known=", ".join(known),
        rule=rule,
    )
    return str(value)


def _named(where: str, name: Any, pattern: re.Pattern[str]) -> str:
    """A name that can stand in positions and records."""
    fits = isinstance(name, str) and pattern.fullmatch(name) is not None
    _require(
        fits,
        where,
        "{name}: a name is made of small letters and digits, a letter first",
        name=shown(name),
    )
    return str(name)


# ---- the board ----------------------------------------------------------------------------------


def read_board(where: str, data: Any) -> Board:
    rows = data["spaces"]
    square = len(rows) == COLUMNS and all(len(row) == COLUMNS for row in rows)
    _require(
        square, where, "spaces: expected {count} rows of {count} letters (MK-C2)", count=COLUMNS
    )
    spaces = "".join(rows)
    _require(set(spaces) <= set("SEV."), where, "spaces: the letters are S, E, V and .")
    _count(where, "volcanoes (V)", spaces.count("V"), 1, "MK-C2")
    _require(
        spaces[MIDDLE] == "V",
        where,
        "spaces: the volcano is in the middle, on {space} (MK-C2)",
        space=space_name(MIDDLE),
    )
    _count(where, "printed start spaces (E)", spaces.count("E"), EXPLORER_SPACES, "MK-C2")
    _count(where, "spaces for start tiles (S)", spaces.count("S"), START_SPACES, "MK-C2")
    for space in range(SPACES):
        beside = spaces[space] != "E" or _touches_the_volcano(space)
        _require(
            beside,
            where,
            "spaces: {space} is not next to the volcano (MK-C2)",
            space=space_name(space),
        )
    _pattern(f"{where}: printed", data["printed"])
    _require("M" not in data["printed"], where, "printed: an explorer cannot start on a mountain")
    coves = tuple(_cove(where, cove) for cove in data["coves"])
    _count(where, "coves", len({name for name, _ in coves}), COVES, "MK-C2")
    touched = Counter(cell for _, cells in coves for cell in cells)
    _require(set(touched.values()) == {1}, where, "a cell touches two coves (MK-C2)")
    flows = tuple(_flow(where, flow) for flow in data["flows"])
    _count(where, "flows", len({flow.name for flow in flows}), DIRECTIONS, "MK-C4")
    layout = _known(f"{where}: layout", data["layout"], LAYOUTS, "MK-C3")
    return Board(layout, spaces, data["printed"], coves, flows)


def _touches_the_volcano(space: int) -> bool:
    """Beside it or at one of its corners."""
    row, column = divmod(space, COLUMNS)
    middle = COLUMNS // 2
    return abs(row - middle) <= 1 and abs(column - middle) <= 1


def _cove(where: str, cove: Any) -> tuple[str, tuple[int, ...]]:
    name = _named(f"{where}: cove", cove["name"], _NAME)
    for cell in cove["cells"]:
        _require(
            isinstance(cell, str) and cell in CELL_NUMBERS,
            where,
            "cove {name}: {cell} is not a cell",
            name=name,
            cell=shown(cell),
        )
    cells = tuple(CELL_NUMBERS[cell] for cell in cove["cells"])
    _count(where, "cells at cove {name}", len(set(cells)), CELLS_OF_A_COVE, "MK-C2", name=name)
    for cell in cells:
        edge = any(NEXT_CELL[direction][cell] == NOWHERE for direction in range(DIRECTIONS))
        _require(edge, where, "cove {name}: not all its cells are at the edge (MK-C2)", name=name)
    joined = _hang_together(cells)
    _require(joined, where, "cove {name}: its cells do not lie side by side (MK-C2)", name=name)
    return name, cells


def _hang_together(cells: Sequence[int]) -> bool:
    reached = {cells[0]}
    for _ in cells:
        reached |= {
            cell
            for cell in cells
            if any(NEXT_CELL[direction][cell] in reached for direction in range(DIRECTIONS))
        }
    return len(reached) == len(cells)


def _flow(where: str, flow: Any) -> Flow:
    """MK-C4: a flow has the name of its side of the volcano, and an arrow that can be drawn."""
    name = _known(f"{where}: flow", flow["name"], DIRECTION_NAMES, "MK-C4")
    _require(
        flow["heading"] == name, where, "flow {name}: its heading is {name} (MK-L1)", name=name
    )
    heading = DIRECTION_NAMES.index(name)
    first = NEXT_SPACE[heading][MIDDLE]
    right = SPACE_NUMBERS.get(flow["first"]) == first
    _require(
        right,
        where,
        "flow {name}: its first space is {space} (MK-L1)",
        name=name,
        space=space_name(first),
    )
    arrow = _known(f"{where}: flow {name}: arrow", flow["arrow"], ARROWS, "MK-C4")
    return Flow(name, arrow, first, heading)


# ---- tiles --------------------------------------------------------------------------------------


def _pattern(where: str, pattern: Any) -> str:
    fits = isinstance(pattern, str) and len(pattern) == QUARTERS and set(pattern) <= set("JLM")
    _require(
        fits,
        where,
        "a pattern is four of J, L and M, not {pattern} (MK-C2)",
        pattern=shown(pattern),
    )
    return str(pattern)


def read_terrain_tiles(where: str, data: Any) -> tuple[TerrainTile, ...]:
    found: dict[tuple[str, int], str] = {}
    tiles = []
    for tile in data["tiles"]:
        pattern = _pattern(f"{where}: tile", tile["pattern"])
        points = _whole(f"{where}: {pattern}: points", tile["points"], 1, 3, "MK-C4")
        count = _whole(f"{where}: {pattern}: count", tile["count"], 1, TERRAIN_TILES, "MK-C1")
        same = (min(turned_pattern(pattern, turns) for turns in range(4)), points)
        _require(
            same not in found,
            where,
            "{pattern} is {other} turned: give them one count (MK-C5)",
            pattern=pattern,
            other=found.get(same),
        )
        found[same] = pattern
        tiles.append(TerrainTile(pattern, points, count))
    _count(where, "terrain tiles", sum(tile.count for tile in tiles), TERRAIN_TILES, "MK-C1")
    return tuple(tiles)


def read_start_tiles(where: str, data: Any) -> tuple[StartTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        name = _named(f"{where}: name", tile["name"], _NAME)
        pattern = _pattern(f"{where}: {name}", tile["pattern"])
        spots = []
        for quarter, colour in tile["artefacts"].items():
            known = quarter in QUARTER_NAMES and colour in COLOURS
            _require(
                known,
                where,
                "{name}: spot {quarter}: {colour} is not one (MK-S1)",
                name=name,
                quarter=quarter,
                colour=colour,
            )
            number = QUARTER_NAMES.index(quarter)
            dry = pattern[number] != "M"
            _require(
                dry,
                where,
                "{name}: nobody could take an artefact on a mountain (MK-M1)",
                name=name,
            )
            spots.append((number, colour))
        tiles.append(StartTile(name, pattern, tuple(spots)))
    _count(where, "start tiles", len({tile.name for tile in tiles}), START_SPACES, "MK-C1")
    _count(where, "start tiles", len(tiles), START_SPACES, "MK-C1")
    spots_of = Counter(colour for tile in tiles for _, colour in tile.spots)
    for colour, count in zip(COLOURS, ARTEFACTS_OF, strict=True):
        _count(
            where,
            "spots for {colour} artefacts",
            spots_of[colour],
            count,
            "MK-C1",
            colour=Sentence(colour),
        )
    return tuple(tiles)


def read_lava_tiles(where: str, data: Any) -> tuple[LavaTile, ...]:
    tiles = []
    for tile in data["tiles"]:
        flow = _known(f"{where}: flow", tile["flow"], DIRECTION_NAMES, "MK-C4")
        shape = _named(f"{where}: shape", tile["shape"], _SHAPE)
        name = f"{flow}-{shape}"
        exits = tile["exits"]
        fits = 1 <= len(exits) <= 2 and len(set(exits)) == len(exits) and set(exits) <= set("FLR")
        _require(
            isinstance(exits, str) and fits,
            where,
            "{name}: exits are one or two of F, L and R (MK-L1, MK-L5)",
            name=name,
        )
        dot = tile.get("dot", exits if len(exits) == 1 else "")
        right = dot != "" and dot in exits
        _require(right, where, "{name}: a fork has its dot on an exit (MK-L5)", name=name)
        count = _whole(f"{where}: {name}: count", tile["count"], 1, LAVA_TILES, "MK-C1")
        tiles.append(LavaTile(flow, shape, dot + exits.replace(dot, ""), count))
    names = {(tile.flow, tile.shape) for tile in tiles}
    _count(where, "names of lava tiles", len(names), len(tiles), "MK-C4")
    _count(where, "lava tiles", sum(tile.count for tile in tiles), LAVA_TILES, "MK-C1")
    for flow in DIRECTION_NAMES:
        found = any(tile.flow == flow for tile in tiles)
        _require(found, where, "flow {flow} has no tile (MK-C4)", flow=flow)
    return tuple(tiles)


# ---- boats and cards ----------------------------------------------------------------------------


def _words(prefix: str) -> tuple[str, ...]:
    """What there are words for in every language."""
    catalogues = [load_catalogue(PACKAGE, language).sentences for language in LANGUAGES]
    return tuple(
        key.removeprefix(prefix)
        for key in catalogues[0]
        if key.startswith(prefix) and all(key in catalogue for catalogue in catalogues)
    )


def read_boats(where: str, data: Any) -> tuple[Boat, ...]:
    colours = _words("colour.")
    boats = []
    for boat in data["boats"]:
        name = _named(f"{where}: name", boat["name"], _NAME)
        colour = _known(f"{where}: {name}: colour", boat["colour"], colours, "MK-C4")
        places = _whole(f"{where}: {name}: places", boat["places"], 1, 3, "MK-C4")
        boats.append(Boat(name, colour, places))
    _count(where, "boats", len({boat.name for boat in boats}), COVES, "MK-C1")
    _count(where, "boats", len(boats), COVES, "MK-C1")
    return tuple(boats)


def read_cards(where: str, data: Any) -> tuple[Card, ...]:
    known = _words("card_name.")
    colours = _words("colour.")
    cards = tuple(_card(where, card, known, colours) for card in data["cards"])
    names = [card.name for card in cards]
    _count(where, "names of cards", len(set(names)), len(names), "MK-C1")
    actions = tuple(names[: len(ACTION_CARDS)])
    _require(
        actions == ACTION_CARDS,
        where,
        "first come {cards} (MK-X4)",
        cards=", ".join(ACTION_CARDS),
    )
    for card in cards[: len(ACTION_CARDS)]:
        _count(
            where,
            "{card} cards",
            card.count,
            ACTION_CARDS_OF_A_KIND,
            "MK-X5 to MK-X8",
            card=card.name,
        )
    objectives = cards[len(ACTION_CARDS) :]
    _count(where, "objectives", sum(card.count for card in objectives), OBJECTIVES, "MK-X9")
    cancelling = sum(card.count for card in objectives if card.cancels)
    _count(where, "cards that cancel penalties", cancelling, CANCELLING_CARDS, "MK-X10")
    return cards


def _card(where: str, card: Any, known: Collection[str], colours: Collection[str]) -> Card:
    name = _known(f"{where}: card", card["card"], known, "MK-X9")
    needs = dict(card.get("needs", {}))
    boat = needs.pop("boat", "")
    _require(
        boat in ("", *colours),
        where,
        "{name}: there is no {boat} boat (MK-C4)",
        name=name,
        boat=shown(boat),
    )
    for need, count in needs.items():
        _known(f"{where}: {name}: needs", need, (*COLOURS, "explorers", "boat"), "MK-X9")
        _whole(f"{where}: {name}: {need}", count, 1, sum(ARTEFACTS_OF), "MK-X9")
    cancels = card.get("cancels_penalties", False)
    _require(
        isinstance(cancels, bool),
        where,
        "{name}: cancels_penalties is true or false",
        name=name,
    )
    points = _whole(
        f"{where}: {name}: points", card.get("points", 0), 0, MOST_OBJECTIVE_POINTS, "MK-X9"
    )
    count = _whole(f"{where}: {name}: count", card["count"], 1, OBJECTIVES, "MK-X9")
    called = _name_of_objective(needs, boat, cancels)
    right = name == called or (name in ACTION_CARDS and called == "" and points == 0)
    _require(
        right,
        where,
        "{name}: an objective like this is called {called!r} (MK-X9)",
        name=name,
        called=called,
    )
    return Card(name, count, points, tuple(needs.items()), boat, cancels)


def _name_of_objective(needs: Mapping[str, int], boat: str, cancels: bool) -> str:
    """What the words of the house call a card that needs this."""
    parts = [f"{needs[need]}{need}" for need in (*COLOURS, "explorers") if need in needs]
    parts += [f"{boat}-boat"] if boat else []
    parts += ["no-penalty"] if cancels else []
    return "-".join(parts)
