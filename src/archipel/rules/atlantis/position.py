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
    ANIMALS,
    BOATS,
    CENTRE_SYMBOL,
    FEWEST_SEATS,
    FIRST_OF_KIND,
    MOST_SEATS,
    MOVEMENT_POINTS,
    PEOPLE,
    PER_TRIBE,
    TURNS_WITHOUT_EVENT,
)
from archipel.rules.atlantis.end import is_saved
from archipel.rules.atlantis.invariants import FAULTS, fault
from archipel.rules.atlantis.knowledge import deal_unseen
from archipel.rules.atlantis.names import (
    ISLAND_NUMBERS,
    SPACE_NUMBERS,
    TRIBE_NAMES,
    animal_name,
    boat_name,
    island_name,
    person_name,
    person_number,
    space_name,
    spun_name,
)
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
from archipel.rules.hex_sea.boats import load, put_boat
from archipel.rules.hex_sea.places import ABOARD, BOAT_ROOM, GONE, IN_STOCK, LAND, LOST, WAITING
from archipel.rules.kit import Stream, clone

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
OFF_AND_ON: Final = {"off": 0, "on": 1}
ANIMAL_WORDS: Final = ("monsters", "sharks", "octopuses", "dolphins")
SPUN: Final = {"-": (UNKNOWN, 0)} | {
    spun_name(kind, part): (kind, part) for kind in range(len(ANIMAL_KINDS)) for part in range(1, 5)
}

_PIECE: Final = re.compile(r"([a-z]\d+)(?:\?|:([a-z]+))?")


# ---- writing ------------------------------------------------------------------------------------


def position_text(s: State) -> str:
    words = [
        f"seats={s.seats}",
        f"board={BOX.name}",
        f"swimmers_land={_name(OFF_AND_ON, s.swimmers_land)}",
        f"phase={_name(PHASES, s.phase)}",
        f"turn={s.turn + 1}",
        f"points={s.points}",
        f"chosen={_chosen_text(s.chosen)}",
        f"sinking={_space_text(s.sinking)}",
        f"spun={'-' if s.spun == UNKNOWN else spun_name(s.spun, s.part)}",
        f"steps={s.steps}",
        f"origin={_space_text(s.origin)}",
        f"swam={_people_text(s.sea_stepped)}",
        f"idle={s.idle_turns}",
        f"ending={_name(ENDINGS, s.ending)}",
        f"land={_pieces_text(s, on_board=True)}",
        f"sunk={_pieces_text(s, on_board=False)}",
    ]
    for tribe in range(s.seats):
        first = tribe * PER_TRIBE
        people = (_person_text(s.place[first + number]) for number in range(PER_TRIBE))
        words.append(f"{TRIBE_NAMES[tribe]}={','.join(people)}")
    words.append("boats=" + ",".join(map(piece_text, s.boat)))
    for kind, word in enumerate(ANIMAL_WORDS):
        animals = s.animal[FIRST_OF_KIND[kind] : FIRST_OF_KIND[kind + 1]]
        words.append(f"{word}=" + ",".join(map(piece_text, animals)))
    return " ".join(words)


