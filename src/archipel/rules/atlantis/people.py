"""What becomes of people: where they stand or swim, lost, saved."""

from __future__ import annotations

from archipel.rules.atlantis.board import SPACES
from archipel.rules.atlantis.components import PEOPLE, TRIBE_OF
from archipel.rules.atlantis.state import SHARK_BIT, State
from archipel.rules.hex_sea.boats import is_sea, leave_boat, remove_boat
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import rule
from archipel.rules.kit.marking import rule_apart


@rule
def take_up(s: State, person: int) -> None:
    """Off the space or the boat where they are; where to is for the caller to say."""
    place = s.place[person]
    if place < SPACES:
        s.crowd[place] -= 1
    else:
        leave_boat(s, person, TRIBE_OF[person])


@rule
def go_to(s: State, person: int, space: int) -> None:
    """Onto a piece, or into the water of a space."""
    take_up(s, person)
    s.place[person] = space
    s.crowd[space] += 1


@rule
def lose(s: State, person: int) -> None:
    """Out of the game for good (AT-K4)."""
    take_up(s, person)
    s.place[person] = LOST
    count_out(s, person)


@rule
def save(s: State, person: int, island: int) -> None:
    """AT-M7, AT-M8: ashore, and never to leave."""
    take_up(s, person)
    s.place[person] = SPACES + island
    count_out(s, person)


@rule
def count_out(s: State, person: int) -> None:
    """One fewer to wait for (AT-E1), and something happened (AT-E3)."""
    s.left[TRIBE_OF[person]] -= 1
    s.idle_turns = 0


@rule
def swims(s: State, person: int) -> bool:
    place = s.place[person]
    return place < SPACES and is_sea(s, place)


@rule_apart
def lose_swimmers(s: State, space: int) -> None:
    """Everyone in the water of a space is lost."""
    if s.crowd[space] == 0:
        return
    for person in range(PEOPLE):
        if s.place[person] == space:
            lose(s, person)


@rule_apart
def lose_boat(s: State, boat: int) -> None:
    """The boat goes with all aboard."""
    for person in range(PEOPLE):
        if s.place[person] == ABOARD + boat:
            lose(s, person)
    remove_boat(s, boat)


@rule
def capsize(s: State, boat: int) -> None:
    """AT-X3: the boat is gone and those aboard are in the water, where a shark eats them."""
    space = s.boat[boat]
    for person in range(PEOPLE):
        if s.place[person] == ABOARD + boat:
            if s.space[space] & SHARK_BIT != 0:
                lose(s, person)
            else:
                go_to(s, person, space)
    remove_boat(s, boat)
