"""How a table looks to one seat, made from its view alone.

The only way from a state to anything that leaves the authority is `Showing._visible`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from msgspec import UNSET, UnsetType

from archipel.rules.contract import NOBODY, Event
from archipel.rules.scene import Cell, Choice, Piece, Scene
from archipel.tables import events, shown
from archipel.tables.decisions.consenting import those_to_agree
from archipel.tables.decisions.learning import decision_at, lesson_at
from archipel.tables.decisions.taking_back import plan_to_take_back
from archipel.tables.looking_back import narration_of, seen_of_the_past, told_of_the_past
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
        result=_result(table, table.n),
        from_position=bool(table.position),
        what_if=shown.WhatIf(table.what_if, table.what_if_n) if table.what_if else None,
        hints=table.hints,
        hints_possible=table.hints_wished,
        lesson=_lesson(table),
    )


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


# ---- positions ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Picture:
    """What a view looks like to the seat to move, or to any other."""

    view: Any
    mover: int
    decides: bool
    scene: Scene
    question: shown.Happening | None


@dataclass(frozen=True, eq=False)
class Sight:
    """What somebody is shown of the position after event n, not yet put into a message."""

    n: int
    seat: int | None
    to_move: int | None
    question: shown.Happening | None
    scene: Scene
    choices: tuple[Choice, ...]
    result: shown.Result | None
    may_take_back: bool
    take_back_asked_by: int | None

    def whole(self, text: str | UnsetType = UNSET) -> shown.Position:
        return shown.Position(
            n=self.n,
            seat=self.seat,
            to_move=self.to_move,
            question=self.question,
            scene=show_scene(self.scene, self.choices),
            result=self.result,
            may_take_back=self.may_take_back,
            take_back_asked_by=self.take_back_asked_by,
            text=text,
        )


class Showing:
    """The position after event n, the last by default, for one seat after another.

    ``revealed``: with everything hidden, once the secret is open; the last position of a game that
    is over is always shown so.  Seats whose views are equal share the work.
    """

    def __init__(self, table: Table, n: int | None = None, *, revealed: bool = False) -> None:
        self._table = table
        self._n = table.n if n is None else n
        self._state = table.state_at(self._n)
        self._is_now = self._n >= table.position_n
        self._is_open = table.secret is not None and (revealed or self._is_now)
        self._pictures: list[_Picture] = []

    def position(self, seat: int | None) -> shown.Position | None:
        """As a seat sees it, None as a spectator does; None before the game began."""
        if self._state is None:
            return None
        text = self._table.definition.position_text(self._picture(seat).view)
        return self._sight(seat).whole(text)

    def sight(self, seat: int | None) -> Sight | None:
        """As `position`, not yet in words."""
        return None if self._state is None else self._sight(seat)

    def _sight(self, seat: int | None) -> Sight:
        table, is_now = self._table, self._is_now
        picture = self._picture(seat)
        mover = picture.mover
        mine = is_now and seat is not None and seat == mover and _may_decide(table, mover)
        return Sight(
            n=self._n,
            seat=seat,
            to_move=None if mover == NOBODY else mover,
            question=picture.question,
            scene=picture.scene,
            choices=picture.scene.choices if mine else (),
            result=_result(table, self._n),
            may_take_back=(
                is_now and seat is not None and plan_to_take_back(table, seat) is not None
            ),
            take_back_asked_by=table.take_back.seat if is_now and table.take_back else None,
        )

    def _mover(self, view: Any) -> int:
        """Who is to move, nobody if the game has been broken off here."""
        if self._is_now and self._table.stage != "playing":
            return NOBODY
        return self._table.definition.to_move(view)

    def _picture(self, seat: int | None) -> _Picture:
        # A scene is made from a view alone, but for what only the seat to move is offered: it has
        # a picture of its own, also where all see the same, so that the others' tells nothing of
        # whether it does.
        view = self._visible(seat)
        mover = self._mover(view)
        decides = seat is not None and seat == mover
        for made in self._pictures:
            if made.decides == decides and made.view == view:
                return made
        definition = self._table.definition
        picture = _Picture(
            view,
            mover,
            decides,
            definition.scene(view, mover if decides else NOBODY),
            None if mover == NOBODY else _happening(definition.question(view)),
        )
        self._pictures.append(picture)
        return picture

    def _visible(self, seat: int | None) -> Any:
        """What a seat may see of the state; all of it when its secret is open to everybody."""
        if self._is_open:
            return self._state
        return seen_of_the_past(self._table, self._state, seat)


def _may_decide(table: Table, mover: int) -> bool:
    """Unless a bot plays for them; and in a lesson there is a time to read, too."""
    if table.seats[mover].bot is not None:
        return False
    return table.progress is None or decision_at(table) is not None


def _result(table: Table, n: int) -> shown.Result | None:
    result = table.result
    if result is None or table.ended_n is None or n < table.ended_n:
        return None
    return shown.Result(list(result.ranks), list(result.scores), result.reason)


def show_scene(scene: Scene, choices: Sequence[Choice]) -> shown.Scene:
    return shown.Scene(
        cells=[show_cell(cell) for cell in scene.cells],
        pieces=[show_piece(piece) for piece in scene.pieces],
        gauges=dict(scene.gauges),
        choices=show_choices(choices),
    )


def show_cell(cell: Cell) -> shown.Cell:
    return shown.Cell(cell.id, cell.kind, dict(cell.properties))


def show_piece(piece: Piece) -> shown.Piece:
    return shown.Piece(piece.id, piece.kind, piece.cell, piece.seat, dict(piece.properties))


def show_choices(choices: Sequence[Choice]) -> list[shown.Choice]:
    return [
        shown.Choice(
            choice.action,
            choice.text,
            choice.key,
            dict(choice.details),
            list(choice.targets),
            choice.final,
        )
        for choice in choices
    ]


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
    entries = (_entry(table, table.log[index], seat) for index in range(begin, end))
    return shown.LogPage([entry for entry in entries if entry is not None], begin)


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
        told = told_of_the_past(table, logged, logged.event, seat)
        line = _line(logged, "played", logged.event.seat, [_happening(event) for event in told])
        if all(event.seen_by is None for event in narration_of(table, logged, logged.event)):
            object.__setattr__(logged, "line", line)  # told once, read by every seat
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


def _happening(event: Event) -> shown.Happening:
    return shown.Happening(event.key, dict(event.details))


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
