"""Placeholders for `test_adoption`."""

from __future__ import annotations

from archipel.rules.kit import rule
from tests.rules.kit.shared_rules_with_open_names import HasCounters

STEPS: list[int] = []
LIMIT: int = 0


@rule
def bonus(s: HasCounters, index: int) -> int:
    raise NotImplementedError
