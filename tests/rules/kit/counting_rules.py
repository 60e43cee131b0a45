"""Shared rules that leave names open, for `test_adoption`."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from tests.rules.kit.open_names import LIMIT, STEPS, bonus
from tests.rules.kit.shared_rules_with_open_names import HasCounters


@rule
def total(s: HasCounters) -> int:
    """Leaves nothing open."""
    found = 0
    for index in range(len(s.counters)):
        found += s.counters[index]
    return found


@rule
def step(s: HasCounters, index: int) -> None:
    s.counters[index] = min(LIMIT, s.counters[index] + STEPS[index])


@rule_apart
def step_all(s: HasCounters) -> int:
    for index in range(len(s.counters)):
        step(s, index)
        s.counters[index] += bonus(s, index)
    return total(s)
