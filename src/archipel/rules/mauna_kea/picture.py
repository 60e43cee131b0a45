"""The position as plain text, at most 80 columns wide."""

from __future__ import annotations

from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import artefacts_with, carrier
from archipel.rules.mauna_kea.box_files import BOX
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.end import score
from archipel.rules.mauna_kea.grid import COLUMNS, QUARTERS, cell_name
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    OWNED,
    ArtefactPlace,
    Ending,
    ExplorerPlace,
    Phase,
    State,
    explorers_each,
    seat_to_move,
    terrain_at,
)
from archipel.rules.mauna_kea.tiles import tiles_in_bag
from archipel.rules.text_layout import hanging

PACKAGE: Final = "archipel.rules.mauna_kea"
GROUND_MARKS: Final = ('"', "~", "^", ".", "#", "@")
HEADING_MARKS: Final = "↑→↓←"


def picture(s: State, language: str) -> str:
    """The island, the boats, and each player's belongings."""
    words = load_catalogue(PACKAGE, language)
    lines = [_heading(s, words), "", *_island(s), "", words.say("picture.legend"), ""]
    moored = sorted((cove, boat) for boat, cove in enumerate(s.boat) if cove < OWNED)
    names = box.COVE_NAMES[s.layout]
    boats = [f"{names[cove]} {boat_label(s, boat, words)}" for cove, boat in moored]
    lines.append(hanging(f"{words.say('picture.boats')}  ", "  ".join(boats) or "-"))
    for seat in range(s.seats):
        lines += _player(s, seat, words)
    return "\n".join(line.rstrip() for line in lines)


def round_number(s: State) -> int:
    return s.turn_number // s.seats + 1


def _heading(s: State, words: Catalogue) -> str:
    if s.phase == Phase.OVER:
        return words.say("picture.over")
    parts = [words.say("picture.round", round=round_number(s), bag=tiles_in_bag(s))]
    if s.ending != Ending.NOT_YET:
        parts.append(words.say("picture.ending"))
    return "  ".join(parts)


def _island(s: State) -> list[str]:
    lines = ["    " + " ".join(f"{letter:^4}" for letter in "abcdefghi")]
    for row in range(COLUMNS):
        for half in range(2):
            label = f"{row + 1:>2}  " if half == 0 else "    "
            spaces = (row * COLUMNS + column for column in range(COLUMNS))
            lines.append(label + " ".join(_half(s, space, half) for space in spaces))
        lines.append("")
    return lines[:-1]


def _half(s: State, space: int, half: int) -> str:
    """Two cells of a space: the ground of each and what stands on it."""
    tile = s.tile[space]
    if is_lava(tile):
        return f"#{HEADING_MARKS[s.turn[space]]}##"
    if tile == Tile.VOLCANO:
        return GROUND_MARKS[terrain_at(s, space * QUARTERS)] * 4
    if tile == Tile.EMPTY:
        return ".   " if half == 0 else "    "
    cells = (space * QUARTERS + 2 * half + column for column in range(2))
    return "".join(GROUND_MARKS[terrain_at(s, cell)] + _on(s, cell) for cell in cells)


def _on(s: State, cell: int) -> str:
    for seat in range(s.seats):
        if cell in s.explorer[seat]:
            return str(seat + 1)
    lying = load_label(s, cell)
    return "*" if len(lying) > 1 else lying or " "


def boat_label(s: State, boat: int, words: Catalogue) -> str:
    """A boat's colour and places, with a letter for each artefact aboard."""
    load = load_label(s, ArtefactPlace.ABOARD + boat)
    colour = words.say(f"colour.{BOX.boats[boat].colour}")
    return f"{colour}[{load:_<{box.PLACES[boat]}}]"


def load_label(s: State, place: int) -> str:
    """A letter for each artefact at a place."""
    return "".join(box.COLOUR_NAMES[box.COLOUR[n]][0] for n in artefacts_with(s, place))


def player_parts(s: State, seat: int, words: Catalogue) -> list[str]:
    """A player's points and tiles."""
    points = score(s, seat)
    key = f"picture.points.{'one' if points == 1 else 'many'}"
    tiles = " ".join(box.TILE_NAMES[tile] for tile in s.front[seat] if tile != Tile.NONE)
    return [words.say(key, points=points), words.say("picture.tiles", tiles=tiles or "-")]


def boats_of(s: State, seat: int, words: Catalogue) -> list[str]:
    return [boat_label(s, boat, words) for boat, at in enumerate(s.boat) if at == OWNED + seat]


def _player(s: State, seat: int, words: Catalogue) -> list[str]:
    to_move = seat == seat_to_move(s)
    parts = player_parts(s, seat, words)
    if to_move and s.pool:
        parts.append(words.say("picture.pool", pool=s.pool))
    saved = boats_of(s, seat, words)
    if lifted := load_label(s, ArtefactPlace.ON_CARD + seat):
        saved.append(words.say("picture.helicopter", load=lifted))
    rows = [_explorers(s, seat, words), saved, cards_of(s, seat, words)]
    start = hanging(f"{'→' if to_move else ' '} {seat + 1}  ", "  ".join(parts))
    return [start, *(hanging("     ", "  ".join(row)) for row in rows if row)]


def cards_of(s: State, seat: int, words: Catalogue) -> list[str]:
    """The cards of a hand, as one part; nothing if there are none."""
    cards = ["?" if card < 0 else box.CARD_NAMES[card] for card in s.hand[seat] if card != NO_CARD]
    return [words.say("picture.cards", cards=" ".join(cards))] if cards else []


def _explorers(s: State, seat: int, words: Catalogue) -> list[str]:
    parts = []
    off_board = {
        ExplorerPlace.UNPLACED: "-",
        ExplorerPlace.SAVED: words.say("picture.saved"),
        ExplorerPlace.LOST: words.say("picture.lost"),
        ExplorerPlace.LIFTED: words.say("picture.lifted"),
    }
    for number, place in enumerate(s.explorer[seat][: explorers_each(s)]):
        where = cell_name(place) if place >= 0 else off_board[place]
        load = load_label(s, carrier(seat, number)) if place >= 0 else ""
        parts.append(f"{number + 1}·{where}{f'[{load}]' if load else ''}")
    return parts
