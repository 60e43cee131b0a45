"""Boats and their crews: rules over any state with these fields.

A boat counts its crew by seat; a person's place is their boat.
"""

from __future__ import annotations

from typing import Protocol

from archipel.rules.hex_sea.places import ABOARD, BOAT_BITS, BOAT_ROOM, GONE, LAND
from archipel.rules.kit import rule


class HasBoats(Protocol):
    """The fields of a state with boats; `archipel.rules.hex_sea.places` has their values."""

    space: list[int]  # the contents of each space
    place: list[int]  # per person
    boat: list[int]  # per boat, its space
    aboard: list[list[int]]  # per boat and seat, the number of people aboard


@rule
def boat_in(s: HasBoats, space: int) -> int:
    """The only boat in a space, or `NO_BOAT`."""
    return (s.space[space] & BOAT_BITS) - 1


@rule
def is_sea(s: HasBoats, space: int) -> bool:
    return s.space[space] & LAND == 0


@rule
def load(s: HasBoats, boat: int) -> int:
    """The number of people aboard."""
    count = 0
    for seat in range(len(s.aboard[boat])):
        count += s.aboard[boat][seat]
    return count


@rule
def has_room(s: HasBoats, boat: int) -> bool:
    return load(s, boat) < BOAT_ROOM


@rule
def controls(s: HasBoats, boat: int, seat: int) -> bool:
    """Whether a seat has people aboard and no seat has more."""
    mine = s.aboard[boat][seat]
    if mine == 0:
        return False
    for other in range(len(s.aboard[boat])):
        if s.aboard[boat][other] > mine:
            return False
    return True


@rule
def may_sail(s: HasBoats, boat: int, seat: int) -> bool:
    """Whether a boat is empty or a seat controls it."""
    return load(s, boat) == 0 or controls(s, boat, seat)


@rule
def space_of(s: HasBoats, person: int) -> int:
    """The space of a person on the board, in a boat or not."""
    place = s.place[person]
    return s.boat[place - ABOARD] if place >= ABOARD else place


@rule
def climb_aboard(s: HasBoats, person: int, seat: int, boat: int) -> None:
    s.place[person] = ABOARD + boat
    s.aboard[boat][seat] += 1


@rule
def leave_boat(s: HasBoats, person: int, seat: int) -> None:
    """Take a person out of their boat, if any; the caller sets the new place."""
    place = s.place[person]
    if place >= ABOARD:
        s.aboard[place - ABOARD][seat] -= 1


@rule
def put_boat(s: HasBoats, boat: int, space: int) -> None:
    s.boat[boat] = space
    s.space[space] |= boat + 1


@rule
def move_boat(s: HasBoats, boat: int, space: int) -> None:
    """Move a boat with its crew."""
    left = s.boat[boat]
    s.space[left] = s.space[left] & ~BOAT_BITS
    put_boat(s, boat, space)


@rule
def remove_boat(s: HasBoats, boat: int) -> None:
    """Remove an empty boat from the game."""
    left = s.boat[boat]
    s.space[left] = s.space[left] & ~BOAT_BITS
    s.boat[boat] = GONE
