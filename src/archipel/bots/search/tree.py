"""The search tree below the root candidates.

A node is a sequence of actions: chance and hidden information are sampled, not branched on, except
for outcomes of chance that the game tells apart (`outcome_nodes`). A node tries the policy's choice
first and adds its next choices as visits grow (progressive widening). Among the children that are
legal in the sampled world, the highest upper confidence bound wins.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.rewards import Rewards
from archipel.bots.search.search_state import NODES, NONE, SearchState
from archipel.rules.game_rules import GameState
from archipel.rules.kit import Stream, draw, rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.kit.core.numbers import logarithm, root

#: The key of the child that stands for the policy's choice in the sampled world.
POLICY_CHOICE: Final = -2

#: The key of the node of outcome 0; those of other outcomes are smaller.
FIRST_OUTCOME: Final = -3


@rule
def new_node(t: SearchState, above: int, mover: int, action: int) -> int:
    """Add a node below another; return it, or NONE if the tree is full."""
    node = t.used
    if node >= NODES:
        return NONE
    t.used = node + 1
    t.key[node] = action
    t.mover[node] = mover
    t.first[node] = NONE
    t.following[node] = NONE
    t.children[node] = 0
    t.tried[node] = 0
    t.offered[node] = 0
    t.total[node] = 0.0
    t.total_squares[node] = 0.0
    t.total_won[node] = 0.0
    if above >= 0:
        t.following[node] = t.first[above]
        t.first[above] = node
        t.children[above] += 1
    return node


@rule
def child_of(t: SearchState, node: int, mover: int, action: int) -> int:
    child = t.first[node]
    while child >= 0 and (t.key[child] != action or t.mover[child] != mover):
        child = t.following[child]
    return child


@rule
def bound_of(t: SearchState, child: int) -> float:
    """The upper confidence bound of a child."""
    tried = max(1, t.tried[child])
    return (
        t.total[child] / tried
        + t.exploration * root(int(1_000_000.0 * logarithm(t.offered[child] + 1) / tried)) / 1000.0
    )


@rule
def best_child(
    t: SearchState, node: int, mover: int, first: int, actions: list[int], count: int
) -> int:
    """Return the child with the highest bound among these actions and ``first`` (unless NONE).

    ``first`` wins ties.
    """
    best = first
    highest = -1.0
    if first >= 0:
        t.offered[first] += 1
        highest = bound_of(t, first)
    for number in range(count):
        child = child_of(t, node, mover, actions[number])
        if child >= 0:
            t.offered[child] += 1
            bound = bound_of(t, child)
            if bound > highest:
                highest = bound
                best = child
    return best


@rule
def leave_untried(
    t: SearchState, node: int, mover: int, policy_action: int, actions: list[int], count: int
) -> int:
    """Keep the actions without a child, except ``policy_action``; return their number."""
    left = 0
    for number in range(count):
        if actions[number] != policy_action and child_of(t, node, mover, actions[number]) < 0:
            actions[left] = actions[number]
            left += 1
    return left


class Tree(Rewards):
    """The tree below the candidates, and the policies that it uses."""

    @rule_apart
    def select(
        self,
        s: GameState,
        t: SearchState,
        node: int,
        mover: int,
        actions: list[int],
        count: int,
        choices: Stream,
    ) -> int:
        """Return the action to try in a node, and add a child for it if it is new.

        Progressive widening decides when to add the policy's choice among the untried actions.
        Overwrites ``actions``.
        """
        best = NONE
        known = best_child(t, node, mover, NONE, actions, count)
        if known >= 0:
            best = t.key[known]
        if best == NONE or t.children[node] < 1.0 + t.progressive_widening * root(t.tried[node]):
            left = leave_untried(t, node, mover, NONE, actions, count)
            if left > 0:
                bot = t.policy if mover == t.me else t.opponent_policy
                best = actions[self.pick(s, bot, actions, left, choices)]
                new_node(t, node, mover, best)
        return best

    @rule_apart
    def select_against_policy(
        self,
        s: GameState,
        t: SearchState,
        node: int,
        mover: int,
        policy_action: int,
        actions: list[int],
        count: int,
        choices: Stream,
    ) -> int:
        """Return the child to try in a node whose first child stands for the policy's choice.

        ``policy_action`` is the policy's choice in this world. Progressive widening decides when to
        add another, proposed action. Overwrites ``actions``.
        """
        policy_child = child_of(t, node, mover, POLICY_CHOICE)
        if policy_child == NONE:
            return new_node(t, node, mover, POLICY_CHOICE)
        best = best_child(t, node, mover, policy_child, actions, count)
        if t.children[node] < 1.0 + t.progressive_widening * root(t.tried[node]):
            left = leave_untried(t, node, mover, policy_action, actions, count)
            if left > 0:
                return new_node(
                    t, node, mover, actions[self.pick(s, t.proposal_policy, actions, left, choices)]
                )
        return best

    @rule_apart
    def node_of_outcome(self, s: GameState, t: SearchState, node: int) -> int:
        """Return the node below another for what chance led to; NONE if the tree is full."""
        key = FIRST_OUTCOME - self.bots.outcome(s)
        child = child_of(t, node, t.me, key)
        return child if child >= 0 else new_node(t, node, t.me, key)

    @rule_apart
    def ask(self, s: GameState, bot: int, actions: list[int], count: int, choices: Stream) -> int:
        return self.bots.choose(s, bot, actions, count, choices)

    @rule
    def pick(self, s: GameState, bot: int, actions: list[int], count: int, choices: Stream) -> int:
        """Return the index of the policy's choice in a list of actions.

        A policy may choose a legal action that is not in the list; then the index is random.
        """
        chosen = self.ask(s, bot, actions, count, choices)
        for number in range(count):
            if actions[number] == chosen:
                return number
        return draw(choices, count)
