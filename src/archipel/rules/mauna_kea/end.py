"""The end of the game and the scores (chapters End, Expert game)."""

from __future__ import annotations

from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart
from archipel.rules.mauna_kea.artefacts import artefacts_at, carrier
from archipel.rules.mauna_kea.components import (
    ACTION_KINDS,
    ARTEFACT_VALUE,
    ARTEFACTS,
    BOAT_COLOUR,
    BOATS,
    BOATS_NEEDED,
    CANCELS_PENALTIES,
    CLOCK_ROUNDS,
    COLOUR,
    DEALT,
    EMPTY_PLACE_PENALTY,
    EXPLORER_VALUE,
    EXPLORERS_NEEDED,
    LAVA_KINDS,
    MOST_EXPLORERS,
    NEED_KINDS,
    NEEDS,
    OBJECTIVE_POINTS,
    PLACES,
    REJECTED,
)
from archipel.rules.mauna_kea.reach import somebody_can_leave
from archipel.rules.mauna_kea.state import (
    ABOARD,
    CLOCK,
    EMPTY_BAG,
    JUST_STIRRED,
    NO_CARD,
    NO_EXPLORER,
    NO_WAY_OUT,
    NOBODY,
    NOT_YET,
    ON_CARD,
    OVER,
    OWNED,
    STIRRED,
    State,
    explorers_on_island,
)
from archipel.rules.mauna_kea.tiles import tiles_in_bag

# ---- what ends the game -------------------------------------------------------------------------


@rule
def check_end(s: State) -> None:
    """After a boarding, a laid tile or lava: whether the game is now ending (MK-E1, MK-X3)."""
    if s.stirred != JUST_STIRRED:
        return
    s.stirred = STIRRED
    if s.ending != NOT_YET:
        return
    for seat in range(s.seats):
        if explorers_on_island(s, seat) == 0:
            begin_end(s, NO_EXPLORER)
            return
    if s.expert == 0 and not somebody_can_leave(s):
        begin_end(s, NO_WAY_OUT)


@rule
def check_bag(s: State) -> None:
    """MK-X3: the expert game also ends once the last tile is drawn."""
    if s.ending != NOT_YET or s.expert == 0:
        return
    for lava in range(LAVA_KINDS):
        if s.aside[lava] != 0:
            return
    if tiles_in_bag(s) == 0:
        begin_end(s, EMPTY_BAG)


@rule
def begin_end(s: State, why: int) -> None:
    """MK-E2, MK-X3: the seat whose turn it is may still use the tiles in front of it."""
    s.ending = why
    s.closer = s.to_move


@rule
def clock_has_run_out(s: State) -> bool:
    """MK-E3: twelve rounds in a row in which nothing was laid, no lava drawn, nobody boarded."""
    return s.expert == 0 and s.quiet_turns >= CLOCK_ROUNDS * s.seats


@rule
def end_game(s: State) -> None:
    s.phase = OVER
    s.active = NOBODY
    if s.ending == NOT_YET:
        s.ending = CLOCK
    for explorer in range(MOST_EXPLORERS):
        s.handled[explorer] = 0
    for seat in range(s.seats):  # MK-X1: rejected cards stay unseen; they go back to the box
        for place in range(REJECTED):
            s.rejected[seat][place] = NO_CARD


# ---- scores -------------------------------------------------------------------------------------


@rule_apart
def score(s: State, seat: int) -> int:
    """MK-G1, MK-X8 to MK-X10: boats, loads, helicopters and the objectives that are known."""
    points = 0
    for artefact in range(ARTEFACTS):
        if is_saved_by(s, artefact, seat):
            points += ARTEFACT_VALUE[COLOUR[artefact]]
    empty_places = 0
    for boat in range(BOATS):
        if s.boat[boat] == OWNED + seat:
            points += EXPLORER_VALUE
            empty_places += PLACES[boat] - artefacts_at(s, ABOARD + boat)
    if not has_penalties_cancelled(s, seat):
        points -= EMPTY_PLACE_PENALTY * empty_places
    if s.expert != 0:
        points += objective_points(s, seat)
    return points


@rule
def is_saved_by(s: State, artefact: int, seat: int) -> bool:
    """Whether an artefact lies in front of a seat, on a boat or on a helicopter."""
    place = s.artefact[artefact]
    if ABOARD <= place < ON_CARD:
        return s.boat[place - ABOARD] == OWNED + seat
    return place == ON_CARD + seat


@rule
def has_penalties_cancelled(s: State, seat: int) -> bool:
    """MK-X10."""
    for place in range(DEALT):
        card = s.hand[seat][place]
        if card >= 0 and CANCELS_PENALTIES[card] != 0:
            return True
    return False


@rule
def objective_points(s: State, seat: int) -> int:
    """MK-X9: the best set of objectives that can be met together. Trying all of them is exact,
    since only how many there are of each thing matters."""
    best = 0
    for cards in range(1 << DEALT):
        points = points_of_cards(s, seat, cards)
        if points > best and can_meet(s, seat, cards):
            best = points
    return best


@rule
def points_of_cards(s: State, seat: int, cards: int) -> int:
    """The points of some cards of a hand, or less than nothing if one is no objective."""
    points = 0
    for place in range(DEALT):
        if cards >> place & 1 != 0:
            card = s.hand[seat][place]
            if card < ACTION_KINDS:  # an action card, none, or unknown
                return -1
            points += OBJECTIVE_POINTS[card]
    return points


@rule
def can_meet(s: State, seat: int, cards: int) -> bool:
    """MK-X9: each explorer, artefact and boat serves one card at most."""
    for need in range(NEED_KINDS):
        needed = 0
        for place in range(DEALT):
            if cards >> place & 1 != 0:
                needed += NEEDS[s.hand[seat][place]][need]
        if needed > 0 and needed > in_front(s, seat, need):
            return False
    return True


@rule
def in_front(s: State, seat: int, need: int) -> int:
    """How much a seat has of what objectives need."""
    count = 0
    if need < EXPLORERS_NEEDED:
        for artefact in range(ARTEFACTS):
            if COLOUR[artefact] == need and is_saved_by(s, artefact, seat):
                count += 1
    else:
        for boat in range(BOATS):
            if s.boat[boat] == OWNED + seat:
                if need == EXPLORERS_NEEDED or BOAT_COLOUR[boat] == need - BOATS_NEEDED:
                    count += 1
    return count


# ---- the ranking --------------------------------------------------------------------------------


@rule
def artefacts_carried(s: State, seat: int) -> int:
    count = 0
    first = carrier(seat, 0)
    for artefact in range(ARTEFACTS):
        if first <= s.artefact[artefact] < first + MOST_EXPLORERS:
            count += 1
    return count


@rule
def is_ahead_at_equal_points(s: State, seat: int, other: int) -> bool:
    """MK-G2: more explorers on the island; else more artefacts with them."""
    mine = explorers_on_island(s, seat)
    theirs = explorers_on_island(s, other)
    if mine == theirs:
        mine = artefacts_carried(s, seat)
        theirs = artefacts_carried(s, other)
    return mine > theirs


@rule
def rank(s: State, seat: int) -> int:
    """MK-G2: how many seats are ahead of this one, first of all by their points: equal seats share
    a rank."""
    mine = score(s, seat)
    ahead = 0
    for other in range(s.seats):
        if other != seat:
            theirs = score(s, other)
            if theirs > mine or (theirs == mine and is_ahead_at_equal_points(s, other, seat)):
                ahead += 1
    return ahead
