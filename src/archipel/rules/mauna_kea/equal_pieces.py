"""Equal pieces: explorers of a seat, and artefacts of a colour."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea.artefacts import carrier
from archipel.rules.mauna_kea.components import ARTEFACTS, COLOUR
from archipel.rules.mauna_kea.state import State, explorers_each


@rule
def renumber(s: State) -> None:
    """Sort explorers and artefacts by their places. At most one explorer is on a cell."""
    for seat in range(s.seats):
        for first in range(explorers_each(s)):
            least = first
            for other in range(first + 1, explorers_each(s)):
                if s.explorer[seat][other] < s.explorer[seat][least]:
                    least = other
            if least != first:
                swap_explorers(s, seat, first, least)
    for first in range(ARTEFACTS):
        least = first
        for other in range(first + 1, ARTEFACTS):
            if COLOUR[other] == COLOUR[first] and s.artefact[other] < s.artefact[least]:
                least = other
        place = s.artefact[first]
        s.artefact[first] = s.artefact[least]
        s.artefact[least] = place


@rule
def swap_explorers(s: State, seat: int, one: int, other: int) -> None:
    place = s.explorer[seat][one]
    s.explorer[seat][one] = s.explorer[seat][other]
    s.explorer[seat][other] = place
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == carrier(seat, one):
            s.artefact[artefact] = carrier(seat, other)
        elif s.artefact[artefact] == carrier(seat, other):
            s.artefact[artefact] = carrier(seat, one)
    if seat == s.to_move:
        handled = s.handled[one]
        s.handled[one] = s.handled[other]
        s.handled[other] = handled
        if s.active == one:
            s.active = other
        elif s.active == other:
            s.active = one
