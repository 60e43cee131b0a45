"""Records that somebody opens in the browser: shown like a finished table, but stored nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import structs

from archipel.record import Record, RecordError, parse_record
from archipel.tables.cluster.presence import PresenceTracker
from archipel.tables.commands import COLOURS, Clock
from archipel.tables.decisions.context import Context
from archipel.tables.decisions.playing import end_game
from archipel.tables.log import events
from archipel.tables.log.events import Entry, UnreadableLog
from archipel.tables.log.fold import fold, fold_all
from archipel.tables.log.table_state import TableState
from archipel.tables.publishing import payloads
from archipel.tables.publishing.publisher import Differences
from archipel.tables.publishing.views import PositionViews, show_page, show_table

#: The id of the table that a record looks like. Ids of real tables are longer.
RECORD = "record"
#: Limits of a record. Games of people have some hundreds of lines, random ones up to 3,000.
MOST_CHARACTERS = 200_000
MOST_LINES = 4_000


def open_record(text: str) -> TableState:
    """Replay a record: the table that its game would have left behind.

    Slow: run it in a thread. Raises `RecordError`.
    """
    if len(text) > MOST_CHARACTERS or text.count("\n") > MOST_LINES:
        raise RecordError("too large for a record")
    record = parse_record(text)
    try:
        table = fold_all(Entry(0, event) for event in _events(record))
    except UnreadableLog as error:
        raise RecordError("the record cannot be shown: {why}", why=str(error)) from None
    secret = "" if record.fairness is None else record.fairness.secret
    ended = end_game(table, Context(0, bytes.fromhex(secret), ())) or [events.Closed(secret)]
    return fold(table, Entry(0, ended[0]))


def _events(record: Record) -> Iterator[events.Event]:
    game, fairness = record.game, record.fairness
    definition = game.definition
    yield events.Created(
        format=events.FROM_POSITION,
        table=RECORD,
        game=game.name,
        rules_version=definition.rules_version,
        seats=game.seats,
        options=dict(game.options),
        clock=Clock(),
        hot_seat=False,
        public=False,
        kept=[],
        commitment="" if fairness is None else fairness.commitment,
        follows=None,
        board=definition.board,
        position=game.start.text,
        hints=False,
    )
    nonces = [""] * game.seats if fairness is None else list(fairness.nonces)
    for seat in range(game.seats):
        name = record.players[seat] if record.players else ""
        yield events.PersonSeated(seat, name, COLOURS[seat], nonces[seat])
    yield events.Begun(nonces, [])
    draw = 0
    for move in game.moves:
        yield events.Played(move.seat, int(move.action), list(move.outcomes), draw, "person")
        draw += len(move.outcomes)
    for seat in record.resigned:
        yield events.Resigned(seat, "")


def show_record(table: TableState) -> payloads.OpenedRecord:
    """Everything that a page shows of an opened record, with nothing hidden."""
    played = (events.Begun, events.Played)
    moments = [logged.n for logged in table.log.after(0) if isinstance(logged.event, played)]
    positions = [_position(table, n) for n in moments]
    differences = Differences()
    return payloads.OpenedRecord(
        welcome=payloads.Welcome(
            table=_table(table),
            seat=None,
            host=False,
            position=_position(table, table.n),
            log=show_page(table, None).log,
            log_from=0,
            whole=True,
            server_time=0.0,
            n=table.n,
        ),
        first=positions[0],
        steps=[
            payloads.RecordStep(now.n, differences.position(before, now), now.text)
            for before, now in pairwise(positions)
        ],
    )


def _position(table: TableState, n: int) -> payloads.Position:
    position = PositionViews(table, n, revealed=True).position(None)
    assert position is not None
    return position


def _table(table: TableState) -> payloads.Table:
    shown = show_table(table, PresenceTracker(0), 0)
    seats = [
        structs.replace(seat, bot=None, here=True, bot_plays=False, absent_for=0)
        for seat in shown.seats
    ]
    return structs.replace(shown, seats=seats, from_position=False)
