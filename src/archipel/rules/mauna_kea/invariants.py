"""Invariants of every position."""

from __future__ import annotations

from typing import Final

from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.components import CardKind, SpaceKind, Tile
from archipel.rules.mauna_kea.grid import CELLS, SPACES
from archipel.rules.mauna_kea.knowledge import unseen_of
from archipel.rules.mauna_kea.lava import is_lava
from archipel.rules.mauna_kea.reach import is_reach_empty
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    OWNED,
    ArtefactPlace,
    ExplorerPlace,
    Phase,
    State,
    explorers_each,
    terrain_at,
)

FAULTS: Final = (
    "",
    "a tile is in two places or in none (MK-C1)",
    "the board holds something where it cannot be (MK-C2)",
    "an explorer is missing, or stands where nobody can stand (MK-M1)",
    "two explorers share a cell (MK-S2)",
    "an artefact is where it cannot be, or too many are together (MK-A1, MK-B1)",
    "a boat and its explorer do not match (MK-B2)",
    "a card is in two places or in none (MK-X1)",
    "the lava on the board and its flows do not match (MK-L1)",
    "tiles in front of a player are too many or out of order (MK-T4)",
    "the clock or the points are out of range (MK-E3, MK-T3)",
    "something is left over from an earlier stage",
)


@rule_apart
def fault(s: State) -> int:
    """Return 0, or the number of the first fault in `FAULTS`."""
    if not has_sound_board(s):
        return 2
    for kind in range(box.KINDS):
        if tiles_found(s, kind) != box.COUNT[kind]:
            return 1
    if not has_sound_explorers(s):
        return 3
    if has_shared_cell(s):
        return 4
    if not has_sound_artefacts(s):
        return 5
    if not has_sound_boats(s):
        return 6
    if not has_sound_cards(s):
        return 7
    if not has_sound_flows(s):
        return 8
    if not has_sound_fronts(s):
        return 9
    if s.pool < 0 or s.pool > 3 * box.MOST_TILES or s.quiet_turns < 0:
        return 10
    if s.phase != Phase.CARD_CELL and not is_reach_empty(s):
        return 11
    return 0


@rule_apart
def has_sound_board(s: State) -> bool:
    for space in range(SPACES):
        tile = s.tile[space]
        kind = box.SPACE_KIND[s.layout][space]
        if tile > Tile.EMPTY or (tile == Tile.VOLCANO) != (kind == SpaceKind.VOLCANO):
            return False
        if kind == SpaceKind.EXPLORER and tile != Tile.PRINTED and not is_lava(tile):
            return False
        if tile == Tile.PRINTED and kind != SpaceKind.EXPLORER:
            return False
        if not 0 <= s.turn[space] < 4:
            return False
        if not is_lava(tile) and box.LEAST_TURN[tile][s.turn[space]] != s.turn[space]:
            return False
    return True


@rule_apart
def tiles_found(s: State, kind: int) -> int:
    """The number of tiles of a kind on the board, in the bag, in front, aside, held and out."""
    count = s.out[kind]
    if kind < Tile.FIRST_START:
        count += s.bag[kind]
    if Tile.FIRST_LAVA <= kind < Tile.FIRST_START:
        count += s.aside[kind - Tile.FIRST_LAVA]
    if s.held == kind:
        count += 1
    for space in range(SPACES):
        if s.tile[space] == kind:
            count += 1
    for seat in range(s.seats):
        for place in range(box.MOST_TILES):
            if s.front[seat][place] == kind:
                count += 1
    return count


@rule
def has_sound_explorers(s: State) -> bool:
    for seat in range(box.MOST_SEATS):
        for explorer in range(box.MOST_EXPLORERS):
            cell = s.explorer[seat][explorer]
            exists = seat < s.seats and explorer < explorers_each(s)
            if not exists:
                if cell != ExplorerPlace.UNPLACED:
                    return False
            elif cell >= CELLS or cell < ExplorerPlace.LIFTED:
                return False
            elif cell >= 0 and box.COST[terrain_at(s, cell)] == 0:
                return False
            elif cell == ExplorerPlace.UNPLACED and s.phase > Phase.PLACE:
                return False
    return True


