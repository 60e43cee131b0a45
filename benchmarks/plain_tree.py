"""Plain information-set tree search, without anything that a game adds: a yardstick.

Every simulation samples a world, descends one tree whose nodes are sequences of actions of all
seats, adds one node for an action never tried there, and plays the game to its end with one bot in
every seat, by default at random. Among tried actions the highest upper confidence bound wins. The
visits of several independent trees are added up, and the most visited action is played (Cowling,
Powley and Whitehouse, *Information set Monte Carlo tree search*, 2012).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from archipel.bots import Roster
from archipel.bots.search.config import NO_WEIGHTS, SearchConfig, set_field
from archipel.bots.search.search import Buffers
from archipel.bots.search.search_state import DEEPEST, NONE, SearchState
from archipel.bots.search.seq_halving import (
    CHANCE,
    CHOICES,
    DEALING,
    MOST_STEPS,
    ROOT,
    WORLD,
    SequentialHalving,
    use_stream,
)
from archipel.bots.search.tree import best_child, leave_untried, new_node
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Stream, draw, rule
from archipel.rules.kit.core.copying import copy_state
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.program import Backend

#: The root is the first node of every tree.
TOP: Final = 0


@dataclass(frozen=True)
class PlainTree:
    """Settings of plain tree search: simulations in all trees together."""

    simulations: int
    trees: int = 16
    rollouts: str = "random"
    exploration: float = 0.7


class PlainTreePlayer:
    """An entrant that plays by plain tree search; the backend needs `decide_by_trees`."""

    def __init__(self, roster: Roster, backend: Backend, settings: PlainTree, seats: int) -> None:
        self._backend, self._each = backend, settings.simulations // settings.trees
        self.trees = backend.records(SearchState, settings.trees)
        self._count = settings.trees
        self._room = Buffers(backend, roster.definition.most_legal)
        config = SearchConfig(
            settings.simulations,
            settings.rollouts,
            exploration=settings.exploration,
            threads=settings.trees,
        )
        config.write(self.trees, roster.number_of, NO_WEIGHTS)
        for tree in range(settings.trees):
            set_field(self.trees[tree], "seats", seats)

    def choose(self, seen: Any, actions: object, seed: int) -> int:
        for tree in range(self._count):
            set_field(self.trees[tree], "seed", seed)
        room = self._room
        room.states[ROOT] = seen
        return int(
            self._backend.decide_by_trees(
                room.states,
                room.actions,
                self.trees,
                self._count,
                self._each,
                room.chance,
                room.choices,
            )
        )


@rule
def visits_in(trees: list[SearchState], count: int, action: int) -> int:
    """The visits of an action at the roots of all trees."""
    visits = 0
    for tree in range(count):
        t = trees[tree]
        child = t.first[TOP]
        while child >= 0:
            if t.key[child] == action:
                visits += t.tried[child]
            child = t.following[child]
    return visits


class PlainTreeSearch(SequentialHalving):
    """Information-set tree search."""

    @rule_apart
    def simulate_in_tree(
        self,
        states: list[GameState],
        actions: list[int],
        t: SearchState,
        chance: Stream,
        choices: Stream,
    ) -> None:
        """Play the sampled world to the end and add the result to the nodes passed."""
        s = states[WORLD]
        node = TOP
        walked = 0
        steps = 0
        in_tree = True
        mover = self.game.to_move(s)
        while mover >= 0 and steps < MOST_STEPS:
            count = self.options(s, actions)
            action = actions[0]
            if count > 1 and in_tree and walked < DEEPEST:
                child = best_child(t, node, mover, NONE, actions, count)
                untried = leave_untried(t, node, mover, NONE, actions, count)
                if untried > 0:
                    action = actions[draw(choices, untried)]
                    child = new_node(t, node, mover, action)
                    in_tree = False
                else:
                    action = t.key[child]
                if child >= 0:
                    t.path[walked] = child
                    walked += 1
                    node = child
            elif count > 1:
                action = self.ask(s, t.rollout_policy, actions, count, choices)
            self.play(s, action, chance)
            steps += 1
            mover = self.game.to_move(s)
        self.reward_ending(s, t)
        for place in range(walked):
            passed = t.path[place]
            t.tried[passed] += 1
            t.total[passed] += t.reward[t.mover[passed]]

    @rule_apart
    def decide_by_trees(
        self,
        states: list[GameState],
        actions: list[int],
        trees: list[SearchState],
        count: int,
        simulations: int,
        chance: Stream,
        choices: Stream,
    ) -> int:
        """Choose one of several legal actions for the view at ROOT."""
        for tree in range(count):
            t = trees[tree]
            t.used = 0
            new_node(t, NONE, self.game.to_move(states[ROOT]), NONE)
            for simulation in range(simulations):
                world = simulation * count + tree
                copy_state(states, ROOT, WORLD)
                use_stream(chance, t, world, DEALING)
                self.game.deal_unseen(states[WORLD], chance)
                use_stream(chance, t, world, CHANCE)
                use_stream(choices, t, world, CHOICES)
                self.simulate_in_tree(states, actions, t, chance, choices)
        legal = self.options(states[ROOT], actions)
        best = 0
        for number in range(1, legal):
            if visits_in(trees, count, actions[number]) > visits_in(trees, count, actions[best]):
                best = number
        return actions[best]
