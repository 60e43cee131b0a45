"""Judges the history of a chaos test against the log of a table in its store.

The log must be a linearization of what the clients did: a total order by event number in which
every acknowledged request occurs exactly once, at the acknowledged number, with the content that
was sent, after all events that were acknowledged or seen before it was sent. A request without an
answer may be in the log or not. What clients saw must be in the log, and what they show in the end
must be the fold of the log. Independently of the server's decisions, the log must also follow the
rules: legal moves in turn, bots only for their seats, and take-backs of free moves only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from archipel.chaos.history import Call, History, View
from archipel.store.protocol import Event
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import TableState
from archipel.tables.publishing.views import PositionViews, show_page


class Violation(Struct, frozen=True):
    """A promise that was broken; ``kind`` is one word for it."""

    kind: str
    table: str
    text: str


def violations(table_id: str, log: Sequence[Event], history: History) -> list[Violation]:
    """All violations at one table; ``history`` may also hold other tables."""
    return [Violation(kind, table_id, text) for kind, text in _Check(table_id, log, history).all()]


Found = Iterator[tuple[str, str]]


class _Check:
    def __init__(self, table_id: str, log: Sequence[Event], history: History) -> None:
        self._id = table_id
        self._log = log
        self._history = history
        self._calls = {call.id: call for call in history.calls if call.table == table_id}
        self._entries: list[events.Entry] = []
        #: The numbers of the events of each request.
        self._numbers: dict[str, list[int]] = defaultdict(list)
        #: The table after each event.
        self._tables: list[TableState] = []

    def all(self) -> Found:
        numbers = [event.n for event in self._log]
        if numbers != list(range(1, len(numbers) + 1)):
            yield "gap", f"the events have the numbers {numbers}"
            return
        try:
            self._entries = [events.decode(event.n, event.body) for event in self._log]
        except events.UnreadableLog as error:
            yield "unreadable", str(error)
            return
        for n, entry in enumerate(self._entries, 1):
            if entry.request is not None:
                self._numbers[entry.request.rpartition(":")[2]].append(n)
        yield from self._times()
        yield from self._rules()
        yield from self._requests()
        yield from self._real_time()
        yield from self._sights()
        yield from self._reads()
        yield from self._views()

    # ---- the log by itself ----------------------------------------------------------------------

    def _times(self) -> Found:
        for n, (one, next_one) in enumerate(zip(self._entries, self._entries[1:], strict=False), 2):
            if next_one.at < one.at:
                yield "time", f"event {n} is older than event {n - 1}"

    def _rules(self) -> Found:
        table: TableState | None = None
        #: For each move that was not taken back, whether it may be: no chance, nothing shown.
        free: list[bool] = []
        for n, entry in enumerate(self._entries, 1):
            event = entry.event
            if table is not None and isinstance(event, events.Played):
                problem = _unfit(table, event)
                if problem:
                    yield problem[0], f"event {n}: {problem[1]}"
                    return
            if isinstance(event, events.TakenBack):
                if event.moves > len(free) or not all(free[len(free) - event.moves :]):
                    yield (
                        "undo",
                        f"event {n} takes back a move that drew chance or showed something",
                    )
                del free[len(free) - event.moves :]
            before = None if table is None else table.state
            try:
                table = fold(table, entry)
            except Exception as error:  # the rules may raise anything for an impossible move
                yield "unreadable", f"event {n}: {error!r}"
                return
            if isinstance(event, events.Played):
                shown = table.definition.reveals(before, table.state)
                free.append(not event.outcomes and not shown)
            self._tables.append(table)

    # ---- requests -------------------------------------------------------------------------------

    def _requests(self) -> Found:
        for request, numbers in self._numbers.items():
            call = self._calls.get(request)
            if call is None:
                yield "invented", f"nobody sent the request {request} of event {numbers[0]}"
                continue
            if numbers != list(range(numbers[0], numbers[-1] + 1)):
                yield "doubled", f"request {request} is in events {numbers}"
            moves = [n for n in numbers if isinstance(self._entries[n - 1].event, events.Played)]
            if len(moves) > 1:
                yield "doubled", f"request {request} moved in events {moves}"
            if call.message["type"] == "play":
                yield from self._altered(call, moves)
        for call in self._calls.values():
            yield from self._answers(call)

    def _altered(self, call: Call, moves: list[int]) -> Found:
        if not moves:
            yield "altered", f"request {call.id} was a move, but its event is none"
            return
        event = self._entries[moves[0] - 1].event
        assert isinstance(event, events.Played)
        if event.action != call.message["action"] or event.by != "person":
            yield "altered", f"event {moves[0]} is not the move that request {call.id} asked for"
        elif len(self._tables) >= moves[0] > 1:
            before = self._tables[moves[0] - 2]
            if not before.position_n <= call.message["n"] <= before.n:
                yield "stale", f"request {call.id} was made for another position"

    def _answers(self, call: Call) -> Found:
        numbers = self._numbers.get(call.id, [])
        given = sorted({answer.n for answer in call.answers if answer.outcome == "done"})
        if len(given) > 1:
            yield "answers", f"request {call.id} was answered with events {given}"
        elif given and not numbers:
            yield "lost", f"request {call.id} was acknowledged as event {given[0]}"
        elif given and given[0] != numbers[-1]:
            yield "moved", f"request {call.id} was answered {given[0]}, but is event {numbers[-1]}"
        refused = any(answer.outcome == "refused" for answer in call.answers)
        if refused and (numbers or given):
            yield "kept", f"request {call.id} was refused, but is event {numbers or given}"

    def _real_time(self) -> Found:
        """A request that was sent after an acknowledgement or a sight comes later in the log."""
        known = [
            (call.done.at, call.done.n) for call in self._calls.values() if call.done is not None
        ]
        known += [(sight.at, sight.n) for sight in self._sights_here()]
        latest = _Latest(known)
        for request, numbers in self._numbers.items():
            call = self._calls.get(request)
            if call is None:
                continue
            before = latest.before(call.sent)
            if before >= numbers[0]:
                yield (
                    "order",
                    (
                        f"request {request} became event {numbers[0]},"
                        f" but event {before} was known before it was sent"
                    ),
                )

    # ---- what clients saw -----------------------------------------------------------------------

    def _sights_here(self) -> Iterator[Any]:
        return (sight for sight in self._history.sights if sight.table == self._id)

    def _sights(self) -> Found:
        last: dict[tuple[str, int], int] = {}
        for sight in self._sights_here():
            if not 1 <= sight.n <= len(self._entries):
                yield "phantom", f"{sight.client} saw event {sight.n}, which is not in the log"
                continue
            entry = self._entries[sight.n - 1]
            if self._differs(sight, entry):
                yield "phantom", f"{sight.client} saw another event {sight.n} than the log has"
            key = sight.client, sight.connection
            if last.get(key, 0) >= sight.n:
                yield "repeated", f"{sight.client} saw event {sight.n} after event {last[key]}"
            last[key] = sight.n
        for gap in self._history.gaps:
            if gap.table == self._id:
                yield "missed", f"{gap.client} knew event {gap.known} and was sent {gap.base} on"

    def _differs(self, sight: Any, entry: events.Entry) -> bool:
        logged = self._tables[sight.n - 1].log[sight.n - 1] if self._tables[sight.n - 1 :] else None
        if logged is not None and sight.time != logged.at / 1000:
            return True
        played = isinstance(entry.event, events.Played)
        if (sight.kind == "played") != played:
            return True
        return played and sight.seat != getattr(entry.event, "seat", None)

    def _reads(self) -> Found:
        """A connection shows at least what was acknowledged or read before it was opened."""
        reads = [read for read in self._history.reads if read.table == self._id]
        known = [
            (call.done.at, call.done.n) for call in self._calls.values() if call.done is not None
        ]
        known += [(read.at, read.n) for read in reads]
        latest = _Latest(known)
        for read in reads:
            if read.n > len(self._entries):
                yield "phantom", f"{read.client} was welcomed with event {read.n}"
            before = latest.before(read.asked)
            if before > read.n:
                yield "past", f"{read.client} was shown event {read.n} when {before} was known"

    def _views(self) -> Found:
        for view in self._history.views:
            if view.table != self._id:
                continue
            if view.n != len(self._entries):
                yield "behind", f"{view.client} ends at event {view.n} of {len(self._entries)}"
            elif len(self._tables) == view.n and view.position != self._shown(view.seat):
                yield "view", f"{view.client} shows another position than the log gives"
            elif len(self._tables) == view.n and view.lines != self._lines(view):
                yield "lines", f"{view.client} shows the events {view.lines}"

    def _lines(self, view: View) -> tuple[int, ...]:
        first = view.lines[0] if view.lines else 1
        page = show_page(self._tables[-1], view.seat, after=first - 1)
        return tuple(line.n for line in page.log)

    def _shown(self, seat: int | None) -> Any:
        position = PositionViews(self._tables[-1]).view(seat)
        if position is None:
            return None
        whole = structs.replace(position, seat=seat)
        return msgspec.json.decode(msgspec.json.encode(whole))


def _unfit(table: TableState, event: events.Played) -> tuple[str, str] | None:
    if event.seat != table.to_move:
        return "turn", f"seat {event.seat} moved, but seat {table.to_move} is to move"
    by_bot = table.bot_to_move is not None
    if by_bot != (event.by == "bot"):
        return "bot", f"a {event.by} moved for a seat that a {'bot' if by_bot else 'person'} plays"
    if event.action not in table.definition.legal_actions(table.state):
        return "illegal", f"action {event.action} is not legal"
    return None


class _Latest:
    """The highest event number that was known before a time."""

    def __init__(self, known: list[tuple[float, int]]) -> None:
        known.sort()
        self._times = [at for at, _ in known]
        self._highest = [0]
        for _, n in known:
            self._highest.append(max(self._highest[-1], n))

    def before(self, at: float) -> int:
        return self._highest[bisect_left(self._times, at)]