@rule
def has_shared_cell(s: State) -> bool:
    for first in range(s.seats * box.MOST_EXPLORERS):
        cell = s.explorer[first // box.MOST_EXPLORERS][first % box.MOST_EXPLORERS]
        for second in range(first):
            other = s.explorer[second // box.MOST_EXPLORERS][second % box.MOST_EXPLORERS]
            if cell >= 0 and other == cell:
                return True
    return False


@rule_apart
def has_sound_artefacts(s: State) -> bool:
    for artefact in range(box.ARTEFACTS):
        place = s.artefact[artefact]
        if place < ArtefactPlace.GONE or place >= ArtefactPlace.ON_CARD + s.seats:
            return False
        if 0 <= place < CELLS and box.COST[terrain_at(s, place)] == 0:
            return False
        if ArtefactPlace.CARRIED <= place < ArtefactPlace.ABOARD:
            number = place - ArtefactPlace.CARRIED
            if s.explorer[number // box.MOST_EXPLORERS][number % box.MOST_EXPLORERS] < 0:
                return False
        if ArtefactPlace.ABOARD <= place < ArtefactPlace.ON_CARD:
            if s.boat[place - ArtefactPlace.ABOARD] < OWNED:
                return False
        if place >= ArtefactPlace.ON_CARD:
            if count_explorers(s, place - ArtefactPlace.ON_CARD, ExplorerPlace.LIFTED) == 0:
                return False
    for seat in range(s.seats):
        for explorer in range(box.MOST_EXPLORERS):
            if artefacts_at(s, carrier(seat, explorer)) > box.MOST_CARRIED:
                return False
    return True


@rule
def count_explorers(s: State, seat: int, place: int) -> int:
    count = 0
    for explorer in range(explorers_each(s)):
        if s.explorer[seat][explorer] == place:
            count += 1
    return count


@rule
def has_sound_boats(s: State) -> bool:
    coves = 0
    for boat in range(box.BOATS):
        if s.boat[boat] < 0 or s.boat[boat] >= OWNED + s.seats:
            return False
        if s.boat[boat] < box.COVES:
            if coves >> s.boat[boat] & 1 != 0:
                return False
            coves |= 1 << s.boat[boat]
        if artefacts_at(s, ArtefactPlace.ABOARD + boat) > box.PLACES[boat]:
            return False
    for seat in range(s.seats):
        owned = 0
        for boat in range(box.BOATS):
            if s.boat[boat] == OWNED + seat:
                owned += 1
        if owned != count_explorers(s, seat, ExplorerPlace.SAVED):
            return False
    return True


@rule_apart
def has_sound_cards(s: State) -> bool:
    """Each seat holds, rejected or played six cards (at the end, rejected ones are gone); no kind
    is used too often; each helicopter played lifted an explorer (MK-X8)."""
    found = 0
    for kind in range(box.CARD_KINDS):
        if unseen_of(s, kind) < 0:
            return False
    for kind in range(box.ACTION_KINDS):
        found += s.played[kind]
    for seat in range(box.MOST_SEATS):
        for place in range(box.DEALT):
            card = s.hand[seat][place]
            if card != NO_CARD:
                found += 1
                if card < 0 or card >= box.CARD_KINDS or seat >= s.seats:
                    return False
                before = s.hand[seat][place - 1] if place > 0 else 0
                if before == NO_CARD or before > card:
                    return False
        for place in range(box.REJECTED):
            if s.rejected[seat][place] != NO_CARD:
                found += 1
    if lifted(s) + int(s.card == CardKind.HELICOPTER) != s.played[CardKind.HELICOPTER]:
        return False
    if s.expert == 0:
        return found == 0
    return found == (box.KEPT if s.phase == Phase.OVER else box.DEALT) * s.seats


@rule
def lifted(s: State) -> int:
    count = 0
    for seat in range(s.seats):
        count += count_explorers(s, seat, ExplorerPlace.LIFTED)
    return count


@rule
def has_sound_flows(s: State) -> bool:
    listed = 0
    for flow in range(box.FLOWS):
        for node in range(s.flow_length[flow]):
            space = s.flow_space[flow][node]
            before = s.flow_from[flow][node]
            if space < 0 or space >= SPACES or before < -1 or before >= node:
                return False
            if not is_lava(s.tile[space]) or box.FLOW_OF[s.tile[space] - Tile.FIRST_LAVA] != flow:
                return False
            listed += 1
    for space in range(SPACES):
        if is_lava(s.tile[space]):
            listed -= 1
    return listed == 0


@rule
def has_sound_fronts(s: State) -> bool:
    """MK-T4: nobody draws on with 5 points, so all tiles but the largest make less than 5."""
    for seat in range(box.MOST_SEATS):
        points = 0
        largest = 0
        for place in range(box.MOST_TILES):
            tile = s.front[seat][place]
            if tile == Tile.NONE:
                continue
            if tile < 0 or tile >= Tile.FIRST_LAVA or seat >= s.seats:
                return False
            before = s.front[seat][place - 1] if place > 0 else 0
            if before == Tile.NONE or before > tile:
                return False
            points += box.POINTS[tile]
            largest = max(largest, box.POINTS[tile])
        if points - largest >= box.DRAW_UNTIL:
            return False
    return True
