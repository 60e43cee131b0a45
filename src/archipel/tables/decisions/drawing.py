"""How the secret of chance comes about, so that nobody can choose it: seal, fix, open, deal.

Everybody seals a nonce, then the secret is fixed, then the nonces are opened.  Who knows the secret
does not know the nonces while either can still be chosen.  Whoever does not open in time can only
have it drawn once more, before the eyes of all, and has no say in chance any more.
"""

from __future__ import annotations

from archipel.rules.kit import Tape
from archipel.tables import events
from archipel.tables.bot_names import seat_bots
from archipel.tables.commands import OpenNonce, SealNonce
from archipel.tables.dealing import dealt
from archipel.tables.decisions.checks import acting_seat, check_gathering, check_host
from archipel.tables.decisions.moment import Moment
from archipel.tables.fair_chance import NONCE, SEAL, FairChance, chance_key, commitment, seal_of
from archipel.tables.problems import refuse
from archipel.tables.table import Table, Who


def seal_nonce(
    table: Table, command: SealNonce, who: Who, wanted: int | None
) -> list[events.Event]:
    check_gathering(table)
    seat = acting_seat(who, wanted)
    if not SEAL.fullmatch(command.seal):
        raise refuse("bad_seal")
    if not table.hot_seat:
        return [events.NonceSealed(seat, command.seal)]
    # Whoever holds the device speaks for all who play on it.
    return [events.NonceSealed(own, command.seal) for own in who.seats]


def begin(table: Table, who: Who, moment: Moment) -> list[events.Event]:
    """Open seats go to bots, and the secret is fixed; the game is dealt when all seals are open.

    Those that count are fixed here, too: of the people who are here now and have sealed one.
    """
    check_host(who)
    check_gathering(table)
    filled = seat_bots(
        {
            number: moment.usual_bot
            for number, seat in enumerate(table.seats)
            if seat.kind == "open"
        },
        [seat.name for seat in table.seats if seat.kind != "open"],
    )
    if table.commitment:  # as it was done in format 1
        nonces = [seat.nonce for seat in table.seats]
        return [*filled, *_deal(table, nonces, moment)]
    seals = [
        seat.seal if not seat.late and number not in moment.away_since else ""
        for number, seat in enumerate(table.seats)
    ]
    return [*filled, events.DrawBegun(commitment(moment.secret), seals)]


def open_nonce(
    table: Table, command: OpenNonce, who: Who, wanted: int | None
) -> list[events.Event]:
    acting_seat(who, wanted)
    if table.draw is None:
        raise refuse("not_drawing")
    if not NONCE.fullmatch(command.nonce):
        raise refuse("bad_nonce", pattern=NONCE.pattern)
    seal = seal_of(command.nonce)
    own = [seat for seat in table.draw.missing if seat in who.seats and table.seals[seat] == seal]
    if not own:
        raise refuse("wrong_nonce")
    return [events.NonceOpened(seat, command.nonce) for seat in own]


def settle_draw(table: Table, moment: Moment) -> list[events.Event]:
    """The game is dealt as soon as every seal that counts is open."""
    if table.draw is None or table.stage != "gathering" or table.draw.missing:
        return []
    return _deal(table, [nonce or "" for nonce in table.draw.nonces], moment)


def draw_due(table: Table, moment: Moment) -> list[events.Event]:
    """Nothing is dealt from a draw that somebody does not open."""
    if table.draw is None or moment.now < table.draw.at + moment.settings.draw:
        return []
    return [events.DrawVoided(list(table.draw.missing))]


def _deal(table: Table, nonces: list[str], moment: Moment) -> list[events.Event]:
    tape = Tape((), FairChance(chance_key(moment.secret, nonces), 0))
    dealt(table.definition, table.options, table.position, tape)
    return [events.Begun(nonces, tape.outcomes)]
