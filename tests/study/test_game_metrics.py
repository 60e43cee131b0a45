"""Metrics of games match what happened, compiled and interpreted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from archipel.rules.all_games import game_named
from archipel.rules.contract import Definition
from archipel.rules.hex_sea.places import ABOARD, LOST
from archipel.rules.kit import Stream, clone, stream_key
from archipel.rules.kit.core.loading import can_compile, load_backend
from archipel.rules.mauna_kea.state import ExplorerPlace
from archipel.rules.metrics import ROUNDS_BEGUN, SURVIVORS, TURNS, WHOLE_GAME, Metrics

GAMES = ("deep-sea", "atlantis", "the-island", "mauna-kea")


def metrics_of(definition: Definition[Any]) -> Metrics:
    assert definition.metrics is not None
    return definition.metrics


def steps(name: str, seed: int, seats: int, **given: Any) -> Any:
    """A random game: the states before and after each action, first after set-up."""
    definition = game_named(name)
    chance, choices = Stream(stream_key(seed, 0)), Stream(stream_key(seed, 1))
    state = definition.new(definition.make_options(seats, **given), chance)
    yield None, state
    while definition.to_move(state) >= 0:
        before = clone(state)
        legal = definition.legal_actions(state)
        definition.apply(state, legal[choices.draw(len(legal))], chance)
        yield before, state


@pytest.mark.parametrize("name", GAMES)
def test_compiled_it_notes_the_same(name: str) -> None:
    if not can_compile():
        pytest.skip("Numba is not installed: nothing is compiled")
    definition, course = game_named(name), metrics_of(game_named(name))
    rules = definition.metric_rules
    program = definition.program(follow=rules.follow, figure=rules.figure)
    program.check()
    backend = load_backend(program, compiled=True)
    states = backend.states(1)
    noted, lost = backend.numbers(course.size), backend.numbers(len(course.places))
    plain, plainly_lost = [0] * course.size, [0] * len(course.places)
    seats = definition.seats[-1]
    for _, state in steps(name, 3, seats):
        backend.write(states, 0, state)
        backend.follow(states[0], noted, lost)
        course.follow(state, plain, plainly_lost)
        assert noted.tolist() == plain
    assert lost.tolist() == plainly_lost
    assert sum(plainly_lost) > 0, "nobody was lost: nothing was tested"
    asked = [(WHOLE_GAME, 0)]
    asked += [(seat, which) for seat in range(seats) for which in range(len(course.figures))]
    for seat, which in asked:
        assert backend.figure(states[0], noted, seat, which) == course.figure(
            state, plain, seat, which
        )


def where_lost(name: str, before: Any, after: Any) -> list[int]:
    """The places of the pieces that an action loses, before it."""
    if name == "mauna-kea":
        return [
            cell // 4
            for was, now in zip(before.explorer, after.explorer, strict=True)
            for cell, then in zip(was, now, strict=True)
            if then == ExplorerPlace.LOST != cell
        ]
    found = []
    for place, now in zip(before.place, after.place, strict=True):
        if now == LOST != place:
            found.append(before.boat[place - ABOARD] if place >= ABOARD else place)
    return found


@pytest.mark.parametrize("name", ["atlantis", "the-island", "mauna-kea"])
@pytest.mark.parametrize("seed", range(3))
def test_people_are_lost_where_they_were(name: str, seed: int) -> None:
    course, seats = metrics_of(game_named(name)), 2 + seed
    noted, lost = [0] * course.size, [0] * len(course.places)
    expected: Counter[int] = Counter()
    for before, after in steps(name, seed, seats):
        if before is not None:
            expected.update(where_lost(name, before, after))
        course.follow(after, noted, lost)
    assert Counter({place: count for place, count in enumerate(lost) if count}) == expected
    index = course.figures.index("lost")
    told = [course.figure(after, noted, seat, index) for seat in range(seats)]
    assert sum(told) == sum(lost)
    assert noted[ROUNDS_BEGUN] == noted[TURNS] // seats + 1
    ending = course.endings[course.figure(after, noted, WHOLE_GAME, 0)]
    assert game_named(name).ending(after) == f"end.{ending}"
    everybody = {"atlantis": 24 // seats * seats, "the-island": 10 * seats}
    if name == "the-island":
        assert noted[SURVIVORS] + sum(lost) == everybody[name]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("order", ["taken", "chosen"])
def test_divers_come_home_or_drown(seed: int, order: str) -> None:
    """Compared with the narration: who kept treasure, and who was outside."""
    definition, seats = game_named("deep-sea"), 2 + seed % 5
    course = metrics_of(definition)
    noted, lost = [0] * course.size, [0] * len(course.places)
    home: Counter[int] = Counter()
    turns = 0
    for before, after in steps("deep-sea", seed, seats, drop_order=order):
        if before is not None:
            turns += before.phase == 0
            home.update(d for d in range(seats) if before.treasure[d] != after.treasure[d])
        course.follow(after, noted, lost)
    told = [[course.figure(after, noted, d, which) for which in range(4)] for d in range(seats)]
    assert [figures[0] for figures in told] == [home[diver] for diver in range(seats)]
    assert sum(figures[1] for figures in told) == sum(lost)
    assert [figures[2] for figures in told] == [
        bin(after.treasure[d]).count("1") for d in range(seats)
    ]
    assert all(figures[0] + figures[1] == 3 for figures in told), "each is home or outside"
    assert noted[TURNS] == turns
    assert noted[ROUNDS_BEGUN] == 3
