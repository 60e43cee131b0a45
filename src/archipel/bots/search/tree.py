"""The tree below the candidates: what their seat does next, and perhaps what the others do.

Chance and hidden things are never nodes: a node is the actions that led to it.  In a node the
policy's choice is tried first, its next choices join as visits grow, and among those that are legal
in the world at hand the best bound decides.
"""

from __future__ import annotations

from archipel.bots.search.policy import pick
from archipel.bots.search.thinking import NODES, NONE, Thinking
from archipel.rules.kit import Stream, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.numbers import logarithm, root
from archipel.rules.slots import GameState


@rule
def new_node(t: Thinking, above: int, mover: int, action: int) -> int:
    """A node below another, or NONE where there is no room."""
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
def child_of(t: Thinking, node: int, mover: int, action: int) -> int:
    child = t.first[node]
    while child >= 0 and (t.key[child] != action or t.mover[child] != mover):
        child = t.following[child]
    return child


@rule
def bound_of(t: Thinking, child: int) -> float:
    """How good an action may be: its mean, and more the less often it was tried."""
    tried = max(1, t.tried[child])
    return (
        t.total[child] / tried
        + t.explore * root(int(1_000_000.0 * logarithm(t.offered[child] + 1) / tried)) / 1000.0
    )


@rule
def best_known(t: Thinking, node: int, mover: int, actions: list[int], count: int) -> int:
    """Of the actions tried before, the one with the best bound."""
    best = NONE
    highest = -1.0
    for number in range(count):
        child = child_of(t, node, mover, actions[number])
        if child >= 0:
            t.offered[child] += 1
            bound = bound_of(t, child)
            if bound > highest:
                highest = bound
                best = actions[number]
    return best


@rule
def leave_untried(t: Thinking, node: int, mover: int, actions: list[int], count: int) -> int:
    """Shorten a list of actions to those not tried yet; how many there are."""
    left = 0
    for number in range(count):
        if child_of(t, node, mover, actions[number]) < 0:
            actions[left] = actions[number]
            left += 1
    return left


@rule_apart
def select(
    s: GameState,
    t: Thinking,
    node: int,
    mover: int,
    actions: list[int],
    count: int,
    choices: Stream,
) -> int:
    """The action to try in a node: an old one, or if it is time for that the one that the policy
    likes best of the new, which then has a child (if there is room). The list is used up."""
    best = best_known(t, node, mover, actions, count)
    if best == NONE or t.children[node] < 1.0 + t.widen * root(t.tried[node]):
        left = leave_untried(t, node, mover, actions, count)
        if left > 0:
            best = actions[pick(s, t.policy, actions, left, choices)]
            new_node(t, node, mover, best)
    return best
