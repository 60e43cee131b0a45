"""Events and questions for players, derived from the positions before and after an action.

Details number spaces from 1, as notation does; 0 is the submarine. A unit is the list of its chips'
names. Values come from the position after the action, so a narration made from a seat's views
contains only what that seat may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from archipel.rules.contract import Event
from archipel.rules.deep_sea.components import CHIPS_PER_LEVEL, LEVELS, ROUNDS
from archipel.rules.deep_sea.notation import chip_name, chips_in
from archipel.rules.deep_sea.round_end import chips_of_level, lay_down, rank, round_is_over
from archipel.rules.deep_sea.state import (
    DISC,
    NOBODY,
    SUBMARINE,
    UNKNOWN,
    Action,
    Phase,
    State,
    divers_not_home,
    farthest_out,
    is_occupied,
)
from archipel.rules.deep_sea.turn import breathe, may_search, put_down, swim_home, swim_out, take
from archipel.rules.kit import clone, shared


def narrate(before: State, action: int, outcomes: tuple[int, ...], after: State) -> list[Event]:
    """The events of an action, in order."""
    # A copy to replay the turn in. It shares what a turn does not change; the end of a round needs
    # a full clone.
    s = shared(before)
    s.place, s.turned, s.home, s.load = s.place[:], s.turned[:], s.home[:], s.load[:]
    if s.phase != Phase.THROW:
        s.line, s.hand = s.line[:], [row[:] for row in s.hand]
    if before.phase == Phase.LAY:
        return list(_laying(s, action - Action.LAY_DOWN, after))
    if before.phase == Phase.SEARCH:
        return [_search(s, action), *_end_of_turn(s, after)]
    events = list(_throw(s, action, outcomes, after))
    if may_search(s, s.to_move):
        return events
    if s.place[s.to_move] != SUBMARINE:
        why = "last_unit" if s.load[s.to_move] > 0 else "empty_hand"
        skipped = {"seat": s.to_move, "space": s.place[s.to_move] + 1}
        events.append(Event(f"skip.{why}", skipped))
    return [*events, *_end_of_turn(s, after)]


def _throw(s: State, action: int, outcomes: tuple[int, ...], after: State) -> Iterator[Event]:
    diver, load = s.to_move, s.load[s.to_move]
    seat: dict[str, Any] = {"seat": diver}
    if load > 0:
        breath = {"load": load, "air_before": s.air, "air": max(0, s.air - load)}
        yield Event(f"breath.{'last' if load >= s.air else _one_or_many(load)}", seat | breath)
    breathe(s, diver)
    if action == Action.TURN_BACK:
        s.turned[diver] = 1
        yield Event("turn_back", seat)
    faces = [outcome + 1 for outcome in outcomes]
    steps = max(0, sum(faces) - load)
    details = {"dice": faces, "faces": " + ".join(map(str, faces)), "load": load, "steps": steps}
    loaded = f"loaded.{_one_or_many(steps) if steps else 'none'}"
    yield Event(f"throw.{loaded if load else 'free'}", seat | details)
    if steps > 0:
        yield from _swim(s, diver, steps, after)


def _swim(s: State, diver: int, steps: int, after: State) -> Iterator[Event]:
    start, homeward = s.place[diver], s.turned[diver] != 0
    # The rules move this diver; the spaces of the other divers on the way were jumped.
    (swim_home if homeward else swim_out)(s, diver, steps)
    end = s.place[diver]
    way = range(start - 1, end - 1, -1) if homeward else range(start + 1, end + 1)
    jumped = [space for space in way if space not in (SUBMARINE, end) and is_occupied(s, space)]
    details: dict[str, Any] = {
        "seat": diver,
        "start": start + 1,
        "space": end + 1,
        "path": [space + 1 for space in way if space not in jumped],
        "jumped": [space + 1 for space in jumped],
        "count": len(jumped),
    }
    if s.home[diver]:
        details["load"] = s.load[diver]
        yield Event(f"home.{_one_or_many(s.load[diver])}", details)
        yield from _look(s, diver, after)
    elif end == start:
        where = "submarine" if start == SUBMARINE else "line"
        yield Event(f"blocked.{where}", {"seat": diver, "space": start + 1})
    else:
        if len(jumped) == 1:
            details["other"] = s.place[: s.seats].index(jumped[0])
        past = f".past_{_one_or_many(len(jumped))}" if jumped else ""
        yield Event(f"swim.{'home' if homeward else 'out'}{past}", details)
        if (lost := steps - len(details["path"])) > 0:
            stopped = {"seat": diver, "space": end + 1, "lost": lost}
            yield Event(f"stop.{_one_or_many(lost)}", stopped)


def _look(s: State, diver: int, after: State) -> Iterator[Event]:
    """DS-T9: a private event for the diver, unless the round is over and all see the values."""
    chips = _chips_held(s, diver)
    held = after.home[diver] and after.load[diver] > 0
    if held and all(after.value[chip] != UNKNOWN for chip in chips):
        details = {"seat": diver, **_values_shown(chips, after)}
        yield Event(f"look.{_one_or_many(len(chips))}", details, seen_by=frozenset({diver}))


def _search(s: State, action: int) -> Event:
    diver = s.to_move
    details = {"space": s.place[diver] + 1}
    if action == Action.TAKE:
        unit = s.line[s.place[diver]]
        take(s, diver)
        return _unit_event("take", diver, unit, details)
    if action >= Action.PUT:
        slot = action - Action.PUT
        put_down(s, diver, slot)
        return _unit_event("put", diver, s.line[s.place[diver]], details | {"slot": slot + 1})
    return Event("nothing", {"seat": diver, **details})


def _end_of_turn(s: State, after: State) -> Iterator[Event]:
    s.idle_turns = 0 if s.stirred != 0 else s.idle_turns + 1
    if not round_is_over(s):
        return
    s = clone(s)
    in_water = "air" if s.air == 0 else "stalemate"
    reason = in_water if divers_not_home(s) else "all_home"
    yield Event(f"round_end.{reason}", {"round": s.round_number + 1})
    for diver in range(s.seats):
        chips = _chips_held(s, diver)
        if s.home[diver] and chips:
            details = {"seat": diver, "total": after.points[diver], **_values_shown(chips, after)}
            yield Event(f"treasure.{_one_or_many(len(chips))}", details)
    yield from _losses(s, after)


def _losses(s: State, after: State) -> Iterator[Event]:
    """DS-E3: the farthest diver first, until one has to choose the order (DS-E8)."""
    when = "last_round" if s.round_number == ROUNDS - 1 else "round"
    while (diver := farthest_out(s)) != NOBODY:
        if s.load[diver] > 0:
            units = [_names(unit) for unit in s.hand[diver][: s.load[diver]]]
            details: dict[str, Any] = {"seat": diver, "count": len(units), "units": units}
            if after.phase == Phase.LAY and after.to_move == diver:
                yield Event("lose.asked", details)
                return
            # The space of each unit: the line grows as the piles fill up.
            onto = details["onto"] = []
            while s.load[diver] > 0:
                lay_down(s, diver, 0)
                onto.append(s.line_length)
            yield Event(f"lose.{when}.{_one_or_many(len(units))}", details)
        s.place[diver] = SUBMARINE
    yield from _game_over(after) if after.phase == Phase.OVER else _next_round(s, after)


def _laying(s: State, slot: int, after: State) -> Iterator[Event]:
    """The unit laid by choice, and after it those that need no choice."""
    diver = s.to_move
    asked_again = after.phase == Phase.LAY and after.to_move == diver
    for laid in (slot,) if asked_again else (slot, *[0] * (s.load[diver] - 1)):
        unit = s.hand[diver][laid]
        lay_down(s, diver, laid)
        yield _unit_event("lay", diver, unit, {"space": s.line_length, "slot": laid + 1})
    if s.load[diver] == 0:
        s.place[diver] = SUBMARINE
        yield from _losses(s, after)


def _next_round(s: State, after: State) -> Iterator[Event]:
    discs = s.line[: s.line_length].count(DISC)
    if discs > 0:
        line = [_names(unit) for unit in after.line[: after.line_length]]
        closed = {"count": discs, "spaces": after.line_length, "line": line}
        yield Event(f"line_closed.{_one_or_many(discs)}", closed)
    details = {"round": after.round_number + 1, "seat": after.to_move, "air": after.air}
    yield Event("round_start", details)


def _game_over(after: State) -> Iterator[Event]:
    """DS-G1: the winners, and what broke a tie."""
    yield Event(f"game_over.{'rounds' if after.line_length > 0 else 'empty_line'}")
    seats, points = range(after.seats), after.points
    winners = [seat for seat in seats if rank(after, seat) == 0]
    for seat in winners:
        details = {"seat": seat, "points": points[seat]}
        level_with = [o for o in seats if o not in winners and points[o] == points[seat]]
        if len(winners) > 1:
            yield Event("win.shared", details)
        elif level_with:
            level = _deciding_level(after, seat, level_with)
            yield Event("win.tie_break", details | {"level": level})
        else:
            yield Event("win.alone", details)


def _deciding_level(s: State, winner: int, others: list[int]) -> int:
    """The level of chips at which the winner gets ahead of the last of the others."""
    for level in reversed(range(LEVELS)):
        mine = chips_of_level(s.treasure[winner], level)
        others = [other for other in others if chips_of_level(s.treasure[other], level) == mine]
        if not others:
            return level + 1
    raise ValueError("nobody is ahead")


def question(s: State) -> Event:
    """The question to the seat to move."""
    diver = s.to_move
    load, place = s.load[diver], s.place[diver]
    details: dict[str, Any] = {"seat": diver, "load": load}
    match s.phase:
        case Phase.OVER:
            return Event("ask.over")
        case Phase.LAY:
            return Event("ask.lay", details)
        case Phase.THROW if load == 0:
            when = "first" if place == SUBMARINE else "free"
            return Event(f"ask.dive.{when}", details | {"air": s.air})
        case Phase.THROW:
            direction = "swim" if s.turned[diver] else "dive"
            last = "last." if load >= s.air else ""
            key = f"ask.{direction}.{last}{_one_or_many(load)}"
            return Event(key, details | {"air": s.air})
    # With the tank empty there is no next breath to warn of.
    last = ".last" if s.air == 0 else ""
    details |= {"space": place + 1, "next_load": load + 1}
    if s.line[place] == DISC:
        return Event(f"ask.put.{_one_or_many(load)}{last}", details)
    event = _unit_event("ask.take", diver, s.line[place], details)
    return Event(event.key + last, event.details)


def _unit_event(key: str, diver: int, unit: int, details: dict[str, Any]) -> Event:
    """An event about a chip of a level, or about a pile."""
    chips = chips_in(unit)
    levels = [chip // CHIPS_PER_LEVEL + 1 for chip in chips]
    told = {"seat": diver, "unit": _names(unit), **details}
    if len(chips) == 1:
        return Event(f"{key}.chip", told | {"level": levels[0]})
    return Event(f"{key}.pile", told | {"count": len(chips), "levels": ", ".join(map(str, levels))})


def _values_shown(chips: list[int], s: State) -> dict[str, Any]:
    values = [s.value[chip] for chip in chips]
    return {
        "chips": [chip_name(chip) for chip in chips],
        "values": values,
        "addition": " + ".join(str(value) for value in values),
        "points": sum(values),
    }


def _chips_held(s: State, diver: int) -> list[int]:
    return [chip for unit in s.hand[diver][: s.load[diver]] for chip in chips_in(unit)]


def _names(unit: int) -> list[str]:
    return [chip_name(chip) for chip in chips_in(unit)]


def _one_or_many(count: int) -> str:
    return "one" if count == 1 else "many"
