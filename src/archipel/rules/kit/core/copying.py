"""Copy states from within rules, for search and simulation."""

from __future__ import annotations

from typing import Protocol

from archipel.rules.kit.core.decorators import rule, rule_compiled_as
from archipel.rules.kit.core.fields import copy_into


class AnyState(Protocol):
    """The state of any game."""


@rule
def copy_record(states: list[AnyState], source: int, target: int) -> None:
    """`copy_state` in compiled code, where assigning a record copies it."""
    states[target] = states[source]


@rule_compiled_as(copy_record)
def copy_state(states: list[AnyState], source: int, target: int) -> None:
    """Make one of several states equal to another of them."""
    copy_into(states[source], states[target])
