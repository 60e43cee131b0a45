"""The end of the game (chapter End)."""

from __future__ import annotations

from archipel.rules.atlantis.components import PER_TRIBE
from archipel.rules.atlantis.people import is_saved
from archipel.rules.atlantis.state import NOTHING, UNKNOWN, Phase, State
from archipel.rules.hex_sea.turn import Ranking
from archipel.rules.kit import rule, rule_apart


@rule
def somebody_is_done(s: State) -> bool:
    """AT-E1: whether a player has nobody left on the island, in a boat or in the water; AT-E4: or
    nobody at all has."""
    left = 0
    for seat in range(s.seats):
        if is_done(s, seat):
            return True
        left += s.left[seat]
    return left == 0


@rule
def is_done(s: State, seat: int) -> bool:
    """AT-E1: whether a player has nobody left; by option only one who saved somebody."""
    return s.left[seat] == 0 and (s.wiped_out_ends != 0 or score(s, seat) > 0)


@rule
def end_game(s: State, ending: int) -> None:
    """End the game at once (AT-E1); all pieces stay where they are (AT-E3)."""
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
    """AT-E2: the number of people on the Coral Islands."""
    saved = 0
    for person in range(seat * PER_TRIBE, (seat + 1) * PER_TRIBE):
        if is_saved(s, person):
            saved += 1
    return saved


rank = Ranking(score).rank  # AT-E2: equal scores share a rank
