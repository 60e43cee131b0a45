"""Behaviour cloning: a policy learns the decisions of a dataset, before reinforcement learning.

The actor learns the actions by cross-entropy, the critic the win shares of the games.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import torch

from archipel.envs.dataset import Dataset, Shard
from archipel.envs.learn.policy import Policy

EPOCHS = 2
MINIBATCH_SIZE = 512
LEARNING_RATE = 2e-3


def choices(shard: Shard, device: str) -> tuple[Any, Any, Any, Any]:
    """Observations, masks, actions and win shares of a shard, without forced moves."""
    masks = shard.masks()
    free = masks.sum(axis=1) > 1
    arrays = shard.observations(), masks, shard["action"].astype(numpy.int64), shard.win_shares()
    obs, action_mask, actions, shares = (torch.from_numpy(array[free]) for array in arrays)
    return obs.to(device), action_mask.to(device), actions.to(device), shares.to(device)


def imitate(policy: Policy, dataset: Dataset, seed: int, epochs: int = EPOCHS) -> Iterator[int]:
    """Learn a dataset; yields the number of decisions learned so far after each shard.

    The learning rate decays linearly to 0.  Raises `DatasetError` for a damaged shard.
    """
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.Adam(policy.parameters(), LEARNING_RATE, eps=1e-5)
    decisions, shards = 0, epochs * len(dataset)
    for number in range(shards):
        for group in optimiser.param_groups:
            group["lr"] = LEARNING_RATE * (1 - number / shards)
        obs, masks, actions, shares = choices(dataset.shard(number % len(dataset)), policy.device)
        order = torch.randperm(len(actions), generator=generator).to(policy.device)
        for batch in order.split(MINIBATCH_SIZE):
            log_probs = policy.log_probs(obs[batch], masks[batch])
            chosen = log_probs.gather(-1, actions[batch][:, None])
            loss = (policy.values(obs[batch]) - shares[batch]).pow(2).mean() - chosen.mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        decisions += len(actions)
        yield decisions


def accuracy(policy: Policy, shard: Shard) -> float:
    """How often the policy's most likely action is that of the shard."""
    obs, masks, actions, _ = choices(shard, policy.device)
    return float((policy.greedy_actions(obs, masks) == actions).float().mean())
