"""Moves, the end of the game, and take-backs.

A move must be legal, in turn and made for the current position.  A move is *free* if it drew no
chance and revealed nothing; only free moves can be taken back, because nobody can unsee what they
have seen.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from archipel.rules.contract import Outcome
from archipel.rules.kit import Tape, clone
from archipel.tables.commands import AgreeToTakeBack, Plan, Play, TakeBack
from archipel.tables.decisions import lessons
from archipel.tables.decisions.context import (
    Context,
    Decision,
    Events,
    acting_seat,
    check_fresh,
    check_playing,
    check_room,
)
from archipel.tables.log import events
from archipel.tables.log.fold import fold
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import Refusal, refuse, refuse_if
from archipel.tables.settings import Settings

#: The reason of a game that ended by resignation: a sentence of the tables' catalogue.
BY_RESIGNATION = "table.end_resigned"


def play(table: TableState, command: Play, who: Participant, context: Context) -> Events | Decision:
    seat = acting_seat(who, command.seat, table.to_move)
    check_playing(table)
    _check_plays_itself(table, seat)
    check_fresh(table, command.n)
    refuse_if(seat != table.to_move, "not_your_turn")
    _check_legal(table, command.action, who.language)
    if table.progress is not None:
        return lessons.play(table, command.action, who.language)
    return _move(table, command.action, "person", context)


def play_for_bot(
    table: TableState, context: Context, n: int, action: int, bot: str = ""
) -> Decision:
    """The move that ``bot`` chose in the position after event ``n``."""
    check_playing(table)
    check_room(table, context)
    check_fresh(table, n)
    refuse_if(table.bot_to_move is None, "not_your_turn")
    _check_legal(table, action, "en")
    return _move(table, action, "bot", context, bot)


def plan(table: TableState, command: Plan, who: Participant, context: Context) -> Events:
    """Answer decisions of a later turn in advance, by days."""
    check_playing(table)
    seat, plans = acting_seat(who, command.seat), table.definition.plans
    _check_plays_itself(table, seat)
    refuse_if(table.clock.kind != "days" or not plans, "no_plan")
    refuse_if(bool(command.answers) and seat == table.to_move, "plan_now")
    for name, answer in command.answers.items():
        refuse_if(name not in plans or answer not in plans[name].answers, "no_plan")
    return [events.Planned(seat, command.answers)]


def planned_at(table: TableState, settings: Settings) -> int | None:
    """When the planned move of the player on the move is due; None if there is none.

    The time before is that in which the last player may take a move back.
    """
    if table.planned is None or table.n >= settings.events:
        return None
    return table.log[table.position_n - 1].at + settings.bot_delay_for_undo


def play_planned(table: TableState, context: Context) -> Events | Decision:
    """The planned move of the player on the move, if it is due."""
    action, at = table.planned, planned_at(table, context.settings)
    if action is None or at is None or context.now < at:
        return []
    return _move(table, action, "person", context)


def replace_bot(table: TableState, context: Context, n: int, bot: str) -> Events:
    """Give the seat of a bot that failed in the position after event ``n`` to the fallback bot."""
    check_playing(table)
    check_fresh(table, n)
    fallback = context.fallback(bot)
    if table.to_move is None or table.bot_to_move != bot or fallback is None:
        raise refuse("not_your_turn")
    return [events.BotReplaced(table.to_move, bot, fallback)]


def _check_plays_itself(table: TableState, seat: int) -> None:
    """Refuse for a seat that has resigned, or that a bot plays."""
    refuse_if(table.seats[seat].resigned, "resigned")
    refuse_if(table.seats[seat].bot is not None, "bot_plays")


def _check_legal(table: TableState, action: int, language: str) -> None:
    definition = table.definition
    refuse_if(not 0 <= action < definition.actions, "no_such_action", action=action)
    if action not in definition.legal_actions(table.state):
        # Explain from the seat's view, so that a refusal reveals nothing hidden either.
        seen = definition.seen(table.state, definition.to_move(table.state))
        error = definition.refuse(seen, action, language)
        raise Refusal("illegal", rule=error.rule or None, words=error.reason)


def _move(
    table: TableState, action: int, by: Literal["person", "bot"], context: Context, bot: str = ""
) -> Decision:
    tape = Tape((), context.chance(table))
    after = clone(table.state)
    table.definition.apply(after, action, tape)
    seat = table.definition.to_move(table.state)
    event = events.Played(seat, action, tape.outcomes, table.next_draw, by, bot)
    entry = events.Entry(context.now, event, context.request)
    # Where draws are numbered by purpose, the fold counts them, so it plays the move itself.
    known = None if table.origin and tape.outcomes else after
    return Decision([entry], fold(table, entry, known))


# ---- the end of the game ------------------------------------------------------------------------


def end_game(table: TableState, context: Context) -> Events:
    """End a game that is over by its rules, or in which nobody is left to play against."""
    if table.stage != "playing":
        return []
    outcome = table.definition.outcome(table.state)
    if outcome is None and not _is_abandoned(table):
        return []
    if outcome is None:
        seats = range(len(table.seats))
        outcome = Outcome(
            tuple(table.definition.rank(table.state, seat) for seat in seats),
            tuple(table.definition.score(table.state, seat) for seat in seats),
            BY_RESIGNATION,
        )
    ranks = _ranks(table, outcome)
    secret = context.opened_secret(table) or ""
    return [events.Ended(ranks, list(outcome.scores), outcome.ending, secret)]


def _is_abandoned(table: TableState) -> bool:
    """Whether, after resignations, only one seat or only bots are left."""
    left = [seat for seat in table.seats if not seat.resigned]
    if len(left) == len(table.seats):
        return False
    return len(left) < 2 or all(seat.kind == "bot" for seat in left)


def _ranks(table: TableState, outcome: Outcome) -> list[int]:
    """The ranks of the rules, with resigned seats last and the first to resign very last."""
    keys = [
        (1, -seat.resigned) if seat.resigned else (0, rank)
        for seat, rank in zip(table.seats, outcome.ranks, strict=True)
    ]
    return [sum(other < key for other in keys) for key in keys]


# ---- taking back --------------------------------------------------------------------------------


class TakeBackPlan(NamedTuple):
    """How many moves a take-back undoes, and which seats have to agree."""

    moves: int
    needs: frozenset[int]


def plan_to_take_back(table: TableState, seat: int, moves: int = 1) -> TakeBackPlan | None:
    """How a seat gets back to before its last ``moves`` moves; None if it cannot."""
    if table.stage != "playing" or table.seats[seat].bot is not None:
        return None
    own = 0
    for count, move in enumerate(reversed(table.moves), 1):
        if not move.free:
            return None
        own += move.event.seat == seat and move.event.by == "person"
        if own == moves:
            return TakeBackPlan(count, frozenset() if count == own else _others(table, seat))
    return None


def seats_that_may_take_back(table: TableState) -> frozenset[int]:
    """The seats for which `plan_to_take_back` finds a plan, in one pass."""
    if table.stage != "playing" or not table.moves or not table.moves[-1].free:
        return frozenset()
    playing = {number for number, seat in enumerate(table.seats) if seat.bot is None}
    found = set()
    for move in reversed(table.moves):
        if not move.free or not playing:
            break
        if move.event.by == "person" and move.event.seat in playing:
            playing.remove(move.event.seat)
            found.add(move.event.seat)
    return frozenset(found)


def _others(table: TableState, seat: int) -> frozenset[int]:
    """The people who have to agree: nobody at a hot-seat table, where everybody looks on."""
    if table.created.hot_seat:
        return frozenset()
    return table.players - {seat}


def take_back(table: TableState, command: TakeBack, who: Participant, context: Context) -> Events:
    check_playing(table)
    seat = acting_seat(who, command.seat, table.moves[-1].event.seat if table.moves else None)
    _check_plays_itself(table, seat)
    check_fresh(table, command.n)
    plan = plan_to_take_back(table, seat, command.moves)
    if plan is None:
        raise refuse("cannot_take_back")
    refuse_if(table.taken_back >= context.settings.take_backs, "too_many_take_backs")
    if not plan.needs:
        return [events.TakenBack(seat, plan.moves)]
    refuse_if(table.take_back is not None, "take_back_pending")
    return [events.TakeBackAsked(seat, plan.moves)]


def agree_to_take_back(
    table: TableState, command: AgreeToTakeBack, who: Participant, context: Context
) -> Events:
    check_playing(table)
    seat = acting_seat(who, command.seat)
    request = table.take_back
    if request is None:
        raise refuse("no_take_back_asked")
    refuse_if(not request.n <= command.n <= table.n, "stale")
    refuse_if(table.seats[seat].bot is not None, "bot_plays")
    if seat in request.agreed or (seat == request.seat and command.agree):
        raise refuse("already_answered")
    return [events.TakeBackAnswered(seat, command.agree)]


def settle_take_back(table: TableState) -> Events:
    """Grant the pending request once everybody has agreed."""
    request = table.take_back
    if request is None or table.stage != "playing":
        return []
    if _others(table, request.seat) <= request.agreed:
        return [events.TakenBack(request.seat, request.moves)]
    return []
