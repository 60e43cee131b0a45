"""Proximal policy optimisation on the vector environment, with masks.

One learner against bots: it plays so many decisions in every lane, weighs each by what came of it
(generalised advantages), and improves its policy a little, over and over.  Everything between the
environment and the network is a tensor on one device, so that a batch that lives on a graphics card
need only hand over its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import torch

from archipel.envs.learn.points import Point
from archipel.envs.learn.policy import Policy
from archipel.envs.learner import LearnerVectorEnv


@dataclass(frozen=True)
class Settings:
    """How it learns; the defaults are those of the curve in the documents."""

    game: str = "deep-sea"
    opponents: str = "random"
    seats: int = 2
    lanes: int = 256
    steps: int = 64
    rounds: int = 4
    pieces: int = 8
    rate: float = 1e-3
    discount: float = 1.0
    smoothing: float = 0.95
    clip: float = 0.2
    curiosity: float = 0.01
    hidden: int = 128
    seed: int = 1
    threads: int = 1
    device: str = "cpu"


@dataclass
class Played:
    """What happened in every lane, step by step."""

    observations: Any
    masks: Any
    actions: Any
    chances: Any
    values: Any
    rewards: Any
    ends: Any
    counts: Any
    """0 where the environment only began another game, and nothing was decided."""


class Learner:
    """Plays and learns. Equal settings, equal learning, on one machine with one thread."""

    def __init__(self, settings: Settings) -> None:
        torch.manual_seed(settings.seed)
        self.settings = settings
        self.env = LearnerVectorEnv(
            settings.game,
            settings.lanes,
            seats=settings.seats,
            opponents=settings.opponents,
            seat="rotate",
            threads=settings.threads,
            copy=False,
        )
        spec = self.env.spec_of_observations
        self.policy = Policy(spec.size, spec.actions, settings.hidden, settings.device)
        self._optimiser = torch.optim.Adam(self.policy.parameters(), settings.rate, eps=1e-5)
        seen, _ = self.env.reset(seed=settings.seed * 1_000_003)
        self._seen = self._tensors(seen)
        self._ended = numpy.zeros(settings.lanes, bool)
        self.decisions = 0

    def close(self) -> None:
        self.env.close()

    def go_on(self) -> tuple[int, float]:
        """Play, then learn from it: how many games ended, and the shares of first place in all."""
        played, games, shares = self._play()
        self._learn(played)
        return games, shares

    def _tensors(self, seen: dict[str, Any]) -> tuple[Any, Any]:
        device = self.settings.device
        return (
            torch.tensor(seen["observation"], device=device),
            torch.tensor(seen["action_mask"], device=device),
        )

    def _play(self) -> tuple[Played, int, float]:
        steps: list[tuple[Any, ...]] = []
        games, shares = 0, 0.0
        for _ in range(self.settings.steps):
            observations, masks = self._seen
            with torch.no_grad():
                choices = self.policy.choices(observations, masks)
                actions = choices.sample()
                chances = choices.log_prob(actions)
                values = self.policy.values(observations)
            counted = ~self._ended
            seen, rewards, over, cut, _ = self.env.step(actions.cpu().numpy())
            self._ended = over | cut
            self._seen = self._tensors(seen)
            self.decisions += int(counted.sum())
            games += int(self._ended.sum())
            shares += float(numpy.maximum(rewards, 0).sum())
            came = (rewards.astype(numpy.float32), self._ended, counted)
            told = [torch.tensor(part, device=self.settings.device) for part in came]
            steps.append((observations, masks, actions, chances, values, *told))
        return Played(*(torch.stack(column) for column in zip(*steps, strict=True))), games, shares

    def _advantages(self, played: Played) -> Any:
        """Generalised advantages, from the last step back."""
        with torch.no_grad():
            following = self.policy.values(self._seen[0])
        found = torch.zeros_like(played.values)
        carried = torch.zeros_like(following)
        settings = self.settings
        for step in reversed(range(settings.steps)):
            going_on = 1.0 - played.ends[step].float()
            surprise = (
                played.rewards[step]
                + settings.discount * following * going_on
                - played.values[step]
            )
            carried = surprise + settings.discount * settings.smoothing * going_on * carried
            found[step] = carried
            following = played.values[step]
        return found

    def _learn(self, played: Played) -> None:
        settings = self.settings
        advantages = self._advantages(played)
        returns = (advantages + played.values).flatten()
        kept = torch.nonzero(played.counts.flatten()).squeeze(-1)
        observations = played.observations.flatten(0, 1)
        masks = played.masks.flatten(0, 1)
        actions, chances = played.actions.flatten(), played.chances.flatten()
        advantages = advantages.flatten()
        for _ in range(settings.rounds):
            shuffled = kept[torch.randperm(len(kept), device=settings.device)]
            for piece in shuffled.chunk(settings.pieces):
                gain = advantages[piece]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                choices = self.policy.choices(observations[piece], masks[piece])
                ratio = (choices.log_prob(actions[piece]) - chances[piece]).exp()
                clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                loss = (
                    -torch.min(ratio * gain, clipped * gain).mean()
                    + 0.5 * (self.policy.values(observations[piece]) - returns[piece]).pow(2).mean()
                    - settings.curiosity * choices.entropy().mean()
                )
                self._optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self._optimiser.step()


def learning(learner: Learner, seconds: float, games_per_point: int = 1000) -> Iterator[Point]:
    """Learn for so long; a point for at least so many games."""
    begun, used = time.perf_counter(), time.process_time()
    games, shares, all_games = 0, 0.0, 0
    while (passed := time.perf_counter() - begun) < seconds or not all_games:
        more, won = learner.go_on()
        games, shares, all_games = games + more, shares + won, all_games + more
        if games >= games_per_point:
            processor = time.process_time() - used
            yield Point(passed, processor, learner.decisions, all_games, shares / games)
            games, shares = 0, 0.0


def evaluate(policy: Policy, settings: Settings, games: int, seed: int) -> tuple[int, float]:
    """The share of first place of a policy that learns no more, in games of other seeds.

    Each lane counts as many games as every other, since short games would come up more often.
    """
    lanes = min(settings.lanes, games)
    each = -(-games // lanes)
    env = LearnerVectorEnv(
        settings.game,
        lanes,
        seats=settings.seats,
        opponents=settings.opponents,
        seat="rotate",
        copy=False,
    )
    generator = torch.Generator().manual_seed(seed)
    seen, _ = env.reset(seed=seed)
    ended = numpy.zeros(lanes, numpy.int64)
    shares = 0.0
    while (ended < each).any():
        with torch.no_grad():
            choices = policy.choices(
                torch.tensor(seen["observation"], device=policy.device),
                torch.tensor(seen["action_mask"], device=policy.device),
            )
        actions = torch.multinomial(choices.probs.cpu(), 1, generator=generator).squeeze(-1)
        seen, rewards, over, cut, _ = env.step(actions.numpy())
        counted = (over | cut) & (ended < each)
        ended += counted
        shares += float(numpy.maximum(rewards, 0)[counted].sum())
    env.close()
    return int(each * lanes), shares / (each * lanes)
