"""Positions as text, and back.

A position is a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=move turn=1 points=3 land=d4?,d5:boat,... sunk=d6:shark
    red=d4,d4,boat1,nw,lost,... blue=... boats=c3,d2 monsters=- sharks=d6 octopuses=- dolphins=x

A piece is its space and its symbol, or ``?``; pieces that are named nowhere lie on the board.  A
person is a place: a space, a boat, a Coral Island, ``lost``, or ``-`` before it is placed; the
people of a tribe stand in their order.  Of boats and animals ``-`` is one in the stock and ``x``
one out of the game.  Seats are numbered from 1.  ``board`` tells which board it is (AT-C7).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.atlantis.animals import put_animal
from archipel.rules.atlantis.board import (
    CENTRE,
    PIECE_OF,
    PIECE_SPACES,
    PIECES,
    SPACES,
    TERRAIN_OF,
)
from archipel.rules.atlantis.box import ANIMAL_KINDS, BOX, SYMBOLS, TERRAINS, TRIBES
from archipel.rules.atlantis.components import (
    CENTRE_SYMBOL,
    FEWEST_SEATS,
    FIRST_OF_KIND,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PER_TRIBE,
)
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.names import (
    ISLAND_NUMBERS,
    NAMES,
    SPACE_NUMBERS,
    TRIBE_NAMES,
    space_name,
    spun_name,
)
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.plausible import check_phase
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_PIECE,
    ANIMAL_STEP,
    BOAT,
    MOVE,
    MOVE_TO,
    NOT_OVER,
    NOTHING,
    OVER,
    PERSON,
    PLACE,
    RELOCATE,
    RELOCATE_TO,
    SINK,
    STALEMATE,
    TRIBE_GONE,
    UNKNOWN,
    State,
)
from archipel.rules.contract import NotationError
from archipel.rules.hex_sea.places import LAND, LOST
from archipel.rules.hex_sea.position import OFF_AND_ON, SeaWords, name_of
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.kit import Stream, clone
from archipel.rules.position_words import PositionWords

PHASES: Final = {
    "place": PLACE,
    "move": MOVE,
    "move_to": MOVE_TO,
    "sink": SINK,
    "relocate": RELOCATE,
    "relocate_to": RELOCATE_TO,
    "animal": ANIMAL,
    "animal_step": ANIMAL_STEP,
    "over": OVER,
}
ENDINGS: Final = {"-": NOT_OVER, "tribe_gone": TRIBE_GONE, "stalemate": STALEMATE}
ANIMAL_WORDS: Final = ("monsters", "sharks", "octopuses", "dolphins")
SPUN: Final = {"-": (UNKNOWN, 0)} | {
    spun_name(kind, part): (kind, part) for kind in range(len(ANIMAL_KINDS)) for part in range(1, 5)
}

WORDS: Final = SeaWords(
    NAMES,
    a_person="a person",
    person_action=PERSON,
    boat_action=BOAT,
    creature_action=ANIMAL_PIECE,
    box_rule="AT-C1",
    boat_rule="AT-B2",
    crew_rule="AT-M2",
    creature_rule="AT-X4",
)

_PIECE: Final = re.compile(r"([a-z]\d+)(?:\?|:([a-z]+))?")


# ---- writing ------------------------------------------------------------------------------------


def position_text(s: State) -> str:
    words = [
        f"seats={s.seats}",
        f"board={BOX.name}",
        f"swimmers_land={name_of(OFF_AND_ON, s.swimmers_land)}",
        f"phase={name_of(PHASES, s.phase)}",
        f"turn={s.turn + 1}",
        f"points={s.points}",
        f"chosen={chosen_text(s.chosen)}",
        f"sinking={_space_text(s.sinking)}",
        f"spun={'-' if s.spun == UNKNOWN else spun_name(s.spun, s.part)}",
        f"steps={s.steps}",
        f"origin={_space_text(s.origin)}",
        f"swam={WORDS.people_text(s.sea_stepped)}",
        f"idle={s.idle_turns}",
        f"ending={name_of(ENDINGS, s.ending)}",
        f"land={_pieces_text(s, on_board=True)}",
        f"sunk={_pieces_text(s, on_board=False)}",
    ]
    for tribe in range(s.seats):
        first = tribe * PER_TRIBE
        people = (WORDS.place_text(s.place[first + number]) for number in range(PER_TRIBE))
        words.append(f"{TRIBE_NAMES[tribe]}={','.join(people)}")
    words.append("boats=" + ",".join(map(WORDS.piece_text, s.boat)))
    for kind, word in enumerate(ANIMAL_WORDS):
        animals = s.creature[FIRST_OF_KIND[kind] : FIRST_OF_KIND[kind + 1]]
        words.append(f"{word}=" + ",".join(map(WORDS.piece_text, animals)))
    return " ".join(words)


def chosen_text(chosen: int) -> str:
    return "-" if chosen == NOTHING else WORDS.chosen_text(chosen)


def _space_text(space: int) -> str:
    return "-" if space == NOTHING else space_name(space)


def _pieces_text(s: State, on_board: bool) -> str:
    pieces = [p for p in range(PIECES) if (s.space[PIECE_SPACES[p]] & LAND != 0) == on_board]
    return ",".join(_piece_text(s, piece) for piece in pieces) or "-"


def _piece_text(s: State, piece: int) -> str:
    symbol = "?" if s.symbol[piece] == UNKNOWN else f":{SYMBOLS[s.symbol[piece]]}"
    return f"{space_name(PIECE_SPACES[piece])}{symbol}"


# ---- reading ------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text)
    s = State()
    s.seats = words.number("seats", FEWEST_SEATS, MOST_SEATS)
    board = words.text("board", BOX.name)
    if board != BOX.name:
        raise NotationError(
            f"board={board}: this position is of another board than the one in use, {BOX.name} "
            "(AT-C7)"
        )
    s.swimmers_land = words.choice("swimmers_land", OFF_AND_ON, "on")
    _read_turn(s, words)
    _read_pieces(s, words)
    WORDS.read_boats(s, words)
    _read_animals(s, words)
    _read_people(s, words)
    words.finish()
    _check(s)
    return s


# ---- whose decision it is -----------------------------------------------------------------------


def _read_turn(s: State, words: PositionWords) -> None:
    s.phase = words.choice("phase", PHASES, "move")
    s.turn = words.number("turn", 1, s.seats, 1) - 1
    moving = s.phase in (MOVE, MOVE_TO)
    s.points = words.number("points", 0, MOVEMENT_POINTS, MOVEMENT_POINTS if moving else 0)
    s.chosen = _read_chosen(words.text("chosen", "-"))
    s.sinking = _read_space(words, "sinking")
    spun = words.text("spun", "-")
    if spun not in SPUN:
        raise NotationError(f"spun={spun}: expected one of {', '.join(SPUN)} (AT-C5)")
    s.spun, s.part = SPUN[spun]
    s.steps = words.number("steps", 0, 3, 0)
    s.origin = _read_space(words, "origin")
    s.sea_stepped = WORDS.read_people(words, "swam")
    s.idle_turns = words.number("idle", 0, TURNS_WITHOUT_EVENT * s.seats, 0)
    s.ending = words.choice("ending", ENDINGS, "-")


def _read_space(words: PositionWords, name: str) -> int:
    value = words.text(name, "-")
    if value != "-" and value not in SPACE_NUMBERS:
        raise NotationError(f"{name}={value}: there is no such space")
    return NOTHING if value == "-" else SPACE_NUMBERS[value]


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    action = WORDS.read_chosen(text)
    if action is not None:
        return action
    raise NotationError(f"chosen={text}: expected something like R3, boat2, shark1 or -")


# ---- the island ---------------------------------------------------------------------------------


def _read_pieces(s: State, words: PositionWords) -> None:
    """Pieces that are named nowhere lie on the board."""
    met: set[int] = set()
    sunk: set[int] = set()
    for name in ("land", "sunk"):
        text = words.text(name, "-")
        for part in text.split(",") if text != "-" else ():
            piece = _read_piece(s, name, part)
            if piece in met:
                raise NotationError(f"{name}: piece {part} is already named")
            met.add(piece)
            if name == "sunk":
                sunk.add(piece)
                if s.symbol[piece] == UNKNOWN:
                    raise NotationError(f"sunk: {part}: it was shown: give its symbol (AT-K4)")
    _check_symbols(s)
    for piece in range(PIECES):
        if piece not in sunk:
            s.space[PIECE_SPACES[piece]] |= LAND
            s.land_left[TERRAIN_OF[piece]] += 1


def _read_piece(s: State, where: str, text: str) -> int:
    match = _PIECE.fullmatch(text)
    piece = PIECE_OF[SPACE_NUMBERS[match[1]]] if match and match[1] in SPACE_NUMBERS else -1
    if match is None or piece < 0:
        raise NotationError(f"{where}: {text!r} is not a piece; write d4? or d4:shark")
    if match[2] is not None:
        if match[2] not in SYMBOLS:
            raise NotationError(f"{where}: {text}: symbols are {', '.join(SYMBOLS)}")
        s.symbol[piece] = SYMBOLS.index(match[2])
    return piece


def _check_symbols(s: State) -> None:
    for terrain, name in enumerate(TERRAINS):
        known = Counter(s.symbol[piece] for piece in range(PIECES) if TERRAIN_OF[piece] == terrain)
        for symbol, count in enumerate(BOX.symbols[terrain]):
            if known[symbol] > count:
                raise NotationError(
                    f"{known[symbol]} {name} pieces bear {SYMBOLS[symbol]}, but there are {count} "
                    "(AT-C4)"
                )
    if CENTRE_SYMBOL >= 0 and s.symbol[CENTRE] not in (UNKNOWN, CENTRE_SYMBOL):
        raise NotationError(f"the largest mountain bears {SYMBOLS[CENTRE_SYMBOL]} (AT-C2)")


# ---- pieces -------------------------------------------------------------------------------------


def _read_animals(s: State, words: PositionWords) -> None:
    for kind, word in enumerate(ANIMAL_WORDS):
        places = WORDS.read_creatures(s, words, word, BOX.animals[kind])
        for animal, space in enumerate(places, FIRST_OF_KIND[kind]):
            s.creature[animal] = space
            if space < SPACES:
                put_animal(s, animal, space)


def _read_people(s: State, words: PositionWords) -> None:
    absent = "-" if s.phase == PLACE else "lost"
    for tribe in range(TRIBES):
        name = TRIBE_NAMES[tribe]
        text = words.text(name, "")
        if tribe >= s.seats:
            if text:
                raise NotationError(f"{name}: this tribe does not play (AT-C1)")
            continue
        parts = text.split(",") if text else []
        if len(parts) > PER_TRIBE:
            raise NotationError(f"{name}: a tribe has {PER_TRIBE} people (AT-C1)")
        for number, part in enumerate(parts + [absent] * (PER_TRIBE - len(parts))):
            _read_person(s, name, tribe * PER_TRIBE + number, part)


def _read_person(s: State, name: str, person: int, text: str) -> None:
    place = WORDS.read_place(text)
    if place is None:
        raise NotationError(
            f"{name}: {text!r} is not where a person can be; write f7, boat2, "
            f"{next(iter(ISLAND_NUMBERS))}, lost or -"
        )
    tribe = person // PER_TRIBE
    WORDS.take_aboard(s, name, text, place, tribe)
    if place < SPACES:
        s.crowd[place] += 1
    s.place[person] = place
    s.left[tribe] += not is_saved(s, person) and place != LOST


def _check(s: State) -> None:
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    check_phase(world)
