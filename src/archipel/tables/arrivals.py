"""Tables that come from a player's device to continue on a server.

The device could send anything, so the log is checked event by event: every move is legal, every
outcome of chance is the one that the secret gives, and all names and texts are as a table makes
them.  Who took which seat cannot be checked: only the device knows.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from archipel.rules.all_games import game_named
from archipel.rules.kit import Tape, clone
from archipel.store.errors import Conflict, InvalidRequest, TableExists, Unavailable
from archipel.store.limits import check_table_id
from archipel.store.protocol import Outlook
from archipel.store.table_copy import TableCopy
from archipel.store.table_file import BadTableFile, read_table_file
from archipel.tables.decisions.commit_reveal import settle_draw
from archipel.tables.decisions.context import Context, check_names, clean_name, clean_text
from archipel.tables.decisions.playing import end_game
from archipel.tables.keys import Keys
from archipel.tables.log import events
from archipel.tables.log.events import Entry
from archipel.tables.log.fair_chance import SEAL, commitment, seal_of
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import Refusal, refuse
from archipel.tables.publishing.views import outlook_of
from archipel.tables.registry import PAGE, TableRegistry
from archipel.tables.settings import DAY

#: The size limits of a table's file and of its content; real tables stay far below.
LARGEST_FILE = 256 * 1024
LARGEST_CONTENT = 4 * 1024 * 1024
MOST_EVENTS = 4_000
#: Events in one write; a store takes 256.
_AT_ONCE = 200
_REQUEST = re.compile(r"[!-~]{1,100}")
_HASH = re.compile(r"[0-9a-f]{64}")

#: What can happen at a table of its own deal, without a lesson, before its game is over.
_POSSIBLE = (
    events.Created,
    events.SetUpChanged,
    events.PersonSeated,
    events.SeatFreed,
    events.BotSeated,
    events.NonceSealed,
    events.DrawBegun,
    events.NonceOpened,
    events.DrawVoided,
    events.Begun,
    events.Played,
    events.TakenBack,
    events.TakeBackAsked,
    events.TakeBackAnswered,
    events.CloseAsked,
    events.SeatAsked,
    events.HintsAsked,
    events.HintsAllowed,
    events.ProposalAnswered,
    events.Said,
    events.Wrote,
    events.ChatSet,
    events.Resigned,
    events.HandedOver,
    events.BotReplaced,
    events.Returned,
    events.ClockFlagged,
    events.ClocksRestarted,
    events.Nudged,
    events.Planned,
)


class _Bad(Exception):
    """No table could have become so by itself; the message says why."""


class Arrival(NamedTuple):
    """A checked table: its log as stored, the state after it, and its private values."""

    table: TableState
    bodies: list[bytes]
    private: dict[str, bytes]


# ---- storing ------------------------------------------------------------------------------------


async def take_over(registry: TableRegistry, file: bytes) -> str:
    """Store the table of a file, and return its id.

    A repeat with a longer log adds its new events, unless the table has gone on here.
    """
    now, bots_of = registry.clock(), registry.bots_of
    arrival = await asyncio.to_thread(check_arrival, file, now, bots_of)
    table_id = arrival.table.id
    try:
        await _store(registry, arrival)
    except Unavailable as error:
        raise refuse("unavailable") from error
    except (Conflict, TableExists, InvalidRequest) as error:
        raise refuse("arrived") from error
    return table_id


async def _store(registry: TableRegistry, arrival: Arrival) -> None:
    table, store = arrival.table, registry.store
    header = msgspec.json.encode({"game": table.game, "public": table.created.public})
    known = 0
    try:
        await store.create_table(table.id, header, private=arrival.private)
    except TableExists:
        known = await _known(registry, arrival)
    # Bots and clocks start when somebody opens the table: until then the device may send more.
    outlook = Outlook(outlook_of(table).line, awake=False)
    for first in range(known, len(arrival.bodies), _AT_ONCE):
        bodies = arrival.bodies[first : first + _AT_ONCE]
        await store.append(table.id, first, bodies, private=arrival.private, outlook=outlook)


async def _known(registry: TableRegistry, arrival: Arrival) -> int:
    """How many events of an arrival are here from an earlier attempt; refused if there are others,
    or if somebody has opened the table meanwhile."""
    table_id, bodies = arrival.table.id, arrival.bodies
    stored: list[bytes] = []
    while page := await registry.store.read(table_id, len(stored), PAGE):
        stored += [event.body for event in page]
    if stored == bodies:
        return len(stored)
    if table_id in registry.live_tables or stored != bodies[: len(stored)]:
        raise refuse("arrived")
    return len(stored)


# ---- checking -----------------------------------------------------------------------------------


def check_arrival(file: bytes, now: int, bots_of: Callable[[str], tuple[str, ...]]) -> Arrival:
    """The table of a file; refused unless a table could have become so by itself."""
    try:
        (copy,) = read_table_file(file, largest=LARGEST_CONTENT).tables
        private = {key: value for _, key, value in copy.rows["private"]}
        secret = private.get("secret", b"")
        table, bodies = _check_log(copy, secret, now, bots_of)
        kept = {"keys": msgspec.json.encode(_check_keys(table, private.get("keys", b"")))}
        if table.commitment:
            kept["secret"] = secret
        return Arrival(table, bodies, kept)
    except (_Bad, BadTableFile) as error:
        raise refuse("bad_arrival", why=error) from None
    except Refusal as refusal:
        raise refuse("bad_arrival", why=refusal.say("en").message) from None
    except Exception as error:  # the rules and the fold expect facts, and may raise anything
        raise refuse("bad_arrival", why=f"its log does not hold together: {error!r:.100}") from None


def _check_log(
    copy: TableCopy, secret: bytes, now: int, bots_of: Callable[[str], tuple[str, ...]]
) -> tuple[TableState, list[bytes]]:
    bodies = [body for _, _, _, body in copy.rows["event"]]
    if not 1 <= len(bodies) <= MOST_EVENTS:
        raise _Bad(f"its log has {len(bodies)} events")
    table: TableState | None = None
    context = Context(now, secret, ())
    for n, body in enumerate(bodies, 1):
        entry = events.decode(n, body)
        try:
            if entry.at > now + DAY:
                raise _Bad("it is from the future")
            if entry.request is not None and not _REQUEST.fullmatch(entry.request):
                raise _Bad("its request has no id")
            if table is None:
                context = Context(now, secret, bots_of(_check_created(entry.event, copy.table_id)))
                table = fold(None, entry)
            else:
                table = _follow(table, entry, context)
        except _Bad as bad:
            raise _Bad(f"event {n}: {bad}") from None
    assert table is not None
    if table.draw is not None:
        raise _Bad("its game is about to begin")
    if table.commitment and table.commitment != commitment(secret):
        raise _Bad("its secret is not the one committed to")
    if end_game(table, context):
        raise _Bad("its game is over")
    return table, bodies


def _check_created(event: events.Event, table_id: str) -> str:
    """The game of a new table."""
    if not isinstance(event, events.Created) or event.table != table_id:
        raise _Bad("the log is not that of this table")
    if not event.on_device or event.commitment:
        raise _Bad("it was not created on a device")
    if event.format not in (events.FORMAT, events.FROM_POSITION):
        raise _Bad("it shares its deal with other tables")
    for other in (event.follows, event.what_if):
        if other:
            check_table_id(other)
    if event.position:
        game_named(event.game).parse_position(event.position)
    _check_clock(event.clock.kind, event.clock.seconds, event.clock.increment)
    return event.game


def _follow(table: TableState, entry: Entry, context: Context) -> TableState:
    """The table after one more event, which is checked."""
    event = entry.event
    if not isinstance(event, _POSSIBLE):
        raise _Bad("no table that may move has such an event")
    if isinstance(event, events.SeatEvent) and not 0 <= event.seat < len(table.seats):
        raise _Bad(f"there is no seat {event.seat}")
    if isinstance(event, events.Played):
        return fold(table, entry, _position_after(table, event, context))
    _check(table, event, context)
    return fold(table, entry)


def _position_after(table: TableState, event: events.Played, context: Context) -> Any:
    """The position after a move, recomputed from the secret."""
    seat, definition = table.seats[event.seat], table.definition
    if event.seat != table.to_move or event.action not in definition.legal_actions(table.state):
        raise _Bad(f"action {event.action} of seat {event.seat} is not legal")
    if (event.by == "bot") != (seat.bot is not None) or event.bot not in ("", *context.bots):
        raise _Bad("it was played by somebody else")
    tape = Tape((), context.chance(table))
    after = clone(table.state)
    definition.apply(after, event.action, tape)
    if tape.outcomes != event.outcomes or event.first_draw != table.next_draw:
        raise _Bad("its outcomes are not those of the secret")
    return after


def _check(table: TableState, event: events.Event, context: Context) -> None:
    """Whether any other event may follow."""
    gathering = table.stage == "gathering"
    match event:
        case events.Created():
            raise _Bad("it creates the table again")
        case events.SetUpChanged(clock=clock):
            _check_clock(clock.kind, clock.seconds, clock.increment)
            _demand(gathering and not table.draw and not table.created.position)
        case events.PersonSeated():
            _check_name(event.name)
            check_names((event.name,), context.settings.refused_names)
            _demand(not event.nonce and (not event.seal or SEAL.fullmatch(event.seal)))
        case events.BotSeated():
            _check_name(event.name)
            _demand(event.bot in context.bots)
        case events.SeatAsked():
            _check_name(event.name)
        case events.SeatFreed() | events.HandedOver() | events.Resigned() | events.BotReplaced():
            _demand(event.bot in ((None,) if gathering else context.bots))
        case events.NonceSealed():
            _demand(gathering and not table.draw and SEAL.fullmatch(event.seal))
        case events.DrawBegun():
            counted = zip(event.seals, table.seats, strict=True)
            _demand(gathering and not table.draw)
            _demand(all(seal in ("", seat.seal) for seal, seat in counted))
        case events.NonceOpened():
            _demand(seal_of(event.nonce) == table.seals[event.seat])
        case events.DrawVoided():
            _demand(table.draw is not None and event.missing == list(table.draw.missing))
        case events.Begun():
            if [event] != settle_draw(table, context):
                raise _Bad("the deal is not what the secret gives")
        case events.TakenBack():
            _demand(0 < event.moves <= len(table.moves))
            _demand(all(table.moves[-back].free for back in range(1, event.moves + 1)))
        case events.Nudged():
            _demand(0 <= event.to < len(table.seats))
        case events.Planned(answers=answers):
            plans = table.definition.plans
            _demand(all(a in plans[name].answers for name, a in answers.items() if name in plans))
            _demand(answers.keys() <= plans.keys())
        case events.Wrote():
            _demand(table.chat and table.texts < context.settings.texts)
            _demand(clean_text(event.text) == event.text)


def _demand(holds: object) -> None:
    if not holds:
        raise _Bad("it cannot stand here")


def _check_name(name: str) -> None:
    _demand(clean_name(name) == name)


def _check_clock(kind: str, seconds: int, increment: int) -> None:
    _demand(kind == "none" or (seconds >= 1 and increment >= 0))


def _check_keys(table: TableState, stored: bytes) -> Keys:
    """The hashes of the players' tokens."""
    keys = msgspec.json.decode(stored, type=Keys)
    seats = len(table.seats)
    if (len(keys.seats), len(keys.invitations)) != (seats, seats):
        raise _Bad("it has keys of other seats")
    for key in (keys.host, *keys.seats, *keys.invitations, keys.asking):
        _demand(key is None or _HASH.fullmatch(key))
    _demand(all((keys.seats[seat] is None) != (seat in table.people) for seat in range(seats)))
    return keys