def _name(names: dict[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def _space_text(space: int) -> str:
    return "-" if space == NOTHING else space_name(space)


def _chosen_text(chosen: int) -> str:
    if chosen == NOTHING:
        return "-"
    if chosen < BOAT:
        return person_name(chosen - PERSON)
    if chosen < ANIMAL_PIECE:
        return f"boat{boat_name(chosen - BOAT)}"
    return animal_name(chosen - ANIMAL_PIECE).replace(" ", "")


def _people_text(people: int) -> str:
    return ",".join(person_name(number) for number in range(PEOPLE) if people >> number & 1) or "-"


def _pieces_text(s: State, on_board: bool) -> str:
    pieces = [p for p in range(PIECES) if (s.space[PIECE_SPACES[p]] & LAND != 0) == on_board]
    return ",".join(_piece_text(s, piece) for piece in pieces) or "-"


def _piece_text(s: State, piece: int) -> str:
    symbol = "?" if s.symbol[piece] == UNKNOWN else f":{SYMBOLS[s.symbol[piece]]}"
    return f"{space_name(PIECE_SPACES[piece])}{symbol}"


def _person_text(place: int) -> str:
    if place >= ABOARD:
        return {WAITING: "-", LOST: "lost"}.get(place) or f"boat{boat_name(place - ABOARD)}"
    return space_name(place) if place < SPACES else island_name(place - SPACES)


def piece_text(space: int) -> str:
    """The place of a boat or an animal."""
    return {IN_STOCK: "-", GONE: "x"}.get(space) or space_name(space)


# ---- reading ------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = _words(text)
    s = State()
    s.seats = _number(words, "seats", FEWEST_SEATS, MOST_SEATS, None)
    board = words.pop("board", BOX.name)
    if board != BOX.name:
        raise NotationError(
            f"board={board}: this position is of another board than the one in use, {BOX.name} "
            "(AT-C7)"
        )
    s.swimmers_land = _choice(words, "swimmers_land", OFF_AND_ON, "on")
    _read_turn(s, words)
    _read_pieces(s, words)
    _read_boats_and_animals(s, words)
    _read_people(s, words)
    if words:
        raise NotationError(f"{next(iter(words))}: a position has no such word")
    _check(s)
    return s


def _words(text: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise NotationError(f"{word!r}: a position is made of words like seats=2")
        if name in words:
            raise NotationError(f"{name} is given twice")
        words[name] = value
    return words


def _number(words: dict[str, str], name: str, low: int, high: int, default: int | None) -> int:
    value = words.pop(name, None)
    if value is None and default is not None:
        return default
    if value is None:
        raise NotationError(f"{name} is missing: write {name}={low} to {name}={high}")
    if not (value.isascii() and value.isdigit() and len(value) < 4 and low <= int(value) <= high):
        raise NotationError(f"{name}={value}: expected a number from {low} to {high}")
    return int(value)


def _choice(words: dict[str, str], name: str, choices: dict[str, int], default: str) -> int:
    value = words.pop(name, default)
    if value not in choices:
        raise NotationError(f"{name}={value}: expected one of {', '.join(choices)}")
    return choices[value]


def _space(words: dict[str, str], name: str) -> int:
    value = words.pop(name, "-")
    if value != "-" and value not in SPACE_NUMBERS:
        raise NotationError(f"{name}={value}: there is no such space")
    return NOTHING if value == "-" else SPACE_NUMBERS[value]


# ---- whose decision it is -----------------------------------------------------------------------


def _read_turn(s: State, words: dict[str, str]) -> None:
    s.phase = _choice(words, "phase", PHASES, "move")
    s.turn = _number(words, "turn", 1, s.seats, 1) - 1
    moving = s.phase in (MOVE, MOVE_TO)
    s.points = _number(words, "points", 0, MOVEMENT_POINTS, MOVEMENT_POINTS if moving else 0)
    s.chosen = _read_chosen(words.pop("chosen", "-"))
    s.sinking = _space(words, "sinking")
    spun = words.pop("spun", "-")
    if spun not in SPUN:
        raise NotationError(f"spun={spun}: expected one of {', '.join(SPUN)} (AT-C5)")
    s.spun, s.part = SPUN[spun]
    s.steps = _number(words, "steps", 0, 3, 0)
    s.origin = _space(words, "origin")
    s.sea_stepped = _read_set(words, "swam")
    s.idle_turns = _number(words, "idle", 0, TURNS_WITHOUT_EVENT * s.seats, 0)
    s.ending = _choice(words, "ending", ENDINGS, "-")


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    person = person_number(text)
    if person is not None:
        return PERSON + person
    for action in range(BOAT, ANIMAL_PIECE + ANIMALS):
        if _chosen_text(action) == text:
            return action
    raise NotationError(f"chosen={text}: expected something like R3, boat2, shark1 or -")


def _read_set(words: dict[str, str], name: str) -> int:
    text = words.pop(name, "-")
    found = 0
    for part in text.split(",") if text != "-" else ():
        person = person_number(part)
        if person is None:
            raise NotationError(f"{name}={text}: {part!r} is not a person such as R3")
        found |= 1 << person
    return found


# ---- the island ---------------------------------------------------------------------------------


def _read_pieces(s: State, words: dict[str, str]) -> None:
    """Pieces that are named nowhere lie on the board."""
    met: set[int] = set()
    sunk: set[int] = set()
    for name in ("land", "sunk"):
        text = words.pop(name, "-")
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
            s.pieces_left[TERRAIN_OF[piece]] += 1


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


def _read_boats_and_animals(s: State, words: dict[str, str]) -> None:
    for boat, space in enumerate(_read_places("boats", words.pop("boats", "-"), BOATS)):
        s.boat[boat] = space
        if space < SPACES:
            if s.space[space] & LAND or s.boat.index(space) < boat:
                raise NotationError(
                    f"boats: {space_name(space)}: one boat on each sea space (AT-B2)"
                )
            put_boat(s, boat, space)
    for kind, word in enumerate(ANIMAL_WORDS):
        places = _read_places(word, words.pop(word, "-"), BOX.animals[kind])
        for number, space in enumerate(places):
            s.animal[FIRST_OF_KIND[kind] + number] = space
            if space < SPACES:
                if s.space[space] & LAND:
                    raise NotationError(f"{word}: {space_name(space)} is land (AT-X4)")
                put_animal(s, FIRST_OF_KIND[kind] + number, space)


def _read_places(name: str, text: str, count: int) -> list[int]:
    """Places separated by commas; those that are not given are in the stock."""
    parts = text.split(",")
    if len(parts) > count:
        raise NotationError(f"{name}: {len(parts)} places, but there are {count} (AT-C1)")
    spaces = []
    for part in parts:
        if part not in SPACE_NUMBERS and part not in ("-", "x"):
            raise NotationError(f"{name}: {part!r} is not a space; write f7, - (stock) or x (gone)")
        spaces.append({"-": IN_STOCK, "x": GONE}.get(part) or SPACE_NUMBERS.get(part, 0))
    return spaces + [IN_STOCK] * (count - len(parts))


def _read_people(s: State, words: dict[str, str]) -> None:
    absent = "-" if s.phase == PLACE else "lost"
    for tribe in range(TRIBES):
        name = TRIBE_NAMES[tribe]
        text = words.pop(name, None)
        if tribe >= s.seats:
            if text is not None:
                raise NotationError(f"{name}: this tribe does not play (AT-C1)")
            continue
        parts = text.split(",") if text is not None else []
        if len(parts) > PER_TRIBE:
            raise NotationError(f"{name}: a tribe has {PER_TRIBE} people (AT-C1)")
        for number, part in enumerate(parts + [absent] * (PER_TRIBE - len(parts))):
            _read_person(s, name, tribe * PER_TRIBE + number, part)


def _read_person(s: State, name: str, person: int, text: str) -> None:
    place = _read_place(text)
    if place is None:
        raise NotationError(
            f"{name}: {text!r} is not where a person can be; write f7, boat2, "
            f"{next(iter(ISLAND_NUMBERS))}, lost or -"
        )
    tribe = person // PER_TRIBE
    if ABOARD <= place < ABOARD + BOATS:
        boat = place - ABOARD
        if s.boat[boat] >= SPACES or load(s, boat) == BOAT_ROOM:
            raise NotationError(
                f"{name}: {text}: the boat is not on the board, or has three aboard (AT-M2)"
            )
        s.aboard[boat][tribe] += 1
    elif place < SPACES:
        s.crowd[place] += 1
    s.place[person] = place
    s.left[tribe] += not is_saved(s, person) and place != LOST


def _read_place(text: str) -> int | None:
    if text in SPACE_NUMBERS:
        return SPACE_NUMBERS[text]
    if text in ISLAND_NUMBERS:
        return SPACES + ISLAND_NUMBERS[text]
    for boat in range(BOATS):
        if text == f"boat{boat_name(boat)}":
            return ABOARD + boat
    return {"lost": LOST, "-": WAITING}.get(text)


def _check(s: State) -> None:
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    check_phase(world)
