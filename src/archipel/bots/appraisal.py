"""What speaks for a seat in a position, and how much: features are rules, their weights are data.

A game's features are its `slots.appraise`.  A version of their weights is a file beside them, made
by `archipel.study.fit`; like bots, versions never change once something plays by them.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files


class UnknownAppraisalError(KeyError):
    """A game has no weights of that name, or none for so many seats."""


@cache
def weights_of(game: str, version: str, seats: int) -> tuple[float, ...]:
    """The weights of a game's features for a number of seats; raises `UnknownAppraisalError`."""
    file = files(f"archipel.bots.{game.replace('-', '_')}") / f"{version}.json"
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["weights"][str(seats)]
    except (OSError, KeyError) as error:
        raise UnknownAppraisalError(f"{game}: no {version} for {seats} seats") from error
    return tuple(float(weight) for weight in found)
