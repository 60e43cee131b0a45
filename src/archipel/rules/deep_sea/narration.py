"""Events and questions for players, derived from the positions before and after an action.

Details number spaces from 1, as notation does; 0 is the submarine. A unit is the list of its chips'
names. Values come from the position after the action, so a narration made from a seat's views tells
only what that seat may know.
"""

from __future__ import annotations

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
    events: list[Event] = []
    s = _scratch_copy(before)
    if before.phase == Phase.THROW:
        _tell_throw(s, action, outcomes, after, events)
        if may_search(s, s.to_move):
            return events
        if s.place[s.to_move] != SUBMARINE:
            events.append(_search_skipped(s, s.to_move))
        _tell_end_of_turn(s, after, events)
    elif before.phase == Phase.SEARCH:
        events.append(_search(s, action))
        _tell_end_of_turn(s, after, events)
    else:
        _tell_laying(s, action - Action.LAY_DOWN, after, events)
    return events


def _scratch_copy(before: State) -> State:
    """A copy to replay a turn in. It shares what a turn does not change; the end of a round needs a
    full clone."""
    s = shared(before)
    s.place, s.turned, s.home, s.load = s.place[:], s.turned[:], s.home[:], s.load[:]
    if s.phase != Phase.THROW:
        s.line, s.hand = s.line[:], [row[:] for row in s.hand]
    return s


# ---- the turn -----------------------------------------------------------------------------------


def _tell_throw(
    s: State, action: int, outcomes: tuple[int, ...], after: State, events: list[Event]
) -> None:
    diver = s.to_move
    if s.load[diver] > 0:
        events.append(_breath(s, diver))
    breathe(s, diver)
    if action == Action.TURN_BACK:
        s.turned[diver] = 1
        events.append(Event("turn_back", {"seat": diver}))
    faces = [outcome + 1 for outcome in outcomes]
    steps = max(0, sum(faces) - s.load[diver])
    events.append(_throw(s, diver, faces, steps))
    if steps > 0:
        _tell_swim(s, diver, steps, after, events)


def _breath(s: State, diver: int) -> Event:
    load = s.load[diver]
    details = {"seat": diver, "load": load, "air_before": s.air, "air": max(0, s.air - load)}
    kind = "last" if load >= s.air else _one_or_many(load)
    return Event(f"breath.{kind}", details)


def _throw(s: State, diver: int, faces: list[int], steps: int) -> Event:
    load = s.load[diver]
    details: dict[str, Any] = {
        "seat": diver,
        "dice": faces,
        "faces": " + ".join(str(face) for face in faces),
        "load": load,
        "steps": steps,
    }
    if load == 0:
        return Event("throw.free", details)
    return Event(f"throw.loaded.{_one_or_many(steps) if steps else 'none'}", details)


def _tell_swim(s: State, diver: int, steps: int, after: State, events: list[Event]) -> None:
    start = s.place[diver]
    homeward = s.turned[diver] != 0
    # The rules move this diver; the spaces of the other divers on the way were jumped.
    if homeward:
        swim_home(s, diver, steps)
    else:
        swim_out(s, diver, steps)
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
    lost = steps - len(details["path"])
    if s.home[diver]:
        details["load"] = s.load[diver]
        events.append(Event(f"home.{_one_or_many(s.load[diver])}", details))
        _tell_look(s, diver, after, events)
        return
    if end == start:
        where = "submarine" if start == SUBMARINE else "line"
        events.append(Event(f"blocked.{where}", {"seat": diver, "space": start + 1}))
        return
    direction = "home" if homeward else "out"
    if len(jumped) == 1:
        details["other"] = s.place[: s.seats].index(jumped[0])
    past = f".past_{_one_or_many(len(jumped))}" if jumped else ""
    events.append(Event(f"swim.{direction}{past}", details))
    if lost > 0:
        stopped = {"seat": diver, "space": end + 1, "lost": lost}
        events.append(Event(f"stop.{_one_or_many(lost)}", stopped))


def _tell_look(s: State, diver: int, after: State, events: list[Event]) -> None:
    """DS-T9: a private event for the diver, unless the round is over and all see the values."""
    if not (after.home[diver] and after.load[diver] > 0):
        return
    chips = _chips_held(s, diver)
    if all(after.value[chip] != UNKNOWN for chip in chips):
        key = f"look.{_one_or_many(len(chips))}"
        details = {"seat": diver, **_values_shown(chips, after)}
        events.append(Event(key, details, seen_by=frozenset({diver})))


def _search(s: State, action: int) -> Event:
    diver = s.to_move
    space = s.place[diver]
    if action == Action.TAKE:
        unit = s.line[space]
        take(s, diver)
        return _unit_event("take", diver, unit, {"space": space + 1})
    if action >= Action.PUT:
        put_down(s, diver, action - Action.PUT)
        unit = s.line[space]
        return _unit_event(
            "put", diver, unit, {"space": space + 1, "slot": action - Action.PUT + 1}
        )
    return Event("nothing", {"seat": diver, "space": space + 1})


def _search_skipped(s: State, diver: int) -> Event:
    why = "last_unit" if s.load[diver] > 0 else "empty_hand"
    return Event(f"skip.{why}", {"seat": diver, "space": s.place[diver] + 1})


# ---- the end of a round -------------------------------------------------------------------------


def _tell_end_of_turn(s: State, after: State, events: list[Event]) -> None:
    s.idle_turns = 0 if s.stirred != 0 else s.idle_turns + 1
    if not round_is_over(s):
        return
    s = clone(s)
    events.append(_round_end(s))
    for diver in range(s.seats):
        chips = _chips_held(s, diver)
        if s.home[diver] and chips:
            events.append(_treasure(diver, chips, after))
    _tell_losses(s, after, events)


