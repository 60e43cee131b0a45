"""PPO in one file, in the style of CleanRL: Deep Sea Adventure against random play.

    python examples/learning/ppo_cleanrl.py [TIMESTEPS]

The mean return over a thousand games is the win share: 0.5 is as good as the opponent.
"""

import sys
from typing import Any

import gymnasium
import torch
from torch import nn

import archipel.envs  # noqa: F401 - registers the environments

NUM_ENVS, N_STEPS, EPOCHS, MINIBATCHES = 128, 32, 3, 4
total_timesteps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
torch.manual_seed(1)

envs = gymnasium.make_vec(
    "archipel/DeepSea-v1", NUM_ENVS, reward="score_margin", seat="rotate", autoreset_mode="SameStep"
)
obs_size = envs.single_observation_space["observation"].shape[0]
num_actions = int(envs.single_action_space.n)
body = nn.Sequential(nn.Linear(obs_size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
actor, critic = nn.Linear(128, num_actions), nn.Linear(128, 1)
weights = [*body.parameters(), *actor.parameters(), *critic.parameters()]
optimizer = torch.optim.Adam(weights, lr=1e-3, eps=1e-5)


def policy(
    obs: torch.Tensor, mask: torch.Tensor
) -> tuple[torch.distributions.Categorical, torch.Tensor]:
    hidden = body(obs)
    logits = actor(hidden).masked_fill(mask == 0, -1e9)
    return torch.distributions.Categorical(logits=logits), critic(hidden).squeeze(-1)


def tensors(seen: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.as_tensor(seen["observation"]), torch.as_tensor(seen["action_mask"])


seen, _ = envs.reset(seed=1)
won: list[float] = []
for update in range(1, max(1, total_timesteps // (NUM_ENVS * N_STEPS)) + 1):
    rows, rewards, dones = [], [], []
    for _ in range(N_STEPS):
        obs, mask = tensors(seen)
        with torch.no_grad():
            distribution, value = policy(obs, mask)
        action = distribution.sample()
        rows.append((obs, mask, action, distribution.log_prob(action), value))
        seen, reward, terminated, truncated, _ = envs.step(action.numpy())
        done = terminated | truncated
        won += [0.5 + 0.5 * (r > 0) - 0.5 * (r < 0) for r in reward[done]]
        rewards.append(torch.as_tensor(reward / 20, dtype=torch.float32))  # about one at the end
        dones.append(torch.as_tensor(done, dtype=torch.float32))
    with torch.no_grad():
        following, carried, advantages = policy(*tensors(seen))[1], torch.zeros(NUM_ENVS), []
        for row, reward, done in zip(rows[::-1], rewards[::-1], dones[::-1], strict=True):
            error = reward + (1 - done) * following - row[4]
            carried = error + 0.95 * (1 - done) * carried
            advantages.append(carried)
            following = row[4]
    advantage = torch.cat(advantages[::-1])
    obs, mask, action, before, value = (torch.cat(part) for part in zip(*rows, strict=True))
    returns = advantage + value
    for _ in range(EPOCHS):
        for batch in torch.randperm(len(action)).chunk(MINIBATCHES):
            distribution, value = policy(obs[batch], mask[batch])
            ratio = (distribution.log_prob(action[batch]) - before[batch]).exp()
            gain = (advantage[batch] - advantage[batch].mean()) / (advantage[batch].std() + 1e-8)
            loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
            loss += (
                0.5 * (value - returns[batch]).pow(2).mean() - 0.01 * distribution.entropy().mean()
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(weights, 0.5)
            optimizer.step()
    share = sum(won[-1000:]) / max(1, len(won[-1000:]))
    print(f"{update * NUM_ENVS * N_STEPS} timesteps, {share:.3f} win share")
