"""What may happen at a table: pure functions from a table and a command to events.

Nothing here keeps, sends or waits for anything, and no table is changed.
"""

from __future__ import annotations

from archipel.tables import commands, events
from archipel.tables.decisions import (
    consenting,
    drawing,
    ending,
    learning,
    playing,
    seating,
    staying,
    taking_back,
)
from archipel.tables.decisions.checks import check_room
from archipel.tables.decisions.moment import Moment
from archipel.tables.fold import fold, fold_all
from archipel.tables.problems import Problem, Refusal, refuse
from archipel.tables.table import Table, Who

__all__ = ["Decided", "Moment", "decide", "with_consequences"]

#: What can be asked for in a lesson; nobody else is there.
LEARNING = (commands.Play, commands.TakeBack, commands.GoOn, commands.CloseTable)
#: What is still to be done at a table that has become too long.
ENDING = (commands.Resign, commands.CloseTable, commands.AnswerProposal)


def decide(
    table: Table, command: commands.Command, who: Who, moment: Moment, *, seat: int | None = None
) -> list[events.Event] | Problem:
    """The events that a command brings, consequences included, or why it is refused.

    ``seat`` says for whom, where somebody plays several seats.
    """
    try:
        if table.halted_at is not None:
            raise refuse("older_rules")
        if table.progress is not None and not isinstance(command, LEARNING):
            raise refuse("in_lesson")
        if not isinstance(command, ENDING):
            check_room(table, moment)
        return with_consequences(table, _decide(table, command, who, moment, seat), moment)
    except Refusal as refusal:
        return refusal.say(who.language)


def _decide(
    table: Table, command: commands.Command, who: Who, moment: Moment, seat: int | None
) -> list[events.Event]:
    match command:
        case commands.Play():
            return playing.play(table, command, who, seat, moment)
        case commands.TakeBack():
            return taking_back.take_back(table, command, who, seat, moment)
        case commands.AgreeToTakeBack():
            return taking_back.agree_to_take_back(table, command, who, seat)
        case commands.AnswerProposal():
            return consenting.answer_proposal(table, command, who, seat)
        case commands.AskForHints():
            return consenting.ask_for_hints(table, who, seat)
        case commands.Say():
            return staying.say(table, command, who, seat, moment)
        case commands.Resign():
            return staying.resign(table, who, seat, moment)
        case commands.HandOver():
            return staying.hand_over(table, command, who, moment)
        case commands.ComeBack():
            return staying.come_back(table, who, seat)
        case commands.SetSeat():
            return seating.set_seat(table, command, who, moment)
        case commands.SetOptions():
            return seating.set_options(table, command, who)
        case commands.SealNonce():
            return drawing.seal_nonce(table, command, who, seat)
        case commands.OpenNonce():
            return drawing.open_nonce(table, command, who, seat)
        case commands.Begin():
            return drawing.begin(table, who, moment)
        case commands.CloseTable():
            return ending.close(table, who, moment)
        case commands.GoOn():
            return learning.go_on(table, command, who)
        case commands.Rematch() | commands.PlayOn():
            raise TypeError("it makes a second table: see ending.rematch and ending.play_on")


class Decided(list[events.Event]):
    """Events, with the table before and after them, and the request that they answer: who accepts
    them need not fold them again."""

    def __init__(
        self, before: Table, entries: list[events.Entry], after: Table, request: str | None
    ) -> None:
        super().__init__([entry.event for entry in entries])
        self.before = before
        self.request = request
        self.entries = entries
        self.after = after


def with_consequences(table: Table, decided: list[events.Event], moment: Moment) -> Decided:
    """The events, and those that follow from them by themselves."""
    entries = [events.Entry(moment.now, event, moment.request) for event in decided]
    after = table
    for entry in entries:
        after = fold(after, entry, moment.foreseen.get(id(entry.event)))
    following = _following(after, moment)
    if not following:
        return Decided(table, entries, after, moment.request)
    entries_following = [events.Entry(moment.now, event, moment.request) for event in following]
    after = fold_all(entries_following, after)
    return Decided(table, [*entries, *entries_following], after, moment.request)


def _following(after: Table, moment: Moment) -> list[events.Event]:
    if after.progress is not None:
        return learning.go_on_by_itself(after, moment)
    if after.draw is None and after.take_back is None and after.proposal is None:  # as mostly
        return ending.end_game(after, moment)
    return (
        drawing.settle_draw(after, moment)
        or taking_back.settle_take_back(after)
        or ending.end_game(after, moment)
        or consenting.settle_proposal(after, moment)
    )
