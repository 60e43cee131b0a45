"""Playing an action: legal by the rules, in turn, and for the position that is on the table."""

from __future__ import annotations

from typing import Literal

from archipel.rules.kit import Tape, clone
from archipel.tables import events
from archipel.tables.commands import Play
from archipel.tables.decisions import learning
from archipel.tables.decisions.checks import acting_seat, check_fresh, check_playing, check_room
from archipel.tables.decisions.moment import Moment
from archipel.tables.problems import Refusal, refuse
from archipel.tables.table import Table, Who


def play(
    table: Table, command: Play, who: Who, wanted: int | None, moment: Moment
) -> list[events.Event]:
    seat = acting_seat(who, wanted, table.to_move)
    check_playing(table)
    if table.seats[seat].resigned:
        raise refuse("resigned")
    if table.seats[seat].bot is not None:
        raise refuse("bot_plays")
    check_fresh(table, command.n)
    if seat != table.to_move:
        raise refuse("not_your_turn")
    check_legal(table, command.action, who.language)
    if table.progress is not None:
        return [learning.play(table, command.action, who.language)]
    return [_played(table, command.action, "person", moment)]


def play_for_bot(
    table: Table, n: int, action: int, moment: Moment, bot: str = ""
) -> list[events.Event]:
    """A bot's answer, for the position after event n; ``bot`` is who found it."""
    check_playing(table)
    check_room(table, moment)
    check_fresh(table, n)
    if table.bot_to_move is None:
        raise refuse("not_your_turn")
    check_legal(table, action, "en")
    return [_played(table, action, "bot", moment, bot)]


def replace_bot(table: Table, n: int, bot: str, moment: Moment) -> list[events.Event]:
    """A bot had no answer to the position after event n: the house's own takes its seat."""
    check_playing(table)
    check_fresh(table, n)
    fallback = moment.fallback(bot)
    if table.to_move is None or table.bot_to_move != bot or fallback is None:
        raise refuse("not_your_turn")
    return [events.BotReplaced(table.to_move, bot, fallback)]


def check_legal(table: Table, action: int, language: str) -> None:
    definition = table.definition
    if not 0 <= action < definition.actions:
        raise refuse("no_such_action", action=action)
    if action not in definition.legal_actions(table.state):
        # From the seat's view, so that not even a refusal says more than the seat may know.
        seen = definition.seen(table.state, definition.to_move(table.state))
        error = definition.refuse(seen, action, language)
        raise Refusal("illegal", rule=error.rule or None, words=error.reason)


def _played(
    table: Table, action: int, by: Literal["person", "bot"], moment: Moment, bot: str = ""
) -> events.Played:
    tape = Tape((), moment.chance(table))
    after = clone(table.state)
    table.definition.apply(after, action, tape)
    seat = table.definition.to_move(table.state)
    played = events.Played(seat, action, tape.outcomes, table.next_draw, by, bot)
    moment.foreseen[id(played)] = after
    return played
