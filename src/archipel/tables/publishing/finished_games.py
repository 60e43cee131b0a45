"""Finished games: all positions for analysis, and explanations of the moves of bots."""

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
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import ChanceError, Stream, Tape, clone, stream_key
from archipel.rules.kit.core.machine_record import record_layout, to_bytes
from archipel.rules.scene import Choice
from archipel.tables.bots.pool import BotExecutor, BotFailed, BotQuestion
from archipel.tables.bots.turns import question
from archipel.tables.live_table import LiveTable
from archipel.tables.log import events
from archipel.tables.log.records import record_of
from archipel.tables.log.table_state import TableState
from archipel.tables.problems import refuse, refuse_if
from archipel.tables.publishing import payloads

#: How many deals that look like the start are included, to evaluate the start.
DEALS = 32


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
                made.n, made.event.seat, made.event.action, moment.options, moment.ends_step
            )
            for made, moment in zip(table.moves, course.moments, strict=True)
        ],
        result=course.result,
        deals=DEALS,
        horizon=evaluations_of(roster).decision.horizon,
        corrections=corrections_for(game.name, game.seats),
        budget=msgspec.to_builtins(usual_budget()),
        data=base64.b64encode(zlib.compress(_data(game, course))).decode("ascii"),
    )


def _data(game: Game, course: Timeline) -> bytes:
    """The positions, their views, the deals of the start, their views."""
    definition = game.definition
    positions = [moment.before for moment in course.moments]
    positions.append(course.end)
    seen = definition.seen(positions[0], SPECTATOR)
    deals = []
    for number in range(DEALS):
        world = clone(seen)
        definition.deal_unseen(world, Stream(stream_key(0, number)))
        deals.append(world)

    def view(state: Any) -> Any:
        return definition.recalled(state, max(0, definition.to_move(state)))

    parts = (positions, map(view, positions), deals, map(view, deals))
    return b"".join(to_bytes(state) for part in parts for state in part)


def show_line(table: TableState, n: int, actions: Sequence[int]) -> list[payloads.Label]:
    """Labels of actions that one seat plays in a row from the position before event ``n``, until
    chance comes in or another seat decides; raises `Refusal`."""
    made = next((move for move in table.moves if move.n == n), None)
    if made is None:
        raise refuse("no_such_event", n=n)
    definition, state, seat = table.definition, made.before.unpack(), made.event.seat
    line: list[payloads.Label] = []
    for action in actions:
        if definition.to_move(state) != seat or action not in definition.legal_actions(state):
            break
        choices = _choices(table, definition.seen(state, seat), seat)
        if action not in choices:
            break
        found = choices[action]
        line.append(payloads.Label(action, found.text, found.key, found.details))
        try:
            definition.apply(state, action, Tape())
        except ChanceError:
            break
    return line


def _choices(table: TableState, view: Any, seat: int) -> dict[int, Choice]:
    return {choice.action: choice for choice in table.definition.scene(view, seat).choices}


# ---- explanations -------------------------------------------------------------------------------

#: Cached explanations per table.
REASONS_KEPT = 50


class Explanations:
    """Asks a bot again after the game, with the same view and seed."""

    def __init__(self, executor: BotExecutor, seconds: float, most_waiting: int) -> None:
        self._executor = executor
        self._seconds = seconds
        self._most_waiting = most_waiting
        self._waiting = 0

    async def of(self, live: LiveTable, n: int) -> payloads.Why:
        """Why the move of event ``n`` was chosen; raises `Refusal`."""
        kept = live.reasons.get(n)
        if kept is not None:
            return kept
        event, asked = _asked_again(live.table, n, live.secret)
        reason = payloads.Why(n, event.seat, event.bot, event.action, len(asked.legal), [])
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
        choices = _choices(live.table, asked.view, event.seat)
        for each in chosen.candidates:
            if (found := choices.get(each.action)) is not None:
                label = (each.action, found.text, found.key, found.details)
                chance = round(each.chance, 4)
                reason.candidates.append(payloads.Considered(*label, chance, each.tried))
        if len(live.reasons) >= REASONS_KEPT:
            del live.reasons[next(iter(live.reasons))]
        live.reasons[n] = reason
        return reason


def _asked_again(table: TableState, n: int, secret: bytes) -> tuple[events.Played, BotQuestion]:
    """The move of event ``n``, and the question that its bot was asked."""
    refuse_if(table.secret is None, "hidden")
    refuse_if(not 1 <= n <= table.n, "no_such_event", n=n)
    logged = table.log[n - 1]
    event = logged.event
    if not isinstance(event, events.Played) or event.by != "bot" or logged.before is None:
        raise refuse("no_bot_moved")
    asked_n = table.log[n - 2].position_n
    return event, question(table, secret, logged.before.unpack(), event.bot, asked_n)
