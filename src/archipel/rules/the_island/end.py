"""The end and the score (chapter End and score)."""

from __future__ import annotations

from archipel.rules.hex_sea.places import LOST, WAITING
from archipel.rules.hex_sea.turn import Ranking
from archipel.rules.kit import rule, rule_apart
from archipel.rules.the_island.components import EXPLORERS, PER_COLOUR
from archipel.rules.the_island.explorers import is_saved, lose
from archipel.rules.the_island.state import NOTHING, UNKNOWN, Phase, State, colours_in_play


@rule
def nobody_left(s: State) -> bool:
    """IS-E3: whether every explorer is saved or lost."""
    for seat in range(s.seats):
        if s.left[seat] > 0:
            return False
    return True


@rule_apart
def end_game(s: State, ending: int) -> None:
    """IS-E1: end the game; explorers who are not on a safe island are lost."""
    for explorer in range(EXPLORERS):
        place = s.place[explorer]
        if place != LOST and place != WAITING and not is_saved(s, explorer):
            lose(s, explorer)
    s.ending = ending
    s.phase = Phase.OVER
    s.to_move = s.turn
    s.points = 0
    s.steps = 0
    s.chosen = NOTHING
    s.die = UNKNOWN
    s.sea_stepped = 0
    s.wet_moved = 0


@rule_apart
def score(s: State, seat: int) -> int:
    """IS-E2: the sum of the values of saved explorers; under IS-V3 each counts 1."""
    points = 0
    for colour in range(seat, colours_in_play(s), s.seats):
        for explorer in range(colour * PER_COLOUR, (colour + 1) * PER_COLOUR):
            if is_saved(s, explorer):
                points += s.value[explorer]
    return points


rank = Ranking(score).rank  # IS-E2: equal totals share the place
