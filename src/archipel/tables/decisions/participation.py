"""Taking part and leaving: chat, resigning, stand-in bots, expired clocks, closing, rematch; and
proposals that the other players have to agree to: a new player, closing, hints.
"""

from __future__ import annotations

from collections.abc import Collection

from archipel.tables.commands import (
    AllowChat,
    AnswerProposal,
    AskForHints,
    CloseTable,
    ComeBack,
    HandOver,
    MoveAway,
    Nudge,
    PlayOn,
    Rematch,
    Resign,
    Say,
    Write,
)
from archipel.tables.decisions.commit_reveal import draw_due
from archipel.tables.decisions.context import (
    Context,
    Events,
    acting_seat,
    check_playing,
    check_seat,
    clean_text,
)
from archipel.tables.log import events
from archipel.tables.log.table_state import Participant, PendingProposal, TableState
from archipel.tables.problems import refuse, refuse_if
from archipel.tables.turns import turn_began

#: How many tables may continue from moments of one game.
MOST_WHAT_IFS = 24


def say(table: TableState, command: Say, who: Participant, context: Context) -> Events:
    return [events.Said(_speaker(table, command, who, context), command.phrase)]


def write(table: TableState, command: Write, who: Participant, context: Context) -> Events:
    seat = _speaker(table, command, who, context)
    refuse_if(not table.chat, "no_chat")
    refuse_if(table.texts >= context.settings.texts, "too_many_texts")
    return [events.Wrote(seat, clean_text(command.text))]


def _speaker(table: TableState, command: Say | Write, who: Participant, context: Context) -> int:
    """The seat that speaks; refused if it has just said enough."""
    refuse_if(table.stage == "closed", "closed")
    seat = acting_seat(who, command.seat, table.to_move)
    window = context.settings.phrases_within
    recent = [at for at in table.seats[seat].said_at if context.now - at < window]
    refuse_if(len(recent) >= context.settings.phrases, "too_fast")
    return seat


def allow_chat(table: TableState, command: AllowChat, who: Participant, context: Context) -> Events:
    """Switch texts on or off; at public tables and on one device there are none."""
    refuse_if(table.stage == "closed", "closed")
    refuse_if(table.created.public or table.created.hot_seat, "no_chat")
    return [events.ChatSet(command.allow)]


def nudge(table: TableState, command: Nudge, who: Participant, context: Context) -> Events:
    """Remind the player to move, once per turn, by days and after a quarter of the time."""
    check_playing(table)
    seat, late = acting_seat(who, command.seat), table.clock_runs_for
    if late is None or table.clock.kind != "days" or late in who.seats:
        raise refuse("nobody_to_nudge")
    refuse_if(table.seats[late].nudged > turn_began(table, late), "nudged_already")
    left = table.time_left(late, context.now)
    refuse_if(left > table.clock.seconds * 750, "too_early_to_nudge")
    return [events.Nudged(seat, late)]


def resign(table: TableState, command: Resign, who: Participant, context: Context) -> Events:
    """Rank the seat last; a bot plays it on, so that the others can finish their game."""
    check_playing(table)
    seat = acting_seat(who, command.seat, table.to_move)
    refuse_if(table.seats[seat].resigned, "resigned")
    return [events.Resigned(seat, context.stand_in)]


