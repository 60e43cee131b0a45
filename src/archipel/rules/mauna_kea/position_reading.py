"""Positions from text: a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=play turn=1 pool=2 board=d4:jjjl3.1,c5:s07.2 north=straight@e4n^0
    front1=jjjm3,jjll2 explorers1=d5nw,saved,lost white=c5nw,1.1,boat3 boats=n1,1,e1,...

A tile lies on a space after so many quarter turns; lava is told by its flows (`position_lava`).  An
explorer is on a cell, ``saved``, ``lifted``, ``lost`` or ``-`` (not yet placed); an artefact on a
cell, with an explorer (seat.number), on a boat, on a helicopter of a seat or ``out``; a boat in a
cove or in front of a seat.  Explorers and artefacts that are not listed are out of the game, boats
lie in the coves that are left, and cards are dealt.
Tiles that are nowhere else are in the bag, but for those in ``out``; where ``bag`` is given, it is
the other way round.  Cards may be ``?``.  Seats are numbered from 1.  ``box`` tells which data
files it was played with (MK-C6).
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.mauna_kea.box import BOX_NAME
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    ARTEFACTS,
    BAG_KINDS,
    BOATS,
    CARD_NAMES,
    CLOCK_ROUNDS,
    COLOUR,
    COLOUR_NAMES,
    COUNT,
    COVES,
    DEALT,
    EMPTY,
    EXPLORER_SPACE,
    FEWEST_SEATS,
    FIRST_LAVA,
    FIRST_START,
    FLOW_NAMES,
    FLOWS,
    KINDS,
    LEAST_TURN,
    MOST_SEATS,
    MOST_TILES,
    NO_TILE,
    PRINTED,
    REJECTED,
    SPACE_KIND,
    TILE_NAMES,
    VOLCANO,
    VOLCANO_SPACE,
)
from archipel.rules.mauna_kea.geometry import SPACES
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.position_cards import fill_hands
from archipel.rules.mauna_kea.position_checks import check_position
from archipel.rules.mauna_kea.position_lava import check_flows, read_flow
from archipel.rules.mauna_kea.position_names import (
    ENDINGS,
    LAYOUT_NUMBERS,
    PHASES,
    RESUMED,
    parts_of,
    read_artefact,
    read_boat,
    read_card,
    read_counts,
    read_explorer,
    read_space,
    read_tile,
    require,
)
from archipel.rules.mauna_kea.state import (
    CHOOSE,
    CLOCK,
    LOST,
    NOBODY,
    NOT_YET,
    PLACE,
    UNKNOWN,
    UNPLACED,
    State,
    explorers_each,
)
from archipel.rules.position_words import PositionWords
from archipel.rules.sentence import Sentence

#: More than any game has: what is added on the way must fit.
MOST_TURNS: Final = 20_000

_LAID: Final = re.compile(r"([a-i][1-9]):([a-z0-9-]+?)(?:\.([0-3]))?")
_HANDLED: Final = re.compile(r"([1-5])([+-])([wgb])")


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text.lower())
    box = words.text("box", BOX_NAME)
    require(
        box == BOX_NAME,
        "box={box}: this position is of another box than the one in use, {used} (MK-C6)",
        box=box,
        used=BOX_NAME,
    )
    s = State()
    s.seats = words.seats(FEWEST_SEATS, MOST_SEATS, "explorers", "front", "cards", "rejected")
    s.expert = words.switch("expert")
    s.layout = words.choice("layout", LAYOUT_NUMBERS)
    s.quiet_first_round = words.switch("quiet_first_round")
    _read_course(s, words)
    _read_board(s, words)
    for flow in range(FLOWS):
        read_flow(s, flow, words.text(FLOW_NAMES[flow], "-"))
    check_flows(s)
    _read_tiles(s, words)
    _read_explorers(s, words)
    _read_artefacts(s, words)
    _read_boats(s, words)
    _read_cards(s, words)
    words.finish()
    check_position(s)
    return s


def _read_course(s: State, words: PositionWords) -> None:
    s.phase = words.choice("phase", PHASES)
    s.to_move = words.number("turn", 1, s.seats, 1) - 1
    s.first = words.number("first", 1, s.seats, 1) - 1
    s.resume = words.choice("resume", RESUMED)
    s.active = words.seat("active", explorers_each(s))
    held = words.text("held", "-")
    if held != "-":
        s.held = read_tile("held", held, FIRST_LAVA)
    chosen = words.text("chosen", "-")
    if chosen != "-":
        s.chosen = read_space("chosen", chosen)
    card = words.text("card", "-")
    if card != "-":
        s.card = read_card("card", card, ACTION_KINDS)
    s.turn_number = words.number("number", 0, MOST_TURNS, 0)
    s.pool = words.number("pool", 0, 3 * MOST_TILES, 0)
    s.stirred = words.number("stirred", 0, 1, 0)
    s.ending = words.choice("ending", ENDINGS)
    most = CLOCK_ROUNDS * s.seats
    s.quiet_turns = words.number("quiet", 0, most, most if s.ending == CLOCK else 0)
    s.closer = words.seat("closer", s.seats)
    require(
        (s.ending in (NOT_YET, CLOCK)) == (s.closer == NOBODY),
        "closer: whose turn it was when the end began, if it did (MK-E2)",
    )


def _read_board(s: State, words: PositionWords) -> None:
    for space in range(SPACES):
        kind = SPACE_KIND[s.layout][space]
        s.tile[space] = {VOLCANO_SPACE: VOLCANO, EXPLORER_SPACE: PRINTED}.get(kind, EMPTY)
    for part in parts_of(words.text("board", "-")):
        match = _LAID.fullmatch(part)
        if not match:
            raise NotationError(
                Sentence("board: {part!r}: write a tile on a space as d4:jjjl3.1", part=part)
            )
        space = read_space("board", match[1])
        tile = read_tile("board", match[2], KINDS)
        require(
            s.tile[space] == EMPTY and not is_lava(tile),
            "board: {part}: no such tile can lie there (MK-T2)",
            part=part,
        )
        s.tile[space] = tile
        s.turn[space] = LEAST_TURN[tile][int(match[3] or 0)]


def _read_tiles(s: State, words: PositionWords) -> None:
    """The tiles that are not on the board."""
    found: Counter[int] = Counter(s.tile)
    for seat in range(s.seats):
        name = f"front{seat + 1}"
        tiles = sorted(
            read_tile(name, tile, FIRST_LAVA) for tile in parts_of(words.text(name, "-"))
        )
        require(
            len(tiles) <= MOST_TILES,
            "{name}: at most {most} tiles lie in front (MK-T4)",
            name=name,
            most=MOST_TILES,
        )
        s.front[seat][: len(tiles)] = tiles
        found.update(tiles)
    if s.held != NO_TILE:
        found[s.held] += 1
    aside = read_counts("aside", words.text("aside", "-"), FIRST_LAVA, FIRST_START)
    found.update(aside)
    for kind, count in aside.items():
        s.aside[kind - FIRST_LAVA] = count
    given = "bag" if "bag" in words else "out"
    counts = read_counts(given, words.text(given, "-"), 0, FIRST_START)
    require("out" not in words, "give bag or out, not both: the rest follows (MK-C1)")
    for kind in range(KINDS):
        rest = COUNT[kind] - found[kind] - counts[kind]
        require(
            rest >= 0,
            "{tile}: there are only {count} of these (MK-C1)",
            tile=TILE_NAMES[kind],
            count=COUNT[kind],
        )
        if kind >= BAG_KINDS:
            s.out[kind] = rest
        elif given == "bag":
            s.bag[kind], s.out[kind] = counts[kind], rest
        else:
            s.out[kind], s.bag[kind] = counts[kind], rest


def _read_explorers(s: State, words: PositionWords) -> None:
    each = explorers_each(s)
    missing = UNPLACED if s.phase in (CHOOSE, PLACE) else LOST
    for seat in range(s.seats):
        name = f"explorers{seat + 1}"
        places = [read_explorer(name, place) for place in parts_of(words.text(name, "-"))]
        require(
            len(places) <= each,
            "{name}: with {seats} players there are {each} each (MK-C1)",
            name=name,
            seats=s.seats,
            each=each,
        )
        s.explorer[seat][:each] = places + [missing] * (each - len(places))
    for part in parts_of(words.text("handled", "-")):
        match = _HANDLED.fullmatch(part)
        if not match:
            raise NotationError(
                Sentence("handled: {part!r}: write 1+w (took) or 1-w (put down) (MK-A2)", part=part)
            )
        shift = 0 if match[2] == "+" else len(COLOUR_NAMES)
        s.handled[int(match[1]) - 1] |= 1 << (shift + "wgb".index(match[3]))


def _read_artefacts(s: State, words: PositionWords) -> None:
    for colour, name in enumerate(COLOUR_NAMES):
        numbers = [artefact for artefact in range(ARTEFACTS) if COLOUR[artefact] == colour]
        places = [read_artefact(name, place) for place in parts_of(words.text(name, "-"))]
        require(
            len(places) <= len(numbers),
            "{name}: there are only {count} of these (MK-C1)",
            name=name,
            count=len(numbers),
        )
        for artefact, place in zip(numbers, places, strict=False):
            s.artefact[artefact] = place


def _read_boats(s: State, words: PositionWords) -> None:
    """Boats that are not named lie in the coves that are left, in their order."""
    places = [read_boat(s, place) for place in words.parts("boats")]
    require(len(places) <= BOATS, "boats: there are {count} of them (MK-C1)", count=BOATS)
    free = [cove for cove in range(COVES) if cove not in places]
    s.boat[:] = (places + free)[:BOATS]


def _read_cards(s: State, words: PositionWords) -> None:
    for seat in range(s.seats):
        for name, room in ((f"cards{seat + 1}", DEALT), (f"rejected{seat + 1}", REJECTED)):
            cards = [
                UNKNOWN if card == "?" else read_card(name, card, len(CARD_NAMES))
                for card in parts_of(words.text(name, "-"))
            ]
            require(len(cards) <= room, "{name}: at most {room} (MK-X1)", name=name, room=room)
            target = s.hand[seat] if room == DEALT else s.rejected[seat]
            target[: len(cards)] = sorted(cards)
    for card in parts_of(words.text("played", "-")):
        s.played[read_card("played", card, ACTION_KINDS)] += 1
    if s.expert:
        fill_hands(s)
