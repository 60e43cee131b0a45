"""Actions and positions as text, and back.

An action is a word or two: ``dive``, ``turn back``, ``swim on``, ``take``, ``put 2``, ``nothing``,
``lay 1``.  A position is a row of ``name=value`` words, in any order, each with a default::

    seats=3 round=1 air=21 turn=2 phase=search line=a1:0,a2?,o,... diver1=3>[a3?] diver2=sub> ...

Chips are named by level and number, a1 to d8, with their value or ``?``; ``+`` joins the chips of a
pile; ``o`` is a white disc.  A diver is a place (a space from 1, ``sub`` or ``home``), a direction
(``>`` out, ``<`` back) and a hand.  Seats are numbered from 1.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.deep_sea.components import (
    CHIPS,
    CHIPS_PER_LEVEL,
    CHIPS_PER_VALUE,
    DICE,
    DIE_RESULTS,
    FEWEST_SEATS,
    FULL_AIR,
    LONGEST_LINE,
    MOST_SEATS,
    MOST_UNITS_HELD,
    PILE,
    ROUNDS,
    VALUES_PER_LEVEL,
)
from archipel.rules.deep_sea.invariants import FAULTS, fault
from archipel.rules.deep_sea.knowledge import deal_unseen
from archipel.rules.deep_sea.round_end import round_is_over
from archipel.rules.deep_sea.state import (
    AS_CHOSEN,
    AS_TAKEN,
    DISC,
    DIVE,
    LAY,
    LAY_DOWN,
    NOBODY,
    NOTHING,
    OVER,
    PUT,
    SEARCH,
    SUBMARINE,
    SWIM_ON,
    TAKE,
    THROW,
    TURN_BACK,
    UNKNOWN,
    State,
    farthest_out,
)
from archipel.rules.deep_sea.turn import may_search
from archipel.rules.kit import Stream, clone
from archipel.rules.position_words import PositionWords

WORDS: Final = {
    "dive": DIVE,
    "turn back": TURN_BACK,
    "swim on": SWIM_ON,
    "nothing": NOTHING,
    "take": TAKE,
}
NUMBERED_WORDS: Final = {"put": PUT, "lay": LAY_DOWN}
HAND_PLACES: Final = tuple(str(place + 1) for place in range(MOST_UNITS_HELD))
LEVEL_LETTERS: Final = "abcd"
PHASES: Final = {"throw": THROW, "search": SEARCH, "lay": LAY, "over": OVER}
DROP_ORDERS: Final = {"taken": AS_TAKEN, "chosen": AS_CHOSEN}

_TEXTS: Final = {action: word for word, action in WORDS.items()} | {
    first + slot: f"{word} {slot + 1}"
    for word, first in NUMBERED_WORDS.items()
    for slot in range(MOST_UNITS_HELD)
}
_CHIP: Final = re.compile(r"([a-d])([1-8])(\?|:(\d{1,2}))?")
_CHIPS: Final = re.compile(r"([a-d])([1-8])-([a-d])([1-8])")
_DIVER: Final = re.compile(r"(home|(sub|[1-9]\d?)([<>]))(?:\[([^\[\]]*)\])?")


# ---- actions and dice ---------------------------------------------------------------------------


def action_text(s: State, action: int) -> str:
    return _TEXTS[action]


def parse_action(s: State, text: str) -> int:
    """The action a text names, legal or not."""
    words = " ".join(text.lower().split())
    if words in WORDS:
        return WORDS[words]
    name, _, number = words.partition(" ")
    if name in NUMBERED_WORDS:
        if not number and s.load[s.to_move] == 1:
            return NUMBERED_WORDS[name]
        if number in HAND_PLACES:
            return NUMBERED_WORDS[name] + HAND_PLACES.index(number)
        raise NotationError(
            f"{text!r}: say which unit of the hand, {name} 1 to {name} {MOST_UNITS_HELD}"
        )
    raise NotationError(
        f"{text!r} is not an action: say {', '.join(WORDS)}, put 1 to 6 or lay 1 to 6"
    )


def outcomes_text(s: State, action: int, outcomes: tuple[int, ...]) -> str:
    """The faces of the dice."""
    return " ".join(str(outcome + 1) for outcome in outcomes)


def parse_outcomes(s: State, action: int, text: str) -> tuple[int, ...]:
    faces = text.replace(",", " ").split()
    if len(faces) > DICE:
        raise NotationError(f"dice {text!r}: there are {DICE} dice (DS-C2)")
    for face in faces:
        if face not in {str(result + 1) for result in range(DIE_RESULTS)}:
            raise NotationError(f"dice {text!r}: a die shows 1, 2 or 3, not {face} (DS-C2)")
    return tuple(int(face) - 1 for face in faces)


# ---- writing positions --------------------------------------------------------------------------


@cache
def chip_name(chip: int) -> str:
    level, number = divmod(chip, CHIPS_PER_LEVEL)
    return f"{LEVEL_LETTERS[level]}{number + 1}"


@lru_cache(maxsize=4096)  # a server asks for the same few units again and again
def chips_in(unit: int) -> tuple[int, ...]:
    return tuple(chip for chip in range(CHIPS) if unit >> chip & 1)


def unit_text(s: State, unit: int) -> str:
    """A unit, each chip with its value or a question mark; ``o`` is a disc."""
    return _unit_text(unit, tuple(s.value[chip] for chip in chips_in(unit)))


@lru_cache(maxsize=4096)
def _unit_text(unit: int, values: tuple[int, ...]) -> str:
    if unit == DISC:
        return "o"
    return "+".join(
        chip_name(chip) + ("?" if value == UNKNOWN else f":{value}")
        for chip, value in zip(chips_in(unit), values, strict=True)
    )


def position_text(s: State) -> str:
    words = [
        f"seats={s.seats}",
        f"drop_order={_name(DROP_ORDERS, s.drop_order)}",
        f"round={s.round_number + 1}",
        f"air={s.air}",
        f"turn={s.to_move + 1}",
        f"phase={_name(PHASES, s.phase)}",
        f"starter={'-' if s.starter == NOBODY else s.starter + 1}",
        f"idle={s.idle_turns}",
        f"stirred={s.stirred}",
        f"pile_room={s.pile_room}",
        "line=" + (",".join(unit_text(s, unit) for unit in s.line[: s.line_length]) or "-"),
    ]
    for diver in range(s.seats):
        words.append(f"diver{diver + 1}={_diver_text(s, diver)}")
    for diver in range(s.seats):
        chips = chips_in(s.treasure[diver])
        words.append(
            f"treasure{diver + 1}=" + (",".join(unit_text(s, 1 << chip) for chip in chips) or "-")
        )
    return " ".join(words)


def _name(names: dict[str, int], number: int) -> str:
    return next(name for name, value in names.items() if value == number)


def _diver_text(s: State, diver: int) -> str:
    hand = ",".join(unit_text(s, unit) for unit in s.hand[diver][: s.load[diver]])
    held = f"[{hand}]" if hand else ""
    if s.home[diver]:
        return f"home{held}"
    place = "sub" if s.place[diver] == SUBMARINE else str(s.place[diver] + 1)
    return f"{place}{'<' if s.turned[diver] else '>'}{held}"


# ---- reading positions --------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text, "air=25")
    s = State()
    s.seats = words.number("seats", FEWEST_SEATS, MOST_SEATS)
    s.drop_order = words.choice("drop_order", DROP_ORDERS)
    s.round_number = words.number("round", 1, ROUNDS, 1) - 1
    s.air = words.number("air", 0, FULL_AIR, FULL_AIR)
    s.to_move = words.number("turn", 1, s.seats, 1) - 1
    s.phase = words.choice("phase", PHASES)
    s.starter = words.seat("starter", s.seats)
    s.idle_turns = words.number("idle", 0, s.seats, 0)
    s.stirred = words.number("stirred", 0, 1, 0)
    s.pile_room = words.number("pile_room", 0, PILE - 1, 0)
    reader = _ChipReader(s)
    for diver in range(s.seats):
        _read_diver(s, diver, words.text(f"diver{diver + 1}", "sub>"), reader)
        name = f"treasure{diver + 1}"
        for unit in reader.units(name, words.text(name, "-")):
            s.treasure[diver] |= unit
    _read_line(s, words.text("line", ""), reader)
    words.finish()
    _check(s, reader)
    return s


class _ChipReader:
    """Reads units, notes the values, and refuses a chip met twice."""

    def __init__(self, s: State) -> None:
        self.s = s
        self.met = 0

    def units(self, where: str, text: str) -> list[int]:
        """Units separated by commas; ``a1-a8`` is a row of single chips; ``-`` is none."""
        if text == "-":
            return []
        units: list[int] = []
        for part in text.split(","):
            if row := _CHIPS.fullmatch(part):
                first, last = _chip_number(row[1], row[2]), _chip_number(row[3], row[4])
                units += [self._meet(where, chip, None) for chip in range(first, last + 1)]
            elif part == "o":
                units.append(DISC)
            else:
                units.append(sum(self._chip(where, chip) for chip in part.split("+")))
        return units

    def _chip(self, where: str, text: str) -> int:
        match = _CHIP.fullmatch(text)
        if not match:
            raise NotationError(f"{where}: {text!r} is not a chip; write a1:0 or a1? (a1 to d8)")
        return self._meet(where, _chip_number(match[1], match[2]), match[4])

    def _meet(self, where: str, chip: int, value: str | None) -> int:
        if self.met >> chip & 1:
            raise NotationError(f"{where}: chip {chip_name(chip)} is already somewhere else")
        self.met |= 1 << chip
        if value is not None:
            level = chip // CHIPS_PER_LEVEL
            values = range(level * VALUES_PER_LEVEL, (level + 1) * VALUES_PER_LEVEL)
            same_level = self.s.value[level * CHIPS_PER_LEVEL : (level + 1) * CHIPS_PER_LEVEL]
            if int(value) not in values or same_level.count(int(value)) == CHIPS_PER_VALUE:
                raise NotationError(
                    f"{where}: {chip_name(chip)}:{value}: level {level + 1} has two chips each "
                    f"of {values[0]} to {values[-1]} (DS-C1)"
                )
            self.s.value[chip] = int(value)
        return 1 << chip


def _chip_number(letter: str, number: str) -> int:
    return LEVEL_LETTERS.index(letter) * CHIPS_PER_LEVEL + int(number) - 1


def _read_diver(s: State, diver: int, text: str, reader: _ChipReader) -> None:
    name = f"diver{diver + 1}"
    match = _DIVER.fullmatch(text)
    if not match:
        raise NotationError(f"{name}={text}: expected something like 4>, 7<[a1?,b2?], sub> or home")
    _, place, direction, hand = match.groups()
    units = reader.units(name, hand) if hand else []
    if len(units) > MOST_UNITS_HELD or DISC in units:
        raise NotationError(f"{name}={text}: a hand holds up to {MOST_UNITS_HELD} units (DS-T11)")
    s.home[diver] = int(place is None)
    s.turned[diver] = int(place is None or direction == "<")
    s.place[diver] = SUBMARINE if place in (None, "sub") else int(place) - 1
    s.load[diver] = len(units)
    s.hand[diver][: len(units)] = units


def _read_line(s: State, text: str, reader: _ChipReader) -> None:
    if not text:  # whatever is nowhere else lies on the line, in order
        units = [1 << chip for chip in range(CHIPS) if not reader.met >> chip & 1]
        reader.met |= sum(units)
    else:
        units = reader.units("line", text)
    if len(units) > LONGEST_LINE:
        raise NotationError(f"line: {len(units)} spaces, but there are at most {LONGEST_LINE}")
    s.line_length = len(units)
    s.line[: len(units)] = units


def _check(s: State, reader: _ChipReader) -> None:
    missing = [chip_name(chip) for chip in range(CHIPS) if not reader.met >> chip & 1]
    if missing:
        raise NotationError(f"where is {', '.join(missing)}? Every chip is somewhere (DS-C1)")
    for diver in range(s.seats):
        if any(s.value[chip] == UNKNOWN for chip in chips_in(s.treasure[diver])):
            raise NotationError(f"treasure{diver + 1}: treasure lies face up: give values (DS-E2)")
        s.points[diver] = sum(s.value[chip] for chip in chips_in(s.treasure[diver]))
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(f"{FAULTS[number]}")
    _check_phase(s)


def _check_phase(s: State) -> None:
    diver = s.to_move
    name = f"diver {diver + 1}"
    if s.phase == SEARCH and not may_search(s, diver):
        raise NotationError(f"phase=search: {name} has nothing to search (DS-T6, DS-T13)")
    if s.phase == THROW and round_is_over(s):
        raise NotationError("phase=throw: the round is over (DS-E1, DS-E7)")
    if s.phase == LAY:
        if s.drop_order != AS_CHOSEN or s.round_number == ROUNDS - 1 or s.load[diver] < 2:
            raise NotationError(f"phase=lay: {name} is not asked to lay units (DS-E8, DS-E11)")
        if diver != farthest_out(s):
            raise NotationError(f"phase=lay: {name} is not the farthest outside (DS-E3)")
    if s.phase == THROW and s.line_length == 0:
        raise NotationError("line=-: a round with an empty line is not played (DS-E9)")
