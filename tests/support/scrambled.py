"""A state with other numbers in every field, for rules that must write all fields."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from archipel.rules.kit import clone

S = TypeVar("S")


def scrambled(s: S) -> S:
    other = clone(s)
    for field in dataclasses.fields(s):  # type: ignore[arg-type]
        setattr(other, field.name, _changed(getattr(s, field.name)))
    return other


def _changed(value: Any) -> Any:
    return [_changed(part) for part in value] if isinstance(value, list) else value + 1
