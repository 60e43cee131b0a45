"""Plain sequential halving over greedy rollouts, without evaluations: a baseline for search.

The policy plays every seat of a rollout, to the end of the game or for a number of decisions, after
which only the lead in points counts.  The policy's own choice has a bonus of ``prior_weight``,
divided by the square root of its visits.  There is no tree, no shortlist and no elimination between
rounds.  The search ends when its simulations are spent, even in the middle of a round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from archipel.bots import Roster
from archipel.bots.search.config import NO_WEIGHTS, SearchConfig, set_field
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import SearchState
from archipel.bots.search.seq_halving import (
    CHANCE,
    CHOICES,
    DEALING,
    DEALT,
    MOST_STEPS,
    ROOT,
    WORLD,
    SequentialHalving,
    add_result,
    halve,
    use_stream,
)
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Stream
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.program import Backend


@dataclass(frozen=True)
class PlainHalving:
    """Settings of plain halving."""

    simulations: int
    #: Decisions with several legal actions before a rollout is cut; 0: never.
    cut: int = 0
    prior_weight: float = 0.7
    margin: float = 0.0
    margin_scale: float = 12.0

    def config(self, policy: str) -> SearchConfig:
        """The corresponding search configuration, without ``cut``, which counts decisions instead
        of turns."""
        return SearchConfig(
            self.simulations,
            policy,
            prior_weight=self.prior_weight,
            margin=self.margin,
            margin_scale=self.margin_scale,
        )


class PlainPlayer:
    """An entrant that plays by plain halving; the backend needs the entry `decide_plainly`."""

    def __init__(
        self, roster: Roster, backend: Backend, settings: PlainHalving, seats: int
    ) -> None:
        self._backend, self._cut = backend, settings.cut
        self._threads = backend.records(SearchState, 1)
        self._room = Buffers(backend, roster.definition.most_legal)
        policy = roster.named("greedy").name
        settings.config(policy).write(self._threads, roster.number_of, NO_WEIGHTS)
        set_field(self._threads[0], "seats", seats)

    @property
    def record(self) -> Any:
        """The statistics of the last decision's candidates."""
        return self._threads[0]

    def choose(self, seen: Any, actions: object, seed: int) -> int:
        set_field(self._threads[0], "seed", seed)
        room = self._room
        room.states[ROOT] = seen
        return int(
            self._backend.decide_plainly(
                room.states,
                room.actions,
                room.features,
                self._threads,
                self._cut,
                room.chance,
                room.choices,
            )
        )


class PlainSearch(SequentialHalving):
    """Sequential halving without a tree."""

    @rule_apart
    def simulate_plainly(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        t: SearchState,
        candidate: int,
        cut: int,
        chance: Stream,
        choices: Stream,
    ) -> None:
        """Play a candidate in the sampled world and roll out with the policy."""
        s = states[WORLD]
        self.play(s, t.candidate[candidate], chance)
        mover = self.game.to_move(s)
        steps = 1
        asked = 0
        while mover >= 0 and steps < MOST_STEPS and (cut == 0 or asked < cut):
            count = self.options(s, actions)
            action = actions[0]
            if count > 1:
                action = self.ask(s, t.policy, actions, count, choices)
                asked += 1
            self.play(s, action, chance)
            steps += 1
            mover = self.game.to_move(s)
        if mover < 0:
            self.reward_ending(s, t)
        else:
            self.reward_evaluation(s, t, features)
        add_result(t, candidate, 0)

    @rule_apart
    def decide_plainly(
        self,
        states: list[GameState],
        actions: list[int],
        features: list[float],
        threads: list[SearchState],
        cut: int,
        chance: Stream,
        choices: Stream,
    ) -> int:
        """Choose one of several legal actions for the view at ROOT, with one thread."""
        self.begin(states, actions, threads, 1, choices)
        t = threads[0]
        spent = 0
        going_on = True
        while going_on:
            while t.world < t.until:
                use_stream(chance, t, t.world, DEALING)
                copy_state(states, ROOT, DEALT)
                self.game.deal_unseen(states[DEALT], chance)
                for place in range(t.alive):
                    use_stream(chance, t, t.world, CHANCE)
                    use_stream(choices, t, t.world, CHOICES)
                    copy_state(states, DEALT, WORLD)
                    self.simulate_plainly(
                        states, actions, features, t, t.order[place], cut, chance, choices
                    )
                    spent += 1
                t.world += 1
            going_on = halve(threads, 1) and spent < t.simulations
        return t.candidate[t.order[0]]
