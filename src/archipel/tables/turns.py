"""The turns at tables by days, for the columns that a store has of them."""

from __future__ import annotations

from archipel.store.protocol import Turn
from archipel.tables.keys import Keys
from archipel.tables.log.table_state import TableState


def turn_of(table: TableState, before: TableState | None, keys: Keys, delay: int) -> Turn | None:
    """Whose turn it is after events, and what to tell them; None at tables without days.

    ``before`` is the table before the events. ``delay``: time to take a move back (milliseconds)
    before the next player is told.
    """
    if table.clock.kind != "days":
        return None
    seat, until = table.clock_runs_for, table.flag_at
    holder = None if seat is None else keys.seats[seat]
    if seat is None or until is None or holder is None:
        return Turn(table.n, "")
    n, whole = turn_began(table, seat), table.clock.seconds * 1000
    notices: tuple[tuple[str, int], ...]
    notices = (("half", until - whole // 2), ("tenth", until - whole // 10))
    if before is None or before.stage != "playing" or n > turn_began(before, before.to_move):
        notices = (("turn", table.at + min(delay, whole // 10)), *notices)
    if table.seats[seat].nudged == table.n:
        notices = (("nudge", table.at), *notices)
    return Turn(n, holder, until, table.seats[seat].vacation, notices)


def turn_began(table: TableState, seat: int | None) -> int:
    """The event by which it became a seat's turn. A turn that returns because a move was taken back
    is the same turn."""
    for move in reversed(table.moves):
        if move.event.seat != seat:
            return move.n
    return 0
