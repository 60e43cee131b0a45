"""The tree below the candidates: what their seat does next, and perhaps what the others do.

Chance and hidden things are never nodes: a node is the actions that led to it.  In a node the
policy's choice is tried first, others join it as visits grow, and among those that are legal in the
world at hand the best bound decides.
"""

from __future__ import annotations

from archipel.bots.search.thinking import NODES, NONE, Thinking
from archipel.rules.kit import Stream, draw, rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.kit.numbers import logarithm, root


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
    t.hint[node] = NONE
    t.tried[node] = 0
    t.offered[node] = 0
    t.total[node] = 0.0
    if above >= 0:
        t.following[node] = t.first[above]
        t.first[above] = node
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


@rule_apart
def select(
    t: Thinking, node: int, mover: int, actions: list[int], count: int, choices: Stream
) -> int:
    """The action to try in a node that was visited before: an old one, or a new one if it is time
    for that."""
    best = NONE
    highest = -1.0
    known = 0
    for number in range(count):
        child = child_of(t, node, mover, actions[number])
        if child >= 0:
            known += 1
            t.offered[child] += 1
            bound = bound_of(t, child)
            if bound > highest:
                highest = bound
                best = actions[number]
    if known < count and (known == 0 or known < 1.0 + t.widen * root(t.tried[node])):
        skip = draw(choices, count - known)
        for number in range(count):
            if child_of(t, node, mover, actions[number]) < 0:
                if skip == 0:
                    best = actions[number]
                skip -= 1
    return best
