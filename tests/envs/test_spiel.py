"""OpenSpiel games."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy
import pytest

from archipel.envs.observation_spec import spec_of
from tests.envs.needed import needs_open_spiel

pytestmark = needs_open_spiel


@pytest.mark.parametrize("game", ["deep_sea(players=3)", "mauna_kea(expert=on)"])
def test_random_sim_test(game: str) -> None:
    import pyspiel

    import archipel.envs.spiel  # noqa: F401 - registers the games

    pyspiel.random_sim_test(
        pyspiel.load_game(f"archipel_{game}"), num_sims=1, serialize=True, verbose=False
    )


@pytest.mark.parametrize("game", ["the-island", "atlantis"])
def test_hexagon_games_play_thirty_decisions(game: str) -> None:
    """A shorter test: OpenSpiel's own serialises hundreds of positions."""
    import pyspiel

    from archipel.envs.spiel import spiel_name

    state = pyspiel.load_game(spiel_name(game)).new_initial_state()
    decisions = 0
    while decisions < 30:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(chance for _, chance in outcomes) == pytest.approx(1)
            state.apply_action(outcomes[len(state.history()) % len(outcomes)][0])
        else:
            assert len(state.observation_tensor()) == spec_of(game).size
            copied = state.clone()
            legal = state.legal_actions()
            state.apply_action(legal[decisions % len(legal)])
            assert str(copied) != str(state), "the copy is unchanged"
            decisions += 1


def test_options_are_checked() -> None:
    import pyspiel

    import archipel.envs.spiel  # noqa: F401 - registers the games

    with pytest.raises(Exception, match="alphabetical"):
        pyspiel.load_game("archipel_deep_sea(drop_order=alphabetical)")


def loaded(parameters: str) -> Any:
    import pyspiel

    import archipel.envs.spiel  # noqa: F401 - registers the games

    return pyspiel.load_game(f"archipel_{parameters}")


def play_on(state: Any, chooser: random.Random, decisions: int) -> Any:
    """Play to a decision after some others, or to the end."""
    while not state.is_terminal() and (decisions > 0 or state.is_chance_node()):
        decisions -= not state.is_chance_node()
        state.apply_action(chooser.choice(state.legal_actions()))
    return state


def test_information_states_have_perfect_recall() -> None:
    """One string stands for one sequence of own information states and actions."""
    game = loaded("deep_sea(players=2)")
    pasts: dict[tuple[int, str], tuple[Any, ...]] = {}
    for seed in range(25):
        state, chooser = game.new_initial_state(), random.Random(seed)
        own: list[list[Any]] = [[], []]
        while not play_on(state, chooser, 0).is_terminal():
            player = state.current_player()
            string = state.information_state_string(player)
            assert pasts.setdefault((player, string), tuple(own[player])) == tuple(own[player])
            action = chooser.choice(state.legal_actions())
            own[player] += [string, action]
            state.apply_action(action)
    assert len(pasts) > 500


def test_information_states_do_not_tell_what_is_hidden() -> None:
    """A player cannot tell games apart that differ in what only others know."""
    game = loaded("the_island(players=2)")
    state = play_on(game.new_initial_state(), random.Random(1), 40)
    player = state.current_player()
    other = state.resample_from_infostate(player, random.Random(2).random)
    assert other.position != state.position
    assert other.information_state_string(player) == state.information_state_string(player)
    assert other.observation_string(player) == state.observation_string(player)
    assert other.legal_actions() == state.legal_actions()
    assert play_on(other, random.Random(3), 10**6).is_terminal()
    assert sum(other.returns()) == pytest.approx(1)


def test_resampled_worlds_are_reproducible_and_different() -> None:
    state = play_on(loaded("the_island").new_initial_state(), random.Random(1), 40)
    player = state.current_player()
    worlds = [
        state.resample_from_infostate(player, random.Random(seed).random).position
        for seed in (5, 5, 6)
    ]
    assert worlds[0] == worlds[1] != worlds[2]


def test_observers_with_and_without_perfect_recall() -> None:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = loaded("deep_sea(players=3)")
    state = play_on(game.new_initial_state(), random.Random(1), 9)
    whole = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    today = make_observation(game, pyspiel.IIGObservationType(perfect_recall=False))
    assert whole.string_from(state, 0) == state.information_state_string(0)
    assert today.string_from(state, 0) == state.observation_string(0)
    assert whole.string_from(state, 0).endswith(today.string_from(state, 0))
    assert whole.tensor is None
    today.set_from(state, 0)
    assert today.tensor.shape == (spec_of("deep-sea").size,)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
def test_states_can_be_copied(copied: Any) -> None:
    state = play_on(loaded("deep_sea(players=3)").new_initial_state(), random.Random(1), 9)
    twin = copied(state)
    assert twin.history() == state.history()
    for each in (state, twin):
        play_on(each, random.Random(2), 9)
    assert str(twin) == str(state)
    assert twin.information_state_string(1) == state.information_state_string(1)


def test_resampled_states_are_not_pickled() -> None:
    state = play_on(loaded("deep_sea").new_initial_state(), random.Random(1), 3)
    other = state.resample_from_infostate(0, random.Random(1).random)
    with pytest.raises(TypeError, match="no history to be pickled"):
        pickle.dumps(other)


def test_searches_of_open_spiel() -> None:
    """MCTS, which sees everything, and ISMCTS, which resamples."""
    from open_spiel.python.algorithms import ismcts, mcts

    game = loaded("deep_sea")
    state = play_on(game.new_initial_state(), random.Random(4), 40)
    generator = numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, generator)
    full = mcts.MCTSBot(game, 1.4, 20, evaluator, random_state=generator)
    assert full.step(state) in state.legal_actions()
    hidden = ismcts.ISMCTSBot(game, evaluator, 1.4, 20, random_state=generator)
    assert hidden.step(state) in state.legal_actions()


def test_counterfactual_regret_minimization() -> None:
    """MCCFR by outcome sampling, for some iterations."""
    from open_spiel.python.algorithms import outcome_sampling_mccfr

    numpy.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(loaded("deep_sea(drop_order=taken)"))
    for _ in range(3):
        solver.iteration()
    assert len(solver._infostates) > 20
    policy = solver.average_policy()
    state = play_on(loaded("deep_sea(drop_order=taken)").new_initial_state(), random.Random(1), 0)
    chances = policy.action_probabilities(state)
    assert sum(chances.values()) == pytest.approx(1)
