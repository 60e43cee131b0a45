"""Gymnasium and PettingZoo environments."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from tests.envs.needed import needs_gymnasium, needs_pettingzoo

pytestmark = needs_gymnasium

#: All but the first are played interpreted, because compiling takes longer than playing.
GAMES = ("deep-sea", "the-island", "atlantis", "mauna-kea")


def compiled_for(game: str) -> bool | None:
    return None if game == "deep-sea" else False


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:.*(render|not within the minimum).*:UserWarning")
def test_gymnasium_env_checker(game: str) -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    import archipel.envs

    name = archipel.envs.environment_name(game)
    check_env(
        gymnasium.make(name, seats=3, render_mode="ansi", compiled=compiled_for(game)).unwrapped
    )
    structured = gymnasium.make(name, structured=True, compiled=compiled_for(game)).unwrapped
    check_env(structured, skip_render_check=True)


def legal(generator: numpy.random.Generator, masks: Any) -> Any:
    return (generator.random(masks.shape) * masks).argmax(axis=-1)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_vector_equals_single_environments(mode: str) -> None:
    """Compared step by step with Gymnasium's vector of single environments."""
    import gymnasium
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    import archipel.envs

    arguments: dict[str, Any] = {"seats": 3, "opponents": ["random", "greedy-1"], "seat": "rotate"}
    name = archipel.envs.environment_name("deep-sea")
    autoreset = AutoresetMode[mode.upper()]
    singles = SyncVectorEnv(
        [lambda: gymnasium.make(name, **arguments).unwrapped] * 5, autoreset_mode=autoreset
    )
    ours = gymnasium.make_vec(name, num_envs=5, autoreset_mode=autoreset, **arguments)
    assert ours.single_observation_space == singles.single_observation_space
    assert ours.observation_space == singles.observation_space
    assert ours.action_space == singles.action_space
    assert ours.metadata["autoreset_mode"] == autoreset
    generator = numpy.random.default_rng(3)
    left, right = (env.reset(seed=11) for env in (singles, ours))
    ended = 0
    for _ in range(150):
        for part in ("observation", "action_mask"):
            numpy.testing.assert_array_equal(left[0][part], right[0][part])
        numpy.testing.assert_array_equal(left[-1]["seat"], right[-1]["seat"])
        assert ours.observation_space.contains(right[0])
        actions = legal(generator, right[0]["action_mask"])
        left, right = singles.step(actions), ours.step(actions)
        for number in (1, 2, 3):
            numpy.testing.assert_array_equal(left[number], right[number])
            assert left[number].dtype == right[number].dtype
        for env in numpy.flatnonzero(right[2]):
            ended += 1
            if mode == "same_step":
                for part in ("observation", "action_mask"):
                    numpy.testing.assert_array_equal(
                        left[4]["final_obs"][env][part], right[4]["final_obs"][env][part]
                    )
    assert ended > 5
    singles.close()
    ours.close()


def test_manual_reset() -> None:
    from gymnasium.vector import AutoresetMode

    from archipel.envs import LearnerVectorEnv

    env = LearnerVectorEnv("deep-sea", 3, autoreset_mode=AutoresetMode.DISABLED, copy=False)
    seen, _ = env.reset(seed=1)
    assert env.reset()[0]["observation"] is seen["observation"], "the same array"
    first = seen["observation"].copy()
    env.reset(options={"reset_mask": numpy.array([False, True, False])})
    assert (seen["observation"][[0, 2]] == first[[0, 2]]).all()
    with pytest.raises(ValueError, match="reset_mask"):
        env.reset(options={"reset_mask": numpy.zeros(3, bool)})
    env.close()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"opponents": []}, "needs opponents"),
        ({"opponents": ["random"] * 3, "seats": 3}, "do not fit on 3 seats"),
        ({"seat": 2}, "seat 2 is not one of 0 to 1"),
        ({"seat": "north"}, "seat 'north'"),
        ({"options": {"drop_order": "alphabetical"}}, "drop_order"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], complaint: str) -> None:
    from archipel.envs import LearnerEnv

    with pytest.raises(ValueError, match=complaint):
        LearnerEnv("deep-sea", compiled=False, **arguments)


def test_step_before_reset_is_an_error() -> None:
    import gymnasium

    from archipel.envs import LearnerEnv, LearnerVectorEnv

    with pytest.raises(gymnasium.error.ResetNeeded):
        LearnerEnv("deep-sea", compiled=False).step(0)
    with pytest.raises(gymnasium.error.ResetNeeded):
        LearnerVectorEnv("deep-sea", compiled=False).step(numpy.array([0]))


@needs_pettingzoo
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
def test_pettingzoo_api_tests(game: str) -> None:
    from pettingzoo.test import api_test, seed_test

    from archipel.envs import TurnsEnv

    api_test(
        TurnsEnv(game, seats=3, render_mode="ansi", compiled=compiled_for(game)), num_cycles=60
    )
    seed_test(lambda: TurnsEnv(game, seats=2, compiled=compiled_for(game)), num_cycles=20)


@needs_pettingzoo
def test_each_agent_gets_its_own_observation() -> None:
    from archipel.envs import TurnsEnv

    env = TurnsEnv("deep-sea", seats=3, structured=True)
    env.reset(seed=4)
    for agent in env.agents:
        seen = env.observe(agent)
        seat = env.possible_agents.index(agent)
        assert seen["observation"]["me"].argmax() == seat
        assert seen["action_mask"].any() == (agent == env.agent_selection)
    env.step(16)  # illegal: there is nothing to lay down yet
    assert set(env.terminations.values()) == {True}
    assert sorted(env.rewards.values()) == [-1, 0, 0]
