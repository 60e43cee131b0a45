"""From the log to the table: each event in turn makes the next table. Nothing else does.

An event in a log is a fact: it is not judged again.  But a log that the rules do not follow is
refused, saying at which event.  Where a table was begun by older rules, it goes on by those of
today as long as they follow its log; from there on it can only be looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import singledispatch
from typing import Any, Literal

from archipel.rules.all_games import game_named
from archipel.rules.contract import NotationError, Outcome, UnknownGameError
from archipel.rules.kit import ChanceError, Tape, clone
from archipel.rules.options import OptionError
from archipel.tables import events
from archipel.tables.chain import Chain
from archipel.tables.commands import COLOURS, Colour
from archipel.tables.dealing import dealt
from archipel.tables.events import Entry, UnreadableLog
from archipel.tables.table import (
    Draw,
    Logged,
    MoveMade,
    PlayedOn,
    Progress,
    Proposal,
    Seat,
    Snapshot,
    Table,
    TakeBackRequest,
    changed,
    changed_to,
)

#: A returning owner has at least this part of a live clock again, or the bot would come back at
#: once.
_SHARE_ON_RETURN = 4


def fold(table: Table | None, entry: Entry, foreseen: Any = None) -> Table:
    """The table after one more event; raises `UnreadableLog`.

    ``foreseen`` is the state after it, where an action was decided just now.
    """
    n = 1 if table is None else table.n + 1
    event = entry.event
    if table is None:
        if not isinstance(event, events.Created):
            raise UnreadableLog(f"a log begins with 'created', not with {_type(event)!r}")
        table = _created(event, entry.at)
        logged = Logged(1, entry.at, event, entry.request)
        return replace(table, n=1, at=entry.at, log=Chain([logged]))
    at = max(entry.at, table.at)  # a clock set back must not give anybody time
    restarted = isinstance(event, events.ClocksRestarted) and table.clock.kind == "live"
    current = table if restarted else _spend_time(table, at)
    if foreseen is not None and isinstance(event, events.Played):
        acted = _with_increment(current, event)
        values = _of_action(event, acted, n, foreseen)
        values.update(_logged(table, entry, n, at, foreseen))
        values["at"] = at
        return _give_time(changed_to(acted, values))
    current = changed(current, n=n, at=at)
    after = (_by_older_rules if table.older_rules else _by_these_rules)(event, current)
    if after.position_n != n:
        logged = Logged(n, at, event, entry.request, position_n=after.position_n)
        return changed(after, log=table.log.plus(logged))
    return _give_time(changed(after, **_logged(table, entry, n, at, after.state)))


def _logged(table: Table, entry: Entry, n: int, at: int, state: Any) -> dict[str, Any]:
    """What is different after event n, which changed the position to this one, since it is in the
    log."""
    if table.position_n:
        before_that = table.log[table.position_n - 1].before
        if before_that is not None:
            before_that.only_packed()
    packed = Snapshot(state)
    logged = Logged(n, at, entry.event, entry.request, table.packed, packed, n)
    return {"n": n, "packed": packed, "log": table.log.plus(logged)}


def _by_these_rules(event: events.Event, table: Table) -> Table:
    try:
        return _next(event, table)
    except (ChanceError, IndexError, OptionError) as error:
        raise UnreadableLog(
            f"event {table.n} ({_type(event)}) does not fit the rules: {error}"
        ) from None


def _by_older_rules(event: events.Event, table: Table) -> Table:
    of_the_game = isinstance(
        event, events.Begun | events.Played | events.TakenBack | events.StepBegun
    )
    if table.halted_at is not None and of_the_game:
        return table
    try:
        return _next(event, table)
    except Exception:
        # Rules are made for what they allow: what they do with anything else is anybody's guess.
        if not of_the_game:
            raise
        return replace(table, stage="closed", halted_at=table.n, take_back=None)


def fold_all(entries: Iterable[Entry], table: Table | None = None) -> Table:
    for entry in entries:
        table = fold(table, entry)
    if table is None:
        raise UnreadableLog("the log is empty")
    return table


def _type(event: events.Event) -> str:
    return str(event.__struct_config__.tag)


def _created(event: events.Created, at: int) -> Table:
    try:
        definition = game_named(event.game)
        options = definition.make_options(event.seats, **event.options)
    except (UnknownGameError, OptionError) as error:
        raise UnreadableLog(f"event 1 (created): {error}") from None
    if event.rules_version > definition.rules_version:
        raise UnreadableLog(
            f"the table plays {event.game} by rules version {event.rules_version}; "
            f"this Archipel has version {definition.rules_version}"
        )
    if event.board not in ("", definition.board):
        raise UnreadableLog(
            f"the table plays {event.game} on board {event.board}; this Archipel was started with "
            f"board {definition.board} (see --board)"
        )
    seats = tuple(
        Seat("open", "", COLOURS[seat % len(COLOURS)], kept=seat in event.kept)
        for seat in range(event.seats)
    )
    return Table(
        id=event.table,
        game=event.game,
        options=options,
        clock=event.clock,
        hot_seat=event.hot_seat,
        public=event.public,
        commitment=event.commitment,
        follows=event.follows,
        created_at=at,
        seats=seats,
        older_rules=event.rules_version < definition.rules_version,
        position=event.position,
        what_if=event.what_if,
        what_if_n=event.what_if_n,
        hints_wished=event.hints,
    )


# ---- time ---------------------------------------------------------------------------------------


def _spend_time(table: Table, at: int) -> Table:
    """Whoever was on the move has used the time since the last event."""
    if table.clock.kind == "none" or (seat := table.clock_runs_for) is None:
        return table
    return _with_seat(table, seat, lambda s: replace(s, time_left=table.time_left(seat, at)))


def _give_time(table: Table) -> Table:
    """By days, whoever is on the move now has the full time for this decision."""
    if table.clock.kind != "days" or (seat := table.clock_runs_for) is None:
        return table
    full = table.clock.seconds * 1000
    return _with_seat(table, seat, lambda s: replace(s, time_left=full))


# ---- one function per type of event -------------------------------------------------------------


def _with_seat(table: Table, seat: int, change: Callable[[Seat], Seat]) -> Table:
    if not 0 <= seat < len(table.seats):
        raise IndexError(f"there is no seat {seat}")
    seats = list(table.seats)
    seats[seat] = change(seats[seat])
    return replace(table, seats=tuple(seats))


@singledispatch
def _next(event: Any, table: Table) -> Table:
    raise UnreadableLog(f"event {table.n} ({_type(event)}) cannot stand here")


@_next.register
def _options_set(event: events.OptionsSet, table: Table) -> Table:
    chosen = table.definition.make_options(len(table.seats), **event.options)
    return replace(table, options=chosen)


@_next.register
def _seated(event: events.Seated, table: Table) -> Table:
    # Whoever comes later has agreed to nothing yet.
    table = _take_colour(table, event.seat, event.colour)
    table = replace(table, proposal=None, hints_agreed=False)
    return _with_seat(
        table,
        event.seat,
        lambda s: replace(
            s,
            kind="person",
            name=event.name,
            bot=None,
            kept=False,
            nonce=event.nonce,
            seal=event.seal,
            late=False,
            said_at=(),
            time_left=_time_on_return(table, s),
        ),
    )


def _take_colour(table: Table, seat: int, colour: Colour) -> Table:
    """Give a seat a colour; whoever had it gets that seat's."""
    given_up = table.seats[seat].colour
    seats = tuple(replace(s, colour=given_up) if s.colour == colour else s for s in table.seats)
    return _with_seat(replace(table, seats=seats), seat, lambda s: replace(s, colour=colour))


