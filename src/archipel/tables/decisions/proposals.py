"""Proposals that the other players have to agree to during a game: a new player, closing, hints.

A new player sees the hand of the seat, and closing reveals every hand, so the host alone must not
decide either.  Nobody has to play against an engine without having agreed.
"""

from __future__ import annotations

from archipel.tables.commands import AnswerProposal, AskForHints
from archipel.tables.decisions.context import Context, Events, acting_seat, check_playing
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant, PendingProposal, TableState
from archipel.tables.problems import refuse


def ask_for_seat(table: TableState, seat: int, name: str) -> Events:
    """Propose a new player, who sees nothing until the others have agreed."""
    if table.proposal is not None:
        raise refuse("proposal_pending")
    if not table.players:
        raise refuse("nobody_to_agree")
    return [events.SeatAsked(seat, name)]


def ask_to_close(table: TableState, who: Participant, context: Context) -> Events:
    """Propose to close. A repeat checks again whether those who have not answered have left."""
    proposal = table.proposal
    if proposal is not None and proposal.kind == "close":
        if settle_proposal(table, context):
            return []
        raise refuse("proposal_pending")
    return [events.CloseAsked(who.seats[0] if who.seats else None)]


def ask_for_hints(
    table: TableState, command: AskForHints, who: Participant, context: Context
) -> Events:
    """Propose hints; at a hot-seat table they are allowed at once."""
    check_playing(table)
    seat = acting_seat(who, command.seat)
    if not table.created.hints:
        raise refuse("no_hints")
    if not table.seats[seat].is_person_playing:
        raise refuse("bot_plays")
    if table.proposal is not None:
        raise refuse("proposal_pending")
    if table.hints:
        raise refuse("already_answered")
    asked = events.HintsAsked(seat)
    return [asked, events.HintsAllowed()] if table.created.hot_seat else [asked]


def answer_proposal(
    table: TableState, command: AnswerProposal, who: Participant, context: Context
) -> Events:
    """Agree or not; the proposer withdraws by not agreeing."""
    check_playing(table)
    seat = acting_seat(who, command.seat)
    proposal = table.proposal
    if proposal is None:
        raise refuse("nothing_proposed")
    if not proposal.n <= command.n <= table.n:
        raise refuse("stale")
    if not table.seats[seat].is_person_playing:
        raise refuse("bot_plays")
    if seat in proposal.agreed or (_is_proposer(proposal, seat) and command.agree):
        raise refuse("already_answered")
    return [events.ProposalAnswered(seat, command.agree)]


def settle_proposal(table: TableState, context: Context) -> Events:
    """Grant the pending proposal once everybody has agreed."""
    proposal = table.proposal
    if proposal is None or table.stage != "playing":
        return []
    missing = those_to_agree(table, proposal) - proposal.agreed
    if proposal.kind == "close":
        # Absent players are not waited for: nobody else could ever end the table.
        if all(context.is_away(seat) for seat in missing):
            return [events.Closed(context.secret.hex())]
        return []
    if missing:
        return []
    if proposal.kind == "hints":
        return [events.HintsAllowed()]
    if not proposal.agreed or proposal.seat is None:
        return []
    colour = table.seats[proposal.seat].colour
    return [events.PersonSeated(proposal.seat, proposal.name, colour, "")]


def those_to_agree(table: TableState, proposal: PendingProposal) -> frozenset[int]:
    """All players but the proposer."""
    return frozenset(seat for seat in table.players if not _is_proposer(proposal, seat))


def _is_proposer(proposal: PendingProposal, seat: int) -> bool:
    return proposal.kind != "seat" and proposal.seat == seat