def _round_end(s: State) -> Event:
    if divers_not_home(s) == 0:
        reason = "all_home"
    elif s.air == 0:
        reason = "air"
    else:
        reason = "stalemate"
    return Event(f"round_end.{reason}", {"round": s.round_number + 1})


def _treasure(diver: int, chips: list[int], after: State) -> Event:
    details = {"seat": diver, "total": after.points[diver], **_values_shown(chips, after)}
    return Event(f"treasure.{_one_or_many(len(chips))}", details)


def _tell_losses(s: State, after: State, events: list[Event]) -> None:
    """DS-E3: the farthest diver first, until one has to choose the order (DS-E8)."""
    last_round = s.round_number == ROUNDS - 1
    diver = farthest_out(s)
    while diver != NOBODY:
        asked = after.phase == Phase.LAY and after.to_move == diver
        if s.load[diver] > 0:
            units = [_names(unit) for unit in s.hand[diver][: s.load[diver]]]
            details: dict[str, Any] = {"seat": diver, "count": len(units), "units": units}
            if asked:
                events.append(Event("lose.asked", details))
                return
            # The space of each unit: the line grows as the piles fill up.
            onto = details["onto"] = []
            while s.load[diver] > 0:
                lay_down(s, diver, 0)
                onto.append(s.line_length)
            when = "last_round" if last_round else "round"
            events.append(Event(f"lose.{when}.{_one_or_many(len(units))}", details))
        s.place[diver] = SUBMARINE
        diver = farthest_out(s)
    if after.phase == Phase.OVER:
        _tell_game_over(after, events)
    else:
        _tell_next_round(s, after, events)


def _tell_laying(s: State, slot: int, after: State, events: list[Event]) -> None:
    """The unit laid by choice, and after it the last one, which needs no choice."""
    diver = s.to_move
    _lay(s, diver, slot, events)
    if s.load[diver] == 1:
        _lay(s, diver, 0, events)
    if s.load[diver] == 0:
        s.place[diver] = SUBMARINE
        _tell_losses(s, after, events)


def _lay(s: State, diver: int, slot: int, events: list[Event]) -> None:
    unit = s.hand[diver][slot]
    lay_down(s, diver, slot)
    details = {"space": s.line_length, "slot": slot + 1}
    events.append(_unit_event("lay", diver, unit, details))


def _tell_next_round(s: State, after: State, events: list[Event]) -> None:
    discs = sum(s.line[space] == DISC for space in range(s.line_length))
    if discs > 0:
        closed = {
            "count": discs,
            "spaces": after.line_length,
            "line": [_names(unit) for unit in after.line[: after.line_length]],
        }
        events.append(Event(f"line_closed.{_one_or_many(discs)}", closed))
    details = {"round": after.round_number + 1, "seat": after.to_move, "air": after.air}
    events.append(Event("round_start", details))


def _tell_game_over(after: State, events: list[Event]) -> None:
    """DS-G1: the winners, and what broke a tie."""
    ending = "rounds" if after.line_length > 0 else "empty_line"
    events.append(Event(f"game_over.{ending}"))
    seats = range(after.seats)
    winners = [seat for seat in seats if rank(after, seat) == 0]
    for seat in winners:
        details: dict[str, Any] = {"seat": seat, "points": after.points[seat]}
        level_with = [
            other
            for other in seats
            if other not in winners and after.points[other] == after.points[seat]
        ]
        if len(winners) > 1:
            events.append(Event("win.shared", details))
        elif level_with:
            details["level"] = _deciding_level(after, seat, level_with)
            events.append(Event("win.tie_break", details))
        else:
            events.append(Event("win.alone", details))


def _deciding_level(s: State, winner: int, others: list[int]) -> int:
    """The level of chips at which the winner gets ahead of the last of the others."""
    for level in reversed(range(LEVELS)):
        mine = chips_of_level(s, winner, level)
        others = [other for other in others if chips_of_level(s, other, level) == mine]
        if not others:
            return level + 1
    raise ValueError("nobody is ahead")


# ---- the question -------------------------------------------------------------------------------


def question(s: State) -> Event:
    """The question to the seat to move."""
    if s.phase == Phase.OVER:
        return Event("ask.over")
    if s.phase == Phase.THROW:
        return _ask_throw(s, s.to_move)
    if s.phase == Phase.SEARCH:
        return _ask_search(s, s.to_move)
    details = {"seat": s.to_move, "load": s.load[s.to_move]}
    return Event("ask.lay", details)


def _ask_throw(s: State, diver: int) -> Event:
    load = s.load[diver]
    details = {"seat": diver, "load": load, "air": s.air}
    if load == 0:
        return Event(f"ask.dive.{'first' if s.place[diver] == SUBMARINE else 'free'}", details)
    direction = "swim" if s.turned[diver] else "dive"
    last = "last." if load >= s.air else ""
    return Event(f"ask.{direction}.{last}{_one_or_many(load)}", details)


def _ask_search(s: State, diver: int) -> Event:
    load = s.load[diver]
    space = s.place[diver]
    unit = s.line[space]
    # With the tank empty there is no next breath to warn of.
    last = ".last" if s.air == 0 else ""
    details: dict[str, Any] = {"space": space + 1, "load": load, "next_load": load + 1}
    if unit == DISC:
        details["seat"] = diver
        return Event(f"ask.put.{_one_or_many(load)}{last}", details)
    event = _unit_event("ask.take", diver, unit, details)
    return Event(event.key + last, event.details)


# ---- parts of events ----------------------------------------------------------------------------


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
