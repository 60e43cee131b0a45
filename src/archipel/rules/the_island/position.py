"""Positions as text (`position_reading` is the way back).

A position is a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=move turn=1 points=3 land=d4b?,d5f:boat,... hand1=e3b:dolphin out=f3b:shark
    white=d4?,d4:5,boat1?,nw?,lost? yellow=... boats=c3,d2 serpents=... sharks=d8 whales=-

A tile is its space, its terrain (b, f or m) and its back, or ``?``.  An explorer is a place (a
space, a boat, a safe island, ``lost``, or ``-`` before it is placed) and a value, or ``?``; the
explorers of a colour stand in their order, and those not named are lost.  Of boats and creatures
``-`` is one in the stock, as those not named are, and ``x`` one out of the game.  Tiles named
nowhere lie on the board, unless ``out`` names their terrain (``out=beaches``); backs that are not
told are dealt.  Seats are numbered from 1.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.places import WAITING
from archipel.rules.hex_sea.position import OFF_AND_ON, name_of
from archipel.rules.the_island.board import SPACES, TILE_SPACES, TILES
from archipel.rules.the_island.components import (
    CREATURE_KINDS,
    FIRST_OF_KIND,
    MOST_SEATS,
    PER_COLOUR,
    SYMBOLS,
    TERRAINS,
)
from archipel.rules.the_island.names import COLOUR_NAMES, space_name
from archipel.rules.the_island.sea_words import WORDS
from archipel.rules.the_island.state import (
    CREATURE,
    CREATURE_STEP,
    DEFEND,
    ERUPTION,
    FILL_BOAT,
    LAST_TILE,
    MOVE,
    MOVE_TO,
    NAME_VALUE,
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
CREATURE_WORDS: Final = tuple(f"{kind}s" for kind in CREATURE_KINDS)
TERRAIN_LETTERS: Final = "".join(terrain[0] for terrain in TERRAINS)
TERRAIN_WORDS: Final = ("beaches", "forests", "mountains")


# ---- writing ------------------------------------------------------------------------------------


def position_text(s: State) -> str:
    words = [f"seats={s.seats}"]
    words += [f"{name}={name_of(OFF_AND_ON, getattr(s, name))}" for name in SWITCHES]
    words += [
        f"memory={seats_text(s.memory)}",
        f"phase={name_of(PHASES, s.phase)}",
        f"turn={s.turn + 1}",
        f"asked={s.to_move + 1 if s.phase == DEFEND else '-'}",
        f"points={s.points}",
        f"chosen={chosen_text(s.chosen)}",
        f"steps={s.steps}",
        f"playing={'-' if s.playing == UNKNOWN else SYMBOLS[s.playing]}",
        f"die={'-' if s.die == UNKNOWN else CREATURE_KINDS[s.die]}",
        f"swam={WORDS.people_text(s.sea_stepped)}",
        f"wet={WORDS.people_text(s.wet_moved)}",
        f"idle={s.idle_turns}",
        f"ending={name_of(ENDINGS, s.ending)}",
        f"land={_tiles_text(s, ON_BOARD)}",
    ]
    words += [f"hand{seat + 1}={_tiles_text(s, seat)}" for seat in range(s.seats)]
    words.append(f"out={_tiles_text(s, OUT)}")
    for colour in range(colours_in_play(s)):
        first = colour * PER_COLOUR
        explorers = (_explorer_text(s, first + number) for number in range(PER_COLOUR))
        words.append(f"{COLOUR_NAMES[colour]}={','.join(explorers)}")
    words.append("boats=" + ",".join(map(WORDS.piece_text, s.boat)))
    for kind, word in enumerate(CREATURE_WORDS):
        pieces = s.creature[FIRST_OF_KIND[kind] : FIRST_OF_KIND[kind + 1]]
        words.append(f"{word}=" + ",".join(map(WORDS.piece_text, pieces)))
    return " ".join(words)


def chosen_text(chosen: int) -> str:
    """The piece that is chosen; or, while explorers are placed, the tile (IS-S8)."""
    if chosen == NOTHING:
        return "-"
    return space_name(chosen) if chosen < SPACES else WORDS.chosen_text(chosen)


def seats_text(seats: int) -> str:
    """A set of seats: their numbers in a row."""
    return "".join(str(seat + 1) for seat in range(MOST_SEATS) if seats >> seat & 1) or "-"


def tile_text(s: State, tile: int) -> str:
    back = "?" if s.back[tile] == UNKNOWN else f":{SYMBOLS[s.back[tile]]}"
    return f"{space_name(TILE_SPACES[tile])}{TERRAIN_LETTERS[s.terrain[tile]]}{back}"


def _tiles_text(s: State, holder: int) -> str:
    return ",".join(tile_text(s, t) for t in range(TILES) if s.holder[t] == holder) or "-"


def _explorer_text(s: State, explorer: int) -> str:
    place, value = s.place[explorer], s.value[explorer]
    if place == WAITING:
        return "-"
    return WORDS.place_text(place) + ("?" if value == UNKNOWN else f":{value}")