def hand_over(table: TableState, command: HandOver, who: Participant, context: Context) -> Events:
    """Let a bot play a seat: one's own at any time, another's after its player has been away."""
    check_playing(table)
    refuse_if(not who.seats and not who.host, "not_seated")
    check_seat(table, command.seat)
    seat = table.seats[command.seat]
    refuse_if(seat.kind != "person", "bot_plays")
    refuse_if(seat.resigned, "resigned")
    refuse_if(seat.bot is not None, "bot_plays")
    own = command.seat in who.seats
    if not own and not context.is_away(command.seat):
        raise refuse("not_away", minutes=context.settings.away // 60_000, name=seat.name)
    by = command.seat if own else who.seats[0] if who.seats else None
    return [events.HandedOver(command.seat, context.stand_in, by)]


def come_back(table: TableState, command: ComeBack, who: Participant, context: Context) -> Events:
    """Play one's seat again. Who got a seat meanwhile without this player's consent loses it."""
    check_playing(table)
    with_bots = [seat for seat in who.seats if table.seats[seat].bot is not None]
    seat = acting_seat(who, command.seat, with_bots[0] if with_bots else None)
    refuse_if(table.seats[seat].resigned, "resigned")
    refuse_if(table.seats[seat].bot is None, "bot_does_not_play")
    granted = [other for other, held in enumerate(table.seats) if seat in held.granted_without]
    freed = [events.SeatFreed(other, context.stand_in) for other in granted]
    return [events.Returned(seat), *freed]


def due(table: TableState, context: Context) -> Events:
    """What the clock demands now: a seat whose time has run out goes to a bot."""
    if table.draw is not None:
        return draw_due(table, context)
    seat, flag_at = table.clock_runs_for, table.flag_at
    if seat is None or flag_at is None or context.now < flag_at:
        return []
    return [events.ClockFlagged(seat), events.HandedOver(seat, context.stand_in, None)]


# ---- closing and continuing ---------------------------------------------------------------------


def close(table: TableState, command: CloseTable, who: Participant, context: Context) -> Events:
    """Close the table. During a game this reveals every hand, so the others have to agree."""
    refuse_if(table.stage == "closed", "closed")
    if table.progress is not None:
        return [events.Closed(None)]
    if table.stage == "playing" and not table.created.hot_seat:
        return ask_to_close(table, who, context)
    return [events.Closed(context.opened_secret(table) if table.stage == "playing" else None)]


def move_away(table: TableState, command: MoveAway, who: Participant, context: Context) -> Events:
    """Close the table here, if the server of the settings has all of its events."""
    refuse_if(not context.settings.moves_to, "no_server")
    refuse_if(table.stage == "closed", "closed")
    refuse_if(table.stage == "over", "not_playing")
    refuse_if(table.draw is not None, "drawing")
    refuse_if(command.n != table.n, "stale")
    return [events.MovedAway(context.settings.moves_to)]


def continue_elsewhere(
    table: TableState, command: Rematch | PlayOn, who: Participant, new_table: str
) -> Events:
    refuse_if(not who.seats and not who.host, "not_seated")
    refuse_if(table.stage == "closed", "closed")
    if isinstance(command, Rematch):
        refuse_if(table.stage != "over", "not_over")
        return [events.Rematched(new_table)]
    refuse_if(len(table.played_on) >= MOST_WHAT_IFS, "too_many_what_ifs")
    return [events.PlayedOn(new_table, command.n, who.seats[0] if who.seats else None)]


# ---- proposals ----------------------------------------------------------------------------------
#
# A new player sees the hand of the seat, and closing reveals every hand, so the host alone must not
# decide either.  Nobody has to play against an engine without having agreed.  Whoever is present
# counts, also while a bot plays for them.


def ask_for_seat(table: TableState, seat: int, name: str) -> Events:
    """Propose a new player, who sees nothing until the others have agreed."""
    refuse_if(table.proposal is not None, "proposal_pending")
    refuse_if(not table.players, "nobody_to_agree")
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
    refuse_if(not table.created.hints, "no_hints")
    refuse_if(not table.seats[seat].is_person_playing, "bot_plays")
    refuse_if(table.proposal is not None, "proposal_pending")
    refuse_if(table.hints, "already_answered")
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
    refuse_if(not proposal.n <= command.n <= table.n, "stale")
    refuse_if(table.seats[seat].resigned, "resigned")
    if seat in proposal.agreed or (_is_proposer(proposal, seat) and command.agree):
        raise refuse("already_answered")
    return [events.ProposalAnswered(seat, command.agree)]


def settle_proposal(table: TableState, context: Context) -> Events:
    """Grant the pending proposal once everybody has agreed."""
    proposal = table.proposal
    if proposal is None or table.stage != "playing":
        return []
    absent = [seat for seat in table.people if context.is_away(seat)]
    missing = those_to_agree(table, proposal, absent) - proposal.agreed
    if proposal.kind == "close":
        # Absent players are not waited for: nobody else could ever end the table.
        if missing <= set(absent):
            return [events.Closed(context.opened_secret(table))]
        return []
    if missing:
        return []
    if proposal.kind == "hints":
        return [events.HintsAllowed()]
    if not proposal.agreed or proposal.seat is None:
        return []
    colour = table.seats[proposal.seat].colour
    return [events.PersonSeated(proposal.seat, proposal.name, colour, "")]


def those_to_agree(
    table: TableState, proposal: PendingProposal, absent: Collection[int]
) -> frozenset[int]:
    """All people but the proposer, except absent ones for whom a bot plays."""
    return frozenset(
        seat
        for seat in table.people
        if not table.seats[seat].resigned
        and not _is_proposer(proposal, seat)
        and (table.seats[seat].is_person_playing or seat not in absent)
    )


def _is_proposer(proposal: PendingProposal, seat: int) -> bool:
    return proposal.kind != "seat" and proposal.seat == seat
