"""Positions as text, and back.

A position is a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=move turn=1 points=3 land=d4b?,d5f:boat,... hand1=e3b:dolphin out=f3b:shark
    white=d4?,d4:5,boat1?,nw?,lost? yellow=... boats=c3,d2 serpents=... sharks=d8 whales=-

A tile is its space, its terrain (b, f or m) and its back, or ``?``.  An explorer is a place (a
space, a boat, a safe island, ``lost``, or ``-`` before it is placed) and a value, or ``?``; the
explorers of a colour stand in their order.  Of boats and creatures ``-`` is one in the stock and
``x`` one out of the game.  Seats are numbered from 1.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.boats import load, put_boat
from archipel.rules.hex_sea.places import ABOARD, BOAT_ROOM, GONE, IN_STOCK, LAND, LOST, WAITING
from archipel.rules.kit import Stream, clone
from archipel.rules.position_words import PositionWords
from archipel.rules.the_island.board import SERPENT_STARTS, SPACES, TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.components import (
    BOATS,
    BOX,
    COLOURS,
    CREATURE_KINDS,
    CREATURES,
    EXPLORERS,
    FEWEST_SEATS,
    FIRST_OF_KIND,
    FIRST_RED,
    HIGHEST_VALUE,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PER_COLOUR,
    SERPENT,
    SYMBOLS,
    TERRAIN_TILES,
    TERRAINS,
)
from archipel.rules.the_island.creatures import put_creature
from archipel.rules.the_island.end import is_safe
from archipel.rules.the_island.invariants import FAULTS, fault
from archipel.rules.the_island.knowledge import deal_unseen
from archipel.rules.the_island.names import (
    COLOUR_NAMES,
    ISLAND_NUMBERS,
    SPACE_NUMBERS,
    boat_name,
    creature_name,
    explorer_name,
    explorer_number,
    island_name,
    space_name,
)
from archipel.rules.the_island.plausible import check_phase
from archipel.rules.the_island.state import (
    BOAT,
    CREATURE,
    CREATURE_PIECE,
    CREATURE_STEP,
    DEFEND,
    ERUPTION,
    EXPLORER,
    FILL_BOAT,
    LAST_TILE,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOBODY,
    NOBODY_LEFT,
    NOT_OVER,
    NOTHING,
    ON_BOARD,
    OUT,
    OVER,
    PLACE_BOAT,
    PLACE_EXPLORER,
    PLAY_TILE,
    REMOVE,
    STALEMATE,
    TILE_PIECE,
    TILE_STEP,
    UNKNOWN,
    State,
    colours_in_play,
    owner,
)

PHASES: Final = {
    "place_explorer": PLACE_EXPLORER,
    "name_value": NAME_VALUE,
    "place_boat": PLACE_BOAT,
    "play_tile": PLAY_TILE,
    "tile_piece": TILE_PIECE,
    "tile_step": TILE_STEP,
    "move": MOVE,
    "move_to": MOVE_TO,
    "remove": REMOVE,
    "fill_boat": FILL_BOAT,
    "creature": CREATURE,
    "creature_step": CREATURE_STEP,
    "defend": DEFEND,
    "over": OVER,
}
ENDINGS: Final = {
    "-": NOT_OVER,
    "eruption": ERUPTION,
    "nobody_left": NOBODY_LEFT,
    "last_tile": LAST_TILE,
    "stalemate": STALEMATE,
}
SWITCHES: Final = (
    "two_colours",
    "crowded",
    "last_one",
    "all_equal",
    "sunken",
    "strict_swimming",
)
OFF_AND_ON: Final = {"off": 0, "on": 1}
CREATURE_WORDS: Final = tuple(f"{kind}s" for kind in CREATURE_KINDS)
TERRAIN_LETTERS: Final = "".join(terrain[0] for terrain in TERRAINS)

_TILE: Final = re.compile(rf"([a-z]\d+)([{TERRAIN_LETTERS}])(?:\?|:([a-z_]+))?")
_EXPLORER: Final = re.compile(r"(-|[a-z]+\d*)(\?|:(\d))?")
_NAMES: Final = {SERPENT: SERPENT_STARTS}


# ---- writing ------------------------------------------------------------------------------------


def position_text(s: State) -> str:
    words = [f"seats={s.seats}"]
    words += [f"{name}={_name(OFF_AND_ON, getattr(s, name))}" for name in SWITCHES]
    words += [
        f"memory={seats_text(s.memory)}",
        f"phase={_name(PHASES, s.phase)}",
        f"turn={s.turn + 1}",
        f"asked={s.to_move + 1 if s.phase == DEFEND else '-'}",
        f"points={s.points}",
        f"chosen={_chosen_text(s)}",
        f"steps={s.steps}",
        f"playing={'-' if s.playing == UNKNOWN else SYMBOLS[s.playing]}",
        f"die={'-' if s.die == UNKNOWN else CREATURE_KINDS[s.die]}",
        f"swam={_explorers_text(s.sea_stepped)}",
        f"wet={_explorers_text(s.wet_moved)}",
        f"idle={s.idle_turns}",
        f"ending={_name(ENDINGS, s.ending)}",
        f"land={_tiles_text(s, ON_BOARD)}",
    ]
    words += [f"hand{seat + 1}={_tiles_text(s, seat)}" for seat in range(s.seats)]
    words.append(f"out={_tiles_text(s, OUT)}")
    for colour in range(colours_in_play(s)):
        first = colour * PER_COLOUR
        explorers = (_explorer_text(s, first + number) for number in range(PER_COLOUR))
        words.append(f"{COLOUR_NAMES[colour]}={','.join(explorers)}")
    words.append("boats=" + ",".join(map(piece_text, s.boat)))
    for kind, word in enumerate(CREATURE_WORDS):
        pieces = s.creature[FIRST_OF_KIND[kind] : FIRST_OF_KIND[kind + 1]]
        words.append(f"{word}=" + ",".join(map(piece_text, pieces)))
    return " ".join(words)


def _name(names: dict[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def seats_text(seats: int) -> str:
    """A set of seats: their numbers in a row."""
    return "".join(str(seat + 1) for seat in range(MOST_SEATS) if seats >> seat & 1) or "-"


def _chosen_text(s: State) -> str:
    if s.chosen == NOTHING:
        return "-"
    if s.chosen < SPACES:
        return space_name(s.chosen)
    if s.chosen < BOAT:
        return explorer_name(s.chosen - EXPLORER)
    if s.chosen < CREATURE_PIECE:
        return f"boat{boat_name(s.chosen - BOAT)}"
    return creature_name(s.chosen - CREATURE_PIECE).replace(" ", "")


def _explorers_text(explorers: int) -> str:
    names = [explorer_name(number) for number in range(EXPLORERS) if explorers >> number & 1]
    return ",".join(names) or "-"


def tile_text(s: State, tile: int) -> str:
    back = "?" if s.back[tile] == UNKNOWN else f":{SYMBOLS[s.back[tile]]}"
    return f"{space_name(TILE_SPACES[tile])}{TERRAIN_LETTERS[s.terrain[tile]]}{back}"


def _tiles_text(s: State, holder: int) -> str:
    return ",".join(tile_text(s, t) for t in range(TILES) if s.holder[t] == holder) or "-"


def _explorer_text(s: State, explorer: int) -> str:
    place, value = s.place[explorer], s.value[explorer]
    if place == WAITING:
        return "-"
    shown = "?" if value == UNKNOWN else f":{value}"
    if place == LOST:
        return f"lost{shown}"
    if place >= ABOARD:
        return f"boat{boat_name(place - ABOARD)}{shown}"
    name = space_name(place) if place < SPACES else island_name(place - SPACES)
    return name + shown


def piece_text(space: int) -> str:
    """The place of a boat or a creature."""
    return {IN_STOCK: "-", GONE: "x"}.get(space) or space_name(space)


# ---- reading ------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text)
    s = State()
    s.seats = words.number("seats", FEWEST_SEATS, MOST_SEATS)
    for name in SWITCHES:
        setattr(s, name, words.choice(name, OFF_AND_ON))
    if s.two_colours and s.seats != 2:
        raise NotationError("two_colours=on: it is for two players only (IS-P1)")
    if s.last_one and s.sunken:
        raise NotationError("last_one=on sunken=on: they exclude each other (IS-V0)")
    s.memory = parse_seats(words.text("memory", "-"), s.seats)
    _read_turn(s, words)
    _read_tiles(s, words)
    _read_boats_and_creatures(s, words)
    _read_explorers(s, words)
    words.finish()
    _check(s)
    return s


def parse_seats(text: str, seats: int) -> int:
    """A set of seats from their numbers in a row, ``-`` for none."""
    found = 0
    for number in text.removeprefix("-"):
        if number not in "1234"[:seats] or text.count(number) > 1 or text.startswith("-"):
            raise NotationError(f"memory={text}: expected numbers of seats in a row, such as 13")
        found |= 1 << int(number) - 1
    return found


# ---- whose decision it is -----------------------------------------------------------------------


def _read_turn(s: State, words: PositionWords) -> None:
    s.phase = words.choice("phase", PHASES, "move")
    s.turn = words.number("turn", 1, s.seats, 1) - 1
    asked = words.seat("asked", s.seats)
    if (asked != NOBODY) != (s.phase == DEFEND):
        raise NotationError("asked: who is asked is told in phase=defend, and only there (IS-D3)")
    s.to_move = s.turn if asked == NOBODY else asked
    moving = s.phase in (MOVE, MOVE_TO)
    s.points = words.number("points", 0, MOVEMENT_POINTS, MOVEMENT_POINTS if moving else 0)
    s.chosen = _read_chosen(words.text("chosen", "-"))
    s.steps = words.number("steps", 0, 3, 0)
    symbols = {"-": UNKNOWN} | {symbol: number for number, symbol in enumerate(SYMBOLS)}
    s.playing = words.choice("playing", symbols, "-")
    kinds = {"-": UNKNOWN} | {kind: number for number, kind in enumerate(CREATURE_KINDS)}
    s.die = words.choice("die", kinds, "-")
    s.sea_stepped = _read_set(words, "swam")
    s.wet_moved = _read_set(words, "wet")
    s.idle_turns = words.number("idle", 0, 12 * s.seats, 0)
    s.ending = words.choice("ending", ENDINGS, "-")


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    if text in SPACE_NUMBERS:
        return SPACE_NUMBERS[text]
    explorer = explorer_number(text)
    if explorer is not None:
        return EXPLORER + explorer
    for action in range(BOAT, CREATURE_PIECE + CREATURES):
        if _chosen_text(State(chosen=action)) == text:
            return action
    raise NotationError(f"chosen={text}: expected something like f7, w3, boat2, shark1 or -")


def _read_set(words: PositionWords, name: str) -> int:
    text = words.text(name, "-")
    found = 0
    for part in text.split(",") if text != "-" else ():
        explorer = explorer_number(part)
        if explorer is None:
            raise NotationError(f"{name}={text}: {part!r} is not an explorer; they are w1 to v10")
        found |= 1 << explorer
    return found


# ---- tiles --------------------------------------------------------------------------------------


def _read_tiles(s: State, words: PositionWords) -> None:
    met: set[int] = set()
    names = {"land": ON_BOARD, "out": OUT} | {f"hand{seat + 1}": seat for seat in range(s.seats)}
    for name, holder in names.items():
        text = words.text(name, "-")
        for part in text.split(",") if text != "-" else ():
            tile = _read_tile(s, name, part)
            if tile in met:
                raise NotationError(f"{name}: tile {part} is already somewhere else")
            met.add(tile)
            s.holder[tile] = holder
            if holder == OUT and s.back[tile] == UNKNOWN:
                raise NotationError(f"{name}: {part}: it was shown: give its back (IS-I1)")
    _lay_the_rest(s, met)
    _check_backs(s)
    for tile in range(TILES):
        if s.holder[tile] == ON_BOARD:
            s.space[TILE_SPACES[tile]] |= LAND
            s.tiles_left[s.terrain[tile]] += 1


def _read_tile(s: State, where: str, text: str) -> int:
    match = _TILE.fullmatch(text)
    tile = TILE_OF[SPACE_NUMBERS[match[1]]] if match and match[1] in SPACE_NUMBERS else -1
    if match is None or tile < 0:
        raise NotationError(
            f"{where}: {text!r} is not a tile; write d4b? or d4b:shark: space, terrain "
            f"({', '.join(TERRAIN_LETTERS)}) and back"
        )
    s.terrain[tile] = TERRAIN_LETTERS.index(match[2])
    if match[3] is not None:
        if match[3] not in SYMBOLS:
            raise NotationError(f"{where}: {text}: backs are {', '.join(SYMBOLS)}")
        s.back[tile] = SYMBOLS.index(match[3])
    return tile


def _lay_the_rest(s: State, met: set[int]) -> None:
    """Tiles that are named nowhere lie on the board; the terrains left over follow in order."""
    counts = Counter(s.terrain[tile] for tile in met)
    for terrain, name in enumerate(TERRAINS):
        if counts[terrain] > TERRAIN_TILES[terrain]:
            raise NotationError(
                f"{counts[terrain]} tiles are {name}, but there are {TERRAIN_TILES[terrain]} "
                "(IS-C1)"
            )
    terrains = [
        terrain
        for terrain in range(len(TERRAINS))
        for _ in range(TERRAIN_TILES[terrain] - counts[terrain])
    ]
    for tile, terrain in zip((t for t in range(TILES) if t not in met), terrains, strict=True):
        s.terrain[tile] = terrain


def _check_backs(s: State) -> None:
    for terrain, name in enumerate(TERRAINS):
        known = Counter(s.back[tile] for tile in range(TILES) if s.terrain[tile] == terrain)
        for symbol, count in enumerate(BOX.backs[terrain]):
            if known[symbol] > count:
                raise NotationError(
                    f"{known[symbol]} {name} tiles are {SYMBOLS[symbol]}, but there are {count} "
                    "(IS-C3)"
                )
        red = sum(
            count - known[symbol]
            for symbol, count in enumerate(BOX.backs[terrain])
            if symbol >= FIRST_RED
        )
        hidden = sum(
            s.terrain[tile] == terrain and s.back[tile] == UNKNOWN and s.holder[tile] != ON_BOARD
            for tile in range(TILES)
        )
        if hidden > red:
            raise NotationError(f"{hidden} hidden {name} tiles in hands, but {red} are red (IS-K5)")


# ---- pieces -------------------------------------------------------------------------------------


def _read_boats_and_creatures(s: State, words: PositionWords) -> None:
    for boat, space in enumerate(_read_pieces("boats", words.text("boats", "-"), BOATS)):
        s.boat[boat] = space
        if space < SPACES:
            if s.space[space] & LAND or s.boat.index(space) < boat:
                raise NotationError(
                    f"boats: {space_name(space)}: one boat on each sea space (IS-B2)"
                )
            put_boat(s, boat, space)
    for kind, word in enumerate(CREATURE_WORDS):
        default = ",".join(map(space_name, _NAMES.get(kind, []))) or "-"
        pieces = _read_pieces(word, words.text(word, default), BOX.creatures[kind])
        for number, space in enumerate(pieces):
            s.creature[FIRST_OF_KIND[kind] + number] = space
            if space < SPACES:
                if s.space[space] & LAND:
                    raise NotationError(f"{word}: {space_name(space)} is land (IS-X6)")
                put_creature(s, FIRST_OF_KIND[kind] + number, space)


def _read_pieces(name: str, text: str, count: int) -> list[int]:
    """Places separated by commas; those that are not given are in the stock."""
    parts = text.split(",")
    if len(parts) > count:
        raise NotationError(f"{name}: {len(parts)} places, but there are {count} (IS-C1)")
    spaces = []
    for part in parts:
        if part not in SPACE_NUMBERS and part not in ("-", "x"):
            raise NotationError(f"{name}: {part!r} is not a space; write f7, - (stock) or x (gone)")
        spaces.append({"-": IN_STOCK, "x": GONE}.get(part) or SPACE_NUMBERS.get(part, 0))
    return spaces + [IN_STOCK] * (count - len(parts))


def _read_explorers(s: State, words: PositionWords) -> None:
    absent = "-" if s.phase in (PLACE_EXPLORER, NAME_VALUE) else "lost"
    for colour in range(COLOURS):
        name = COLOUR_NAMES[colour]
        text = words.text(name, "")
        if colour >= colours_in_play(s):
            if text:
                raise NotationError(f"{name}: this colour does not play (IS-S3)")
            continue
        parts = text.split(",") if text else []
        if len(parts) > PER_COLOUR:
            raise NotationError(f"{name}: a colour has {PER_COLOUR} explorers (IS-C1)")
        for number, part in enumerate(parts + [absent] * (PER_COLOUR - len(parts))):
            _read_explorer(s, name, colour * PER_COLOUR + number, part)
        _check_values(s, colour)


def _read_explorer(s: State, name: str, explorer: int, text: str) -> None:
    match = _EXPLORER.fullmatch(text)
    place = _read_place(match[1]) if match else None
    if match is None or place is None:
        raise NotationError(
            f"{name}: {text!r} is not an explorer; write f7? or f7:5, boat2?, nw?, lost? or -"
        )
    if place >= ABOARD and place < ABOARD + BOATS:
        boat = place - ABOARD
        if s.boat[boat] >= SPACES or load(s, boat) == BOAT_ROOM:
            raise NotationError(
                f"{name}: {text}: the boat is not on the board, or has three aboard (IS-M2)"
            )
        s.aboard[boat][owner(s, explorer)] += 1
    s.place[explorer] = place
    if place == WAITING:
        return
    s.value[explorer] = 1 if s.all_equal else UNKNOWN
    if match[3] is not None:
        if not 1 <= int(match[3]) <= (1 if s.all_equal else HIGHEST_VALUE):
            raise NotationError(f"{name}: {text}: there is no such value (IS-C2, IS-V3)")
        s.value[explorer] = int(match[3])
    s.left[owner(s, explorer)] += not is_safe(s, explorer) and place != LOST


def _read_place(text: str) -> int | None:
    if text in SPACE_NUMBERS:
        return SPACE_NUMBERS[text]
    if text in ISLAND_NUMBERS:
        return SPACES + ISLAND_NUMBERS[text]
    for boat in range(BOATS):
        if text == f"boat{boat_name(boat)}":
            return ABOARD + boat
    return {"lost": LOST, "-": WAITING}.get(text)


def _check_values(s: State, colour: int) -> None:
    if s.all_equal:
        return
    first = colour * PER_COLOUR
    known = Counter(s.value[first : first + PER_COLOUR])
    for value in range(1, HIGHEST_VALUE + 1):
        if known[value] > BOX.values.count(value):
            raise NotationError(
                f"{COLOUR_NAMES[colour]}: {known[value]} explorers of {value}, but a colour has "
                f"{BOX.values.count(value)} (IS-C2)"
            )


def _check(s: State) -> None:
    for explorer in range(EXPLORERS):
        if s.place[explorer] == WAITING and explorer < colours_in_play(s) * PER_COLOUR:
            s.left[owner(s, explorer)] += 1
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    check_phase(world)
