"""Whether a position can be: who and where, if it cannot, and that there is something to decide.

Pieces first, then the cards (`position_cards`), the stage of the turn and the end.
"""

from __future__ import annotations

from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.cards import ground_of
from archipel.rules.mauna_kea.components import (
    BOATS,
    COLOUR,
    COLOUR_NAMES,
    COST,
    COVE_NAMES,
    COVES,
    DRAW_UNTIL,
    MOST_CARRIED,
    MOUNTAIN_CARD,
    NO_TILE,
    PLACES,
    POINTS,
)
from archipel.rules.mauna_kea.geometry import CELLS, cell_name
from archipel.rules.mauna_kea.invariants import FAULTS, count_explorers, fault
from archipel.rules.mauna_kea.knowledge import deal_unseen
from archipel.rules.mauna_kea.position_cards import check_cards
from archipel.rules.mauna_kea.position_names import require
from archipel.rules.mauna_kea.position_stage import check_end, check_stage
from archipel.rules.mauna_kea.reach import find_way
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CARD_CELL,
    CARRIED,
    CHOOSE,
    LIFTED,
    NO_CARD,
    NOBODY,
    ON_CARD,
    OWNED,
    PLACE,
    SAVED,
    UNPLACED,
    State,
    explorers_each,
    terrain_at,
)

#: By whom a thing is: their seat, and the number of the explorer.
WHO: Final = "{seat}.{number}"


def check_position(s: State) -> None:
    """Raises `NotationError`. Where a card leads is worked out on the way."""
    _check_explorers(s)
    _check_boats(s)
    _check_artefacts(s)
    _check_fronts(s)
    check_cards(s)
    if s.phase == CARD_CELL:
        _mark_way(s)
    world = clone(s)
    deal_unseen(world, Stream())
    if number := fault(world):
        raise NotationError(FAULTS[number])
    check_stage(s)
    check_end(s, world)


def _mark_way(s: State) -> None:
    known = NO_CARD < s.card <= MOUNTAIN_CARD
    require(
        s.active != NOBODY and known and s.explorer[s.to_move][s.active] >= 0,
        "phase=card-cell: say which card and which active explorer (MK-X5)",
    )
    find_way(s, s.to_move, s.active, ground_of(s.card))


# ---- pieces -------------------------------------------------------------------------------------


def _check_explorers(s: State) -> None:
    met: dict[int, str] = {}
    for seat in range(s.seats):
        for explorer in range(explorers_each(s)):
            cell = s.explorer[seat][explorer]
            who = WHO.format(seat=seat + 1, number=explorer + 1)
            if cell < 0:
                require(
                    cell != UNPLACED or s.phase in (CHOOSE, PLACE),
                    "explorer {who} is not placed yet, but play has begun (MK-S2)",
                    who=who,
                )
                continue
            require(
                COST[terrain_at(s, cell)] > 0,
                "explorer {who} is on {cell}, where nobody can stand (MK-M1)",
                who=who,
                cell=cell_name(cell),
            )
            require(
                cell not in met,
                "explorers {other} and {who} are both on {cell} (MK-S2)",
                other=met.get(cell, ""),
                who=who,
                cell=cell_name(cell),
            )
            met[cell] = who


def _check_boats(s: State) -> None:
    met: dict[int, int] = {}
    for boat, place in enumerate(s.boat):
        require(
            place >= COVES or place not in met,
            "boats {other} and {boat} are both in cove {cove} (MK-B2)",
            other=met.get(place, 0) + 1,
            boat=boat + 1,
            cove=COVE_NAMES[s.layout][min(place, COVES - 1)],
        )
        met[place] = boat
    for seat in range(s.seats):
        boats, saved = s.boat.count(OWNED + seat), count_explorers(s, seat, SAVED)
        require(
            boats == saved,
            "seat {seat} has {saved} explorers saved and {boats} boats in front: as many of each "
            "(MK-B2)",
            seat=seat + 1,
            saved=saved,
            boats=boats,
        )


def _check_artefacts(s: State) -> None:
    for artefact, place in enumerate(s.artefact):
        colour = COLOUR_NAMES[COLOUR[artefact]]
        if 0 <= place < CELLS:
            require(
                COST[terrain_at(s, place)] > 0,
                "{colour}: an artefact lies on {cell}, where nobody can stand (MK-A1)",
                colour=colour,
                cell=cell_name(place),
            )
        elif CARRIED <= place < ABOARD:
            _check_carried(s, colour, place)
        elif ABOARD <= place < ON_CARD:
            _check_aboard(s, colour, place - ABOARD)
        elif place >= ON_CARD:
            seat = place - ON_CARD
            require(
                seat < s.seats and count_explorers(s, seat, LIFTED) > 0,
                "{colour}: no explorer of seat {seat} was lifted with an artefact (MK-A1, MK-X8)",
                colour=colour,
                seat=seat + 1,
            )


def _check_carried(s: State, colour: str, place: int) -> None:
    each = carrier(1, 0) - carrier(0, 0)
    seat, explorer = divmod(place - CARRIED, each)
    who = WHO.format(seat=seat + 1, number=explorer + 1)
    require(
        seat < s.seats and explorer < explorers_each(s) and s.explorer[seat][explorer] >= 0,
        "{colour}: explorer {who}, who would carry an artefact, is not on the island (MK-A1)",
        colour=colour,
        who=who,
    )
    require(
        artefacts_at(s, place) <= MOST_CARRIED,
        "explorer {who} carries more than {most} artefacts (MK-A1)",
        who=who,
        most=MOST_CARRIED,
    )


def _check_aboard(s: State, colour: str, boat: int) -> None:
    require(
        boat < BOATS and s.boat[boat] >= OWNED,
        "{colour}: boat {boat}, with an artefact on it, is still in its cove (MK-A1, MK-B2)",
        colour=colour,
        boat=boat + 1,
    )
    require(
        artefacts_at(s, ABOARD + boat) <= PLACES[boat],
        "boat {boat} has places for {places} artefacts (MK-A1, MK-B1)",
        boat=boat + 1,
        places=PLACES[boat],
    )


def _check_fronts(s: State) -> None:
    for seat in range(s.seats):
        points = [POINTS[tile] for tile in s.front[seat] if tile != NO_TILE]
        require(
            sum(points) - max(points, default=0) < DRAW_UNTIL,
            "front{seat}: nobody draws on with {most} points or more in front (MK-T4)",
            seat=seat + 1,
            most=DRAW_UNTIL,
        )
