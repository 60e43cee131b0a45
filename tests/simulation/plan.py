"""What a simulation does: drawn from its seed, and made smaller when it fails."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["sqlite", "cluster"]

#: Faults by kind of storage: what happens, to server ``target``, for ``seconds``.
FAULTS: dict[Kind, tuple[str, ...]] = {
    "sqlite": (
        "crash",
        "crash",
        "restart",
        "freeze",
        "sleep",
        "slow disk",
        "disk failure",
        "cut sockets",
        "stick sockets",
        "slow sockets",
        "set clock",
    ),
    "cluster": (
        "crash",
        "crash",
        "restart",
        "freeze",
        "partition",
        "lossy database",
        "slow disk",
        "cut bus",
        "database crash",
        "cut sockets",
        "stick sockets",
        "slow sockets",
    ),
}


@dataclass(frozen=True)
class Fault:
    kind: str
    at: float
    seconds: float
    target: int
    #: Seeds the details, so that removing another fault does not change them.
    detail: int


@dataclass(frozen=True)
class Plan:
    seed: int
    kind: Kind
    servers: int
    people: int
    #: Commands per person.
    commands: int
    faults: tuple[Fault, ...]
    #: The first server crashes once, after so many callbacks.
    crash_after: int | None = None
    #: Whether the players are pages of the browser client.
    pages: bool = False

    def smaller(self) -> list[Plan]:
        """Plans with one thing less, the greatest steps first."""
        found = []
        half = len(self.faults) // 2
        if half > 1:
            found += [
                replace(self, faults=self.faults[:half]),
                replace(self, faults=self.faults[half:]),
            ]
        for index in range(len(self.faults)):
            kept = self.faults[:index] + self.faults[index + 1 :]
            found.append(replace(self, faults=kept))
        if self.commands > 1:
            found.append(replace(self, commands=self.commands // 2))
            found.append(replace(self, commands=self.commands - 1))
        if self.servers > 1:
            found.append(replace(self, servers=self.servers - 1))
        return found


def plan_of(seed: int) -> Plan:
    chance = random.Random(seed)
    kind: Kind = "sqlite" if chance.random() < 0.4 else "cluster"
    servers = 1 if kind == "sqlite" else chance.choice((2, 2, 3))
    faults = sorted(
        (
            Fault(
                chance.choice(FAULTS[kind]),
                round(chance.uniform(0.05, 6.0), 3),
                round(chance.choice((0.1, 0.7, 2.0, 4.0)) * chance.uniform(0.5, 1), 3),
                chance.randrange(servers),
                chance.getrandbits(32),
            )
            for _ in range(chance.randint(0, 6))
        ),
        key=lambda fault: fault.at,
    )
    return Plan(seed, kind, servers, chance.choice((2, 2, 3)), chance.randint(3, 8), tuple(faults))
