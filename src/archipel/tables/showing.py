"""How a table looks, and what its log tells: to each seat what it may know."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

from msgspec import structs

from archipel.rules.contract import Event
from archipel.tables import events, shown
from archipel.tables.decisions.consenting import those_to_agree
from archipel.tables.decisions.learning import decision_at, lesson_at
from archipel.tables.looking_back import narration_of, told_of_the_past
from archipel.tables.presence import Presence
from archipel.tables.table import Logged, Table


def show_table(table: Table, presence: Presence, now: int) -> shown.Table:
    return shown.Table(
        id=table.id,
        game=table.game,
        options=dict(table.options.values),
        stage=table.stage,
        seats=show_seats(table, presence, now),
        spectators=presence.spectators,
        clock=table.clock,
        commitment=table.commitment,
        seals=list(table.seals) or [seat.seal for seat in table.seats],
        nonces=_nonces(table),
        drawing=table.draw is not None,
        proposal=_proposal(table),
        secret=table.secret,
        rematch=table.rematch,
        hot_seat=table.hot_seat,
        created_at=table.created_at / 1000,
        to_move=table.to_move,
        result=result_at(table, table.n),
        from_position=bool(table.position),
        what_if=shown.WhatIf(table.what_if, table.what_if_n) if table.what_if else None,
        hints=table.hints,
        hints_possible=table.hints_wished,
        lesson=_lesson(table),
    )


def show_table_again(
    known: shown.Table, before: Table, table: Table, presence: Presence
) -> shown.Table | None:
    """As `show_table`, after moves like most: nothing but who is to move is different from a table
    that was shown before, and nobody came or went since. None if there may be more to tell."""
    if (
        table.clock.kind != "none"
        or table.progress is not None
        or table.stage != before.stage
        or presence.away_since(table)
    ):
        return None
    for logged in table.log.after(before.n):
        if not isinstance(logged.event, events.Played):
            return None
    to_move = table.to_move
    return known if known.to_move == to_move else structs.replace(known, to_move=to_move)


def _lesson(table: Table) -> shown.LessonProgress | None:
    progress = table.progress
    if progress is None:
        return None
    return shown.LessonProgress(
        progress.lesson,
        progress.step,
        waits=decision_at(table) is not None,
        current=lesson_at(table) is not None,
    )


def _nonces(table: Table) -> list[str]:
    if table.draw is not None:
        return [nonce or "" for nonce in table.draw.nonces]
    return list(table.nonces) or [""] * len(table.seats)


def _proposal(table: Table) -> shown.Proposal | None:
    asked = table.proposal
    if asked is None:
        return None
    waits = sorted(those_to_agree(table, asked) - asked.agreed)
    return shown.Proposal(asked.n, asked.kind, asked.seat, asked.name, waits)


def show_seats(table: Table, presence: Presence, now: int) -> list[shown.Seat]:
    away = presence.away_since(table)
    return [
        shown.Seat(
            kind=seat.kind,
            name=seat.name,
            colour=seat.colour,
            bot=seat.bot,
            here=seat.kind == "person" and number not in away,
            bot_plays=seat.kind != "bot" and seat.bot is not None,
            resigned=seat.resigned > 0,
            absent_for=max(0, now - away[number]) // 1000 if number in away else 0,
            clock_ms=None if table.clock.kind == "none" else table.time_left(number, now),
            clock_runs=number == table.clock_runs_for,
        )
        for number, seat in enumerate(table.seats)
    ]


def show_presence(table: Table, presence: Presence, now: int) -> shown.Presence:
    return shown.Presence(show_seats(table, presence, now), presence.spectators)


def result_at(table: Table, n: int) -> shown.Result | None:
    result = table.result
    if result is None or table.ended_n is None or n < table.ended_n:
        return None
    return shown.Result(list(result.ranks), list(result.scores), result.reason)


# ---- the log ------------------------------------------------------------------------------------


def show_log(table: Table, seat: int | None, after: int) -> list[shown.LogEntry]:
    """What happened after event ``after``, as a seat may know it."""
    return show_page(table, seat, after=after, limit=table.n).log


def show_page(
    table: Table, seat: int | None, *, after: int = 0, before: int | None = None, limit: int
) -> shown.LogPage:
    """What the last ``limit`` events brought, of those after one and before another."""
    end = table.n if before is None else min(before - 1, table.n)
    begin = max(after, end - limit, 0)
    told: list[shown.LogEntry] = []
    for logged in table.log.after(begin):
        if logged.n > end:
            break
        entry = _entry(table, logged, seat)
        if entry is not None:
            told.append(entry)
    return shown.LogPage(told, begin)


def is_told_to_all(table: Table, after: int) -> bool:
    """Whether what came after an event was told alike to whoever was told of it."""
    for logged in table.log.after(after):
        if logged.line is None and isinstance(logged.event, events.Played):
            return False
    return True


def is_past_of(table: Table, after: int, at: float | None) -> bool:
    """Whether somebody who knows ``after`` events, and a log that ended ``at`` a moment, knows how
    this table began."""
    if after > table.n:
        return False
    if at is None:
        return True
    past = (table.log[n - 1] for n in range(after, 0, -1))
    last = next((logged for logged in past if _is_told(logged.event)), None)
    return last is not None and last.at / 1000 == at


def _is_told(event: Any) -> bool:
    return isinstance(event, events.Played) or _tell(event) is not None


def _entry(table: Table, logged: Logged, seat: int | None) -> shown.LogEntry | None:
    if isinstance(logged.event, events.Played):
        if logged.after is None:  # today's rules cannot say what it did
            seat = logged.event.seat
            older = shown.Happening("table.older_move", {"seat": seat})
            return _line(logged, "played", seat, [older])
        if logged.line is not None:
            return logged.line
        told = narration_of(table, logged, logged.event)
        is_public = True
        for event in told:
            if event.seen_by is not None:
                is_public = False
                told = told_of_the_past(table, logged, logged.event, seat)
                break
        line = _line(logged, "played", logged.event.seat, list(map(show_happening, told)))
        if is_public:
            structs.force_setattr(logged, "line", line)  # told once, read by every seat
        return line
    of_the_table = _tell(logged.event)
    if of_the_table is None:
        return None
    kind, by, key, details = of_the_table
    return _line(logged, kind, by, [shown.Happening(key, dict(details))])


def _line(
    logged: Logged, kind: str, seat: int | None, happenings: list[shown.Happening]
) -> shown.LogEntry:
    return shown.LogEntry(logged.n, seat, kind, happenings, logged.at / 1000)


def show_happening(event: Event) -> shown.Happening:
    return shown.Happening(event.key, event.details)  # type: ignore[arg-type] # nobody changes them


Told = tuple[str, int | None, str, Mapping[str, Any]]


@singledispatch
def _tell(event: Any) -> Told | None:
    """Kind, seat, and the sentence of an event of the table; None if it is not worth one."""
    return None


@_tell.register
def _(event: events.Seated) -> Told:
    return "seat", event.seat, "table.sat_down", {"seat": event.seat, "name": event.name}


@_tell.register
def _(event: events.SeatFreed) -> Told:
    return "seat", event.seat, "table.seat_freed", {"number": event.seat + 1}


@_tell.register
def _(event: events.BotSeated) -> Told:
    details = {"number": event.seat + 1, "bot": event.bot, "name": event.name}
    return "seat", event.seat, "table.bot_seated", details


@_tell.register
def _(event: events.OptionsSet) -> Told:
    return "options", None, "table.options_set", {}


@_tell.register
def _(event: events.DrawVoided) -> Told:
    return "draw", event.missing[0], "table.draw_voided", {"seat": event.missing[0]}


@_tell.register
def _(event: events.CloseAsked) -> Told:
    if event.seat is None:
        return "asked", None, "table.close_asked_by_host", {}
    return "asked", event.seat, "table.close_asked", {"seat": event.seat}


@_tell.register
def _(event: events.SeatAsked) -> Told:
    return "asked", None, "table.seat_asked", {"name": event.name, "number": event.seat + 1}


@_tell.register
def _(event: events.HintsAsked) -> Told:
    return "asked", event.seat, "table.hints_asked", {"seat": event.seat}


@_tell.register
def _(event: events.HintsAllowed) -> Told:
    return "answered", None, "table.hints_allowed", {}


@_tell.register
def _(event: events.ProposalAnswered) -> Told:
    key = "table.take_back_agreed" if event.agree else "table.take_back_refused"
    return "answered", event.seat, key, {"seat": event.seat}


@_tell.register
def _(event: events.Begun) -> Told:
    # The outcomes of the deal stay here: they are the hidden values.
    return "begun", None, "table.begun", {}


@_tell.register
def _(event: events.TakenBack) -> Told:
    return "taken_back", event.seat, "table.taken_back", {"seat": event.seat, "moves": event.moves}


@_tell.register
def _(event: events.TakeBackAsked) -> Told:
    return "take_back_asked", event.seat, "table.take_back_asked", {"seat": event.seat}


@_tell.register
def _(event: events.TakeBackAnswered) -> Told:
    key = "table.take_back_agreed" if event.agree else "table.take_back_refused"
    return "take_back_answered", event.seat, key, {"seat": event.seat}


@_tell.register
def _(event: events.Said) -> Told:
    return "chat", event.seat, f"phrase.{event.phrase}", {"seat": event.seat}


@_tell.register
def _(event: events.Resigned) -> Told:
    return "resigned", event.seat, "table.resigned", {"seat": event.seat}


@_tell.register
def _(event: events.HandedOver) -> Told:
    return "handed_over", event.seat, "table.handed_over", {"seat": event.seat, "bot": event.bot}


@_tell.register
def _(event: events.BotReplaced) -> Told:
    details = {"seat": event.seat, "failed": event.failed, "bot": event.bot}
    return "bot_replaced", event.seat, "table.bot_replaced", details


@_tell.register
def _(event: events.Returned) -> Told:
    return "returned", event.seat, "table.returned", {"seat": event.seat}


@_tell.register
def _(event: events.ClockFlagged) -> Told:
    return "clock", event.seat, "table.time_out", {"seat": event.seat}


@_tell.register
def _(event: events.ClocksRestarted) -> Told:
    return "clock", None, "table.clocks_restarted", {}


@_tell.register
def _(event: events.Ended) -> Told:
    return "ended", None, event.reason, {}


@_tell.register
def _(event: events.Closed) -> Told:
    return "closed", None, "table.closed", {}


@_tell.register
def _(event: events.Rematched) -> Told:
    return "rematch", None, "table.rematch", {"table": event.table}


@_tell.register
def _(event: events.PlayedOn) -> Told:
    if event.seat is None:
        return "played_on", None, "table.rematch", {"table": event.table}
    details = {"table": event.table, "seat": event.seat}
    return "played_on", event.seat, "table.played_on", details
