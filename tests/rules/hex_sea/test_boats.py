"""Boats and swimmers, tested on a minimal state of their own."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from archipel.rules.hex_sea.boats import (
    boat_in,
    climb_aboard,
    controls,
    has_room,
    is_sea,
    leave_boat,
    load,
    may_sail,
    move_boat,
    put_boat,
    remove_boat,
    space_of,
)
from archipel.rules.hex_sea.places import ABOARD, GONE, IN_STOCK, LAND, NO_BOAT, WAITING
from archipel.rules.hex_sea.swimmers import has_sea_step, spend_sea_step, swimmers_in
from archipel.rules.kit import Program, array, rule, scalar, state
from archipel.rules.kit.core.loading import can_compile
from archipel.rules.kit.numba.compiler import CHECKED, compile_program


@state
@dataclass(slots=True)
class Pond:
    """Nine spaces, five people (of seats 0, 0, 1, 1, 2) and two boats."""

    space: list[int] = array("u1", 9)  # noqa: RUF009
    place: list[int] = array("u1", 5, fill=WAITING)  # noqa: RUF009
    boat: list[int] = array("u1", 2, fill=IN_STOCK)  # noqa: RUF009
    aboard: list[list[int]] = array("i1", 2, 3)  # noqa: RUF009
    sea_stepped: int = scalar("i8")


SEATS = [0, 0, 1, 1, 2]


def pond(*aboard: int) -> Pond:
    """Return a state with a boat on space 4 and these people aboard."""
    s = Pond()
    put_boat(s, 0, 4)
    for person in aboard:
        climb_aboard(s, person, SEATS[person], 0)
    return s


def test_a_boat_can_be_placed_moved_and_removed() -> None:
    s = pond()
    s.space[4] |= 64
    assert boat_in(s, 4) == 0
    assert boat_in(s, 5) == NO_BOAT
    put_boat(s, 1, 8)
    move_boat(s, 0, 5)
    assert (boat_in(s, 4), boat_in(s, 5), boat_in(s, 8)) == (NO_BOAT, 0, 1)
    assert s.space[4] == 64  # other flags of the space stay
    remove_boat(s, 0)
    assert boat_in(s, 5) == NO_BOAT
    assert s.boat == [GONE, 8]


def test_three_people_fill_a_boat() -> None:
    s = pond(0, 2)
    assert (load(s, 0), has_room(s, 0)) == (2, True)
    climb_aboard(s, 4, 2, 0)
    assert (load(s, 0), has_room(s, 0)) == (3, False)
    assert s.place[4] == ABOARD
    leave_boat(s, 4, 2)
    assert s.aboard[0] == [1, 1, 0]


@pytest.mark.parametrize(
    ("aboard", "command"),
    [((), ()), ((0,), (0,)), ((0, 1, 2), (0,)), ((0, 2), (0, 1)), ((0, 2, 4), (0, 1, 2))],
)
def test_the_player_with_most_people_aboard_commands(
    aboard: tuple[int, ...], command: tuple[int, ...]
) -> None:
    s = pond(*aboard)
    assert tuple(seat for seat in range(3) if controls(s, 0, seat)) == command
    sailors = command if aboard else (0, 1, 2)
    assert tuple(seat for seat in range(3) if may_sail(s, 0, seat)) == sailors


def test_a_person_aboard_is_in_the_space_of_the_boat() -> None:
    s = pond(0)
    s.place[1] = 7
    assert (space_of(s, 0), space_of(s, 1)) == (4, 7)
    leave_boat(s, 1, 0)  # not aboard, so no effect
    assert s.aboard[0] == [1, 0, 0]


def test_only_people_in_the_water_count_as_swimmers() -> None:
    s = pond(0)
    s.place[1] = s.place[2] = 4
    s.place[3] = 6
    s.space[6] |= LAND
    assert (swimmers_in(s, 4), swimmers_in(s, 6), swimmers_in(s, 2)) == (2, 0, 0)
    assert is_sea(s, 4)
    assert not is_sea(s, 6)


def test_each_person_has_one_sea_step() -> None:
    s = pond()
    spend_sea_step(s, 3)
    assert [has_sea_step(s, person) for person in range(5)] == [True, True, True, False, True]


@rule
def ferry(s: Pond) -> int:
    """Board, sail one space and go overboard, to test compilation."""
    climb_aboard(s, 0, 0, 0)
    move_boat(s, 0, 5)
    leave_boat(s, 0, 0)
    s.place[0] = 5
    spend_sea_step(s, 0)
    return swimmers_in(s, 5) * 10 + load(s, 0)


@pytest.mark.skipif(not can_compile(), reason="Numba is not installed")
def test_shared_rules_compile_for_any_state_with_the_required_fields() -> None:
    compiled = compile_program(Program("pond", Pond, (ferry,)), CHECKED)
    states = compiled.states(1)
    compiled.write(states, 0, pond())
    plain = pond()
    assert compiled.ferry(states[0]) == ferry(plain) == 10
    assert compiled.read(states, 0) == plain
