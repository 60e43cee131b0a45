"""Proximal policy optimisation (PPO) with action masks.

One learner plays against bots.  Each update plays a number of steps in every environment, computes
advantages by generalised advantage estimation (GAE) and improves the policy.  Observations, actions
and rewards stay tensors on one device.
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
class Played:
    """Rollout buffer: a row per step and a column per environment."""

    observations: Any
    masks: Any
    actions: Any
    log_chances: Any
    values: Any
    rewards: Any
    ends: Any
    choices: Any
    """False for forced moves, which are left out of the loss."""


class Learner:
    """PPO learner; equal settings give equal results on one machine."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        device = settings.device
        if device == CPU:
            torch.set_num_threads(settings.threads)
        else:
            torch.set_float32_matmul_precision("high")
        self.envs: TensorEnvs = make_envs(settings, settings.envs, "margin")
        size = self.envs.size, self.envs.actions, settings.hidden
        self.policy = Policy(*size, device, settings.seed)
        self._chance = torch.Generator(device).manual_seed(settings.seed)
        weights = self.policy.parameters()
        self._optimiser = torch.optim.Adam(weights, settings.learning_rate, eps=1e-5)
        self._played = self._make_buffer()
        self.envs.reset(first_seed(settings.seed, TRAINING))
        self._spread = torch.ones((), device=device)
        self.decisions = 0

    def close(self) -> None:
        self.envs.close()

    def _make_buffer(self) -> Played:
        envs, settings = self.envs, self.settings

        def zeros(kind: Any, *more: int) -> Any:
            shape = settings.steps, settings.envs, *more
            return torch.zeros(shape, dtype=kind, device=settings.device)

        observations = zeros(torch.float32, envs.size)
        masks = zeros(envs.masks.dtype, envs.actions)
        kinds = (torch.int64, *[torch.float32] * 3, *[torch.bool] * 2)
        return Played(observations, masks, *map(zeros, kinds))

    def go_on(self, done: float = 0.0) -> None:
        """Run one update.  Learning rate and margin reward decay with ``done``, from 0 to 1."""
        with torch.no_grad():
            played, left = self._play(), max(0.0, 1 - done)
            played.rewards.copy_(self._game_reward(played, self.settings.margin_reward * left))
        for group in self._optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * left
        self._learn(played)
        self.decisions += self.settings.steps * self.settings.envs

    def _game_reward(self, played: Played, weight: float) -> Any:
        """Reward of finished games, 0 to 1, from the points margin at their end.

        Winning is the goal, but a learner that never wins gets no signal from it alone.  So
        ``weight`` blends in the margin, scaled by its running mean.
        """
        margins = played.rewards
        ended = played.ends.float()
        usual = (margins.abs() * ended).sum() / ended.sum().clamp(min=1)
        self._spread.lerp_(usual.clamp(min=1), 0.1)
        first = 0.5 + 0.5 * margins.sign()
        ahead = 0.5 + 0.5 * (margins / self._spread).tanh()
        return ended * torch.lerp(first, ahead, weight)

    def _play(self) -> Played:
        envs, played = self.envs, self._played
        for step in range(self.settings.steps):
            observations, masks = played.observations[step], played.masks[step]
            observations.copy_(envs.observations)
            masks.copy_(envs.masks)
            log_chances = self.policy.log_chances(observations, masks)
            # Sample by exponential waiting times. A wait of 0 would beat even an illegal action.
            waits = torch.empty_like(log_chances).exponential_(generator=self._chance)
            actions = (log_chances - waits.clamp_(min=TINY).log()).argmax(dim=-1)
            envs.step(actions)
            played.actions[step] = actions
            played.log_chances[step] = log_chances.gather(-1, actions[:, None]).squeeze(-1)
            played.rewards[step] = envs.rewards
            played.ends[step] = envs.ended
        torch.gt(played.masks.sum(dim=-1), 1, out=played.choices)
        played.values.copy_(self.policy.values(played.observations))
        return played

    def _advantages(self, played: Played) -> Any:
        """Generalised advantage estimation, from the last step back."""
        settings = self.settings
        following = self.policy.values(self.envs.observations)
        found = torch.zeros_like(played.values)
        carried = torch.zeros_like(following)
        going_on = settings.discount * (1.0 - played.ends.float())
        for step in reversed(range(settings.steps)):
            surprise = played.rewards[step] + going_on[step] * following - played.values[step]
            carried = surprise + settings.gae_lambda * going_on[step] * carried
            found[step] = carried
            following = played.values[step]
        return found

    def _learn(self, played: Played) -> None:
        settings = self.settings
        with torch.no_grad():
            advantages = self._advantages(played).flatten()
        returns = advantages + played.values.flatten()
        kept = torch.nonzero(played.choices.flatten()).squeeze(-1)
        observations = played.observations.flatten(0, 1)
        masks = played.masks.flatten(0, 1)
        actions, before = played.actions.flatten(), played.log_chances.flatten()
        for _ in range(settings.epochs):
            order = torch.randperm(len(kept), generator=self._chance, device=settings.device)
            for batch in kept[order].chunk(settings.minibatches):
                gain = advantages[batch]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                seen = observations[batch]
                log_chances = self.policy.log_chances(seen, masks[batch])
                now = log_chances.gather(-1, actions[batch][:, None]).squeeze(-1)
                ratio = (now - before[batch]).exp()
                clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                entropy = -(log_chances.exp() * log_chances).sum(dim=-1).mean()
                loss = (
                    -torch.min(ratio * gain, clipped * gain).mean()
                    + 0.5 * (self.policy.values(seen) - returns[batch]).pow(2).mean()
                    - settings.entropy_coef * entropy
                )
                self._optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self._optimiser.step()
