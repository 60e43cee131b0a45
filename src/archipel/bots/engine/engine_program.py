"""The engine of each game as a program.

Its entry points start a search and read its statistics, as plain numbers. A caller need not know
the layout of a search state: it passes buffers, a view, a budget and a seed, and gets sums that it
can add up over seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from archipel.bots.all_bots import roster_of
from archipel.bots.contract import Roster
from archipel.bots.rollouts import Rollouts
from archipel.bots.search.config import NO_WEIGHTS, SearchConfig
from archipel.bots.search.search_state import MOST_WEIGHTS, SearchState
from archipel.bots.search.seq_halving import SequentialHalving, conclude, halve
from archipel.rules.game_rules import GameState
from archipel.rules.kit import U64, Chance, Program, Stream, rule

#: Rules of the game that the engine calls from several places: they are not inlined.
SHARED = ("legal", "apply", "deal_unseen", "view", "recall", "rank")

#: Rules of the game that can be called one by one.
RULES = (*SHARED[:4], "to_move", "rank", "score")


def engine_config(roster: Roster) -> SearchConfig:
    """The settings of the engine: those of the strongest level. Its budget is not used."""
    return roster.levels[-1].config


@cache
def engine_program(game: str) -> Program:
    """The engine of a game with levels, importable by name from another process."""
    roster = roster_of(game)
    definition, rules, config = roster.definition, roster.definition.rules, engine_config(roster)
    settings, most = SearchState(), definition.seats[-1]
    known = {seats: roster.evaluation(config.evaluation, seats) for seats in definition.seats}
    config.write([settings], roster.number_of, known[most])
    size = max(1, len(known[most].values))
    nothing = NO_WEIGHTS
    weights = [list(known.get(seats, nothing).values or (0.0,) * size) for seats in range(most + 1)]
    engine = Engine(rules, roster.rules, settings, weights, size)
    policy = RolloutPolicy(settings, roster.choose)
    entries = (
        engine.begin_search,
        engine.begin_level,
        engine.begin_evaluation,
        engine.explore,
        halve,
        choose_candidate,
        read_statistics,
        engine.evaluate_candidates,
        Rollouts(rules, replace(roster.rules, choose=policy.choose)).roll_out,
    )
    return Program(
        definition.name,
        definition.state,
        {
            **{entry.__name__: entry for entry in entries},
            **rules.entries(*RULES),
            "choose": roster.choose,
        },
        apart=(*rules.entries(*SHARED).values(), roster.choose),
    )


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


# The settings of a level, as `level_settings` writes and `Engine.begin_level` reads them.
_NUMBERS: Final = (
    "simulations",
    "policy",
    "rollout_policy",
    "opponent_policy",
    "horizon",
    "depth",
    "proposal_policy",
    "opponent_nodes",
    "rollout_prior",
    "shortlist",
    "overlook",
    "lookahead",
    "net",
    "features",
    "outcome_nodes",
)
_FRACTIONS: Final = (
    "exploration",
    "progressive_widening",
    "prior_weight",
    "margin",
    "margin_scale",
    "elimination_z",
    "blunder",
)
WEIGHTS: Final = 7  # index of the first weight among the fractions


def level_settings(
    roster: Roster, config: SearchConfig, seats: int
) -> tuple[list[int], list[float]]:
    """Return the settings of a level with one thread, as `Engine.begin_level` takes them."""
    if config.threads != 1:
        raise ValueError("an engine searches with one thread")
    settings = SearchState()
    weights = roster.evaluation(config.evaluation, seats)
    config.write([settings], roster.number_of, weights)
    numbers = [getattr(settings, name) for name in _NUMBERS]
    fractions = [getattr(settings, name) for name in _FRACTIONS]
    return numbers, [*fractions, *weights.values]


@rule
def choose_candidate(threads: list[SearchState], choices: Stream) -> int:
    """Return the action that a level plays after its search."""
    return threads[0].candidate[conclude(threads, 1, choices)]


@dataclass(frozen=True)
class RolloutPolicy:
    """The policy of the strongest level, whichever bot a caller of rollouts names."""

    settings: SearchState
    any_bot: Callable[[Any, int, list[int], int, Chance], int]

    @rule
    def choose(self, s: GameState, bot: int, actions: list[int], count: int, chance: Chance) -> int:
        return self.any_bot(s, self.settings.policy, actions, count, chance)


@dataclass(frozen=True)
class Engine(SequentialHalving):
    """Search and evaluation by the settings of the game's strongest level."""

    settings: SearchState
    weights: list[list[float]]
    """One row per number of seats, from 0."""
    size: int
    """The length of a row."""

    @rule
    def set_up(self, t: SearchState, seats: int, simulations: int, seed: U64) -> None:
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
        t.lookahead = self.settings.lookahead
        t.net = self.settings.net
        t.features = self.settings.features
        t.outcome_nodes = self.settings.outcome_nodes
        for place in range(self.size):
            t.weights[place] = self.weights[seats][place]
        t.seed = seed
        t.seats = seats

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
        """Start a search of one thread from the view at ROOT."""
        self.set_up(threads[0], seats, simulations, seed)
        self.begin(states, actions, threads, 1, choices)

    @rule
    def begin_level(
        self,
        states: list[GameState],
        actions: list[int],
        threads: list[SearchState],
        seats: int,
        numbers: list[int],
        fractions: list[float],
        seed: U64,
        choices: Stream,
    ) -> None:
        """Start the search of a level (see `level_settings`) from the view at ROOT."""
        t = threads[0]
        t.simulations = numbers[0]
        t.policy = numbers[1]
        t.rollout_policy = numbers[2]
        t.opponent_policy = numbers[3]
        t.horizon = numbers[4]
        t.depth = numbers[5]
        t.proposal_policy = numbers[6]
        t.opponent_nodes = numbers[7]
        t.rollout_prior = numbers[8]
        t.shortlist = numbers[9]
        t.overlook = numbers[10]
        t.lookahead = numbers[11]
        t.net = numbers[12]
        t.features = numbers[13]
        t.outcome_nodes = numbers[14]
        t.exploration = fractions[0]
        t.progressive_widening = fractions[1]
        t.prior_weight = fractions[2]
        t.margin = fractions[3]
        t.margin_scale = fractions[4]
        t.elimination_z = fractions[5]
        t.blunder = fractions[6]
        for place in range(min(MOST_WEIGHTS, len(fractions) - WEIGHTS)):
            t.weights[place] = fractions[WEIGHTS + place]
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
        results: list[int],
    ) -> None:
        """Find the candidates in the view at ROOT; a negative horizon means rollouts to the end."""
        t = threads[0]
        self.set_up(t, seats, 1, seed)
        t.rollout_policy = t.policy
        t.opponent_policy = t.policy
        t.horizon = max(0, horizon)
        t.depth = 0
        t.lookahead = 0
        t.shortlist = 0
        t.prior_weight = 0.0
        t.margin = 0.0
        t.elimination_z = 0.0
        if horizon < 0:
            t.features = 0
        self.begin(states, actions, threads, 1, choices)
        results[COUNT] = t.count
        results[ADVICE] = t.advice
        for number in range(t.count):
            results[ACTIONS + number] = t.candidate[number]
