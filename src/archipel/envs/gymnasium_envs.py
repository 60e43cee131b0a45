"""Gymnasium environments: one learner against bots, one game or many in parallel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from archipel.envs import batch_kernel as kernel
from archipel.envs.batch import Batch, Buffers, Player, players_of
from archipel.envs.observation_spec import ObservationSpec, environment_names, spec_of
from archipel.envs.rendering import RENDER_FPS, RENDER_MODES, check_render_mode, rendered
from archipel.rules.deprecation import former_arguments

Observation = dict[str, Any]


def observation_space(spec: ObservationSpec) -> spaces.Dict:
    """Space of an observation with its action mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(spec.low(), numpy.float32(1), (spec.size,), numpy.float32),
            "action_mask": spaces.Box(0, 1, (spec.actions,), numpy.int8),
        }
    )


def parts_space(spec: ObservationSpec) -> spaces.Dict:
    """Like `observation_space`, with the observation split into named parts."""
    parts: dict[str, spaces.Space[Any]] = {
        part.name: spaces.Box(part.lowest, 1, part.shape, numpy.float32) for part in spec.parts
    }
    mask = observation_space(spec)["action_mask"]
    return spaces.Dict({"observation": spaces.Dict(parts), "action_mask": mask})


class OneGame:
    """One game at a time, the basis of the environments that are not vectorised."""

    def __init__(
        self, game: str, structured: bool, render_mode: str | None, **batch_arguments: Any
    ) -> None:
        check_render_mode(render_mode)
        self._batch = Batch(game, 1, autoreset="disabled", **batch_arguments)
        self.spec_of_observations = spec_of(game)
        self._structured = structured
        self.render_mode = render_mode
        self._begun = False

    @property
    def _into(self) -> Buffers:
        return self._batch.buffers

    def _space(self) -> spaces.Dict:
        return (parts_space if self._structured else observation_space)(self.spec_of_observations)

    def _observation(self, seen: NDArray[Any], mask: NDArray[Any]) -> Observation:
        if self._structured:
            return {"observation": self.spec_of_observations.split(seen), "action_mask": mask}
        return {"observation": seen, "action_mask": mask}

    def _current(self) -> Observation:
        """Observation of the seat to decide."""
        return self._observation(self._into.obs[0].copy(), self._into.action_mask[0].copy())

    def render(self) -> Any:
        """The view of the seat to decide: as text ("ansi"), as pixels ("rgb_array") or printed.

        In the mode "human", `reset` and `step` print it by themselves.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")
        definition, seat = self._batch.definition, self._rendered_seat()
        view = definition.recalled(self._batch.state(), seat)
        return rendered(definition, view, self.render_mode)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _rendered_seat(self) -> int:
        return int(self._into.seats[0])

    def close(self) -> None:
        self._batch.close()


class LearnerEnv(OneGame, gymnasium.Env[Observation, int]):
    """One learner against bots; a step is one decision of the learner.

    ``opponents`` are bots of any kind and level, one name for all or one per seat; or functions
    that are given arrays of observations and masks and return actions, such as
    `archipel.envs.learn.policy.Policy.greedy_actions`.  ``seat`` is the learner's, from 0, or
    "rotate".  ``reward`` is what the learner gets at the end of a game: its "win_share" (0 to 1) or
    the "score_margin" (points ahead of the best other seat); before the end all rewards are 0.  An
    illegal action loses the game at once with reward -1.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012 - Gymnasium's

    @former_arguments(worth="reward")
    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        opponents: Player | Sequence[Player] = "random",
        seat: int | str = 0,
        options: Mapping[str, object] | None = None,
        reward: str = "win_share",
        structured: bool = False,
        compiled: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        players, rotate = players_of(game, seats, opponents, seat)
        given = {"options": options, "reward": reward, "compiled": compiled}
        super().__init__(game, structured, render_mode, players=players, rotate=rotate, **given)
        self.observation_space = self._space()
        self.action_space = spaces.Discrete(self.spec_of_observations.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the first game of a seed, or the next game without one."""
        gymnasium.Env.reset(self, seed=seed)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**32))
        self._begun = True
        self._batch.reset(seed)
        self._show()
        return self._current(), self._info()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        into = self._into
        if not self._begun or into.ends[0]:
            raise gymnasium.error.ResetNeeded("call reset() first")
        seat = int(into.seats[0])
        self._batch.step_one(action)
        end, reward, info = int(into.ends[0]), float(into.rewards[0, seat]), self._info()
        if end:
            info |= {"returns": into.rewards[0].copy(), "illegal": end == kernel.ILLEGAL}
        terminated = end in (kernel.OVER, kernel.ILLEGAL)
        self._show()
        return self._current(), reward, terminated, end == kernel.TOO_LONG, info

    def action_masks(self) -> NDArray[numpy.bool_]:
        """The legal actions, as MaskablePPO of sb3-contrib asks for them."""
        mask: NDArray[numpy.bool_] = self._into.action_mask[0] != 0
        return mask

    def _info(self) -> dict[str, Any]:
        return {"seat": int(self._into.seats[0])}


AUTORESET_MODES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


class LearnerVectorEnv(VectorEnv[Observation, NDArray[Any], NDArray[Any]]):
    """Many games in parallel: environment k of seed s is `LearnerEnv` with seed s + k.

    ``copy=False`` returns the arrays that the next step overwrites; they may be the caller's own
    ``buffers``.  ``autoreset_mode`` says when the next game begins: in the next step, whose action
    is ignored; in the same step, with the last observation in ``infos["final_obs"]``; or on
    ``reset(options={"reset_mask": ...})``.
    """

    @former_arguments(worth="reward", threads="workers")
    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seats: int | None = None,
        opponents: Player | Sequence[Player] = "random",
        seat: int | str = 0,
        options: Mapping[str, object] | None = None,
        reward: str = "win_share",
        structured: bool = False,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        workers: int = 1,
        copy: bool = True,
        buffers: Buffers | None = None,
        compiled: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        mode = AutoresetMode(autoreset_mode)
        check_render_mode(render_mode)
        players, rotate = players_of(game, seats, opponents, seat)
        given: dict[str, Any] = {"options": options, "reward": reward, "compiled": compiled}
        given |= {"workers": workers, "buffers": buffers, "autoreset": AUTORESET_MODES[mode]}
        self._batch = Batch(game, num_envs, players=players, rotate=rotate, **given)
        self.autoreset_mode, self._copy, self._begun = mode, copy, False
        self._structured = structured
        self.spec_of_observations = spec_of(game)
        self.num_envs = num_envs
        self.metadata = {
            "autoreset_mode": mode,
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
        }
        self.render_mode = render_mode
        space = parts_space if structured else observation_space
        self.single_observation_space = space(self.spec_of_observations)
        self.single_action_space = spaces.Discrete(self.spec_of_observations.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._row = numpy.arange(num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin games; environment k gets ``seed + k`` if one seed is given."""
        envs = (options or {}).get("reset_mask")
        if envs is not None and (envs.shape != (self.num_envs,) or not envs.any()):
            raise ValueError(f"reset_mask needs {self.num_envs} entries, at least one of them set")
        if seed is None and not self._begun:
            seed = int(numpy.random.default_rng().integers(2**32))
        if isinstance(seed, int):
            seed = [seed + number for number in range(self.num_envs)]
        if seed is not None:
            chosen = self._row if envs is None else self._row[envs]
            self._batch.reseed([one if env in chosen else None for env, one in enumerate(seed)])
        self._begun = True
        self._batch.reset(reset_mask=envs)
        return self._observation(), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Observation, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")
        into = self._batch.buffers
        seats = into.seats.copy()
        self._batch.step(actions)
        infos = self._infos()
        ended = into.ends != 0
        if ended.any():
            infos |= {"returns": into.rewards.copy(), "_returns": ended}
            infos |= {"illegal": into.ends == kernel.ILLEGAL, "_illegal": ended}
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                infos |= self._finals(ended)
        # The learner keeps its seat during a game, and rewards are 0 before its end.
        return (
            self._observation(),
            into.rewards[self._row, seats],
            into.terminated,
            into.truncated,
            infos,
        )

    def close_extras(self, **kwargs: Any) -> None:
        self._batch.close()

    def _finals(self, ended: NDArray[Any]) -> dict[str, Any]:
        finals = numpy.full(self.num_envs, None, object)
        nothing = numpy.zeros(self.spec_of_observations.actions, numpy.int8)
        for env in numpy.flatnonzero(ended):
            final = self._batch.finals[env].copy()
            finals[env] = self._named(final, nothing.copy())
        return {"final_obs": finals, "_final_obs": ended}

    def _observation(self) -> Observation:
        into = self._batch.buffers
        if self._copy:
            return self._named(into.obs.copy(), into.action_mask.copy())
        return self._named(into.obs, into.action_mask)

    def _named(self, obs: NDArray[Any], action_mask: NDArray[Any]) -> Observation:
        if self._structured:
            return {"observation": self.spec_of_observations.split(obs), "action_mask": action_mask}
        return {"observation": obs, "action_mask": action_mask}

    def action_masks(self) -> NDArray[numpy.bool_]:
        """The legal actions of each environment."""
        masks: NDArray[numpy.bool_] = self._batch.buffers.action_mask != 0
        return masks

    def render(self) -> Any:
        """One rendering per environment, as `LearnerEnv.render`; None in the mode "human"."""
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")
        definition, shown = self._batch.definition, []
        for env in range(self.num_envs):
            seat = int(self._batch.buffers.seats[env])
            view = definition.recalled(self._batch.state(env), seat)
            shown.append(rendered(definition, view, self.render_mode))
        return None if self.render_mode in (None, "human") else tuple(shown)

    def _infos(self) -> dict[str, Any]:
        return {"seat": self._batch.buffers.seats.copy(), "_seat": numpy.ones(self.num_envs, bool)}


def register_all() -> None:
    """Register the environments for ``gymnasium.make`` and ``make_vec``."""
    for game, name in environment_names().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="archipel.envs.gymnasium_envs:LearnerEnv",
                vector_entry_point="archipel.envs.gymnasium_envs:LearnerVectorEnv",
                kwargs={"game": game},
            )
