"""Copying states from within rules: search and simulation start over from a kept position."""

from __future__ import annotations

from typing import Protocol

from archipel.rules.kit.fields import copy_into
from archipel.rules.kit.marking import rule, rule_compiled_as


class AnyState(Protocol):
    """The state of whichever game is played."""


@rule
def copy_record(states: list[AnyState], source: int, target: int) -> None:
    """`copy_state` in compiled code, where assigning a record copies it."""
    states[target] = states[source]


@rule_compiled_as(copy_record)
def copy_state(states: list[AnyState], source: int, target: int) -> None:
    """Make one of several states equal to another of them."""
    copy_into(states[source], states[target])
