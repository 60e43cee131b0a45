"""Positions as text, and back: a row of ``name=value`` words, in any order, each with a default::

    seats=2 phase=play turn=1 pool=2 board=d4:jjjl3.1,c5:s07.2 north=straight@e4n^0
    front1=jjjm3,jjll2 explorers1=d5nw,saved,lost white=c5nw,1.1,boat3 boats=n1,1,e1,...

A tile lies on a space after so many quarter turns.  The tiles of a lava flow come in their order,
each with its space, its heading and the number of the tile before it (0: the volcano).  An
explorer is on a cell, ``saved``, ``lifted``, ``lost`` or ``-`` (not yet placed); an artefact on a
cell, with an explorer (seat.number), on a boat, on a helicopter of a seat or ``out``; a boat in a
cove or in front of a seat.  Explorers and artefacts that are not listed are out of the game.
Tiles that are nowhere else are in the bag, but for those in ``out``; where ``bag`` is given, it is
the other way round.  Cards may be ``?``.  Seats are numbered from 1.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.mauna_kea.box import LAYOUTS
from archipel.rules.mauna_kea.cards import ground_of
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
    COVES,
    DEALT,
    EMPTY,
    EXPLORER_SPACE,
    FEWEST_SEATS,
    FIRST_HEADING,
    FIRST_LAVA,
    FIRST_SPACE,
    FIRST_START,
    FLOW_NAMES,
    FLOWS,
    KINDS,
    LEAST_TURN,
    MOST_EXPLORERS,
    MOST_LAVA,
    MOST_SEATS,
    MOST_TILES,
    NO_TILE,
    PRINTED,
    REJECTED,
    SPACE_KIND,
    TILE_NAMES,
    TILE_NUMBERS,
    VOLCANO,
    VOLCANO_SPACE,
)
from archipel.rules.mauna_kea.end import check_bag, check_end
from archipel.rules.mauna_kea.geometry import (
    CELL_NUMBERS,
    NEXT_SPACE,
    NOWHERE,
    SPACE_NUMBERS,
    SPACES,
    cell_name,
    space_name,
)
from archipel.rules.mauna_kea.invariants import FAULTS, fault
from archipel.rules.mauna_kea.knowledge import deal_unseen, unseen_of
from archipel.rules.mauna_kea.lava import can_take, end_at, exit_of, is_lava, next_in_arm
from archipel.rules.mauna_kea.reach import find_way
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CARD_CELL,
    CARD_EXPLORER,
    CARRIED,
    CHOOSE,
    CLOCK,
    EMPTY_BAG,
    EXPLORER,
    GONE,
    JUST_STIRRED,
    LEAVE,
    LIFTED,
    LOST,
    NO_CARD,
    NO_EXPLORER,
    NO_WAY_OUT,
    NOBODY,
    NOT_YET,
    ON_CARD,
    OVER,
    OWNED,
    PLACE,
    PLAY,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SAVED,
    SPACE,
    TURN,
    UNKNOWN,
    UNPLACED,
    State,
    explorers_each,
    explorers_on_island,
)
from archipel.rules.mauna_kea.turn import legal

PHASES: Final = {
    "play": PLAY,
    "choose": CHOOSE,
    "place": PLACE,
    "explorer": EXPLORER,
    "leave": LEAVE,
    "space": SPACE,
    "turn": TURN,
    "refill": REFILL,
    "card-explorer": CARD_EXPLORER,
    "card-cell": CARD_CELL,
    "quake-space": QUAKE_SPACE,
    "quake-turn": QUAKE_TURN,
    "quake-draw": QUAKE_DRAW,
    "over": OVER,
}
ENDINGS: Final = {
    "-": NOT_YET,
    "no-explorer": NO_EXPLORER,
    "no-way-out": NO_WAY_OUT,
    "clock": CLOCK,
    "empty-bag": EMPTY_BAG,
}
SWITCH: Final = {"off": 0, "on": 1}
LAYOUT_NUMBERS: Final = {name: number for number, name in enumerate(LAYOUTS)}
RESUMED: Final = {"play": PLAY, "refill": REFILL}
OFF_BOARD: Final = {"-": UNPLACED, "lost": LOST, "saved": SAVED, "lifted": LIFTED}

_HEADINGS: Final = "nesw"
_LAID: Final = re.compile(r"([a-i][1-9]):([a-z0-9-]+?)(?:\.([0-3]))?")
_FLOWED: Final = re.compile(r"([a-z]+)@([a-i][1-9])([nesw])\^(\d{1,2})")
_COUNTED: Final = re.compile(r"([a-z0-9-]+?)(?:\*(\d{1,2}))?")
_HANDLED: Final = re.compile(r"([1-5])([+-])([wgb])")


# ---- writing ------------------------------------------------------------------------------------


def position_text(s: State) -> str:
    """Words that have their default value are left out."""
    words = [
        f"seats={s.seats}",
        *_written("expert", _name(SWITCH, s.expert), "off"),
        *_written("layout", _name(LAYOUT_NUMBERS, s.layout), LAYOUTS[0]),
        *_written("quiet_first_round", _name(SWITCH, s.quiet_first_round), "off"),
        f"phase={_name(PHASES, s.phase)}",
        f"turn={s.to_move + 1}",
        f"first={_seat_text(s.first)}",
        *_written("resume", _name(RESUMED, s.resume), "play"),
        *_written("active", "-" if s.active == NOBODY else str(s.active + 1), "-"),
        *_written("held", tile_text(s.held), "-"),
        *_written("chosen", "-" if s.chosen == NOWHERE else space_name(s.chosen), "-"),
        *_written("card", "-" if s.card == NO_CARD else CARD_NAMES[s.card], "-"),
        *_written("number", str(s.turn_number), "0"),
        *_written("pool", str(s.pool), "0"),
        *_written("stirred", str(s.stirred), "0"),
        *_written("quiet", str(s.quiet_turns), "0"),
        *_written("ending", _name(ENDINGS, s.ending), "-"),
        *_written("closer", _seat_text(s.closer), "-"),
        *_written("board", _board_text(s), "-"),
        *(
            word
            for flow, name in enumerate(FLOW_NAMES)
            for word in _written(name, _flow_text(s, flow), "-")
        ),
        *_written("aside", _counts_text([0] * FIRST_LAVA + s.aside), "-"),
        *_written("out", _counts_text(s.out[:FIRST_START]), "-"),
    ]
    for seat in range(s.seats):
        tiles = [tile_text(tile) for tile in s.front[seat] if tile != NO_TILE]
        words += _written(f"front{seat + 1}", ",".join(tiles) or "-", "-")
    for seat in range(s.seats):
        places = s.explorer[seat][: explorers_each(s)]
        words.append(f"explorers{seat + 1}=" + ",".join(explorer_text(place) for place in places))
    words += _written("handled", _handled_text(s), "-")
    for colour, name in enumerate(COLOUR_NAMES):
        places = [s.artefact[a] for a in range(ARTEFACTS) if COLOUR[a] == colour]
        while places and places[-1] == GONE:
            places.pop()
        words += _written(name, ",".join(artefact_text(place) for place in places) or "-", "-")
    words.append("boats=" + ",".join(boat_text(s, place) for place in s.boat))
    for seat in range(s.seats):
        words += _written(f"cards{seat + 1}", _cards_text(s.hand[seat]), "-")
        words += _written(f"rejected{seat + 1}", _cards_text(s.rejected[seat]), "-")
    played = [CARD_NAMES[kind] for kind in range(ACTION_KINDS) for _ in range(s.played[kind])]
    words += _written("played", ",".join(played) or "-", "-")
    return " ".join(words)


def _written(name: str, value: str, default: str) -> list[str]:
    return [] if value == default else [f"{name}={value}"]


def _name(names: dict[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def _seat_text(seat: int) -> str:
    return "-" if seat == NOBODY else str(seat + 1)


def tile_text(tile: int) -> str:
    return "-" if tile == NO_TILE else TILE_NAMES[tile]


def _board_text(s: State) -> str:
    laid = [
        f"{space_name(space)}:{TILE_NAMES[tile]}" + (f".{s.turn[space]}" if s.turn[space] else "")
        for space, tile in enumerate(s.tile)
        if tile < KINDS and not is_lava(tile)
    ]
    return ",".join(laid) or "-"


def _flow_text(s: State, flow: int) -> str:
    tiles = []
    for node in range(s.flow_length[flow]):
        space = s.flow_space[flow][node]
        shape = TILE_NAMES[s.tile[space]].partition("-")[2]
        heading = _HEADINGS[s.turn[space]]
        tiles.append(f"{shape}@{space_name(space)}{heading}^{s.flow_from[flow][node] + 1}")
    return ",".join(tiles) or "-"


def _counts_text(counts: list[int]) -> str:
    tiles = [
        TILE_NAMES[kind] + (f"*{count}" if count > 1 else "")
        for kind, count in enumerate(counts)
        if count
    ]
    return ",".join(tiles) or "-"


def explorer_text(place: int) -> str:
    return cell_name(place) if place >= 0 else _name(OFF_BOARD, place)


def artefact_text(place: int) -> str:
    if place == GONE:
        return "out"
    if place < CARRIED:
        return cell_name(place)
    if place < ABOARD:
        seat, explorer = divmod(place - CARRIED, MOST_EXPLORERS)
        return f"{seat + 1}.{explorer + 1}"
    return f"boat{place - ABOARD + 1}" if place < ON_CARD else f"helicopter{place - ON_CARD + 1}"


def boat_text(s: State, place: int) -> str:
    return COVE_NAMES[s.layout][place] if place < OWNED else str(place - OWNED + 1)


def _handled_text(s: State) -> str:
    parts = [
        f"{explorer + 1}{sign}{COLOUR_NAMES[colour][0]}"
        for explorer, bits in enumerate(s.handled)
        for shift, sign in ((0, "+"), (len(COLOUR_NAMES), "-"))
        for colour in range(len(COLOUR_NAMES))
        if bits >> (shift + colour) & 1
    ]
    return ",".join(parts) or "-"


def _cards_text(cards: list[int]) -> str:
    names = ["?" if card == UNKNOWN else CARD_NAMES[card] for card in cards if card != NO_CARD]
    return ",".join(names) or "-"


# ---- reading ------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = _words(text)
    s = State()
    s.seats = _number(words, "seats", FEWEST_SEATS, MOST_SEATS, None)
    s.expert = _choice(words, "expert", SWITCH)
    s.layout = _choice(words, "layout", LAYOUT_NUMBERS)
    s.quiet_first_round = _choice(words, "quiet_first_round", SWITCH)
    _read_course(s, words)
    _read_board(s, words)
    for flow in range(FLOWS):
        _read_flow(s, flow, words.pop(FLOW_NAMES[flow], "-"))
    _check_flows(s)
    _read_tiles(s, words)
    _read_pieces(s, words)
    _read_cards(s, words)
    if words:
        raise NotationError(f"{next(iter(words))}: a position has no such word")
    _check(s)
    return s


def _words(text: str) -> dict[str, str]:
    words: dict[str, str] = {}
    for word in text.lower().split():
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
    if not (value.isascii() and value.isdigit() and len(value) < 6 and low <= int(value) <= high):
        raise NotationError(f"{name}={value}: expected a number from {low} to {high}")
    return int(value)


def _choice(words: dict[str, str], name: str, choices: dict[str, int]) -> int:
    value = words.pop(name, next(iter(choices)))
    if value not in choices:
        raise NotationError(f"{name}={value}: expected one of {', '.join(choices)}")
    return choices[value]


def _number_or_none(words: dict[str, str], name: str, high: int) -> int:
    if words.get(name, "-") == "-":
        words.pop(name, None)
        return -1
    return _number(words, name, 1, high, None) - 1


def _parts(value: str) -> list[str]:
    return [] if value == "-" else value.split(",")


def _read_course(s: State, words: dict[str, str]) -> None:
    s.phase = _choice(words, "phase", PHASES)
    s.to_move = _number(words, "turn", 1, s.seats, 1) - 1
    s.first = _number(words, "first", 1, s.seats, 1) - 1
    s.resume = _choice(words, "resume", RESUMED)
    s.active = _number_or_none(words, "active", explorers_each(s))
    held = words.pop("held", "-")
    if held != "-":
        s.held = _kind("held", held, FIRST_LAVA)
    chosen = words.pop("chosen", "-")
    if chosen != "-":
        s.chosen = _space("chosen", chosen)
    card = words.pop("card", "-")
    if card != "-":
        s.card = _card("card", card, ACTION_KINDS)
    s.turn_number = _number(words, "number", 0, 32000, 0)
    s.pool = _number(words, "pool", 0, 3 * MOST_TILES, 0)
    s.stirred = _number(words, "stirred", 0, 1, 0)
    s.quiet_turns = _number(words, "quiet", 0, CLOCK_ROUNDS * s.seats, 0)
    s.ending = _choice(words, "ending", ENDINGS)
    s.closer = _number_or_none(words, "closer", s.seats)
    if (s.ending in (NOT_YET, CLOCK)) != (s.closer == NOBODY):
        raise NotationError("closer: whose turn it was when the end began, if it did (MK-E2)")


def _kind(where: str, name: str, kinds: int) -> int:
    kind = TILE_NUMBERS.get(name, KINDS)
    if kind >= kinds:
        raise NotationError(f"{where}: {name!r} is not a tile for this; one is jjjl3 (MK-C1)")
    return kind


def _space(where: str, name: str) -> int:
    if name not in SPACE_NUMBERS:
        raise NotationError(f"{where}: {name!r} is not a space; they are a1 to i9 (MK-C2)")
    return SPACE_NUMBERS[name]


def _card(where: str, name: str, kinds: int) -> int:
    if name not in CARD_NAMES[:kinds]:
        known = ", ".join(CARD_NAMES[:kinds])
        raise NotationError(f"{where}: {name!r} is not a card for this: {known} (MK-X1)")
    return CARD_NAMES.index(name)


def _read_board(s: State, words: dict[str, str]) -> None:
    for space in range(SPACES):
        kind = SPACE_KIND[s.layout][space]
        s.tile[space] = {VOLCANO_SPACE: VOLCANO, EXPLORER_SPACE: PRINTED}.get(kind, EMPTY)
    for part in _parts(words.pop("board", "-")):
        match = _LAID.fullmatch(part)
        if not match:
            raise NotationError(f"board: {part!r}: write a tile on a space as d4:jjjl3.1")
        space = _space("board", match[1])
        tile = _kind("board", match[2], KINDS)
        if s.tile[space] != EMPTY or is_lava(tile):
            raise NotationError(f"board: {part}: no such tile can lie there (MK-T2)")
        s.tile[space] = tile
        s.turn[space] = LEAST_TURN[tile][int(match[3] or 0)]


def _read_flow(s: State, flow: int, value: str) -> None:
    name = FLOW_NAMES[flow]
    for node, part in enumerate(_parts(value)):
        match = _FLOWED.fullmatch(part)
        if not match or node == MOST_LAVA:
            raise NotationError(f"{name}: {part!r}: write a lava tile as straight@e4n^0")
        tile = TILE_NUMBERS.get(f"{name}-{match[1]}", KINDS)
        space = _space(name, match[2])
        before = int(match[4]) - 1
        if tile == KINDS or before >= node or s.tile[space] == VOLCANO or is_lava(s.tile[space]):
            raise NotationError(f"{name}: {part}: no such lava tile can lie there (MK-L1)")
        if FIRST_START <= s.tile[space] < KINDS or s.tile[space] < FIRST_LAVA:
            raise NotationError(f"{name}: {part}: lava covers the tile there: list only the lava")
        s.tile[space] = tile
        s.turn[space] = _HEADINGS.index(match[3])
        s.flow_space[flow][node] = space
        s.flow_from[flow][node] = before
        s.flow_length[flow] = node + 1


def _check_flows(s: State) -> None:
    """MK-L1, MK-L4: each lava tile lies where the flow could have brought it. Each is taken away in
    turn, the last first, and must be able to come back."""
    world = clone(s)
    for flow in range(FLOWS):
        for node in reversed(range(world.flow_length[flow])):
            space = world.flow_space[flow][node]
            kind, heading = world.tile[space], world.turn[space]
            before = world.flow_from[flow][node]
            world.tile[space] = EMPTY
            world.flow_length[flow] = node
            end = end_at(before, heading)
            exits = [exit_of(world, flow, before, number) for number in range(2) if before >= 0]
            fits = before < 0 or heading in exits
            ahead = _ahead(world, flow, before, heading, space)
            taken = next_in_arm(world, flow, before, heading) >= 0
            if not fits or not ahead or taken or not can_take(world, kind, end):
                raise NotationError(
                    f"{FLOW_NAMES[flow]}: the tile on {space_name(space)} does not prolong the "
                    f"flow (MK-L1, MK-L4)"
                )
            world.tile[space] = kind


def _ahead(s: State, flow: int, before: int, heading: int, space: int) -> bool:
    """Whether a space lies straight ahead of a tile of a flow, with nothing but lava between."""
    if before < 0:
        if FIRST_HEADING[s.layout][flow] != heading:
            return False
        place = FIRST_SPACE[s.layout][flow]
    else:
        place = NEXT_SPACE[heading][s.flow_space[flow][before]]
    while place not in (NOWHERE, space) and is_lava(s.tile[place]):
        place = NEXT_SPACE[heading][place]
    return place == space


def _read_counts(where: str, value: str, first: int, end: int) -> Counter[int]:
    counts: Counter[int] = Counter()
    for part in _parts(value):
        match = _COUNTED.fullmatch(part)
        kind = TILE_NUMBERS.get(match[1], KINDS) if match else KINDS
        if not match or not first <= kind < end:
            raise NotationError(f"{where}: {part!r}: write tiles as jjjl3 or jjjl3*2 (MK-C1)")
        counts[kind] += int(match[2] or 1)
    return counts


def _read_tiles(s: State, words: dict[str, str]) -> None:
    found: Counter[int] = Counter(s.tile)
    for seat in range(s.seats):
        name = f"front{seat + 1}"
        tiles = sorted(_kind(name, tile, FIRST_LAVA) for tile in _parts(words.pop(name, "-")))
        if len(tiles) > MOST_TILES:
            raise NotationError(f"{name}: at most {MOST_TILES} tiles lie in front (MK-T4)")
        s.front[seat][: len(tiles)] = tiles
        found.update(tiles)
    if s.held != NO_TILE:
        found[s.held] += 1
    aside = _read_counts("aside", words.pop("aside", "-"), FIRST_LAVA, FIRST_START)
    found.update(aside)
    for kind, count in aside.items():
        s.aside[kind - FIRST_LAVA] = count
    given = "bag" if "bag" in words else "out"
    counts = _read_counts(given, words.pop(given, "-"), 0, FIRST_START)
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


def _read_pieces(s: State, words: dict[str, str]) -> None:
    each = explorers_each(s)
    missing = UNPLACED if s.phase in (CHOOSE, PLACE) else LOST
    for seat in range(s.seats):
        name = f"explorers{seat + 1}"
        places = [_explorer(name, place) for place in _parts(words.pop(name, "-"))]
        if len(places) > each:
            raise NotationError(f"{name}: with {s.seats} players there are {each} each (MK-C1)")
        s.explorer[seat][:each] = places + [missing] * (each - len(places))
    for part in _parts(words.pop("handled", "-")):
        match = _HANDLED.fullmatch(part)
        if not match:
            raise NotationError(f"handled: {part!r}: write 1+w (took) or 1-w (put down) (MK-A2)")
        shift = 0 if match[2] == "+" else len(COLOUR_NAMES)
        s.handled[int(match[1]) - 1] |= 1 << (shift + "wgb".index(match[3]))
    for colour, name in enumerate(COLOUR_NAMES):
        numbers = [artefact for artefact in range(ARTEFACTS) if COLOUR[artefact] == colour]
        places = [_artefact_place(s, name, place) for place in _parts(words.pop(name, "-"))]
        if len(places) > len(numbers):
            raise NotationError(f"{name}: there are only {len(numbers)} of these (MK-C1)")
        for artefact, place in zip(numbers, places, strict=False):
            s.artefact[artefact] = place
    boats = _parts(words.pop("boats", ",".join(COVE_NAMES[s.layout])))
    if len(boats) != BOATS:
        raise NotationError(f"boats: say where each of the {BOATS} is (MK-C1)")
    s.boat[:] = [_boat_place(s, place) for place in boats]


def _explorer(name: str, place: str) -> int:
    if place in OFF_BOARD:
        return OFF_BOARD[place]
    if place not in CELL_NUMBERS:
        raise NotationError(f"{name}: {place!r}: expected a cell like e4nw, saved, lifted or lost")
    return CELL_NUMBERS[place]


def _artefact_place(s: State, name: str, place: str) -> int:
    if place == "out":
        return GONE
    if place in CELL_NUMBERS:
        return CELL_NUMBERS[place]
    if match := re.fullmatch(r"([1-4])\.([1-5])", place):
        return CARRIED + (int(match[1]) - 1) * MOST_EXPLORERS + int(match[2]) - 1
    if match := re.fullmatch(r"boat([1-8])", place):
        return ABOARD + int(match[1]) - 1
    if match := re.fullmatch(r"helicopter([1-4])", place):
        return ON_CARD + int(match[1]) - 1
    raise NotationError(
        f"{name}: {place!r}: expected a cell like e4nw, an explorer like 1.2, boat1, helicopter1 "
        f"or out"
    )


def _boat_place(s: State, place: str) -> int:
    names = COVE_NAMES[s.layout]
    if place in names:
        return names.index(place)
    if place.isascii() and place.isdigit() and 1 <= int(place) <= s.seats:
        return COVES + int(place) - 1
    raise NotationError(f"boats: {place!r}: expected a cove ({', '.join(names)}) or a seat")


def _read_cards(s: State, words: dict[str, str]) -> None:
    for seat in range(s.seats):
        for name, room in ((f"cards{seat + 1}", DEALT), (f"rejected{seat + 1}", REJECTED)):
            cards = [
                UNKNOWN if card == "?" else _card(name, card, len(CARD_NAMES))
                for card in _parts(words.pop(name, "-"))
            ]
            if len(cards) > room:
                raise NotationError(f"{name}: at most {room} (MK-X1)")
            target = s.hand[seat] if room == DEALT else s.rejected[seat]
            target[: len(cards)] = sorted(cards)
    for card in _parts(words.pop("played", "-")):
        s.played[_card("played", card, ACTION_KINDS)] += 1
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


# ---- checking -----------------------------------------------------------------------------------


def _check(s: State) -> None:
    world = clone(s)
    for kind in range(len(CARD_NAMES)):
        if unseen_of(s, kind) < 0:
            raise NotationError(f"{CARD_NAMES[kind]}: there are not so many of these (MK-X9)")
    deal_unseen(world, Stream())
    if s.phase == CARD_CELL:
        _mark_way(s)
    if number := fault(world):
        raise NotationError(FAULTS[number])
    _check_stage(s)
    if s.phase in (CHOOSE, PLACE):
        _check_placing(s)
    elif s.ending == NOT_YET:
        world.stirred = JUST_STIRRED
        check_end(world)
        check_bag(world)
        if world.ending != NOT_YET:
            raise NotationError(
                f"ending: by now the game is ending ({_name(ENDINGS, world.ending)}): "
                f"{'MK-X3' if s.expert else 'MK-E1'}"
            )


def _mark_way(s: State) -> None:
    if s.active == NOBODY or s.card not in (0, 1, 2) or s.explorer[s.to_move][s.active] < 0:
        raise NotationError("phase=card-cell: say which card and which active explorer (MK-X5)")
    find_way(s, s.to_move, s.active, ground_of(s.card))


def _check_stage(s: State) -> None:
    """Only what belongs to a phase is there, and there is something to decide."""
    phase = _name(PHASES, s.phase)
    if (s.held != NO_TILE) != (s.phase in (SPACE, TURN)):
        raise NotationError(f"phase={phase}: held is the tile being laid (MK-T2)")
    if (s.chosen != NOWHERE) != (s.phase in (TURN, QUAKE_TURN)):
        raise NotationError(f"phase={phase}: chosen is the space of the tile (MK-T2, MK-X7)")
    with_card = (CARD_EXPLORER, CARD_CELL, QUAKE_SPACE, QUAKE_TURN, QUAKE_DRAW)
    if s.phase in with_card and s.card == NO_CARD:
        raise NotationError(f"phase={phase}: card is the card being played (MK-X4)")
    if s.card != NO_CARD and s.phase not in (*with_card, SPACE, TURN):
        raise NotationError(f"phase={phase}: no card is being played (MK-X4)")
    if s.active != NOBODY and s.explorer[s.to_move][s.active] < 0:
        raise NotationError("active: that explorer is not on the island (MK-M1)")
    if s.active == NOBODY and s.phase in (EXPLORER, LEAVE):
        raise NotationError(f"phase={phase}: active is the explorer meant (MK-T1)")
    if s.expert == 0 and s.phase in (CHOOSE, REFILL, *with_card):
        raise NotationError(f"phase={phase}: only in the expert game (MK-X4)")
    if s.phase == OVER and s.ending == NOT_YET:
        raise NotationError("phase=over: say why it ended, as in ending=no-explorer (MK-E1)")
    if s.phase != OVER and legal(s, [0] * 400) == 0:
        raise NotationError(f"phase={phase}: there is nothing to decide (MK-T1)")


def _check_placing(s: State) -> None:
    """MK-S2, MK-X1: how far each seat must be when it is this one's turn."""
    order = [(s.first - step) % s.seats for step in range(s.seats)]
    placed = [explorers_on_island(s, seat) for seat in order]
    turn = order.index(s.to_move)
    if s.phase == PLACE:
        expected = [placed[turn] + (1 if step < turn else 0) for step in range(s.seats)]
        if placed != expected or placed[turn] == explorers_each(s):
            raise NotationError("explorers are placed one at a time, counter-clockwise (MK-S2)")
    elif any(placed):
        raise NotationError("phase=choose: explorers are placed after the cards (MK-X1)")
