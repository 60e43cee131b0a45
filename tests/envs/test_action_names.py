"""The tables of action numbers agree with the rules and the notation."""

from __future__ import annotations

import random

import numpy
import pytest

from archipel import Game
from archipel.envs.observation_spec import observing, spec_of
from archipel.rules.all_games import HOUSE_GAMES

GAMES = [definition.name for definition in HOUSE_GAMES]
#: Words of the notation that are not in the name of an action.
VERBS = {"place", "to", "swim", "remove", "ashore", "explorer", "person", "board", "sink", "play"}


def decisions(name: str, count: int) -> list[Game]:
    """Games at random positions, with options that lead to as many phases as possible."""
    options: dict[str, object] = {"mauna-kea": {"expert": "on"}}.get(name, {})  # type: ignore[assignment]
    found: list[Game] = []
    chooser = random.Random(1)
    while len(found) < count:
        game = Game.new(name, 2 + len(found) % 3, seed=len(found), **options)
        while not game.is_over and len(found) < count:
            found.append(game.copy())
            game.play(chooser.choice(game.legal))
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_action_has_its_name(name: str) -> None:
    spec, seen = spec_of(name), set()
    for game in decisions(name, 250):
        names = spec.action_names(game.state.phase)
        for action in game.legal:
            known = names[action]
            assert known is not None, (spec.phases[game.state.phase], action)
            words = [word for word in action.text.lower().split() if word not in VERBS]
            seen.add(game.state.phase)
            if words in ([], ["overboard"]) or action.text.split()[0] in ("play", "reject"):
                continue  # the space of the boat; a tile of the hand by its symbol; a card
            if "value" in known:
                assert known.endswith(f"value {words[-1]}")
            else:
                assert words[-1] in known.lower().split(), (action.text, known)
    assert len(seen) > 2


@pytest.mark.parametrize("name", GAMES)
def test_tables_cover_all_numbers_without_overlap(name: str) -> None:
    spec = spec_of(name)
    assert spec.phases[-1] == "over"
    used = set()
    for phase in range(len(spec.phases)):
        ranges = [each for each in spec.action_ranges if phase in each.phases]
        for action in range(spec.actions):
            assert sum(each.name(action) is not None for each in ranges) <= 1
        used |= {number for number, found in enumerate(spec.action_names(phase)) if found}
    assert used == set(range(spec.actions))


@pytest.mark.parametrize("name", GAMES)
def test_observing_a_decision(name: str) -> None:
    """`spec.observe` and `spec.action_mask` of a view are what the rule writes."""
    spec = spec_of(name)
    game = Game.new(name, seed=3)
    for _, decision in zip(range(5), game, strict=False):
        expected = numpy.zeros(spec.size, numpy.float32)
        observing(name)(decision.view.state, decision.seat, expected)
        assert numpy.array_equal(spec.observe(decision.view), expected)
        assert numpy.flatnonzero(spec.action_mask(decision.view)).tolist() == decision.legal
        other = (decision.seat + 1) % game.seats
        assert not numpy.array_equal(spec.observe(game.view(other), other), expected)
        game.play(decision.legal[0])


def test_a_game_that_is_over_has_no_seat_to_move() -> None:
    game = Game.new("deep-sea", seed=1)
    while not game.is_over:
        game.play(game.legal[-1])
    with pytest.raises(ValueError, match="the game is over: say whose view it is"):
        spec_of("deep-sea").observe(game.view(0))
    assert spec_of("deep-sea").observe(game.view(0), seat=0).any()
