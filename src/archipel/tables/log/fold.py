"""From the log to the table: each event makes the next state. Nothing else does.

An event in a log is a fact and is not checked again.  A log that the rules cannot replay is refused
with the number of the event.  A table that was begun by older rules continues by today's as long as
they can replay its log; from there on it is read-only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError, UnknownGameError
from archipel.rules.fair_draws import PURPOSES
from archipel.rules.kit import Chance, ChanceError, Tape, clone
from archipel.rules.options import OptionError, Options
from archipel.tables.commands import COLOURS
from archipel.tables.log import events
from archipel.tables.log.events import Entry, UnreadableLog
from archipel.tables.log.table_state import (
    Continuation,
    Draw,
    LessonState,
    LoggedEvent,
    MoveMade,
    PendingProposal,
    PersistentList,
    SeatState,
    Snapshot,
    TableState,
    TakeBackRequest,
    changed,
)
from archipel.tables.publishing.payloads import Result

Asked = TypeVar("Asked", TakeBackRequest, PendingProposal)
#: A returning player gets at least this fraction of a live clock, or the bot would be back at once.
_SHARE_ON_RETURN = 4


def fold_all(entries: Iterable[Entry], table: TableState | None = None) -> TableState:
    """The table after these entries; raises `UnreadableLog`."""
    for entry in entries:
        table = fold(table, entry)
    if table is None:
        raise UnreadableLog("the log is empty")
    return table


def fold(table: TableState | None, entry: Entry, state: Any = None) -> TableState:
    """The table after one more event; raises `UnreadableLog`.

    ``state`` is the position after a move, if the caller has just computed it.
    """
    n = 1 if table is None else table.n + 1
    event = entry.event
    if table is None:
        if not isinstance(event, events.Created):
            raise UnreadableLog(f"a log begins with 'created', not with {_type(event)!r}")
        table = _created(event, entry.at)
        logged = LoggedEvent(1, entry.at, event, entry.request)
        return replace(table, n=1, at=entry.at, log=PersistentList([logged]))
    at = max(entry.at, table.at)  # a clock that was set back gives nobody time
    restarted = isinstance(event, events.ClocksRestarted) and table.clock.kind == "live"
    current = table if restarted else _spend_time(table, at)
    if state is not None and isinstance(event, events.Played):
        current = _with_increment(current, event)
        move = _move(event, current, n, state)
        return _give_time(changed(current, at=at, **move, **_logged(table, entry, n, at, state)))
    current = changed(current, n=n, at=at)
    after = _apply(event, current)
    if after.position_n != n:
        logged = LoggedEvent(n, at, event, entry.request, position_n=after.position_n)
        return changed(after, log=table.log.plus(logged))
    return _give_time(changed(after, **_logged(table, entry, n, at, after.state)))


def _logged(table: TableState, entry: Entry, n: int, at: int, state: Any) -> dict[str, Any]:
    """The changed fields after event ``n``, which led to position ``state``, is in the log."""
    if table.position_n:
        before_that = table.log[table.position_n - 1].before
        if before_that is not None:
            before_that.only_packed()
    packed = Snapshot(state)
    logged = LoggedEvent(n, at, entry.event, entry.request, table.packed, packed, n)
    return {"n": n, "packed": packed, "log": table.log.plus(logged)}


def _apply(event: events.Event, table: TableState) -> TableState:
    of_the_game = isinstance(
        event, events.Begun | events.Played | events.TakenBack | events.StepBegun
    )
    if table.halted_at is not None and of_the_game:
        return table
    try:
        return _next(event, table)
    except Exception as error:  # rules may raise anything for actions they do not allow
        if table.older_rules and of_the_game:
            return replace(table, stage="closed", halted_at=table.n, take_back=None)
        if isinstance(error, ChanceError | IndexError | OptionError):
            message = f"event {table.n} ({_type(event)}) does not fit the rules: {error}"
            raise UnreadableLog(message) from None
        raise


def _type(event: events.Event) -> str:
    return str(event.__struct_config__.tag)


def first_position(
    definition: Definition[Any], options: Options, position: str, chance: Chance
) -> Any:
    """The position a game starts with: dealt, or the given one with its unknown parts dealt."""
    if not position:
        return definition.new(options, chance)
    state = definition.parse_position(position)
    definition.deal_unseen(state, chance)
    return state


# ---- time ---------------------------------------------------------------------------------------


def _spend_time(table: TableState, at: int) -> TableState:
    """Charge the time since the last event to the seat on the move."""
    if table.clock.kind == "none" or (seat := table.clock_runs_for) is None:
        return table
    return _with_seat(table, seat, time_left=table.time_left(seat, at))


def _give_time(table: TableState) -> TableState:
    """By days, give the seat on the move the full time for its decision."""
    if table.clock.kind != "days" or (seat := table.clock_runs_for) is None:
        return table
    return _with_seat(table, seat, time_left=table.clock.seconds * 1000)


def _with_increment(table: TableState, event: events.Played) -> TableState:
    if table.clock.kind != "live" or event.by != "person":
        return table
    time_left = table.seats[event.seat].time_left + table.clock.increment * 1000
    return _with_seat(table, event.seat, time_left=time_left)


def _time_on_return(table: TableState, seat: int) -> int:
    if table.clock.kind == "days":
        return table.clock.seconds * 1000
    return max(table.seats[seat].time_left, _share(table))


def _share(table: TableState) -> int:
    return table.clock.seconds * 1000 // _SHARE_ON_RETURN


def is_nearly_out(table: TableState, now: int) -> bool:
    """Whether a clock by days has less time left than a returning player gets."""
    seat = table.clock_runs_for
    return (
        seat is not None
        and table.clock.kind == "days"
        and table.time_left(seat, now) < _share(table)
    )


# ---- one case per type of event -----------------------------------------------------------------


def _with_seat(table: TableState, seat: int, **values: Any) -> TableState:
    if not 0 <= seat < len(table.seats):
        raise IndexError(f"there is no seat {seat}")
    seats = list(table.seats)
    seats[seat] = replace(seats[seat], **values)
    return replace(table, seats=tuple(seats))


def _next(event: events.Event, table: TableState) -> TableState:
    match event:
        case events.Played():
            return _played(event, table)
        case events.Said(seat=seat) | events.Wrote(seat=seat):
            # The last few times are enough to limit the rate.
            said_at = (*table.seats[seat].said_at[-4:], table.at)
            texts = table.texts + isinstance(event, events.Wrote)
            return _with_seat(replace(table, texts=texts), seat, said_at=said_at)
        case events.ChatSet():
            return replace(table, chat=event.allowed)
        case events.OptionsSet():
            options = table.definition.options_of_version(
                table.created.rules_version, len(table.seats), event.options
            )
            return replace(table, options=options)
        case events.SetUpChanged():
            return _set_up_changed(event, table)
        case events.PersonSeated():
            return _person_seated(event, table)
        case events.SeatFreed():
            return _without_person(table, event.seat, kind="open", name="", bot=event.bot)
        case events.BotSeated():
            return _without_person(table, event.seat, kind="bot", name=event.name, bot=event.bot)
        case events.HandedOver() | events.BotReplaced():
            return _with_seat(table, event.seat, bot=event.bot)
        case events.Returned(seat=seat):
            if seat in table.hints_without:
                table = replace(table, hints_agreed=False, hints_without=frozenset())
            return _with_seat(table, seat, bot=None, time_left=_time_on_return(table, seat))
        case events.Resigned():
            order = 1 + max(seat.resigned for seat in table.seats)
            return _with_seat(table, event.seat, resigned=order, bot=event.bot)
        case events.ClockFlagged():
            return _with_seat(table, event.seat, time_left=0)
        case events.ClocksRestarted():
            return _clocks_restarted(event, table)
        case events.VacationTaken(seat=seat, until=until):
            held = table.seats[seat]
            more = max(until, table.at) - max(held.vacation, table.at)
            time_left = max(0, held.time_left + more)
            return _with_seat(table, seat, vacation=until, time_left=time_left)
        case events.Nudged(to=to):
            return _with_seat(table, to, nudged=table.n)
        case events.Planned(seat=seat, answers=answers):
            return _with_seat(table, seat, plan=tuple(answers.items()))
        case events.SecretsReplaced():
            return table
        case events.NonceAdded():
            return _with_seat(table, event.seat, nonce=event.nonce)
        case events.NonceSealed():
            return _with_seat(table, event.seat, seal=event.seal)
        case events.DrawBegun():
            nonces = tuple(None if seal else "" for seal in event.seals)
            seals, draw = tuple(event.seals), Draw(table.at, nonces)
            return replace(table, commitment=event.commitment, seals=seals, draw=draw)
        case events.NonceOpened():
            return _nonce_opened(event, table)
        case events.DrawVoided():
            # An opened nonce is known now, so its seal must not count again.
            seats = tuple(
                replace(seat, seal="", late=seat.late or number in event.missing)
                for number, seat in enumerate(table.seats)
            )
            void = replace(table, seats=seats, commitment="", seals=(), draw=None)
            return replace(void, draw_failed=True)
        case events.DuplicateOf():
            seals, fixed = tuple(event.seals), tuple(event.nonces)
            return replace(table, origin=event.origin, seals=seals, nonces=fixed)
        case events.DuplicateAdded():
            return replace(table, duplicates={**table.duplicates, event.table: table.at})
        case events.DuplicateFinished():
            return replace(table, finished={**table.finished, event.table: event})
        case events.SecretOpened():
            return replace(table, secret=event.secret)
        case events.Begun():
            return _begun(event, table)
        case events.TakenBack():
            return _taken_back(event, table)
        case events.TakeBackAsked():
            request = TakeBackRequest(table.n, event.seat, event.moves)
            return replace(table, take_back=request)
        case events.TakeBackAnswered():
            return replace(table, take_back=_answered(table.take_back, event))
        case events.CloseAsked():
            return replace(table, proposal=PendingProposal(table.n, "close", event.seat))
        case events.SeatAsked():
            proposal = PendingProposal(table.n, "seat", event.seat, event.name)
            return replace(table, proposal=proposal)
        case events.HintsAsked():
            return replace(table, proposal=PendingProposal(table.n, "hints", event.seat))
        case events.HintsAllowed():
            without = table.unasked
            return replace(table, proposal=None, hints_agreed=True, hints_without=without)
        case events.ProposalAnswered():
            return replace(table, proposal=_answered(table.proposal, event))
        case events.Ended():
            return replace(
                table,
                stage="over",
                result=Result(event.ranks, event.scores, event.reason),
                secret=None if table.origin else event.secret,
                ended_n=table.n,
                take_back=None,
                proposal=None,
            )
        case events.Closed():
            secret = table.secret or event.secret
            closed = replace(table, stage="closed", secret=secret, draw=None)
            return replace(closed, take_back=None, proposal=None)
        case events.MovedAway():
            moved = replace(table, stage="closed", moved_to=event.address)
            return replace(moved, take_back=None, proposal=None)
        case events.Rematched():
            return replace(table, rematch=event.table, rematch_n=table.n)
        case events.PlayedOn():
            continuation = Continuation(event.n, event.table, table.n)
            return replace(table, played_on=(*table.played_on, continuation))
        case events.LessonBegun():
            return replace(table, progress=LessonState(event.lesson, event.edition))
        case events.StepBegun():
            return _step_begun(event, table)
        case events.LessonEnded():
            return replace(table, stage="over", ended_n=table.n, take_back=None)
    raise UnreadableLog(f"event {table.n} ({_type(event)}) cannot stand here")


def _answered(
    asked: Asked | None, event: events.TakeBackAnswered | events.ProposalAnswered
) -> Asked | None:
    """The request after an answer: one refusal ends it."""
    if asked is None or not event.agree:
        return None
    return replace(asked, agreed=asked.agreed | {event.seat})


def _created(event: events.Created, at: int) -> TableState:
    try:
        definition = game_named(event.game)
        options = definition.options_of_version(event.rules_version, event.seats, event.options)
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
        SeatState("open", "", COLOURS[seat % len(COLOURS)], kept=seat in event.kept)
        for seat in range(event.seats)
    )
    return TableState(
        id=event.table,
        game=event.game,
        options=options,
        clock=event.clock,
        created=event,
        created_at=at,
        commitment=event.commitment,
        seats=seats,
        chat=not event.public and not event.hot_seat,
        older_rules=event.rules_version < definition.rules_version,
        origin=event.table if event.format == events.DUPLICATE else "",
    )


def _set_up_changed(event: events.SetUpChanged, table: TableState) -> TableState:
    seats = list(table.seats[: event.seats])
    while len(seats) < event.seats:
        taken = {seat.colour for seat in seats}
        colour = next((colour for colour in COLOURS if colour not in taken), COLOURS[0])
        seats.append(SeatState("open", "", colour))
    options = table.definition.make_options(event.seats, **event.options)
    return replace(table, seats=tuple(seats), options=options, clock=event.clock)


def _person_seated(event: events.PersonSeated, table: TableState) -> TableState:
    """The seat that had the colour gets that of the new player, who has not agreed to hints."""
    without = table.unasked - {event.seat} if table.stage == "playing" else frozenset()
    given_up, taken = table.seats[event.seat].colour, event.colour
    seats = tuple(replace(s, colour=given_up) if s.colour == taken else s for s in table.seats)
    return _with_seat(
        replace(table, seats=seats, proposal=None, hints_agreed=False),
        event.seat,
        kind="person",
        name=event.name,
        colour=taken,
        bot=None,
        kept=False,
        nonce=event.nonce,
        seal=event.seal,
        late=table.draw_failed,
        said_at=(),
        time_left=_time_on_return(table, event.seat),
        granted_without=without,
    )


def _without_person(table: TableState, seat: int, **values: Any) -> TableState:
    """A seat after its person has left."""
    fresh = {"kept": False, "nonce": "", "seal": "", "said_at": (), "granted_without": frozenset()}
    return _with_seat(table, seat, late=False, vacation=0, plan=(), **fresh, **values)


def _clocks_restarted(event: events.ClocksRestarted, table: TableState) -> TableState:
    seat = table.clock_runs_for
    if seat is None:
        return table
    left, share = table.seats[seat].time_left, _share(table)
    if table.clock.kind == "days":
        left = max(left, share)
    else:
        left = max(min(left, share), left - event.spent)
    return _with_seat(table, seat, time_left=left)


def _nonce_opened(event: events.NonceOpened, table: TableState) -> TableState:
    if table.draw is None or event.seat not in table.draw.missing:
        raise IndexError(f"nothing is to be opened by seat {event.seat}")
    nonces = list(table.draw.nonces)
    nonces[event.seat] = event.nonce
    return replace(table, draw=replace(table.draw, nonces=tuple(nonces)))


def _begun(event: events.Begun, table: TableState) -> TableState:
    tape = Tape(event.outcomes)
    state = first_position(table.definition, table.options, table.created.position, tape)
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
        drawn=_counted(table, tape),
        position_n=table.n,
    )


def _counted(table: TableState, tape: Tape) -> tuple[int, ...]:
    """How often the table has drawn for each purpose, after the outcomes of a tape."""
    if not table.origin:
        return ()
    counted = [*table.drawn, *[0] * (PURPOSES - len(table.drawn))]
    for purpose in tape.purposes:
        counted[purpose] += 1
    return tuple(counted)


def _played(event: events.Played, table: TableState) -> TableState:
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
    drawn = _counted(table, tape)
    return changed(table, drawn=drawn, **_move(event, table, table.n, state))


def _move(event: events.Played, table: TableState, n: int, state: Any) -> dict[str, Any]:
    """The changed fields after a move, event ``n``, that led to position ``state``."""
    before = table.state
    seats = {} if not table.seats[event.seat].plan else _without_answered_plan(table, event.seat)
    move = MoveMade(
        n,
        event,
        not event.outcomes and not table.definition.reveals(before, state),
        table.packed or Snapshot(before),
        table.progress,
    )
    progress = table.progress
    if progress is not None:
        if event.by == "person":
            progress = replace(progress, done=progress.done + 1)
        else:
            progress = replace(progress, played=progress.played + 1)
    return {
        "state": state,
        "moves": table.moves.plus(move),
        "taken_back": table.taken_back if move.free else 0,
        "next_draw": event.first_draw + len(event.outcomes),
        "position_n": n,
        "take_back": None,
        "progress": progress,
        **seats,
    }


def _without_answered_plan(table: TableState, seat: int) -> dict[str, Any]:
    """The changed seats: a decision that was made is planned no more."""
    plans = table.definition.plans
    left = tuple(
        (name, answer)
        for name, answer in table.seats[seat].plan
        if name in plans and not plans[name].asked(table.state)
    )
    return {"seats": _with_seat(table, seat, plan=left).seats}


def _taken_back(event: events.TakenBack, table: TableState) -> TableState:
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


def _step_begun(event: events.StepBegun, table: TableState) -> TableState:
    if table.progress is None:
        raise IndexError("there is no lesson here")
    progress = replace(table.progress, step=event.step, played=0, done=0)
    table = replace(table, progress=progress, position_n=table.n)
    if event.position is None:
        return table
    try:
        state = table.definition.parse_position(event.position)
    except NotationError as error:
        raise UnreadableLog(f"event {table.n} (step_begun): {error}") from None
    # Moves before the new position cannot be taken back.
    return replace(
        table, stage="playing", start=Snapshot(state), state=state, moves=PersistentList()
    )
