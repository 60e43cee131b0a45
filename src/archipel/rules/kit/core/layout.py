"""The machine record of a state."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy


def layout(state: type[Any]) -> numpy.dtype[Any]:
    """Return the NumPy layout of a state class, aligned as in C."""
    return numpy.dtype(
        [(f.name, f.metadata["kind"], f.metadata["shape"]) for f in dataclasses.fields(state)],
        align=True,
    )
