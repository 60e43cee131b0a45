"""What a seat is told about the past: what it saw then, as far as it may know it today.

A game says what its seats have to keep in mind themselves (`Definition.forget`).  Whoever shows
something of the past, a position or a line of the log, asks here, so that it makes no difference
whether somebody stayed, came back or looks back.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import force_setattr

from archipel.rules.contract import SPECTATOR, Event
from archipel.tables import events
from archipel.tables.table import Logged, Table


def seen_of_the_past(table: Table, past: Any, seat: int | None) -> Any:
    """A state of the past (or of now), in the eyes of a seat today, to look at only."""
    if past is table.state:  # what a seat sees now it may know now
        return table.definition.glimpsed(past, _eyes(seat))
    return table.definition.looked_back(past, table.state, _eyes(seat))


def told_of_the_past(
    table: Table, logged: Logged, event: events.Played, seat: int | None
) -> list[Event]:
    """What an action brought about, as far as a seat may be told today."""
    told = [happened for happened in narration_of(table, logged, event) if _is_for(happened, seat)]
    definition = table.definition
    if definition.forget is None or all(happened.seen_by is None for happened in told):
        return told
    assert logged.before is not None
    assert logged.after is not None
    past, then, forgets = logged.before.look(), logged.after.look(), definition.forgets
    if forgets is not None and not forgets(past, table.state) and not forgets(then, table.state):
        return told  # nobody has had to forget anything since
    before, after = (seen_of_the_past(table, each, seat) for each in (past, then))
    known = definition.narrate(before, event.action, tuple(event.outcomes), after)
    return [happened for happened in told if happened.seen_by is None or happened in known]


def forgotten_since(table: Table, after: int) -> Any:
    """The position of the past that some seat may not know any more as it saw it, since event
    ``after``; None if all may."""
    definition = table.definition
    if definition.forget is None:
        return None
    changed = (logged.before for logged in table.log.after(after) if logged.before is not None)
    first = next(changed, None)
    if first is None:
        return None
    past = first.look()
    if definition.forgets is not None and not definition.forgets(past, table.state):
        return None
    return past


def has_to_forget(table: Table, past: Any, seat: int | None) -> bool:
    """Whether a seat may not know any more what it saw in such a position."""
    seen = table.definition.seen(past, _eyes(seat))
    return bool(seen != seen_of_the_past(table, past, seat))


def narration_of(table: Table, logged: Logged, event: events.Played) -> list[Event]:
    """Everything that an action brought about, whoever may know it."""
    if logged.narration is None:
        assert logged.before is not None
        assert logged.after is not None
        before, after = logged.before.look(), logged.after.look()
        told = table.definition.narrate(before, event.action, tuple(event.outcomes), after)
        force_setattr(logged, "narration", told)  # told once, read by every seat
        return told
    return logged.narration


def _is_for(happened: Event, seat: int | None) -> bool:
    return happened.visible_to(_eyes(seat))


def _eyes(seat: int | None) -> int:
    return SPECTATOR if seat is None else seat
