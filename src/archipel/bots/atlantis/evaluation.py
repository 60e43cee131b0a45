"""Evaluation features of a tribe: people ashore, and the others by their progress to it.

Each feature appears twice: as it is, and multiplied by the fraction of the island that is gone.
"""

from __future__ import annotations

from typing import Final

from archipel.bots.atlantis import rescue_values as values
from archipel.rules.atlantis.board import PIECES, SPACES
from archipel.rules.atlantis.components import MONSTER, OCTOPUS, PER_TRIBE, SHARK
from archipel.rules.atlantis.end import score
from archipel.rules.atlantis.moving import can_board
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.state import DOLPHIN_BIT, State
from archipel.rules.hex_sea.boats import boat_in, controls, is_sea
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart

KINDS: Final = 21
FEATURES: Final = 2 * KINDS

TURN: Final = 0
SAVED: Final = 1
LEFT: Final = 2
CLOSING: Final = 3  # the lead, scaled up when a tribe is about to run out of people (AT-E1)
SAILING: Final = 4  # aboard: number, distance, others' control, danger, at a landing, value
SWIMMING: Final = 10  # swimming: number, distance, danger, dolphin, boat, at a landing, value
STANDING: Final = 17  # on land: number, value by `rescue_values`, high value, distance


@rule
def add_person(s: State, seat: int, person: int, features: list[float]) -> None:
    place = s.place[person]
    if is_saved(s, person) or place >= LOST:
        return
    space = s.boat[place - ABOARD] if place >= ABOARD else place
    if space >= SPACES:
        return
    monsters = 0.1 * values.danger(s, MONSTER, space, 3, 1)
    at_landing = 0.1 if values.TO_LANDING[space] == 0 else 0.0
    if place >= ABOARD:
        features[SAILING] += 0.1
        features[SAILING + 1] += 0.01 * values.TO_LANDING[space]
        if not controls(s, place - ABOARD, seat):
            features[SAILING + 2] += 0.1
        features[SAILING + 3] += monsters + 0.1 * values.danger(s, OCTOPUS, space, 2, 1)
        features[SAILING + 4] += at_landing
        features[SAILING + 5] += 0.0001 * values.aboard(s, space)
    elif is_sea(s, space):
        features[SWIMMING] += 0.1
        features[SWIMMING + 1] += 0.01 * values.TO_LANDING[space]
        features[SWIMMING + 2] += monsters + 0.1 * values.danger(s, SHARK, space, 3, 1)
        if s.space[space] & DOLPHIN_BIT != 0:
            features[SWIMMING + 3] += 0.1
        if can_board(s, boat_in(s, space)):
            features[SWIMMING + 4] += 0.1
        features[SWIMMING + 5] += at_landing
        features[SWIMMING + 6] += 0.0001 * values.swimming(s, space)
    else:
        worth = values.on_land(s, values.roomy_boats(s), space)
        features[STANDING] += 0.1
        features[STANDING + 1] += 0.0001 * worth
        features[STANDING + 2] += 0.1 * max(0.0, 0.001 * worth - 0.5)
        features[STANDING + 3] += 0.01 * values.TO_LANDING[space]


@rule_apart
def evaluate_1(s: State, seat: int, features: list[float]) -> int:
    """See `archipel.bots.contract.BotRules.evaluate`."""
    for feature in range(FEATURES):
        features[feature] = 0.0
    for person in range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE):
        add_person(s, seat, person, features)
    fewest = PER_TRIBE
    best = 0
    for other in range(s.seats):
        fewest = min(fewest, s.left[other])
        if other != seat:
            best = max(best, score(s, other))
    saved = score(s, seat)
    features[TURN] = 1.0 if s.turn == seat else 0.0
    features[SAVED] = 0.1 * saved
    features[LEFT] = 0.1 * s.left[seat]
    features[CLOSING] = 0.5 * (saved - best) / (1.0 + fewest)
    land = 0
    for terrain in range(len(s.land_left)):
        land += s.land_left[terrain]
    gone = 1.0 - land / PIECES
    for kind in range(KINDS):
        features[KINDS + kind] = gone * features[kind]
    return FEATURES
