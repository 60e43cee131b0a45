"""How a search thinks: fixed numbers, never times, so that equal seeds mean equal choices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from archipel.bots.search.thinking import DEEPEST, MOST_FEATURES


@dataclass(frozen=True)
class Plan:
    """What a search does with a decision.

    Strength comes from ``simulations``; a handicap is an ``overlook`` above 0: each candidate, the
    best first, is overlooked with that chance, except that nothing is played that is worse than the
    best by more than ``blunder`` (of a win).
    """

    simulations: int
    #: The bot that plays on after a candidate, and whose own choice counts for more at first.
    policy: str = "greedy-1"
    #: Who plays on beyond the tree instead, if somebody does: a quick bot, which is worth more
    #: simulations but whose own choices count for less.
    playout: str = ""
    #: Who plays for the other seats, where it is not who plays for one's own: who is known to be
    #: met, or who is quicker.
    others: str = ""
    #: How many turns (changes of who decides) pass before a simulation is cut and appraised, once
    #: there is a position that can be. Without an appraisal 0 means that all is played out.
    horizon: int = 0
    #: How many of the seat's further decisions have a place in the tree, and whether the others do.
    depth: int = 0
    rivals: bool = False
    #: Whether "as the policy chooses" has a place of its own in the tree, the first in every node:
    #: other actions must be better than what the policy does in each world. Such a tree ends with
    #: the turn.
    habit: bool = False
    #: Who names the actions that join, where it is not the policy.
    ideas: str = ""
    #: In the tree: how much a rare visit promises, and how fast new actions join.
    explore: float = 0.7
    widen: float = 0.5
    #: How many candidates are in the race, the policy's first choices; 0: all.
    shortlist: int = 0
    #: What the policy's own choice is credited with, divided by the root of its visits.
    trust: float = 0.7
    #: How much of the reward is the margin, and what lead in points counts in full at the end of a
    #: game. Where a simulation is cut, the lead is by what speaks for the seats.
    margin: float = 0.0
    scale: float = 12.0
    #: After a round, candidates that are behind the best by so many standard errors are out of the
    #: race, even if they are of the better half: what is plain takes less time. 0: none are.
    sure: float = 0.0
    #: The handicap.
    overlook: float = 0.0
    blunder: float = 1.0
    #: Separate trees, each with its part of the simulations: what can be thought at the same time.
    strands: int = 1
    #: The version of the game's appraisal that weighs a position where a simulation is cut.
    appraisal: str = ""

    def __post_init__(self) -> None:
        if self.simulations < 1 or self.strands < 1:
            raise ValueError("a search has at least one simulation and one strand")
        if not 0 <= self.depth <= DEEPEST:
            raise ValueError(f"a tree is at most {DEEPEST} decisions deep, not {self.depth}")
        if not 0 <= self.overlook <= 1:
            raise ValueError(f"{self.overlook} is not a chance")

    def bots(self) -> dict[str, str]:
        """Who does what, by the names of the fields."""
        playout = self.playout or self.policy
        return {
            "policy": self.policy,
            "playout": playout,
            "others": self.others or playout,
            "ideas": self.ideas or self.policy,
        }

    def write(
        self, strands: Any, number_of: Callable[[str], int], weights: Sequence[float]
    ) -> None:
        """Put the plan into the strands of a search; bots by their numbers."""
        if len(weights) > MOST_FEATURES:
            raise ValueError(f"{len(weights)} features: there is room for {MOST_FEATURES}")
        for number in range(self.strands):
            t = strands[number]
            for name in ("simulations", "horizon", "depth", "explore", "widen", "trust"):
                set_field(t, name, getattr(self, name))
            for name in ("shortlist", "margin", "scale", "sure", "blunder"):
                set_field(t, name, getattr(self, name))
            set_field(t, "rivals", int(self.rivals))
            set_field(t, "habit", int(self.habit))
            set_field(t, "overlook", round(1000 * self.overlook))
            for name, bot in self.bots().items():
                set_field(t, name, number_of(bot))
            set_field(t, "features", len(weights))
            for feature, weight in enumerate(weights):
                get_field(t, "weights")[feature] = weight


def set_field(record: Any, name: str, value: Any) -> None:
    """Of a plain record, or of one in machine form."""
    if hasattr(record, "dtype"):
        record[name] = value
    else:
        setattr(record, name, value)


def get_field(record: Any, name: str) -> Any:
    return record[name] if hasattr(record, "dtype") else getattr(record, name)
