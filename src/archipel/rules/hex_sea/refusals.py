"""Refusals of both games: the first reason that applies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from archipel.rules.contract import Refusal
from archipel.rules.hex_sea.sea import S


class Asked(NamedTuple):
    """The question of a phase: its rule, its sentence, and the reasons for some of the actions."""

    rule: str
    key: str
    actions: range = range(0)
    reason: Callable[..., Refusal | None] | None = None


def first_of(*cases: tuple[bool, str, str]) -> Refusal:
    """The refusal of the first case whose condition holds, by its rule and its sentence."""
    return next(Refusal(rule, f"refuse.{key}") for holds, rule, key in cases if holds)


def refusal_of(asked: Asked, s: S, action: int) -> Refusal:
    """The reason against an illegal action, or the question that it does not answer."""
    found = asked.reason(s, action) if asked.reason and action in asked.actions else None
    return found or Refusal(asked.rule, f"refuse.{asked.key}")