@_next.register
def _seat_freed(event: events.SeatFreed, table: Table) -> Table:
    return _with_seat(
        table,
        event.seat,
        lambda s: _left(s, kind="open", name="", bot=event.bot),
    )


@_next.register
def _bot_seated(event: events.BotSeated, table: Table) -> Table:
    return _with_seat(
        table,
        event.seat,
        lambda s: _left(s, kind="bot", name=event.name, bot=event.bot),
    )


def _left(seat: Seat, kind: Literal["open", "bot"], name: str, bot: str | None) -> Seat:
    """A seat without the person who sat there."""
    return replace(
        seat, kind=kind, name=name, bot=bot, kept=False, nonce="", seal="", late=False, said_at=()
    )


@_next.register
def _nonce_added(event: events.NonceAdded, table: Table) -> Table:
    return _with_seat(table, event.seat, lambda s: replace(s, nonce=event.nonce))


@_next.register
def _nonce_sealed(event: events.NonceSealed, table: Table) -> Table:
    return _with_seat(table, event.seat, lambda s: replace(s, seal=event.seal))


@_next.register
def _draw_begun(event: events.DrawBegun, table: Table) -> Table:
    nonces = tuple(None if seal else "" for seal in event.seals)
    return replace(
        table,
        commitment=event.commitment,
        seals=tuple(event.seals),
        draw=Draw(table.at, nonces),
    )


