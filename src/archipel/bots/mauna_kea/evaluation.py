"""Evaluation features of a seat: points, loads and distances to boats, explorers without a load.

Each feature appears twice: as it is, and multiplied by the fraction of the bag that is gone.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.mauna_kea import plans
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import carrier
from archipel.rules.mauna_kea.components import Tile
from archipel.rules.mauna_kea.end import score
from archipel.rules.mauna_kea.grid import DIRECTIONS, NEXT_CELL, NOWHERE
from archipel.rules.mauna_kea.reach import clear_reach, is_marked
from archipel.rules.mauna_kea.state import OWNED, Ending, Phase, State, explorers_on_island
from archipel.rules.mauna_kea.tiles import tiles_in_bag

KINDS: Final = 21
FEATURES: Final = 2 * KINDS
BAG: Final = sum(box.COUNT[: box.BAG_KINDS])

TURN: Final = 0
SCORE: Final = 1
OUT: Final = 2  # explorers on the island
TILES: Final = 3  # points in front
ENDING: Final = 4
LOADED: Final = 5  # loaded explorers and their value, by distance to a boat
NEAR: Final = 8
MIDDLE: Final = 10
DISTANT: Final = 12
CUT_OFF: Final = 14
EMPTY: Final = 16  # empty explorers, distance to an artefact and to a boat
LEADING: Final = 19
SAVED: Final = 20

# In ticks; a turn covers about five.
A_TURN: Final = 5
TWO_TURNS: Final = 10


@rule
def is_reached(s: State, cell: int) -> bool:
    """Whether the wave has reached a cell or one next to it."""
    if is_marked(s, cell):
        return True
    for direction in range(DIRECTIONS):
        beside = NEXT_CELL[direction][cell]
        if beside != NOWHERE and is_marked(s, beside):
            return True
    return False


@rule_apart
def add_ways(s: State, seat: int, goal: int, features: list[float]) -> None:
    """Add the distances of a seat's explorers to a goal, with one wave for all."""
    plans.mark_goals(s, goal, 0)
    found = 0
    ticks = 0
    idle = 0
    while ticks < plans.FAR and idle < 2:
        waiting = False
        for explorer in range(box.MOST_EXPLORERS):
            place = s.explorer[seat][explorer]
            if place >= 0 and found >> explorer & 1 == 0:
                if is_reached(s, place):
                    found |= 1 << explorer
                    add_way(s, seat, explorer, goal, ticks, features)
                else:
                    waiting = True
        if not waiting:
            break
        idle = 0 if plans.spread_wave(s, ticks) else idle + 1
        ticks += 1
    plans.clear_wave(s)
    for explorer in range(box.MOST_EXPLORERS):
        if s.explorer[seat][explorer] >= 0 and found >> explorer & 1 == 0:
            add_way(s, seat, explorer, goal, plans.FAR, features)


@rule
def add_way(
    s: State, seat: int, explorer: int, goal: int, ticks: int, features: list[float]
) -> None:
    at = carrier(seat, explorer)
    value = 0
    for artefact in range(box.ARTEFACTS):
        if s.artefact[artefact] == at:
            value += box.ARTEFACT_VALUE[box.COLOUR[artefact]]
    if value == 0:
        if goal == plans.ARTEFACT:
            features[EMPTY] += 0.2
            features[EMPTY + 1] += 0.2 * min(2.0, ticks / 10.0)
        else:
            features[EMPTY + 2] += 0.2 * min(2.0, ticks / 10.0)
        return
    if goal == plans.ARTEFACT:
        return
    features[LOADED] += 0.2
    features[LOADED + 1] += value / 10.0
    features[LOADED + 2] += value / 10.0 * min(2.0, ticks / 10.0)
    kind = CUT_OFF
    if ticks <= A_TURN:
        kind = NEAR
    elif ticks <= TWO_TURNS:
        kind = MIDDLE
    elif ticks < plans.FAR:
        kind = DISTANT
    features[kind] += 0.2
    features[kind + 1] += value / 10.0


@rule_apart
def evaluate_1(s: State, seat: int, features: list[float]) -> int:
    """See `archipel.bots.contract.BotRules.evaluate`.

    While a card shows its reachable cells, the memory for waves is in use, so distances are 0.
    """
    for feature in range(FEATURES):
        features[feature] = 0.0
    if s.phase != Phase.CARD_CELL:
        plans.survey(s)
        add_ways(s, seat, plans.ANY_BOAT, features)
        add_ways(s, seat, plans.ARTEFACT, features)
        clear_reach(s)
    points = score(s, seat)
    best = -100
    for other in range(s.seats):
        if other != seat:
            best = max(best, score(s, other))
    features[TURN] = 1.0 if s.to_move == seat else 0.0
    features[SCORE] = points / 10.0
    features[OUT] = explorers_on_island(s, seat) / 5.0
    features[ENDING] = 1.0 if s.ending != Ending.NOT_YET and s.to_move == seat else 0.0
    features[LEADING] = max(-1.0, min(1.0, (points - best) / 5.0))
    for place in range(box.MOST_TILES):
        if s.front[seat][place] != Tile.NONE:
            features[TILES] += box.POINTS[s.front[seat][place]] / 5.0
    for boat in range(box.BOATS):
        if s.boat[boat] == OWNED + seat:
            features[SAVED] += 0.2
    gone = 1.0 - tiles_in_bag(s) / BAG
    for kind in range(KINDS):
        features[KINDS + kind] = gone * features[kind]
    return FEATURES
