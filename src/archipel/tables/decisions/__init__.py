"""The effects of commands: pure functions from a table and a command to events or a `Refusal`.

`COMMANDS` says for each command who may send it and which function decides it.  Nothing here
stores, sends or waits, and no table is changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from archipel.tables import commands
from archipel.tables.decisions import commit_reveal, lessons, participation, playing, seating
from archipel.tables.decisions.context import Context, Decision, Events, check_room, follow
from archipel.tables.log.table_state import Participant, TableState
from archipel.tables.problems import refuse_if


class Rule(NamedTuple):
    """How a command is decided.

    ``host_only``: only the host may send it.  Other senders are checked by ``decide``, since it
    depends on the stage of the table who may.  ``in_lessons``: also in a lesson.  ``when_full``:
    also at a table whose log has reached its limit.
    """

    decide: Callable[[TableState, Any, Participant, Context], Events | Decision]
    host_only: bool = False
    in_lessons: bool = False
    when_full: bool = False


COMMANDS: dict[type, Rule] = {
    commands.Play: Rule(playing.play, in_lessons=True),
    commands.TakeBack: Rule(playing.take_back, in_lessons=True),
    commands.AgreeToTakeBack: Rule(playing.agree_to_take_back),
    commands.AnswerProposal: Rule(participation.answer_proposal, when_full=True),
    commands.AskForHints: Rule(participation.ask_for_hints),
    commands.Say: Rule(participation.say),
    commands.Write: Rule(participation.write),
    commands.AllowChat: Rule(participation.allow_chat, host_only=True),
    commands.Nudge: Rule(participation.nudge),
    commands.Plan: Rule(playing.plan),
    commands.Resign: Rule(participation.resign, when_full=True),
    commands.HandOver: Rule(participation.hand_over),
    commands.ComeBack: Rule(participation.come_back),
    commands.SetSeat: Rule(seating.set_seat),
    commands.SetOptions: Rule(seating.set_options, host_only=True),
    commands.SealNonce: Rule(commit_reveal.seal_nonce),
    commands.OpenNonce: Rule(commit_reveal.open_nonce),
    commands.Begin: Rule(commit_reveal.begin, host_only=True),
    commands.CloseTable: Rule(participation.close, True, in_lessons=True, when_full=True),
    commands.MoveAway: Rule(participation.move_away, host_only=True),
    commands.GoOn: Rule(lessons.go_on, in_lessons=True),
    # `Rematch` and `PlayOn` create a second table: see `archipel.tables.registration`.
}


def decide(
    table: TableState, command: commands.Command, who: Participant, context: Context
) -> Decision:
    """The events of a command with their consequences; raises `Refusal`."""
    rule = COMMANDS[type(command)]
    refuse_if(table.halted_at is not None, "older_rules")
    refuse_if(table.progress is not None and not rule.in_lessons, "in_lesson")
    if not rule.when_full:
        check_room(table, context)
    refuse_if(rule.host_only and not who.host, "not_host")
    return with_consequences(table, rule.decide(table, command, who, context), context)


def with_consequences(
    table: TableState | None, decided: Events | Decision, context: Context
) -> Decision:
    """The events, followed by those that happen by themselves because of them."""
    if not isinstance(decided, Decision):
        decided = follow(table, decided, context.now, context.request)
    consequences = _consequences(decided.after, context)
    if not consequences:
        return decided
    more = follow(decided.after, consequences, context.now, context.request)
    return Decision(decided.entries + more.entries, more.after)


def _consequences(table: TableState, context: Context) -> Events:
    if table.progress is not None:
        return lessons.go_on_by_itself(table, context)
    if table.draw is None and table.take_back is None and table.proposal is None:  # as mostly
        return playing.end_game(table, context)
    return (
        commit_reveal.settle_draw(table, context)
        or playing.settle_take_back(table)
        or playing.end_game(table, context)
        or participation.settle_proposal(table, context)
    )
