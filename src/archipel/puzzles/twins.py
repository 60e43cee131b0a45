"""Choices that are the same to anybody: two people of one tribe in one boat, say, but for names."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from archipel.rules.contract import Definition
from archipel.rules.scene import Choice, Piece, Scene


def choices_apart(definition: Definition[Any], state: Any, seat: int) -> list[list[int]]:
    """The legal actions of the seat to move; those in one list do the same with pieces that differ
    by name alone."""
    scene = definition.scene(definition.recalled(state, seat), seat)
    pieces = {piece.id: piece for piece in scene.pieces}
    groups: dict[Hashable, list[int]] = {}
    for choice in scene.choices:
        groups.setdefault(_look(choice, pieces), []).append(choice.action)
    legal = definition.legal_actions(state)
    known = {action for group in groups.values() for action in group}
    alone = [[action] for action in legal if action not in known]
    return sorted([sorted(group) for group in groups.values()] + alone)


def is_choosing(scene: Scene) -> bool:
    """Whether a piece has been chosen and is yet to do something."""
    return scene.gauges.get("chosen") is not None


def _look(choice: Choice, pieces: dict[str, Piece]) -> Hashable:
    if not choice.targets or any(target not in pieces for target in choice.targets):
        return choice.action
    return choice.key, tuple(_as_it_looks(pieces[target]) for target in choice.targets)


def _as_it_looks(piece: Piece) -> Hashable:
    return piece.kind, piece.cell, piece.seat, tuple(sorted(piece.properties.items(), key=str))
