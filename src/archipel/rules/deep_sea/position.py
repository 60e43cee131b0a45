"""Positions as text, and back: the words, and the positions that can occur in a game.

``seats=3 round=1 air=21 turn=2 phase=search line=a1:0,a2?,o,... diver1=3>[a3?] diver2=sub> ...``
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from archipel.rules.deep_sea import components as box
from archipel.rules.deep_sea.invariants import FAULTS, fault
from archipel.rules.deep_sea.knowledge import deal_unseen
from archipel.rules.deep_sea.notation import LEVEL_LETTERS, PHASES, chip_name, chips_in
from archipel.rules.deep_sea.round_end import chooses_next
from archipel.rules.deep_sea.state import (
    DISC,
    NOBODY,
    SUBMARINE,
    UNKNOWN,
    DropOrder,
    Phase,
    State,
    divers_not_home,
    farthest_out,
    is_occupied,
)
from archipel.rules.deep_sea.turn import may_search
from archipel.rules.position_fields import (
    Choice,
    Field,
    Number,
    PositionTable,
    Reading,
    SeatOrNobody,
    Written,
    listed,
    numbered,
    refuse,
    seats_field,
    seats_of,
)

DROP_ORDERS: Final = {
    "piled": DropOrder.AS_PILED,
    "taken": DropOrder.AS_TAKEN,
    "chosen": DropOrder.AS_CHOSEN,
}
DIVERS: Final = numbered("diver", box.MOST_SEATS)
TREASURES: Final = numbered("treasure", box.MOST_SEATS)

_CHIP: Final = re.compile(r"([a-d])([1-8])(\?|:(\d{1,2}))?")
_CHIPS: Final = re.compile(r"([a-d])([1-8])-([a-d])([1-8])")
_DIVER: Final = re.compile(r"(home|(sub|[1-9]\d?)([<>]))(?:\[([^\[\]]*)\])?")


def units_text(s: State, units: list[int]) -> str:
    return listed([_unit_text(u, tuple(s.value[chip] for chip in chips_in(u))) for u in units])


@lru_cache(maxsize=4096)
def _unit_text(unit: int, values: tuple[int, ...]) -> str:
    if unit == DISC:
        return "o"
    return "+".join(
        chip_name(chip) + ("?" if value == UNKNOWN else f":{value}")
        for chip, value in zip(chips_in(unit), values, strict=True)
    )


def _read_units(at: Reading[State], parts: list[str]) -> list[int]:
    """Read units and note the values of their chips."""
    units: list[int] = []
    for part in parts:
        if row := _CHIPS.fullmatch(part):
            first, last = _chip_number(row[1], row[2]), _chip_number(row[3], row[4])
            units += [_name_chip(at, chip, None) for chip in range(first, last + 1)]
        elif part == "o":
            units.append(DISC)
        else:
            units.append(sum(_read_chip(at, chip) for chip in part.split("+")))
    return units


def _chip_number(letter: str, number: str) -> int:
    return LEVEL_LETTERS.index(letter) * box.CHIPS_PER_LEVEL + int(number) - 1


def _read_chip(at: Reading[State], text: str) -> int:
    match = _CHIP.fullmatch(text)
    if not match:
        at.refuse("{where}: {text!r} is not a chip; write a1:0 or a1? (a1 to d8)", text=text)
    return _name_chip(at, _chip_number(match[1], match[2]), match[4])


def _name_chip(at: Reading[State], chip: int, value: str | None) -> int:
    name, level = chip_name(chip), chip // box.CHIPS_PER_LEVEL
    if chip in at.named:
        at.refuse("{where}: chip {chip} is already somewhere else", chip=name)
    at.named.add(chip)
    if value is not None:
        low, high = level * box.VALUES_PER_LEVEL, (level + 1) * box.VALUES_PER_LEVEL - 1
        same_level = at.s.value[level * box.CHIPS_PER_LEVEL : (level + 1) * box.CHIPS_PER_LEVEL]
        if not low <= int(value) <= high or same_level.count(int(value)) == box.CHIPS_PER_VALUE:
            parts = {"chip": name, "value": value, "level": level + 1, "low": low, "high": high}
            at.refuse(
                "{where}: {chip}:{value}: level {level} has two chips each of {low} to {high} "
                "(DS-C1)",
                parts,
            )
        at.s.value[chip] = int(value)
    return 1 << chip


def _diver_text(s: State, diver: int) -> str:
    held = f"[{units_text(s, s.hand[diver][: s.load[diver]])}]" if s.load[diver] else ""
    if s.home[diver]:
        return f"home{held}"
    place = "sub" if s.place[diver] == SUBMARINE else str(s.place[diver] + 1)
    return f"{place}{'<' if s.turned[diver] else '>'}{held}"


def _read_diver(at: Reading[State]) -> None:
    s, diver = at.s, at.index
    match = _DIVER.fullmatch(at.text)
    if not match:
        at.refuse("{name}={text}: expected something like 4>, 7<[a1?,b2?], sub> or home")
    _, place, direction, hand = match.groups()
    units = _read_units(at, hand.split(",")) if hand and hand != "-" else []
    if len(units) > box.MOST_UNITS_HELD or DISC in units:
        most = box.MOST_UNITS_HELD
        at.refuse("{name}={text}: a hand holds up to {most} chips (DS-T11)", most=most)
    s.home[diver] = int(place is None)
    s.turned[diver] = int(place is None or direction == "<")
    s.place[diver] = SUBMARINE if place in (None, "sub") else int(place) - 1
    s.load[diver] = len(units)
    s.hand[diver][: len(units)] = units


def _treasure_text(s: State, diver: int) -> str:
    return units_text(s, [1 << chip for chip in chips_in(s.treasure[diver])])


def _read_treasure(at: Reading[State]) -> None:
    """DS-E2: chips that came home in an earlier round, turned up."""
    for unit in _read_units(at, at.parts):
        at.s.treasure[at.index] |= unit
    for chip in chips_in(at.s.treasure[at.index]):
        if at.s.value[chip] == UNKNOWN:
            parts = {"chip": chip_name(chip)}
            at.refuse("{name}: treasure lies face up: give the value of {chip} (DS-E2)", parts)
        at.s.points[at.index] += at.s.value[chip]


def _read_line(at: Reading[State]) -> None:
    units = _read_units(at, at.parts)
    at.s.line_length = len(units)
    if len(units) > box.LONGEST_LINE:
        parts = {"count": len(units), "most": box.LONGEST_LINE}
        at.refuse("line: {count} spaces, but there are at most {most}", parts)
    at.s.line[: len(units)] = units


def _chips_left(s: State) -> str:
    """Chips that are nowhere else, in order, and a disc where a unit was taken in this round."""
    units = [unit for diver in range(s.seats) for unit in s.hand[diver][: s.load[diver]]]
    taken = {chips_in(unit)[0] for unit in units} if s.phase != Phase.OVER else set()
    elsewhere = {chip for unit in [*units, *s.treasure] for chip in chips_in(unit)}
    left = [chip for chip in range(box.CHIPS) if chip in taken or chip not in elsewhere]
    return listed(["o" if chip in taken else chip_name(chip) for chip in left])


def _check_chips(s: State) -> None:
    found = 0
    for unit in (*s.line, *s.treasure, *(unit for hand in s.hand for unit in hand)):
        found |= unit
    missing = [chip_name(chip) for chip in range(box.CHIPS) if not found >> chip & 1]
    if missing:
        refuse("where is {chips}? Every chip is somewhere (DS-C1)", chips=", ".join(missing))


def _check_divers(s: State) -> None:
    for diver, place in enumerate(s.place[: s.seats]):
        load, who = s.load[diver], {"diver": diver + 1, "space": place + 1, "length": s.line_length}
        if place >= s.line_length:
            refuse(
                "diver {diver} is on space {space}, beyond the end of the line, which has {length}",
                who,
            )
        if place == SUBMARINE:
            back = s.phase in (Phase.LAY, Phase.OVER)  # from their places when the round ended
            if s.home[diver] == 0 and (load > 0 or (s.turned[diver] != 0 and not back)):
                refuse(
                    "diver {diver} is in the submarine, but not home: there one holds nothing and "
                    "has not turned back; write home[...] for one who came back (DS-T8)",
                    who,
                )
            continue
        if place in s.place[:diver]:
            other = s.place.index(place) + 1
            refuse("divers {other} and {diver} are both on space {space} (DS-T4)", who, other=other)
        if s.turned[diver] > load:
            refuse("diver {diver} has turned back on space {space} with nothing (DS-T2)", who)
        if load == box.MOST_UNITS_HELD and s.line[place] != DISC:
            refuse(
                "diver {diver} holds six chips and is on a seventh, on space {space} (DS-T11)",
                who,
            )


def _check_turn(s: State) -> None:
    """Check a position in the middle of a round."""
    diver, not_home, who = s.to_move, divers_not_home(s), {"diver": s.to_move + 1}
    if s.phase in (Phase.LAY, Phase.OVER):
        return
    if s.home[diver] != 0:
        refuse("turn={diver}: diver {diver} is home, and this round is over for them (DS-T8)", who)
    _check_length(s)
    if s.idle_turns >= not_home:
        parts = {"idle": s.idle_turns, "count": not_home}
        refuse("idle={idle}: with {count} divers not home, the round is over (DS-E7)", parts)
    if s.starter != NOBODY and s.home[s.starter] == 0:
        refuse(
            "starter={diver}: that is who came home last, but diver {diver} is not home (DS-E6)",
            diver=s.starter + 1,
        )
    if s.phase == Phase.SEARCH:
        beyond = range(s.place[diver] + 1, s.line_length)
        stuck = s.load[diver] == 0 and all(is_occupied(s, space) for space in beyond)
        if not may_search(s, diver):
            refuse("phase=search: diver {diver} has nothing to search (DS-T6, DS-T13)", who)
        if s.stirred == 0 and not stuck:
            refuse("stirred=0: diver {diver} used air or moved in this turn (DS-E7)", who)
    elif s.line_length == 0:
        refuse("line=-: a round with an empty line is not played (DS-E9)")
    elif s.air == 0:
        refuse("air=0: the round is over (DS-E1)")


def _check_length(s: State) -> None:
    """DS-E3: everything that may still be lost must find room beyond the line. Without more discs
    than units were taken it does."""
    outside = [diver for diver in range(s.seats) if s.home[diver] == 0]
    held = sum(s.load[diver] for diver in outside)
    discs = s.line[: s.line_length].count(DISC)
    if s.phase != Phase.LAY:
        held = min(held + s.line_length - discs, box.MOST_UNITS_HELD * len(outside))
    piles = -(-max(0, held - s.pile_room) // box.PILE)
    if s.line_length + piles > box.LONGEST_LINE:
        refuse(
            "line: with {length} spaces, {discs} of them white discs, there is no room for what "
            "may be lost: fewer chips were taken (DS-T6, DS-E3)",
            {"length": s.line_length, "discs": discs},
        )


def _check_laying(s: State) -> None:
    """DS-E3, DS-E8: the round is over, and a diver lays down units one by one."""
    diver, farthest, last = s.to_move, farthest_out(s), s.line_length - 1
    if s.phase != Phase.LAY:
        return
    who = {"diver": diver + 1, "farthest": farthest + 1}
    if not chooses_next(s, diver):
        refuse("phase=lay: diver {diver} is not asked to lay chips (DS-E8, DS-E11, DS-E12)", who)
    if diver != farthest:
        refuse(
            "phase=lay: diver {diver} is not the farthest outside, diver {farthest} is (DS-E3)", who
        )
    if s.air > 0 and s.idle_turns < divers_not_home(s):
        refuse("phase=lay air={air}: the round is not over (DS-E1, DS-E7)", air=s.air)
    for other in range(s.seats):
        if s.home[other] != 0 and s.load[other] > 0:
            refuse(
                "diver {diver} is home: once the round is over, what they brought is in "
                "treasure{diver} (DS-E2)",
                diver=other + 1,
            )
    back = s.starter != NOBODY and s.home[s.starter] == 0 and s.place[s.starter] == SUBMARINE
    if s.starter != diver and not back:
        refuse("starter: in phase=lay that is who was the farthest outside (DS-E6)")
    small = len(chips_in(s.line[last])) < box.PILE - s.pile_room
    if s.pile_room > 0 and (small or is_occupied(s, last)):
        parts = {"room": s.pile_room, "space": last + 1}
        refuse("pile_room={room}: the last space, {space}, is not such a pile (DS-E3)", parts)
    _check_length(s)


def _check_over(s: State) -> None:
    if s.phase == Phase.OVER and s.round_number < box.ROUNDS - 1 and s.line_length > 0:
        refuse(
            "phase=over: the game ends after round {rounds}, or with nothing left on the line "
            "(DS-E9)",
            rounds=box.ROUNDS,
        )
    for diver in range(s.seats if s.phase == Phase.OVER else 0):
        if s.place[diver] != SUBMARINE or s.load[diver] > 0:
            who = {"diver": diver + 1}
            refuse("phase=over: diver {diver} is back and holds nothing any more (DS-E3)", who)


def _usual_starter(s: State) -> str:
    """DS-E6: the diver farthest out when a round ends begins the next one."""
    farthest = farthest_out(s) if s.phase == Phase.LAY else NOBODY
    return "-" if farthest == NOBODY else str(farthest + 1)


POSITION: Final = PositionTable(
    State,
    (
        seats_field(box.FEWEST_SEATS, box.MOST_SEATS, lambda s: (DIVERS, TREASURES),
                    example="seats=4"),
        Field("drop_order", Choice("drop_order", DROP_ORDERS),
              "how drowned divers lose their chips: `piled` as they like, in the order `taken`, or "
              "`chosen` one by one, as in games by rules version 1",
              "piled", example="drop_order=taken"),
        Field("round", Number("round_number", 1, box.ROUNDS, first=1), f"1 to {box.ROUNDS}",
              lambda s: box.ROUNDS if s.phase == Phase.OVER else 1,
              f"`1`; {box.ROUNDS} in `phase=over`",
              "round=2", needs=("phase",)),
        Field("air", Number("air", 0, box.FULL_AIR), f"0 to {box.FULL_AIR}",
              lambda s: 0 if s.phase in (Phase.LAY, Phase.OVER) else box.FULL_AIR,
              f"`{box.FULL_AIR}`; 0 in `phase=lay` and `phase=over`", "air=9", needs=("phase",)),
        Field("turn", Number("to_move", 1, seats_of, first=1), "the seat that decides", "1",
              example="turn=2"),
        Field("phase", Choice("phase", PHASES),
              "what is decided: `throw`, `search`, `lay` (a drowned diver lays down chips), `over`",
              "throw", example="phase=search diver1=4>"),
        Field("starter", SeatOrNobody("starter"),
              "the seat that begins the next round, as far as it is known", _usual_starter,
              "`-`; in `phase=lay` the diver who is farthest out", "diver2=home starter=2",
              needs=("diver1",)),
        Field("idle", Number("idle_turns", 0, seats_of), "turns in a row that changed nothing",
              "0", example="idle=1"),
        Field("stirred", Number("stirred", 0, 1), "1 if this turn has changed something, or 0",
              lambda s: int(s.phase == Phase.SEARCH), "`0`; 1 in `phase=search`",
              "phase=search diver1=4> stirred=1"),
        Field("pile_room", Number("pile_room", 0, box.PILE - 1),
              f"in `phase=lay`: how many chips the last pile still takes, 0 to {box.PILE - 1}", "0",
              example="phase=lay diver1=5>[a1,b1] pile_room=1 line=a4-a8,b2-d8,a2+a3"),
        Field("line", Written(lambda s, index: units_text(s, s.line[: s.line_length]), _read_line),
              "the chips from the submarine down: `a1:2` a chip and its value, `a1?` or `a1` a "
              "hidden one, `a1-a8` a row of single chips, `a1+b2` a pile, `o` a white disc",
              _chips_left,
              "every chip that is named nowhere else, with a disc where one was taken",
              "line=a1-a8,b1:4,b2-d8", needs=("diver1", "treasure1")),
        Field(DIVERS, Written(_diver_text, _read_diver),
              "a space from 1, `sub` or `home`; `>` outwards or `<` on the way back; in brackets "
              "the chips in hand", "sub>", example="diver1=7<[a1,b2]", count=seats_of),
        Field(TREASURES, Written(_treasure_text, _read_treasure),
              "chips brought home in earlier rounds, with their values",
              example="round=2 treasure1=a1:3,b2:5", count=seats_of),
    ),
    shortest="seats=2", shortest_meaning="the first throw of a game", example="air=25",
    deal_unseen=deal_unseen, fault=fault, faults=FAULTS,
    checks=(_check_chips, _check_divers, _check_turn, _check_laying, _check_over),
)  # fmt: skip
position_text = POSITION.write
parse_position = POSITION.read
