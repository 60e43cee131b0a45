"""Positions from text: a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=play turn=1 pool=2 board=d4:jjjl3.1,c5:s07.2 north=straight@e4n^0
    front1=jjjm3,jjll2 explorers1=d5nw,saved,lost white=c5nw,1.1,boat3 boats=n1,1,e1,...

A tile lies on a space after so many quarter turns; lava is told by its flows (`position_lava`).  An
explorer is on a cell, ``saved``, ``lifted``, ``lost`` or ``-`` (not yet placed); an artefact on a
cell, with an explorer (seat.number), on a boat, on a helicopter of a seat or ``out``; a boat in a
cove or in front of a seat.  Explorers and artefacts that are not listed are out of the game.
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
    COVE_NAMES,
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
from archipel.rules.mauna_kea.position_checks import check_position
from archipel.rules.mauna_kea.position_lava import check_flows, read_flow
from archipel.rules.mauna_kea.position_names import (
    ENDINGS,
    LAYOUT_NUMBERS,
    PHASES,
    RESUMED,
    SWITCH,
    parts_of,
    read_artefact,
    read_boat,
    read_card,
    read_counts,
    read_explorer,
    read_space,
    read_tile,
)
from archipel.rules.mauna_kea.state import (
    CHOOSE,
    CLOCK,
    LOST,
    NO_CARD,
    NOBODY,
    NOT_YET,
    OVER,
    PLACE,
    UNKNOWN,
    UNPLACED,
    State,
    explorers_each,
)
from archipel.rules.position_words import PositionWords

_LAID: Final = re.compile(r"([a-i][1-9]):([a-z0-9-]+?)(?:\.([0-3]))?")
_HANDLED: Final = re.compile(r"([1-5])([+-])([wgb])")


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text.lower())
    box = words.text("box", BOX_NAME)
    if box != BOX_NAME:
        raise NotationError(
            f"box={box}: this position is of another box than the one in use, {BOX_NAME} (MK-C6)"
        )
    s = State()
    s.seats = words.number("seats", FEWEST_SEATS, MOST_SEATS)
    s.expert = words.choice("expert", SWITCH)
    s.layout = words.choice("layout", LAYOUT_NUMBERS)
    s.quiet_first_round = words.choice("quiet_first_round", SWITCH)
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
    s.turn_number = words.number("number", 0, 32000, 0)
    s.pool = words.number("pool", 0, 3 * MOST_TILES, 0)
    s.stirred = words.number("stirred", 0, 1, 0)
    s.quiet_turns = words.number("quiet", 0, CLOCK_ROUNDS * s.seats, 0)
    s.ending = words.choice("ending", ENDINGS)
    s.closer = words.seat("closer", s.seats)
    if (s.ending in (NOT_YET, CLOCK)) != (s.closer == NOBODY):
        raise NotationError("closer: whose turn it was when the end began, if it did (MK-E2)")


def _read_board(s: State, words: PositionWords) -> None:
    for space in range(SPACES):
        kind = SPACE_KIND[s.layout][space]
        s.tile[space] = {VOLCANO_SPACE: VOLCANO, EXPLORER_SPACE: PRINTED}.get(kind, EMPTY)
    for part in parts_of(words.text("board", "-")):
        match = _LAID.fullmatch(part)
        if not match:
            raise NotationError(f"board: {part!r}: write a tile on a space as d4:jjjl3.1")
        space = read_space("board", match[1])
        tile = read_tile("board", match[2], KINDS)
        if s.tile[space] != EMPTY or is_lava(tile):
            raise NotationError(f"board: {part}: no such tile can lie there (MK-T2)")
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
        if len(tiles) > MOST_TILES:
            raise NotationError(f"{name}: at most {MOST_TILES} tiles lie in front (MK-T4)")
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
    if "out" in words:
        raise NotationError("give bag or out, not both: the rest follows (MK-C1)")
    for kind in range(KINDS):
        rest = COUNT[kind] - found[kind] - counts[kind]
        if rest < 0:
            raise NotationError(
                f"{TILE_NAMES[kind]}: there are only {COUNT[kind]} of these (MK-C1)"
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
        if len(places) > each:
            raise NotationError(f"{name}: with {s.seats} players there are {each} each (MK-C1)")
        s.explorer[seat][:each] = places + [missing] * (each - len(places))
    for part in parts_of(words.text("handled", "-")):
        match = _HANDLED.fullmatch(part)
        if not match:
            raise NotationError(f"handled: {part!r}: write 1+w (took) or 1-w (put down) (MK-A2)")
        shift = 0 if match[2] == "+" else len(COLOUR_NAMES)
        s.handled[int(match[1]) - 1] |= 1 << (shift + "wgb".index(match[3]))


def _read_artefacts(s: State, words: PositionWords) -> None:
    for colour, name in enumerate(COLOUR_NAMES):
        numbers = [artefact for artefact in range(ARTEFACTS) if COLOUR[artefact] == colour]
        places = [read_artefact(name, place) for place in parts_of(words.text(name, "-"))]
        if len(places) > len(numbers):
            raise NotationError(f"{name}: there are only {len(numbers)} of these (MK-C1)")
        for artefact, place in zip(numbers, places, strict=False):
            s.artefact[artefact] = place


def _read_boats(s: State, words: PositionWords) -> None:
    boats = parts_of(words.text("boats", ",".join(COVE_NAMES[s.layout])))
    if len(boats) != BOATS:
        raise NotationError(f"boats: say where each of the {BOATS} is (MK-C1)")
    s.boat[:] = [read_boat(s, place) for place in boats]


def _read_cards(s: State, words: PositionWords) -> None:
    for seat in range(s.seats):
        for name, room in ((f"cards{seat + 1}", DEALT), (f"rejected{seat + 1}", REJECTED)):
            cards = [
                UNKNOWN if card == "?" else read_card(name, card, len(CARD_NAMES))
                for card in parts_of(words.text(name, "-"))
            ]
            if len(cards) > room:
                raise NotationError(f"{name}: at most {room} (MK-X1)")
            target = s.hand[seat] if room == DEALT else s.rejected[seat]
            target[: len(cards)] = sorted(cards)
    for card in parts_of(words.text("played", "-")):
        s.played[read_card("played", card, ACTION_KINDS)] += 1
    if s.expert:
        _fill_hands(s)


def _fill_hands(s: State) -> None:
    """MK-X1: of the six cards of each seat those that nothing is said about are unknown."""
    if s.phase == OVER:
        return
    said = [card for seat in range(s.seats) for card in s.hand[seat] + s.rejected[seat]]
    missing = DEALT * s.seats - sum(card != NO_CARD for card in said) - sum(s.played)
    for seat in range(s.seats):
        if s.phase != CHOOSE and s.rejected[seat][0] == NO_CARD and missing >= REJECTED:
            s.rejected[seat][:] = [UNKNOWN] * REJECTED
            missing -= REJECTED
    for seat in range(s.seats):
        if s.hand[seat][0] == NO_CARD:
            held = min(missing, DEALT if s.phase == CHOOSE else DEALT - REJECTED)
            s.hand[seat][:held] = [UNKNOWN] * held
            missing -= held
