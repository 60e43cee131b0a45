"""The tree below the candidates: what their seat does next, and perhaps what the others do.

Chance and hidden things are never nodes: a node is the actions that led to it.  In a node the
policy's choice is tried first, its next choices join as visits grow, and among those that are legal
in the world at hand the best bound decides.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.search.policy import pick
from archipel.bots.search.thinking import NODES, NONE, Thinking
from archipel.rules.kit import Stream, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.numbers import logarithm, root
from archipel.rules.slots import GameState

#: Instead of an action: whatever the policy chooses in the world at hand.
HABIT: Final = -2


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
def best_child(
    t: Thinking, node: int, mover: int, first: int, actions: list[int], count: int
) -> int:
    """Of the children for these actions, the one with the best bound; ``first``, if there is one,
    is another, which is taken if it is level."""
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
    best = NONE
    known = best_child(t, node, mover, NONE, actions, count)
    if known >= 0:
        best = t.key[known]
    if best == NONE or t.children[node] < 1.0 + t.widen * root(t.tried[node]):
        left = leave_untried(t, node, mover, actions, count)
        if left > 0:
            bot = t.policy if mover == t.me else t.others
            best = actions[pick(s, bot, actions, left, choices)]
            new_node(t, node, mover, best)
    return best


@rule
def leave_other(actions: list[int], count: int, wished: int) -> int:
    """Shorten a list of actions to those that are not wished for; how many there are."""
    left = 0
    for number in range(count):
        if actions[number] != wished:
            actions[left] = actions[number]
            left += 1
    return left


@rule_apart
def place_for(
    s: GameState,
    t: Thinking,
    node: int,
    mover: int,
    wished: int,
    actions: list[int],
    count: int,
    choices: Stream,
) -> int:
    """The child to try in a node whose first place is for what the policy wishes, whatever that is:
    an old one, or if it is time for that a new one, if there is room. The list is used up."""
    habit = child_of(t, node, mover, HABIT)
    if habit == NONE:
        return new_node(t, node, mover, HABIT)
    best = best_child(t, node, mover, habit, actions, count)
    if t.children[node] < 1.0 + t.widen * root(t.tried[node]):
        left = leave_untried(t, node, mover, actions, count)
        left = leave_other(actions, left, wished)
        if left > 0:
            return new_node(t, node, mover, actions[pick(s, t.ideas, actions, left, choices)])
    return best
