"""Taking back: free until chance, a reveal or another's decision; then by consent of all others.

Never across chance or a reveal: what somebody has seen cannot be unseen.
"""

from __future__ import annotations

from dataclasses import dataclass

from archipel.tables import events
from archipel.tables.commands import AgreeToTakeBack, TakeBack
from archipel.tables.decisions.checks import acting_seat, check_fresh, check_playing
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import refuse
from archipel.tables.table import Table, Who


@dataclass(frozen=True)
class Plan:
    """How many actions have to go, and which seats have to agree."""

    moves: int
    needs: frozenset[int]


def plan_to_take_back(table: Table, seat: int) -> Plan | None:
    """How a seat can get back to before its last action; None if it cannot."""
    if table.stage != "playing" or table.seats[seat].bot is not None:
        return None
    for count, move in enumerate(reversed(table.moves), 1):
        if not move.free:
            return None
        if move.seat == seat and move.by == "person":
            return Plan(count, frozenset() if count == 1 else _others(table, seat))
    return None


def seats_that_may_take_back(table: Table) -> frozenset[int]:
    """Those with a plan."""
    if table.stage != "playing":
        return frozenset()
    last = table.moves.last
    if last is None or not last.free:
        return frozenset()
    playing = {seat for seat, who in enumerate(table.seats) if who.bot is None}
    found = set()
    for move in table.moves.backwards():
        if not move.free or not playing:
            break
        if move.by == "person" and move.seat in playing:
            playing.remove(move.seat)
            found.add(move.seat)
    return frozenset(found)


def _others(table: Table, seat: int) -> frozenset[int]:
    """Those to ask: at a table on one device nobody, for everybody looks on."""
    if table.hot_seat:
        return frozenset()
    return frozenset(
        other for other in table.people if other != seat and table.seats[other].is_person_playing
    )


def take_back(
    table: Table, command: TakeBack, who: Who, wanted: int | None, moment: Moment
) -> list[events.Event]:
    check_playing(table)
    last = table.moves[-1].seat if table.moves else None
    seat = acting_seat(who, wanted, last)
    if table.seats[seat].resigned:
        raise refuse("resigned")
    if table.seats[seat].bot is not None:
        raise refuse("bot_plays")
    check_fresh(table, command.n)
    plan = plan_to_take_back(table, seat)
    if plan is None:
        raise refuse("cannot_take_back")
    if table.taken_back >= moment.settings.take_backs:
        raise refuse("too_many_take_backs")
    if not plan.needs:
        return [events.TakenBack(seat, plan.moves)]
    if table.take_back is not None:
        raise refuse("take_back_pending")
    return [events.TakeBackAsked(seat, plan.moves)]


def agree_to_take_back(
    table: Table, command: AgreeToTakeBack, who: Who, wanted: int | None
) -> list[events.Event]:
    """Answer somebody's request; whoever asked may withdraw it by not agreeing."""
    check_playing(table)
    seat = acting_seat(who, wanted)
    request = table.take_back
    if request is None:
        raise refuse("no_take_back_asked")
    if not request.n <= command.n <= table.n:
        raise refuse("stale")
    if table.seats[seat].bot is not None:
        raise refuse("bot_plays")
    if seat in request.agreed or (seat == request.seat and command.agree):
        raise refuse("already_answered")
    return [events.TakeBackAnswered(seat, command.agree)]


def settle_take_back(table: Table) -> list[events.Event]:
    """The request is granted as soon as everybody who has to agree did."""
    request = table.take_back
    if request is None or table.stage != "playing":
        return []
    if _others(table, request.seat) <= request.agreed:
        return [events.TakenBack(request.seat, request.moves)]
    return []
