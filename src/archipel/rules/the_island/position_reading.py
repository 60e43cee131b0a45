"""Positions from text: what `position` writes, and whatever a person writes."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.places import LAND, LOST, WAITING
from archipel.rules.hex_sea.plausible import require
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.position_words import PositionWords
from archipel.rules.sentence import Sentence
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
    VOLCANO,
)
from archipel.rules.the_island.creatures import put_creature
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.knowledge import is_in_hand, volcano_may_be_out
from archipel.rules.the_island.names import (
    COLOUR_NAMES,
    SPACE_NUMBERS,
    space_name,
)
from archipel.rules.the_island.plausible import check_position
from archipel.rules.the_island.position import (
    CREATURE_WORDS,
    ENDINGS,
    PHASES,
    SWITCHES,
    TERRAIN_LETTERS,
    TERRAIN_WORDS,
)
from archipel.rules.the_island.sea import any_tile_left
from archipel.rules.the_island.sea_words import WORDS
from archipel.rules.the_island.state import (
    DEFEND,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
    NOBODY,
    NOTHING,
    ON_BOARD,
    OUT,
    OVER,
    PLACE_EXPLORER,
    PLAY_TILE,
    UNKNOWN,
    State,
    colours_in_play,
    owner,
)

RED: Final = range(FIRST_RED, len(SYMBOLS))
_TILE: Final = re.compile(rf"([a-z]\d+)([{TERRAIN_LETTERS}])(?:\?|:([a-z_]+))?")
_EXPLORER: Final = re.compile(r"(-|[a-z]+\d*)(\?|:(\d))?")


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text)
    s = State()
    for name in SWITCHES:
        setattr(s, name, words.switch(name))
    names = COLOUR_NAMES[:2] if s.two_colours else COLOUR_NAMES
    s.seats = words.seats(FEWEST_SEATS, MOST_SEATS, "hand", names=names)
    require(
        s.seats == 2 or not s.two_colours,
        "two_colours=on: it is for two players only (IS-P1)",
    )
    require(not (s.last_one and s.sunken), "last_one=on sunken=on: they exclude each other (IS-V0)")
    s.memory = parse_seats(words.text("memory", "-"), s.seats)
    _read_turn(s, words)
    _read_tiles(s, words)
    _read_idle_turns(s, words)
    WORDS.read_boats(s, words)
    _read_creatures(s, words)
    _read_explorers(s, words)
    words.finish()
    _count_waiting(s)
    check_position(s)
    return s


def parse_seats(text: str, seats: int) -> int:
    """A set of seats from their numbers in a row, ``-`` for none."""
    found = 0
    for number in text.removeprefix("-"):
        if number not in "1234"[:seats] or text.count(number) > 1 or text.startswith("-"):
            raise NotationError(
                Sentence("memory={text}: expected numbers of seats in a row, such as 13", text=text)
            )
        found |= 1 << int(number) - 1
    return found


# ---- whose decision it is -----------------------------------------------------------------------


def _read_turn(s: State, words: PositionWords) -> None:
    s.phase = words.choice("phase", PHASES, "move")
    s.turn = words.number("turn", 1, s.seats, 1) - 1
    asked = words.seat("asked", s.seats)
    require(
        (asked != NOBODY) == (s.phase == DEFEND),
        "asked: who is asked is told in phase=defend, and only there (IS-D3)",
    )
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
    s.ending = words.choice("ending", ENDINGS, "-")


def _read_idle_turns(s: State, words: PositionWords) -> None:
    """IS-V2: a turn that begins with no tile left counts."""
    usual = int(PLAY_TILE <= s.phase < OVER and not any_tile_left(s))
    s.idle_turns = words.number("idle", 0, TURNS_WITHOUT_EVENT * s.seats, usual)


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    if text in SPACE_NUMBERS:
        return SPACE_NUMBERS[text]
    action = WORDS.read_chosen(text)
    if action is not None:
        return action
    raise NotationError(
        Sentence("chosen={text}: expected something like f7, w3, boat2, shark1 or -", text=text)
    )


# ---- tiles --------------------------------------------------------------------------------------


def _read_tiles(s: State, words: PositionWords) -> None:
    met: set[int] = set()
    gone: list[int] = []
    names = {"land": ON_BOARD, "out": OUT} | {f"hand{seat + 1}": seat for seat in range(s.seats)}
    for name, holder in names.items():
        for part in words.parts(name):
            if holder == OUT and part in TERRAIN_WORDS:
                gone.append(TERRAIN_WORDS.index(part))
                continue
            tile = _read_tile(s, name, part)
            require(
                tile not in met,
                "{name}: tile {part} is already somewhere else",
                name=name,
                part=part,
            )
            met.add(tile)
            s.holder[tile] = holder
            _check_holder(s, tile, name, part)
    _lay_the_rest(s, met)
    for tile in range(TILES):
        if tile not in met and s.terrain[tile] in gone:
            s.holder[tile] = OUT
    _check_backs(s)
    for tile in range(TILES):
        if s.holder[tile] == ON_BOARD:
            s.space[TILE_SPACES[tile]] |= LAND
            s.land_left[s.terrain[tile]] += 1


def _check_holder(s: State, tile: int, name: str, part: str) -> None:
    """Whether a tile with this back can be where it is said to be."""
    require(
        not is_in_hand(s, tile) or s.back[tile] in (UNKNOWN, *RED),
        "{name}: {part}: only red tiles are kept in a hand (IS-K5)",
        name=name,
        part=part,
    )
    require(
        s.holder[tile] != OUT or s.back[tile] != VOLCANO or volcano_may_be_out(s),
        "{name}: {part}: the volcano was found, but the game goes on (IS-E1)",
        name=name,
        part=part,
    )


def _read_tile(s: State, where: str, text: str) -> int:
    match = _TILE.fullmatch(text)
    tile = TILE_OF[SPACE_NUMBERS[match[1]]] if match and match[1] in SPACE_NUMBERS else -1
    if match is None or tile < 0:
        raise NotationError(
            Sentence(
                "{where}: {text!r} is not a tile; write d4b? or d4b:shark: space, terrain "
                "({letters}) and back; out takes terrains, too: {terrains}",
                where=where,
                text=text,
                letters=", ".join(TERRAIN_LETTERS),
                terrains=", ".join(TERRAIN_WORDS),
            )
        )
    s.terrain[tile] = TERRAIN_LETTERS.index(match[2])
    if match[3] is not None:
        if match[3] not in SYMBOLS:
            raise NotationError(
                Sentence(
                    "{where}: {text}: backs are {known}",
                    where=where,
                    text=text,
                    known=", ".join(SYMBOLS),
                )
            )
        s.back[tile] = SYMBOLS.index(match[3])
    return tile


def _lay_the_rest(s: State, met: set[int]) -> None:
    """Tiles that are named nowhere lie on the board; the terrains left over follow in order."""
    counts = Counter(s.terrain[tile] for tile in met)
    for terrain, name in enumerate(TERRAINS):
        require(
            counts[terrain] <= TERRAIN_TILES[terrain],
            "{given} tiles are {terrain}, but there are {count} (IS-C1)",
            given=counts[terrain],
            terrain=Sentence(name),
            count=TERRAIN_TILES[terrain],
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
            require(
                known[symbol] <= count,
                "{given} {terrain} tiles are {symbol}, but there are {count} (IS-C3)",
                given=known[symbol],
                terrain=Sentence(name),
                symbol=SYMBOLS[symbol],
                count=count,
            )
        left = [count - known[symbol] for symbol, count in enumerate(BOX.backs[terrain])]
        _check_hidden(s, terrain, left)


def _check_hidden(s: State, terrain: int, left: list[int]) -> None:
    """Whether backs that are left can be those of the tiles of a terrain that are off the board."""
    hidden = [
        tile for tile in range(TILES) if s.terrain[tile] == terrain and s.back[tile] == UNKNOWN
    ]
    held = sum(is_in_hand(s, tile) for tile in hidden)
    require(
        held <= sum(left[FIRST_RED:]),
        "{held} hidden {terrain} tiles are in hands, but {red} red ones are left (IS-K5)",
        held=held,
        terrain=Sentence(TERRAINS[terrain]),
        red=sum(left[FIRST_RED:]),
    )
    kept = 0 if volcano_may_be_out(s) else left[VOLCANO]
    require(
        sum(s.holder[tile] != ON_BOARD for tile in hidden) <= sum(left) - kept,
        "out: the volcano would be among the {terrain} tiles, but the game goes on (IS-E1)",
        terrain=Sentence(TERRAINS[terrain]),
    )


# ---- pieces -------------------------------------------------------------------------------------


def _read_creatures(s: State, words: PositionWords) -> None:
    for kind, word in enumerate(CREATURE_WORDS):
        default = ",".join(map(space_name, SERPENT_STARTS)) if kind == SERPENT else "-"
        first = FIRST_OF_KIND[kind]
        places = WORDS.read_creatures(s, words, word, first, BOX.creatures[kind], default)
        for creature, space in enumerate(places, first):
            s.creature[creature] = space
            if space < SPACES:
                put_creature(s, creature, space)


def _read_explorers(s: State, words: PositionWords) -> None:
    absent = "-" if s.phase in (PLACE_EXPLORER, NAME_VALUE) else "lost"
    for colour in range(COLOURS):
        name = COLOUR_NAMES[colour]
        text = words.text(name, "")
        if colour >= colours_in_play(s):
            require(text in ("", "-"), "{name}: this colour does not play (IS-S3)", name=name)
            continue
        parts = text.split(",") if text not in ("", "-") else []
        require(
            len(parts) <= PER_COLOUR,
            "{name}: a colour has {count} explorers (IS-C1)",
            name=name,
            count=PER_COLOUR,
        )
        for number, part in enumerate(parts + [absent] * (PER_COLOUR - len(parts))):
            _read_explorer(s, name, colour * PER_COLOUR + number, part)
        _check_values(s, colour)


def _read_explorer(s: State, name: str, explorer: int, text: str) -> None:
    match = _EXPLORER.fullmatch(text)
    place = WORDS.read_place(match[1]) if match else None
    if match is None or place is None:
        raise NotationError(
            Sentence(
                "{name}: {text!r} is not an explorer; write f7? or f7:5, boat2?, nw?, lost? or -",
                name=name,
                text=text,
            )
        )
    WORDS.take_aboard(s, explorer, place, owner(s, explorer))
    s.place[explorer] = place
    if place == WAITING:
        return
    s.value[explorer] = 1 if s.all_equal else UNKNOWN
    if match[3] is not None:
        require(
            1 <= int(match[3]) <= (1 if s.all_equal else HIGHEST_VALUE),
            "{name}: {text}: there is no such value (IS-C2, IS-V3)",
            name=name,
            text=text,
        )
        s.value[explorer] = int(match[3])
    s.left[owner(s, explorer)] += not is_saved(s, explorer) and place != LOST


def _check_values(s: State, colour: int) -> None:
    if s.all_equal:
        return
    first = colour * PER_COLOUR
    known = Counter(s.value[first : first + PER_COLOUR])
    for value in range(1, HIGHEST_VALUE + 1):
        require(
            known[value] <= BOX.values.count(value),
            "{colour}: {given} explorers of {value}, but a colour has {count} (IS-C2)",
            colour=COLOUR_NAMES[colour],
            given=known[value],
            value=value,
            count=BOX.values.count(value),
        )


def _count_waiting(s: State) -> None:
    for explorer in range(EXPLORERS):
        if s.place[explorer] == WAITING and explorer < colours_in_play(s) * PER_COLOUR:
            s.left[owner(s, explorer)] += 1
