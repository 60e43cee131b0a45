"""Evaluation nets: two hidden layers that give each seat a score, as rules and data.

The softmax of the seats' scores is the chance of first place. With the Plackett-Luce model the
scores also give the distribution over all places, for any number of seats (`place_chances`). The
inputs are a game's (see `net_inputs`); the biases of the first layer depend on the number of seats.

The weights are 32-bit floats, which double precision represents exactly; rules add and multiply in
a fixed order, so every machine computes the same bits.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import Any, Final

from archipel.bots.search.search_state import HIDDEN_1, HIDDEN_2, SearchState
from archipel.rules.kit.core.decorators import rule_apart

FORMAT: Final = "archipel-net-1"

#: Numbers of weights after those of the first layer.
SECOND: Final = HIDDEN_2 + HIDDEN_1 * HIDDEN_2
LAST: Final = HIDDEN_2


class NetFileError(ValueError):
    """A file of a net is missing or invalid."""


@rule_apart
def net_score(t: SearchState, features: list[float], known: int) -> float:
    """Return the score of the seat whose inputs these are."""
    for unit in range(HIDDEN_1):
        t.layer_1[unit] = t.weights[unit]
    at = HIDDEN_1
    for feature in range(known):
        value = features[feature]
        if value != 0.0:
            for unit in range(HIDDEN_1):
                t.layer_1[unit] += value * t.weights[at + unit]
        at += HIDDEN_1
    for unit in range(HIDDEN_2):
        t.layer_2[unit] = t.weights[at + unit]
    at += HIDDEN_2
    for before in range(HIDDEN_1):
        value = t.layer_1[before]
        if value > 0.0:
            for unit in range(HIDDEN_2):
                t.layer_2[unit] += value * t.weights[at + unit]
        at += HIDDEN_2
    score = 0.0
    for unit in range(HIDDEN_2):
        score += max(0.0, t.layer_2[unit]) * t.weights[at + unit]
    return score


@dataclass(frozen=True)
class Net:
    """A net: the names of its inputs, the numbers of seats that it knows, and its weights.

    ``weights`` has the biases of the first layer for each number of seats; then, input by input,
    the weights of the first layer; biases and weights of the second; weights of the output.
    """

    inputs: tuple[str, ...]
    seats: tuple[int, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        wanted = HIDDEN_1 * (len(self.seats) + len(self.inputs)) + SECOND + LAST
        if len(self.weights) != wanted:
            raise NetFileError(f"a net has {len(self.weights)} weights instead of {wanted}")
        if not all(map(math.isfinite, self.weights)):
            raise NetFileError("a net has weights that are not finite")

    def weights_for(self, seats: int) -> tuple[float, ...]:
        """The weights for a number of seats, as `net_score` reads them."""
        if seats not in self.seats:
            raise NetFileError(f"the net knows {self.seats} seats, not {seats}")
        row = self.seats.index(seats) * HIDDEN_1
        return (*self.weights[row : row + HIDDEN_1], *self.weights[len(self.seats) * HIDDEN_1 :])

    @property
    def packed(self) -> bytes:
        return struct.pack(f"<{len(self.weights)}f", *self.weights)

    @property
    def hash(self) -> str:
        """A name of the net: equal nets have equal hashes."""
        described = json.dumps([FORMAT, self.inputs, self.seats]).encode()
        return hashlib.sha256(described + self.packed).hexdigest()[:16]

    def to_json(self, **figures: Any) -> str:
        """The text of the net's file, with figures of its training."""
        found = {
            "format": FORMAT,
            "hash": self.hash,
            **figures,
            "seats": self.seats,
            "inputs": self.inputs,
            "weights": base64.b64encode(self.packed).decode("ascii"),
        }
        return json.dumps(found, indent=1) + "\n"


def read_net(text: str, name: str) -> Net:
    """Parse the file of a net; raises `NetFileError`."""
    try:
        found = json.loads(text)
        if found["format"] != FORMAT:
            raise NetFileError(f"{name} has the format {found['format']!r}, not {FORMAT!r}")
        packed = base64.b64decode(found["weights"], validate=True)
        weights = struct.unpack(f"<{len(packed) // 4}f", packed)
        net = Net(tuple(found["inputs"]), tuple(found["seats"]), weights)
    except NetFileError:
        raise
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise NetFileError(f"{name} is no net: {error}") from None
    if net.hash != found["hash"]:
        raise NetFileError(f"{name} has the hash {net.hash}, not {found['hash']}: it was changed")
    return net


@cache
def packaged_net(game: str, version: str) -> Net:
    """Return a net of a game's package, such as ``net_1``; raises `NetFileError`."""
    file = files(f"archipel.bots.{game.replace('-', '_')}") / f"{version}.json"
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        raise NetFileError(f"{game}: there is no {version}.json") from None
    return read_net(text, f"{game}: {version}.json")


def place_chances(scores: Sequence[float]) -> list[list[float]]:
    """Return the chance of each seat (row) for each place, by the Plackett-Luce model."""
    most = max(scores)
    strengths = [math.exp(score - most) for score in scores]
    count = len(scores)
    found = [[0.0] * count for _ in range(count)]
    for order in permutations(range(count)):
        chance, left = 1.0, sum(strengths)
        for seat in order:
            chance *= strengths[seat] / left if left > 0.0 else 0.0
            left -= strengths[seat]
        for place, seat in enumerate(order):
            found[seat][place] += chance
    return found
