"""The cards in a position: how many each has, and what was played (MK-X1)."""

from __future__ import annotations

from archipel.rules.mauna_kea.components import (
    CARD_NAMES,
    DEALT,
    HELICOPTER,
    KEPT,
    REJECTED,
)
from archipel.rules.mauna_kea.invariants import lifted
from archipel.rules.mauna_kea.knowledge import unseen_of
from archipel.rules.mauna_kea.position_names import require
from archipel.rules.mauna_kea.state import CHOOSE, NO_CARD, OVER, PLACE, UNKNOWN, State


def fill_hands(s: State) -> None:
    """MK-X1: of the cards that each seat has got those that nothing is said about are unknown."""
    if s.phase == CHOOSE:
        _fill_first_hands(s)
        return
    for seat in range(s.seats):
        if s.rejected[seat][0] == NO_CARD and s.phase != OVER:
            s.rejected[seat][:] = [UNKNOWN] * REJECTED
    missing = KEPT * s.seats - sum(_cards(hand) for hand in s.hand) - sum(s.played)
    for seat in range(s.seats):
        if s.hand[seat][0] == NO_CARD:
            held = max(0, min(missing, KEPT))
            s.hand[seat][:held] = [UNKNOWN] * held
            missing -= held


def _fill_first_hands(s: State) -> None:
    """Those who have chosen rejected two; the others still hold all they were dealt."""
    for seat, chosen in _in_placement_order(s):
        if chosen and s.rejected[seat][0] == NO_CARD:
            s.rejected[seat][:] = [UNKNOWN] * REJECTED
        if s.hand[seat][0] == NO_CARD:
            held = DEALT - _cards(s.rejected[seat])
            s.hand[seat][:held] = [UNKNOWN] * held


def _in_placement_order(s: State) -> list[tuple[int, bool]]:
    """The seats, and whether each has chosen its cards by now."""
    order = [(s.first - step) % s.seats for step in range(s.seats)]
    return [(seat, order.index(seat) < order.index(s.to_move)) for seat in order]


def _cards(places: list[int]) -> int:
    return sum(card != NO_CARD for card in places)


def check_cards(s: State) -> None:
    for kind, name in enumerate(CARD_NAMES):
        require(
            unseen_of(s, kind) >= 0, "{card}: there are not so many of these (MK-X9)", card=name
        )
    if s.expert == 0:
        for seat in range(s.seats):
            require(
                _cards(s.hand[seat]) + _cards(s.rejected[seat]) == 0,
                "cards{seat}: there are cards in the expert game only (MK-X1)",
                seat=seat + 1,
            )
        require(sum(s.played) == 0, "played: there are cards in the expert game only (MK-X1)")
    elif s.phase == CHOOSE:
        _check_choosing(s)
    else:
        _check_kept(s)
    require(
        lifted(s) + (s.card == HELICOPTER) == s.played[HELICOPTER],
        "played: {played} helicopters, but {lifted} explorers are lifted (MK-X1, MK-X8)",
        played=s.played[HELICOPTER],
        lifted=lifted(s),
    )
    require(
        s.card == NO_CARD or s.played[max(0, s.card)] > 0,
        "card={card}: the card being played is among those played (MK-X4)",
        card=CARD_NAMES[s.card],
    )


def _check_choosing(s: State) -> None:
    for seat, chosen in _in_placement_order(s):
        rejected = _cards(s.rejected[seat])
        least, most = (REJECTED, REJECTED) if chosen else (0, REJECTED - 1)
        if seat != s.to_move and not chosen:
            most = 0
        require(
            least <= rejected <= most and _cards(s.hand[seat]) == DEALT - rejected,
            "cards{seat}: of six cards two are rejected, seat by seat in the order of placement "
            "(MK-X1)",
            seat=seat + 1,
        )
    require(sum(s.played) == 0, "played: no card is played before the game begins (MK-X4)")


def _check_kept(s: State) -> None:
    for seat in range(s.seats):
        expected = 0 if s.phase == OVER else REJECTED
        require(
            _cards(s.rejected[seat]) == expected,
            "rejected{seat}: each has rejected two cards, which are gone once the game is over "
            "(MK-X1)",
            seat=seat + 1,
        )
        require(
            _cards(s.hand[seat]) <= KEPT,
            "cards{seat}: {kept} cards at most are kept (MK-X1)",
            seat=seat + 1,
            kept=KEPT,
        )
    held = sum(_cards(hand) for hand in s.hand)
    require(
        held + sum(s.played) == KEPT * s.seats,
        "cards: {held} are held and {played} played, of {dealt} that were kept (MK-X1)",
        held=held,
        played=sum(s.played),
        dealt=KEPT * s.seats,
    )
    require(
        s.phase != PLACE or sum(s.played) == 0,
        "played: no card is played before the game begins (MK-X4)",
    )
