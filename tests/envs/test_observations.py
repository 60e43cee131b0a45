"""Observations contain exactly what a seat sees."""

from __future__ import annotations

import dataclasses
from itertools import islice
from typing import Any

import numpy
import pytest

from archipel.envs.observation_spec import observation_of, observing, spec_of
from archipel.rules.all_games import game_named, games
from archipel.rules.contract import Definition
from archipel.rules.kit import Stream, array, clone, scalar, state
from archipel.rules.kit.core.encodings import Counts, Number, OneOf, Range, Ranges, Seat, SeatBits
from archipel.rules.kit.core.observations import (
    Observation,
    ObservationError,
    Seen,
    observing_rule,
    parts_of,
    plain_observation,
)
from tests.bots.positions import decisions

GAMES = [definition.name for definition in games()]


def tensor(definition: Definition[Any], s: Any, seat: int) -> list[float]:
    """Observation of a seat, written over other numbers."""
    out = [7.0] * spec_of(definition.name).size
    observing(definition.name)(definition.recalled(s, seat), seat, out)
    return out


@pytest.mark.parametrize("game", GAMES)
def test_hidden_information_does_not_show(game: str) -> None:
    """Worlds that differ only in hidden information give equal observations."""
    definition = game_named(game)
    hidden = 0
    for number, (s, _) in enumerate(islice(decisions(definition, 41), 0, 600, 12)):
        for seat in range(definition.read_options(s).seats):
            world = definition.recalled(s, seat)
            definition.deal_unseen(world, Stream(number))
            hidden += definition.recalled(s, seat) != s and world != s
            assert definition.recalled(world, seat) == definition.recalled(s, seat)
            assert tensor(definition, world, seat) == tensor(definition, s, seat)
    assert hidden > 20, "worlds that differ in what is hidden"


@pytest.mark.parametrize("game", GAMES)
def test_all_numbers_are_written_and_in_range(game: str) -> None:
    definition = game_named(game)
    low = spec_of(game).low()
    for s, _ in islice(decisions(definition, 5), 0, 900, 9):
        for seat in range(definition.read_options(s).seats):
            seen = numpy.array(tensor(definition, s, seat), numpy.float32)
            assert (low <= seen).all()
            assert (seen <= 1).all()


@pytest.mark.parametrize("game", GAMES)
def test_different_views_give_different_observations(game: str) -> None:
    definition = game_named(game)
    views: dict[tuple[float, ...], Any] = {}
    left_out = observation_of(game).left_out
    for s, legal in islice(decisions(definition, 9), 0, 400, 4):
        seat = definition.to_move(s)
        view = definition.recalled(s, seat)
        for name in left_out:
            setattr(view, name, getattr(definition.state(), name))
        key = tuple(tensor(definition, s, seat))
        before, actions = views.setdefault(key, (view, legal))
        assert actions == legal
        if game != "deep-sea":  # chips of one level are interchangeable there
            assert before == view


def test_default_observation_has_all_fields() -> None:
    definition = game_named("deep-sea")
    plain = plain_observation(definition.state)
    parts = parts_of(definition.state, 6, plain)
    assert [part.name for part in parts[1:]] == [
        f.name for f in dataclasses.fields(definition.state)
    ]
    rule = observing_rule("deep-sea", definition.state, 6, plain)
    s = definition.new(definition.make_options(2), Stream(1))
    out = [0.0] * (parts[-1].offset + parts[-1].size)
    rule(s, 1, out)
    assert out[:6] == [0, 1, 0, 0, 0, 0]
    assert out[6] == 2 / 127  # seats, a number of one byte


# ---- encodings ----------------------------------------------------------------------------------


@state
@dataclasses.dataclass(slots=True)
class Small:
    seats: int = scalar("i1", 3)
    who: int = scalar("i1")
    kind: int = scalar("i1")
    value: int = scalar("i1")
    club: int = scalar("i1")
    chips: int = scalar("u4")
    points: list[int] = array("i1", 4)
    aboard: list[list[int]] = array("i1", 2, 4)


SMALL = Observation(
    (
        Seen("who", Seat(4), "who"),
        Seen("kind", OneOf(("one", "two"), 1), "kind"),
        Seen("value", Number(10, unknown=True), "value"),
        Seen("club", SeatBits(4), "club"),
        Seen("chips", Counts(("low", "high")), "chips"),
        Seen("points", Number(5, capped=True), "points", per_seat="rows"),
        Seen("aboard", Ranges((Range("home", 0), Range("boat", 1, 4))), "a", per_seat="columns"),
    ),
    {"seats": "not needed"},
)


def observed(s: Small, seat: int) -> dict[str, list[float]]:
    parts = parts_of(Small, 4, SMALL)
    out = [9.0] * (parts[-1].offset + parts[-1].size)
    observing_rule("small", Small, 4, SMALL)(s, seat, out)
    return {part.name: out[part.offset : part.offset + part.size] for part in parts}


def test_encodings() -> None:
    s = Small(who=2, kind=2, value=-1, club=0b101, chips=0b11_0000_0111, points=[1, 2, 9, 0])
    s.aboard[1][0] = 4
    seen = observed(s, 1)
    assert seen["me"] == [0, 1, 0, 0]
    assert seen["who"] == [0, 1, 0, 0, 0], "the next seat to the left"
    assert seen["kind"] == [0, 1]
    assert seen["value"] == [0, 1], "unknown"
    assert seen["club"] == [0, 1, 1, 0]
    assert seen["chips"] == [3 / 8, 2 / 8]
    assert seen["points"] == [2 / 5, 1, 1 / 5, 0], "own points first; the fourth seat is empty"
    home, absent, fourth = [1, 0, 0], [0, 0, 0], [0, 1, 1]
    assert seen["aboard"] == [*home * 3, *absent, *home * 2, *fourth, *absent]
    s.who, s.value = -1, 5
    assert observed(s, 0)["who"] == [0, 0, 0, 0, 1], "nobody"
    assert observed(s, 0)["value"] == [0.5, 0]
    assert observed(clone(s), 0) == observed(s, 0)


@pytest.mark.parametrize(
    ("observation", "complaint"),
    [
        (Observation(SMALL.parts[1:], SMALL.left_out), "nothing says how who"),
        (Observation(SMALL.parts, {**SMALL.left_out, "luck": "?"}), "no field luck"),
    ],
)
def test_bad_declarations_are_refused(observation: Observation, complaint: str) -> None:
    with pytest.raises(ObservationError, match=complaint):
        parts_of(Small, 4, observation)


def test_parts_share_memory_with_the_observation() -> None:
    spec = spec_of("deep-sea")
    many = numpy.zeros((3, 2, spec.size), numpy.float32)
    parts = spec.split(many)
    assert parts["hand"].shape == (3, 2, 6, 6, 4)
    parts["air"][...] = 1
    assert many.sum() == 6
    with pytest.raises(ValueError, match="465 numbers"):
        spec.split(many[..., 1:])
