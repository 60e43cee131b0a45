"""The knowledge of each seat, and possible worlds for it (AT-S6)."""

from __future__ import annotations

from archipel.rules.atlantis.board import CENTRE, PIECE_SPACES, PIECES, SPACES, TERRAIN_OF
from archipel.rules.atlantis.box_files import TERRAINS
from archipel.rules.atlantis.components import CENTRE_SYMBOL, SYMBOL_COUNTS
from archipel.rules.atlantis.sea import SEA
from archipel.rules.atlantis.state import UNKNOWN, Phase, State
from archipel.rules.hex_sea.boats import is_sea
from archipel.rules.hex_sea.counts import COUNT_BITS, nth_counted
from archipel.rules.hex_sea.places import LAND
from archipel.rules.kit import Chance, draw, rule, shared

view_of_sea = SEA.view_of_sea  # AT-S6


@rule
def view(s: State, seat: int, seen: State) -> None:
    """Fill in the view of any seat or spectator: undersides are unknown until shown (AT-S6)."""
    view_of_sea(s, seen)
    view_of_turn(s, seen)
    for space in range(SPACES):
        seen.crowd[space] = s.crowd[space]
    for piece in range(PIECES):
        seen.symbol[piece] = s.symbol[piece] if is_shown(s, piece) else UNKNOWN


def sees(s: State, seat: int) -> int:
    """A key of the views, which are equal (AT-S6)."""
    return 0


def veiled(s: State, seat: int) -> State:
    """As `view`, read-only."""
    seen = shared(s)
    if s.phase != Phase.OVER:
        spaces = s.space
        seen.symbol = [
            UNKNOWN if spaces[space] & LAND else symbol
            for symbol, space in zip(s.symbol, PIECE_SPACES, strict=True)
        ]
    return seen


@rule
def view_of_turn(s: State, seen: State) -> None:
    """Copy the options, the piece that sinks and the spinner."""
    seen.swimmers_land = s.swimmers_land
    seen.wiped_out_ends = s.wiped_out_ends
    seen.sinking = s.sinking
    seen.spun = s.spun
    seen.part = s.part
    seen.origin = s.origin


@rule
def is_shown(s: State, piece: int) -> bool:
    """AT-S6: a symbol is shown once its piece has sunk, not before to anyone; all at the end."""
    return s.phase == Phase.OVER or is_sea(s, PIECE_SPACES[piece])


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """Deal the unseen symbols of each terrain to its pieces; at set-up: the shuffle (AT-S1)."""
    if CENTRE_SYMBOL >= 0:  # AT-C2
        s.symbol[CENTRE] = CENTRE_SYMBOL
    for terrain in range(len(TERRAINS)):
        counts = SYMBOL_COUNTS[terrain]
        remaining = 0
        for piece in range(PIECES):
            if TERRAIN_OF[piece] == terrain:
                if s.symbol[piece] == UNKNOWN:
                    remaining += 1
                else:
                    counts -= 1 << COUNT_BITS * s.symbol[piece]
        for piece in range(PIECES):
            if TERRAIN_OF[piece] == terrain and s.symbol[piece] == UNKNOWN:
                symbol = nth_counted(counts, 0, draw(chance, remaining))
                counts -= 1 << COUNT_BITS * symbol
                remaining -= 1
                s.symbol[piece] = symbol
