"""What a search keeps while it thinks: its plan, its candidates and their record so far, its tree.

A search is one or more *strands*, each with a `Thinking` and a tree of its own; what they found is
added up.  How many threads or processes work on them makes no difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, scalar, state

MOST_CANDIDATES: Final = 512
MOST_SEATS: Final = 10
MOST_FEATURES: Final = 96
NODES: Final = 4096
DEEPEST: Final = 64

NONE: Final = -1


@state
@dataclass(slots=True)
class Thinking:
    """One strand of a search."""

    # ---- the plan (see `archipel.bots.search.plan`) ----
    simulations: int = scalar("i8")
    policy: int = scalar("i4")
    playout: int = scalar("i4")
    others: int = scalar("i4")
    horizon: int = scalar("i4")
    depth: int = scalar("i4")
    rivals: int = scalar("i4")
    habit: int = scalar("i4")
    ideas: int = scalar("i4")
    explore: float = scalar("f8")
    widen: float = scalar("f8")
    shortlist: int = scalar("i4")
    trust: float = scalar("f8")
    margin: float = scalar("f8")
    scale: float = scalar("f8")
    sure: float = scalar("f8")
    overlook: int = scalar("i4")
    blunder: float = scalar("f8")
    features: int = scalar("i4")
    weights: list[float] = array("f8", MOST_FEATURES)
    # ---- the decision ----
    seed: int = scalar("u8")
    seats: int = scalar("i4")
    me: int = scalar("i4")
    count: int = scalar("i4")
    advice: int = scalar("i4", NONE)  # the number of the candidate that the policy would choose
    candidate: list[int] = array("i4", MOST_CANDIDATES)
    visits: list[int] = array("i8", MOST_CANDIDATES)
    worth: list[float] = array("f8", MOST_CANDIDATES)  # the sum of rewards...
    squares: list[float] = array("f8", MOST_CANDIDATES)  # ...and of their squares
    won: list[float] = array("f8", MOST_CANDIDATES)  # and of first places alone
    # ---- the schedule ----
    order: list[int] = array("i4", MOST_CANDIDATES)  # candidates by number, those in the race first
    alive: int = scalar("i4")
    world: int = scalar("i8")  # the number of the world at hand
    until: int = scalar("i8")  # the first one that belongs to the next round
    turn: int = scalar("i4")  # whose turn it is in it, in `order`
    # ---- one simulation ----
    reward: list[float] = array("f8", MOST_SEATS)
    share: list[float] = array("f8", MOST_SEATS)
    # ---- the tree below the candidates ----
    used: int = scalar("i4")
    below: list[int] = array("i4", MOST_CANDIDATES)  # each candidate's node
    key: list[int] = array("i4", NODES)  # the action that leads here
    first: list[int] = array("i4", NODES)  # child
    following: list[int] = array("i4", NODES)  # sibling
    mover: list[int] = array("i4", NODES)  # who played that action
    children: list[int] = array("i4", NODES)  # how many
    tried: list[int] = array("i4", NODES)
    offered: list[int] = array("i4", NODES)  # how often it was legal when another was tried
    total: list[float] = array("f8", NODES)  # as of a candidate: rewards, squares, first places
    total_squares: list[float] = array("f8", NODES)
    total_won: list[float] = array("f8", NODES)
    # Last, since what is written at every simulation must not lie beside the next strand's record:
    # threads would wait for each other.
    path: list[int] = array("i4", DEEPEST)
