"""The position as things to draw and to tap (see `archipel.rules.scene`).

Cells: ``sub``, ``s1``, ``s2``, ... along the line, and per seat ``hand1``, ``treasure1``, ...

Beside what is measured, the gauges name the phase, and for the seat to move the actions that it
cannot take now (``not_now``), each with its refusal (``not_now_why``) and rule (``not_now_rules``):
keys of sentences, in parallel.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import count
from typing import Final

from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, FULL_AIR, ROUNDS
from archipel.rules.deep_sea.notation import PHASES, action_text, chip_name, chips_in
from archipel.rules.deep_sea.refusals import refusal
from archipel.rules.deep_sea.state import (
    DISC,
    DIVE,
    LAY_DOWN,
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
)
from archipel.rules.deep_sea.turn import legal
from archipel.rules.remembering import Memory
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene

KEYS = {
    DIVE: "action.dive",
    TURN_BACK: "action.turn_back",
    SWIM_ON: "action.swim_on",
    NOTHING: "action.nothing",
    TAKE: "action.take",
}


#: What is known of the chips, numbered: shorter than what it stands for.
_VALUES: Final = Memory[int](4_096)
_NUMBERS: Final = count()
#: The line of a position, and what a diver has, by these numbers.
_PARTS: Final = Memory[tuple[Piece, ...]](4_096)
#: What can be done, and what cannot, by all that this depends on.
_DECISIONS: Final = Memory[tuple[tuple[Choice, ...], dict[str, Property]]](4_096)


def scene(s: State, seat: int) -> Scene:
    """What a seat sees in its view; its legal actions if it is to move."""
    return _scene(s, seat, _pieces(s), _cells(s.line_length, s.seats), _gauges(s))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, where that of another view of the same position is known."""
    pieces = known.pieces if s.value == other.value else _pieces_beside(s, other, known.pieces)
    return _scene(s, seat, pieces, known.cells, known.common_gauges)


def _scene(
    s: State,
    seat: int,
    pieces: tuple[Piece, ...],
    cells: tuple[Cell, ...],
    gauges: Mapping[str, Property],
) -> Scene:
    if s.to_move != seat:
        return Scene(cells, pieces, gauges, ())
    choices, not_now = _deciding(s)
    return Scene(cells, pieces, gauges, choices, not_now)


def _deciding(s: State) -> tuple[tuple[Choice, ...], dict[str, Property]]:
    """What the seat to move can do, and what it cannot."""
    things = _that_decide(s)
    return _DECISIONS.found(things) or _DECISIONS.keep(things, _make_decision(s))


def _that_decide(s: State) -> tuple[object, ...]:
    """All that a decision depends on, and no more: so most of them have been made before."""
    diver = s.to_move
    load = s.load[diver]
    if s.phase == THROW:
        return THROW, s.turned[diver], load > 0
    place = s.place[diver]
    if s.phase == SEARCH and s.line[place] != DISC:
        return SEARCH, place, s.line[place], load > 0
    return s.phase, tuple(s.hand[diver][:load]), s.turned[diver]


def _make_decision(s: State) -> tuple[tuple[Choice, ...], dict[str, Property]]:
    choices = _choices(s)
    return choices, _not_now(s, choices)


@cache
def _cells(line_length: int, seats: int) -> tuple[Cell, ...]:
    spaces = [_cell(f"s{space + 1}", "space") for space in range(line_length)]
    hands = [_cell(f"hand{diver + 1}", "hand") for diver in range(seats)]
    treasures = [_cell(f"treasure{diver + 1}", "treasure") for diver in range(seats)]
    return (_cell("sub", "submarine"), *spaces, *hands, *treasures)


@cache  # whatever the length of the line, so that those that stay are seen to be the same
def _cell(name: str, kind: str) -> Cell:
    return Cell(name, kind)


def _pieces(s: State) -> tuple[Piece, ...]:
    values = _values(s)
    things = (tuple(s.line[: s.line_length]), values)
    pieces = list(_PARTS.found(things) or _PARTS.keep(things, _line(s)))
    for diver in range(s.seats):
        load = s.load[diver]
        if load or s.treasure[diver]:
            pieces += _belongings(s, diver, values)
        pieces.append(_diver_at(diver, s.place[diver], s.turned[diver], s.home[diver], load))
    return tuple(pieces)


