"""How tables come to be and people come to them: making, joining, playing once more."""

from __future__ import annotations

import asyncio

from msgspec import structs

from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.store import NoSuchTable, StoreError, TableExists
from archipel.tables import commands, events, shown
from archipel.tables.decisions import Moment, with_consequences
from archipel.tables.decisions.checks import check_room
from archipel.tables.decisions.drawing import begin
from archipel.tables.decisions.ending import play_on, rematch
from archipel.tables.decisions.learning import go_on_by_itself, open_lesson
from archipel.tables.decisions.opening import (
    open_rematch,
    open_table,
    open_what_if,
    position_after,
    rematch_seat,
)
from archipel.tables.decisions.seating import join
from archipel.tables.events import Entry
from archipel.tables.fair_chance import SECRET_BYTES
from archipel.tables.fold import fold_all
from archipel.tables.hall import Hall
from archipel.tables.kept_answers import Wish
from archipel.tables.keys import Keys, hash_of, new_token
from archipel.tables.place import Place
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Who

_TABLE_ID_BYTES = 12
#: How often one looks whether another worker has made a table, and how long in between.
_LOOKS = 20
_LOOK_SECONDS = 0.1


async def create_table(hall: Hall, wish: commands.NewTable) -> shown.Seated:
    try:
        game_named(wish.game)
    except UnknownGameError as error:
        raise Refusal("unknown_game", english=str(error)) from None
    if hall.company is None or not wish.request:
        return await _create(hall, wish, new_token(hall.randomness, _TABLE_ID_BYTES))
    asked = Wish("", wish)
    for _ in range(_LOOKS):
        answer = await _answered(hall, asked.table_id, asked)
        if answer is not None:
            return answer
        try:
            return await _create(hall, wish, asked.table_id, asked)
        except TableExists:  # another worker is about to make it
            await asyncio.sleep(_LOOK_SECONDS)
    # It has died over it: there is a table, but nothing in it.
    if await hall.store.last(asked.table_id) == 0:
        await hall.unmake(asked.table_id)
    raise refuse("unavailable")


async def _answered(hall: Hall, table_id: str, asked: Wish) -> shown.Seated | None:
    """What the same wish came to, by way of whichever worker."""
    try:
        kept = await hall.store.get_private(table_id, asked.name)
    except NoSuchTable:
        return None
    except StoreError as error:
        raise refuse("unavailable") from error
    return None if kept is None else asked.open(kept)


async def _create(
    hall: Hall, wish: commands.NewTable, table_id: str, asked: Wish | None = None
) -> shown.Seated:
    if wish.what_if is not None:
        wish = await _from_moment(hall, wish, wish.what_if)
    token = new_token(hall.randomness)
    moment = hall.first_moment(wish.game, hall.randomness(SECRET_BYTES))
    if wish.lesson:
        opened = open_lesson(table_id, wish, moment)
        begun = fold_all(Entry(moment.now, event) for event in opened)
        opened += go_on_by_itself(begun, moment)
    else:
        opened = open_table(table_id, wish, moment)
        if wish.begin:
            opened += _beginning(opened, moment)
    table = fold_all(Entry(moment.now, event) for event in opened)
    seats = tuple(hash_of(token) if seat.kind == "person" else None for seat in table.seats)
    invitations = [
        new_token(hall.randomness) if seat.kind == "open" else None for seat in table.seats
    ]
    hashes = tuple(None if secret is None else hash_of(secret) for secret in invitations)
    own = table.people
    seated = shown.Seated(
        table_id,
        own[0] if len(own) == 1 else None,
        token,
        [secret for secret in invitations if secret is not None],
    )
    answer = None if asked is None else {asked.name: asked.seal(seated)}
    await hall.make(table_id, opened, Keys(hash_of(token), seats, hashes), moment, answer)
    return seated


async def _from_moment(
    hall: Hall, wish: commands.NewTable, origin: commands.FromMoment
) -> commands.NewTable:
    """The same wish with the position of that moment, as it truly was: the game is over."""
    async with hall.at(origin.table) as place:
        if place.table.game != wish.game:
            raise refuse("no_such_event", n=origin.n)
        return structs.replace(wish, position=position_after(place.table, origin.n), options={})


