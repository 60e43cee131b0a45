"""Finished games for analysis, labels of lines, and explanations of the moves of bots."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.evaluation_settings import corrections_of, evaluations_of, usual_budget
from archipel.analysis.game_analysis import Timeline, timeline_of
from archipel.bots import roster_of
from archipel.game import Game
from archipel.rules.contract import SPECTATOR, Definition
from archipel.rules.kit import ChanceError, Stream, Tape, clone
from archipel.rules.kit.core.machine_record import record_layout, to_bytes
from archipel.rules.scene import Choice
from archipel.tables.bots.executor import BotExecutor, BotFailed, BotQuestion
from archipel.tables.bots.turns import question
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.records import record_of
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import refuse, refuse_if
from archipel.tables.publishing import payloads
from archipel.tables.publishing.views import seen_of_the_past


def check_open(table: TableState) -> None:
    """Refuse unless the game is over, so that nothing is hidden."""
    refuse_if(table.halted_at is not None, "older_rules")
    refuse_if(table.secret is None, "not_over")
    refuse_if(not table.moves, "not_playing")


def corrections_for(game: str, seats: int) -> dict[str, dict[str, float]]:
    """The calibration of win probabilities, for decisions and for positions."""
    found: dict[str, dict[str, float]] = msgspec.to_builtins(corrections_of(roster_of(game), seats))
    return found


def show_course(table: TableState) -> payloads.Course:
    """Every position and the view of its seat to move. Slow: run it in a thread."""
    game = record_of(table).game
    course, roster = timeline_of(game), roster_of(table.game)
    return payloads.Course(
        game=table.game,
        seats=game.seats,
        size=record_layout(table.definition.state).size,
        moves=[
            payloads.CourseMove(
                made.n,
                made.event.seat,
                made.event.action,
                moment.options,
                moment.ends_step,
                moment.outcome,
            )
            for made, moment in zip(table.moves, course.moments, strict=True)
        ],
        result=course.result,
        horizon=evaluations_of(roster).decision.horizon,
        corrections=corrections_for(game.name, game.seats),
        budget=msgspec.to_builtins(usual_budget()),
        data=base64.b64encode(zlib.compress(_data(game, course))).decode("ascii"),
    )


def _data(game: Game, course: Timeline) -> bytes:
    """What at least one seat knew of each position, and the view of the seat to move in each."""
    definition = game.definition
    known = [moment.known for moment in course.moments]
    views = [definition.recalled(moment.before, moment.move.seat) for moment in course.moments]
    mover = max(0, definition.to_move(course.end))
    records = (*known, course.end_known, *views, definition.recalled(course.end, mover))
    return b"".join(map(to_bytes, records))


def show_draws(table: TableState) -> payloads.Draws:
    """The deal and the outcomes of a finished game."""
    assert table.start is not None
    definition, position = table.definition, table.created.position
    before = definition.parse_position(position) if position else definition.blank(table.options)
    return payloads.Draws(
        given=bool(position),
        before=_base64(before),
        dealt=_base64(table.start.unpack()),
        moves=[
            payloads.DrawnMove(made.event.action, list(made.event.outcomes)) for made in table.moves
        ],
        by_purpose=bool(table.origin),
    )


def _base64(state: Any) -> str:
    return base64.b64encode(to_bytes(state)).decode("ascii")


def show_line(table: TableState, n: int, actions: Sequence[int]) -> list[payloads.Label]:
    """Labels of actions that one seat plays in a row from the position before event ``n``, until
    chance comes in or another seat decides; raises `Refusal`."""
    made = next((move for move in table.moves if move.n == n), None)
    if made is None:
        raise refuse("no_such_event", n=n)
    return labels(table.definition, made.before.unpack(), made.event.seat, actions)


def show_seen_line(
    table: TableState, seat: int | None, actions: Sequence[int]
) -> list[payloads.Label]:
    """Labels of actions that the seat to move plays in a row, in a world that fits its view."""
    assert seat is not None
    world = clone(seen_of_the_past(table, table.state, seat))
    table.definition.deal_unseen(world, Stream(0))
    return labels(table.definition, world, seat, actions)


def labels(
    definition: Definition[Any], state: Any, seat: int, actions: Sequence[int]
) -> list[payloads.Label]:
    """Labels of actions that a seat plays in a row, until chance comes in or another seat decides.

    Changes the state.
    """
    line: list[payloads.Label] = []
    for action in actions:
        if definition.to_move(state) != seat or action not in definition.legal_actions(state):
            break
        choices = _choices(definition, definition.seen(state, seat), seat)
        if action not in choices:
            break
        line.append(_label(choices[action]))
        try:
            definition.apply(state, action, Tape())
        except ChanceError:
            break
    return line


def _choices(definition: Definition[Any], view: Any, seat: int) -> dict[int, Choice]:
    return {choice.action: choice for choice in definition.scene(view, seat).choices}


def _label(choice: Choice) -> payloads.Label:
    return payloads.Label(choice.action, choice.text, choice.key, choice.details, choice.targets)


# ---- explanations -------------------------------------------------------------------------------

#: Cached explanations per table.
REASONS_KEPT = 50


class Explanations:
    """Asks a bot again: after the game with the same view and seed, before its end with the view of
    the player who asks."""

    def __init__(self, executor: BotExecutor, seconds: float, most_waiting: int) -> None:
        self._executor = executor
        self._seconds = seconds
        self._most_waiting = most_waiting
        self._waiting = 0

    async def of(self, live: LiveTable, n: int, observer: int | None) -> payloads.Why:
        """Why the move of event ``n`` was chosen, as ``observer`` may know; raises `Refusal`."""
        over = live.table.secret is not None
        key = n, None if over else observer
        kept = live.reasons.get(key)
        if kept is not None:
            return kept
        event, before = _bot_move(live.table, n)
        asked_n = live.table.log[n - 2].position_n
        asked = (
            question(live.table, live.secret, before, event.bot, asked_n)
            if over
            else _asked_by(live.table, before, event, observer)
        )
        reason = payloads.Why(
            n, event.seat, event.bot, event.action, len(asked.legal), [], seen=not over
        )
        if not event.bot or len(asked.legal) == 1:
            return reason
        refuse_if(self._waiting >= self._most_waiting, "busy")
        self._waiting += 1
        try:
            chosen = await self._executor.choose(asked, self._seconds, consider=True)
        except BotFailed as failure:
            raise refuse("no_reason") from failure
        finally:
            self._waiting -= 1
        choices = _choices(live.table.definition, asked.view, event.seat)
        for each in chosen.candidates:
            if (found := choices.get(each.action)) is not None:
                label = (each.action, found.text, found.key, found.details, found.targets)
                chance = round(each.chance, 4)
                reason.candidates.append(payloads.Considered(*label, chance, each.tried))
        if len(live.reasons) >= REASONS_KEPT:
            del live.reasons[next(iter(live.reasons))]
        live.reasons[key] = reason
        return reason


def _bot_move(table: TableState, n: int) -> tuple[events.Played, Any]:
    """The move of event ``n`` by a bot, and the position before it."""
    refuse_if(not 1 <= n <= table.n, "no_such_event", n=n)
    logged = table.log[n - 1]
    event = logged.event
    if not isinstance(event, events.Played) or event.by != "bot" or logged.before is None:
        raise refuse("no_bot_moved")
    return event, logged.before.unpack()


#: Worlds in which the options of a bot are compared.
COMPARED_WORLDS = 6


def _asked_by(
    table: TableState, before: Any, event: events.Played, observer: int | None
) -> BotQuestion:
    """The question that a bot would answer with the knowledge of the player who asks.

    Everything in it follows from that player's view. Refuses if the bot's options depend on what
    the player cannot see.
    """
    refuse_if(observer is None or not table.hints, "hidden")
    definition = table.definition
    view = clone(seen_of_the_past(table, before, observer))
    options = set()
    for number in range(COMPARED_WORLDS):
        world = clone(view)
        definition.deal_unseen(world, Stream(number))
        options.add(tuple(definition.legal_actions(world)))
    legal = options.pop()
    refuse_if(bool(options) or event.action not in legal, "hidden_options")
    # A secret choice looks like other choices.
    after = [_after(table, view, action, observer) for action in legal]
    refuse_if(after.count(after[legal.index(event.action)]) > 1, "hidden_options")
    return BotQuestion(table.id, table.game, event.bot, view, legal, 0)


def _after(table: TableState, view: Any, action: int, observer: int | None) -> Any:
    """What a player sees after an action, in one world and with one chance."""
    world = clone(view)
    table.definition.deal_unseen(world, Stream(0))
    table.definition.apply(world, action, Stream(1))
    return table.definition.seen(world, SPECTATOR if observer is None else observer)
