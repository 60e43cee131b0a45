"""Creating and joining tables, and continuing at a new one: rematch and what-if.

The answer to creating or joining holds the secret of a seat, of which only a hash is stored.  So
that a repeated request gets the same answer, this process caches answers for a while
(`ResponseCache`), and each answer to joining, in a cluster also to creating, is stored encrypted
beside its table (`StoredResponse`): it can be found although the answer of the store was lost.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from msgspec import structs

from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.store.clock import Clock
from archipel.store.errors import NoSuchTable, StoreError, TableExists
from archipel.tables.commands import Begin, FromMoment, Join, NewTable, PlayOn, Rematch
from archipel.tables.decisions import decide, with_consequences
from archipel.tables.decisions.context import Context, Decision, check_room
from archipel.tables.decisions.lessons import open_lesson
from archipel.tables.decisions.participation import continue_elsewhere
from archipel.tables.decisions.seating import (
    join,
    open_continuation,
    open_table,
    position_after,
    seat_after,
)
from archipel.tables.duplicates import open_duplicate
from archipel.tables.keys import Keys, hash_of, new_token
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant
from archipel.tables.problems import Refusal, refuse
from archipel.tables.publishing.payloads import Accepted, Seated
from archipel.tables.registry import TableRegistry
from archipel.tables.settings import Settings

_TABLE_ID_BYTES = 12
#: How often, and at which interval, to check whether another worker has created a table.
_CHECKS = 20
_CHECK_SECONDS = 0.1


# ---- repeated requests --------------------------------------------------------------------------


def _request_bytes(table_id: str, request: NewTable | Join) -> bytes:
    return f"{table_id}\0".encode() + msgspec.json.encode(request)


class ResponseCache:
    """Recent answers to requests with an idempotency key."""

    def __init__(self, clock: Clock, settings: Settings) -> None:
        self._clock = clock
        self._settings = settings
        self._answers: dict[bytes, tuple[int, asyncio.Task[Seated]]] = {}

    async def once(
        self,
        table_id: str,
        request: NewTable | Join,
        work: Callable[[], Coroutine[Any, Any, Seated]],
    ) -> Seated:
        """Do the work, or return the answer to the same request with the same key.

        A request that differs in anything is another one: the key alone opens nobody's seat.
        Refused requests may be repeated.
        """
        if not request.request:
            return await work()
        self._forget_old()
        key = hashlib.sha256(_request_bytes(table_id, request)).digest()
        known = self._answers.get(key)
        if known is None:
            task = asyncio.get_running_loop().create_task(work())
            self._answers[key] = self._clock(), task
            task.add_done_callback(lambda done: self._drop_if_failed(key, done))
        else:
            _, task = known
        return await asyncio.shield(task)

    def _drop_if_failed(self, key: bytes, done: asyncio.Task[Seated]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._answers.pop(key, None)

    def _forget_old(self) -> None:
        """Forget expired answers, and the oldest ones if there are too many."""
        oldest = self._clock() - self._settings.answers_kept_for
        for key, (at, _) in list(self._answers.items()):
            if at >= oldest and len(self._answers) < self._settings.answers_kept:
                break
            del self._answers[key]


class StoredResponse:
    """The stored answer to a request, encrypted with a key derived from the request itself.

    The request holds an unguessable id, so only its sender can read the answer.
    """

    def __init__(self, table_id: str, request: NewTable | Join) -> None:
        self._request = _request_bytes(table_id, request)
        #: The name of the private value that holds the answer.
        self.name = "answer/" + hashlib.sha256(self._request).hexdigest()[:40]

    @property
    def table_id(self) -> str:
        """The id of the new table, the same whichever worker creates it."""
        return new_token(lambda size: self._bytes(b"table", size), _TABLE_ID_BYTES)

    def seal(self, answer: Seated) -> bytes:
        return self._xor(msgspec.json.encode(answer))

    def open(self, sealed: bytes) -> Seated:
        return msgspec.json.decode(self._xor(sealed), type=Seated)

    def _xor(self, text: bytes) -> bytes:
        """XOR with a one-time pad; each request has one answer, so no pad is used twice."""
        pad = self._bytes(b"answer", len(text))
        return bytes(one ^ other for one, other in zip(text, pad, strict=True))

    def _bytes(self, purpose: bytes, size: int) -> bytes:
        return hashlib.shake_256(purpose + b"\0" + self._request).digest(size)

    async def find(self, registry: TableRegistry, table_id: str) -> Seated | None:
        """The answer that some worker has given to this request."""
        try:
            stored = await registry.store.get_private(table_id, self.name)
        except NoSuchTable:
            return None
        except StoreError as error:
            raise refuse("unavailable") from error
        return None if stored is None else self.open(stored)


# ---- creating and joining -----------------------------------------------------------------------


async def create_table(registry: TableRegistry, new: NewTable) -> Seated:
    try:
        game_named(new.game)
    except UnknownGameError as error:
        raise Refusal("unknown_game", english=str(error)) from None
    if registry.cluster is None or not new.request:
        return await _create(registry, new, new_token(registry.randomness, _TABLE_ID_BYTES))
    stored = StoredResponse("", new)
    for _ in range(_CHECKS):
        answer = await stored.find(registry, stored.table_id)
        if answer is not None:
            return answer
        try:
            return await _create(registry, new, stored.table_id, stored)
        except TableExists:  # another worker is creating it
            await asyncio.sleep(_CHECK_SECONDS)
    # That worker died and left an empty table.
    if await registry.store.last(stored.table_id) == 0:
        await registry.delete(stored.table_id)
    raise refuse("unavailable")


async def _create(
    registry: TableRegistry, new: NewTable, table_id: str, stored: StoredResponse | None = None
) -> Seated:
    if new.what_if is not None:
        new = await _from_moment(registry, new, new.what_if)
    token = new_token(registry.randomness)
    context = registry.context_of_new_table(new.game)
    if new.duplicate_of is not None:
        opened, context = await open_duplicate(registry, table_id, new, new.duplicate_of, context)
    else:
        opened = (open_lesson if new.lesson else open_table)(table_id, new, context)
    decision = with_consequences(None, opened, context)
    if new.begin and not new.lesson:
        decision = _begin(decision, context)
    table = decision.after
    seats = tuple(hash_of(token) if seat.kind == "person" else None for seat in table.seats)
    invitations = [
        new_token(registry.randomness) if seat.kind == "open" else None for seat in table.seats
    ]
    hashes = tuple(None if secret is None else hash_of(secret) for secret in invitations)
    own = table.people
    seated = Seated(
        table_id,
        own[0] if len(own) == 1 else None,
        token,
        [secret for secret in invitations if secret is not None],
    )
    response = None if stored is None else {stored.name: stored.seal(seated)}
    keys = Keys(hash_of(token), seats, hashes)
    await registry.create(decision, keys, context, response)
    return seated


async def _from_moment(registry: TableRegistry, new: NewTable, origin: FromMoment) -> NewTable:
    """The request with the true position of that moment filled in."""
    async with registry.lock(origin.table) as live:
        if live.table.game != new.game:
            raise refuse("no_such_event", n=origin.n)
        return structs.replace(new, position=position_after(live.table, origin.n), options={})


def _begin(opened: Decision, context: Context) -> Decision:
    """Begin the game at a new table."""
    host = Participant(opened.after.id, host=True)
    begun = decide(opened.after, Begin("begin"), host, context)
    return Decision(opened.entries + begun.entries, begun.after)


async def join_table(registry: TableRegistry, table_id: str, request: Join) -> Seated:
    async with registry.lock(table_id, fresh=True) as live:
        return await registry.retry_if_overtaken(live, lambda: _join(registry, live, request))


async def _join(registry: TableRegistry, live: LiveTable, request: Join) -> Seated:
    stored = None
    if request.request:
        stored = StoredResponse(live.id, request)
        answer = await stored.find(registry, live.id)
        if answer is not None:
            return answer
    invited_to = None
    if request.invitation is not None:
        invited_to = live.keys.invited(hash_of(request.invitation))
        if invited_to is None:
            raise refuse("wrong_invitation")
    check_room(live.table, registry.context(live))
    decided = join(live.table, request, invited_to)
    token = new_token(registry.randomness)
    taken = [event.seat for event in decided if isinstance(event, events.PersonSeated)]
    seated = Seated(live.id, taken[0] if taken else None, token, asked=not taken)
    response = None if stored is None else {stored.name: stored.seal(seated)}
    await registry.commit(live, registry.follow(live, decided), token=token, response=response)
    return seated


# ---- continuing at a new table ------------------------------------------------------------------


async def create_continuation(
    registry: TableRegistry,
    live: LiveTable,
    who: Participant,
    request: str,
    command: Rematch | PlayOn,
) -> Accepted:
    """Create a table for the people of this one, whose tokens open it too; the asker hosts it."""
    table = live.table
    if isinstance(command, PlayOn):
        for known in table.played_on:
            if known.n == command.n:
                return Accepted(known.logged_n, known.table, repeated=True)
    elif table.rematch is not None:
        return Accepted(table.rematch_n or table.n, table.rematch, repeated=True)
    new_id = new_token(registry.randomness, _TABLE_ID_BYTES)
    decided = continue_elsewhere(table, command, who, new_id)
    context = registry.context_of_new_table(table.game)
    opened = open_continuation(new_id, table, command, who, context)
    decision = with_consequences(None, opened, context)
    if table.created.hot_seat or len(table.people) <= 1:  # nobody else to wait for
        decision = _begin(decision, context)
    seats = {seat_after(command, old, table): key for old, key in enumerate(live.keys.seats)}
    keys = Keys(who.key, tuple(seats[seat] for seat in sorted(seats)), (None,) * len(seats))
    await registry.create(decision, keys, context)
    try:
        n = await registry.commit(live, registry.follow(live, decided, request))
    except Refusal as refusal:
        if refusal.code != "unknown":  # then this table may name the new one
            await registry.delete(new_id)
        raise
    return Accepted(n, new_id)
