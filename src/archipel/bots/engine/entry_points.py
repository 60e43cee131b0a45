"""The engine's entry points: start a search and read its statistics, as plain numbers.

A caller need not know the layout of a search state. It passes buffers, a view, a budget and a seed,
and gets sums that it can add up over seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from archipel.bots.search.paired_rollouts import CandidateRollouts
from archipel.bots.search.search_state import SearchState
from archipel.rules.game_rules import GameState
from archipel.rules.kit import U64, Chance, Stream, rule

# Columns of the statistics of a candidate.
ACTION: Final = 0
VISITS: Final = 1
WON: Final = 2  # sum of shares of first place
WORTH: Final = 3  # sum of rewards
SQUARES: Final = 4  # sum of squared rewards
COLUMNS: Final = 5


@rule
def read_statistics(threads: list[SearchState], found: list[list[float]]) -> int:
    """Write the statistics of each candidate, the best first; return their number."""
    t = threads[0]
    for place in range(t.count):
        number = t.order[place]
        found[place][ACTION] = t.candidate[number]
        found[place][VISITS] = t.visits[number]
        found[place][WON] = t.won[number]
        found[place][WORTH] = t.worth[number]
        found[place][SQUARES] = t.squares[number]
    return t.count


# Results of `begin_evaluation`: number of candidates, number of the policy's choice, actions.
COUNT: Final = 0
ADVICE: Final = 1
ACTIONS: Final = 2


@dataclass(frozen=True)
class EngineSettings:
    """The settings of a game's strongest level, without its budget; bots by their numbers."""

    policy: int
    rollout_policy: int
    opponent_policy: int
    proposal_policy: int
    horizon: int
    depth: int
    opponent_nodes: int
    rollout_prior: int
    shortlist: int
    exploration: float
    progressive_widening: float
    prior_weight: float
    margin: float
    margin_scale: float
    elimination_z: float
    features: int
    weights: list[list[float]]
    """One row per number of seats, from 0."""


@dataclass(frozen=True)
class EnginePolicies:
    """The bots of the settings, so that no other bot is compiled into the engine."""

    settings: EngineSettings
    any_bot: Callable[[Any, int, list[int], int, Chance], int]

    @rule
    def choose(self, s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
        if bot == self.settings.rollout_policy:
            return self.any_bot(s, self.settings.rollout_policy, actions, count, chance)
        if bot == self.settings.opponent_policy:
            return self.any_bot(s, self.settings.opponent_policy, actions, count, chance)
        if bot == self.settings.proposal_policy:
            return self.any_bot(s, self.settings.proposal_policy, actions, count, chance)
        return self.any_bot(s, self.settings.policy, actions, count, chance)


@dataclass(frozen=True)
class Engine(CandidateRollouts):
    """Search and evaluation by the game's own settings."""

    settings: EngineSettings

    @rule
    def begin_search(
        self,
        states: list[GameState],
        actions: list[int],
        threads: list[SearchState],
        seats: int,
        simulations: int,
        seed: U64,
        choices: Stream,
    ) -> None:
        """Start a search of one thread, with the engine's settings, from the view at ROOT."""
        t = threads[0]
        t.simulations = simulations
        t.policy = self.settings.policy
        t.rollout_policy = self.settings.rollout_policy
        t.opponent_policy = self.settings.opponent_policy
        t.horizon = self.settings.horizon
        t.depth = self.settings.depth
        t.proposal_policy = self.settings.proposal_policy
        t.opponent_nodes = self.settings.opponent_nodes
        t.rollout_prior = self.settings.rollout_prior
        t.exploration = self.settings.exploration
        t.progressive_widening = self.settings.progressive_widening
        t.shortlist = self.settings.shortlist
        t.prior_weight = self.settings.prior_weight
        t.margin = self.settings.margin
        t.margin_scale = self.settings.margin_scale
        t.elimination_z = self.settings.elimination_z
        t.overlook = 0
        t.features = self.settings.features
        for feature in range(self.settings.features):
            t.weights[feature] = self.settings.weights[seats][feature]
        t.seed = seed
        t.seats = seats
        self.begin(states, actions, threads, 1, choices)

    @rule
    def begin_evaluation(
        self,
        states: list[GameState],
        actions: list[int],
        threads: list[SearchState],
        seats: int,
        horizon: int,
        seed: U64,
        choices: Stream,
        told: list[int],
    ) -> None:
        """Find the candidates in the view at ROOT; a negative horizon means rollouts to the end."""
        t = threads[0]
        t.simulations = 1
        t.policy = self.settings.policy
        t.rollout_policy = self.settings.policy
        t.opponent_policy = self.settings.policy
        t.horizon = max(0, horizon)
        t.depth = 0
        t.opponent_nodes = 0
        t.shortlist = 0
        t.prior_weight = 0.0
        t.margin = 0.0
        t.margin_scale = self.settings.margin_scale
        t.elimination_z = 0.0
        t.overlook = 0
        t.features = self.settings.features if horizon >= 0 else 0
        for feature in range(t.features):
            t.weights[feature] = self.settings.weights[seats][feature]
        t.seed = seed
        t.seats = seats
        self.begin(states, actions, threads, 1, choices)
        told[COUNT] = t.count
        told[ADVICE] = t.advice
        for number in range(t.count):
            told[ACTIONS + number] = t.candidate[number]
