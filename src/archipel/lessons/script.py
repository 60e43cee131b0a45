"""A lesson's words put into the terms of a position: actions, outcomes, things to ring."""

from __future__ import annotations

from typing import Any

from archipel.game import Game
from archipel.lessons.text import Do, Move, No, Step, Words
from archipel.rules.contract import Definition, NotationError
from archipel.rules.kit import Stream, Tape, clone, stream_key
from archipel.rules.scene import Scene

#: What a position leaves open is dealt the same way every time.
_SEED = 1


def dealt_position(game: str, text: str) -> Any:
    """The state that a position text tells, what it leaves open being dealt; raises
    `NotationError`."""
    return Game.from_position(game, text, seed=_SEED).state


def let_through(definition: Definition[Any], state: Any, do: Do) -> dict[int, tuple[int, ...]]:
    """The actions that a step lets through, each with the outcomes that chance brings."""
    return dict(scripted(definition, state, move) for move in possible(definition, state, do))


def possible(definition: Definition[Any], state: Any, do: Do) -> list[Move]:
    """What a decision lets through in this position: an alternative may belong to another way."""
    legal = definition.legal_actions(state)
    return [move for move in do.moves if action_named(definition, state, move.action) in legal]


def action_named(definition: Definition[Any], state: Any, text: str) -> int | None:
    """The action that a text names here, legal or not; None if it names none."""
    try:
        return definition.parse_action(state, text)
    except NotationError:
        return None


def scripted(definition: Definition[Any], state: Any, move: Move) -> tuple[int, tuple[int, ...]]:
    """An action of the script, and its outcomes."""
    action = definition.parse_action(state, move.action)
    told = definition.parse_outcomes(state, action, move.chance) if move.chance else ()
    tape = Tape(told, Stream(stream_key(_SEED, 0)))
    if action in definition.legal_actions(state):
        definition.apply(clone(state), action, tape)
    return action, tuple(tape.outcomes)


def refusal_of(definition: Definition[Any], state: Any, do: Do, action: int) -> Words | None:
    """What is said to an action that is not let through; None if nothing is."""
    for no in do.refusals:
        if action in _named(definition, state, no):
            return no.words
    return next((no.words for no in do.refusals if not no.actions), None)


def _named(definition: Definition[Any], state: Any, no: No) -> set[int | None]:
    return {action_named(definition, state, name) for name in no.actions}


def ringed(scene: Scene, step: Step) -> dict[str, str | None]:
    """For each name that a step looks at, the id of the piece or place that is called so."""
    ids = [piece.id for piece in scene.pieces] + [cell.id for cell in scene.cells]
    return {name: _called(name, ids) for name in step.look}


def _called(name: str, ids: list[str]) -> str | None:
    """Scenes write ``diver-1`` and ``unit-a1`` for what notation calls diver1 and a1."""
    if name in ids:
        return name
    for each in ids:
        if each.replace("-", "") == name or each.partition("-")[2] == name:
            return each
    return None
