"""The scene of a position (see `archipel.rules.scene`).

Cells: ``sub``, ``s1``, ``s2``, ... along the line, and per seat ``hand1``, ``treasure1``, ...

The gauges also name the phase and, for the seat to move, the actions that are illegal now
(``not_now``) with the keys of their refusals (``not_now_why``) and their rules (``not_now_rules``),
in parallel.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import count
from typing import Final

from archipel.rules.bounded_cache import BoundedCache
from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, FULL_AIR, ROUNDS
from archipel.rules.deep_sea.notation import PHASES, action_text, chip_name, chips_in
from archipel.rules.deep_sea.refusals import refusal
from archipel.rules.deep_sea.state import DISC, MOST_LEGAL, SUBMARINE, UNKNOWN, Action, Phase, State
from archipel.rules.deep_sea.turn import legal
from archipel.rules.scene import Cell, Choice, Piece, Property, Scene, gauges_for_others

KEYS = {
    Action.DIVE: "action.dive",
    Action.TURN_BACK: "action.turn_back",
    Action.SWIM_ON: "action.swim_on",
    Action.NOTHING: "action.nothing",
    Action.TAKE: "action.take",
}


#: A short number for each tuple of known chip values.
_VALUES: Final = BoundedCache[int](4_096)
_NUMBERS: Final = count()
#: The pieces of the line, and of each diver, by these numbers.
_PARTS: Final = BoundedCache[tuple[Piece, ...]](4_096)
#: Legal and illegal choices, by `_decision_key`.
_DECISIONS: Final = BoundedCache[tuple[tuple[Choice, ...], dict[str, Property]]](4_096)


def scene(s: State, seat: int) -> Scene:
    """The scene of a seat's view, with the legal actions if the seat is to move."""
    return _with_choices(s, seat, Scene(_cells(s.line_length, s.seats), _pieces(s), _gauges(s), ()))


def scene_beside(s: State, seat: int, other: State, known: Scene) -> Scene:
    """As `scene`, reusing the scene of another view of the same position."""
    pieces = known.pieces if s.value == other.value else _pieces_beside(s, other, known.pieces)
    public = Scene(known.cells, pieces, gauges_for_others(known.gauges), ())
    return _with_choices(s, seat, public)


def _with_choices(s: State, seat: int, public: Scene) -> Scene:
    """Add the legal choices of the seat to move, and its illegal ones."""
    if s.to_move != seat:
        return public
    choices, not_now = _DECISIONS.get_or_make(_decision_key(s), lambda: _decision(s))
    return Scene(public.cells, public.pieces, {**public.gauges, **not_now}, choices)


def _decision_key(s: State) -> tuple[object, ...]:
    """The cache key of a decision: everything it depends on and nothing else."""
    diver, place, load = s.to_move, s.place[s.to_move], s.load[s.to_move]
    if s.phase == Phase.THROW:
        return Phase.THROW, s.turned[diver], load > 0
    if s.phase == Phase.SEARCH and s.line[place] != DISC:
        return Phase.SEARCH, place, s.line[place], load > 0
    return s.phase, tuple(s.hand[diver][:load]), s.turned[diver]


def _decision(s: State) -> tuple[tuple[Choice, ...], dict[str, Property]]:
    actions = [0] * MOST_LEGAL
    choices = tuple(_choice(s, action) for action in actions[: legal(s, actions)])
    return choices, _not_now(s, choices)


@cache
def _cells(line_length: int, seats: int) -> tuple[Cell, ...]:
    spaces = [_cell(f"s{space + 1}", "space") for space in range(line_length)]
    hands = [_cell(f"hand{diver + 1}", "hand") for diver in range(seats)]
    treasures = [_cell(f"treasure{diver + 1}", "treasure") for diver in range(seats)]
    return (_cell("sub", "submarine"), *spaces, *hands, *treasures)


@cache  # shared by lines of all lengths, so that unchanged cells are identical objects
def _cell(name: str, kind: str) -> Cell:
    return Cell(name, kind)


def _pieces(s: State) -> tuple[Piece, ...]:
    values = _values(s)
    line = (tuple(s.line[: s.line_length]), values)
    pieces = list(_PARTS.get_or_make(line, lambda: _line(s)))
    for diver in range(s.seats):
        load = s.load[diver]
        if load or s.treasure[diver]:
            pieces += _belongings(s, diver, values)
        pieces.append(_diver_at(diver, s.place[diver], s.turned[diver], s.home[diver], load))
    return tuple(pieces)


