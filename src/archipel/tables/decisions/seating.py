"""Who sits where, with which options, until the game begins; and in open seats after that."""

from __future__ import annotations

from archipel.rules.options import OptionError
from archipel.tables import events
from archipel.tables.bot_names import bot_name
from archipel.tables.commands import Join, SetOptions, SetSeat
from archipel.tables.decisions.checks import (
    check_gathering,
    check_host,
    check_seat,
    clean_name,
    known_bot,
)
from archipel.tables.decisions.consenting import ask_for_seat
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Table, Who


def join(table: Table, wish: Join, invited_to: int | None) -> list[events.Event]:
    """Sit down in an open seat: that of the invitation, the one asked for, or the first free.

    Once the game has begun the others are asked first: the seat has a hand.
    """
    if table.stage == "closed":
        raise refuse("closed")
    if table.stage == "over":
        raise refuse("not_playing")
    if table.draw is not None:
        raise refuse("drawing")
    name = clean_name(wish.name)
    for other in table.seats:
        if other.kind == "person" and other.name.casefold() == name.casefold():
            raise refuse("name_taken", name=name)
    seat = _open_seat(table, wish.seat, invited_to)
    if table.stage == "playing":
        return ask_for_seat(table, seat, name)
    colour = table.seats[seat].colour
    if wish.colour is not None:
        holder = [s.kind for s in table.seats if s.colour == wish.colour]
        if "person" not in holder:
            colour = wish.colour
    return [events.Seated(seat, name, colour, "", wish.seal), *_rename_bot(table, name)]


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

    Once the game has begun only somebody who has long been away loses their seat.  A bot plays it,
    until somebody sits down there to whom the others agree.
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
    if table.draw is not None:
        raise refuse("drawing")
    if table.stage == "playing" and command.seat not in who.seats:
        _check_gone(table, command.seat, moment)
    if command.bot is not None:
        bot = known_bot(command.bot, moment.bots)
        name = seat.name if seat.kind == "bot" else bot_name(_names(table))
        return [events.BotSeated(command.seat, bot, name)]
    if table.stage == "gathering":
        return [events.SeatFreed(command.seat, None)]
    return [events.SeatFreed(command.seat, seat.bot or moment.stand_in)]


def _check_gone(table: Table, seat: int, moment: Moment) -> None:
    """A person who is here, or may come back in time for their decision, keeps their seat."""
    if table.seats[seat].kind != "person":
        return
    away = moment.settings.away
    if table.clock.kind == "days":
        away = max(away, table.clock.seconds * 1000)
    since = moment.away_since.get(seat)
    if since is None or moment.now - since < away:
        raise refuse("not_away", minutes=away // 60_000, name=table.seats[seat].name)


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
