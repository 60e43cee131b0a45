"""How the secret of chance is made, so that nobody can choose it: seal, fix, open, deal.

Everybody seals a nonce, then the secret is fixed, then the nonces are opened.  Nobody knows both
the secret and the nonces while either can still be chosen.  A player who does not open in time can
only force a new draw, visibly, and their nonce does not count in it.
"""

from __future__ import annotations

from dataclasses import replace

from archipel.rules.kit import Tape
from archipel.tables.bots.players import seat_bots
from archipel.tables.commands import Begin, OpenNonce, SealNonce
from archipel.tables.decisions.context import Context, Events, acting_seat, check_gathering
from archipel.tables.log import events
from archipel.tables.log.fair_chance import NONCE, SEAL, commitment, seal_of
from archipel.tables.log.fold import first_position
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import refuse, refuse_if


def seal_nonce(table: TableState, command: SealNonce, who: Participant, context: Context) -> Events:
    check_gathering(table)
    seat = acting_seat(who, command.seat)
    refuse_if(not SEAL.fullmatch(command.seal), "bad_seal")
    # At a hot-seat table one seal counts for everybody on the device.
    seats = who.seats if table.created.hot_seat else (seat,)
    return [events.NonceSealed(own, command.seal) for own in seats]


def begin(table: TableState, command: Begin, who: Participant, context: Context) -> Events:
    """Give open seats to bots and fix the secret; the game is dealt when all seals are open.

    The seals that count are fixed here too: those of the people who are present, or were a moment
    ago and may return to open theirs.
    """
    check_gathering(table)
    free = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    taken = [seat.name for seat in table.seats if seat.kind != "open"]
    filled = seat_bots(dict.fromkeys(free, context.usual_bot), taken)
    if table.created.format == events.DUPLICATE and table.commitment:
        return [*filled, *_deal(table, list(table.nonces), context)]
    if table.commitment:  # log format 1
        nonces = [seat.nonce for seat in table.seats]
        return [*filled, *_deal(table, nonces, context)]
    without = {seat: why for seat in table.people if (why := _no_share(table, seat, context))}
    seals = ["" if number in without else seat.seal for number, seat in enumerate(table.seats)]
    return [*filled, events.DrawBegun(commitment(context.secret), seals, without)]


def _no_share(table: TableState, seat: int, context: Context) -> events.NoShare | None:
    """Why the share of a person does not count; None if it does."""
    if table.seats[seat].late:
        return "late"
    since = context.away_since.get(seat)
    if since is not None and context.now - since >= context.settings.draw_return:
        return "away"
    return None if table.seats[seat].seal else "none"


def open_nonce(table: TableState, command: OpenNonce, who: Participant, context: Context) -> Events:
    acting_seat(who, command.seat)
    if table.draw is None:
        raise refuse("not_drawing")
    refuse_if(not NONCE.fullmatch(command.nonce), "bad_nonce", pattern=NONCE.pattern)
    seal = seal_of(command.nonce)
    own = [seat for seat in table.draw.missing if seat in who.seats and table.seals[seat] == seal]
    refuse_if(not own, "wrong_nonce")
    return [events.NonceOpened(seat, command.nonce) for seat in own]


def settle_draw(table: TableState, context: Context) -> Events:
    """Deal the game once every seal that counts is open."""
    if table.draw is None or table.stage != "gathering" or table.draw.missing:
        return []
    return _deal(table, [nonce or "" for nonce in table.draw.nonces], context)


def draw_due(table: TableState, context: Context) -> Events:
    """Void a draw that somebody has not opened in time."""
    if table.draw is None or context.now < table.draw.at + context.settings.draw:
        return []
    return [events.DrawVoided(list(table.draw.missing))]


def _deal(table: TableState, nonces: list[str], context: Context) -> Events:
    tape = Tape((), context.chance(replace(table, nonces=tuple(nonces))))
    first_position(table.definition, table.options, table.created.position, tape)
    return [events.Begun(nonces, tape.outcomes)]
