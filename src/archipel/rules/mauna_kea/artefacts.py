"""Taking, carrying and putting down artefacts (rules MK-A1, MK-A2)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.components import ARTEFACTS, COLOUR
from archipel.rules.mauna_kea.state import ArtefactPlace, State

COLOURS = len(box.COLOUR_NAMES)


@rule
def carrier(seat: int, explorer: int) -> int:
    """The place number of the artefacts that an explorer carries."""
    return ArtefactPlace.CARRIED + seat * box.MOST_EXPLORERS + explorer


@rule
def artefacts_at(s: State, place: int) -> int:
    """The number of artefacts on a cell, with an explorer, on a boat or on a card."""
    count = 0
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == place:
            count += 1
    return count


def artefacts_with(s: State, place: int) -> tuple[int, ...]:
    """The numbers of the artefacts at a place."""
    return tuple(n for n, where in enumerate(s.artefact) if where == place)


@rule
def colours_at(s: State, place: int) -> int:
    """The colours at a place, as bits."""
    colours = 0
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == place:
            colours |= 1 << COLOUR[artefact]
    return colours


@rule
def move_artefact(s: State, colour: int, start: int, end: int) -> None:
    """Move one artefact of a colour; equal ones in a fixed order (MK-C5)."""
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
    """MK-A1: the colours on its cell, up to three artefacts in all; MK-A2: not what it put down."""
    here = colours_at(s, s.explorer[seat][explorer])
    if here == 0 or artefacts_at(s, carrier(seat, explorer)) >= box.MOST_CARRIED:
        return 0
    return here & ~(s.handled[explorer] >> COLOURS)


@rule
def colours_to_put(s: State, seat: int, explorer: int) -> int:
    """MK-A1: the colours it carries; MK-A2: not those it took here."""
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
    """MK-B1, MK-C5: leave one artefact on the cell, where all are alike."""
    for artefact in range(ARTEFACTS):
        if s.artefact[artefact] == carrier(seat, explorer):
            s.artefact[artefact] = s.explorer[seat][explorer]
            return
