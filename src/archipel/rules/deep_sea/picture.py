"""The position as plain text, at most 80 columns wide."""

from __future__ import annotations

from typing import Final

from archipel.rules.catalogue import Catalogue, load_catalogue
from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, FULL_AIR, ROUNDS
from archipel.rules.deep_sea.notation import chips_in
from archipel.rules.deep_sea.state import DISC, SUBMARINE, UNKNOWN, Phase, State, seat_to_move
from archipel.rules.text_layout import hanging

SPACES_PER_ROW: Final = 8  # so that each row is one level at the start
CELL: Final = 9
MARGIN: Final = "  "
LEVELS: Final = ("I", "II", "III", "IV")


def picture(s: State, language: str) -> str:
    """The submarine and the air, the line, and each diver's hand, treasure and points."""
    words = load_catalogue("archipel.rules.deep_sea", language)
    gauge = "█" * (2 * s.air) + "░" * (2 * (FULL_AIR - s.air))
    lines = [
        MARGIN + round_text(s, words),
        f"{MARGIN}{words.say('picture.air')} {s.air:>2} {gauge}",
        f"{MARGIN}<{words.say('picture.submarine')}|  {'  '.join(_divers_at(s, SUBMARINE))}",
        "",
    ]
    lines += _rows(s) or [MARGIN + words.say("picture.empty_line")]
    lines += _piles(s, words)
    lines += ["", *_divers(s, words)]
    return "\n".join(line.rstrip() for line in lines)


def unit_label(s: State, unit: int) -> str:
    """The levels of a unit's chips, each with its value, or ``?`` if it is hidden."""
    return "+".join(_chip_label(s, chip) for chip in chips_in(unit))


def _chip_label(s: State, chip: int) -> str:
    value = "?" if s.value[chip] == UNKNOWN else f":{s.value[chip]}"
    return LEVELS[chip // CHIPS_PER_LEVEL] + value


def round_text(s: State, words: Catalogue) -> str:
    if s.phase == Phase.OVER:
        return words.say("picture.over")
    return words.say("picture.round", round=s.round_number + 1, rounds=ROUNDS)


def _divers_at(s: State, place: int) -> list[str]:
    return [_diver_mark(s, diver) for diver in range(s.seats) if s.place[diver] == place]


def _diver_mark(s: State, diver: int) -> str:
    """The diver's number with an arrow in the direction it faces; at home in brackets."""
    if s.home[diver]:
        return f"({diver + 1})"
    return f"◀{diver + 1}" if s.turned[diver] else f"{diver + 1}▶"


def _rows(s: State) -> list[str]:
    lines: list[str] = []
    for first in range(0, s.line_length, SPACES_PER_ROW):
        spaces = range(first, min(first + SPACES_PER_ROW, s.line_length))
        lines.append(MARGIN + "".join(f"{_space_mark(s, space):<{CELL}}" for space in spaces))
        lines.append(MARGIN + "".join(f"{space + 1:^4}{'':<{CELL - 4}}" for space in spaces))
    return lines


def _space_mark(s: State, space: int) -> str:
    return _unit_mark(s, s.line[space]) + "".join(_divers_at(s, space))


def _unit_mark(s: State, unit: int) -> str:
    chips = chips_in(unit)
    if unit == DISC:
        return "( )"
    if len(chips) > 1:
        return f"{{{len(chips)}}}"
    return f"[{_chip_label(s, chips[0]).removesuffix('?')}]"


def _piles(s: State, words: Catalogue) -> list[str]:
    units = enumerate(s.line[: s.line_length], 1)
    piles = [f"{n}={unit_label(s, unit)}" for n, unit in units if len(chips_in(unit)) > 1]
    if not piles:
        return []
    return ["", hanging(f"{MARGIN}{words.say('picture.piles')}  ", "  ".join(piles))]


def _divers(s: State, words: Catalogue) -> list[str]:
    lines = []
    for diver in range(s.seats):
        pointer = "→" if diver == seat_to_move(s) else " "
        parts = [f"{points_text(s, diver, words):<11}", place_text(s, diver, words)]
        hand = s.hand[diver][: s.load[diver]]
        if hand:
            units = [f"{number}·{unit_label(s, unit)}" for number, unit in enumerate(hand, 1)]
            parts.append(words.say("picture.holds", units="  ".join(units)))
        if s.treasure[diver]:
            values = " ".join(str(s.value[chip]) for chip in chips_in(s.treasure[diver]))
            parts.append(words.say("picture.treasure", values=values))
        lines.append(hanging(f"{pointer} {diver + 1}  ", "  ".join(parts)))
    return lines


def points_text(s: State, diver: int, words: Catalogue) -> str:
    points = s.points[diver]
    count = "none" if points == 0 else "one" if points == 1 else "many"
    return words.say(f"picture.points.{count}", points=points)


def place_text(s: State, diver: int, words: Catalogue) -> str:
    if s.home[diver]:
        return words.say("picture.place.home")
    if s.place[diver] == SUBMARINE:
        return words.say("picture.place.submarine")
    direction = "back" if s.turned[diver] else "out"
    return words.say(f"picture.place.{direction}", space=s.place[diver] + 1)