def _beginning(opened: list[events.Event], moment: Moment) -> list[events.Event]:
    table = fold_all(Entry(moment.now, event) for event in opened)
    host = Who(table.id, host=True)
    return with_consequences(table, begin(table, host, moment), moment)


async def join_table(hall: Hall, table_id: str, wish: commands.Join) -> shown.Seated:
    async with hall.at(table_id, fresh=True) as place:
        return await hall.latest(place, lambda: _join(hall, place, wish))


async def _join(hall: Hall, place: Place, wish: commands.Join) -> shown.Seated:
    asked = Wish(place.id, wish) if hall.company is not None and wish.request else None
    if asked is not None:
        answered = await _answered(hall, place.id, asked)
        if answered is not None:
            return answered
    invited_to = None
    if wish.invitation is not None:
        invited_to = place.keys.invited(hash_of(wish.invitation))
        if invited_to is None:
            raise refuse("wrong_invitation")
    check_room(place.table, hall.moment(place))
    decided = join(place.table, wish, invited_to)
    token = new_token(hall.randomness)
    taken = [event.seat for event in decided if isinstance(event, events.Seated)]
    seated = shown.Seated(place.id, taken[0] if taken else None, token, asked=not taken)
    answer = None if asked is None else {asked.name: asked.seal(seated)}
    await hall.accept(place, decided, token=token, answer=answer)
    return seated


async def play_once_more(
    hall: Hall, place: Place, who: Who, request: str, seal: str = ""
) -> shown.Accepted:
    """A new table for the same people, whose tokens open it too; the asker hosts it."""
    table = place.table
    if table.rematch is not None:
        return shown.Accepted(table.rematch_n or table.n, table.rematch, repeated=True)
    new_id = new_token(hall.randomness, _TABLE_ID_BYTES)
    decided = rematch(table, who, new_id)
    moment = hall.first_moment(table.game, hall.randomness(SECRET_BYTES))
    opened = open_rematch(new_id, table, moment, who.seats, seal)
    seats: list[str | None] = [None] * len(table.seats)
    for old, key in enumerate(place.keys.seats):
        seats[rematch_seat(old, len(seats))] = key
    n = await _go_on_at(hall, place, who, request, opened, seats, decided, moment)
    return shown.Accepted(n, new_id)


async def play_on_together(
    hall: Hall, place: Place, who: Who, request: str, wish: commands.PlayOn
) -> shown.Accepted:
    """What if: a new table that begins with a moment of this game, for the same people in the same
    seats, whose tokens open it too; the asker hosts it."""
    table = place.table
    known = next((each for each in table.played_on if each.n == wish.n), None)
    if known is not None:
        return shown.Accepted(known.told, known.table, repeated=True)
    new_id = new_token(hall.randomness, _TABLE_ID_BYTES)
    decided = play_on(table, who, wish.n, new_id)
    moment = hall.first_moment(table.game, hall.randomness(SECRET_BYTES))
    opened = open_what_if(new_id, table, wish.n, moment, who.seats, wish.seal)
    seats = list(place.keys.seats)
    n = await _go_on_at(hall, place, who, request, opened, seats, decided, moment)
    return shown.Accepted(n, new_id)


async def _go_on_at(
    hall: Hall,
    place: Place,
    who: Who,
    request: str,
    opened: list[events.Event],
    seats: list[str | None],
    decided: list[events.Event],
    moment: Moment,
) -> int:
    """Make a second table for people of this one, and say so at this one; the event that does."""
    table = fold_all(Entry(moment.now, event) for event in opened)
    if table.hot_seat or len(table.people) <= 1:
        opened = opened + _beginning(opened, moment)  # nobody else to wait for
    keys = Keys(who.key, tuple(seats), (None,) * len(seats))
    await hall.make(table.id, opened, keys, moment)
    try:
        return await hall.accept(place, decided, request=request)
    except Refusal:
        await hall.unmake(table.id)
        raise