@_next.register
def _nonce_opened(event: events.NonceOpened, table: Table) -> Table:
    if table.draw is None or event.seat not in table.draw.missing:
        raise IndexError(f"nothing is to be opened by seat {event.seat}")
    nonces = list(table.draw.nonces)
    nonces[event.seat] = event.nonce
    return replace(table, draw=replace(table.draw, nonces=tuple(nonces)))


@_next.register
def _draw_voided(event: events.DrawVoided, table: Table) -> Table:
    # What was opened is known now, so it must not count again.
    seats = tuple(
        replace(seat, seal="", late=seat.late or number in event.missing)
        for number, seat in enumerate(table.seats)
    )
    return replace(table, seats=seats, commitment="", seals=(), draw=None)


@_next.register
def _begun(event: events.Begun, table: Table) -> Table:
    tape = Tape(event.outcomes)
    state = dealt(table.definition, table.options, table.position, tape)
    tape.finish()
    full = table.clock.seconds * 1000
    start = Snapshot(state)
    start.only_packed()
    return replace(
        table,
        stage="playing",
        nonces=tuple(event.nonces),
        draw=None,
        seats=tuple(replace(seat, time_left=full) for seat in table.seats),
        start=start,
        state=state,
        next_draw=len(event.outcomes),
        position_n=table.n,
    )


@_next.register
def _played(event: events.Played, table: Table) -> Table:
    definition, before = table.definition, table.state
    if event.seat != table.to_move or event.action not in definition.legal_actions(before):
        raise UnreadableLog(
            f"event {table.n} (played): action {event.action} of seat {event.seat} is not legal "
            "by these rules"
        )
    if event.first_draw != table.next_draw:
        raise UnreadableLog(
            f"event {table.n} (played) begins with draw {event.first_draw} of chance; "
            f"the next one is {table.next_draw}"
        )
    state = clone(before)
    tape = Tape(event.outcomes)
    definition.apply(state, event.action, tape)
    tape.finish()
    table = _with_increment(table, event)
    return changed(table, **_of_action(event, table, table.n, state))


def _with_increment(table: Table, event: events.Played) -> Table:
    """A person who played has more of a live clock."""
    if table.clock.kind != "live" or event.by != "person":
        return table
    more = table.clock.increment * 1000
    return _with_seat(table, event.seat, lambda s: replace(s, time_left=s.time_left + more))


def _of_action(event: events.Played, table: Table, n: int, state: Any) -> dict[str, Any]:
    """What is different after an action, event n, that led to this position."""
    definition, before = table.definition, table.state
    move = MoveMade(
        n,
        event.seat,
        event.action,
        tuple(event.outcomes),
        event.first_draw,
        event.by,
        not event.outcomes and not definition.reveals(before, state),
        table.packed or Snapshot(before),
        table.progress,
    )
    return {
        "state": state,
        "moves": table.moves.plus(move),
        "taken_back": table.taken_back if move.free else 0,
        "next_draw": event.first_draw + len(event.outcomes),
        "position_n": n,
        "take_back": None,
        "progress": _one_further(table.progress, event),
    }


@_next.register
def _taken_back(event: events.TakenBack, table: Table) -> Table:
    if not 1 <= event.moves <= len(table.moves):
        raise IndexError(f"{event.moves} of {len(table.moves)} actions cannot be taken back")
    first = table.moves[-event.moves]
    return replace(
        table,
        state=first.before.unpack(),
        progress=first.progress,
        moves=table.moves.without_last(event.moves),
        taken_back=table.taken_back + 1,
        position_n=table.n,
        take_back=None,
    )


@_next.register
def _take_back_asked(event: events.TakeBackAsked, table: Table) -> Table:
    return replace(table, take_back=TakeBackRequest(table.n, event.seat, event.moves))


@_next.register
def _take_back_answered(event: events.TakeBackAnswered, table: Table) -> Table:
    request = table.take_back
    if request is None or not event.agree:
        return replace(table, take_back=None)
    return replace(table, take_back=replace(request, agreed=request.agreed | {event.seat}))


@_next.register
def _close_asked(event: events.CloseAsked, table: Table) -> Table:
    return replace(table, proposal=Proposal(table.n, "close", event.seat))


@_next.register
def _seat_asked(event: events.SeatAsked, table: Table) -> Table:
    return replace(table, proposal=Proposal(table.n, "seat", event.seat, event.name))


@_next.register
def _hints_asked(event: events.HintsAsked, table: Table) -> Table:
    return replace(table, proposal=Proposal(table.n, "hints", event.seat))


@_next.register
def _hints_allowed(event: events.HintsAllowed, table: Table) -> Table:
    return replace(table, proposal=None, hints_agreed=True)


