"""The end of the game and the scores (chapters End, Expert game)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.kit.core.decorators import rule_apart
from archipel.rules.mauna_kea import components as box
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.reach import somebody_can_leave
from archipel.rules.mauna_kea.state import (
    NO_CARD,
    NOBODY,
    OWNED,
    Activity,
    ArtefactPlace,
    Ending,
    Phase,
    State,
    explorers_on_island,
)
from archipel.rules.mauna_kea.tiles import tiles_in_bag


@rule
def check_end(s: State) -> None:
    """MK-E1, MK-X3: check whether a boarding, a laid tile or lava has begun the end."""
    if s.stirred != Activity.NEW:
        return
    s.stirred = Activity.SEEN
    if s.ending != Ending.NOT_YET:
        return
    for seat in range(s.seats):
        if explorers_on_island(s, seat) == 0:
            begin_end(s, Ending.NO_EXPLORER)
            return
    if s.expert == 0 and not somebody_can_leave(s):
        begin_end(s, Ending.NO_WAY_OUT)


@rule
def check_bag(s: State) -> None:
    """MK-X3: the expert game also ends when the last tile is drawn."""
    if s.ending != Ending.NOT_YET or s.expert == 0:
        return
    for lava in range(box.LAVA_KINDS):
        if s.aside[lava] != 0:
            return
    if tiles_in_bag(s) == 0:
        begin_end(s, Ending.EMPTY_BAG)


@rule
def begin_end(s: State, why: int) -> None:
    """MK-E2, MK-X3: the seat to move may still use the tiles in front of it."""
    s.ending = why
    s.closer = s.to_move


@rule
def clock_has_run_out(s: State) -> bool:
    """MK-E3: twelve rounds in a row without a laid tile, lava or a boarding."""
    return s.expert == 0 and s.quiet_turns >= box.CLOCK_ROUNDS * s.seats


@rule
def end_game(s: State) -> None:
    s.phase = Phase.OVER
    s.active = NOBODY
    if s.ending == Ending.NOT_YET:
        s.ending = Ending.CLOCK
    for explorer in range(box.MOST_EXPLORERS):
        s.handled[explorer] = 0
    for seat in range(s.seats):  # MK-X1: rejected cards go back to the box unseen
        for place in range(box.REJECTED):
            s.rejected[seat][place] = NO_CARD


@rule_apart
def score(s: State, seat: int) -> int:
    """MK-G1, MK-X8 to MK-X10: boats, loads, helicopters and the objectives that are known."""
    points = 0
    for artefact in range(box.ARTEFACTS):
        if is_saved_by(s, artefact, seat):
            points += box.ARTEFACT_VALUE[box.COLOUR[artefact]]
    empty_places = 0
    for boat in range(box.BOATS):
        if s.boat[boat] == OWNED + seat:
            points += box.EXPLORER_VALUE
            empty_places += box.PLACES[boat] - artefacts_at(s, ArtefactPlace.ABOARD + boat)
    if not has_penalties_cancelled(s, seat):
        points -= box.EMPTY_PLACE_PENALTY * empty_places
    if s.expert != 0:
        points += objective_points(s, seat)
    return points


@rule
def is_saved_by(s: State, artefact: int, seat: int) -> bool:
    """Whether an artefact is on a boat or helicopter of a seat."""
    place = s.artefact[artefact]
    if ArtefactPlace.ABOARD <= place < ArtefactPlace.ON_CARD:
        return s.boat[place - ArtefactPlace.ABOARD] == OWNED + seat
    return place == ArtefactPlace.ON_CARD + seat


@rule
def has_penalties_cancelled(s: State, seat: int) -> bool:
    """MK-X10: whether a card of the hand cancels the penalties."""
    for place in range(box.DEALT):
        card = s.hand[seat][place]
        if card >= 0 and box.CANCELS_PENALTIES[card] != 0:
            return True
    return False


@rule
def objective_points(s: State, seat: int) -> int:
    """MK-X9: the points of the best set of objectives that can be met together.

    Trying all sets is exact, since only the number of each item matters.
    """
    best = 0
    for cards in range(1 << box.DEALT):
        points = points_of_cards(s, seat, cards)
        if points > best and can_meet(s, seat, cards):
            best = points
    return best


@rule
def points_of_cards(s: State, seat: int, cards: int) -> int:
    """The points of some cards of a hand, or -1 if one of them is not an objective."""
    points = 0
    for place in range(box.DEALT):
        if cards >> place & 1 != 0:
            card = s.hand[seat][place]
            if card < box.ACTION_KINDS:  # an action card, none, or unknown
                return -1
            points += box.OBJECTIVE_POINTS[card]
    return points


@rule
def can_meet(s: State, seat: int, cards: int) -> bool:
    """MK-X9: each explorer, artefact and boat counts for at most one card."""
    for need in range(box.NEED_KINDS):
        needed = 0
        for place in range(box.DEALT):
            if cards >> place & 1 != 0:
                needed += box.NEEDS[s.hand[seat][place]][need]
        if needed > 0 and needed > in_front(s, seat, need):
            return False
    return True


@rule
def in_front(s: State, seat: int, need: int) -> int:
    """The number of items that a seat has of a requirement."""
    count = 0
    if need < box.EXPLORERS_NEEDED:
        for artefact in range(box.ARTEFACTS):
            if box.COLOUR[artefact] == need and is_saved_by(s, artefact, seat):
                count += 1
    else:
        for boat in range(box.BOATS):
            if s.boat[boat] == OWNED + seat:
                if need == box.EXPLORERS_NEEDED or box.BOAT_COLOUR[boat] == need - box.BOATS_NEEDED:
                    count += 1
    return count


@rule
def artefacts_carried(s: State, seat: int) -> int:
    count = 0
    first = carrier(seat, 0)
    for artefact in range(box.ARTEFACTS):
        if first <= s.artefact[artefact] < first + box.MOST_EXPLORERS:
            count += 1
    return count


@rule
def is_ahead_at_equal_points(s: State, seat: int, other: int) -> bool:
    """MK-G2: by explorers on the island, then by artefacts with them."""
    mine = explorers_on_island(s, seat)
    theirs = explorers_on_island(s, other)
    if mine == theirs:
        mine = artefacts_carried(s, seat)
        theirs = artefacts_carried(s, other)
    return mine > theirs


@rule
def rank(s: State, seat: int) -> int:
    """MK-G2: the number of seats ahead of this one; equal seats share a rank."""
    mine = score(s, seat)
    ahead = 0
    for other in range(s.seats):
        if other != seat:
            theirs = score(s, other)
            if theirs > mine or (theirs == mine and is_ahead_at_equal_points(s, other, seat)):
                ahead += 1
    return ahead
