"""Payloads made from each seat's view alone: positions, the table, its log.

`PositionViews._visible` is the only way from a state to anything that leaves the tables.

A seat sees of the past only what it may know today (`Definition.forget`): all past positions and
log lines go through `seen_of_the_past` and `narration_for`, so that staying, coming back and
looking back show the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import structs

from archipel.rules.contract import NOBODY, SPECTATOR, Event
from archipel.rules.scene import Scene
from archipel.store.protocol import Outlook, Standing
from archipel.tables.cluster.presence import PresenceTracker
from archipel.tables.decisions.lessons import accepted_now, decision_at, lesson_at
from archipel.tables.decisions.participation import those_to_agree
from archipel.tables.decisions.playing import seats_that_may_take_back
from archipel.tables.log import events
from archipel.tables.log.table_state import LoggedEvent, TableState
from archipel.tables.publishing import payloads

# ---- what a seat may know -----------------------------------------------------------------------


def _observer(seat: int | None) -> int:
    return SPECTATOR if seat is None else seat


def seen_of_the_past(table: TableState, past: Any, seat: int | None) -> Any:
    """A read-only view of a past (or the current) state, as far as a seat may know it today."""
    if past is table.state:
        return table.definition.glimpsed(past, _observer(seat))
    return table.definition.looked_back(past, table.state, _observer(seat))


def narration_of(table: TableState, logged: LoggedEvent, event: events.Played) -> list[Event]:
    """The full narration of a move, including what only some seats may know. Cached."""
    if logged.narration is None:
        before, after = logged.positions
        narrated = table.definition.narrate(before, event.action, tuple(event.outcomes), after)
        structs.force_setattr(logged, "narration", narrated)
        return narrated
    return logged.narration


def narration_for(
    table: TableState, logged: LoggedEvent, event: events.Played, seat: int | None
) -> list[Event]:
    """The narration of a move, as far as a seat may know it today."""
    observer, definition = _observer(seat), table.definition
    seen = [part for part in narration_of(table, logged, event) if part.visible_to(observer)]
    if definition.forget is None or all(part.seen_by is None for part in seen):
        return seen
    forgets = definition.forgets
    if forgets is not None and not any(forgets(past, table.state) for past in logged.positions):
        return seen  # nobody has had to forget anything since
    before, after = (seen_of_the_past(table, past, seat) for past in logged.positions)
    known = definition.narrate(before, event.action, tuple(event.outcomes), after)
    return [part for part in seen if part.seen_by is None or part in known]


def forgotten_since(table: TableState, after: int) -> Any:
    """The first position since event ``after`` of which some seat may have to forget something;
    None if there is none."""
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


def has_to_forget(table: TableState, past: Any, seat: int | None) -> bool:
    """Whether a seat may no longer know everything that it saw in a position."""
    seen = table.definition.seen(past, _observer(seat))
    return bool(seen != seen_of_the_past(table, past, seat))


# ---- views of one position ----------------------------------------------------------------------


def show_sentence(event: Event) -> payloads.Happening:
    return payloads.Happening(event.key, event.details)


def result_at(table: TableState, n: int) -> payloads.Result | None:
    return None if table.ended_n is None or n < table.ended_n else table.result


class _Drawing(msgspec.Struct, eq=False):
    """The scene and question of one view, for the seat to move (``decides``) or for the others."""

    #: Seats with equal sights have equal views.
    sight: Any
    view: Any
    decides: bool
    scene: Scene
    question: payloads.Happening | None
    #: By whether the seat may take back.
    positions: dict[bool, payloads.Position] = {}


class PositionViews:
    """The position after event ``n``, by default the last, as each seat sees it.

    ``revealed``: with everything hidden, once the secret is open; the last position of a finished
    game is always shown so.  Seats whose views are equal share the work.
    """

    def __init__(self, table: TableState, n: int | None = None, *, revealed: bool = False) -> None:
        self._table = table
        self._n = table.n if n is None else n
        self._state = table.state_at(self._n)
        self._is_now = self._n >= table.position_n
        self._is_open = table.secret is not None and (revealed or self._is_now)
        self._result = result_at(table, self._n)
        asked = table.take_back if self._is_now else None
        self._asked_by = None if asked is None else asked.seat
        self._may_take_back = seats_that_may_take_back(table) if self._is_now else frozenset()
        #: Every view shows the seat to move; nobody is if the game was broken off here.
        self._mover = NOBODY
        if self._state is not None and not self._is_now:
            self._mover = table.definition.to_move(self._state)
        elif table.to_move is not None:
            self._mover = table.to_move
        #: The game's function that returns equal values for seats with equal views.
        self._sees = table.definition.sees if self._state is table.state else None
        self._drawings: list[_Drawing] = []
        self._by_seat: dict[int | None, _Drawing] = {}

    def position(self, seat: int | None) -> payloads.Position | None:
        """As a seat sees it (None: a spectator), with its text; None before the game began."""
        view = self.view(seat)
        if view is None:
            return None
        text = self._table.definition.position_text(self._drawing(seat).view)
        return structs.replace(view, seat=seat, text=text)

    def view(self, seat: int | None) -> payloads.Position | None:
        """As a seat sees it; None before the game began.

        Seats with equal views share one payload, so it names no ``seat``.
        """
        if self._state is None:
            return None
        drawing = self._drawing(seat)
        may_take_back = seat in self._may_take_back
        position = drawing.positions.get(may_take_back)
        if position is None:
            mover, scene = self._mover, drawing.scene
            decides = drawing.decides and self._is_now and _may_decide(self._table, mover)
            if scene.choices and not decides:
                scene = structs.replace(scene, choices=(), paths=())
            position = drawing.positions[may_take_back] = payloads.Position(
                n=self._n,
                seat=None,
                to_move=None if mover == NOBODY else mover,
                question=drawing.question,
                scene=scene,
                result=self._result,
                may_take_back=may_take_back,
                take_back_asked_by=self._asked_by,
            )
        return position

    def _drawing(self, seat: int | None) -> _Drawing:
        drawing = self._by_seat.get(seat)
        if drawing is None:
            drawing = self._by_seat[seat] = self._find_or_draw(seat)
        return drawing

    def _find_or_draw(self, seat: int | None) -> _Drawing:
        """The drawing of a seat with an equal view, else a new one.

        The seat to move has a drawing of its own even if all views are equal, so that the scene of
        the others does not depend on its choices.
        """
        decides = seat is not None and seat == self._mover
        sees, definition = self._sees, self._table.definition
        sight = self._visible(seat) if sees is None else sees(self._state, _observer(seat))
        other: _Drawing | None = None
        for drawing in self._drawings:
            if drawing.sight == sight:
                if drawing.decides == decides:
                    return drawing
                other = drawing
        if other is not None:
            view, question = other.view, other.question
        else:
            view = sight if sees is None else self._visible(seat)
            is_over = self._mover == NOBODY
            question = None if is_over else show_sentence(definition.question(view))
        observer = self._mover if decides else NOBODY
        if definition.scene_beside is None or not self._drawings:
            scene = definition.scene(view, observer)
        else:
            known = other or self._drawings[0]
            scene = definition.scene_beside(view, observer, known.view, known.scene)
        drawing = _Drawing(sight, view, decides, scene, question)
        self._drawings.append(drawing)
        return drawing

    def _visible(self, seat: int | None) -> Any:
        """What a seat may see of the state; all of it once the secret is open."""
        if self._is_open:
            return self._state
        return seen_of_the_past(self._table, self._state, seat)


def _may_decide(table: TableState, mover: int) -> bool:
    """Whether the seat to move plays itself; in a lesson, not while there is something to read."""
    if table.seats[mover].bot is not None:
        return False
    return table.progress is None or decision_at(table) is not None


# ---- the table ----------------------------------------------------------------------------------


def show_table(table: TableState, presence: PresenceTracker, now: int) -> payloads.Table:
    created = table.created
    return payloads.Table(
        id=table.id,
        game=table.game,
        options=dict(table.options.values),
        stage=table.stage,
        seats=_seats(table, presence, now),
        spectators=presence.spectators,
        clock=table.clock,
        commitment=table.commitment,
        seals=list(table.seals) or [seat.seal for seat in table.seats],
        nonces=_nonces(table),
        drawing=table.draw is not None,
        proposal=_proposal(table, presence),
        secret=table.secret,
        rematch=table.rematch,
        hot_seat=created.hot_seat,
        public=created.public,
        created_at=table.created_at / 1000,
        to_move=table.to_move,
        result=result_at(table, table.n),
        from_position=bool(created.position),
        what_if=payloads.WhatIf(created.what_if, created.what_if_n) if created.what_if else None,
        chat=table.chat,
        hints=table.hints,
        hints_possible=created.hints,
        lesson=_lesson(table),
        origin=table.origin,
        on_device=bool(created.on_device),
        moved_to=table.moved_to,
    )


def show_table_again(
    shown: payloads.Table, before: TableState, table: TableState, presence: PresenceTracker
) -> payloads.Table | None:
    """Fast path of `show_table` after ordinary moves, given what was shown of the table before.

    Only the seat to move can differ then.  Returns None if more may have changed.  The caller makes
    sure that presence has not changed.
    """
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
    return shown if shown.to_move == to_move else structs.replace(shown, to_move=to_move)


def _lesson(table: TableState) -> payloads.LessonProgress | None:
    progress = table.progress
    if progress is None:
        return None
    return payloads.LessonProgress(
        progress.lesson,
        progress.step,
        waits=decision_at(table) is not None,
        current=lesson_at(table) is not None,
        accepted=accepted_now(table),
    )


def _nonces(table: TableState) -> list[str]:
    if table.draw is not None:
        return [nonce or "" for nonce in table.draw.nonces]
    return list(table.nonces) or [""] * len(table.seats)


def _proposal(table: TableState, presence: PresenceTracker) -> payloads.Proposal | None:
    asked = table.proposal
    if asked is None:
        return None
    waits = sorted(those_to_agree(table, asked, presence.away_since(table)) - asked.agreed)
    return payloads.Proposal(asked.n, asked.kind, asked.seat, asked.name, waits)


def _seats(table: TableState, presence: PresenceTracker, now: int) -> list[payloads.Seat]:
    away = presence.away_since(table)
    return [
        payloads.Seat(
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


def show_presence(table: TableState, presence: PresenceTracker, now: int) -> payloads.Presence:
    return payloads.Presence(_seats(table, presence, now), presence.spectators)


# ---- the summary stored with every event --------------------------------------------------------


#: For unlisted tables, asleep and awake.
_UNLISTED = (Outlook(None, False), Outlook(None, True))


def outlook_of(table: TableState) -> Outlook:
    """The line in lists of tables, and whether a bot, a clock or a draw is due to act."""
    awake = (
        table.draw is not None or table.bot_to_move is not None or table.clock_runs_for is not None
    )
    if not table.created.public or table.stage == "closed":
        return _UNLISTED[awake]
    names = [seat.name for seat in table.seats if seat.kind != "open"]
    listed = {"game": table.game, "stage": table.stage, "names": names}
    line = msgspec.json.encode({**listed, "created_at": table.created_at})
    return Outlook(line, awake)


def table_line(standing: Standing) -> payloads.TableLine:
    listed = msgspec.json.decode(standing.outlook.line or b"")
    listed["created_at"] /= 1000
    return payloads.TableLine(standing.table_id, **listed, last_at=standing.active_at / 1000)


# ---- the log ------------------------------------------------------------------------------------


def show_page(
    table: TableState,
    seat: int | None,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int | None = None,
) -> payloads.LogSlice:
    """The lines of the last ``limit`` events between ``after`` and ``before``."""
    end = table.n if before is None else min(before - 1, table.n)
    begin = max(after, 0 if limit is None else end - limit, 0)
    lines: list[payloads.LogEntry] = []
    for logged in table.log.after(begin):
        if logged.n > end:
            break
        entry = _entry(table, logged, seat)
        if entry is not None:
            lines.append(entry)
    return payloads.LogSlice(lines, begin)


def is_same_for_all(table: TableState, after: int) -> bool:
    """Whether all observers get the same lines; valid once some observer was shown them."""
    for logged in table.log.after(after):
        if logged.line is None and isinstance(logged.event, events.Played | events.Wrote):
            return False
    return True


def is_past_of(table: TableState, seat: int | None, after: int, at: float | None) -> bool:
    """Whether what a client of a seat knows, ``after`` events with the last line written ``at``
    that time, is the past of this table; after a restored backup it may not be."""
    if after > table.n:
        return False
    if at is None:
        return True
    past = (table.log[n - 1] for n in range(after, 0, -1))
    lines = (logged for logged in past if _entry(table, logged, seat) is not None)
    last = next(lines, None)
    return last is not None and last.at / 1000 == at


def _entry(table: TableState, logged: LoggedEvent, seat: int | None) -> payloads.LogEntry | None:
    event = logged.event
    if isinstance(event, events.Played):
        if logged.after is None:  # today's rules cannot replay it
            older = payloads.Happening("table.older_move", {"seat": event.seat})
            return _line(logged, "played", event.seat, [older])
        if logged.line is not None:
            return logged.line
        narration = narration_of(table, logged, event)
        is_public = True
        for part in narration:
            if part.seen_by is not None:
                is_public = False
                narration = narration_for(table, logged, event, seat)
                break
        line = _line(logged, "played", event.seat, list(map(show_sentence, narration)))
        if is_public:
            structs.force_setattr(logged, "line", line)  # shared by all observers
        return line
    if isinstance(event, events.Wrote) and seat is None:
        return None  # texts are between the players
    if isinstance(event, events.DrawBegun):
        told = [
            payloads.Happening(f"table.no_share_{why}", {"seat": seat})
            for seat, why in event.without.items()
        ]
        return _line(logged, "draw", None, told) if told else None
    found = _table_line(event)
    if found is None:
        return None
    kind, by, key, details = found
    return _line(logged, kind, by, [payloads.Happening(key, details)])


def _line(
    logged: LoggedEvent, kind: str, seat: int | None, happenings: list[payloads.Happening]
) -> payloads.LogEntry:
    return payloads.LogEntry(logged.n, seat, kind, happenings, logged.at / 1000)


#: The log line of an event: its kind, the key of its sentence, and the fields that fill it in.
_LINES: dict[type[events.Event], tuple[str, str, str]] = {
    events.PersonSeated: ("seat", "table.sat_down", "seat name"),
    events.SeatFreed: ("seat", "table.seat_freed", "number"),
    events.BotSeated: ("seat", "table.bot_seated", "number bot name"),
    events.OptionsSet: ("options", "table.options_set", ""),
    events.SetUpChanged: ("options", "table.options_set", ""),
    events.Wrote: ("chat", "table.wrote", "seat text"),
    events.HintsAsked: ("asked", "table.hints_asked", "seat"),
    events.HintsAllowed: ("answered", "table.hints_allowed", ""),
    # Without the outcomes of the deal: they are the hidden values.
    events.Begun: ("begun", "table.begun", ""),
    events.TakenBack: ("taken_back", "table.taken_back", "seat moves"),
    events.TakeBackAsked: ("take_back_asked", "table.take_back_asked", "seat"),
    events.Resigned: ("resigned", "table.resigned", "seat"),
    events.HandedOver: ("handed_over", "table.handed_over", "seat bot"),
    events.BotReplaced: ("bot_replaced", "table.bot_replaced", "seat failed bot"),
    events.Returned: ("returned", "table.returned", "seat"),
    events.ClockFlagged: ("clock", "table.time_out", "seat"),
    events.ClocksRestarted: ("clock", "table.clocks_restarted", ""),
    events.Nudged: ("chat", "table.nudged", "seat"),
    events.VacationTaken: ("clock", "table.vacation", "seat"),
    events.Closed: ("closed", "table.closed", ""),
    events.MovedAway: ("moved", "table.moved_away", "address"),
    events.Rematched: ("rematch", "table.rematch", "table"),
}


def _table_line(event: events.Event) -> tuple[str, int | None, str, Mapping[str, Any]] | None:
    """Kind, seat, sentence key and details of the line of an event; None if it has none."""
    seat: int | None = getattr(event, "seat", None)
    by_seat = {} if seat is None else {"seat": seat}
    match event:
        case events.DrawVoided(missing=missing):
            return "draw", missing[0], "table.draw_voided", {"seat": missing[0]}
        case events.CloseAsked():
            key = "table.close_asked_by_host" if seat is None else "table.close_asked"
            return "asked", seat, key, by_seat
        case events.SeatAsked():
            return "asked", None, "table.seat_asked", {"name": event.name, "number": event.seat + 1}
        case events.ProposalAnswered() | events.TakeBackAnswered():
            to_proposal = isinstance(event, events.ProposalAnswered)
            kind = "answered" if to_proposal else "take_back_answered"
            key = "table.take_back_agreed" if event.agree else "table.take_back_refused"
            return kind, seat, key, by_seat
        case events.Said():
            return "chat", seat, f"phrase.{event.phrase}", by_seat
        case events.ChatSet():
            return "options", None, "table.chat_on" if event.allowed else "table.chat_off", {}
        case events.Ended():
            return "ended", None, event.reason, {}
        case events.PlayedOn():
            key = "table.rematch" if seat is None else "table.played_on"
            return "played_on", seat, key, {"table": event.table, **by_seat}
    if type(event) not in _LINES:
        return None
    kind, key, fields = _LINES[type(event)]
    details = {**structs.asdict(event), "number": (seat or 0) + 1}
    return kind, seat, key, {name: details[name] for name in fields.split()}
