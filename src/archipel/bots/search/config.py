"""The settings of a search: counts, never times, so that equal seeds mean equal choices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from archipel.bots.search.search_state import DEEPEST, MOST_FEATURES, MOST_WEIGHTS


@dataclass(frozen=True)
class Weights:
    """The weights of an evaluation for a number of seats: linear, or a net (see `bots.nets`)."""

    values: tuple[float, ...] = ()
    features: int = 0
    is_net: bool = False

    def __post_init__(self) -> None:
        if self.features > MOST_FEATURES or len(self.values) > MOST_WEIGHTS:
            raise ValueError(f"{self.features} features: there is room for {MOST_FEATURES}")


NO_WEIGHTS = Weights()


@dataclass(frozen=True)
class SearchConfig:
    """How a search spends its simulations on one decision.

    Strength comes from ``simulations``. ``overlook`` above 0 is a handicap: the search skips each
    candidate, the best first, with that probability, but never plays a candidate that is worse than
    the best by more than ``blunder`` (in win probability).
    """

    simulations: int
    #: The prior policy: chooses what to try first, and plays the rollouts unless
    #: ``rollout_policy`` is set.
    policy: str = "greedy-1"
    #: Policy used in rollouts beyond the tree, for example a faster one.
    rollout_policy: str = ""
    #: Policy used for the opponents' moves in rollouts; by default the rollout policy.
    opponent_policy: str = ""
    #: Turns (changes of the seat to move) before a rollout is cut and its position evaluated. The
    #: cut waits for a position that can be evaluated. 0 without an evaluation: play to the end.
    horizon: int = 0
    #: Depth of the tree, in decisions of the searching seat below the root candidates.
    depth: int = 0
    #: Samples per action of a lookahead that chooses all actions beyond the tree, instead of the
    #: rollout policy: the action whose positions have the best evaluation for its seat. An action
    #: that draws no chance needs one sample. 0: the policy chooses.
    lookahead: int = 0
    #: Whether opponents' decisions get nodes in the tree as well.
    opponent_nodes: bool = False
    #: Whether outcomes of chance get nodes in the tree, as far as the game tells them apart
    #: (`BotRules.outcome`), so that later choices depend on them.
    outcome_nodes: bool = False
    #: Whether the first child of every node stands for "whatever the policy chooses in the sampled
    #: world", so that other actions must beat the policy in each world. The tree then ends with the
    #: turn.
    rollout_prior: bool = False
    #: Policy that proposes the actions added by progressive widening; by default ``policy``.
    proposal_policy: str = ""
    #: Exploration constant of the upper confidence bound in the tree.
    exploration: float = 0.7
    #: Progressive widening: a node with n visits has at most 1 + this · √n children.
    progressive_widening: float = 0.5
    #: Number of root candidates, the policy's first choices; 0: all legal actions.
    shortlist: int = 0
    #: Bonus on the policy's own choice at the root, which decays as 1/√visits.
    prior_weight: float = 0.7
    #: Weight of the margin in the reward, and the lead in points that counts in full at the end of
    #: a game. Where a rollout is cut, the lead is that of the evaluations.
    margin: float = 0.0
    margin_scale: float = 12.0
    #: After each round of halving, also drop candidates that are this many standard errors behind
    #: the best. 0: never.
    elimination_z: float = 0.0
    #: The handicap.
    overlook: float = 0.0
    blunder: float = 1.0
    #: Independent trees, each with its share of the simulations, which can run in parallel.
    threads: int = 1
    #: Version of the game's evaluation weights or net, for positions where a rollout is cut.
    evaluation: str = ""

    def __post_init__(self) -> None:
        if self.simulations < 1 or self.threads < 1:
            raise ValueError("a search has at least one simulation and one thread")
        deepest = DEEPEST // 2 if self.outcome_nodes else DEEPEST
        if not 0 <= self.depth <= deepest:
            raise ValueError(f"a tree is at most {deepest} decisions deep, not {self.depth}")
        if not 0 <= self.overlook <= 1:
            raise ValueError(f"overlook is a probability, not {self.overlook}")
        if self.lookahead > 0 and not self.evaluation:
            raise ValueError("a lookahead needs an evaluation")

    def bots(self) -> dict[str, str]:
        """The bot in each role, defaults filled in, by the names of the fields."""
        rollout_policy = self.rollout_policy or self.policy
        return {
            "policy": self.policy,
            "rollout_policy": rollout_policy,
            "opponent_policy": self.opponent_policy or rollout_policy,
            "proposal_policy": self.proposal_policy or self.policy,
        }

    def write(self, threads: Any, number_of: Callable[[str], int], weights: Weights) -> None:
        """Write the settings into search states; bots by their numbers."""
        settings = {name: int(v) if isinstance(v, bool) else v for name, v in vars(self).items()}
        settings |= {name: number_of(bot) for name, bot in self.bots().items()}
        settings |= {
            "overlook": round(1000 * self.overlook),
            "net": int(weights.is_net),
            "features": weights.features,
        }
        del settings["threads"], settings["evaluation"]
        for number in range(self.threads):
            for name, value in settings.items():
                set_field(threads[number], name, value)
            room = get_field(threads[number], "weights")
            for place, weight in enumerate(weights.values):
                room[place] = weight


def set_field(record: Any, name: str, value: Any) -> None:
    """Set a field of a record, interpreted or in machine form."""
    if hasattr(record, "dtype"):
        record[name] = value
    else:
        setattr(record, name, value)


def get_field(record: Any, name: str) -> Any:
    return record[name] if hasattr(record, "dtype") else getattr(record, name)
