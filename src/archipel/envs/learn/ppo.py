"""Proximal policy optimization (PPO; Schulman et al. 2017) with action masks.

One learner plays against bots, or in every seat against itself.  Each update plays a number of
steps in every environment, computes advantages by generalized advantage estimation (GAE; Schulman
et al. 2016) and improves the policy.  Observations, actions and rewards stay tensors on one device.
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
    seat: Any
    """The seat that decided."""
    returns: Any
    """Rewards of all seats."""
    done: Any
    choices: Any
    """False for forced moves and decisions without a successor, which are left out of the loss."""


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
        actions, log_probs, values = map(zeros, (torch.int64, torch.float32, torch.float32))
        seat, returns = zeros(torch.int64), zeros(torch.float32, settings.seats)
        done, choices = zeros(torch.bool), zeros(torch.bool)
        return RolloutBuffer(obs, mask, actions, log_probs, values, seat, returns, done, choices)

    def update(self, progress: float = 0.0) -> None:
        """Run one update.  Learning rate and score margin decay with ``progress``, from 0 to 1."""
        with torch.no_grad():
            rollouts, left = self._collect_rollouts(), max(0.0, 1 - progress)
            coef = self.settings.score_margin_coef * left
            rollouts.returns.copy_(self._game_rewards(rollouts, coef))
        for group in self._optimiser.param_groups:
            group["lr"] = self.settings.learning_rate * left
        self._learn(rollouts)
        self.timesteps += self.settings.n_steps * self.settings.num_envs

    def _game_rewards(self, rollouts: RolloutBuffer, coef: float) -> Any:
        """Rewards of all seats of finished games, 0 to 1, from the score margins at their end.

        Winning is the goal, but a learner that never wins gets no signal from it alone.  So
        ``coef`` blends in the margin, scaled by its running mean.
        """
        margins = rollouts.returns
        ended = rollouts.done.float()[..., None]
        count = ended.sum().clamp(min=1) * margins.shape[-1]
        usual = (margins.abs() * ended).sum() / count
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
            rollouts.seat[step] = envs.seat
            envs.step(actions)
            rollouts.actions[step] = actions
            rollouts.log_probs[step] = log_probs.gather(-1, actions[:, None]).squeeze(-1)
            rollouts.returns[step] = envs.returns
            rollouts.done[step] = envs.done
        torch.gt(rollouts.action_mask.sum(dim=-1), 1, out=rollouts.choices)
        rollouts.values.copy_(self.policy.values(rollouts.obs))
        return rollouts

    def _advantages(self, rollouts: RolloutBuffer) -> Any:
        """Generalized advantage estimation, from the last step back, for each seat by itself.

        A seat's last decision in the buffer has no successor unless the game ended or the seat is
        to decide next; it is left out.
        """
        settings, seats = self.settings, self.envs.seat[:, None]
        values = self.policy.values(self.envs.obs)
        # By environment and seat: what follows the decision that is being looked at.
        following = torch.zeros_like(rollouts.returns[0]).scatter_(1, seats, values[:, None])
        is_known = torch.zeros_like(following, dtype=torch.bool).scatter_(1, seats, True)
        reward, carried = torch.zeros_like(following), torch.zeros_like(following)
        found = torch.zeros_like(rollouts.values)
        for step in reversed(range(settings.n_steps)):
            ended, seat = rollouts.done[step][:, None], rollouts.seat[step][:, None]
            reward = torch.where(ended, rollouts.returns[step], reward)
            following.masked_fill_(ended, 0.0)
            carried.masked_fill_(ended, 0.0)
            is_known |= ended
            value = rollouts.values[step][:, None]
            later = following.gather(1, seat) + settings.gae_lambda * carried.gather(1, seat)
            advantage = reward.gather(1, seat) + settings.gamma * later - value
            has_successor = is_known.gather(1, seat)
            advantage = advantage * has_successor
            found[step] = advantage.squeeze(-1)
            rollouts.choices[step] &= has_successor.squeeze(-1)
            carried.scatter_(1, seat, advantage)
            following.scatter_(1, seat, value)
            reward.scatter_(1, seat, 0.0)
            is_known.scatter_(1, seat, True)
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
