"""What commands do: pure functions from a table and a command to events, or to a refusal.

`COMMANDS` says for each command who may send it and which function decides it.  Nothing here
stores, sends or waits, and no table is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from archipel.tables import commands
from archipel.tables.decisions import (
    commit_reveal,
    lessons,
    participation,
    playing,
    proposals,
    seating,
)
from archipel.tables.decisions.context import DecisionContext, check_host, check_room
from archipel.tables.decisions.playing import PlayedMove
from archipel.tables.log import events
from archipel.tables.log.fold import fold, fold_all
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import Problem, Refusal, refuse

__all__ = ["COMMANDS", "DecisionContext", "Transition", "decide", "follow", "with_consequences"]

C = TypeVar("C", bound=commands.Command)
Decided = list[events.Event] | PlayedMove


class Rule(NamedTuple):
    """How a command is decided.

    ``host_only``: only the host may send it.  Other senders are checked by ``decide``, since it
    depends on the stage of the table who may.  ``in_lessons``: also in a lesson.  ``when_full``:
    also at a table whose log has reached its limit.
    """

    decide: Callable[[TableState, Any, Participant, DecisionContext], Decided]
    host_only: bool = False
    in_lessons: bool = False
    when_full: bool = False


COMMANDS: dict[type, Rule] = {}


def _rule(
    command: type[C],
    decide: Callable[[TableState, C, Participant, DecisionContext], Decided],
    *,
    host_only: bool = False,
    in_lessons: bool = False,
    when_full: bool = False,
) -> None:
    COMMANDS[command] = Rule(decide, host_only, in_lessons, when_full)


_rule(commands.Play, playing.play, in_lessons=True)
_rule(commands.TakeBack, playing.take_back, in_lessons=True)
_rule(commands.AgreeToTakeBack, playing.agree_to_take_back)
_rule(commands.AnswerProposal, proposals.answer_proposal, when_full=True)
_rule(commands.AskForHints, proposals.ask_for_hints)
_rule(commands.Say, participation.say)
_rule(commands.Resign, participation.resign, when_full=True)
_rule(commands.HandOver, participation.hand_over)
_rule(commands.ComeBack, participation.come_back)
_rule(commands.SetSeat, seating.set_seat)
_rule(commands.SetOptions, seating.set_options, host_only=True)
_rule(commands.SealNonce, commit_reveal.seal_nonce)
_rule(commands.OpenNonce, commit_reveal.open_nonce)
_rule(commands.Begin, commit_reveal.begin, host_only=True)
_rule(commands.CloseTable, participation.close, host_only=True, in_lessons=True, when_full=True)
_rule(commands.GoOn, lessons.go_on, in_lessons=True)
# `Rematch` and `PlayOn` create a second table: see `archipel.tables.registration`.


class Transition(NamedTuple):
    """Entries to append to the log of a table, and the table after them."""

    entries: list[events.Entry]
    after: TableState
    #: The request that the entries answer, if any.
    request: str | None = None


def decide(
    table: TableState, command: commands.Command, who: Participant, context: DecisionContext
) -> Transition | Problem:
    """The events of a command with their consequences, or why it is refused."""
    rule = COMMANDS[type(command)]
    try:
        if table.halted_at is not None:
            raise refuse("older_rules")
        if table.progress is not None and not rule.in_lessons:
            raise refuse("in_lesson")
        if not rule.when_full:
            check_room(table, context)
        if rule.host_only:
            check_host(who)
        return with_consequences(table, rule.decide(table, command, who, context), context)
    except Refusal as refusal:
        return refusal.say(who.language)


def follow(
    table: TableState, decided: list[events.Event], now: int, request: str | None = None
) -> Transition:
    """Exactly these events, without consequences."""
    entries = [events.Entry(now, event, request) for event in decided]
    return Transition(entries, fold_all(entries, table), request)


def with_consequences(table: TableState, decided: Decided, context: DecisionContext) -> Transition:
    """The events, followed by those that happen by themselves because of them."""
    now, request = context.now, context.request
    if isinstance(decided, PlayedMove):
        entry = events.Entry(now, decided.event, request)
        transition = Transition([entry], fold(table, entry, decided.state), request)
    else:
        transition = follow(table, decided, now, request)
    consequences = _consequences(transition.after, context)
    if not consequences:
        return transition
    more = follow(transition.after, consequences, now, request)
    return Transition(transition.entries + more.entries, more.after, request)


def _consequences(table: TableState, context: DecisionContext) -> list[events.Event]:
    if table.progress is not None:
        return lessons.go_on_by_itself(table, context)
    if table.draw is None and table.take_back is None and table.proposal is None:  # as mostly
        return playing.end_game(table, context)
    return (
        commit_reveal.settle_draw(table, context)
        or playing.settle_take_back(table)
        or playing.end_game(table, context)
        or proposals.settle_proposal(table, context)
    )