def _pieces_beside(s: State, other: State, known: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """As `_pieces`, reusing those of another view of the same position. Only the values that divers
    brought home differ (DS-T9)."""
    if s.phase == Phase.OVER:
        return _pieces(s)
    pieces, at, values = list(known), s.line_length, _values(s)
    for diver in range(s.seats):
        load = s.load[diver]
        if load and s.home[diver]:
            pieces[at : at + load] = _belongings(s, diver, values)[:load]
        at += load + s.treasure[diver].bit_count() + 1
    return tuple(pieces)


def _values(s: State) -> int:
    """A number that stands for the known values of all chips."""
    return _VALUES.get_or_make(tuple(s.value), lambda: next(_NUMBERS))


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
    """The piece on a space whose value nobody knows."""
    cell = f"s{space + 1}"
    if unit == DISC:
        return Piece(f"disc-{space + 1}", "disc", cell)
    return _piece(unit, (UNKNOWN,) * len(chips_in(unit)), cell, False)


def _belongings(s: State, diver: int, values: int) -> tuple[Piece, ...]:
    hand, over = tuple(s.hand[diver][: s.load[diver]]), s.phase == Phase.OVER
    things = (diver, hand, s.treasure[diver], over, values)

    def make() -> tuple[Piece, ...]:
        # DS-T9: only the diver sees the values in a hand until the game is over.
        held = [_unit(s, unit, f"hand{diver + 1}", secret=not over) for unit in hand]
        chips = chips_in(s.treasure[diver])
        return (*held, *(_unit(s, 1 << chip, f"treasure{diver + 1}") for chip in chips))

    return _PARTS.get_or_make(things, make)


def _unit(s: State, unit: int, cell: str, secret: bool = False) -> Piece:
    """A chip or a pile; secret if it shows a value that other seats do not see."""
    return _piece(unit, tuple(s.value[chip] for chip in chips_in(unit)), cell, secret)


@lru_cache(maxsize=4096)  # consecutive positions share almost all pieces
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
    facing = "home" if turned else "out"
    properties: dict[str, Property] = {"facing": facing, "home": home != 0, "load": load}
    cell = "sub" if place == SUBMARINE else f"s{place + 1}"
    return Piece(f"diver-{diver + 1}", "diver", cell, diver, properties)


def _gauges(s: State) -> dict[str, Property]:
    breath = s.load[s.to_move] if s.phase == Phase.THROW else 0
    return {
        "air": s.air,
        "air_after": max(0, s.air - breath),
        "full_air": FULL_AIR,
        "round": s.round_number + 1,
        "rounds": ROUNDS,
        "points": tuple(s.points[: s.seats]),
        "over": s.phase == Phase.OVER,
        "phase": _PHASE_KEYS[s.phase],
    }


_PHASE_KEYS: Final = {number: f"phase.{name}" for name, number in PHASES.items()}


def _not_now(s: State, choices: tuple[Choice, ...]) -> dict[str, Property]:
    """The illegal actions of the seat to move, with reasons. ``put`` stands for all units in the
    hand."""
    if s.phase == Phase.OVER:
        return {}
    possible = {choice.key for choice in choices}
    thinkable = KEYS | ({Action.PUT: "action.put_1"} if s.load[s.to_move] > 0 else {})
    refused = {key: refusal(s, action) for action, key in thinkable.items() if key not in possible}
    return {
        "not_now": tuple(refused),
        "not_now_why": tuple(why.key for why in refused.values()),
        "not_now_rules": tuple(why.rule for why in refused.values()),
    }


def _choice(s: State, action: int) -> Choice:
    text = action_text(s, action)
    if action >= Action.PUT:
        laying = action >= Action.LAY_DOWN
        key, first = ("lay", Action.LAY_DOWN) if laying else ("put", Action.PUT)
        number, unit = action - first + 1, s.hand[s.to_move][action - first]
        details = {"number": number, "unit": " + ".join(map(chip_name, chips_in(unit)))}
        return Choice(action, text, f"action.{key}_{number}", details, (_unit_id(unit),))
    place = s.place[s.to_move]
    if action == Action.TAKE:
        targets = (_unit_id(s.line[place]), f"s{place + 1}")
        return Choice(action, text, KEYS[action], targets=targets)
    final = action in (Action.DIVE, Action.TURN_BACK, Action.SWIM_ON)
    return Choice(action, text, KEYS[action], final=final)
