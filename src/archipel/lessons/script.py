"""Resolve the texts of a lesson in a position: actions, outcomes, highlighted pieces."""

from __future__ import annotations

from typing import Any

from archipel.game import Game
from archipel.lessons.lesson import LearnerDecision, LessonStep, ScriptedMove, Words
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Stream, Tape, clone, stream_key
from archipel.rules.scene import Scene

#: The seed for dealing the unknown parts of a position.
_SEED = 1


def dealt_position(game: str, text: str) -> Any:
    """Return the state of a position text, with unknown parts dealt; raises `NotationError`."""
    return Game.from_position(game, text, seed=_SEED).state


def accepted_actions(
    definition: Definition[Any], state: Any, do: LearnerDecision
) -> dict[int, tuple[int, ...]]:
    """Return the actions that a decision accepts, each with its chance outcomes."""
    return dict(scripted(definition, state, move) for move in possible(definition, state, do))


def possible(definition: Definition[Any], state: Any, do: LearnerDecision) -> list[ScriptedMove]:
    """Return the accepted moves that are legal here; others may belong to another path."""
    legal = definition.legal_actions(state)
    return [move for move in do.moves if action_named(definition, state, move.action) in legal]


def action_named(definition: Definition[Any], state: Any, text: str) -> int | None:
    """Return the action that a text names, legal or not, or None."""
    try:
        return definition.parse_action(state, text)
    except NotationError:
        return None


def scripted(
    definition: Definition[Any], state: Any, move: ScriptedMove
) -> tuple[int, tuple[int, ...]]:
    """Return the action of a scripted move and its chance outcomes."""
    action = definition.parse_action(state, move.action)
    outcomes = definition.parse_outcomes(state, action, move.chance) if move.chance else ()
    tape = Tape(outcomes, Stream(stream_key(_SEED, 0)))
    if action in definition.legal_actions(state):
        definition.apply(clone(state), action, tape)
    return action, tuple(tape.outcomes)


def refusal_of(
    definition: Definition[Any], state: Any, do: LearnerDecision, action: int
) -> Words | None:
    """Return the reply to an action that is not accepted, or None."""
    for no in do.refusals:
        if action in [action_named(definition, state, name) for name in no.actions]:
            return no.words
    return next((no.words for no in do.refusals if not no.actions), None)


def highlighted(scene: Scene, step: LessonStep) -> dict[str, str | None]:
    """Return the id of the piece or cell for each name that a step highlights, or None."""
    ids = [piece.id for piece in scene.pieces] + [cell.id for cell in scene.cells]
    # Scenes have the ids ``diver-1`` and ``unit-a1`` for diver1 and a1 in notation.
    found: dict[str, str] = {}
    for each in ids:
        found.setdefault(each.replace("-", ""), each)
        found.setdefault(each.partition("-")[2], each)
    return {name: name if name in ids else found.get(name) for name in step.look}
