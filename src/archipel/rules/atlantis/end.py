"""The end (chapter End)."""

from __future__ import annotations

from archipel.rules.atlantis.components import PER_TRIBE
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Phase, State
from archipel.rules.hex_sea.turn import Ranking
from archipel.rules.kit import rule, rule_apart


@rule
def somebody_is_done(s: State) -> bool:
    """AT-E1: a player with nobody on the island, in a boat or in the water."""
    for seat in range(s.seats):
        if s.left[seat] == 0:
            return True
    return False


@rule
def end_game(s: State, ending: int) -> None:
    """Everything stays as it stands (AT-E3), but no further step follows (AT-E1)."""
    s.ending = ending
    s.phase = Phase.OVER
    s.points = 0
    s.chosen = NOTHING
    s.spun = UNKNOWN
    s.part = 0
    s.steps = 0
    s.origin = NOTHING


@rule_apart
def score(s: State, seat: int) -> int:
    """AT-E2: how many are on the Coral Islands."""
    saved = 0
    for person in range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE):
        if is_saved(s, person):
            saved += 1
    return saved


# AT-E2: equal ones share a place, whoever ended the game.
rank = Ranking(score).rank
