"""Positions as text, and back.

A position is a row of ``name=value`` words, in any order, each with a default::

    seats=3 round=1 air=21 turn=2 phase=search line=a1:0,a2?,o,... diver1=3>[a3?] diver2=sub> ...

A chip is its name (a1 to d8) with its value or ``?``; ``+`` joins the chips of a pile; ``o`` is a
white disc, and ``a1-a8`` a row of single chips.  A diver is a place (a space from 1, ``sub`` or
``home``), a direction (``>`` out, ``<`` back) and a hand.  Chips that are named nowhere lie on the
line, with a disc where one was taken.  Seats are numbered from 1.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.deep_sea.components import (
    CHIPS,
    CHIPS_PER_LEVEL,
    CHIPS_PER_VALUE,
    FEWEST_SEATS,
    FULL_AIR,
    LONGEST_LINE,
    MOST_SEATS,
    MOST_UNITS_HELD,
    PILE,
    ROUNDS,
    VALUES_PER_LEVEL,
)
from archipel.rules.deep_sea.notation import LEVEL_LETTERS, PHASES, chip_name, chips_in
from archipel.rules.deep_sea.plausible import check_position
from archipel.rules.deep_sea.state import (
    AS_CHOSEN,
    AS_TAKEN,
    DISC,
    LAY,
    NOBODY,
    OVER,
    SEARCH,
    SUBMARINE,
    UNKNOWN,
    State,
    farthest_out,
)
from archipel.rules.position_words import PositionWords
from archipel.rules.sentence import Sentence

DROP_ORDERS: Final = {"taken": AS_TAKEN, "chosen": AS_CHOSEN}

_CHIP: Final = re.compile(r"([a-d])([1-8])(\?|:(\d{1,2}))?")
_CHIPS: Final = re.compile(r"([a-d])([1-8])-([a-d])([1-8])")
_DIVER: Final = re.compile(r"(home|(sub|[1-9]\d?)([<>]))(?:\[([^\[\]]*)\])?")


# ---- writing ------------------------------------------------------------------------------------


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


# ---- reading ------------------------------------------------------------------------------------


def parse_position(text: str) -> State:
    """The position a text describes; `NotationError` says what is wrong with it."""
    words = PositionWords(text, "air=25")
    s = State()
    s.seats = words.seats(FEWEST_SEATS, MOST_SEATS, "diver", "treasure")
    s.drop_order = words.choice("drop_order", DROP_ORDERS)
    s.phase = words.choice("phase", PHASES)
    s.round_number = words.number("round", 1, ROUNDS, ROUNDS if s.phase == OVER else 1) - 1
    s.air = words.number("air", 0, FULL_AIR, 0 if s.phase in (LAY, OVER) else FULL_AIR)
    s.to_move = words.number("turn", 1, s.seats, 1) - 1
    s.idle_turns = words.number("idle", 0, s.seats, 0)
    s.stirred = words.number("stirred", 0, 1, 1 if s.phase == SEARCH else 0)
    s.pile_room = words.number("pile_room", 0, PILE - 1, 0)
    reader = _ChipReader(s)
    for diver in range(s.seats):
        _read_diver(s, diver, words.text(f"diver{diver + 1}", "sub>"), reader)
        _read_treasure(s, diver, words.text(f"treasure{diver + 1}", "-"), reader)
    _read_line(s, words.text("line", ""), reader)
    # DS-E6: whoever is the farthest out when a round ends begins the next one.
    s.starter = words.seat("starter", s.seats, farthest_out(s) if s.phase == LAY else NOBODY)
    words.finish()
    reader.finish()
    check_position(s)
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

    def finish(self) -> None:
        missing = [chip_name(chip) for chip in range(CHIPS) if not self.met >> chip & 1]
        if missing:
            raise NotationError(
                Sentence(
                    "where is {chips}? Every chip is somewhere (DS-C1)", chips=", ".join(missing)
                )
            )

    def _chip(self, where: str, text: str) -> int:
        match = _CHIP.fullmatch(text)
        if not match:
            raise NotationError(
                Sentence(
                    "{where}: {text!r} is not a chip; write a1:0 or a1? (a1 to d8)",
                    where=where,
                    text=text,
                )
            )
        return self._meet(where, _chip_number(match[1], match[2]), match[4])

    def _meet(self, where: str, chip: int, value: str | None) -> int:
        if self.met >> chip & 1:
            raise NotationError(
                Sentence(
                    "{where}: chip {chip} is already somewhere else",
                    where=where,
                    chip=chip_name(chip),
                )
            )
        self.met |= 1 << chip
        if value is not None:
            level = chip // CHIPS_PER_LEVEL
            values = range(level * VALUES_PER_LEVEL, (level + 1) * VALUES_PER_LEVEL)
            same_level = self.s.value[level * CHIPS_PER_LEVEL : (level + 1) * CHIPS_PER_LEVEL]
            if int(value) not in values or same_level.count(int(value)) == CHIPS_PER_VALUE:
                raise NotationError(
                    Sentence(
                        "{where}: {chip}:{value}: level {level} has two chips each of {low} to "
                        "{high} (DS-C1)",
                        where=where,
                        chip=chip_name(chip),
                        value=value,
                        level=level + 1,
                        low=values[0],
                        high=values[-1],
                    )
                )
            self.s.value[chip] = int(value)
        return 1 << chip


def _chip_number(letter: str, number: str) -> int:
    return LEVEL_LETTERS.index(letter) * CHIPS_PER_LEVEL + int(number) - 1


def _read_diver(s: State, diver: int, text: str, reader: _ChipReader) -> None:
    name = f"diver{diver + 1}"
    match = _DIVER.fullmatch(text)
    if not match:
        raise NotationError(
            Sentence(
                "{name}={text}: expected something like 4>, 7<[a1?,b2?], sub> or home",
                name=name,
                text=text,
            )
        )
    _, place, direction, hand = match.groups()
    units = reader.units(name, hand) if hand else []
    if len(units) > MOST_UNITS_HELD or DISC in units:
        raise NotationError(
            Sentence(
                "{name}={text}: a hand holds up to {most} units (DS-T11)",
                name=name,
                text=text,
                most=MOST_UNITS_HELD,
            )
        )
    s.home[diver] = int(place is None)
    s.turned[diver] = int(place is None or direction == "<")
    s.place[diver] = SUBMARINE if place in (None, "sub") else int(place) - 1
    s.load[diver] = len(units)
    s.hand[diver][: len(units)] = units


def _read_treasure(s: State, diver: int, text: str, reader: _ChipReader) -> None:
    """DS-E2: chips that came home in an earlier round, turned up."""
    name = f"treasure{diver + 1}"
    for unit in reader.units(name, text):
        s.treasure[diver] |= unit
    for chip in chips_in(s.treasure[diver]):
        if s.value[chip] == UNKNOWN:
            raise NotationError(
                Sentence(
                    "{name}: treasure lies face up: give the value of {chip} (DS-E2)",
                    name=name,
                    chip=chip_name(chip),
                )
            )
        s.points[diver] += s.value[chip]


def _read_line(s: State, text: str, reader: _ChipReader) -> None:
    units = reader.units("line", text) if text else _line_left(s, reader)
    if len(units) > LONGEST_LINE:
        raise NotationError(
            Sentence(
                "line: {count} spaces, but there are at most {most}",
                count=len(units),
                most=LONGEST_LINE,
            )
        )
    s.line_length = len(units)
    s.line[: len(units)] = units


def _line_left(s: State, reader: _ChipReader) -> list[int]:
    """Whatever is nowhere else, in order, and a disc where a unit was taken in this round."""
    hands = [s.hand[diver][: s.load[diver]] for diver in range(s.seats)]
    taken = {chips_in(unit)[0] for hand in hands for unit in hand}
    units = []
    for chip in range(CHIPS):
        if chip in taken and s.phase != OVER:
            units.append(DISC)
        elif not reader.met >> chip & 1:
            units.append(1 << chip)
    reader.met |= sum(units)
    return units
