"""The position drawn in text: plain characters, at most 100 columns wide."""

from __future__ import annotations

from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST, WAITING
from archipel.rules.text_layout import hanging
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SHORE_OF, SPACES, TILE_OF, TILES
from archipel.rules.the_island.end import score
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.names import COLOUR_LETTERS, NAMES
from archipel.rules.the_island.state import UNKNOWN, Phase, State, colours_in_play, owner

PACKAGE: Final = "archipel.rules.the_island"
WIDTH: Final = 100
HALF: Final = 4  # columns of text for half a space
CELL: Final = 2 * HALF - 1  # what fits into a space, with a gap after it
MARGIN: Final = "  "
TERRAIN_MARKS: Final = ("..", "^^", "/\\")
CREATURE_MARKS: Final = "ZSW"


def picture(s: State, language: str) -> str:
    """The board, what is on it, and each seat's people and hand."""
    words = load_catalogue(PACKAGE, language)
    lines = [_heading(s, words), "", *_board(s), ""]
    lines += [
        hanging(MARGIN, words.say("picture.legend.land"), WIDTH),
        hanging(MARGIN, words.say("picture.legend.pieces"), WIDTH),
    ]
    lines += _crowds(s, words)
    lines += ["", *_seats(s, words)]
    return "\n".join(line.rstrip() for line in lines)


def _heading(s: State, words: Catalogue) -> str:
    parts = [words.say("picture.title")]
    if s.phase == Phase.OVER:
        parts.append(words.say("picture.over"))
    else:
        parts.append(words.say("picture.turn", seat=s.turn + 1))
        if s.points > 0:
            parts.append(words.say("picture.points", points=s.points))
        if s.die != UNKNOWN:
            parts.append(words.say(f"picture.die.{box.CREATURE_KINDS[s.die]}"))
    beaches, forests, mountains = s.land_left
    parts.append(words.say("picture.tiles", beaches=beaches, forests=forests, mountains=mountains))
    return MARGIN + " · ".join(parts)


# ---- the board ----------------------------------------------------------------------------------


def _board(s: State) -> list[str]:
    lines = []
    for row in range(BOARD.rows[-1] + 1):
        above, below = "", ""
        for space in range(SPACES):
            if BOARD.rows[space] == row:
                column = len(MARGIN) + BOARD.half_columns[space] * HALF
                above = above.ljust(column) + _contents(s, space)
                below = below.ljust(column) + _ground(s, space)
        lines += [above, below]
    return lines


def _ground(s: State, space: int) -> str:
    if not is_sea(s, space):
        return f"{NAMES.space(space)} {TERRAIN_MARKS[s.terrain[TILE_OF[space]]]}"
    return f"{NAMES.space(space)} {'*' if SHORE_OF[space] >= 0 else '~'}"


def _contents(s: State, space: int) -> str:
    things = things_in(s, space)
    text = " ".join(things)
    return text if len(text) <= CELL else "&".center(CELL)


def things_in(s: State, space: int) -> list[str]:
    """Everything in a space, short: a boat with its crew, creatures, then explorers."""
    things = []
    for boat in range(box.BOATS):
        if s.boat[boat] == space:
            crew = [NAMES.person(e) for e in range(box.EXPLORERS) if s.place[e] == ABOARD + boat]
            things.append(f"B{NAMES.boat(boat)}" + (f"({' '.join(crew)})" if crew else ""))
    for creature in range(box.CREATURES):
        if s.creature[creature] == space:
            things.append(CREATURE_MARKS[box.KIND_OF[creature]])
    things += [NAMES.person(e) for e in range(box.EXPLORERS) if s.place[e] == space]
    return things


def _crowds(s: State, words: Catalogue) -> list[str]:
    """What did not fit on the board."""
    crowds = [
        f"{NAMES.space(space)}: {' '.join(things_in(s, space))}"
        for space in range(SPACES)
        if len(" ".join(things_in(s, space))) > CELL
    ]
    if not crowds:
        return []
    return ["", hanging(f"{MARGIN}{words.say('picture.several')}  ", "   ".join(crowds), WIDTH)]


# ---- the seats ----------------------------------------------------------------------------------


def _seats(s: State, words: Catalogue) -> list[str]:
    return [_seat(s, seat, words) for seat in range(s.seats)]


def _seat(s: State, seat: int, words: Catalogue) -> str:
    pointer = "→" if s.phase != Phase.OVER and s.to_move == seat else " "
    letters = " ".join(
        COLOUR_LETTERS[colour] for colour in range(seat, colours_in_play(s), s.seats)
    )
    mine = [e for e in range(box.EXPLORERS) if owner(s, e) == seat]
    parts = [words.say("picture.colour", letters=letters)]
    waiting = sum(s.place[e] == WAITING for e in mine if e < 10 * colours_in_play(s))
    if waiting:
        parts.append(words.say("picture.waiting", count=waiting))
    parts.append(words.say("picture.left", count=s.left[seat] - waiting))
    parts += [f"{NAMES.island(island)} {names}" for island, names in _saved(s, mine)]
    parts.append(words.say("picture.saved", count=sum(is_saved(s, e) for e in mine)))
    parts.append(words.say("picture.lost", count=sum(s.place[e] == LOST for e in mine)))
    if s.phase == Phase.OVER:
        parts.append(words.say("picture.score", points=score(s, seat)))
    tiles = [_tile(s, tile, words) for tile in range(TILES) if s.holder[tile] == seat]
    if tiles:
        parts.append(words.say("picture.hand", tiles=", ".join(tiles)))
    return hanging(f"{pointer} {seat + 1}  ", "  ".join(parts), WIDTH)


def _saved(s: State, explorers: list[int]) -> list[tuple[int, str]]:
    """Per safe island who of these is there, with the values that are known."""
    found = []
    for island in range(len(BOARD.shores)):
        ashore = [e for e in explorers if s.place[e] == SPACES + island]
        if ashore:
            found.append((island, " ".join(_explorer(s, e) for e in ashore)))
    return found


def _explorer(s: State, explorer: int) -> str:
    value = s.value[explorer]
    return NAMES.person(explorer) + ("" if value == UNKNOWN or s.all_equal else f":{value}")


def _tile(s: State, tile: int, words: Catalogue) -> str:
    symbol = "unknown" if s.back[tile] == UNKNOWN else box.SYMBOLS[s.back[tile]]
    mark = TERRAIN_MARKS[s.terrain[tile]]
    return f"{mark} {words.say(f'picture.symbol.{symbol}')}"
