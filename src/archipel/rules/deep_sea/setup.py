"""Setting up the game and each round (chapter Set-up)."""

from __future__ import annotations

from archipel.rules.deep_sea.components import CHIPS, FULL_AIR
from archipel.rules.deep_sea.knowledge import deal_unseen
from archipel.rules.deep_sea.state import DISC, NOBODY, SUBMARINE, UNKNOWN, Phase, State
from archipel.rules.kit import Chance, draw, rule


@rule
def set_up(s: State, chance: Chance) -> None:
    """DS-S1: lay out the line of 32 chips, shuffled within each level."""
    s.line_length = CHIPS
    for chip in range(CHIPS):
        s.line[chip] = 1 << chip
        s.value[chip] = UNKNOWN
    deal_unseen(s, chance)
    first = s.starter
    if first == NOBODY:
        first = draw(chance, s.seats)
    start_round(s, first)


@rule
def start_round(s: State, first: int) -> None:
    """DS-S2, DS-E6: 25 air, and all divers in the submarine, facing out."""
    s.phase = Phase.THROW
    s.to_move = first
    s.starter = NOBODY
    s.air = FULL_AIR
    s.idle_turns = 0
    s.stirred = 0
    s.pile_room = 0
    for diver in range(s.seats):
        s.place[diver] = SUBMARINE
        s.turned[diver] = 0
        s.home[diver] = 0
        s.load[diver] = 0
        for slot in range(len(s.hand[diver])):
            s.hand[diver][slot] = DISC
