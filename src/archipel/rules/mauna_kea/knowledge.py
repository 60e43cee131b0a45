"""The knowledge of each seat, and the sampling of unknown cards (MK-X1, MK-V1)."""

from __future__ import annotations

from archipel.rules.kit import Chance, draw, rule, shared
from archipel.rules.mauna_kea.components import ACTION_KINDS, CARD_COUNT, CARDS, DEALT, REJECTED
from archipel.rules.mauna_kea.state import NO_CARD, UNKNOWN, Phase, State


@rule
def view(s: State, seat: int, seen: State) -> None:
    """Fill in the state as a seat (or NOBODY, a spectator) sees it; others' cards are UNKNOWN."""
    view_progress(s, seen)
    view_island(s, seen)
    view_pieces(s, seen)
    for other in range(len(s.hand)):
        known = other == seat or s.phase == Phase.OVER
        for place in range(DEALT):
            seen.hand[other][place] = card_seen(s.hand[other][place], known)
        for place in range(REJECTED):
            seen.rejected[other][place] = card_seen(s.rejected[other][place], known)
    for kind in range(len(s.played)):
        seen.played[kind] = s.played[kind]


def sees(s: State, seat: int) -> int:
    """Seats with equal results have equal views: only cards differ, until the end (MK-V1)."""
    return seat if s.expert and s.phase != Phase.OVER else 0


def veiled(s: State, seat: int) -> State:
    """As `view`, read-only: everything but the cards is shared with the state."""
    seen = shared(s)
    if s.phase != Phase.OVER:
        seen.hand = _cards_seen(s.hand, seat)
        seen.rejected = _cards_seen(s.rejected, seat)
    return seen


def _cards_seen(cards: list[list[int]], seat: int) -> list[list[int]]:
    return [
        held
        if other == seat or held == [NO_CARD] * len(held)
        else [card_seen(card, False) for card in held]
        for other, held in enumerate(cards)
    ]


@rule
def card_seen(card: int, known: bool) -> int:
    """MK-V1: all see how many cards a seat holds; only the seat sees which."""
    return card if known or card == NO_CARD else UNKNOWN


@rule
def view_progress(s: State, seen: State) -> None:
    seen.seats = s.seats
    seen.expert = s.expert
    seen.layout = s.layout
    seen.quiet_first_round = s.quiet_first_round
    seen.last_refill = s.last_refill
    seen.phase = s.phase
    seen.to_move = s.to_move
    seen.first = s.first
    seen.resume = s.resume
    seen.active = s.active
    seen.held = s.held
    seen.chosen = s.chosen
    seen.card = s.card
    seen.turn_number = s.turn_number
    seen.pool = s.pool
    seen.stirred = s.stirred
    seen.quiet_turns = s.quiet_turns
    seen.ending = s.ending
    seen.closer = s.closer


@rule
def view_island(s: State, seen: State) -> None:
    for space in range(len(s.tile)):
        seen.tile[space] = s.tile[space]
        seen.turn[space] = s.turn[space]
    for flow in range(len(s.flow_length)):
        seen.flow_length[flow] = s.flow_length[flow]
        for node in range(len(s.flow_space[flow])):
            seen.flow_space[flow][node] = s.flow_space[flow][node]
            seen.flow_from[flow][node] = s.flow_from[flow][node]
    for row in range(len(s.reach)):
        seen.reach[row] = s.reach[row]


@rule
def view_pieces(s: State, seen: State) -> None:
    for kind in range(len(s.bag)):
        seen.bag[kind] = s.bag[kind]
    for lava in range(len(s.aside)):
        seen.aside[lava] = s.aside[lava]
    for kind in range(len(s.out)):
        seen.out[kind] = s.out[kind]
    for seat in range(len(s.front)):
        for place in range(len(s.front[seat])):
            seen.front[seat][place] = s.front[seat][place]
        for explorer in range(len(s.explorer[seat])):
            seen.explorer[seat][explorer] = s.explorer[seat][explorer]
    for explorer in range(len(s.handled)):
        seen.handled[explorer] = s.handled[explorer]
    for artefact in range(len(s.artefact)):
        seen.artefact[artefact] = s.artefact[artefact]
    for boat in range(len(s.boat)):
        seen.boat[boat] = s.boat[boat]


@rule
def deal_unseen(s: State, chance: Chance) -> None:
    """MK-V1: draw each unseen card from all cards not seen, including those out of the game and
    undealt; seat by seat, the hand before the rejected cards."""
    for seat in range(s.seats):
        for place in range(DEALT + REJECTED):
            if card_at(s, seat, place) == UNKNOWN:
                card = draw_card(s, chance)
                if place < DEALT:
                    s.hand[seat][place] = card
                else:
                    s.rejected[seat][place - DEALT] = card
        sort_hand(s, seat)
        sort_rejected(s, seat)


@rule
def card_at(s: State, seat: int, place: int) -> int:
    """A card of the hand; indices after the hand are the rejected cards."""
    return s.hand[seat][place] if place < DEALT else s.rejected[seat][place - DEALT]


@rule
def draw_card(s: State, chance: Chance) -> int:
    """Draw one of the cards that are not seen."""
    number = draw(chance, CARDS - cards_seen(s))
    kind = -1
    while number >= 0:
        kind += 1
        number -= unseen_of(s, kind)
    return kind


@rule
def cards_seen(s: State) -> int:
    seen = 0
    for kind in range(ACTION_KINDS):
        seen += s.played[kind]
    for seat in range(s.seats):
        for place in range(DEALT + REJECTED):
            if card_at(s, seat, place) >= 0:
                seen += 1
    return seen


@rule
def unseen_of(s: State, kind: int) -> int:
    """The number of cards of a kind that are neither played nor known."""
    count = CARD_COUNT[kind]
    if kind < ACTION_KINDS:
        count -= s.played[kind]
    for seat in range(s.seats):
        for place in range(DEALT + REJECTED):
            if card_at(s, seat, place) == kind:
                count -= 1
    return count


@rule
def sort_hand(s: State, seat: int) -> None:
    """Sort the cards by kind; free places come last."""
    for place in range(1, DEALT):
        card = s.hand[seat][place]
        before = place
        while before > 0 and card != NO_CARD and s.hand[seat][before - 1] > card:
            s.hand[seat][before] = s.hand[seat][before - 1]
            before -= 1
        s.hand[seat][before] = card


@rule
def sort_rejected(s: State, seat: int) -> None:
    first = s.rejected[seat][0]
    second = s.rejected[seat][1]
    if second != NO_CARD and second < first:
        s.rejected[seat][0] = second
        s.rejected[seat][1] = first
