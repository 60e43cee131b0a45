"""Proximal policy optimization (PPO; Schulman et al. 2017) with action masks.

One learner plays against bots.  Each update plays a number of steps in every environment, computes
advantages by generalized advantage estimation (GAE; Schulman et al. 2016) and improves the policy.
Observations, actions and rewards stay tensors on one device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from archipel.envs.learn.evaluator import TRAINING, first_seed
from archipel.envs.learn.policy import Policy
from archipel.envs.learn.settings import CPU, Settings
from archipel.envs.learn.tensor_envs import TensorEnvs, make_envs

TINY = 1e-20


@dataclass
class RolloutBuffer:
    """Rollout buffer: a row per step and a column per environment."""

    obs: Any
    action_mask: Any
    actions: Any
    log_probs: Any
    values: Any
    reward: Any
    done: Any
    choices: Any
    """False for forced moves, which are left out of the loss."""


class Learner:
    """PPO learner; equal settings give equal results on one machine."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        device = settings.device
        if device == CPU:
            torch.set_num_threads(settings.workers)
        else:
            torch.set_float32_matmul_precision("high")
        self.envs: TensorEnvs = make_envs(settings, settings.num_envs, "score_margin")
        described = settings.game, settings.hidden_size, device, settings.seed, settings.network
        self.policy = Policy(*described)
        self._generator = torch.Generator(device).manual_seed(settings.seed)
        weights = self.policy.parameters()
        self._optimiser = torch.optim.Adam(weights, settings.learning_rate, eps=1e-5)
        self._rollouts = self._make_buffer()
        self.envs.reset(first_seed(settings.seed, TRAINING))
        self._spread = torch.ones((), device=device)
        self.timesteps = 0

    def close(self) -> None:
        self.envs.close()

    def _make_buffer(self) -> RolloutBuffer:
        envs, settings = self.envs, self.settings

        def zeros(kind: Any, *more: int) -> Any:
            shape = settings.n_steps, settings.num_envs, *more
            return torch.zeros(shape, dtype=kind, device=settings.device)

        obs = zeros(torch.float32, envs.obs_size)
        mask = zeros(envs.action_mask.dtype, envs.num_actions)
        kinds = (torch.int64, *[torch.float32] * 3, *[torch.bool] * 2)
        return RolloutBuffer(obs, mask, *map(zeros, kinds))

    def update(self, progress: float = 0.0) -> None:
        """Run one update.  Learning rate and score margin decay with ``progress``, from 0 to 1."""
        with torch.no_grad():
            rollouts, left = self._collect_rollouts(), max(0.0, 1 - progress)
            coef = self.settings.score_margin_coef * left
            rollouts.reward.copy_(self._game_reward(rollouts, coef))
        for group in self._optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * left
        self._learn(rollouts)
        self.timesteps += self.settings.n_steps * self.settings.num_envs

    def _game_reward(self, rollouts: RolloutBuffer, coef: float) -> Any:
        """Reward of finished games, 0 to 1, from the score margin at their end.

        Winning is the goal, but a learner that never wins gets no signal from it alone.  So
        ``coef`` blends in the margin, scaled by its running mean.
        """
        margins = rollouts.reward
        ended = rollouts.done.float()
        usual = (margins.abs() * ended).sum() / ended.sum().clamp(min=1)
        self._spread.lerp_(usual.clamp(min=1), 0.1)
        first = 0.5 + 0.5 * margins.sign()
        ahead = 0.5 + 0.5 * (margins / self._spread).tanh()
        return ended * torch.lerp(first, ahead, coef)

    def _collect_rollouts(self) -> RolloutBuffer:
        envs, rollouts = self.envs, self._rollouts
        for step in range(self.settings.n_steps):
            obs, mask = rollouts.obs[step], rollouts.action_mask[step]
            obs.copy_(envs.obs)
            mask.copy_(envs.action_mask)
            log_probs = self.policy.log_probs(obs, mask)
            # Sample by exponential waiting times. A wait of 0 would beat even an illegal action.
            waits = torch.empty_like(log_probs).exponential_(generator=self._generator)
            actions = (log_probs - waits.clamp_(min=TINY).log()).argmax(dim=-1)
            envs.step(actions)
            rollouts.actions[step] = actions
            rollouts.log_probs[step] = log_probs.gather(-1, actions[:, None]).squeeze(-1)
            rollouts.reward[step] = envs.reward
            rollouts.done[step] = envs.done
        torch.gt(rollouts.action_mask.sum(dim=-1), 1, out=rollouts.choices)
        rollouts.values.copy_(self.policy.values(rollouts.obs))
        return rollouts

    def _advantages(self, rollouts: RolloutBuffer) -> Any:
        """Generalized advantage estimation, from the last step back."""
        settings = self.settings
        following = self.policy.values(self.envs.obs)
        found = torch.zeros_like(rollouts.values)
        carried = torch.zeros_like(following)
        going_on = settings.gamma * (1.0 - rollouts.done.float())
        for step in reversed(range(settings.n_steps)):
            td_error = rollouts.reward[step] + going_on[step] * following - rollouts.values[step]
            carried = td_error + settings.gae_lambda * going_on[step] * carried
            found[step] = carried
            following = rollouts.values[step]
        return found

    def _learn(self, rollouts: RolloutBuffer) -> None:
        settings = self.settings
        with torch.no_grad():
            advantages = self._advantages(rollouts).flatten()
        returns = advantages + rollouts.values.flatten()
        kept = torch.nonzero(rollouts.choices.flatten()).squeeze(-1)
        obs = rollouts.obs.flatten(0, 1)
        masks = rollouts.action_mask.flatten(0, 1)
        actions, before = rollouts.actions.flatten(), rollouts.log_probs.flatten()
        for _ in range(settings.epochs):
            order = torch.randperm(len(kept), generator=self._generator, device=settings.device)
            for batch in kept[order].chunk(settings.minibatches):
                gain = advantages[batch]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                seen = obs[batch]
                log_probs = self.policy.log_probs(seen, masks[batch])
                now = log_probs.gather(-1, actions[batch][:, None]).squeeze(-1)
                ratio = (now - before[batch]).exp()
                clipped = ratio.clamp(1 - settings.clip_range, 1 + settings.clip_range)
                entropy = -(log_probs.exp() * log_probs).sum(dim=-1).mean()
                loss = (
                    -torch.min(ratio * gain, clipped * gain).mean()
                    + 0.5 * (self.policy.values(seen) - returns[batch]).pow(2).mean()
                    - settings.entropy_coef * entropy
                )
                self._optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self._optimiser.step()
