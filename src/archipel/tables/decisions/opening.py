"""Setting up a table: the events it begins with."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from archipel.rules.all_games import game_named
from archipel.rules.options import OptionError
from archipel.tables import events
from archipel.tables.bot_names import seat_bots
from archipel.tables.bot_players import full_name
from archipel.tables.commands import COLOURS, Clock, NewTable
from archipel.tables.dealing import read_given
from archipel.tables.decisions.checks import clean_name, known_bot
from archipel.tables.decisions.moment import Moment
from archipel.tables.fair_chance import SEAL
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Table


def open_table(table_id: str, wish: NewTable, moment: Moment) -> list[events.Event]:
    """A table as its maker wishes it, before the game begins; raises `Refusal`.

    There must be a game of that name.
    """
    made = _created(table_id, wish, moment)
    bots = {
        seat: known_bot(wanted.bot, moment.bots)
        for seat, wanted in enumerate(wish.seats)
        if wanted.bot is not None
    }
    people = _people(wish, [seat for seat in range(len(wish.seats)) if seat not in bots])
    return [made, *seat_bots(bots, [person.name for person in people]), *people]


def _people(wish: NewTable, free: list[int]) -> list[events.Seated]:
    """Who sits down at once, in seats that are free of bots."""
    if wish.hot_seat:
        return _everyone_on_one_device(wish, free)
    if wish.my_seat is None:
        return []
    if wish.my_seat not in free:
        raise refuse("bad_seat", seat=wish.my_seat + 1, seats=len(wish.seats))
    colour = wish.my_colour or COLOURS[wish.my_seat]
    return [events.Seated(wish.my_seat, clean_name(wish.my_name), colour, "", wish.seal)]


def _created(table_id: str, wish: NewTable, moment: Moment) -> events.Created:
    definition = game_named(wish.game)
    try:
        options = definition.make_options(len(wish.seats), **wish.options)
    except OptionError as error:
        raise Refusal("bad_option", english=str(error)) from None
    position = ""
    if wish.position:
        position, options = read_given(definition, wish.position, len(wish.seats))
    origin = wish.what_if
    return events.Created(
        format=events.FROM_POSITION if wish.position else events.FORMAT,
        table=table_id,
        game=wish.game,
        rules_version=definition.rules_version,
        seats=len(wish.seats),
        options=dict(options.values),
        clock=_clock(wish.clock),
        hot_seat=wish.hot_seat,
        public=wish.public,
        kept=[seat for seat, wanted in enumerate(wish.seats) if wanted.kept],
        commitment="",
        follows=None,
        board=definition.board,
        position=position,
        what_if="" if origin is None else origin.table,
        what_if_n=0 if origin is None else origin.n,
        hints=wish.hints,
    )


def _clock(clock: Clock) -> Clock:
    if clock.kind == "none":
        return Clock()
    if clock.seconds < 1 or clock.increment < 0:
        raise Refusal("bad_option", english="a clock needs at least one second (clock)")
    return clock


def _everyone_on_one_device(wish: NewTable, people: list[int]) -> list[events.Seated]:
    names = [clean_name(name) for name in wish.names] or [clean_name(wish.my_name)]
    names += [str(seat + 1) for seat in people[len(names) :]]
    if len({name.casefold() for name in names}) < len(names):
        raise refuse("name_taken")
    return [
        events.Seated(seat, name, COLOURS[seat], "", wish.seal)
        for seat, name in zip(people, names, strict=False)
    ]


def open_rematch(
    table_id: str, table: Table, moment: Moment, asker: tuple[int, ...], seal: str
) -> list[events.Event]:
    """The same people at a new table, everyone one seat further; the seal is the asker's."""
    made = replace(_like(table_id, table), follows=table.id)
    size = len(table.seats)
    places = [rematch_seat(old, size) for old in range(size)]
    return [made, *_same_people(table, moment, places, asker, seal)]


def open_what_if(
    table_id: str, table: Table, n: int, moment: Moment, asker: tuple[int, ...], seal: str
) -> list[events.Event]:
    """The same people in their seats, at a new table that begins with the position after event n;
    the seal is the asker's."""
    made = replace(
        _like(table_id, table),
        format=events.FROM_POSITION,
        position=position_after(table, n),
        what_if=table.id,
        what_if_n=n,
    )
    return [made, *_same_people(table, moment, range(len(table.seats)), asker, seal)]


def position_after(table: Table, n: int) -> str:
    """The position after an event, as it truly was, to play on from; the game must be over."""
    if table.secret is None:
        raise refuse("not_over")
    if table.halted_at is not None:
        raise refuse("older_rules")
    state = table.state_at(n) if n <= table.n else None
    if state is None:
        raise refuse("no_such_event", n=n)
    given, _ = read_given(table.definition, table.definition.position_text(state), len(table.seats))
    return given


def _like(table_id: str, table: Table) -> events.Created:
    """A table with everything that was agreed at another one."""
    return events.Created(
        format=events.FORMAT,
        table=table_id,
        game=table.game,
        rules_version=table.definition.rules_version,
        seats=len(table.seats),
        options=dict(table.options.values),
        clock=table.clock,
        hot_seat=table.hot_seat,
        public=table.public,
        kept=[],
        commitment="",
        follows=None,
        board=table.definition.board,
        hints=table.hints_wished,
    )


def _same_people(
    table: Table, moment: Moment, places: Sequence[int], asker: tuple[int, ...], seal: str
) -> list[events.Event]:
    """Everybody of a table at another one, bots too; the seal is the asker's."""
    if seal and not SEAL.fullmatch(seal):
        raise refuse("bad_seal")
    seated: list[events.Event] = []
    for old, seat in enumerate(table.seats):
        if seat.kind == "person":
            own = seal if old in asker else ""
            seated.append(events.Seated(places[old], seat.name, seat.colour, "", own))
        elif seat.kind == "bot":
            bot = full_name(seat.bot or "", moment.bots) or moment.stand_in
            seated.append(events.BotSeated(places[old], bot, seat.name))
    return seated


def rematch_seat(old: int, seats: int) -> int:
    return (old + 1) % seats
