"""Creating a table and seating people and bots: the first events of a table, joining, freeing."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition, NotationError
from archipel.rules.options import OptionError, Options
from archipel.tables.bots.players import bot_name, full_name, seat_bots
from archipel.tables.commands import (
    COLOURS,
    Clock,
    Join,
    NewTable,
    PlayOn,
    Rematch,
    SeatWish,
    SetOptions,
    SetSeat,
)
from archipel.tables.decisions.context import (
    Context,
    Events,
    check_gathering,
    check_seat,
    clean_name,
    known_bot,
)
from archipel.tables.decisions.participation import ask_for_seat
from archipel.tables.log import events
from archipel.tables.log.fair_chance import SEAL
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import Refusal, refuse, refuse_if

# ---- new tables ---------------------------------------------------------------------------------


def open_table(table_id: str, new: NewTable, context: Context) -> Events:
    """The first events of a new table of a known game."""
    created = _created(table_id, new, context)
    bots = {
        seat: known_bot(wanted.bot, context.bots)
        for seat, wanted in enumerate(new.seats)
        if wanted.bot is not None
    }
    people = _people(new, [seat for seat in range(len(new.seats)) if seat not in bots])
    return [created, *seat_bots(bots, [person.name for person in people]), *people]


def _created(table_id: str, new: NewTable, context: Context) -> events.Created:
    definition = game_named(new.game)
    try:
        options = definition.make_options(len(new.seats), **new.options)
    except OptionError as error:
        raise Refusal("bad_option", english=str(error)) from None
    position = ""
    if new.position:
        position, options = _read_position(definition, new.position, len(new.seats))
    origin = new.what_if
    refuse_if(new.duplicate and (new.position or new.public), "no_duplicate")
    first_moment = events.FROM_POSITION if new.position else events.FORMAT
    return events.Created(
        format=events.DUPLICATE if new.duplicate else first_moment,
        table=table_id,
        game=new.game,
        rules_version=definition.rules_version,
        seats=len(new.seats),
        options=dict(options.values),
        clock=_clock(new.clock),
        hot_seat=new.hot_seat,
        public=new.public,
        kept=[seat for seat, wanted in enumerate(new.seats) if wanted.kept],
        commitment="",
        follows=None,
        board=definition.board,
        position=position,
        what_if="" if origin is None else origin.table,
        what_if_n=0 if origin is None else origin.n,
        hints=new.hints,
        on_device=context.settings.on_device or UNSET,
    )


def _clock(clock: Clock) -> Clock:
    if clock.kind == "none":
        return Clock()
    if clock.seconds < 1 or clock.increment < 0:
        raise Refusal("bad_option", english="a clock needs at least one second (clock)")
    return clock


def _read_position(definition: Definition[Any], position: str, seats: int) -> tuple[str, Options]:
    """A position text to start from in its normal form, and its options."""
    try:
        state = definition.parse_position(position)
    except NotationError as error:
        raise Refusal("bad_position", english=str(error)) from None
    options: Options = definition.read_options(state)
    if options.seats != seats:
        english = f"the position is one of {options.seats} players, not {seats}"
        raise Refusal("bad_position", english=english)
    if definition.to_move(state) < 0:
        raise Refusal("bad_position", english="the game is over in this position")
    return definition.position_text(state), options


def _people(new: NewTable, free: list[int]) -> list[events.PersonSeated]:
    """Who sits down at once, given the seats without bots."""
    if new.hot_seat:
        names = [clean_name(name) for name in new.names] or [clean_name(new.my_name)]
        names += [str(seat + 1) for seat in free[len(names) :]]
        refuse_if(len({name.casefold() for name in names}) < len(names), "name_taken")
        return [
            events.PersonSeated(seat, name, COLOURS[seat], "", new.seal)
            for seat, name in zip(free, names, strict=False)
        ]
    if new.my_seat is None:
        return []
    refuse_if(new.my_seat not in free, "bad_seat", seat=new.my_seat + 1, seats=len(new.seats))
    colour = new.my_colour or COLOURS[new.my_seat]
    return [events.PersonSeated(new.my_seat, clean_name(new.my_name), colour, "", new.seal)]


# ---- tables that continue another ---------------------------------------------------------------


def open_continuation(
    table_id: str, table: TableState, command: Rematch | PlayOn, who: Participant, context: Context
) -> Events:
    """The same people at a new table, which ``who`` asked for.

    A rematch seats everyone one seat further; playing on starts from a position of this game.
    """
    if isinstance(command, Rematch):
        created = _created_like(table_id, table, context, follows=table.id)
    else:
        created = _created_like(
            table_id,
            table,
            context,
            format=events.FROM_POSITION,
            position=position_after(table, command.n),
            what_if=table.id,
            what_if_n=command.n,
        )
    refuse_if(command.seal and not SEAL.fullmatch(command.seal), "bad_seal")
    opened: Events = [created]
    for old, seat in enumerate(table.seats):
        number = seat_after(command, old, table)
        if seat.kind == "person":
            seal = command.seal if old in who.seats else ""
            opened.append(events.PersonSeated(number, seat.name, seat.colour, "", seal))
        elif seat.kind == "bot":
            bot = full_name(seat.bot or "", context.bots) or context.stand_in
            opened.append(events.BotSeated(number, bot, seat.name))
    if not table.chat and not created.public and not created.hot_seat:
        opened.append(events.ChatSet(False))
    return opened


def seat_after(command: Rematch | PlayOn, old: int, table: TableState) -> int:
    """The seat at the new table of who has seat ``old`` at this one."""
    return (old + 1) % len(table.seats) if isinstance(command, Rematch) else old


def position_after(table: TableState, n: int) -> str:
    """The true position after an event, as text; refused before the game is over."""
    refuse_if(table.secret is None, "not_over")
    refuse_if(table.halted_at is not None, "older_rules")
    state = table.state_at(n) if n <= table.n else None
    refuse_if(state is None, "no_such_event", n=n)
    text, _ = _read_position(
        table.definition, table.definition.position_text(state), len(table.seats)
    )
    return text


def _created_like(
    table_id: str, table: TableState, context: Context, **changes: Any
) -> events.Created:
    """A new table with the game, options and clock of another one."""
    new = NewTable(
        table.game,
        [SeatWish()] * len(table.seats),
        my_name="",
        options=dict(table.options.values),
        clock=table.clock,
        hot_seat=table.created.hot_seat,
        public=table.created.public,
        hints=table.created.hints,
    )
    return replace(_created(table_id, new, context), **changes)


# ---- sitting down and standing up ---------------------------------------------------------------


def join(table: TableState, request: Join, invited_to: int | None) -> Events:
    """Sit down in an open seat: that of the invitation, the one asked for, or the first free.

    During a game the seat has a hand, so this proposes the new player to the others instead.  A
    bot's seat can be asked for too.
    """
    _check_seats_can_change(table)
    refuse_if(table.draw is not None, "drawing")
    name = clean_name(request.name)
    for other in table.seats:
        if other.kind == "person" and other.name.casefold() == name.casefold():
            raise refuse("name_taken", name=name)
    seat = _open_seat(table, request.seat, invited_to)
    if table.stage == "playing":
        for number, other in enumerate(table.seats):
            if number != seat and other.name.casefold() == name.casefold():
                raise refuse("name_taken", name=name)
        return ask_for_seat(table, seat, name)
    colour = table.seats[seat].colour
    if request.colour is not None:
        holder = [s.kind for s in table.seats if s.colour == request.colour]
        if "person" not in holder:
            colour = request.colour
    renamed = [  # a bot that has the name of the person
        events.BotSeated(number, other.bot, bot_name([name, *_names(table)]))
        for number, other in enumerate(table.seats)
        if other.kind == "bot" and other.bot and other.name.casefold() == name.casefold()
    ]
    return [events.PersonSeated(seat, name, colour, "", request.seal), *renamed]


def _names(table: TableState) -> list[str]:
    return [seat.name for seat in table.seats if seat.kind != "open"]


def _open_seat(table: TableState, wanted: int | None, invited_to: int | None) -> int:
    if wanted is not None:
        check_seat(table, wanted)
    if invited_to is not None:
        wanted = invited_to
    seats = range(len(table.seats)) if wanted is None else (wanted,)
    free = [n for n in seats if table.seats[n].kind == "open" and not table.seats[n].resigned]
    free = free or [n for n in seats if _may_replace_bot(table, n, invited_to)]
    refuse_if(not free, "seat_taken")
    allowed = [number for number in free if number == invited_to or not table.seats[number].kept]
    refuse_if(not allowed, "seat_kept")
    return allowed[0]


def _may_replace_bot(table: TableState, seat: int, invited_to: int | None) -> bool:
    """Whether somebody who arrives during the game may ask for the seat of a bot; at a public
    table, where anyone may watch, only with its invitation."""
    if table.stage != "playing" or table.created.hot_seat or table.progress is not None:
        return False
    invited = seat == invited_to or not table.created.public
    return invited and table.seats[seat].kind == "bot" and not table.seats[seat].resigned


def set_seat(table: TableState, command: SetSeat, who: Participant, context: Context) -> Events:
    """Give a seat to a bot, or free it. People may free their own seat before the game.

    During a game only a person who has been away for long loses the seat.  A bot plays it until the
    others agree to a new player.
    """
    _check_seats_can_change(table)
    check_seat(table, command.seat)
    own = command.seat in who.seats and command.bot is None and table.stage == "gathering"
    refuse_if(not own and not who.host, "not_host")
    seat = table.seats[command.seat]
    refuse_if(seat.resigned, "resigned")
    refuse_if(table.draw is not None, "drawing")
    if table.stage == "playing" and command.seat not in who.seats:
        _check_gone(table, command.seat, context)
    if command.bot is not None:
        bot = known_bot(command.bot, context.bots)
        name = seat.name if seat.kind == "bot" else bot_name(_names(table))
        return [events.BotSeated(command.seat, bot, name)]
    if table.stage == "gathering":
        return [events.SeatFreed(command.seat, None)]
    return [events.SeatFreed(command.seat, seat.bot or context.stand_in)]


def _check_seats_can_change(table: TableState) -> None:
    refuse_if(table.stage == "closed", "closed")
    refuse_if(table.stage == "over", "not_playing")


def _check_gone(table: TableState, seat: int, context: Context) -> None:
    """Refuse while a person is present, or may come back in time for their decision."""
    if table.seats[seat].kind != "person":
        return
    away = context.settings.away
    if table.clock.kind == "days":
        away = max(away, table.clock.seconds * 1000)
    since = context.away_since.get(seat)
    if since is None or context.now - since < away:
        raise refuse("not_away", minutes=away // 60_000, name=table.seats[seat].name)


def set_options(
    table: TableState, command: SetOptions, who: Participant, context: Context
) -> Events:
    """Change options, clock or number of seats. Nobody loses a seat by it."""
    check_gathering(table)
    seats = len(table.seats) if command.seats is None else command.seats
    fixed = command.options or seats != len(table.seats)
    refuse_if(table.created.position and fixed, "fixed_by_position")
    refuse_if(table.origin not in ("", table.id) and fixed, "fixed_by_duplicate")
    last = max((seat + 1 for seat in table.people), default=0)
    refuse_if(seats < last, "seats_needed", seat=last)
    chosen = {**table.options.values, **command.options}
    try:
        options = table.definition.make_options(seats, **chosen)
    except OptionError as error:
        raise Refusal("bad_option", english=str(error)) from None
    clock = table.clock if command.clock is None else _clock(command.clock)
    return [events.SetUpChanged(seats, dict(options.values), clock)]
