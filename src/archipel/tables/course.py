"""The whole course of a game that is over, for a page that analyses it: all is open then."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec

from archipel.analysis.course import Course, course_of
from archipel.analysis.evaluation import corrections_of, evaluations_of, usual_budget
from archipel.bots import roster_of
from archipel.game import Game
from archipel.rules.contract import SPECTATOR
from archipel.rules.kit import ChanceError, Stream, Tape, clone, stream_key
from archipel.rules.kit.machine_record import record_layout, to_bytes
from archipel.tables import shown
from archipel.tables.problems import refuse
from archipel.tables.records import record_of
from archipel.tables.table import Table

#: Deals by which the start is weighed.
DEALS = 32


def check_open(table: Table) -> None:
    """Raises `Refusal` unless everything of the game may be told."""
    if table.halted_at is not None:
        raise refuse("older_rules")
    if table.secret is None:
        raise refuse("not_over")
    if not table.moves:
        raise refuse("not_playing")


def corrections_for(game: str, seats: int) -> dict[str, dict[str, float]]:
    """How chances of decisions and of positions are corrected before they are shown."""
    found: dict[str, dict[str, float]] = msgspec.to_builtins(corrections_of(roster_of(game), seats))
    return found


def show_course(table: Table) -> shown.Course:
    """Every position, and what the seat to move saw of it; it takes a while."""
    game = record_of(table).game
    course, roster = course_of(game), roster_of(table.game)
    return shown.Course(
        game=table.game,
        seats=game.seats,
        size=record_layout(table.definition.state).size,
        moves=[
            shown.CourseMove(made.n, made.seat, made.action, moment.options, moment.ends_step)
            for made, moment in zip(table.moves, course.moments, strict=True)
        ],
        result=course.result,
        deals=DEALS,
        horizon=evaluations_of(roster).decision.horizon,
        corrections=corrections_for(game.name, game.seats),
        budget=msgspec.to_builtins(usual_budget()),
        data=base64.b64encode(zlib.compress(_data(game, course))).decode("ascii"),
    )


def _data(game: Game, course: Course) -> bytes:
    """All positions, all views, then those of the deals at the start."""
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


def show_line(table: Table, n: int, actions: Sequence[int]) -> list[shown.Label]:
    """What actions are called that one seat plays one after the other where event n was played,
    until chance comes in or somebody else decides; raises `Refusal`."""
    made = next((move for move in table.moves if move.n == n), None)
    if made is None:
        raise refuse("no_such_event", n=n)
    definition, state = table.definition, made.before.unpack()
    told: list[shown.Label] = []
    for action in actions:
        if definition.to_move(state) != made.seat or action not in definition.legal_actions(state):
            break
        seen = definition.seen(state, made.seat)
        labels = {choice.action: choice for choice in definition.scene(seen, made.seat).choices}
        if action not in labels:
            break
        found = labels[action]
        told.append(shown.Label(action, found.text, found.key, dict(found.details)))
        try:
            definition.apply(state, action, Tape())
        except ChanceError:
            break
    return told
