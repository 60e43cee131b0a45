"""PettingZoo AEC environments: every seat is an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from archipel.envs import batch_kernel as kernel
from archipel.envs.batch import OUTSIDE
from archipel.envs.gymnasium_envs import OneGame
from archipel.envs.observation_spec import environment_name
from archipel.envs.rendering import RENDER_FPS, RENDER_MODES
from archipel.rules.all_games import game_named
from archipel.rules.deprecation import former_arguments


class TurnsEnv(OneGame, AECEnv):
    """A game in which every seat is an agent, ``player_0`` and so on.

    ``reward`` at the end of a game is the "win_share" (1 in all) or the "score_margin" (points
    ahead of the best other seat).  An illegal action ends the game for all, with -1
    for its agent.  Agents that are not to decide have an empty mask.
    """

    @former_arguments(worth="reward")
    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        reward: str = "win_share",
        structured: bool = False,
        compiled: bool | None = None,
        render_mode: str | None = None,
    ) -> None:
        seats = game_named(game).seats[0] if seats is None else seats
        given = {"options": options, "reward": reward, "compiled": compiled}
        super().__init__(game, structured, render_mode, players=[OUTSIDE] * seats, **given)
        self.metadata = {
            "name": environment_name(game),
            "render_modes": RENDER_MODES,
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions = self.spec_of_observations.actions
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._space())
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(actions))
        self._nothing = numpy.zeros(actions, numpy.int8)
        spec = self.spec_of_observations
        low = numpy.tile(spec.low(), seats)
        self.state_space = spaces.Box(low, numpy.float32(1), low.shape, numpy.float32)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed, or the next game without one."""
        if seed is None and not self._begun:
            seed = int(numpy.random.default_rng().integers(2**32))
        self._begun = True
        self._batch.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._into.seats[0]]
        self._show()

    def state(self) -> NDArray[numpy.float32]:
        """The observations of all seats in a row, for critics that train centrally.

        They contain all that somebody knows, but not what nobody has seen.
        """
        self._require_reset()
        views = [self._batch.observe(seat) for seat in range(len(self.possible_agents))]
        return numpy.concatenate(views)

    def _require_reset(self) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() first")

    def observe(self, agent: str) -> dict[str, Any]:
        """Observation and mask of an agent; the mask is empty if it is not to decide."""
        self._require_reset()
        if agent == self.agent_selection and not self._into.ends[0]:
            return self._current()
        return self._observation(self._batch.observe(self._seat_of[agent]), self._nothing.copy())

    def step(self, action: int | None) -> None:
        """Play an action of the agent selected; raises Gymnasium's ResetNeeded before `reset`."""
        self._require_reset()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._batch.step_one(-1 if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        if self._into.ends[0]:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self._into.seats[0]]
        self._show()

    def _end(self) -> None:
        over = self._into.ends[0] != kernel.TOO_LONG
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(self._into.rewards[0, seat])
            self.terminations[agent] = bool(over)
            self.truncations[agent] = not over
        self._accumulate_rewards()
        self._deads_step_first()

    def _rendered_seat(self) -> int:
        return self._seat_of[self.agent_selection]
