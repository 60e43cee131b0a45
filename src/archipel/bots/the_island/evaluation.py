"""Evaluation features of a seat: the values of its explorers by their progress to safety.

Each feature appears twice: as it is, and multiplied by the fraction of the island that is gone.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.the_island import rescue_chances as chances
from archipel.rules.hex_sea.boats import boat_in, controls, has_room, is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST, NO_BOAT
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.the_island.board import SPACES, TILE_OF, TILES
from archipel.rules.the_island.components import PER_COLOUR
from archipel.rules.the_island.state import State, colours_in_play, hand_size

KINDS: Final = 21
FEATURES: Final = 2 * KINDS

MEAN_VALUE: Final = 2.8

# Indices of the features.
TURN: Final = 0
SAVED: Final = 1
HOPED: Final = 2  # expected, by `rescue_chances`
LEFT: Final = 3
HAND: Final = 4
SAILING: Final = 5  # value aboard; distance, others' control, danger, at an exit
SWIMMING: Final = 10  # value swimming; distance, danger, with a boat, at an exit
STANDING: Final = 15  # value on land; near a boat, on lasting tiles, distance
LEADING: Final = 19  # expected value against the best opponent

# Leads are capped at these values, in tens of points.
SMALL_LEAD: Final = 0.4
LARGE_LEAD: Final = 1.2


@rule
def value_of_explorer(s: State, explorer: int) -> float:
    if s.all_equal != 0 or s.value[explorer] <= 0:
        return MEAN_VALUE / 10.0
    return s.value[explorer] / 10.0


@rule
def add_explorer(s: State, boats: int, seat: int, explorer: int, features: list[float]) -> None:
    value = value_of_explorer(s, explorer)
    place = s.place[explorer]
    features[HOPED] += value * chances.of_explorer(s, boats, explorer) / 1000.0
    if place >= LOST:
        return
    if place >= ABOARD:
        space = s.boat[place - ABOARD]
        features[SAILING] += value
        features[SAILING + 1] += value * chances.TO_EXIT[space] / 10.0
        if not controls(s, place - ABOARD, seat):
            features[SAILING + 2] += value
        features[SAILING + 3] += value * chances.danger(s, space, True) / 200.0
        if chances.TO_EXIT[space] == 0:
            features[SAILING + 4] += value
    elif place >= SPACES:
        features[SAVED] += value
    elif is_sea(s, place):
        features[SWIMMING] += value
        features[SWIMMING + 1] += value * chances.TO_EXIT[place] / 10.0
        features[SWIMMING + 2] += value * chances.danger(s, place, False) / 200.0
        boat = boat_in(s, place)
        if boat != NO_BOAT and has_room(s, boat):
            features[SWIMMING + 3] += value
        if chances.TO_EXIT[place] == 0:
            features[SWIMMING + 4] += value
    else:
        features[STANDING] += value
        features[STANDING + 1] += value * max(0, chances.by_boat(s, boats, place)) / 1000.0
        features[STANDING + 2] += value * s.terrain[TILE_OF[place]] / 2.0
        features[STANDING + 3] += value * chances.TO_EXIT[place] / 10.0


@rule_apart
def outlook_of(s: State, boats: int, seat: int) -> float:
    """The value that a seat can expect to save, by `rescue_chances`."""
    total = 0.0
    for colour in range(seat, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if s.place[explorer] < LOST:
                value = value_of_explorer(s, explorer)
                total += value * chances.of_explorer(s, boats, explorer) / 1000.0
    return total


@rule_apart
def evaluate_1(s: State, seat: int, features: list[float]) -> int:
    """See `archipel.bots.contract.BotRules.evaluate`."""
    for feature in range(FEATURES):
        features[feature] = 0.0
    boats = chances.roomy_boats(s)
    for colour in range(seat, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            add_explorer(s, boats, seat, explorer, features)
    best = 0.0
    for other in range(s.seats):
        if other != seat:
            best = max(best, outlook_of(s, boats, other))
    lead = features[HOPED] - best
    features[LEADING] = max(-1.0, min(1.0, lead / SMALL_LEAD))
    features[LEADING + 1] = max(-1.0, min(1.0, lead / LARGE_LEAD))
    features[TURN] = 1.0 if s.turn == seat else 0.0
    features[LEFT] = s.left[seat] / 10.0
    features[HAND] = hand_size(s, seat) / 5.0
    land = 0
    for terrain in range(len(s.land_left)):
        land += s.land_left[terrain]
    gone = 1.0 - land / TILES
    for kind in range(KINDS):
        features[KINDS + kind] = gone * features[kind]
    return FEATURES
