"""PPO in one file, in the style of CleanRL: python examples/learning/ppo_cleanrl.py [TIMESTEPS]"""

import sys
from typing import Any

import gymnasium
import torch
from torch import nn

import archipel.envs  # noqa: F401 - registers the environments

total_timesteps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
num_envs, n_steps, given = 128, 32, {"reward": "score_margin", "autoreset_mode": "SameStep"}
envs = gymnasium.make_vec("archipel/DeepSea-v1", num_envs, seat="rotate", **given)
inputs = envs.single_observation_space["observation"].shape[0]
outputs = int(envs.single_action_space.n) + 1  # a logit per action, and the value
torch.manual_seed(1)
body = nn.Linear(inputs, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh()
network = nn.Sequential(*body, nn.Linear(128, outputs))
optimizer = torch.optim.Adam(network.parameters(), lr=1e-3, eps=1e-5)


def policy(obs: Any, mask: Any) -> tuple[Any, Any]:
    out = network(torch.as_tensor(obs))
    logits = out[..., :-1].masked_fill(torch.as_tensor(mask) == 0, -1e9)
    return torch.distributions.Categorical(logits=logits), out[..., -1]


seen, _ = envs.reset(seed=1)
for update in range(1, 1 + max(1, total_timesteps // (num_envs * n_steps))):
    rows = []
    for _ in range(n_steps):
        obs, mask = (torch.as_tensor(seen[name]) for name in ("observation", "action_mask"))
        with torch.no_grad():
            distribution, value = policy(obs, mask)
        action = distribution.sample()
        seen, reward, terminated, truncated, _ = envs.step(action.numpy())
        result = torch.as_tensor(reward).float() / 20, torch.as_tensor(terminated | truncated)
        rows.append((obs, mask, action, distribution.log_prob(action), value, *result))
    obs, mask, action, before, value, reward, done = map(torch.stack, zip(*rows, strict=True))
    with torch.no_grad():
        following = policy(seen["observation"], seen["action_mask"])[1]
    advantage, carried = torch.zeros_like(value), torch.zeros_like(following)
    for step in reversed(range(n_steps)):  # generalized advantage estimation
        error = reward[step] + following * ~done[step] - value[step]
        carried = advantage[step] = error + 0.95 * carried * ~done[step]
        following = value[step]
    data = obs, mask, action, before, advantage, advantage + value
    obs, mask, action, before, advantage, returns = (part.flatten(0, 1) for part in data)
    for batch in (b for _ in range(3) for b in torch.randperm(len(action)).chunk(4)):
        distribution, value = policy(obs[batch], mask[batch])
        ratio = (distribution.log_prob(action[batch]) - before[batch]).exp()
        gain = (advantage[batch] - advantage[batch].mean()) / (advantage[batch].std() + 1e-8)
        loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
        loss += 0.5 * (value - returns[batch]).pow(2).mean() - 0.01 * distribution.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 0.5)
        optimizer.step()
    share = 0.5 + 0.5 * reward[done].sign().mean()  # 0.5: as good as the opponent
    print(f"{update * num_envs * n_steps} timesteps, {share:.3f} win share")
