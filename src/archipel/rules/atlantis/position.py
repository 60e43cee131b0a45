"""Positions as text, and back.

A position is a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=move turn=1 points=3 land=d4?,d5:boat,... sunk=d6:shark
    red=d4,d4,boat1,nw,lost,... blue=... boats=c3,d2 monsters=- sharks=d6 octopuses=- dolphins=x

A piece is its space and its symbol, or ``?``; ``sunk=plains`` names all pieces of a terrain, and
pieces that are named nowhere lie on the board.  A person is a place: a space, a boat, a Coral
Island, ``lost``, or ``-`` before it is placed; the people of a tribe stand in their order, and
those not named are lost.  Of boats and animals ``-`` is one in the stock, as those not named are,
and ``x`` one out of the game.  Seats are numbered from 1.  ``board`` tells which board it is
(AT-C7).
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
from archipel.rules.atlantis.names import (
    ISLAND_NUMBERS,
    SPACE_NUMBERS,
    TRIBE_NAMES,
    space_name,
    spun_name,
)
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.plausible import check_position
from archipel.rules.atlantis.sea import any_piece_left
from archipel.rules.atlantis.sea_words import WORDS
from archipel.rules.atlantis.state import (
    ANIMAL,
    ANIMAL_STEP,
    MOVE,
    MOVE_TO,
    NOT_OVER,
    NOTHING,
    OVER,
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
from archipel.rules.hex_sea.position import OFF_AND_ON, name_of
from archipel.rules.hex_sea.turn import TURNS_WITHOUT_EVENT
from archipel.rules.position_words import PositionWords
from archipel.rules.sentence import Sentence

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
TERRAIN_WORDS: Final = tuple(f"{terrain}s" for terrain in TERRAINS)
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
    s.seats = words.seats(FEWEST_SEATS, MOST_SEATS, names=TRIBE_NAMES)
    board = words.text("board", BOX.name)
    if board != BOX.name:
        raise NotationError(
            Sentence(
                "board={board}: this position is of another board than the one in use, {used} "
                "(AT-C7)",
                board=board,
                used=BOX.name,
            )
        )
    s.swimmers_land = words.switch("swimmers_land", "on")
    _read_turn(s, words)
    _read_pieces(s, words)
    _read_idle_turns(s, words)
    WORDS.read_boats(s, words)
    _read_animals(s, words)
    _read_people(s, words)
    words.finish()
    check_position(s)
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
        raise NotationError(
            Sentence(
                "spun={spun}: expected one of {known} (AT-C5)", spun=spun, known=", ".join(SPUN)
            )
        )
    s.spun, s.part = SPUN[spun]
    s.steps = words.number("steps", 0, 3, 0)
    s.origin = _read_space(words, "origin")
    s.sea_stepped = WORDS.read_people(words, "swam")
    s.ending = words.choice("ending", ENDINGS, "-")


def _read_idle_turns(s: State, words: PositionWords) -> None:
    """AT-E3: a turn that begins with no piece left counts."""
    most = TURNS_WITHOUT_EVENT * s.seats
    if s.ending == STALEMATE:
        usual = most
    else:
        usual = int(s.phase not in (PLACE, OVER) and not any_piece_left(s))
    s.idle_turns = words.number("idle", 0, most, usual)


def _read_space(words: PositionWords, name: str) -> int:
    value = words.text(name, "-")
    if value != "-" and value not in SPACE_NUMBERS:
        raise NotationError(
            Sentence("{name}={value}: there is no such space", name=name, value=value)
        )
    return NOTHING if value == "-" else SPACE_NUMBERS[value]


def _read_chosen(text: str) -> int:
    if text == "-":
        return NOTHING
    action = WORDS.read_chosen(text)
    if action is not None:
        return action
    raise NotationError(
        Sentence("chosen={text}: expected something like R3, boat2, shark1 or -", text=text)
    )


# ---- the island ---------------------------------------------------------------------------------


def _read_pieces(s: State, words: PositionWords) -> None:
    """Pieces that are named nowhere lie on the board."""
    met: set[int] = set()
    sunk: set[int] = set()
    for name in ("land", "sunk"):
        for part in words.parts(name):
            pieces = _read_piece(s, name, part)
            for piece in pieces:
                if piece in met:
                    raise NotationError(
                        Sentence(
                            "{name}: {part}: piece {space} is already named",
                            name=name,
                            part=part,
                            space=space_name(PIECE_SPACES[piece]),
                        )
                    )
                met.add(piece)
            sunk.update(pieces if name == "sunk" else ())
    _check_symbols(s)
    for piece in range(PIECES):
        if piece not in sunk:
            s.space[PIECE_SPACES[piece]] |= LAND
            s.land_left[TERRAIN_OF[piece]] += 1


def _read_piece(s: State, where: str, text: str) -> list[int]:
    """One piece, or all of a terrain. Symbols that are not told are dealt (AT-S1)."""
    if text in TERRAIN_WORDS:
        terrain = TERRAIN_WORDS.index(text)
        return [piece for piece in range(PIECES) if TERRAIN_OF[piece] == terrain]
    match = _PIECE.fullmatch(text)
    piece = PIECE_OF[SPACE_NUMBERS[match[1]]] if match and match[1] in SPACE_NUMBERS else -1
    if match is None or piece < 0:
        raise NotationError(
            Sentence(
                "{where}: {text!r} is not a piece; write d4? or d4:shark, or a terrain: {terrains}",
                where=where,
                text=text,
                terrains=", ".join(TERRAIN_WORDS),
            )
        )
    if match[2] is not None:
        if match[2] not in SYMBOLS:
            raise NotationError(
                Sentence(
                    "{where}: {text}: symbols are {known}",
                    where=where,
                    text=text,
                    known=", ".join(SYMBOLS),
                )
            )
        s.symbol[piece] = SYMBOLS.index(match[2])
    return [piece]


def _check_symbols(s: State) -> None:
    for terrain, name in enumerate(TERRAINS):
        known = Counter(s.symbol[piece] for piece in range(PIECES) if TERRAIN_OF[piece] == terrain)
        for symbol, count in enumerate(BOX.symbols[terrain]):
            if known[symbol] > count:
                raise NotationError(
                    Sentence(
                        "{known} {terrain} pieces bear {symbol}, but there are {count} (AT-C4)",
                        known=known[symbol],
                        terrain=Sentence(name),
                        symbol=SYMBOLS[symbol],
                        count=count,
                    )
                )
    _check_centre(s)


def _check_centre(s: State) -> None:
    """AT-C2: the largest mountain may have a symbol of its own, which then no other takes."""
    if CENTRE_SYMBOL < 0:
        return
    others = [
        space_name(PIECE_SPACES[piece])
        for piece in range(PIECES)
        if piece != CENTRE
        and TERRAIN_OF[piece] == TERRAIN_OF[CENTRE]
        and s.symbol[piece] == CENTRE_SYMBOL
    ]
    free = BOX.symbols[TERRAIN_OF[CENTRE]][CENTRE_SYMBOL] - len(others)
    if s.symbol[CENTRE] not in (UNKNOWN, CENTRE_SYMBOL) or free < 1:
        raise NotationError(
            Sentence(
                "{space} is the largest mountain, which bears {symbol} (AT-C2)",
                space=space_name(PIECE_SPACES[CENTRE]),
                symbol=SYMBOLS[CENTRE_SYMBOL],
            )
        )


# ---- pieces -------------------------------------------------------------------------------------


def _read_animals(s: State, words: PositionWords) -> None:
    for kind, word in enumerate(ANIMAL_WORDS):
        first = FIRST_OF_KIND[kind]
        places = WORDS.read_creatures(s, words, word, first, BOX.animals[kind], "-")
        for animal, space in enumerate(places, first):
            s.creature[animal] = space
            if space < SPACES:
                put_animal(s, animal, space)


def _read_people(s: State, words: PositionWords) -> None:
    absent = "-" if s.phase == PLACE else "lost"
    for tribe in range(TRIBES):
        name = TRIBE_NAMES[tribe]
        text = words.text(name, "")
        if tribe >= s.seats:
            if text not in ("", "-"):
                raise NotationError(Sentence("{name}: this tribe does not play (AT-C1)", name=name))
            continue
        parts = text.split(",") if text not in ("", "-") else []
        if len(parts) > PER_TRIBE:
            raise NotationError(
                Sentence("{name}: a tribe has {count} people (AT-C1)", name=name, count=PER_TRIBE)
            )
        for number, part in enumerate(parts + [absent] * (PER_TRIBE - len(parts))):
            _read_person(s, name, tribe * PER_TRIBE + number, part)


def _read_person(s: State, name: str, person: int, text: str) -> None:
    place = WORDS.read_place(text)
    if place is None:
        raise NotationError(
            Sentence(
                "{name}: {text!r} is not where a person can be; write f7, boat2, {island}, lost "
                "or -",
                name=name,
                text=text,
                island=next(iter(ISLAND_NUMBERS)),
            )
        )
    tribe = person // PER_TRIBE
    WORDS.take_aboard(s, person, place, tribe)
    if place < SPACES:
        s.crowd[place] += 1
    s.place[person] = place
    s.left[tribe] += not is_saved(s, person) and place != LOST
