"""Taking, carrying and putting down artefacts (rules MK-A1, MK-A2)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea.components import (
    ARTEFACTS,
    COLOUR,
    COLOUR_NAMES,
    MOST_CARRIED,
    MOST_EXPLORERS,
)
from archipel.rules.mauna_kea.state import CARRIED, State

COLOURS = len(COLOUR_NAMES)


@rule
def carrier(seat: int, explorer: int) -> int:
    """Where an artefact is that this explorer carries."""
    return CARRIED + seat * MOST_EXPLORERS + explorer


@rule
def artefacts_at(s: State, place: int) -> int:
    """How many artefacts are on a cell, with an explorer, on a boat or on a card."""
    count = 0
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == place:
            count += 1
    return count


@rule
def colours_at(s: State, place: int) -> int:
    """The colours there, as a set of bits."""
    colours = 0
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == place:
            colours |= 1 << COLOUR[artefact]
    return colours


@rule
def move_artefact(s: State, colour: int, start: int, end: int) -> None:
    """One artefact of a colour changes its place: alike ones in a fixed order (MK-C5)."""
    for artefact in range(ARTEFACTS):
        if COLOUR[artefact] == colour and s.artefact[artefact] == start:
            s.artefact[artefact] = end
            return


@rule
def move_all_artefacts(s: State, start: int, end: int) -> None:
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == start:
            s.artefact[artefact] = end


@rule
def colours_to_take(s: State, seat: int, explorer: int) -> int:
    """MK-A1: what lies on its cell, up to three in all; MK-A2: not what it put down there."""
    here = colours_at(s, s.explorer[seat][explorer])
    if here == 0 or artefacts_at(s, carrier(seat, explorer)) >= MOST_CARRIED:
        return 0
    return here & ~(s.handled[explorer] >> COLOURS)


@rule
def colours_to_put(s: State, seat: int, explorer: int) -> int:
    """MK-A1: what it carries; MK-A2: not what it took there."""
    return colours_at(s, carrier(seat, explorer)) & ~(s.handled[explorer] & ((1 << COLOURS) - 1))


@rule
def take(s: State, seat: int, explorer: int, colour: int) -> None:
    move_artefact(s, colour, s.explorer[seat][explorer], carrier(seat, explorer))
    s.handled[explorer] |= 1 << colour


@rule
def put_down(s: State, seat: int, explorer: int, colour: int) -> None:
    move_artefact(s, colour, carrier(seat, explorer), s.explorer[seat][explorer])
    s.handled[explorer] |= 1 << (COLOURS + colour)


@rule
def leave_any(s: State, seat: int, explorer: int) -> None:
    """MK-B1, MK-C5: one artefact stays on the cell, where there is nothing to choose."""
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == carrier(seat, explorer):
            s.artefact[artefact] = s.explorer[seat][explorer]
            return
