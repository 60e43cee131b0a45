"""How tables come to be and people come to them: making, joining, playing once more."""

from __future__ import annotations

from msgspec import structs

from archipel.rules.all_games import game_named
from archipel.rules.contract import UnknownGameError
from archipel.tables import commands, events, shown
from archipel.tables.decisions import Moment, with_consequences
from archipel.tables.decisions.checks import check_room
from archipel.tables.decisions.drawing import begin
from archipel.tables.decisions.ending import rematch
from archipel.tables.decisions.opening import open_rematch, open_table, rematch_seat
from archipel.tables.decisions.seating import join
from archipel.tables.events import Entry
from archipel.tables.fair_chance import SECRET_BYTES
from archipel.tables.fold import fold_all
from archipel.tables.hall import Hall
from archipel.tables.keys import Keys, hash_of, new_token
from archipel.tables.place import Place
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Who

_TABLE_ID_BYTES = 12


async def create_table(hall: Hall, wish: commands.NewTable) -> shown.Seated:
    try:
        game_named(wish.game)
    except UnknownGameError as error:
        raise Refusal("unknown_game", english=str(error)) from None
    if wish.what_if is not None:
        wish = await _from_moment(hall, wish, wish.what_if)
    table_id = new_token(hall.randomness, _TABLE_ID_BYTES)
    token = new_token(hall.randomness)
    moment = hall.first_moment(wish.game, hall.randomness(SECRET_BYTES))
    opened = open_table(table_id, wish, moment)
    if wish.begin:
        opened += _beginning(opened, moment)
    table = fold_all(Entry(moment.now, event) for event in opened)
    seats = tuple(hash_of(token) if seat.kind == "person" else None for seat in table.seats)
    invitations = [
        new_token(hall.randomness) if seat.kind == "open" else None for seat in table.seats
    ]
    hashes = tuple(None if secret is None else hash_of(secret) for secret in invitations)
    await hall.make(table_id, opened, Keys(hash_of(token), seats, hashes), moment)
    own = table.people
    return shown.Seated(
        table_id,
        own[0] if len(own) == 1 else None,
        token,
        [secret for secret in invitations if secret is not None],
    )


async def _from_moment(
    hall: Hall, wish: commands.NewTable, origin: commands.FromMoment
) -> commands.NewTable:
    """The same wish with the position of that moment, as it truly was: the game is over."""
    async with hall.at(origin.table) as place:
        table = place.table
        if table.secret is None:
            raise refuse("not_over")
        if table.halted_at is not None:
            raise refuse("older_rules")
        state = table.state_at(origin.n) if origin.n <= table.n else None
        if state is None or table.game != wish.game:
            raise refuse("no_such_event", n=origin.n)
        return structs.replace(wish, position=table.definition.position_text(state), options={})


def _beginning(opened: list[events.Event], moment: Moment) -> list[events.Event]:
    table = fold_all(Entry(moment.now, event) for event in opened)
    host = Who(table.id, host=True)
    return with_consequences(table, begin(table, host, moment), moment)


async def join_table(hall: Hall, table_id: str, wish: commands.Join) -> shown.Seated:
    async with hall.at(table_id) as place:
        invited_to = None
        if wish.invitation is not None:
            invited_to = place.keys.invited(hash_of(wish.invitation))
            if invited_to is None:
                raise refuse("wrong_invitation")
        check_room(place.table, hall.moment(place))
        decided = join(place.table, wish, invited_to)
        token = new_token(hall.randomness)
        await hall.accept(place, decided, token=token)
        for event in decided:
            if isinstance(event, events.Seated):
                return shown.Seated(table_id, event.seat, token)
        return shown.Seated(table_id, None, token, asked=True)


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
    if table.hot_seat or len(table.people) <= 1:
        opened += _beginning(opened, moment)  # nobody else to wait for
    seats: list[str | None] = [None] * len(table.seats)
    for old, key in enumerate(place.keys.seats):
        seats[rematch_seat(old, len(seats))] = key
    await hall.make(new_id, opened, Keys(who.key, tuple(seats), (None,) * len(seats)), moment)
    try:
        n = await hall.accept(place, decided, request=request)
    except Refusal:
        await hall.unmake(new_id)
        raise
    return shown.Accepted(n, new_id)
