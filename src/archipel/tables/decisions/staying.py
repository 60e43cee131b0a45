"""Being there or not: phrases, resigning, bots that stand in, and clocks that run out."""

from __future__ import annotations

from archipel.tables import events
from archipel.tables.commands import HandOver, Say
from archipel.tables.decisions.checks import acting_seat, check_playing, check_seat
from archipel.tables.decisions.drawing import draw_due
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import refuse
from archipel.tables.table import Table, Who


def say(
    table: Table, command: Say, who: Who, wanted: int | None, moment: Moment
) -> list[events.Event]:
    if table.stage == "closed":
        raise refuse("closed")
    seat = acting_seat(who, wanted, table.to_move)
    settings = moment.settings
    recent = [at for at in table.seats[seat].said_at if moment.now - at < settings.phrases_within]
    if len(recent) >= settings.phrases:
        raise refuse("too_fast")
    return [events.Said(seat, command.phrase)]


def resign(table: Table, who: Who, wanted: int | None, moment: Moment) -> list[events.Event]:
    """Leave the ranking at its end. A bot plays on, so that the others can finish their game."""
    check_playing(table)
    seat = acting_seat(who, wanted, table.to_move)
    if table.seats[seat].resigned:
        raise refuse("resigned")
    return [events.Resigned(seat, moment.stand_in)]


def hand_over(table: Table, command: HandOver, who: Who, moment: Moment) -> list[events.Event]:
    """A bot plays for somebody who has been away for a while; for oneself at any time."""
    check_playing(table)
    if not who.seats and not who.host:
        raise refuse("not_seated")
    check_seat(table, command.seat)
    seat = table.seats[command.seat]
    if seat.kind != "person":
        raise refuse("bot_plays")
    if seat.resigned:
        raise refuse("resigned")
    if seat.bot is not None:
        raise refuse("bot_plays")
    own = command.seat in who.seats
    if not own and not moment.is_away(command.seat):
        raise refuse("not_away", minutes=moment.settings.away // 60_000, name=seat.name)
    by = command.seat if own else who.seats[0] if who.seats else None
    return [events.HandedOver(command.seat, moment.stand_in, by)]


def come_back(table: Table, who: Who, wanted: int | None) -> list[events.Event]:
    check_playing(table)
    standing_in = [seat for seat in who.seats if table.seats[seat].bot is not None]
    seat = acting_seat(who, wanted, standing_in[0] if standing_in else None)
    if table.seats[seat].resigned:
        raise refuse("resigned")
    if table.seats[seat].bot is None:
        raise refuse("bot_does_not_play")
    return [events.Returned(seat)]


def due(table: Table, moment: Moment) -> list[events.Event]:
    """What the clock demands: a seat whose time ran out goes to a bot until its owner returns."""
    if table.draw is not None:
        return draw_due(table, moment)
    seat, flag_at = table.clock_runs_for, table.flag_at
    if seat is None or flag_at is None or moment.now < flag_at:
        return []
    return [events.ClockFlagged(seat), events.HandedOver(seat, moment.stand_in, None)]