def _pieces_beside(s: State, other: State, known: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """As `_pieces`, where those of another view of the same position are known: no more is
    different than what divers see of what they brought home (DS-T9)."""
    if s.phase == OVER:
        return _pieces(s)
    pieces, at, values = list(known), s.line_length, _values(s)
    for diver in range(s.seats):
        load = s.load[diver]
        if load and s.home[diver]:
            pieces[at : at + load] = _belongings(s, diver, values)[:load]
        at += load + s.treasure[diver].bit_count() + 1
    return tuple(pieces)


def _values(s: State) -> int:
    """The number of what is known of the chips."""
    known = tuple(s.value)
    values = _VALUES.found(known)
    return _VALUES.keep(known, next(_NUMBERS)) if values is None else values


def _line(s: State) -> tuple[Piece, ...]:
    known = sum(1 << chip for chip, value in enumerate(s.value) if value != UNKNOWN)
    return tuple(
        [
            _unit(s, unit, f"s{space + 1}") if unit & known else _on_line(unit, space)
            for space, unit in enumerate(s.line[: s.line_length])
        ]
    )


@lru_cache(maxsize=8192)
def _on_line(unit: int, space: int) -> Piece:
    """What lies on a space, where nobody knows what it is worth."""
    cell = f"s{space + 1}"
    if unit == DISC:
        return Piece(f"disc-{space + 1}", "disc", cell)
    return _piece(unit, (UNKNOWN,) * len(chips_in(unit)), cell, False)


def _belongings(s: State, diver: int, values: int) -> tuple[Piece, ...]:
    hand, over = tuple(s.hand[diver][: s.load[diver]]), s.phase == OVER
    things = (diver, hand, s.treasure[diver], over, values)
    return _PARTS.found(things) or _PARTS.keep(things, _make_belongings(s, diver, hand))


def _make_belongings(s: State, diver: int, hand: tuple[int, ...]) -> tuple[Piece, ...]:
    # DS-T9: values in a hand are seen by nobody but its diver, until the game is over.
    held = [_unit(s, unit, f"hand{diver + 1}", secret=s.phase != OVER) for unit in hand]
    chips = chips_in(s.treasure[diver])
    return (*held, *(_unit(s, 1 << chip, f"treasure{diver + 1}") for chip in chips))


def _unit(s: State, unit: int, cell: str, secret: bool = False) -> Piece:
    """A chip or a pile. It is marked secret where it shows a value that others do not see."""
    return _piece(unit, tuple(s.value[chip] for chip in chips_in(unit)), cell, secret)


@lru_cache(maxsize=4096)  # from one position to the next almost all of them are the same
def _piece(unit: int, values: tuple[int, ...], cell: str, secret: bool) -> Piece:
    chips = chips_in(unit)
    properties: dict[str, Property] = {
        "chips": tuple(chip_name(chip) for chip in chips),
        "levels": tuple(chip // CHIPS_PER_LEVEL + 1 for chip in chips),
        "values": tuple(None if value == UNKNOWN else value for value in values),
    }
    if secret and any(value != UNKNOWN for value in values):
        properties["secret"] = True
    kind = "chip" if len(chips) == 1 else "pile"
    return Piece(_unit_id(unit), kind, cell, properties=properties)


def _unit_id(unit: int) -> str:
    return f"unit-{chip_name(chips_in(unit)[0])}"


@lru_cache(maxsize=4096)
def _diver_at(diver: int, place: int, turned: int, home: int, load: int) -> Piece:
    properties: dict[str, Property] = {
        "facing": "home" if turned else "out",
        "home": home != 0,
        "load": load,
    }
    cell = "sub" if place == SUBMARINE else f"s{place + 1}"
    return Piece(f"diver-{diver + 1}", "diver", cell, diver, properties)


def _gauges(s: State) -> dict[str, Property]:
    breath = s.load[s.to_move] if s.phase == THROW else 0
    return {
        "air": s.air,
        "air_after": max(0, s.air - breath),
        "full_air": FULL_AIR,
        "round": s.round_number + 1,
        "rounds": ROUNDS,
        "points": tuple(s.points[: s.seats]),
        "over": s.phase == OVER,
        "phase": _PHASE_KEYS[s.phase],
    }


_PHASE_KEYS: Final = {number: f"phase.{name}" for name, number in PHASES.items()}


def _not_now(s: State, choices: tuple[Choice, ...]) -> dict[str, Property]:
    """What the seat to move cannot do, and why; putting down stands for every unit of the hand."""
    if s.phase == OVER:
        return {}
    possible = {choice.key for choice in choices}
    thinkable = KEYS | ({PUT: _numbered("action.put", 0)} if s.load[s.to_move] > 0 else {})
    refused = {key: refusal(s, action) for action, key in thinkable.items() if key not in possible}
    return {
        "not_now": tuple(refused),
        "not_now_why": tuple(why.key for why in refused.values()),
        "not_now_rules": tuple(why.rule for why in refused.values()),
    }


def _numbered(key: str, slot: int) -> str:
    return f"{key}_{slot + 1}"


def _choices(s: State) -> tuple[Choice, ...]:
    actions = [0] * len(KEYS) + [0] * len(s.hand[0])
    return tuple(_choice(s, action) for action in actions[: legal(s, actions)])


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    hand = s.hand[s.to_move]
    if action >= LAY_DOWN:
        unit = hand[action - LAY_DOWN]
        return _unit_choice(action, text, "action.lay", unit, action - LAY_DOWN)
    if action >= PUT:
        return _unit_choice(action, text, "action.put", hand[action - PUT], action - PUT)
    here = f"s{s.place[s.to_move] + 1}"
    if action == TAKE:
        target = _unit_id(s.line[s.place[s.to_move]])
        return Choice(action, text, KEYS[action], targets=(target, here))
    return Choice(action, text, KEYS[action], final=action in (DIVE, TURN_BACK, SWIM_ON))


def _unit_choice(action: int, text: str, key: str, unit: int, slot: int) -> Choice:
    chips = " + ".join(chip_name(chip) for chip in chips_in(unit))
    details = {"number": slot + 1, "unit": chips}
    return Choice(action, text, _numbered(key, slot), details, (_unit_id(unit),))
