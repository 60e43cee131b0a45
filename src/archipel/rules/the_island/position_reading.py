"""Positions from text: what `position` writes, and whatever a person writes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.places import LAND, LOST, WAITING
from archipel.rules.hex_sea.position import OFF_AND_ON
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.kit import Stream, clone
from archipel.rules.position_words import PositionWords
from archipel.rules.the_island.board import SERPENT_STARTS, SPACES, TILE_OF, TILE_SPACES, TILES
from archipel.rules.the_island.components import (
    BOX,
    COLOURS,
    CREATURE_KINDS,
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
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.invariants import FAULTS, fault
from archipel.rules.the_island.knowledge import deal_unseen
from archipel.rules.the_island.names import (
    COLOUR_NAMES,
    SPACE_NUMBERS,
    space_name,
)
from archipel.rules.the_island.plausible import check_phase
from archipel.rules.the_island.position import (
    CREATURE_WORDS,
    ENDINGS,
    PHASES,
    SWITCHES,
    TERRAIN_LETTERS,
    WORDS,
)
from archipel.rules.the_island.state import (
    DEFEND,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOBODY,
    NOTHING,
    ON_BOARD,
    OUT,
    PLACE_EXPLORER,
    UNKNOWN,
    State,
    colours_in_play,
    owner,
)

_TILE: Final = re.compile(rf"([a-z]\d+)([{TERRAIN_LETTERS}])(?:\?|:([a-z_]+))?")
_EXPLORER: Final = re.compile(r"(-|[a-z]+\d*)(\?|:(\d))?")


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
    WORDS.read_boats(s, words)
    _read_creatures(s, words)
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
    s.sea_stepped = WORDS.read_people(words, "swam")
    s.wet_moved = WORDS.read_people(words, "wet")
    s.idle_turns = words.number("idle", 0, TURNS_WITHOUT_EVENT * s.seats, 0)
    s.ending = words.choice("ending", ENDINGS, "-")


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    if text in SPACE_NUMBERS:
        return SPACE_NUMBERS[text]
    action = WORDS.read_chosen(text)
    if action is not None:
        return action
    raise NotationError(f"chosen={text}: expected something like f7, w3, boat2, shark1 or -")


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
            s.land_left[s.terrain[tile]] += 1


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


def _read_creatures(s: State, words: PositionWords) -> None:
    for kind, word in enumerate(CREATURE_WORDS):
        default = ",".join(map(space_name, SERPENT_STARTS)) if kind == SERPENT else "-"
        places = WORDS.read_creatures(s, words, word, BOX.creatures[kind], default)
        for creature, space in enumerate(places, FIRST_OF_KIND[kind]):
            s.creature[creature] = space
            if space < SPACES:
                put_creature(s, creature, space)


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
    place = WORDS.read_place(match[1]) if match else None
    if match is None or place is None:
        raise NotationError(
            f"{name}: {text!r} is not an explorer; write f7? or f7:5, boat2?, nw?, lost? or -"
        )
    WORDS.take_aboard(s, name, text, place, owner(s, explorer))
    s.place[explorer] = place
    if place == WAITING:
        return
    s.value[explorer] = 1 if s.all_equal else UNKNOWN
    if match[3] is not None:
        if not 1 <= int(match[3]) <= (1 if s.all_equal else HIGHEST_VALUE):
            raise NotationError(f"{name}: {text}: there is no such value (IS-C2, IS-V3)")
        s.value[explorer] = int(match[3])
    s.left[owner(s, explorer)] += not is_saved(s, explorer) and place != LOST


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