@_next.register
def _proposal_answered(event: events.ProposalAnswered, table: Table) -> Table:
    proposal = table.proposal
    if proposal is None or not event.agree:
        return replace(table, proposal=None)
    return replace(table, proposal=replace(proposal, agreed=proposal.agreed | {event.seat}))


@_next.register
def _said(event: events.Said, table: Table) -> Table:
    # The last few are enough to tell who talks too much.
    return _with_seat(table, event.seat, lambda s: replace(s, said_at=(*s.said_at[-4:], table.at)))


@_next.register
def _resigned(event: events.Resigned, table: Table) -> Table:
    order = 1 + max(seat.resigned for seat in table.seats)
    return _with_seat(table, event.seat, lambda s: replace(s, resigned=order, bot=event.bot))


@_next.register
def _handed_over(event: events.HandedOver, table: Table) -> Table:
    return _with_seat(table, event.seat, lambda s: replace(s, bot=event.bot))


@_next.register
def _bot_replaced(event: events.BotReplaced, table: Table) -> Table:
    return _with_seat(table, event.seat, lambda s: replace(s, bot=event.bot))


@_next.register
def _returned(event: events.Returned, table: Table) -> Table:
    return _with_seat(
        table,
        event.seat,
        lambda s: replace(s, bot=None, time_left=_time_on_return(table, s)),
    )


def _time_on_return(table: Table, seat: Seat) -> int:
    if table.clock.kind == "days":
        return table.clock.seconds * 1000
    return max(seat.time_left, _share(table))


def _share(table: Table) -> int:
    return table.clock.seconds * 1000 // _SHARE_ON_RETURN


@_next.register
def _clock_flagged(event: events.ClockFlagged, table: Table) -> Table:
    return _with_seat(table, event.seat, lambda s: replace(s, time_left=0))


@_next.register
def _clocks_restarted(event: events.ClocksRestarted, table: Table) -> Table:
    seat = table.clock_runs_for
    if seat is None:
        return table
    left, share = table.seats[seat].time_left, _share(table)
    if table.clock.kind == "days":
        left = max(left, share)
    else:
        left = max(min(left, share), left - event.spent)
    return _with_seat(table, seat, lambda s: replace(s, time_left=left))


def is_nearly_out(table: Table, now: int) -> bool:
    """Whether whoever is on the move by days has less time left than one who returns is given."""
    seat = table.clock_runs_for
    return (
        seat is not None
        and table.clock.kind == "days"
        and table.time_left(seat, now) < _share(table)
    )


@_next.register
def _ended(event: events.Ended, table: Table) -> Table:
    result = Outcome(tuple(event.ranks), tuple(event.scores), event.reason)
    return replace(
        table,
        stage="over",
        result=result,
        secret=event.secret,
        ended_n=table.n,
        take_back=None,
        proposal=None,
    )


@_next.register
def _closed(event: events.Closed, table: Table) -> Table:
    return replace(
        table,
        stage="closed",
        secret=table.secret or event.secret,
        draw=None,
        take_back=None,
        proposal=None,
    )


@_next.register
def _rematched(event: events.Rematched, table: Table) -> Table:
    return replace(table, rematch=event.table, rematch_n=table.n)


@_next.register
def _played_on(event: events.PlayedOn, table: Table) -> Table:
    return replace(table, played_on=(*table.played_on, PlayedOn(event.n, event.table, table.n)))


# ---- lessons ------------------------------------------------------------------------------------


def _one_further(progress: Progress | None, event: events.Played) -> Progress | None:
    if progress is None:
        return None
    if event.by == "person":
        return replace(progress, done=progress.done + 1)
    return replace(progress, played=progress.played + 1)


@_next.register
def _lesson_begun(event: events.LessonBegun, table: Table) -> Table:
    return replace(table, progress=Progress(event.lesson, event.edition))


@_next.register
def _step_begun(event: events.StepBegun, table: Table) -> Table:
    if table.progress is None:
        raise IndexError("there is no lesson here")
    table = replace(table, progress=replace(table.progress, step=event.step, played=0, done=0))
    table = replace(table, position_n=table.n)
    if event.position is None:
        return table
    try:
        state = table.definition.parse_position(event.position)
    except NotationError as error:
        raise UnreadableLog(f"event {table.n} (step_begun): {error}") from None
    # What led here before is over: nothing of it can be taken back.
    return replace(table, stage="playing", start=Snapshot(state), state=state, moves=Chain())


@_next.register
def _lesson_ended(event: events.LessonEnded, table: Table) -> Table:
    return replace(table, stage="over", ended_n=table.n, take_back=None)
