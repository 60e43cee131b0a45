"""What the others have to agree to once the game has begun: a newcomer in a seat, closing, hints.

Whoever takes a seat sees its hand, and whoever closes a table sees them all: so neither is up to
the host alone.  Nor does anybody have to play against an engine unasked.
"""

from __future__ import annotations

from archipel.tables import events
from archipel.tables.commands import AnswerProposal
from archipel.tables.decisions.checks import acting_seat, check_playing
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import refuse
from archipel.tables.table import Proposal, Table, Who


def ask_for_seat(table: Table, seat: int, name: str) -> list[events.Event]:
    """A newcomer, who gets to see nothing before the others agreed."""
    if table.proposal is not None:
        raise refuse("proposal_pending")
    if not _players(table):
        raise refuse("nobody_to_agree")
    return [events.SeatAsked(seat, name)]


def ask_to_close(table: Table, who: Who, moment: Moment) -> list[events.Event]:
    """Asked again, it is the same question: those who have left meanwhile need not answer it."""
    proposal = table.proposal
    if proposal is not None and proposal.kind == "close":
        if settle_proposal(table, moment):
            return []
        raise refuse("proposal_pending")
    return [events.CloseAsked(who.seats[0] if who.seats else None)]


def ask_for_hints(table: Table, who: Who, wanted: int | None) -> list[events.Event]:
    """At a table on one device everybody has been asked already."""
    check_playing(table)
    seat = acting_seat(who, wanted)
    if not table.hints_wished:
        raise refuse("no_hints")
    if not table.seats[seat].is_person_playing:
        raise refuse("bot_plays")
    if table.proposal is not None:
        raise refuse("proposal_pending")
    if table.hints:
        raise refuse("already_answered")
    asked = events.HintsAsked(seat)
    return [asked, events.HintsAllowed()] if table.hot_seat else [asked]


def answer_proposal(
    table: Table, command: AnswerProposal, who: Who, wanted: int | None
) -> list[events.Event]:
    """Whoever asked withdraws by not agreeing."""
    check_playing(table)
    seat = acting_seat(who, wanted)
    proposal = table.proposal
    if proposal is None:
        raise refuse("nothing_proposed")
    if not proposal.n <= command.n <= table.n:
        raise refuse("stale")
    if not table.seats[seat].is_person_playing:
        raise refuse("bot_plays")
    if seat in proposal.agreed or (_asks(proposal, seat) and command.agree):
        raise refuse("already_answered")
    return [events.ProposalAnswered(seat, command.agree)]


def settle_proposal(table: Table, moment: Moment) -> list[events.Event]:
    """It is granted as soon as everybody who has to agree did."""
    proposal = table.proposal
    if proposal is None or table.stage != "playing":
        return []
    missing = those_to_agree(table, proposal) - proposal.agreed
    if proposal.kind == "close":
        # Those who have long been away need not be asked: nobody else can end it.
        if all(moment.is_away(seat) for seat in missing):
            return [events.Closed(moment.secret.hex())]
        return []
    if missing:
        return []
    if proposal.kind == "hints":
        return [events.HintsAllowed()]
    if not proposal.agreed or proposal.seat is None:
        return []
    colour = table.seats[proposal.seat].colour
    return [events.Seated(proposal.seat, proposal.name, colour, "")]


def those_to_agree(table: Table, proposal: Proposal) -> frozenset[int]:
    """All who play, but not who asks."""
    return frozenset(seat for seat in _players(table) if not _asks(proposal, seat))


def _asks(proposal: Proposal, seat: int) -> bool:
    return proposal.kind != "seat" and proposal.seat == seat


def _players(table: Table) -> frozenset[int]:
    """People in the game for whom no bot plays."""
    return frozenset(seat for seat in table.people if table.seats[seat].bot is None)
