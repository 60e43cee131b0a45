"""The position as text: plain characters, at most 100 columns wide."""

from __future__ import annotations

from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import aboard
from archipel.rules.hex_sea.places import LOST, WAITING
from archipel.rules.text_layout import hanging
from archipel.rules.the_island import components as box
from archipel.rules.the_island.board import BOARD, SHORE_OF, SPACES, TILE_OF
from archipel.rules.the_island.end import score
from archipel.rules.the_island.explorers import is_saved
from archipel.rules.the_island.names import COLOUR_LETTERS, NAMES
from archipel.rules.the_island.state import UNKNOWN, Phase, State, colours_in_play, owner

PACKAGE: Final = "archipel.rules.the_island"
WIDTH: Final = 100
HALF: Final = 4  # columns of text for half a space
CELL: Final = 2 * HALF - 1  # columns for the contents of a space, with a gap after them
MARGIN: Final = "  "
TERRAIN_MARKS: Final = ("..", "^^", "/\\")
CREATURE_MARKS: Final = "ZSW"


def picture(s: State, language: str) -> str:
    """The board, the pieces on it, and each seat's people and hand."""
    words = load_catalogue(PACKAGE, language)
    legends = [words.say(f"picture.legend.{part}") for part in ("land", "pieces")]
    lines = [_heading(s, words), "", *_board(s), ""]
    lines += [hanging(MARGIN, legend, WIDTH) for legend in legends]
    lines += _crowds(s, words)
    lines += ["", *(_seat(s, seat, words) for seat in range(s.seats))]
    return "\n".join(line.rstrip() for line in lines)


def _heading(s: State, words: Catalogue) -> str:
    parts = [words.say("picture.title"), state_of_play(s, words)]
    if s.phase != Phase.OVER and s.die != UNKNOWN:
        parts.append(words.say(f"picture.die.{box.CREATURE_KINDS[s.die]}"))
    beaches, forests, mountains = s.land_left
    parts.append(words.say("picture.tiles", beaches=beaches, forests=forests, mountains=mountains))
    return MARGIN + " · ".join(parts)


def state_of_play(s: State, words: Catalogue) -> str:
    """Whose turn it is and how many points are left; or that the game is over."""
    if s.phase == Phase.OVER:
        return words.say("picture.over")
    turn = words.say("picture.turn", seat=s.turn + 1)
    return turn + (f" · {words.say('picture.points', points=s.points)}" if s.points else "")


# ---- the board ----------------------------------------------------------------------------------


def _board(s: State) -> list[str]:
    lines = []
    for row in range(BOARD.rows[-1] + 1):
        above, below = "", ""
        for space in range(SPACES):
            if BOARD.rows[space] == row:
                text = " ".join(things_in(s, space))
                column = len(MARGIN) + BOARD.half_columns[space] * HALF
                above = above.ljust(column) + (text if len(text) <= CELL else "&".center(CELL))
                below = below.ljust(column) + f"{NAMES.space(space)} {_ground(s, space)}"
        lines += [above, below]
    return lines


def _ground(s: State, space: int) -> str:
    if not is_sea(s, space):
        return TERRAIN_MARKS[s.terrain[TILE_OF[space]]]
    return "*" if SHORE_OF[space] >= 0 else "~"


def things_in(s: State, space: int) -> list[str]:
    """Everything in a space, abbreviated: a boat with its crew, creatures, then explorers."""
    things = []
    for boat in pieces_in(s.boat, space):
        crew = " ".join(map(NAMES.person, aboard(s, boat)))
        things.append(f"B{NAMES.boat(boat)}" + (f"({crew})" if crew else ""))
    things += [CREATURE_MARKS[box.KIND_OF[c]] for c in pieces_in(s.creature, space)]
    return things + [NAMES.person(explorer) for explorer in pieces_in(s.place, space)]


def _crowds(s: State, words: Catalogue) -> list[str]:
    """The contents of spaces that did not fit on the board."""
    contents = {NAMES.space(space): " ".join(things_in(s, space)) for space in range(SPACES)}
    crowds = "   ".join(f"{name}: {text}" for name, text in contents.items() if len(text) > CELL)
    return (
        ["", hanging(f"{MARGIN}{words.say('picture.several')}  ", crowds, WIDTH)] if crowds else []
    )


# ---- the seats ----------------------------------------------------------------------------------


def _seat(s: State, seat: int, words: Catalogue) -> str:
    pointer = "→" if s.phase != Phase.OVER and s.to_move == seat else " "
    colours = range(seat, colours_in_play(s), s.seats)
    letters = " ".join(COLOUR_LETTERS[colour] for colour in colours)
    mine = [e for e in range(box.EXPLORERS) if owner(s, e) == seat]
    parts = [words.say("picture.colour", letters=letters)]
    waiting = sum(s.place[e] == WAITING for e in mine if e < 10 * colours_in_play(s))
    if waiting:
        parts.append(words.say("picture.waiting", count=waiting))
    parts.append(words.say("picture.left", count=s.left[seat] - waiting))
    for island, name in enumerate(BOARD.shores):
        ashore = [_explorer(s, e) for e in mine if s.place[e] == SPACES + island]
        parts += [f"{name} {' '.join(ashore)}"] if ashore else []
    parts.append(words.say("picture.saved", count=sum(is_saved(s, e) for e in mine)))
    parts.append(words.say("picture.lost", count=sum(s.place[e] == LOST for e in mine)))
    if s.phase == Phase.OVER:
        parts.append(words.say("picture.score", points=score(s, seat)))
    tiles = [_tile(s, tile, words) for tile in pieces_in(s.holder, seat)]
    if tiles:
        parts.append(words.say("picture.hand", tiles=", ".join(tiles)))
    return hanging(f"{pointer} {seat + 1}  ", "  ".join(parts), WIDTH)


def _explorer(s: State, explorer: int) -> str:
    value = s.value[explorer]
    return NAMES.person(explorer) + ("" if value == UNKNOWN or s.all_equal else f":{value}")


def _tile(s: State, tile: int, words: Catalogue) -> str:
    symbol = "unknown" if s.back[tile] == UNKNOWN else box.SYMBOLS[s.back[tile]]
    return f"{TERRAIN_MARKS[s.terrain[tile]]} {words.say(f'picture.symbol.{symbol}')}"
