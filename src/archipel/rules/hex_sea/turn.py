"""The course of turns: going on to the next decision, whose turn is next, and when to give up."""

from __future__ import annotations

from typing import Final

from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.moving import anything_can_move
from archipel.rules.hex_sea.own import (
    BEGIN_SINKING,
    FIRST_AUTOMATIC,
    MOVE,
    act,
    go_on_once,
)
from archipel.rules.hex_sea.sinking import any_land_left
from archipel.rules.kit import Chance, rule

TURNS_WITHOUT_EVENT: Final = 12  # per player, with no land left


@rule
def apply(s: HasSea, action: int, chance: Chance) -> None:
    """Play a legal action and go on to the next decision."""
    act(s, action)
    go_on(s, chance)


@rule
def go_on(s: HasSea, chance: Chance) -> None:
    """Through everything that nobody decides, up to the next decision or the end."""
    while s.phase >= FIRST_AUTOMATIC:
        go_on_once(s, chance)


@rule
def keep_moving(s: HasSea) -> None:
    """As long as there are points and anything can move."""
    s.phase = MOVE if s.points > 0 and anything_can_move(s) else BEGIN_SINKING


@rule
def next_seat(s: HasSea, seat: int) -> int:
    """Clockwise, without a division."""
    return seat + 1 if seat + 1 < s.seats else 0


@rule
def count_idle_turn(s: HasSea) -> None:
    """A turn with no land left is counted until somebody is saved or lost."""
    if not any_land_left(s):
        s.idle_turns += 1


@rule
def is_stalemate(s: HasSea) -> bool:
    """Nothing has happened for long."""
    return s.idle_turns >= TURNS_WITHOUT_EVENT * s.seats
