"""What becomes of people: saved, lost, in the water."""

from __future__ import annotations

from archipel.rules.hex_sea.boats import is_sea, remove_boat
from archipel.rules.hex_sea.fields import HasSea
from archipel.rules.hex_sea.own import (
    PEOPLE,
    SHORES,
    SPACES,
    seat_of,
    take_up,
)
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart


@rule
def lose(s: HasSea, person: int) -> None:
    """Out of the game for good."""
    take_up(s, person)
    s.place[person] = LOST
    count_out(s, person)


@rule
def save(s: HasSea, person: int, island: int) -> None:
    """Ashore on a safe island, and never to leave."""
    take_up(s, person)
    s.place[person] = SPACES + island
    count_out(s, person)


@rule
def count_out(s: HasSea, person: int) -> None:
    """One fewer to wait for, and something happened."""
    s.left[seat_of(s, person)] -= 1
    s.idle_turns = 0


@rule
def is_saved(s: HasSea, person: int) -> bool:
    return SPACES <= s.place[person] < SPACES + SHORES


@rule
def swims(s: HasSea, person: int) -> bool:
    place = s.place[person]
    return place < SPACES and is_sea(s, place)


@rule_apart
def lose_swimmers(s: HasSea, space: int) -> None:
    """Everyone in the water of a space, or on land that is no more, is lost."""
    for person in range(PEOPLE):
        if s.place[person] == space:
            lose(s, person)


@rule_apart
def lose_boat(s: HasSea, boat: int) -> None:
    """The boat goes with all aboard."""
    for person in range(PEOPLE):
        if s.place[person] == ABOARD + boat:
            lose(s, person)
    remove_boat(s, boat)
