"""The working memory of a search: settings, candidates with their statistics, and the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from archipel.rules.kit import array, scalar, state

MOST_CANDIDATES: Final = 512
MOST_SEATS: Final = 10
MOST_FEATURES: Final = 96
HIDDEN_1: Final = 32
HIDDEN_2: Final = 16
#: Of a net with `MOST_FEATURES` inputs; a linear evaluation has one per feature.
MOST_WEIGHTS: Final = 3648
NODES: Final = 4096
DEEPEST: Final = 64

NONE: Final = -1


@state
@dataclass(slots=True)
class SearchState:
    """Memory of one search tree."""

    # ---- settings (see `archipel.bots.search.config`) ----
    simulations: int = scalar("i8")
    policy: int = scalar("i4")
    rollout_policy: int = scalar("i4")
    opponent_policy: int = scalar("i4")
    horizon: int = scalar("i4")
    depth: int = scalar("i4")
    opponent_nodes: int = scalar("i4")
    outcome_nodes: int = scalar("i4")
    rollout_prior: int = scalar("i4")
    proposal_policy: int = scalar("i4")
    exploration: float = scalar("f8")
    progressive_widening: float = scalar("f8")
    shortlist: int = scalar("i4")
    prior_weight: float = scalar("f8")
    margin: float = scalar("f8")
    margin_scale: float = scalar("f8")
    elimination_z: float = scalar("f8")
    overlook: int = scalar("i4")
    blunder: float = scalar("f8")
    lookahead: int = scalar("i4")
    net: int = scalar("i4")  # whether the evaluation is a net
    features: int = scalar("i4")
    weights: list[float] = array("f8", MOST_WEIGHTS)
    # ---- the decision ----
    seed: int = scalar("u8")
    seats: int = scalar("i4")
    me: int = scalar("i4")
    count: int = scalar("i4")
    advice: int = scalar("i4", NONE)  # number of the policy's choice
    candidate: list[int] = array("i4", MOST_CANDIDATES)
    visits: list[int] = array("i8", MOST_CANDIDATES)
    worth: list[float] = array("f8", MOST_CANDIDATES)  # sum of rewards
    squares: list[float] = array("f8", MOST_CANDIDATES)  # sum of squared rewards
    won: list[float] = array("f8", MOST_CANDIDATES)  # sum of shares of first place
    # ---- the schedule ----
    order: list[int] = array("i4", MOST_CANDIDATES)  # candidate numbers, the remaining ones first
    alive: int = scalar("i4")
    world: int = scalar("i8")  # number of the current world
    until: int = scalar("i8")  # first world of the next round
    turn: int = scalar("i4")  # index in `order` of the next candidate in it
    # ---- one simulation ----
    reward: list[float] = array("f8", MOST_SEATS)
    share: list[float] = array("f8", MOST_SEATS)
    layer_1: list[float] = array("f8", HIDDEN_1)
    layer_2: list[float] = array("f8", HIDDEN_2)
    # ---- the tree below the candidates ----
    used: int = scalar("i4")
    below: list[int] = array("i4", MOST_CANDIDATES)  # node of each candidate
    key: list[int] = array("i4", NODES)  # action that leads here
    first: list[int] = array("i4", NODES)  # child
    following: list[int] = array("i4", NODES)  # sibling
    mover: list[int] = array("i4", NODES)  # seat that played it
    children: list[int] = array("i4", NODES)  # their number
    tried: list[int] = array("i4", NODES)
    offered: list[int] = array("i4", NODES)  # how often it was legal here
    total: list[float] = array("f8", NODES)  # sums as for a candidate
    total_squares: list[float] = array("f8", NODES)
    total_won: list[float] = array("f8", NODES)
    # Last, because it is written in every simulation: next to another thread's fields it would
    # cause false sharing.
    path: list[int] = array("i4", DEEPEST)
