"""PPO with TorchRL: Deep Sea Adventure against random play.

pip install torchrl
python examples/learning/ppo_torchrl.py [TIMESTEPS]
"""

import sys

import torch
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import Compose, DoubleToFloat, GymEnv, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import archipel.envs  # noqa: F401 - registers the environments

FRAMES = 1024
total_timesteps = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
torch.manual_seed(1)

env = GymEnv(
    "archipel/DeepSea-v1", opponents="random", seat="rotate", categorical_action_encoding=True
)
env = TransformedEnv(env, Compose(DoubleToFloat()))
obs_size = env.observation_spec["observation"].shape[-1]
num_actions = env.observation_spec["action_mask"].shape[-1]


def network(outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(obs_size, 128), nn.Tanh(), nn.Linear(128, outputs))


scores = TensorDictSequential(
    TensorDictModule(network(num_actions), ["observation"], ["logits"]),
    TensorDictModule(lambda mask: mask != 0, ["action_mask"], ["mask"]),
)
actor = ProbabilisticActor(
    scores, ["logits", "mask"], distribution_class=MaskedCategorical, return_log_prob=True
)
critic = ValueOperator(network(1), in_keys=["observation"])
collector = Collector(env, actor, frames_per_batch=FRAMES, total_frames=total_timesteps)
advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
loss_module = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
optimizer = torch.optim.Adam(loss_module.parameters(), 1e-3)

for number, data in enumerate(collector, 1):
    for _ in range(4):
        advantage(data)
        for batch in data.reshape(-1)[torch.randperm(data.numel())].split(256):
            losses = loss_module(batch)
            loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(loss_module.parameters(), 0.5)
            optimizer.step()
    ended = data["next", "done"]
    share = data["next", "reward"][ended].mean().item() if ended.any() else float("nan")
    print(f"{number * FRAMES} timesteps, {share:.3f} win share")
collector.shutdown()
