"""Who sits where, with which options, until the game begins; and in open seats after that."""

from __future__ import annotations

from archipel.rules.kit import Tape
from archipel.rules.options import OptionError
from archipel.tables import events
from archipel.tables.bot_names import bot_name, seat_bots
from archipel.tables.commands import AddNonce, Begin, Join, SetOptions, SetSeat
from archipel.tables.decisions.checks import (
    acting_seat,
    check_gathering,
    check_host,
    check_nonce,
    check_seat,
    clean_name,
    known_bot,
)
from archipel.tables.decisions.moment import Moment
from archipel.tables.fair_chance import FairChance, chance_key
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Table, Who


def join(table: Table, wish: Join, invited_to: int | None) -> list[events.Event]:
    """Sit down in an open seat: that of the invitation, the one asked for, or the first free."""
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage == "over":
        raise refuse("not_playing")
    name = clean_name(wish.name)
    check_nonce(wish.nonce)
    for other in table.seats:
        if other.kind == "person" and other.name.casefold() == name.casefold():
            raise refuse("name_taken", name=name)
    seat = _open_seat(table, wish.seat, invited_to)
    colour = table.seats[seat].colour
    if wish.colour is not None and table.stage == "gathering":
        holder = [s.kind for s in table.seats if s.colour == wish.colour]
        if "person" not in holder:
            colour = wish.colour
    nonce = wish.nonce if table.stage == "gathering" else ""
    return [events.Seated(seat, name, colour, nonce), *_rename_bot(table, name)]


def _rename_bot(table: Table, name: str) -> list[events.BotSeated]:
    """A bot leaves its name to a person who comes with it."""
    return [
        events.BotSeated(number, seat.bot, bot_name([name, *_names(table)]))
        for number, seat in enumerate(table.seats)
        if seat.kind == "bot" and seat.bot and seat.name.casefold() == name.casefold()
    ]


def _names(table: Table) -> list[str]:
    return [seat.name for seat in table.seats if seat.kind != "open"]


def _open_seat(table: Table, wanted: int | None, invited_to: int | None) -> int:
    if wanted is not None:
        check_seat(table, wanted)
    if invited_to is not None:
        wanted = invited_to
    if wanted is not None:
        seat = table.seats[wanted]
        if seat.kind != "open" or seat.resigned:
            raise refuse("seat_taken")
        if seat.kept and wanted != invited_to:
            raise refuse("seat_kept")
        return wanted
    free = [n for n, seat in enumerate(table.seats) if seat.kind == "open" and not seat.resigned]
    if not free:
        raise refuse("seat_taken")
    for seat_number in free:
        if not table.seats[seat_number].kept:
            return seat_number
    raise refuse("seat_kept")


def set_seat(table: Table, command: SetSeat, who: Who, moment: Moment) -> list[events.Event]:
    """The host gives a seat to a bot or frees it. People may free their own before the game.

    Once the game has begun a freed seat is played by a bot until somebody sits down in it.
    """
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage == "over":
        raise refuse("not_playing")
    check_seat(table, command.seat)
    own = command.seat in who.seats and command.bot is None and table.stage == "gathering"
    if not own:
        check_host(who)
    seat = table.seats[command.seat]
    if seat.resigned:
        raise refuse("resigned")
    if command.bot is not None:
        bot = known_bot(command.bot, moment.bots)
        name = seat.name if seat.kind == "bot" else bot_name(_names(table))
        return [events.BotSeated(command.seat, bot, name)]
    if table.stage == "gathering":
        return [events.SeatFreed(command.seat, None)]
    return [events.SeatFreed(command.seat, seat.bot or moment.stand_in)]


def set_options(table: Table, command: SetOptions, who: Who) -> list[events.Event]:
    check_host(who)
    check_gathering(table)
    try:
        chosen = table.definition.make_options(
            len(table.seats), **{**table.options.values, **command.options}
        )
    except OptionError as error:
        raise Refusal("bad_option", english=str(error)) from None
    return [events.OptionsSet(dict(chosen.values))]


def add_nonce(table: Table, command: AddNonce, who: Who, wanted: int | None) -> list[events.Event]:
    check_gathering(table)
    seat = acting_seat(who, wanted)
    check_nonce(command.nonce)
    return [events.NonceAdded(seat, command.nonce)]


def begin(table: Table, command: Begin, who: Who, moment: Moment) -> list[events.Event]:
    """Open seats go to bots, and the game is dealt."""
    check_host(who)
    check_gathering(table)
    filled = seat_bots(
        {
            number: moment.usual_bot
            for number, seat in enumerate(table.seats)
            if seat.kind == "open"
        },
        _names(table),
    )
    nonces = [seat.nonce for seat in table.seats]
    tape = Tape((), FairChance(chance_key(moment.secret, nonces), 0))
    table.definition.new(table.options, tape)
    return [*filled, events.Begun(nonces, tape.outcomes)]
