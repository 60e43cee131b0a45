"""Gymnasium and PettingZoo environments."""

from __future__ import annotations

import copy
import pickle
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


def play(env: Any, actions: int, seed: int = 0) -> list[Any]:
    """Play random legal actions, and return everything that happened."""
    generator, happened = numpy.random.default_rng(seed), []
    for _ in range(actions):
        masks = env.action_masks()
        found = env.step(legal(generator, masks))
        obs = found[0]["observation"].copy()
        happened.append((obs.tobytes(), found[1:4]))
        if not hasattr(env, "num_envs") and found[2]:
            env.reset()
    return happened


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copied_environments_go_on_alike(copied: Any, compiled: bool | None) -> None:
    from archipel.envs import LearnerEnv, LearnerVectorEnv

    single = LearnerEnv("deep-sea", seats=3, opponents="greedy-1", compiled=compiled)
    many = LearnerVectorEnv("deep-sea", 3, seat="rotate", compiled=compiled)
    for env in (single, many):
        env.reset(seed=3)
        play(env, 7)
        twin = copied(env)
        assert repr(play(twin, 40)) == repr(play(env, 40))


@needs_pettingzoo
def test_a_copied_turns_environment_goes_on_alike() -> None:
    from archipel.envs import TurnsEnv

    env = TurnsEnv("deep-sea", seats=3, compiled=False)
    env.reset(seed=3)
    env.step(0)
    twin = pickle.loads(pickle.dumps(env))
    for each in (env, twin):
        for _ in range(30):
            each.step(int(each.observe(each.agent_selection)["action_mask"].argmax()))
    assert (env.state() == twin.state()).all()
    assert env.agent_selection == twin.agent_selection


def test_structured_vector_environments() -> None:
    import gymnasium

    import archipel.envs

    name = archipel.envs.environment_name("deep-sea")
    for mode in ("NextStep", "SameStep"):
        given = {"num_envs": 3, "opponents": "random", "autoreset_mode": mode}
        flat, named = (gymnasium.make_vec(name, structured=way, **given) for way in (False, True))
        (one, _), (two, _) = (env.reset(seed=5) for env in (flat, named))
        for _ in range(60):
            assert named.observation_space.contains(two)
            parts = archipel.envs.spec_of("deep-sea").split(one["observation"])
            assert parts.keys() == two["observation"].keys()
            for part, found in two["observation"].items():
                numpy.testing.assert_array_equal(found, parts[part])
            actions = one["action_mask"].argmax(axis=1)
            (one, *_), (two, *_, infos) = flat.step(actions), named.step(actions)
            if "final_obs" in infos:
                final = infos["final_obs"][infos["_final_obs"]][0]
                assert named.single_observation_space.contains(final)


@pytest.mark.parametrize("game", GAMES)
def test_render_modes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    from archipel.envs import LearnerEnv, LearnerVectorEnv

    drawn = LearnerEnv(game, render_mode="rgb_array", compiled=False)
    with pytest.raises(Exception, match="call reset"):
        drawn.render()
    drawn.reset(seed=1)
    pixels = drawn.render()
    assert pixels.dtype == numpy.uint8
    assert pixels.shape[2] == 3
    assert min(pixels.shape[:2]) > 300
    assert len(numpy.unique(pixels.reshape(-1, 3), axis=0)) > 20, "a drawing, not an empty page"
    human = LearnerEnv(game, render_mode="human", compiled=False)
    human.reset(seed=1)
    ansi = LearnerVectorEnv(game, 2, render_mode="ansi", compiled=False)
    ansi.reset(seed=1)
    texts = ansi.render()
    assert len(texts) == 2
    assert capsys.readouterr().out == f"{texts[0]}\n"
    with pytest.raises(ValueError, match="'pixels' is not one of ansi, rgb_array, human"):
        LearnerEnv(game, render_mode="pixels", compiled=False)


@needs_pettingzoo
def test_pettingzoo_render_test() -> None:
    from pettingzoo.test import render_test

    from archipel.envs import TurnsEnv

    render_test(lambda render_mode: TurnsEnv("deep-sea", render_mode=render_mode, compiled=False))


@needs_pettingzoo
def test_the_state_and_steps_before_reset() -> None:
    import gymnasium

    from archipel.envs import TurnsEnv

    env = TurnsEnv("deep-sea", seats=3, compiled=False)
    for call in (lambda: env.step(0), env.state, lambda: env.observe("player_0"), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset"):
            call()
    env.reset(seed=1)
    assert env.state_space.contains(env.state())
    own = env.observe("player_1")["observation"]
    assert (env.state()[len(own) : 2 * len(own)] == own).all()
