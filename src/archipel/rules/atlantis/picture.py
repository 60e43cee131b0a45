"""The position as text: plain characters, at most 80 columns wide."""

from __future__ import annotations

from typing import Final

from archipel.rules.atlantis import components as box
from archipel.rules.atlantis.board import BOARD, SHORE_OF, SPACES, TERRAIN_OF_SPACE
from archipel.rules.atlantis.box_files import ANIMAL_KINDS
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.names import NAMES, TRIBE_LETTERS, TRIBE_NAMES
from archipel.rules.atlantis.position import WORDS
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Phase, State, seat_to_move
from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.names import pieces_in
from archipel.rules.hex_sea.narration import aboard
from archipel.rules.hex_sea.places import LOST, WAITING
from archipel.rules.text_layout import hanging

HALF: Final = 3  # columns of text for half a space
LAND_MARKS: Final = ".n^"
ANIMAL_MARKS: Final = "msod"


def picture(s: State, language: str) -> str:
    """The board, the contents of occupied sea spaces, and each player's people."""
    words = load_catalogue("archipel.rules.atlantis", language)
    lines = [heading(s, words), "", *_rows(s), ""]
    lines += [hanging("", words.say(f"picture.legend.{part}")) for part in ("land", "pieces")]
    afloat = [text for space in range(SPACES) if (text := _afloat_text(s, space))]
    if afloat:
        lines += ["", hanging(f"{words.say('picture.there')}  ", "  ".join(afloat))]
    lines += ["", *(_seat(s, seat, words) for seat in range(s.seats))]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


def heading(s: State, words: Catalogue) -> str:
    """The state of the turn, and the pieces of the island left."""
    if s.phase == Phase.OVER:
        parts = [words.say("picture.over")]
    else:
        parts = [words.say("picture.turn", seat=s.turn + 1)]
    if s.points:
        parts.append(words.say("picture.points", points=s.points))
    if s.sinking != NOTHING:
        parts.append(words.say("picture.sinking", space=NAMES.space(s.sinking)))
    if s.spun != UNKNOWN:
        key = f"picture.spun.{ANIMAL_KINDS[s.spun]}"
        parts.append(words.say(key, part=box.PART_NAMES[s.part]))
    plains, hills, mountains = s.land_left
    parts.append(words.say("picture.pieces", plains=plains, hills=hills, mountains=mountains))
    return "  ".join(parts)


def _rows(s: State) -> list[str]:
    lines = []
    for row in range(BOARD.rows[-1] + 1):
        line = ""
        for space in range(SPACES):
            if BOARD.rows[space] == row:
                line = line.ljust(HALF * BOARD.half_columns[space]) + _mark(s, space)
        lines.append(f"{NAMES.space(BOARD.rows.index(row))[0]} {line}")
    return lines


def _mark(s: State, space: int) -> str:
    """The contents of a space in at most five characters."""
    tribes = "".join(TRIBE_LETTERS[box.TRIBE_OF[p]] for p in pieces_in(s.place, space))
    if not is_sea(s, space):
        return LAND_MARKS[TERRAIN_OF_SPACE[space]] + tribes
    boats = "".join(f"b{NAMES.boat(boat)}" for boat in pieces_in(s.boat, space))
    animals = "".join(ANIMAL_MARKS[box.KIND_OF[a]] for a in pieces_in(s.creature, space))
    text = ("*" if SHORE_OF[space] >= 0 else "") + boats + animals + tribes
    if len(text) >= 2 * HALF:
        text = text[: 2 * HALF - 2] + "&"
    return text or "~"


def _afloat_text(s: State, space: int) -> str:
    """The contents of a sea space with a boat, an animal or a swimmer."""
    if not is_sea(s, space) or (s.space[space] == 0 and s.crowd[space] == 0):
        return ""
    parts = []
    for boat in pieces_in(s.boat, space):
        crew = "+".join(map(NAMES.person, aboard(s, boat)))
        parts.append(f"b{NAMES.boat(boat)}" + (f"[{crew}]" if crew else ""))
    parts += [NAMES.creature(a).replace(" ", "") for a in pieces_in(s.creature, space)]
    parts += [f"{NAMES.person(p)}~" for p in pieces_in(s.place, space)]
    return f"{NAMES.space(space)}={','.join(parts)}"


def _seat(s: State, seat: int, words: Catalogue) -> str:
    pointer = "→" if seat == seat_to_move(s) else " "
    tribe = range(seat * box.PER_TRIBE, (seat + 1) * box.PER_TRIBE)
    waiting = sum(s.place[person] == WAITING for person in tribe)
    parts = [words.say(f"picture.tribe.{TRIBE_NAMES[seat]}")]
    if waiting:
        parts.append(words.say("picture.waiting", count=waiting))
    parts += [
        words.say("picture.saved", count=score(s, seat)),
        words.say("picture.lost", count=sum(s.place[person] == LOST for person in tribe)),
        words.say("picture.left", count=s.left[seat] - waiting),
    ]
    parts += [
        f"{NAMES.person(person)}={WORDS.place_text(s.place[person])}"
        for person in tribe
        if s.place[person] not in (LOST, WAITING)
    ]
    return hanging(f"{pointer} {seat + 1}  ", "  ".join(parts))
