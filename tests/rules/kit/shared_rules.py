"""Rules for tests of programs and compilation; some are shared by two games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from archipel.rules.kit import Chance, array, draw, rule, scalar, state

WEIGHTS = [1, 10, 100]
BONUS = 5


class HasBoats(Protocol):
    boats: list[int]


@state
@dataclass(slots=True)
class Lagoon:
    boats: list[int] = array("i1", 3)


@state
@dataclass(slots=True)
class Harbour:
    name: int = scalar("i4", 7)
    boats: list[int] = array("i2", 5)
    clock: int = scalar("u8")


@state
@dataclass(slots=True)
class Desert:
    sand: int = scalar("i1")


@rule
def weigh(s: HasBoats) -> int:
    """The sum of the weights of all boats."""
    total = 0
    for index in range(len(WEIGHTS)):
        total += s.boats[index] * WEIGHTS[index]
    return total + BONUS


@rule
def launch(s: HasBoats, chance: Chance) -> int:
    """Adds a boat of a random kind."""
    kind = draw(chance, len(WEIGHTS))
    s.boats[kind] += 1
    return kind


@rule
def cheap(s: HasBoats) -> int:
    return weigh(s)


@rule
def dear(s: HasBoats) -> int:
    return 2 * weigh(s)


@dataclass(frozen=True)
class Market:
    price_of: Callable[[Any], int]

    @rule
    def value_of(self, s: HasBoats) -> int:
        return self.price_of(s) + 1


@rule
def past_the_end(s: HasBoats, index: int) -> int:
    return s.boats[index]


@state
@dataclass(slots=True)
class Log:
    """A record that is not the state of a game."""

    entries: int = scalar("i4", -1)
    deepest: float = scalar("f8", 1)
    depths: list[float] = array("f8", 3)


@state
@dataclass(slots=True)
class LongerLog:
    entries: int = scalar("i8", -1)
    deepest: float = scalar("f8", 1)
    depths: list[float] = array("f8", 4)


@rule
def sound(s: HasBoats, logs: list[Log], number: int, depths: list[float]) -> float:
    """Writes half the boats to a list and adds them up in a log."""
    log = logs[number]
    log.entries += 1
    for index in range(len(depths)):
        depths[index] = s.boats[index] / 2.0
        log.depths[index] += depths[index]
    return log.depths[2] * log.deepest - 0.25 * (log.entries + 1)
