"""Whether a position can be: nothing too many, nothing left over, something to decide."""

from __future__ import annotations

from typing import Final

from archipel.rules.contract import NotationError
from archipel.rules.kit import Stream, clone
from archipel.rules.mauna_kea.cards import ground_of
from archipel.rules.mauna_kea.components import CARD_NAMES, MOUNTAIN_CARD, NO_TILE
from archipel.rules.mauna_kea.end import check_bag, check_end
from archipel.rules.mauna_kea.geometry import NOWHERE
from archipel.rules.mauna_kea.invariants import FAULTS, fault
from archipel.rules.mauna_kea.knowledge import deal_unseen, unseen_of
from archipel.rules.mauna_kea.position_names import ENDINGS, PHASES, name_of
from archipel.rules.mauna_kea.reach import find_way
from archipel.rules.mauna_kea.state import (
    ACTIONS,
    CARD_CELL,
    CARD_EXPLORER,
    CHOOSE,
    EXPLORER,
    JUST_STIRRED,
    LEAVE,
    NO_CARD,
    NOBODY,
    NOT_YET,
    OVER,
    PLACE,
    QUAKE_DRAW,
    QUAKE_SPACE,
    QUAKE_TURN,
    REFILL,
    SPACE,
    TURN,
    State,
    explorers_each,
    explorers_on_island,
)
from archipel.rules.mauna_kea.turn import legal

_WITH_CARD: Final = (CARD_EXPLORER, CARD_CELL, QUAKE_SPACE, QUAKE_TURN, QUAKE_DRAW)


def check_position(s: State) -> None:
    """Raises `NotationError`. Where a card leads is worked out on the way."""
    world = clone(s)
    for kind in range(len(CARD_NAMES)):
        if unseen_of(s, kind) < 0:
            raise NotationError(f"{CARD_NAMES[kind]}: there are not so many of these (MK-X9)")
    deal_unseen(world, Stream())
    if s.phase == CARD_CELL:
        _mark_way(s)
    if number := fault(world):
        raise NotationError(FAULTS[number])
    _check_stage(s)
    if s.phase in (CHOOSE, PLACE):
        _check_placing(s)
    elif s.ending == NOT_YET:
        _check_ending(s, world)


def _mark_way(s: State) -> None:
    known = NO_CARD < s.card <= MOUNTAIN_CARD
    if s.active == NOBODY or not known or s.explorer[s.to_move][s.active] < 0:
        raise NotationError("phase=card-cell: say which card and which active explorer (MK-X5)")
    find_way(s, s.to_move, s.active, ground_of(s.card))


def _check_stage(s: State) -> None:
    """Only what belongs to a phase is there, and there is something to decide."""
    phase = name_of(PHASES, s.phase)
    if (s.held != NO_TILE) != (s.phase in (SPACE, TURN)):
        raise NotationError(f"phase={phase}: held is the tile being laid (MK-T2)")
    if (s.chosen != NOWHERE) != (s.phase in (TURN, QUAKE_TURN)):
        raise NotationError(f"phase={phase}: chosen is the space of the tile (MK-T2, MK-X7)")
    if s.phase in _WITH_CARD and s.card == NO_CARD:
        raise NotationError(f"phase={phase}: card is the card being played (MK-X4)")
    if s.card != NO_CARD and s.phase not in (*_WITH_CARD, SPACE, TURN):
        raise NotationError(f"phase={phase}: no card is being played (MK-X4)")
    if s.active != NOBODY and s.explorer[s.to_move][s.active] < 0:
        raise NotationError("active: that explorer is not on the island (MK-M1)")
    if s.active == NOBODY and s.phase in (EXPLORER, LEAVE):
        raise NotationError(f"phase={phase}: active is the explorer meant (MK-T1)")
    if s.expert == 0 and s.phase in (CHOOSE, REFILL, *_WITH_CARD):
        raise NotationError(f"phase={phase}: only in the expert game (MK-X4)")
    if s.phase == OVER and s.ending == NOT_YET:
        raise NotationError("phase=over: say why it ended, as in ending=no-explorer (MK-E1)")
    if s.phase != OVER and legal(s, [0] * ACTIONS) == 0:
        raise NotationError(f"phase={phase}: there is nothing to decide (MK-T1)")


def _check_placing(s: State) -> None:
    """MK-S2, MK-X1: how far each seat must be when it is this one's turn."""
    order = [(s.first - step) % s.seats for step in range(s.seats)]
    placed = [explorers_on_island(s, seat) for seat in order]
    turn = order.index(s.to_move)
    if s.phase == PLACE:
        expected = [placed[turn] + (1 if step < turn else 0) for step in range(s.seats)]
        if placed != expected or placed[turn] == explorers_each(s):
            raise NotationError("explorers are placed one at a time, counter-clockwise (MK-S2)")
    elif any(placed):
        raise NotationError("phase=choose: explorers are placed after the cards (MK-X1)")


def _check_ending(s: State, world: State) -> None:
    """MK-E1, MK-X3: an end that must have begun has."""
    world.stirred = JUST_STIRRED
    check_end(world)
    check_bag(world)
    if world.ending != NOT_YET:
        raise NotationError(
            f"ending: by now the game is ending ({name_of(ENDINGS, world.ending)}): "
            f"{'MK-X3' if s.expert else 'MK-E1'}"
        )
