"""Proximal policy optimisation with masks, over games that hand over tensors.

One learner against bots: it plays so many decisions in every lane, weighs each by what came of it
(generalised advantages), and improves its policy a little, over and over.  Everything between the
games and the networks is a tensor on one device, and nothing leaves it but a few sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from archipel.envs.learn.judge import TO_LEARN, first_seed
from archipel.envs.learn.lanes import Lanes, make_lanes
from archipel.envs.learn.policy import Policy
from archipel.envs.learn.settings import CPU, Settings

TINY = 1e-20


@dataclass
class Played:
    """What happened, a row per step and a column per lane."""

    observations: Any
    masks: Any
    actions: Any
    log_chances: Any
    values: Any
    rewards: Any
    ends: Any
    choices: Any
    """False where only one thing was legal: nothing is learnt from that."""


class Learner:
    """Plays and learns. Equal settings, equal learning, on one machine."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        device = settings.device
        if device == CPU:
            torch.set_num_threads(settings.threads)
        else:
            torch.set_float32_matmul_precision("high")
        self.lanes: Lanes = make_lanes(settings, settings.lanes, "margin")
        self.policy = Policy(
            self.lanes.size, self.lanes.actions, settings.hidden, device, settings.seed
        )
        self._chance = torch.Generator(device).manual_seed(settings.seed)
        self._optimiser = torch.optim.Adam(self.policy.parameters(), settings.rate, eps=1e-5)
        self._played = self._make_room()
        self.lanes.reset(first_seed(settings.seed, TO_LEARN))
        self._spread = torch.ones((), device=device)
        self.decisions = 0

    def close(self) -> None:
        self.lanes.close()

    def _make_room(self) -> Played:
        lanes, settings = self.lanes, self.settings
        shape = (settings.steps, settings.lanes)
        device = settings.device

        def room(*more: int, like: Any = torch.float32) -> Any:
            return torch.zeros(*shape, *more, dtype=like, device=device)

        return Played(
            room(lanes.size),
            room(lanes.actions, like=lanes.masks.dtype),
            room(like=torch.int64),
            room(),
            room(),
            room(),
            room(like=torch.bool),
            room(like=torch.bool),
        )

    def go_on(self, done: float = 0.0) -> None:
        """Play, then learn from it. The more is ``done`` already, from 0 to 1, the less is changed,
        and the less points count."""
        with torch.no_grad():
            played = self._play()
            played.rewards.copy_(self._worth(played, self.settings.margin * max(0.0, 1 - done)))
        for group in self._optimiser.param_groups:
            group["lr"] = self.settings.rate * max(0.0, 1 - done)
        self._learn(played)
        self.decisions += self.settings.steps * self.settings.lanes

    def _worth(self, played: Played, weight: float) -> Any:
        """What a game that ended was worth, 0 to 1, from the points ahead or behind at its end.

        Who is first is what matters, but whoever never is learns nothing from that alone.  Points
        are seen beside what they usually differ by.
        """
        margins = played.rewards
        ended = played.ends.float()
        usual = (margins.abs() * ended).sum() / ended.sum().clamp(min=1)
        self._spread.lerp_(usual.clamp(min=1), 0.1)
        first = 0.5 + 0.5 * margins.sign()
        ahead = 0.5 + 0.5 * (margins / self._spread).tanh()
        return ended * torch.lerp(first, ahead, weight)

    def _play(self) -> Played:
        lanes, played = self.lanes, self._played
        for step in range(self.settings.steps):
            observations, masks = played.observations[step], played.masks[step]
            observations.copy_(lanes.observations)
            masks.copy_(lanes.masks)
            log_chances = self.policy.log_chances(observations, masks)
            # The first of events with these rates: each action as often as it is likely. A wait
            # of 0 would beat even what is not legal.
            waits = torch.empty_like(log_chances).exponential_(generator=self._chance)
            actions = (log_chances - waits.clamp_(min=TINY).log()).argmax(dim=-1)
            lanes.step(actions)
            played.actions[step] = actions
            played.log_chances[step] = log_chances.gather(-1, actions[:, None]).squeeze(-1)
            played.rewards[step] = lanes.rewards
            played.ends[step] = lanes.ended
        torch.gt(played.masks.sum(dim=-1), 1, out=played.choices)
        played.values.copy_(self.policy.values(played.observations))
        return played

    def _advantages(self, played: Played) -> Any:
        """Generalised advantages, from the last step back."""
        settings = self.settings
        following = self.policy.values(self.lanes.observations)
        found = torch.zeros_like(played.values)
        carried = torch.zeros_like(following)
        going_on = settings.discount * (1.0 - played.ends.float())
        for step in reversed(range(settings.steps)):
            surprise = played.rewards[step] + going_on[step] * following - played.values[step]
            carried = surprise + settings.smoothing * going_on[step] * carried
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
        for _ in range(settings.rounds):
            order = torch.randperm(len(kept), generator=self._chance, device=settings.device)
            for piece in kept[order].chunk(settings.pieces):
                gain = advantages[piece]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                seen = observations[piece]
                log_chances = self.policy.log_chances(seen, masks[piece])
                now = log_chances.gather(-1, actions[piece][:, None]).squeeze(-1)
                ratio = (now - before[piece]).exp()
                clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
                entropy = -(log_chances.exp() * log_chances).sum(dim=-1).mean()
                loss = (
                    -torch.min(ratio * gain, clipped * gain).mean()
                    + 0.5 * (self.policy.values(seen) - returns[piece]).pow(2).mean()
                    - settings.curiosity * entropy
                )
                self._optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self._optimiser.step()
